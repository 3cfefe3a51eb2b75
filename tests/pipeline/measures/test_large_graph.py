"""graph of a large vocabulary: exact closest words, and an approximation from a sample of words."""

from __future__ import annotations

from pathlib import Path

import igraph
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from scipy.sparse.csgraph import dijkstra

from pipeline.measures import graph, shortest_paths
from pipeline.measures.graph import GraphRows, LargeGraph
from pipeline.measures.nearest_paths import _sort, nearest_words
from pipeline.measures.shortest_paths import UNIT, all_pairs, edges_of, from_words
from pipeline.measures.top_k import ClosestWords
from pipeline.settings import Graph
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
from wordkin.measures.sparse import SparseMeasure
from wordkin.measures.store import open_measure


@given(st.integers(0, 5000), st.integers(1, 5000), st.integers(0, 9))
def test_words_are_sorted(size: int, different: int, seed: int) -> None:
    numbers = np.random.default_rng(seed).integers(0, different, size).astype(np.int32)
    expected = np.sort(numbers)
    _sort(numbers)
    np.testing.assert_array_equal(numbers, expected)


def from_whole_rows(npmi: Matrix, k: int) -> ClosestWords:
    """The closest words, picked from the paths between all words."""
    closest = ClosestWords(len(npmi), k, absent=-np.inf)
    for chunk in GraphRows(edges_of(sparse(npmi)), 1000).chunks():
        closest.add(chunk.start, chunk.rows)
    return closest


def assert_as_from_whole_rows(npmi: Matrix, k: int) -> None:
    large, expected = LargeGraph(sparse(npmi), edges_of(sparse(npmi)), k), from_whole_rows(npmi, k)
    stored = expected.symmetrized()
    np.testing.assert_array_equal(large.stored.indptr, stored.indptr)
    np.testing.assert_array_equal(large.stored.indices, stored.indices)
    np.testing.assert_array_equal(large.stored.values, stored.values)
    np.testing.assert_array_equal(large.bounds, expected.bounds)


@pytest.mark.slow
@settings(max_examples=at_most(60), deadline=None)
@given(npmis | npmis_with_ties, st.integers(1, 45))
@example(random_npmi(17, 0.1, 209), 3)  # distances above 4, which float32 rounds
def test_the_closest_words_are_those_of_whole_rows_to_the_byte(npmi: Matrix, k: int) -> None:
    assert_as_from_whole_rows(npmi, k)


@pytest.mark.parametrize("density", [0.003, 0.02, 0.3])
def test_the_closest_words_among_many_are_those_of_whole_rows(density: float) -> None:
    assert_as_from_whole_rows(random_npmi(900, density, seed=1), 25)


@pytest.mark.slow
def test_distances_that_float32_does_not_tell_apart_are_ties() -> None:
    # Far along a chain two words differ by one unit of distance; the earlier word must win.
    words = 40
    npmi = np.zeros((words, words), np.float32)
    links = [(at, at + 1, 1.0 - 0.9) for at in range(4, words - 1)]
    links += [(4, 3, 0.1 + 3 / UNIT), (3, 2, 0.1 + 1 / UNIT), (2, 1, 0.1), (1, 0, 0.1 - 1 / UNIT)]
    for a, b, value in links:
        npmi[a, b] = npmi[b, a] = value
    for k in range(1, words):
        assert_as_from_whole_rows(npmi, k)


@settings(max_examples=at_most(30), deadline=None)
@given(npmis_with_ties, st.integers(1, 45))
def test_the_closest_words_are_those_of_scipy(npmi: Matrix, k: int) -> None:
    npmi = npmi * np.float32(0.75)  # SciPy takes a weight of zero for no edge
    rows, columns = np.nonzero(npmi)
    weights = csr_array((1.0 - npmi[rows, columns].astype(np.float64), (rows, columns)), npmi.shape)
    distances = dijkstra(weights)
    np.fill_diagonal(distances, np.inf)
    closest = nearest_words(edges_of(sparse(npmi)), 0, len(npmi), k)
    for word, expected in enumerate(np.round(distances * UNIT)):
        order = np.argsort(expected, kind="stable")[:k]
        order = np.sort(order[np.isfinite(expected[order])])
        count = closest.counts[word]
        assert closest.indices[word, :count].tolist() == order.tolist()
        np.testing.assert_allclose(
            closest.values[word, :count], 1.0 - expected[order] / UNIT, atol=1e-6
        )


