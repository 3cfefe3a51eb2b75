"""Why two words are related: what an explanation says is what the matrices have."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path

import igraph
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.layout import Layout
from pipeline.relatedness import graph, npmi, squared
from pipeline.settings import Graph, Npmi, Squared
from tests.support.matrices import Matrix, npmis, random_npmi, sparse, vocabulary, write_counts
from wordkin.errors import InputError
from wordkin.measures import (
    BlendMeasure,
    Measure,
    Part,
    SparseMeasure,
    VectorMeasure,
    explanation,
    open_measure,
)

WORDS = 40
SCALE = 12


def counts(seed: int = 1) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.geometric(0.02, (WORDS, WORDS)) * (rng.random((WORDS, WORDS)) < 0.6), 1)
    upper[0], upper[:, 0] = 0, 0  # a word that meets no other
    return upper + upper.T


@pytest.fixture(scope="module")
def measures(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Measure]:
    """All measures of a small vocabulary, squared and graph cut to the three closest words."""
    layout = Layout(tmp_path_factory.mktemp("project"), "qq")
    write_counts(layout.counts, counts(), SCALE)
    npmi.make_npmi(layout, Npmi())
    squared.make_squared(layout, Squared(top=3, store="sparse", memory_mib=64))
    graph.make_graph(layout, Graph(top=3, store="sparse", memory_mib=64))
    words = vocabulary(WORDS)
    found = {n: open_measure(layout.measure(n), words) for n in ("npmi", "squared", "graph")}
    vectors = np.random.default_rng(2).standard_normal((WORDS, 4))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return {**found, "svd": VectorMeasure("svd", words, vectors.astype(np.float32))}


def as_json(explanation: explanation.Explanation) -> str:
    return json.dumps(asdict(explanation))


def test_npmi_tells_the_count_and_the_expected_one(measures: Mapping[str, Measure]) -> None:
    both = counts()
    marginals, total = both.sum(axis=1), both.sum()
    for a, b in np.argwhere(measures["npmi"].rows(range(WORDS)) > 0):
        found = explanation.explain(measures, measures["npmi"], str(a), str(b))
        assert isinstance(found, explanation.Met)
        assert found.count == both[a, b] / SCALE
        assert found.expected == pytest.approx(marginals[a] * marginals[b] / total / SCALE)
        assert f"{found.count:,.1f}" in str(found)


@pytest.mark.parametrize("smoothing", [0.5, 0.75])
def test_npmi_tells_the_count_also_when_smoothed(tmp_path: Path, smoothing: float) -> None:
    layout, both = Layout(tmp_path, "qq"), counts()
    write_counts(layout.counts, both, SCALE)
    npmi.make_npmi(layout, Npmi(smoothing=smoothing))
    measure = open_measure(layout.measure("npmi"), vocabulary(WORDS))
    for a, b in np.argwhere(measure.rows(range(WORDS)) > 0):
        found = explanation.explain({"npmi": measure}, measure, str(a), str(b))
        assert isinstance(found, explanation.Met)
        assert found.count == both[a, b] / SCALE


def test_npmi_tells_when_words_met_no_more_than_by_chance(
    measures: Mapping[str, Measure],
) -> None:
    found = explanation.explain(measures, measures["npmi"], "0", "1")
    assert isinstance(found, explanation.Met)
    assert (found.count, found.relatedness) == (None, 0.0)
    assert "no more often than by chance" in str(found)


def test_squared_tells_the_words_between_and_their_shares(measures: Mapping[str, Measure]) -> None:
    matrix = measures["npmi"].rows(range(WORDS)).astype(np.float64)
    for a, b in ((1, 2), (5, 30), (17, 18)):
        found = explanation.explain(measures, measures["squared"], str(a), str(b))
        assert isinstance(found, explanation.Between)
        products = matrix[a] * matrix[b]
        assert found.number == np.count_nonzero(products)
        assert found.relatedness == pytest.approx(products.sum())
        best = np.argsort(-products, kind="stable")[: min(10, found.number)]
        assert [middle.word for middle in found.middles] == [str(k) for k in best]
        for middle, k in zip(found.middles, best, strict=True):
            assert middle.share == pytest.approx(products[k] / products.sum())
            assert (middle.to_a, middle.to_b) == (matrix[a, k], matrix[b, k])
        assert str(best[0]) in str(found)
        assert as_json(found)


def test_squared_tells_when_nothing_is_between(measures: Mapping[str, Measure]) -> None:
    found = explanation.explain(measures, measures["squared"], "0", "1")
    assert isinstance(found, explanation.Between)
    assert (found.number, found.middles, found.relatedness) == (0, (), 0.0)
    assert "share no neighbour" in str(found)


def of_matrix(matrix: Matrix) -> SparseMeasure:
    arrays = sparse(matrix)
    return SparseMeasure(
        "npmi", vocabulary(len(matrix)), arrays.indptr, arrays.indices, arrays.values
    )


@settings(max_examples=80, deadline=None)
@given(npmis, st.integers(0, 10**6))
def test_the_path_is_as_short_as_igraph_has_it(matrix: Matrix, seed: int) -> None:
    a, b = (int(word) for word in np.random.default_rng(seed).integers(0, len(matrix), 2))
    rows, columns = np.nonzero(np.triu(matrix))
    weights = (1.0 - matrix[rows, columns].astype(np.float64)).tolist()
    theirs = igraph.Graph(len(matrix), list(zip(rows.tolist(), columns.tolist(), strict=True)))
    shortest = theirs.distances(a, b, weights=weights)[0][0]
    path = explanation.shortest_path(of_matrix(matrix), a, b)
    if math.isinf(shortest):
        assert path == []
    else:
        assert (path[0], path[-1]) == (a, b)
        steps = [1.0 - float(matrix[x, y]) for x, y in pairwise(path)]
        assert all(matrix[x, y] > 0 for x, y in pairwise(path))
        assert sum(steps) == pytest.approx(shortest, abs=1e-9)


def test_graph_tells_the_path_with_each_edge(measures: Mapping[str, Measure]) -> None:
    matrix, both = measures["npmi"].rows(range(WORDS)), counts()
    full = graph.Paths(graph.edges_of(sparse(matrix)), 64)
    ((_, exact),) = full.blocks()
    for a, b in ((1, 2), (5, 30), (17, 18), (39, 20)):
        found = explanation.explain(measures, measures["graph"], str(a), str(b))
        assert isinstance(found, explanation.Path)
        assert found.relatedness == pytest.approx(exact[a, b], abs=1e-5)
        assert (found.edges[0].a, found.edges[-1].b) == (str(a), str(b))
        for edge in found.edges:
            i, j = int(edge.a), int(edge.b)
            assert edge.npmi == matrix[i, j]
            assert edge.count == both[i, j] / SCALE
            assert f"-({edge.npmi:.2f}, {edge.count:.1f}×)- {edge.b}" in str(found)
        assert as_json(found)


def test_graph_tells_when_no_path_leads_there(measures: Mapping[str, Measure]) -> None:
    found = explanation.explain(measures, measures["graph"], "0", "1")
    assert isinstance(found, explanation.Path)
    assert found.edges == ()
    assert "no path" in str(found)


def test_vectors_tell_the_words_that_are_close_to_both(measures: Mapping[str, Measure]) -> None:
    found = explanation.explain(measures, measures["svd"], "3", "4")
    assert isinstance(found, explanation.Near)
    rows = measures["svd"].rows([3, 4])
    least = {k: min(rows[0, k], rows[1, k]) for k in range(WORDS) if k not in (3, 4)}
    best = sorted(least, key=lambda k: (-least[k], k))[:10]
    assert [shared.word for shared in found.shared] == [str(k) for k in best]
    assert f"close to {', '.join(map(str, best[:5]))}, …" in str(found)
    assert [shared.to_a for shared in found.shared] == rows[0, best].tolist()
    assert as_json(found)


def test_a_blend_tells_what_each_part_adds(measures: Mapping[str, Measure]) -> None:
    parts = [Part("graph", 1.0, 0.2, 0.5), Part("svd", 2.0, 0.0, 0.3)]
    both = [measures["graph"], measures["svd"]]
    blend = BlendMeasure("blend", both[0].vocabulary, parts, both)
    found = explanation.explain(measures, blend, "3", "4")
    assert isinstance(found, explanation.Blended)
    assert sum(found.shares) == pytest.approx(found.relatedness, abs=1e-6)
    assert [part.measure for part in found.parts] == ["graph", "svd"]
    assert all(part.line() in str(found) for part in found.parts)
    assert found.sum() == f"graph {found.shares[0]:+.2f}, svd {found.shares[1]:+.2f}"
    assert as_json(found)


def test_lines_come_in_other_languages(measures: Mapping[str, Measure]) -> None:
    found = explanation.explain(measures, measures["npmi"], "0", "1")
    assert found.line({"not_met": "{a}/{b}: {expected:.0f}, {value}"}) == "0/1: 0, 0.0"


def test_a_word_is_not_explained_by_itself(measures: Mapping[str, Measure]) -> None:
    with pytest.raises(InputError, match="two different words"):
        explanation.explain(measures, measures["npmi"], "3", "3")


def test_what_npmi_explains_needs_npmi(measures: Mapping[str, Measure]) -> None:
    with pytest.raises(InputError, match="publish npmi with it"):
        explanation.explain({}, measures["graph"], "1", "2")
    with pytest.raises(InputError, match="publish npmi with it"):
        unstored = of_matrix(random_npmi(5, 0.9, 1))
        explanation.explain({"npmi": unstored}, unstored, "1", "2")
