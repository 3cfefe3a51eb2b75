"""The rules of the game: clues, cards turned over, how it ends, and the statistics.

`Referee` has the rules that hold for one team and for two. `Game` has those of solitaire: the other
team does not move, and its cards are only in the way. `wordkin.game.match` has those of two teams.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from wordkin.errors import InputError
from wordkin.game.board import ASSASSIN, COLOURS, OURS, THEIRS, Board
from wordkin.words import normal

MOST_TURNS = 25

WON, ASSASSIN_FOUND, THEIRS_FOUND, OUT_OF_TURNS, GIVEN_UP = (
    "won",
    "assassin",
    "theirs",
    "turns",
    "given up",
)


@dataclass
class Turn:
    """A turn: a clue and the cards that were turned over.

    Attributes
    ----------
    clue : str
        The clue.
    number : int
        The number that was said with it.
    meant : tuple of str
        The cards that the spymaster meant, if they are known.
    guessed : list of str
        The cards that were turned over, in order.
    """

    clue: str
    number: int
    meant: tuple[str, ...] = ()
    guessed: list[str] = field(default_factory=list)


class Referee(ABC):
    """The rules that hold for one team and for two: when a clue may be given and a turn may end.

    Words are compared in the form of `language`. Only those rules for clues are here that need no
    bundle; `wordkin.game.legality` has them all.

    Parameters
    ----------
    language : str
        The language code of the words.

    Attributes
    ----------
    revealed : list of str
        The cards that were turned over, in order.
    end : str or None
        How the game ended; None while it goes on.
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self.revealed: list[str] = []
        self.end: str | None = None
        self._open_turn: Turn | None = None

    @property
    @abstractmethod
    def table(self) -> Board:
        """The cards that still lie face down."""

    @property
    @abstractmethod
    def said(self) -> list[str]:
        """The clues so far: none may be repeated."""

    @property
    def guesses_left(self) -> int:
        """The number of cards that may still be turned over in this turn.

        A turn allows the number of its clue and one more.
        """
        if self._open_turn is None or self.end:
            return 0
        return self._open_turn.number + 1 - len(self._open_turn.guessed)

    def _begin(self, turn: Turn) -> None:
        """Open a turn if its clue may be given now."""
        if self.end:
            raise InputError("The game is over.")
        if self._open_turn:
            raise InputError("The turn has its clue already: end it before the next clue.")
        if turn.number < 1:
            raise InputError(f"A clue for {turn.number} cards is not possible: say 1 or more.")
        if self._is_among(turn.clue, self.said):
            raise InputError(f"'{turn.clue}' was said before: give another clue.")
        if self._is_among(turn.clue, self.table.words):
            raise InputError(f"'{turn.clue}' is a card on the table: give another clue.")
        self._open_turn = turn

    def _is_among(self, clue: str, words: Iterable[str]) -> bool:
        return normal(clue, self.language) in {normal(word, self.language) for word in words}

    def _reveal(self, word: str) -> str:
        """Turn a card over in the open turn if the rules allow it, and return its colour."""
        if self._open_turn is None or not self.guesses_left:
            raise InputError("No more cards may be turned over in this turn.")
        if word not in self.table.words:
            raise InputError(f"'{word}' is not a card that lies face down.")
        colour = self.table.colour(word)
        self.revealed.append(word)
        self._open_turn.guessed.append(word)
        return colour

    def _check_stop(self) -> None:
        """Refuse to end a turn that has not begun, or in which no card was turned over."""
        if self._open_turn is None:
            raise InputError("There is no turn to end: give a clue first.")
        if not self._open_turn.guessed:
            raise InputError("No card was turned over in this turn: turn over at least one card.")


class Game(Referee):
    """A solitaire game: one team turns over the cards of a board, turn by turn.

    Parameters
    ----------
    board : Board
        All cards; at least one must be ours.
    language : str
        The language code of the words.

    Attributes
    ----------
    board : Board
        As given.
    turns : list of Turn
        The turns so far.
    """

    def __init__(self, board: Board, language: str = "en") -> None:
        if not board.ours:
            raise InputError("A game needs cards of ours to find.")
        super().__init__(language)
        self.board = board
        self.turns: list[Turn] = []

    @property
    def table(self) -> Board:
        """The cards that still lie face down."""
        return self.board.without(self.revealed)

    @property
    def said(self) -> list[str]:
        """The clues so far: none may be repeated."""
        return [turn.clue for turn in self.turns]

    def give(self, clue: str, number: int, meant: tuple[str, ...] = ()) -> None:
        """Begin a turn with a clue.

        Parameters
        ----------
        clue : str
            The clue.
        number : int
            The number of cards that it stands for, at least 1.
        meant : tuple of str
            Those cards, for the statistics.

        Raises
        ------
        InputError
            If the clue may not be given now.
        """
        turn = Turn(clue, number, meant)
        self._begin(turn)
        self.turns.append(turn)

    def turn_over(self, word: str) -> str:
        """Turn a card over; a card that is not ours ends the turn.

        Parameters
        ----------
        word : str
            The word on the card.

        Returns
        -------
        str
            The card's colour.

        Raises
        ------
        InputError
            If the card may not be turned over now.
        """
        colour = self._reveal(word)
        if colour == ASSASSIN:
            self.end = ASSASSIN_FOUND
        elif not self.table.ours:
            self.end = WON
        elif colour == THEIRS and not self.table.theirs:
            self.end = THEIRS_FOUND
        if colour != OURS or not self.guesses_left:
            self._close_turn()
        return colour

    def stop(self) -> None:
        """End the turn; at least one card must have been turned over."""
        self._check_stop()
        self._close_turn()

    def give_up(self) -> None:
        """End the game before it is won or lost."""
        self._close_turn()
        self.end = self.end or GIVEN_UP

    def _close_turn(self) -> None:
        self._open_turn = None
        if self.end is None and len(self.turns) >= MOST_TURNS:
            self.end = OUT_OF_TURNS

    def statistics(self) -> dict[str, Any]:
        """Return the course of the game as plain data.

        Returns
        -------
        dict
            `end`, `turns`, `found` and `left` (our cards), `turned` (cards by colour), `meant` and
            `meant_found` (cards that the spymaster meant, and those found in their turn), `moves`.
        """
        colours = [self.board.colour(word) for word in self.revealed]
        return {
            "end": self.end,
            "turns": len(self.turns),
            "found": colours.count(OURS),
            "left": len(self.table.ours),
            "turned": {colour: colours.count(colour) for colour in COLOURS},
            "meant": sum(len(turn.meant) for turn in self.turns),
            "meant_found": sum(len(set(turn.meant) & set(turn.guessed)) for turn in self.turns),
            "moves": [
                {
                    "clue": turn.clue,
                    "number": turn.number,
                    "meant": list(turn.meant),
                    "guessed": [
                        {"word": word, "colour": self.board.colour(word)} for word in turn.guessed
                    ],
                }
                for turn in self.turns
            ],
        }
