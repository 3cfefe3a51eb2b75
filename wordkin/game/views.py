"""What the players of each seat see of a game, and how they answer.

A spymaster sees the colours of all cards, a guesser only those of the cards that were turned over.
Colours are always those of the viewing team: `ours`, `theirs`, `neutral` and `assassin`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from wordkin.game.board import OURS, Board


@dataclass(frozen=True)
class Pick:
    """A card that was turned over, with its colour as the viewing team sees it."""

    word: str
    colour: str


@dataclass(frozen=True)
class PastClue:
    """A clue that was given, and the cards that were turned over for it.

    Attributes
    ----------
    team : int
        The team that gave it: 0 or 1.
    word : str
        The clue.
    number : int or None
        The number that was said with it; None for unlimited.
    picks : tuple of Pick
        The cards that were turned over, in order.
    """

    team: int
    word: str
    number: int | None
    picks: tuple[Pick, ...] = ()


@dataclass(frozen=True)
class GuesserView:
    """What a guesser sees when it is to turn over a card.

    Attributes
    ----------
    team : int
        The guesser's team.
    cards : tuple of str
        The cards that lie face down, in the order of the table.
    turned : tuple of Pick
        The cards that were turned over, in order.
    clues : tuple of PastClue
        The clues of both teams, in order; while a turn is open, the last one is its clue.
    ours_left, theirs_left : int
        The number of cards of each team that lie face down, which all players know.
    picks_left : int or None
        The number of cards that may still be turned over in this turn; None if there is no limit.
    may_stop : bool
        Whether the guesser may end the turn now.
    teams : int
        The number of teams that move: 1 in solitaire.
    """

    team: int
    cards: tuple[str, ...]
    turned: tuple[Pick, ...]
    clues: tuple[PastClue, ...]
    ours_left: int
    theirs_left: int
    picks_left: int | None
    may_stop: bool
    teams: int = 2

    @property
    def clue(self) -> PastClue:
        """The last clue: the one to guess by."""
        return self.clues[-1]


@dataclass(frozen=True)
class SpymasterView:
    """What a spymaster sees when it is to give a clue.

    Attributes
    ----------
    team : int
        The spymaster's team.
    board : Board
        The cards that lie face down.
    clues : tuple of PastClue
        The clues of both teams, in order.
    ours_left, theirs_left : int
        The number of cards of each team that lie face down.
    teams : int
        The number of teams that move: 1 in solitaire.
    """

    team: int
    board: Board
    clues: tuple[PastClue, ...]
    ours_left: int
    theirs_left: int
    teams: int = 2

    @property
    def said(self) -> tuple[str, ...]:
        """The words of all clues so far; none may be repeated."""
        return tuple(clue.word for clue in self.clues)


class GivenClue(Protocol):
    """What a spymaster answers: a word and a number; None stands for unlimited."""

    @property
    def word(self) -> str: ...

    @property
    def number(self) -> int | None: ...


class ClueGiver(Protocol):
    """Whoever gives the clues of a team: a person or an agent."""

    def give(self, view: SpymasterView) -> GivenClue:
        """Return the next clue."""


class CardPicker(Protocol):
    """Whoever turns over the cards of a team: a person or an agent."""

    def pick(self, view: GuesserView) -> str | None:
        """Return the next card to turn over; None ends the turn."""


class OpenClue(NamedTuple):
    """A clue whose cards were not all found: it still counts."""

    word: str
    left: int


def open_clues(clues: Sequence[PastClue], team: int) -> list[OpenClue]:
    """Return a team's clues of which cards are left to find, newest first.

    Cards of ours that were turned over beyond the number of a clue are taken for cards of earlier
    clues. Clues for 0 cards and unlimited ones leave nothing to find.
    """
    waiting: list[OpenClue] = []
    for clue in clues:
        if clue.team != team:
            continue
        found = sum(pick.colour == OURS for pick in clue.picks)
        surplus = max(found - (clue.number or 0), 0)
        while surplus and waiting:
            last = waiting.pop()
            if last.left > surplus:
                waiting.append(last._replace(left=last.left - surplus))
            surplus -= min(last.left, surplus)
        if clue.number and found < clue.number:
            waiting.append(OpenClue(clue.word, clue.number - found))
    return waiting[::-1]
