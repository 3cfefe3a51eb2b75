"""The settings of a game: how many teams, which cards, who begins, and how long it may last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from wordkin.errors import InputError
from wordkin.game.board import COLOURS, DEAL, SOLITAIRE_DEAL, Board

LEAST_CARDS, MOST_CARDS = 2, 400
"""The sizes of board that can be played."""

MOST_TURNS = 25
"""The number of turns in the competition's solitaire; a lost game counts as many."""


@dataclass(frozen=True)
class Rules:
    """The settings of a game.

    Parameters
    ----------
    teams : int
        2, or 1 for solitaire: the other team does not move, and its cards are only in the way.
    deal : tuple of int
        The number of cards of the team that begins, of the other team, neutral cards and
        assassins. It is what `deal_board` deals; any other board can be played as well.
    begins : int
        The team that gives the first clue: 0 or 1.
    most_turns : int or None
        The number of turns of each team after which the game is over; None for no limit.

    Raises
    ------
    InputError
        If a setting makes no sense.

    Examples
    --------
    >>> Rules().deal
    (9, 8, 7, 1)
    """

    teams: int = 2
    deal: tuple[int, ...] = tuple(DEAL[colour] for colour in COLOURS)
    begins: int = 0
    most_turns: int | None = None

    def __post_init__(self) -> None:
        if not is_whole(self.teams) or self.teams not in (1, 2):
            raise InputError(f"A game of {self.teams} teams is not possible: choose 1 or 2.")
        if not is_whole(self.begins) or self.begins not in range(self.teams):
            raise InputError(f"There is no team {self.begins} that could begin: say 0 or 1.")
        if self.most_turns is not None and not (is_whole(self.most_turns) and self.most_turns > 0):
            raise InputError(f"A game of {self.most_turns} turns is not possible: allow 1 or more.")
        if len(self.deal) != len(COLOURS) or not all(
            is_whole(count) and count >= 0 for count in self.deal
        ):
            raise InputError(
                f"'{deal_text(self.deal)}' is not a deal: give the number of cards of each kind, "
                f"such as {deal_text(Rules.deal)}."
            )
        check_cards(self.deal[0], self.deal[1], sum(self.deal), self.teams)

    def deal_board(self, words: Sequence[str], seed: int) -> Board:
        """Deal a board as team 0 sees it from a list of words; the same seed deals the same board.

        Raises
        ------
        NoBoardWords
            If the list has fewer words than the board has cards.
        """
        board = Board.deal(words, seed, dict(zip(COLOURS, self.deal, strict=True)))
        return board.for_opponent() if self.begins else board

    def as_dict(self) -> dict[str, Any]:
        """Return the settings as plain data, for JSON."""
        return {**asdict(self), "deal": list(self.deal)}

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Rules:
        """Return the settings from plain data, as `as_dict` makes it; refuse what is no setting."""
        unknown = sorted(set(content) - set(cls.__dataclass_fields__))
        if unknown:
            raise InputError(f"The rules of a game have no setting '{unknown[0]}'.")
        deal = content.get("deal", Rules.deal)
        if not isinstance(deal, list | tuple):
            raise InputError(f"'{deal}' is not a deal: give a list of four numbers.")
        return cls(**{**content, "deal": tuple(deal)})


def parse_deal(text: str) -> tuple[int, ...]:
    """Parse a deal as people write it.

    >>> parse_deal("9/8/7/1")
    (9, 8, 7, 1)
    """
    parts = text.split("/")
    if not all(part.isascii() and part.isdecimal() and len(part) < 10 for part in parts):
        raise InputError(f"'{text}' is not a deal: write it as {deal_text(Rules.deal)}.")
    return tuple(map(int, parts))


def deal_text(deal: Sequence[int]) -> str:
    """Return a deal as people write it."""
    return "/".join(map(str, deal))


def check_cards(ours: int, theirs: int, cards: int, teams: int) -> None:
    """Refuse a board that no game can be played on."""
    if not ours:
        raise InputError("A game needs cards of ours to find.")
    if teams == 2 and not theirs:
        raise InputError("A game of two teams needs cards of both teams to find.")
    if not LEAST_CARDS <= cards <= MOST_CARDS:
        raise InputError(
            f"A board of {cards} cards cannot be played: use {LEAST_CARDS} to {MOST_CARDS}."
        )


def is_whole(number: object) -> bool:
    """Whether a value is a whole number; True and False are none."""
    return isinstance(number, int) and not isinstance(number, bool)


SOLITAIRE = Rules(
    teams=1, deal=tuple(SOLITAIRE_DEAL[colour] for colour in COLOURS), most_turns=MOST_TURNS
)
"""Solitaire by the rules of the Codenames AI competition."""

RULES = {"solitaire": SOLITAIRE, "teams": Rules()}
"""The rules of tournaments by name."""
