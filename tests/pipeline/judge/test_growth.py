"""Growth with the corpus: its last point is the measure itself, its slices are of documents."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.count import counts, windows
from pipeline.count.codes import Counts
from pipeline.count.windows import weights_of
from pipeline.engine import Engine, InProcessEngine
from pipeline.judge.correlations import correlate_with_all
from pipeline.judge.growth import SLICES, WantedPairs, count_slices, grow
from pipeline.layout import Layout
from pipeline.measures import npmi
from pipeline.measures.npmi import Npmi
from pipeline.measures.opening import open_measures
from pipeline.words import token_shards
from pipeline.words.lemmas import gold_form
from tests.support.small_language import NO_GOLD, small_language, syllables

SHARDS, TOKENS = 3, 42
"""The number of shards, and of tokens per document."""

DRAWS: dict[str, Any] = {"resamples": 100, "seed": 0}


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


def growth(layout: Layout, counting: Counts, engine: Engine) -> dict[str, Any]:
    form = gold_form(layout)
    return grow(layout, counting, Npmi(), form, engine, **DRAWS)


@pytest.mark.parametrize("boundary", ["document", "line"])
def test_the_last_point_is_the_measure_itself(tmp_path: Path, boundary: str) -> None:
    layout = small_language(tmp_path)
    write_tokens(layout, 150)
    counting = Counts(boundary=boundary)  # type: ignore[arg-type]
    engine = InProcessEngine()
    counts.make_counts(layout, counting, 64, engine)
    npmi.make_npmi(layout, Npmi())
    curve = growth(layout, counting, engine)
    opened, form = open_measures(layout, ["npmi"]), gold_form(layout)
    results, _ = correlate_with_all(layout, opened, form, **DRAWS)
    assert list(curve["gold"]) == ["main", "borrowed (silver)"]
    for result in results:
        last, measured = curve["gold"][result.title][-1], result.by_measure["npmi"].spearman
        assert last["spearman"] == pytest.approx(measured.statistic, abs=1e-3)
        assert last["low"] == pytest.approx(measured.low, abs=1e-3)
    assert curve["tokens"] == sorted(set(curve["tokens"]))
    assert curve["tokens"][-1] == SHARDS * 150 * TOKENS
    assert json.loads(json.dumps(curve, allow_nan=False)) == curve


@pytest.mark.slow
def test_spark_makes_the_same_curve(tmp_path: Path, spark: Engine) -> None:
    layout = small_language(tmp_path)
    write_tokens(layout, 40)
    assert growth(layout, Counts(), spark) == growth(layout, Counts(), InProcessEngine())


def test_without_gold_sets_there_is_no_curve(tmp_path: Path) -> None:
    layout = small_language(tmp_path, code="fi", gold=NO_GOLD)
    write_tokens(layout, 5)
    curve = growth(layout, Counts(), InProcessEngine())
    assert curve["gold"] == {} and curve["tokens"][-1] == SHARDS * 5 * TOKENS


WORDS = 6
PAIRS = np.array([[0, 1], [3, 1], [1, 3], [5, 2]])

documents_of_codes = st.lists(
    st.lists(st.integers(windows.STOP, WORDS - 1), max_size=20), min_size=1, max_size=6
)


@given(documents_of_codes, st.integers(1, 4), st.integers(0, 99))
def test_each_slice_has_the_windows_of_its_documents(
    documents: list[list[int]], window: int, seed: int
) -> None:
    slices = np.random.default_rng(seed).integers(0, SLICES, len(documents))
    wanted = WantedPairs.of(PAIRS, WORDS)
    weights, _ = weights_of(window, "harmonic")
    marginals = np.zeros((SLICES, WORDS), np.int64)
    pairs = np.zeros((SLICES, len(wanted.partners)), np.int64)
    codes = np.array([code for document in documents for code in document], np.int32)
    tokens = np.arange(len(codes), dtype=np.int32)  # each of its own type
    lengths = [len(document) for document in documents]
    word_positions = windows.find_words(tokens, codes, np.cumsum([0, *lengths]), window)
    by_word = np.repeat(slices, lengths)[codes >= 0]
    count_slices(word_positions, by_word, weights, *wanted, marginals, pairs)

    expected: Counter[tuple[int, int, int]] = Counter()
    for part, document in zip(slices.tolist(), documents, strict=True):
        words = [code for code in document if code != windows.STOP]
        for i, a in enumerate(words):
            for distance, b in enumerate(words[i + 1 : i + 1 + window], start=1):
                if a >= 0 and b >= 0 and a != b:
                    expected[part, a, b] += int(weights[distance])
                    expected[part, b, a] += int(weights[distance])
    for part in range(SLICES):
        for a in range(WORDS):
            assert marginals[part, a] == sum(expected[part, a, b] for b in range(WORDS))
        places = wanted.places(np.array([1, 1, 5]), np.array([0, 3, 2]))
        counted = pairs[part, places].tolist()
        assert counted == [expected[part, 1, 0], expected[part, 1, 3], expected[part, 5, 2]]


def test_a_pair_is_wanted_once_whatever_its_order() -> None:
    wanted = WantedPairs.of(PAIRS, WORDS)
    assert wanted.partners.tolist() == [1, 3, 5]
    assert wanted.starts.tolist() == [0, 1, 2, 3, 3, 3, 3]
