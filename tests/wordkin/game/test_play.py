"""Seats: any players, one loop."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import pytest

import wordkin
from wordkin.errors import InputError, NoClue
from wordkin.game.board import Board, board_words
from wordkin.game.clue import Clue, RelatedCard
from wordkin.game.game import Game, Move
from wordkin.game.play import Left, Seats, next_move, play_game
from wordkin.game.rules import SOLITAIRE
from wordkin.game.views import GivenClue, GuesserView, SpymasterView

BOARD = Board.of(["piano", "mouse", "bread"], ["bison", "ship"], ["street"], ["tree"])


class Said(NamedTuple):
    """A clue of a person."""

    word: str
    number: int | None


@dataclass
class Script:
    """A player that answers as it was told, and keeps what it saw."""

    answers: list[GivenClue | str | Exception | None]
    views: list[SpymasterView | GuesserView] = field(default_factory=list)

    def _answer(self, view: SpymasterView | GuesserView) -> GivenClue | str | None:
        self.views.append(view)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def give(self, view: SpymasterView) -> GivenClue:
        answer = self._answer(view)
        assert answer is not None
        assert not isinstance(answer, str)
        return answer

    def pick(self, view: GuesserView) -> str | None:
        answer = self._answer(view)
        assert answer is None or isinstance(answer, str)
        return answer


def test_four_seats_play_a_game() -> None:
    first = Seats(Script([Said("music", 1), Said("rest", None)]), Script(["piano", None, "tree"]))
    second = Seats(Script([Said("animal", 0)]), Script(["bison", None]))
    states: list[tuple[int, str | None]] = []
    game = play_game(
        Game(BOARD), [first, second], lambda game: states.append((game.moving, game.awaits))
    )
    assert (game.end, game.winner) == ("assassin", 1)
    assert [turn.clue for turn in game.turns] == ["music", "animal", "rest"]
    assert [turn.guessed for turn in game.turns] == [["piano"], ["bison"], ["tree"]]
    assert states == [
        (0, "card"), (0, "card"), (1, "clue"),
        (1, "card"), (1, "card"), (0, "clue"),
        (0, "card"), (0, None),
    ]  # fmt: skip
    assert isinstance(first.spymaster, Script)
    assert [view.team for view in first.spymaster.views] == [0, 0]
    assert isinstance(second.guesser, Script)
    assert all(isinstance(view, GuesserView) and view.team == 1 for view in second.guesser.views)


def test_any_two_players_play_a_whole_game_alone_or_against_others() -> None:
    alone = wordkin.play(Script([Said("music", 3)]), Script(["piano", "mouse", "bread"]), BOARD)
    assert (alone.end, alone.winner, alone.rules) == ("won", 0, SOLITAIRE)
    others = (Script([Said("animal", 1)]), Script(["tree"]))
    game = wordkin.play(
        Script([Said("music", 1)]), Script(["piano", None]), BOARD, opponents=others
    )
    assert (game.end, game.winner, game.rules) == ("assassin", 0, wordkin.Rules())


def test_without_a_board_the_seed_deals_one() -> None:
    games = [
        wordkin.play(Script([NoClue("none")]), Script([]), language="hu", seed=seed)
        for seed in (1, 1, 2)
    ]
    assert games[0].board == games[1].board != games[2].board
    assert set(games[0].board.words) <= set(board_words("hu"))


def test_the_rules_of_two_teams_need_two() -> None:
    with pytest.raises(InputError, match="for 2 teams"):
        wordkin.play(Script([]), Script([]), BOARD, rules=wordkin.Rules())


def test_the_cards_that_an_agent_meant_are_recorded() -> None:
    clue = Clue("keyboard", 2, (RelatedCard("mouse", "ours", 0.8),), None, 0.0, 0.0)
    move = next_move(Game(BOARD), Seats(Script([clue]), Script([])))
    assert move == Move("give", "keyboard", 2, ("mouse",))


@pytest.mark.parametrize("reason", [NoClue("there is none"), Left()])
def test_a_team_whose_player_cannot_go_on_gives_up(reason: Exception) -> None:
    seats = [Seats(Script([reason]), Script([])), Seats(Script([]), Script([]))]
    game = play_game(Game(BOARD), seats)
    assert (game.end, game.winner) == ("given up", 1)


def test_a_guesser_may_leave_too() -> None:
    seats = [Seats(Script([Said("music", 1)]), Script([Left()]))]
    assert play_game(Game(BOARD, SOLITAIRE), seats).end == "given up"


def test_a_move_that_the_rules_do_not_allow_is_refused_and_the_game_is_kept() -> None:
    game = Game(BOARD, SOLITAIRE)
    seats = [Seats(Script([Said("music", 1)]), Script(["piano", "violin"]))]
    with pytest.raises(InputError, match="'violin' is not a card"):
        play_game(game, seats)
    assert (game.revealed, game.end) == (["piano"], None)
