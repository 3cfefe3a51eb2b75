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
from pipeline.measures import graph, npmi, squared
from pipeline.measures.graph import Graph
from pipeline.measures.npmi import Npmi
from pipeline.measures.squared import Squared
from tests.support.examples import at_most
from tests.support.matrices import (
    Matrix,
    dense,
    measure_of,
    npmis,
    random_npmi,
    sparse,
    vocabulary,
    write_counts,
)
from wordkin.errors import InputError
from wordkin.measures.blend import BlendMeasure
from wordkin.measures.explanations.explanation import Explanation
from wordkin.measures.explanations.meetings import Met
from wordkin.measures.explanations.middles import Between
from wordkin.measures.explanations.near import Near
from wordkin.measures.explanations.path import Path as ShortestPath
from wordkin.measures.explanations.path import short_path, shortest_path
from wordkin.measures.matrix import MatrixMeasure, Vectors
from wordkin.measures.measure import Measure
from wordkin.measures.parts import Blended, Term
from wordkin.measures.store import open_measure

WORDS = 40
SCALE = 12


def counts(seed: int = 1) -> np.ndarray[tuple[int, int], np.dtype[np.int64]]:
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.geometric(0.02, (WORDS, WORDS)) * (rng.random((WORDS, WORDS)) < 0.6), 1)
    upper[0], upper[:, 0] = 0, 0  # a word that meets no other
    return upper + upper.T


@pytest.fixture(scope="module")
def measures(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Measure]:
    """All measures of a small vocabulary; graph stores the three closest words only."""
    layout = Layout(tmp_path_factory.mktemp("project"), "qq")
    write_counts(layout.counts, counts(), SCALE)
    npmi.make_npmi(layout, Npmi())
    squared.make_squared(layout, Squared(neighbours="all"))
    graph.make_graph(layout, Graph(top=3))
    words = vocabulary(WORDS)
    opened = {n: open_measure(layout.measure(n), words) for n in ("npmi", "squared", "graph")}
    vectors = np.random.default_rng(2).standard_normal((WORDS, 4))
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    return {
        **opened,
        "svd": MatrixMeasure("svd", words, vectors=Vectors(vectors.astype(np.float32))),
    }


def as_json(explanation: Explanation) -> str:
    return json.dumps(asdict(explanation))


def test_npmi_gives_the_count_and_the_expected_one(measures: Mapping[str, Measure]) -> None:
    both = counts()
    marginals, total = both.sum(axis=1), both.sum()
    for a, b in np.argwhere(measures["npmi"].rows(range(WORDS)) > 0):
        explanation = measures["npmi"].explain(str(a), str(b), measures)
        assert isinstance(explanation, Met)
        assert explanation.count == both[a, b] / SCALE
        assert explanation.expected == pytest.approx(marginals[a] * marginals[b] / total / SCALE)
        assert f"{explanation.count:,.1f}" in str(explanation)


@pytest.mark.parametrize("smoothing", [0.5, 0.75])
def test_npmi_gives_the_count_also_when_smoothed(tmp_path: Path, smoothing: float) -> None:
    layout, both = Layout(tmp_path, "qq"), counts()
    write_counts(layout.counts, both, SCALE)
    npmi.make_npmi(layout, Npmi(smoothing=smoothing))
    measure = open_measure(layout.measure("npmi"), vocabulary(WORDS))
    for a, b in np.argwhere(measure.rows(range(WORDS)) > 0):
        explanation = measure.explain(str(a), str(b), {"npmi": measure})
        assert isinstance(explanation, Met)
        assert explanation.count == both[a, b] / SCALE


def test_npmi_says_when_words_met_no_more_often_than_by_chance(
    measures: Mapping[str, Measure],
) -> None:
    explanation = measures["npmi"].explain("0", "1", measures)
    assert isinstance(explanation, Met)
    assert (explanation.count, explanation.relatedness) == (None, 0.0)
    assert "no more often than by chance" in str(explanation)


def test_squared_names_the_words_between_and_their_shares(measures: Mapping[str, Measure]) -> None:
    matrix = measures["npmi"].rows(range(WORDS)).astype(np.float64)
    for a, b in ((1, 2), (5, 30), (17, 18)):
        explanation = measures["squared"].explain(str(a), str(b), measures)
        assert isinstance(explanation, Between)
        products = matrix[a] * matrix[b]
        assert explanation.number == np.count_nonzero(products)
        assert explanation.relatedness == pytest.approx(products.sum())
        best = np.argsort(-products, kind="stable")[: min(10, explanation.number)]
        assert [middle.word for middle in explanation.middles] == [str(k) for k in best]
        for middle, k in zip(explanation.middles, best, strict=True):
            assert middle.share == pytest.approx(products[k] / products.sum())
            assert (middle.to_a, middle.to_b) == (matrix[a, k], matrix[b, k])
        assert str(best[0]) in str(explanation)
        assert as_json(explanation)


def test_squared_says_when_no_word_is_between(measures: Mapping[str, Measure]) -> None:
    explanation = measures["squared"].explain("0", "1", measures)
    assert isinstance(explanation, Between)
    assert (explanation.number, explanation.middles, explanation.relatedness) == (0, (), 0.0)
    assert "share no neighbour" in str(explanation)


def npmi_measure(matrix: Matrix) -> MatrixMeasure:
    return measure_of("npmi", vocabulary(len(matrix)), matrix)


