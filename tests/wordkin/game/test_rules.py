"""The settings of a game, and what is refused."""

from __future__ import annotations

import json
import math
from typing import Any

import pytest

from wordkin.errors import InputError
from wordkin.game.game import Game
from wordkin.game.rules import SOLITAIRE, Rules, parse_deal

WORDS = [f"w{at}" for at in range(400)]


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"teams": 0}, "A game of 0 teams is not possible"),
        ({"teams": 3}, "A game of 3 teams is not possible"),
        ({"teams": True}, "A game of True teams is not possible"),
        ({"begins": 2}, "no team 2 that could begin"),
        ({"begins": -1}, "no team -1 that could begin"),
        ({"teams": 1, "begins": 1}, "no team 1 that could begin"),
        ({"most_turns": 0}, "A game of 0 turns is not possible"),
        ({"most_turns": math.nan}, "A game of nan turns is not possible"),
        ({"deal": (9, 8, 7)}, "'9/8/7' is not a deal"),
        ({"deal": (9, 8, 7, -1)}, "'9/8/7/-1' is not a deal"),
        ({"deal": (9, 8, math.nan, 1)}, "'9/8/nan/1' is not a deal"),
        ({"deal": (0, 8, 7, 1)}, "needs cards of ours"),
        ({"deal": (9, 0, 7, 1)}, "needs cards of both teams"),
        ({"deal": (200, 200, 0, 1)}, "A board of 401 cards cannot be played: use 2 to 400"),
        ({"deal": (10**9, 1, 0, 0)}, "A board of 1000000001 cards cannot be played"),
        ({"teams": 1, "deal": (1, 0, 0, 0)}, "A board of 1 cards cannot be played"),
    ],
)
def test_wrong_settings_are_refused_in_a_sentence(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        Rules(**settings)


@pytest.mark.parametrize(
    "rules", [Rules(), SOLITAIRE, Rules(1, (3, 0, 1, 2), 0, 7), Rules(2, (4, 3, 2, 1), 1)]
)
def test_settings_survive_json(rules: Rules) -> None:
    assert Rules.from_dict(json.loads(json.dumps(rules.as_dict()))) == rules


@pytest.mark.parametrize("content", [{"team": 2}, {"deal": 9}, {"deal": ["9", 8, 7, 1]}])
def test_stored_settings_are_checked(content: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Rules.from_dict(content)


def test_the_team_that_begins_has_the_first_number_of_cards() -> None:
    assert len(Rules().deal_board(WORDS, 0).ours) == 9
    board = Rules(begins=1).deal_board(WORDS, 0)
    assert (len(board.ours), len(board.theirs)) == (8, 9)


@pytest.mark.parametrize("deal", [(1, 1, 0, 0), (200, 199, 0, 1), (1, 1, 398, 0)])
def test_boards_of_2_to_400_cards_are_dealt_and_played(deal: tuple[int, ...]) -> None:
    rules = Rules(deal=deal)
    game = Game(rules.deal_board(WORDS, 3), rules)
    game.give("clue", None)
    for word in game.board.ours:
        game.turn_over(word)
    assert game.winner == 0


def test_a_deal_is_read_as_people_write_it() -> None:
    assert parse_deal("9/8/7/1") == Rules.deal
    for text in ("9/8/x/1", "9,8,7,1", "-9/8/7/1", "9/8/7/1e9", f"{10**12}/1/1/1"):
        with pytest.raises(InputError, match=r"is not a deal: write it as 9/8/7/1"):
            parse_deal(text)
