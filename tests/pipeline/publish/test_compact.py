"""Measures in few bytes: what they keep, and what they estimate."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pipeline.count.store import write_counts
from pipeline.layout import Layout
from pipeline.measures import graph, npmi, squared, svd
from pipeline.measures.blend import Blend, make_blend
from pipeline.measures.graph import Graph
from pipeline.measures.npmi import Npmi
from pipeline.measures.opening import open_measures
from pipeline.measures.squared import Squared
from pipeline.measures.svd import Svd
from pipeline.publish.compact import (
    levels_of,
    nearest_levels,
    small_vectors,
    write_compact,
    write_light,
)
from pipeline.settings import Compact, Light
from tests.support.matrices import random_counts, vocabulary
from wordkin.measures.explanations.meetings import Met
from wordkin.measures.explanations.middles import Between
from wordkin.measures.learned import untrained, write_learned
from wordkin.measures.measure import Measure
from wordkin.measures.store import open_measure

WORDS = 200
NAMES = ["npmi", "squared", "graph", "svd", "blend", "human"]


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Measure]:
    """All measures of random counts, with all their values."""
    layout = Layout(tmp_path_factory.mktemp("build"), "qq")
    write_counts(layout.counts, random_counts(WORDS, seed=1))
    layout.vocabulary.mkdir(parents=True)
    vocabulary(WORDS).write(layout.vocabulary / "vocabulary.tsv")
    npmi.make_npmi(layout, Npmi())
    squared.make_squared(layout, Squared(neighbours=20))
    graph.make_graph(layout, Graph(top=40))
    svd.make_svd(layout, Svd(dimensions=30))
    make_blend(layout, Blend(weights={"svd": 2.0, "graph": 1.0}))
    parts = open_measures(layout, ["npmi", "squared", "svd"])
    learned = untrained("human", parts).with_weights(np.linspace(0, 1, 7))
    write_learned(layout.measure("human"), learned, {})
    opened = dict(zip(NAMES, open_measures(layout, NAMES), strict=True))
    return opened


def compact(folder: Path, measures: list[Measure], closest: int) -> dict[str, Measure]:
    write_compact(folder, measures, Compact(closest=closest, dimensions=30), 20)
    words = measures[0].vocabulary
    return {one.name: open_measure(folder / one.name, words, thorough=True) for one in measures}


def correlation(a: Measure, b: Measure) -> float:
    rows = [measure.rows(range(WORDS)).ravel() for measure in (a, b)]
    return float(np.corrcoef(*rows)[0, 1])


@pytest.mark.parametrize("closest", [30, 1000])
def test_compact_measures_answer_like_the_full_ones(
    tmp_path: Path, full: dict[str, Measure], closest: int
) -> None:
    small = compact(tmp_path, list(full.values()), closest)
    least = {"npmi": 0.75, "squared": 0.9, "graph": 0.95, "human": 0.8}
    for name, measure in small.items():
        whole = 0.98 if closest == 1000 else least.get(name, 0.98)
        assert correlation(measure, full[name]) > whole, name


def test_the_closest_words_are_stored_to_a_level_and_bound_the_estimates(
    tmp_path: Path, full: dict[str, Measure]
) -> None:
    small = compact(tmp_path, [full["npmi"]], 30)["npmi"]
    exact, answered = (measure.rows(range(WORDS)) for measure in (full["npmi"], small))
    least = np.sort(exact, axis=1)[:, -30]
    close = (exact >= np.minimum(least[:, None], least)) & (exact > 0)
    np.testing.assert_allclose(answered[close], exact[close], atol=1 / 255)
    assert (answered[~close] <= np.minimum.outer(least, least)[~close] + 1 / 255).all()
    assert small.facts["total"] == full["npmi"].facts["total"]


def test_a_product_is_made_of_the_pairs_of_npmi_where_it_is_there(
    tmp_path: Path, full: dict[str, Measure]
) -> None:
    both = compact(tmp_path / "both", [full["squared"], full["npmi"]], 5)
    alone = compact(tmp_path / "alone", [full["squared"]], 5)
    assert both["squared"].facts["of"] == "npmi"
    assert not (tmp_path / "both" / "squared" / "indices.npy").exists()
    for measure in (both["squared"], alone["squared"]):
        assert correlation(measure, full["squared"]) > 0.95
    explanation = both["squared"].explain("3", "7", both)
    assert isinstance(explanation, Between)
    assert explanation.relatedness == pytest.approx(both["squared"].relatedness("3", "7"), rel=1e-5)


def test_explanations_say_what_a_compact_npmi_does_not_know(
    tmp_path: Path, full: dict[str, Measure]
) -> None:
    small = compact(tmp_path, [full["npmi"]], 5)
    exact, stored = full["npmi"].rows([3])[0], small["npmi"].neighbours(3)[0]
    for word in np.flatnonzero(exact):
        explanation = small["npmi"].explain("3", str(word), small)
        assert isinstance(explanation, Met)
        assert not explanation.exact
        assert (explanation.count is not None) == (word in stored)


@pytest.mark.parametrize("name", NAMES)
def test_a_light_measure_estimates_any_measure(
    tmp_path: Path, full: dict[str, Measure], name: str
) -> None:
    results = []
    for pairs in (0, 4000):
        write_light(tmp_path / "light", full[name], Light(pairs=pairs, dimensions=60))
        small = open_measure(tmp_path / "light", full[name].vocabulary, thorough=True)
        assert small.facts["kind"] == "matrix"
        results.append(correlation(small, full[name]))
    assert results[0] > 0.5
    assert results[1] > results[0] - 1e-6


def test_levels_and_whole_numbers_are_near_what_they_stand_for() -> None:
    rng = np.random.default_rng(2)
    values = rng.standard_normal(500).astype(np.float32)
    levels = levels_of(values)
    step = (values.max() - values.min()) / 255
    assert np.abs(levels[nearest_levels(values, levels)] - values).max() <= step / 2 + 1e-6
    vectors = rng.standard_normal((20, 8)).astype(np.float32)
    vectors[3] = 0
    numbers, scales = small_vectors(vectors)
    step = np.abs(vectors).max(axis=1, keepdims=True) / 127
    assert (np.abs(numbers * scales[:, None] - vectors) <= step / 2 + 1e-6).all()
    assert levels_of(np.empty(0, np.float32)).tolist() == [0.0] * 256
