"""graph: exact shortest paths, found in either of two ways."""

from __future__ import annotations

from pathlib import Path

import igraph
import numpy as np
import pytest
from hypothesis import example, given, settings
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import shortest_path

from pipeline.measures import graph
from pipeline.measures.shortest_paths import all_pairs, edges_of
from pipeline.settings import Graph
from tests.support.examples import at_most
from tests.support.matrices import Matrix, npmis, project, random_npmi, sparse, vocabulary
from wordkin.measures.sparse import SparseMeasure
from wordkin.measures.store import open_measure
from wordkin.vocabulary import Vocabulary


def oracle(npmi: Matrix) -> NDArray[np.float64]:
    """The algorithm of Floyd and Warshall on weights 1 - npmi; -inf where there is no path."""
    far = np.where(npmi > 0, 1.0 - npmi.astype(np.float64), np.inf)
    np.fill_diagonal(far, 0.0)
    for middle in range(len(far)):
        far = np.minimum(far, far[:, middle : middle + 1] + far[middle])
    return np.where(np.eye(len(far), dtype=bool), 0.0, 1.0 - far)


def find(npmi: Matrix, memory_mib: int = 1000) -> tuple[Matrix, graph.GraphRows]:
    rows = graph.GraphRows(edges_of(sparse(npmi)), memory_mib)
    return np.concatenate([chunk.rows for chunk in rows.chunks()]), rows


def chain(*relatedness: float) -> Matrix:
    matrix = np.diag(np.array(relatedness, np.float32), 1)
    return matrix + matrix.T


@settings(max_examples=at_most(60), deadline=None)
@given(npmis)
def test_paths_are_those_of_floyd_and_warshall(npmi: Matrix) -> None:
    np.testing.assert_allclose(find(npmi)[0], oracle(npmi), atol=1e-5)


@settings(max_examples=at_most(30), deadline=None)
@given(npmis)
def test_searching_from_each_word_gives_the_same_bytes(npmi: Matrix) -> None:
    np.testing.assert_array_equal(find(npmi, memory_mib=0)[0], find(npmi)[0])


@settings(max_examples=at_most(30), deadline=None)
@given(npmis)
@example(random_npmi(17, 0.1, 209))  # distances above 4, which float32 rounds
def test_distances_are_symmetric_and_obey_the_triangle_inequality(npmi: Matrix) -> None:
    values, _ = find(npmi)
    np.testing.assert_array_equal(values, values.T)
    assert (values.diagonal() == 0).all()
    assert (values <= 1).all()
    assert (values[npmi > 0] >= npmi[npmi > 0] - 1e-6).all()
    # The inequality is exact for the integer distances; relatedness is rounded to float32.
    edges = edges_of(sparse(npmi))
    far = all_pairs(edges)[0].astype(np.int64)
    far[edges.component[:, None] != edges.component] = 1 << 40
    np.fill_diagonal(far, 0)
    for middle in range(len(far)):
        assert (far <= far[:, middle : middle + 1] + far[middle]).all()


@pytest.mark.parametrize(("words", "density"), [(700, 0.01), (600, 0.2)])
def test_several_panels_of_words_agree_with_igraph_and_scipy(words: int, density: float) -> None:
    # Less than 1, because SciPy takes a weight of zero for no edge.
    npmi = random_npmi(words, density, seed=1) * np.float32(0.99)
    values = find(npmi)[0].astype(np.float64)
    np.fill_diagonal(values, 1.0)
    rows, columns = np.nonzero(np.triu(npmi))
    weights = 1.0 - npmi[rows, columns].astype(np.float64)
    theirs = igraph.Graph(words, list(zip(rows.tolist(), columns.tolist(), strict=True)))
    distances = np.array(theirs.distances(weights=weights.tolist()))
    np.testing.assert_allclose(values, 1.0 - distances, atol=1e-5)
    edges = csr_array((weights, (rows, columns)), (words, words))
    np.testing.assert_allclose(values, 1.0 - shortest_path(edges, directed=False), atol=1e-5)


