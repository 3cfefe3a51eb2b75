"""graph: exact shortest paths to the closest words, and an estimate of all others."""

from __future__ import annotations

from pathlib import Path

import igraph
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from pipeline.measures import graph, low_rank
from pipeline.measures.graph import UNIT, Graph, closest_words, edges_of
from tests.support.examples import at_most
from tests.support.matrices import (
    Matrix,
    npmis,
    npmis_with_ties,
    project,
    random_npmi,
    sparse,
    vocabulary,
)
from wordkin.measures.store import open_measure
from wordkin.vocabulary import Vocabulary


def oracle(npmi: Matrix) -> NDArray[np.float64]:
    """The algorithm of Floyd and Warshall on weights 1 - npmi; -inf where there is no path."""
    far = np.where(npmi > 0, 1.0 - npmi.astype(np.float64), np.inf)
    np.fill_diagonal(far, 0.0)
    for middle in range(len(far)):
        far = np.minimum(far, far[:, middle : middle + 1] + far[middle])
    return np.where(np.eye(len(far), dtype=bool), -np.inf, 1.0 - far)


def found(npmi: Matrix, k: int) -> Matrix:
    """The values of the closest words of each word; -inf elsewhere."""
    closest = closest_words(edges_of(sparse(npmi)), k)
    values = np.full(npmi.shape, -np.inf, np.float32)
    values[np.repeat(np.arange(len(npmi)), np.diff(closest.indptr)), closest.indices] = (
        closest.values
    )
    return values


def chain(*relatedness: float) -> Matrix:
    matrix = np.diag(np.array(relatedness, np.float32), 1)
    return matrix + matrix.T


@settings(max_examples=at_most(60), deadline=None)
@given(npmis | npmis_with_ties)
@example(random_npmi(17, 0.1, 209))  # distances above 4, which float32 rounds
def test_paths_are_those_of_floyd_and_warshall(npmi: Matrix) -> None:
    np.testing.assert_allclose(found(npmi, len(npmi)), oracle(npmi), atol=1e-5)


@settings(max_examples=at_most(30), deadline=None)
@given(npmis_with_ties, st.integers(1, 45))
def test_the_closest_words_are_those_of_scipy(npmi: Matrix, k: int) -> None:
    npmi = npmi * np.float32(0.75)  # SciPy takes a weight of zero for no edge
    rows, columns = np.nonzero(npmi)
    weights = csr_array((1.0 - npmi[rows, columns].astype(np.float64), (rows, columns)), npmi.shape)
    distances = dijkstra(weights)
    np.fill_diagonal(distances, np.inf)
    values = found(npmi, k)
    for word, expected in enumerate(np.round(distances * UNIT)):
        order = np.argsort(expected, kind="stable")[:k]
        order = np.sort(order[np.isfinite(expected[order])])
        assert np.flatnonzero(np.isfinite(values[word])).tolist() == order.tolist()
        np.testing.assert_allclose(values[word, order], 1.0 - expected[order] / UNIT, atol=1e-6)


@pytest.mark.parametrize(("words", "density"), [(500, 0.05), (700, 0.01), (600, 0.2)])
def test_the_closest_words_are_those_of_igraph(words: int, density: float) -> None:
    npmi = random_npmi(words, density, seed=2)
    rows, columns = np.nonzero(np.triu(npmi))
    weights = 1.0 - npmi[rows, columns].astype(np.float64)
    theirs = igraph.Graph(words, list(zip(rows.tolist(), columns.tolist(), strict=True)))
    distances = np.array(theirs.distances(weights=weights.tolist()))
    np.fill_diagonal(distances, np.inf)
    nearest = np.sort(distances, axis=1)[:, :20]
    values = found(npmi, 20)
    np.testing.assert_allclose(np.sort(1.0 - values, axis=1)[:, :20], nearest, atol=1e-5)


@pytest.mark.slow
def test_distances_that_float32_does_not_tell_apart_are_ties() -> None:
    # Far along a chain two words differ by one unit of distance; the earlier word must win.
    words = 40
    npmi = np.zeros((words, words), np.float32)
    links = [(at, at + 1, 1.0 - 0.9) for at in range(4, words - 1)]
    links += [(4, 3, 0.1 + 3 / UNIT), (3, 2, 0.1 + 1 / UNIT), (2, 1, 0.1), (1, 0, 0.1 - 1 / UNIT)]
    for a, b, value in links:
        npmi[a, b] = npmi[b, a] = value
    whole = found(npmi, words)
    for k in range(1, words):
        values = found(npmi, k)
        for word in range(words):
            order = np.sort(np.argsort(-whole[word], kind="stable")[:k])
            assert np.flatnonzero(np.isfinite(values[word])).tolist() == order.tolist()


def test_a_chain_is_followed_to_its_end() -> None:
    assert found(chain(*[0.75] * 260), 300)[0, 260] == 1.0 - 260 * 0.25


def test_an_edge_between_words_of_npmi_1_has_no_length() -> None:
    assert found(chain(1.0, 0.5, 1.0), 3)[0].tolist() == [-np.inf, 1.0, 0.5, 0.5]


@pytest.mark.parametrize("top", [10, "all"])
def test_unreachable_words_are_no_closer_than_the_most_distant_others(
    tmp_path: Path, top: int | str
) -> None:
    npmi = np.zeros((6, 6), np.float32)
    npmi[:3, :3] = chain(0.5, 0.25)
    npmi[3:5, 3:5] = chain(0.75)
    layout = project(tmp_path, npmi)
    metrics = graph.make_graph(layout, Graph(top=top))
    measure = open_measure(layout.measure("graph"), Vocabulary("abcdef", [1] * 6, [1] * 6))
    assert (metrics["components"], metrics["edges"], metrics["pairs"]) == (3, 3, 4)
    assert metrics["lowest"] == measure.relatedness("a", "c") == -0.25
    assert measure.relatedness("a", "d") == measure.relatedness("f", "a") == -0.25
    assert measure.row("d").tolist() == [-0.25, -0.25, -0.25, 0.0, 0.75, -0.25]


def test_pairs_that_were_cut_are_estimated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    npmi = random_npmi(300, 0.4, seed=5) * np.linspace(0.2, 1, 300, dtype=np.float32)
    npmi = np.minimum(npmi, npmi.T)
    exact = np.where(np.eye(300, dtype=bool), 0, found(npmi, 300))
    layout = project(tmp_path, npmi)
    for sample, error in ((300, 0.03), (150, 0.1)):
        monkeypatch.setattr(low_rank, "SAMPLE", sample)
        metrics = graph.make_graph(layout, Graph(top=30))
        measure = open_measure(layout.measure("graph"), vocabulary(300))
        answered = measure.rows(range(300))
        stored = found(npmi, 30)
        kept = np.isfinite(np.maximum(stored, stored.T))
        np.testing.assert_array_equal(answered[kept], exact[kept])
        assert metrics["pairs"] == kept.sum() // 2
        assert metrics["pairs_cut"] == 300 * 299 // 2 - metrics["pairs"]
        assert np.abs(answered - exact).mean() < error
        # No estimate is above the values of the closest words.
        least = np.where(np.isfinite(stored), stored, np.inf).min(axis=1)
        rest = np.where(kept | np.eye(300, dtype=bool), -np.inf, answered)
        assert (rest <= np.minimum(least[:, None], least)).all()
