"""What the small stores lose, against the figures of the full measures."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipeline.judge import evaluate
from pipeline.layout import Layout
from pipeline.measures.compact import make_compact
from pipeline.settings import Bits, Compact, Light
from tests.support.small_language import EVALUATE, MEASURES, small_language, syllables

COARSE = Compact(
    pairs=2400,
    corrections=120,
    exceptions=120,
    pair_bits=Bits(2, 2),
    directions=2,
    light=Light(0, 2),
)
FINE = Compact(
    pair_bits=Bits(8, 8), directions=120, bits=Bits(8, 8), light=Light(24_000, 120, Bits(8, 8))
)


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    """A small language with rounds in which people pick the cards next to the clue."""
    layout = small_language(tmp_path)
    words = syllables(40)
    rounds = [{"session": str(at), "picks": words[at + 1 : at + 3]} for at in range(4)]
    items = [
        {
            "lang": "en",
            "board": str(at),
            "words": words[1:20],
            "blue": words[1:9],
            "clue": words[20 + at],
            "n": 2,
            "rounds": rounds,
        }
        for at in range(10)
    ]
    layout.rounds.mkdir(parents=True)
    lines = "".join(f"{json.dumps(item)}\n" for item in items)
    (layout.rounds / "rounds.jsonl").write_text(lines, encoding="utf-8")
    return layout


def test_the_gain_is_the_difference_from_the_full_store(layout: Layout) -> None:
    make_compact(layout, COARSE, MEASURES, "squared")
    metrics = evaluate.make_report(layout, EVALUATE, MEASURES, lemmatize=False)
    stores = metrics["stores"]
    assert set(stores["compact"]) == set(MEASURES)
    assert set(stores["light"]) == {"squared"}
    for figures in stores["compact"].values():
        assert figures["bytes"] > 0
        assert 0 <= figures["precision"]["value"] <= 1
    for title, gold in metrics["gold"].items():
        for name in MEASURES:
            figure = stores["compact"][name]["gold"][title]
            full = gold[name]["spearman_all"]
            assert figure["value"] - figure["gain"] == pytest.approx(full, abs=2e-4)
    # Two directions are far too few.
    assert stores["light"]["squared"]["gold"]["main"]["gain"] < -0.02


def test_with_enough_bytes_nothing_is_lost_and_the_report_says_so(layout: Layout) -> None:
    make_compact(layout, FINE, MEASURES, "npmi")
    stores = evaluate.make_report(layout, EVALUATE, MEASURES, lemmatize=False)["stores"]
    for measures in stores.values():
        for figures in measures.values():
            assert abs(figures["gold"]["main"]["gain"]) < 0.01
            assert abs(figures["precision"]["gain"]) < 0.05
    report = layout.report_text.read_text(encoding="utf-8")
    assert "## Stores" in report
    assert "| light | npmi |" in report


def test_without_stores_and_rounds_there_is_nothing_to_compare(layout: Layout) -> None:
    assert evaluate.make_report(layout, EVALUATE, MEASURES, lemmatize=False)["stores"] == {}
    assert "## Stores" not in layout.report_text.read_text(encoding="utf-8")
    (layout.rounds / "rounds.jsonl").unlink()
    make_compact(layout, COARSE, MEASURES, "npmi")
    stores = evaluate.make_report(layout, EVALUATE, MEASURES, lemmatize=False)["stores"]
    assert stores["light"]["npmi"]["precision"] is None
