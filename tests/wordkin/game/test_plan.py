"""Plans of tournaments: boards, and plans that are refused."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tests.support.bundles import TOPICS
from wordkin.errors import InputError, NoBoardWords
from wordkin.game.agents import Player
from wordkin.game.board import ASSASSIN, NEUTRAL, OURS, THEIRS, Board
from wordkin.game.plan import SOLITAIRE, TEAMS, Plan, deal_boards

WORDS = sorted({word for line in TOPICS.values() for word in line.split()})
SPYMASTERS = (Player("graph", "harmonic"), Player("svd", "expected"))
GUESSERS = (Player("graph", "closest"), Player("npmi", "softmax"))


def test_the_competition_deals_8_of_25_cards_to_the_only_team() -> None:
    (board,) = deal_boards(WORDS, 1, 0, SOLITAIRE)
    assert Counter(board.colours) == {OURS: 8, THEIRS: 7, NEUTRAL: 9, ASSASSIN: 1}


def test_the_team_that_begins_has_more_cards() -> None:
    (board,) = deal_boards(WORDS, 1, 0, TEAMS)
    assert Counter(board.colours) == {OURS: 9, THEIRS: 8, NEUTRAL: 7, ASSASSIN: 1}


def test_the_seed_decides_the_boards() -> None:
    assert deal_boards(WORDS, 3, 5, SOLITAIRE) == deal_boards(WORDS, 3, 5, SOLITAIRE)
    assert deal_boards(WORDS, 3, 5, SOLITAIRE) != deal_boards(WORDS, 3, 6, SOLITAIRE)


def test_too_few_words_can_be_told_apart_from_other_mistakes() -> None:
    with pytest.raises(NoBoardWords, match="give a longer list"):
        deal_boards(WORDS[:24], 1, 0, SOLITAIRE)
    with pytest.raises(InputError, match="0 boards is not possible") as mistake:
        deal_boards(WORDS, 0, 0, SOLITAIRE)
    assert not isinstance(mistake.value, NoBoardWords)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"spymasters": ()}, "needs at least one spymaster"),
        ({"guessers": GUESSERS[:1] * 2}, "is named twice"),
        ({"rules": "poker"}, "no rules 'poker'"),
        (
            {"rules": TEAMS, "spymasters": SPYMASTERS[:1], "guessers": GUESSERS[:1]},
            "needs at least two",
        ),
    ],
)
def test_a_bad_plan_is_refused(change: dict[str, Any], sentence: str) -> None:
    good: dict[str, Any] = {
        "spymasters": SPYMASTERS,
        "guessers": GUESSERS,
        "boards": (Board.of(["piano"]),),
    }
    with pytest.raises(InputError, match=sentence):
        Plan(**{**good, **change})
