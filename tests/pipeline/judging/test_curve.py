"""The curve over the corpus: its last point is the measure, its slices are shares of documents."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.corpus import token_shards
from pipeline.counting import counts, windows
from pipeline.counting.weights import weights_of
from pipeline.engine import Engine
from pipeline.judging import curve, evaluate
from pipeline.judging.curve import SLICES, Wanted, count_slices
from pipeline.layout import Layout
from pipeline.relatedness import npmi
from pipeline.settings import Counts, Evaluate, Npmi
from tests.pipeline.judging.test_evaluate import GOLD, small_language, syllables

documents_of = st.lists(st.lists(st.integers(-2, 5), max_size=20), min_size=1, max_size=6)


@given(documents_of, st.integers(1, 4), st.integers(0, 99))
def test_each_slice_holds_the_windows_of_its_documents(
    documents: list[list[int]], window: int, seed: int
) -> None:
    """An oracle of ten lines beside the kernel."""
    slices = np.random.default_rng(seed).integers(0, SLICES, len(documents))
    wanted = Wanted.of(np.array([[0, 1], [3, 1], [1, 3], [5, 2]]), 6)
    weights, _ = weights_of(window, "harmonic")
    marginals, pairs = np.zeros((SLICES, 6), np.int64), np.zeros((SLICES, 3), np.int64)
    codes = np.array([code for document in documents for code in document], np.int32)
    lengths = [len(document) for document in documents]
    word_positions = windows.find_words(codes, np.cumsum([0, *lengths]), window)
    own = np.repeat(slices, lengths)[codes >= 0]
    count_slices(word_positions, own, weights, *wanted, marginals, pairs)

    expected: Counter[tuple[int, int, int]] = Counter()
    for own, document in zip(slices.tolist(), documents, strict=True):
        kept = [code for code in document if code != windows.STOP]
        for i, a in enumerate(kept):
            for distance, b in enumerate(kept[i + 1 : i + 1 + window], start=1):
                if a >= 0 and b >= 0 and a != b:
                    expected[own, a, b] += int(weights[distance])
                    expected[own, b, a] += int(weights[distance])
    for own in range(SLICES):
        for a in range(6):
            assert marginals[own, a] == sum(expected[own, a, b] for b in range(6))
        first, second = np.array([1, 1, 5]), np.array([0, 3, 2])
        found = pairs[own, wanted.places(first, second)].tolist()
        assert found == [expected[own, 1, 0], expected[own, 1, 3], expected[own, 5, 2]]


def written(layout: Layout, documents: int) -> None:
    """Tokens in which words of neighbouring ids stand together."""
    random = np.random.default_rng(3)
    names = syllables(120)
    for number in range(3):
        rows = []
        for at in range(documents):
            centre = random.integers(0, 120)
            ids = (centre + random.integers(-6, 7, 40)) % 120
            words = [names[i] for i in ids] + ["unlisted", "the"]
            digest = random.bytes(16)
            rows.append(token_shards.Row(f"{number}-{at}", digest, words, [20, 22]))
        token_shards.write_shard(layout.tokens / "novels" / f"part-{number:05d}.parquet", rows)
    (layout.vocabulary / "stop_words.txt").write_text("the\n", encoding="utf-8")


@pytest.mark.slow
@pytest.mark.parametrize("boundary", ["document", "line"])
def test_the_last_point_is_the_measure_itself(tmp_path: Path, spark: Engine, boundary: str) -> None:
    layout = small_language(tmp_path)
    written(layout, 150)
    counting, measuring = Counts(boundary=boundary), Npmi()  # type: ignore[arg-type]
    judging = Evaluate(resamples=100)
    counts.make_counts(layout, counting, 64, spark)
    npmi.make_npmi(layout, measuring)
    found = curve.make_curve(layout, counting, measuring, judging, False, spark)
    whole = evaluate.find(layout, judging, ["npmi"], lemmatize=False)
    assert list(found["gold"]) == ["main", "borrowed (silver)"]
    for result in whole.results:
        last = found["whole"][result.title]
        assert last == found["gold"][result.title][-1]
        measured = result.by_measure["npmi"]
        assert last["spearman"] == pytest.approx(measured.spearman.statistic, abs=1e-3)
        assert last["low"] == pytest.approx(measured.spearman.low, abs=1e-3)
        assert last["spearman_all"] == pytest.approx(measured.spearman_all.statistic, abs=1e-3)
    assert found["tokens"][-1] == 3 * 150 * 42
    assert found["tokens"][0] < found["tokens"][1] < found["tokens"][2] < found["tokens"][3]
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    assert curve.describe(found).startswith("npmi on ")


def test_without_gold_sets_there_is_no_curve(tmp_path: Path, spark: Engine) -> None:
    layout = small_language(tmp_path, code="fi", gold=GOLD.replace("LANG", "en"))
    written(layout, 5)
    found = curve.make_curve(layout, Counts(), Npmi(), Evaluate(), False, spark)
    assert found["gold"] == {} and found["tokens"][-1] == 15 * 42
    assert curve.describe(found) == "no gold set, no curve"


def test_a_pair_that_was_never_seen_is_unrelated() -> None:
    nothing = np.zeros(2, np.int64)
    assert curve.pair_npmi(nothing, np.zeros(3, np.int64), nothing, nothing, 1, 1.0).tolist() == [
        0,
        0,
    ]