def test_the_closest_words_are_those_of_igraph() -> None:
    npmi = random_npmi(500, 0.05, seed=2)
    rows, columns = np.nonzero(np.triu(npmi))
    weights = 1.0 - npmi[rows, columns].astype(np.float64)
    theirs = igraph.Graph(500, list(zip(rows.tolist(), columns.tolist(), strict=True)))
    distances = np.array(theirs.distances(weights=weights.tolist()))
    np.fill_diagonal(distances, np.inf)
    closest = nearest_words(edges_of(sparse(npmi)), 0, 500, 20)
    found = 1.0 - np.sort(closest.values, axis=1)[:, ::-1]
    np.testing.assert_allclose(found, np.sort(distances, axis=1)[:, :20], atol=1e-5)
    np.testing.assert_allclose(
        1.0 - closest.values, np.take_along_axis(distances, closest.indices, axis=1), atol=1e-5
    )


@settings(max_examples=at_most(30), deadline=None)
@given(npmis | npmis_with_ties, st.integers(1, 7))
def test_paths_from_some_words_are_those_between_all(npmi: Matrix, step: int) -> None:
    edges, sources = edges_of(sparse(npmi)), np.arange(0, len(npmi), step)
    np.testing.assert_array_equal(from_words(edges, sources)[0], all_pairs(edges)[0][sources])


def test_paths_from_more_words_than_are_searched_at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shortest_paths, "SOURCES", 16)
    edges = edges_of(sparse(random_npmi(300, 0.02, seed=4)))
    np.testing.assert_array_equal(from_words(edges, np.arange(300))[0], all_pairs(edges)[0])


def test_the_stage_stores_the_closest_pairs_and_approximates_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    npmi = random_npmi(300, 0.4, seed=5) * np.linspace(0.2, 1, 300, dtype=np.float32)
    npmi = np.minimum(npmi, npmi.T)
    layout, results = project(tmp_path, npmi), []
    for large in (300, 299):
        monkeypatch.setattr(graph, "LARGE", large)
        monkeypatch.setattr(graph, "SAMPLE", 290)
        metrics = graph.make_graph(layout, Graph(top=30, store="sparse"))
        measure = open_measure(layout.measure("graph"), vocabulary(300))
        assert isinstance(measure, SparseMeasure)
        results.append((metrics, measure.rows(range(300)), np.array(measure.indices)))
    (whole, exact, exact_indices), (sampled, approximate, indices) = results
    assert "words_sampled" not in whole
    assert sampled["words_sampled"] == 290
    np.testing.assert_array_equal(indices, exact_indices)
    assert not np.array_equal(approximate, exact)
    assert np.corrcoef(approximate.ravel(), exact.ravel())[0, 1] > 0.98
    for name in ("words", "pairs", "pairs_cut", "highest", "cut_at_most", "edges", "components"):
        assert sampled[name] == whole[name], name
    assert sampled["mean"] == pytest.approx(whole["mean"], abs=0.01)
    assert sampled["lowest"] == pytest.approx(whole["lowest"], abs=0.1)
    assert sampled["edges_beaten"] == pytest.approx(whole["edges_beaten"], rel=0.05)


@settings(max_examples=20, deadline=None)
@given(npmis)
def test_a_sample_of_all_words_gives_the_figures_of_all_rows(npmi: Matrix) -> None:
    large = LargeGraph(sparse(npmi), edges_of(sparse(npmi)), 3)
    expected = from_whole_rows(npmi, 3)
    stored = expected.symmetrized()
    metrics = large.metrics()
    for name, value in expected.metrics(stored.pairs).items():
        assert metrics[name] == (pytest.approx(value) if value is not None else None), name
    assert large.fill == expected.statistics.fill
    assert (large.projection is None) == (metrics["pairs_cut"] == 0)
