"""The rules of the game: clues, cards turned over, how it ends, and the statistics.

`Game` has the solitaire rules: the other team does not move, and its cards only stand in the way.
`Match` has the rules for two teams.
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
    """A clue, the cards that the spymaster meant (where that is known) and those turned over."""

    clue: str
    number: int
    meant: tuple[str, ...] = ()
    guessed: list[str] = field(default_factory=list)


class Referee(ABC):
    """What holds for one team and for two: when a clue may be given and a turn may end.

    Words are compared as `language` spells them. Of the rules for clues only those are here that
    need no bundle; `wordkin.game.legality` has them all.
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self.revealed: list[str] = []
        self.end: str | None = None
        self._open: Turn | None = None

    @property
    @abstractmethod
    def table(self) -> Board:
        """The cards that still lie face down."""

    @property
    @abstractmethod
    def said(self) -> list[str]:
        """The clues so far: none may be said again."""

    @property
    def guesses_left(self) -> int:
        """How many more cards may be turned over in this turn: the number and one more."""
        if self._open is None or self.end:
            return 0
        return self._open.number + 1 - len(self._open.guessed)

    def _begin(self, turn: Turn) -> None:
        """Open a turn if its clue may be given now."""
        if self.end:
            raise InputError("The game is over.")
        if self._open:
            raise InputError("The turn has its clue already: end it before the next clue.")
        if turn.number < 1:
            raise InputError(f"A clue for {turn.number} cards makes no sense: say 1 or more.")
        if self._is_among(turn.clue, self.said):
            raise InputError(f"'{turn.clue}' was said before: give another clue.")
        if self._is_among(turn.clue, self.table.words):
            raise InputError(f"'{turn.clue}' is a card on the table: give another clue.")
        self._open = turn

    def _is_among(self, clue: str, words: Iterable[str]) -> bool:
        return normal(clue, self.language) in {normal(word, self.language) for word in words}

    def _check_stop(self) -> None:
        """Refuse the end of a turn that did not begin, or in which no card was turned over."""
        if self._open is None:
            raise InputError("There is no turn to end: give a clue first.")
        if not self._open.guessed:
            raise InputError("No card was turned over in this turn: turn over one card at least.")


class Game(Referee):
    """A board on which cards are turned over, turn by turn."""

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
        """The clues so far: none may be said again."""
        return [turn.clue for turn in self.turns]

    def give(self, clue: str, number: int, meant: tuple[str, ...] = ()) -> None:
        """Begin a turn with a clue."""
        turn = Turn(clue, number, meant)
        self._begin(turn)
        self.turns.append(turn)

    def turn_over(self, word: str) -> str:
        """Turn a card over and say its colour; one that is not ours ends the turn."""
        if not self.guesses_left:
            raise InputError("No more cards may be turned over in this turn.")
        if word not in self.table.words:
            raise InputError(f"'{word}' is not a card that lies face down.")
        colour = self.board.colour(word)
        self.revealed.append(word)
        self.turns[-1].guessed.append(word)
        if colour == ASSASSIN:
            self.end = ASSASSIN_FOUND
        elif not self.table.ours:
            self.end = WON
        elif colour == THEIRS and not self.table.theirs:
            self.end = THEIRS_FOUND
        if colour != OURS or not self.guesses_left:
            self._close()
        return colour

    def stop(self) -> None:
        """End the turn; a turn without a card turned over is not allowed."""
        self._check_stop()
        self._close()

    def give_up(self) -> None:
        """End the game without a winner."""
        self._close()
        self.end = self.end or GIVEN_UP

    def _close(self) -> None:
        self._open = None
        if self.end is None and len(self.turns) >= MOST_TURNS:
            self.end = OUT_OF_TURNS

    def statistics(self) -> dict[str, Any]:
        """How it went, as plain data."""
        colours = [self.board.colour(word) for word in self.revealed]
        meant = [turn for turn in self.turns if turn.meant]
        found = sum(len(set(turn.meant) & set(turn.guessed)) for turn in meant)
        return {
            "end": self.end,
            "turns": len(self.turns),
            "found": colours.count(OURS),
            "left": len(self.table.ours),
            "turned": {colour: colours.count(colour) for colour in COLOURS},
            "meant": sum(len(turn.meant) for turn in meant),
            "meant_found": found,
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


class Match(Referee):
    """Two teams that take turns on one board; team 0 sees it as it is given and begins."""

    def __init__(self, board: Board, language: str = "en") -> None:
        if not board.ours or not board.theirs:
            raise InputError("A match needs cards of both teams to find.")
        super().__init__(language)
        self.boards = (board, board.turned())
        self.turns: tuple[list[Turn], list[Turn]] = ([], [])
        self.moving = 0
        self.winner: int | None = None

    @property
    def table(self) -> Board:
        """The cards that still lie face down, as the moving team sees them."""
        return self.boards[self.moving].without(self.revealed)

    @property
    def said(self) -> list[str]:
        """The clues so far, of both teams: none may be said again."""
        return [turn.clue for turns in self.turns for turn in turns]

    def give(self, clue: str, number: int) -> None:
        """Begin the moving team's turn with a clue."""
        turn = Turn(clue, number)
        self._begin(turn)
        self.turns[self.moving].append(turn)

    def turn_over(self, word: str) -> str:
        """Turn a card over and say its colour as the moving team sees it.

        The assassin loses the match. The last card of a team wins it for that team, whoever turned
        it over. A card that is not the moving team's own ends its turn.
        """
        if not self.guesses_left:
            raise InputError("No more cards may be turned over in this turn.")
        if word not in self.table.words:
            raise InputError(f"'{word}' is not a card that lies face down.")
        colour = self.boards[self.moving].colour(word)
        self.revealed.append(word)
        self.turns[self.moving][-1].guessed.append(word)
        if colour == ASSASSIN:
            self._finish(1 - self.moving, ASSASSIN_FOUND)
        elif not self.table.ours:
            self._finish(self.moving, WON)
        elif not self.table.theirs:
            self._finish(1 - self.moving, THEIRS_FOUND)
        elif colour != OURS or not self.guesses_left:
            self.stop()
        return colour

    def stop(self) -> None:
        """End the turn; a turn without a card turned over is not allowed."""
        self._check_stop()
        self._open = None
        self.moving = 1 - self.moving

    def give_up(self) -> None:
        """The moving team has nothing to say and loses."""
        self._finish(1 - self.moving, GIVEN_UP)

    def _finish(self, winner: int, end: str) -> None:
        self.winner, self.end, self._open = winner, end, None
