"""The seats of a game, and the loop that lets whoever sits in them play.

Each team has a seat for a spymaster and one for a guesser. A seat takes a person or an agent:
anything that answers `give(view)` or `pick(view)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from wordkin.errors import NoClue
from wordkin.game.clue import Clue
from wordkin.game.game import CLUE, GIVE, GIVE_UP, STOP, TURN_OVER, Game, Move
from wordkin.game.views import CardPicker, ClueGiver


class Seats(NamedTuple):
    """Who plays for a team."""

    spymaster: ClueGiver
    guesser: CardPicker


class Left(Exception):
    """Whoever sits in a seat has left the game: their team gives up."""


def next_move(game: Game, seats: Seats) -> Move:
    """Ask whoever is to move for their move; the game stays as it is.

    Parameters
    ----------
    game : Game
        A game that is not over.
    seats : Seats
        The players of the moving team.

    Returns
    -------
    Move
        To give up if no clue is possible or the player has left.
    """
    try:
        if game.awaits == CLUE:
            clue = seats.spymaster.give(game.spymaster_view(game.moving))
            meant = tuple(card.word for card in clue.targets) if isinstance(clue, Clue) else ()
            return Move(GIVE, clue.word, clue.number, meant)
        card = seats.guesser.pick(game.guesser_view(game.moving))
    except (NoClue, Left):
        return Move(GIVE_UP, team=game.moving)
    return Move(STOP) if card is None else Move(TURN_OVER, card)


def play_game(
    game: Game, seats: Sequence[Seats], watch: Callable[[Game], None] | None = None
) -> Game:
    """Play a game to its end.

    Parameters
    ----------
    game : Game
        A game, from any state.
    seats : sequence of Seats
        The players of each team; one entry in solitaire.
    watch : callable, optional
        Is called with the game after each move.

    Returns
    -------
    Game
        The same game.

    Raises
    ------
    InputError
        If a player answers with a move that the rules do not allow.
    """
    while not game.end:
        game.play(next_move(game, seats[game.moving]))
        if watch:
            watch(game)
    return game
