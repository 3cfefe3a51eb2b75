"""The stage `agents`: spymasters judged, a tournament and clues, with rounds and without."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import wordkin
from pipeline.fetching.recorded_rounds import read_recorded
from pipeline.judging import agents, evaluate
from pipeline.layout import Layout
from pipeline.publishing import publish
from pipeline.settings import Publish
from tests.pipeline.judging.test_evaluate import MEASURES, small_language
from tests.pipeline.judging.test_evaluate import SETTINGS as EVALUATE
from tests.support.games import SETTINGS, play, with_board_words

PUBLISHED = Publish(measures=["npmi", "fasttext"], default="npmi")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Layout, dict]:
    """A language with rounds after its stages human and agents."""
    layout = small_language(tmp_path_factory.mktemp("agents"))
    return layout, play(layout)


def found(layout: Layout) -> dict:
    return json.loads(layout.agents.read_text(encoding="utf-8"))


def configuration(entry: dict) -> tuple[str, str, int]:
    return entry["measure"], entry["scoring"], entry["number"]


def test_every_measure_plays_with_every_other(played: tuple[Layout, dict]) -> None:
    layout, metrics = played
    assert metrics["games"] == 4 * 4 * 2
    pairs = {(s["spymaster"], s["guesser"]) for s in found(layout)["standings"]}
    assert ("human/harmonic", "npmi/closest") in pairs and len(pairs) == 16
    assert "games" in agents.describe(metrics)


def test_the_tables_are_the_paper_s(played: tuple[Layout, dict]) -> None:
    tables = found(played[0])["tables"]
    assert len(tables) == 4 * 4 * 2
    for entry in tables:
        assert entry["boards"] == 12
        for key in ("all", "targets"):
            value, low, high = entry[key]
            assert 0 <= low <= value <= high <= 1
        assert entry["targets"][0] <= entry["all"][0]


def test_the_panel_is_the_guesser_that_agrees_best(played: tuple[Layout, dict]) -> None:
    layout = played[0]
    agreed = json.loads(layout.metrics("human").read_text())["agreement"]
    best = max(agreed, key=lambda name: agreed[name]["all"]["likelihood"]["value"])
    assert found(layout)["judge"]["measure"] == best


def test_clues_are_shown_with_reasons(played: tuple[Layout, dict]) -> None:
    of_all = found(played[0])["clues"]
    of_tables = [configuration(entry) for entry in found(played[0])["tables"]]
    assert [configuration(shown) for shown in of_all] == of_tables
    for shown in of_all:
        assert (len(shown["samples"]), len(shown["wrong"])) == (10, 5)
        assert all(clue["number"] <= shown["number"] for clue in shown["samples"])
        if shown["measure"] == "fasttext":
            assert shown["samples"][0]["targets"][0]["why"]
        shares = [clue["all"] for clue in shown["wrong"]]
        assert shares == sorted(shares)
        assert shares[0] <= min(clue["all"] for clue in shown["samples"])


def test_the_report_tells_it_all(played: tuple[Layout, dict]) -> None:
    layout = played[0]
    evaluate.make_report(layout, EVALUATE, layout.with_learned(MEASURES), lemmatize=False)
    text = (layout.eval / "report.md").read_text(encoding="utf-8")
    for title in (
        "Agreement with people's choices", "What people go by", "Spymasters judged", "Tournament",
        "Clues",
    ):  # fmt: skip
        assert f"## {title}\n" in text
    assert "human (boards left out)" in text and "other people" in text
    assert "beat" in text and "went wrong: " in text and "~." in text
    page = (layout.eval / "report.html").read_text(encoding="utf-8")
    assert "share of games won" in page
    assert page.count("<details>") == text.count("\n### ") == 4 * 4 * 2


def test_without_rounds_there_are_clues_and_games_still(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    layout = small_language(tmp_path)
    words = evaluate.open_measures(layout, ["npmi"])[0].vocabulary.words
    with_board_words(monkeypatch, words[:60])
    metrics = agents.make_agents(layout, SETTINGS, PUBLISHED)
    told = found(layout)
    assert (metrics["boards"], metrics["games"]) == (10, 2 * 2 * 2)
    assert (told["tables"], told["people"]) == ([], False)
    assert len({configuration(shown) for shown in told["clues"]}) == 2 * 4 * 2
    assert np.isfinite([s["wins"][0] for s in told["standings"]]).all()
    evaluate.make_report(layout, EVALUATE, ["npmi", "fasttext"], lemmatize=False)
    text = (layout.eval / "report.md").read_text(encoding="utf-8")
    assert "## Tournament" in text and "## Clues" in text
    assert "## Spymasters judged" not in text and "## What people go by" not in text


def test_boards_without_a_known_good_card_are_left_out(played: tuple[Layout, dict]) -> None:
    layout = played[0]
    good = read_recorded(layout)[0]
    strange = replace(good, board="strange", blue=("unheard",), words=("unheard", *good.words))
    publish.make_bundle(layout, PUBLISHED)
    bundle = wordkin.load(layout.bundle)
    assert list(agents.chosen_boards(bundle, [strange, good], [], SETTINGS)) == [good.board]


def test_a_language_without_board_words_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    layout = small_language(tmp_path, words=40)
    with_board_words(monkeypatch, [])
    metrics = agents.make_agents(layout, SETTINGS, PUBLISHED)
    assert (metrics["boards"], metrics["games"]) == (0, 0)
    assert agents.describe(metrics) == "no board words, so no games"
    assert not list(layout.matrices.glob("agents-*"))