@pytest.mark.parametrize("memory_mib", [1000, 0])
def test_a_chain_is_followed_to_its_end(memory_mib: int) -> None:
    values, rows = find(chain(*[0.75] * 260), memory_mib)
    assert values[0, 260] == 1.0 - 260 * 0.25
    assert 2 < rows.passes <= 260


def test_an_edge_between_words_of_npmi_1_has_no_length() -> None:
    values, _ = find(chain(1.0, 0.5, 1.0))
    assert values[0].tolist() == [0.0, 1.0, 0.5, 0.5]


@settings(max_examples=at_most(30), deadline=None)
@given(npmis)
def test_edges_that_are_longer_than_the_shortest_path_are_counted(npmi: Matrix) -> None:
    edges = edges_of(sparse(npmi))
    for memory_mib in (1000, 0):
        _, rows = find(npmi, memory_mib)
        shortest = all_pairs(edges)[0]
        words = np.repeat(np.arange(edges.words), np.diff(edges.indptr))
        beaten = (shortest[words, edges.ends] < edges.weights).sum()
        assert rows.metrics()["edges_beaten"] == beaten / 2


def test_a_detour_beats_a_weak_edge_and_is_counted() -> None:
    npmi = chain(0.9, 0.8)
    npmi[0, 2] = npmi[2, 0] = 0.1
    values, rows = find(npmi)
    assert values[0, 2] == pytest.approx(0.7, abs=1e-6)
    assert rows.metrics() == {
        "passes": 2, "edges": 3, "edges_beaten": 1, "components": 1, "largest_component": 3,
    }  # fmt: skip


@pytest.mark.parametrize(
    "settings_",
    [
        Graph(top=10, store="sparse"),
        Graph(top="all", store="sparse"),
        Graph(top="all", store="float32"),
        Graph(),
    ],
    ids=["top", "all", "dense", "default"],
)
def test_unreachable_words_are_no_closer_than_the_most_distant_others(
    tmp_path: Path, settings_: Graph
) -> None:
    npmi = np.zeros((6, 6), np.float32)
    npmi[:3, :3] = chain(0.5, 0.25)
    npmi[3:5, 3:5] = chain(0.75)
    layout = project(tmp_path, npmi)
    metrics = graph.make_graph(layout, settings_)
    measure = open_measure(layout.measure("graph"), Vocabulary("abcdef", [1] * 6, [1] * 6))
    assert metrics["components"] == 3
    assert metrics["pairs"] == 4
    assert metrics["lowest"] == measure.relatedness("a", "c") == -0.25
    assert measure.relatedness("a", "d") == measure.relatedness("f", "a") == -0.25
    assert measure.row("d").tolist() == [-0.25, -0.25, -0.25, 0.0, 0.75, -0.25]


def test_pairs_that_were_cut_are_approximated(tmp_path: Path) -> None:
    npmi = random_npmi(30, 0.9, seed=5)
    layout = project(tmp_path, npmi)
    metrics = graph.make_graph(layout, Graph(top=4, store="sparse", memory_mib=64))
    measure = open_measure(layout.measure("graph"), vocabulary(30))
    assert isinstance(measure, SparseMeasure)
    stored = np.eye(30, dtype=bool)
    stored[np.repeat(np.arange(30), np.diff(measure.indptr)), measure.indices] = True
    full, _ = find(npmi)
    answered = measure.rows(range(30))
    np.testing.assert_array_equal(answered[stored], full[stored])
    assert metrics["pairs_cut"] == (~stored).sum() // 2 > 0
    assert max(full[~stored].max(), answered[~stored].max()) <= metrics["cut_at_most"]
    # With so few words, all directions are stored and nothing is lost.
    np.testing.assert_allclose(answered[~stored], full[~stored], atol=1e-4)
