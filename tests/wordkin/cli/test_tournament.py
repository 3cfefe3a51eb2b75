"""`wordkin tournament`: which boards it deals, what it prints and what it writes."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tests.support.bundles import TOPICS
from wordkin.bundle import load
from wordkin.cli import main
from wordkin.game.board import board_words
from wordkin.game.board_view import resolve_cards
from wordkin.game.tournament import SOLITAIRE, TEAMS, Plan, Result, deal_boards

WORDS = sorted({word for line in TOPICS.values() for word in line.split()})


@pytest.fixture
def words(tmp_path: Path) -> str:
    (tmp_path / "words.txt").write_text("\n".join(WORDS))
    return str(tmp_path / "words.txt")


@pytest.fixture
def plans(monkeypatch: pytest.MonkeyPatch) -> list[Plan]:
    """The plans of tournaments, none of which is played."""
    plans: list[Plan] = []

    def record(bundle: Path, plan: Plan, processes: int | None) -> list[Result]:
        plans.append(plan)
        return [Result(0, "s", "g", None, True, True, "won", 4, 8, 1, 2, 0, 4, 8)]

    monkeypatch.setattr("wordkin.game.tournament.run", record)
    return plans


def test_the_options_decide_the_boards(bundle: str, words: str, plans: list[Plan]) -> None:
    for options in ([], ["--words", words, "--seed", "5"], ["--rules", "teams"]):
        assert main(["tournament", "--bundle", bundle, "--boards", "2", *options]) == 0
    known = [card.word for card in resolve_cards(load(bundle), board_words("en"))]
    assert set(known) >= set(board_words("en")) & set(WORDS)
    assert [(p.rules, p.seed) for p in plans] == [(SOLITAIRE, 0), (SOLITAIRE, 5), (TEAMS, 0)]
    assert [p.boards for p in plans] == [
        deal_boards(known, 2, 0, SOLITAIRE),
        deal_boards(WORDS, 2, 5, SOLITAIRE),
        deal_boards(known, 2, 0, TEAMS),
    ]


def test_the_agents_of_the_papers_play_on_request(
    bundle: str, words: str, plans: list[Plan]
) -> None:
    arguments = ["tournament", "--bundle", bundle, "--words", words, "--boards", "1", "--papers"]
    assert main(arguments) == 0
    assert main([*arguments, "--spymasters", "npmi", "--guessers", "npmi graph"]) == 0
    ours, papers = plans[0].spymasters[0], plans[0].spymasters[1:]
    assert str(ours).startswith(f"{load(bundle).default}/")
    assert {player.style for player in papers} >= {"kim", "koyyalagunta", "expected"}
    assert str(plans[1].spymasters[0]) == "npmi/worth"
    assert len(plans[1].spymasters) == len(set(plans[1].spymasters))
    assert [player.measure for player in plans[1].guessers[:2]] == ["npmi", "graph"]


@pytest.mark.slow
def test_the_standings_are_printed_and_written(
    bundle: str, words: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments = [
        "tournament", "--bundle", bundle, "--words", words,
        "--spymasters", "graph", "--guessers", "graph npmi", "--boards", "2",
        "--processes", "1", "--games", str(tmp_path / "games.csv"),
    ]  # fmt: skip
    assert main(arguments) == 0
    shown = capsys.readouterr().out
    assert "In brackets, 95 % intervals" in shown
    assert "graph/worth" in shown
    assert "npmi/closest" in shown
    assert len((tmp_path / "games.csv").read_text(encoding="utf-8").splitlines()) == 1 + 2 * 2
    assert main([*arguments, "--json"]) == 0
    (first, _) = json.loads(capsys.readouterr().out)
    assert (first["spymaster"], first["games"]) == ("graph/worth", 2)
    assert np.isfinite(first["wins"]).all()
