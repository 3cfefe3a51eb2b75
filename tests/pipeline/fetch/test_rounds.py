"""Recorded rounds are fetched where they are available, and skipped where they are not."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipeline.declarations import RecordedRounds
from pipeline.fetch.fetch import fetch_rounds
from pipeline.fetch.fetcher import Fetcher
from pipeline.fetched import read_recorded
from pipeline.layout import Layout
from pipeline.settings import Human
from tests.support.declared import files_below, plant, sha256
from wordkin.errors import InputError

ROUND = {
    "lang": "qq", "board": 0, "words": ["sun", "moon", "bread"], "blue": ["sun", "moon"],
    "clue": "sky", "n": 2,
    "rounds": [
        {"session": "a", "picks": ["sun", "moon"]}, {"session": "b", "picks": ["sun", "bread"]},
    ],
}  # fmt: skip
ROUNDS = json.dumps(ROUND).encode() + b"\n"


def human(**keys: str) -> Human:
    return Human(rounds={"qq": RecordedRounds(**keys)})


@pytest.mark.parametrize(
    "keys", [{"location": "mine.jsonl"}, {"mirror": "mine.jsonl"}, {"location": "*.jsonl"}]
)
def test_rounds_come_from_a_location_or_a_mirror(tmp_path: Path, keys: dict[str, str]) -> None:
    plant(tmp_path, {"mine.jsonl": ROUNDS})
    layout = Layout(tmp_path, "qq")
    metrics = fetch_rounds(
        layout, human(**keys, sha256=sha256(ROUNDS)), Fetcher(layout.root, tmp_path)
    )
    assert metrics == {"rounds": 2, "skipped": None}
    assert (layout.rounds / "rounds.jsonl").read_bytes() == ROUNDS
    assert json.loads((layout.rounds / "rounds.json").read_text()) == metrics
    (item,) = read_recorded(layout)
    assert item.clue == "sky" and len(item.rounds) == 2


def test_unavailable_rounds_are_skipped_with_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    layout = Layout(tmp_path, "qq")
    metrics = fetch_rounds(layout, human(mirror="mine.jsonl"), Fetcher(layout.root))
    assert metrics["rounds"] == 0 and "mirror folder only" in metrics["skipped"]
    assert capsys.readouterr().err == f"rounds of qq skipped: {metrics['skipped']}\n"
    assert files_below(layout.rounds) == ["rounds.json"]
    assert read_recorded(layout) == []


def test_a_language_without_declared_rounds_prints_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    metrics = fetch_rounds(Layout(tmp_path, "xx"), human(mirror="mine.jsonl"), Fetcher(tmp_path))
    assert metrics == {"rounds": 0, "skipped": "human.rounds in params.yaml names none"}
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("content", [b"{}\n", b"not json\n"])
def test_broken_rounds_are_refused_and_the_old_ones_kept(tmp_path: Path, content: bytes) -> None:
    plant(tmp_path, {"mine.jsonl": ROUNDS})
    layout = Layout(tmp_path, "qq")
    fetch_rounds(layout, human(location="mine.jsonl"), Fetcher(layout.root))
    plant(tmp_path, {"mine.jsonl": content})
    with pytest.raises(InputError, match=r"mine\.jsonl:1"):
        fetch_rounds(layout, human(location="mine.jsonl"), Fetcher(layout.root))
    assert len(read_recorded(layout)) == 1
