"""The curve over the corpus: its last point is the measure itself, its slices are of documents."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from pipeline.count import counts
from pipeline.count.codes import Counts
from pipeline.engine import Engine, InProcessEngine
from pipeline.judge import curve, evaluate
from pipeline.layout import Layout
from pipeline.measures import npmi
from pipeline.measures.npmi import Npmi
from pipeline.settings import Evaluate
from pipeline.words import token_shards
from tests.support.small_language import NO_GOLD, small_language, syllables

SHARDS, TOKENS = 3, 42
"""The number of shards, and of tokens per document."""


def write_tokens(layout: Layout, documents: int) -> None:
    """Write shards in which words of neighbouring ids stand together."""
    random = np.random.default_rng(3)
    names = syllables(120)
    for number in range(SHARDS):
        rows = []
        for at in range(documents):
            centre = random.integers(0, 120)
            ids = (centre + random.integers(-6, 7, 40)) % 120
            words = [names[i] for i in ids] + ["unlisted", "the"]
            rows.append(token_shards.Row(f"{number}-{at}", random.bytes(16), words, [20, 22]))
        token_shards.write_shard(layout.tokens / "novels" / f"part-{number:05d}.parquet", rows)
    (layout.vocabulary / "stop_words.txt").write_text("the\n", encoding="utf-8")


def make_curve(layout: Layout, counting: Counts, engine: Engine) -> dict:
    return curve.make_curve(layout, counting, Npmi(), Evaluate(resamples=100), False, engine)


@pytest.mark.parametrize("boundary", ["document", "line"])
def test_the_last_point_is_the_measure_itself(tmp_path: Path, boundary: str) -> None:
    layout = small_language(tmp_path)
    write_tokens(layout, 150)
    counting = Counts(boundary=boundary)  # type: ignore[arg-type]
    engine = InProcessEngine()
    counts.make_counts(layout, counting, 64, engine)
    npmi.make_npmi(layout, Npmi())
    metrics = make_curve(layout, counting, engine)
    data = evaluate.collect(layout, Evaluate(resamples=100), ["npmi"], lemmatize=False)
    assert list(metrics["gold"]) == ["main", "borrowed (silver)"]
    for result in data.results:
        last = metrics["whole"][result.title]
        assert last == metrics["gold"][result.title][-1]
        measured = result.by_measure["npmi"]
        assert last["spearman"] == pytest.approx(measured.spearman.statistic, abs=1e-3)
        assert last["low"] == pytest.approx(measured.spearman.low, abs=1e-3)
        assert last["spearman_all"] == pytest.approx(measured.spearman_all.statistic, abs=1e-3)
    assert metrics["tokens"] == sorted(set(metrics["tokens"]))
    assert metrics["tokens"][-1] == SHARDS * 150 * TOKENS
    assert json.loads(json.dumps(metrics, allow_nan=False)) == metrics
    assert curve.describe(metrics).startswith("npmi on ")


@pytest.mark.slow
def test_spark_makes_the_same_curve(tmp_path: Path, spark: Engine) -> None:
    layout = small_language(tmp_path)
    write_tokens(layout, 40)
    assert make_curve(layout, Counts(), spark) == make_curve(layout, Counts(), InProcessEngine())


def test_without_gold_sets_there_is_no_curve(tmp_path: Path) -> None:
    layout = small_language(tmp_path, code="fi", gold=NO_GOLD)
    write_tokens(layout, 5)
    metrics = make_curve(layout, Counts(), InProcessEngine())
    assert metrics["gold"] == {} and metrics["tokens"][-1] == SHARDS * 5 * TOKENS
    assert curve.describe(metrics) == "no gold set, no curve"


def test_npmi_of_single_pairs_by_hand() -> None:
    # Words 0 and 1 met 4 times, 0 and 2 twice, 1 and 2 never; 12 ordered pairs in all.
    marginals = np.array([6, 4, 2])
    values = curve.pair_npmi(
        np.array([4, 2, 0]), marginals, np.array([0, 0, 1]), np.array([1, 2, 2]), 1, 1.0
    )
    first = math.log((4 / 12) / (6 / 12 * 4 / 12)) / -math.log(4 / 12)
    second = math.log((2 / 12) / (6 / 12 * 2 / 12)) / -math.log(2 / 12)
    assert values == pytest.approx([math.sqrt(first), math.sqrt(second), 0])


def test_a_pair_below_the_minimum_count_is_unrelated() -> None:
    values = curve.pair_npmi(
        np.array([4, 2]), np.array([6, 4, 2]), np.array([0, 0]), np.array([1, 2]), 3, 1.0
    )
    assert values[0] > 0 == values[1]


def test_without_any_counts_all_pairs_are_unrelated() -> None:
    nothing = np.zeros(2, np.int64)
    values = curve.pair_npmi(nothing, np.zeros(3, np.int64), nothing, nothing, 1, 1.0)
    assert values.tolist() == [0, 0]