@settings(max_examples=at_most(80), deadline=None)
@given(npmis, st.integers(0, 10**6))
def test_the_path_is_as_short_as_the_one_of_igraph(matrix: Matrix, seed: int) -> None:
    a, b = (int(word) for word in np.random.default_rng(seed).integers(0, len(matrix), 2))
    rows, columns = np.nonzero(np.triu(matrix))
    weights = (1.0 - matrix[rows, columns].astype(np.float64)).tolist()
    theirs = igraph.Graph(len(matrix), list(zip(rows.tolist(), columns.tolist(), strict=True)))
    shortest = theirs.distances(a, b, weights=weights)[0][0]
    path = shortest_path(npmi_measure(matrix), a, b)
    if math.isinf(shortest):
        assert path == []
    else:
        assert (path[0], path[-1]) == (a, b)
        steps = [1.0 - float(matrix[x, y]) for x, y in pairwise(path)]
        assert all(matrix[x, y] > 0 for x, y in pairwise(path))
        assert sum(steps) == pytest.approx(shortest, abs=1e-9)


@pytest.mark.parametrize("seed", range(20))
def test_a_short_path_is_the_shortest_one_of_at_most_two_edges(seed: int) -> None:
    matrix = random_npmi(12, 0.15, seed)
    for a, b in ((0, 1), (3, 7), (11, 2)):
        lengths: dict[tuple[int, ...], float] = {}
        if matrix[a, b] > 0:
            lengths[a, b] = 1 - float(matrix[a, b])
        for middle in range(12):
            if matrix[a, middle] > 0 and matrix[middle, b] > 0:
                lengths[a, middle, b] = 2 - float(matrix[a, middle]) - float(matrix[middle, b])
        path = short_path(npmi_measure(matrix), a, b)
        assert bool(path) == bool(lengths)
        if path:
            assert lengths[tuple(path)] == pytest.approx(min(lengths.values()), abs=1e-6)


def test_graph_names_the_path_with_each_edge(measures: Mapping[str, Measure]) -> None:
    matrix, both = measures["npmi"].rows(range(WORDS)), counts()
    closest = graph.closest_words(graph.edges_of(sparse(matrix)), WORDS)
    exact = dense(closest.symmetrized())
    for a, b in ((1, 2), (5, 30), (17, 18), (39, 20)):
        explanation = measures["graph"].explain(str(a), str(b), measures)
        assert isinstance(explanation, ShortestPath)
        assert explanation.relatedness == pytest.approx(exact[a, b], abs=1e-5)
        assert (explanation.edges[0].a, explanation.edges[-1].b) == (str(a), str(b))
        for edge in explanation.edges:
            i, j = int(edge.a), int(edge.b)
            assert edge.npmi == matrix[i, j]
            assert edge.count == both[i, j] / SCALE
            assert f"-({edge.npmi:.2f}, {edge.count:.1f}×)- {edge.b}" in str(explanation)
        assert as_json(explanation)


def test_graph_says_when_there_is_no_path(measures: Mapping[str, Measure]) -> None:
    explanation = measures["graph"].explain("0", "1", measures)
    assert isinstance(explanation, ShortestPath)
    assert explanation.edges == ()
    assert "no path" in str(explanation)


def test_vectors_name_the_words_that_are_close_to_both(measures: Mapping[str, Measure]) -> None:
    explanation = measures["svd"].explain("3", "4", measures)
    assert isinstance(explanation, Near)
    rows = measures["svd"].rows([3, 4])
    least = {k: min(rows[0, k], rows[1, k]) for k in range(WORDS) if k not in (3, 4)}
    best = sorted(least, key=lambda k: (-least[k], k))[:10]
    assert [shared.word for shared in explanation.shared] == [str(k) for k in best]
    assert f"close to {', '.join(map(str, best[:5]))}, …" in str(explanation)
    assert [shared.to_a for shared in explanation.shared] == rows[0, best].tolist()
    assert as_json(explanation)


def test_a_blend_says_what_each_part_adds(measures: Mapping[str, Measure]) -> None:
    terms = [Term("graph", 1.0, 0.2, 0.5), Term("svd", 2.0, 0.0, 0.3)]
    both = [measures["graph"], measures["svd"]]
    blend = BlendMeasure("blend", both[0].vocabulary, terms, both)
    explanation = blend.explain("3", "4", measures)
    assert isinstance(explanation, Blended)
    assert sum(explanation.shares) == pytest.approx(explanation.relatedness, abs=1e-6)
    assert [part.measure for part in explanation.parts] == ["graph", "svd"]
    assert all(part.line() in str(explanation) for part in explanation.parts)
    graph_share, svd_share = explanation.shares
    assert explanation.sum() == f"graph {graph_share:+.2f}, svd {svd_share:+.2f}"
    assert as_json(explanation)


def test_a_line_can_be_in_another_language(measures: Mapping[str, Measure]) -> None:
    explanation = measures["npmi"].explain("0", "1", measures)
    assert explanation.line({"not_met": "{a}/{b}: {expected:.0f}, {value}"}) == "0/1: 0, 0.0"


def test_a_word_is_not_explained_by_itself(measures: Mapping[str, Measure]) -> None:
    with pytest.raises(InputError, match="two different words"):
        measures["npmi"].explain("3", "3", measures)


def test_what_npmi_explains_needs_npmi(measures: Mapping[str, Measure]) -> None:
    with pytest.raises(InputError, match="publish npmi with it"):
        measures["graph"].explain("1", "2")
    with pytest.raises(InputError, match="publish npmi with it"):
        unstored = npmi_measure(random_npmi(5, 0.9, 1))
        unstored.explain("1", "2", {"npmi": unstored})
