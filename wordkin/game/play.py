"""The seats of a game, and the loop that lets whoever sits in them play.

Each team has a seat for a spymaster and one for a guesser. A seat takes a person or an agent:
anything that answers `give(view)` or `pick(view)`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from wordkin.errors import InputError, NoClue
from wordkin.game.board import Board, board_words
from wordkin.game.clue import Clue
from wordkin.game.game import CLUE, GIVE, GIVE_UP, STOP, TURN_OVER, Game, Move
from wordkin.game.rules import SOLITAIRE, Rules
from wordkin.game.views import CardPicker, ClueGiver


class Seats(NamedTuple):
    """Who plays for a team."""

    spymaster: ClueGiver
    guesser: CardPicker


def play(
    spymaster: ClueGiver,
    guesser: CardPicker,
    board: Board | None = None,
    *,
    opponents: tuple[ClueGiver, CardPicker] | None = None,
    rules: Rules | None = None,
    language: str = "en",
    seed: int = 0,
    watch: Callable[[Game], None] | None = None,
) -> Game:
    """Let players play a whole game.

    Parameters
    ----------
    spymaster : ClueGiver
        Anything with a method `give(view)` that returns a word and a number, such as a `Spymaster`;
        see `wordkin.game.views`.
    guesser : CardPicker
        Anything with a method `pick(view)` that returns a card, or None to stop, such as a
        `Guesser`.
    board : Board, optional
        The cards, as the team of these two sees them; dealt by the rules from the board words of
        the language if not given.
    opponents : tuple of ClueGiver and CardPicker, optional
        The other team. Without one, the team plays alone.
    rules : Rules, optional
        The settings; by default those of two teams, or of the competition's solitaire.
    language : str
        The language of the words.
    seed : int
        Which board to deal.
    watch : callable, optional
        Is called with the game after each move.

    Returns
    -------
    Game
        The game at its end, with `winner`, `turns` and `statistics`.

    Raises
    ------
    InputError
        If a player answers with a move that the rules do not allow.

    Examples
    --------
    >>> bundle = wordkin.load("en")
    >>> game = wordkin.play(wordkin.Spymaster(bundle), wordkin.Guesser(bundle))
    >>> game.end
    'won'
    """
    rules = rules or (Rules() if opponents else SOLITAIRE)
    board = board or rules.deal_board(board_words(language), seed)
    seats = [Seats(spymaster, guesser), *([Seats(*opponents)] if opponents else [])]
    if len(seats) != rules.teams:
        raise InputError(f"The rules are for {rules.teams} teams: name as many.")
    return play_game(Game(board, rules, language), seats, watch)


class Left(Exception):
    """Whoever sits in a seat has left the game: their team gives up."""


def next_move(game: Game, seats: Seats) -> Move:
    """Ask the players of the moving team for their move; the game stays as it is.

    It is to give up if no clue is possible or the player has left.
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
    """Play a game to its end, from any state, and return it.

    Parameters
    ----------
    game : Game
        The game.
    seats : sequence of Seats
        The players of each team; one entry in solitaire.
    watch : callable, optional
        Is called with the game after each move.

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
