"""What a player of the frameworks sees: places on a board, and moves that are reported or not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from wordkin.game.board import ASSASSIN, NEUTRAL, OURS, THEIRS
from wordkin.game.views import PastClue, Pick

TEAMS = ("Red", "Blue")

Move = Sequence[Any]
"""`["Red_Codemaster", clue, number]` or `["Red_Guesser", card, "*Blue*", goes on]`."""


class SeenBoard:
    """The places on a board: a word where a card lies face down, a colour where it does not.

    Attributes
    ----------
    words : list of str
        The word of each card, also where only its colour is left to see.
    places : list of str
        What each place showed last.
    """

    def __init__(self) -> None:
        self.words: list[str] = []
        self.places: list[str] = []

    def look(self, places: Sequence[str]) -> list[str]:
        """Look at the board again; return the words of the cards that were turned over since."""
        if len(places) != len(self.places):
            self.words, self.places = list(places), list(places)
        turned = []
        for at, (before, now) in enumerate(zip(self.places, places, strict=True)):
            if not is_revealed(now):
                self.words[at] = now
            elif not is_revealed(before):
                turned.append(self.words[at])
        self.places = list(places)
        return turned

    def turn_over(self, word: str, team: str) -> None:
        """Take note of a card of a team that was turned over."""
        self.places[self.words.index(word)] = f"*{team}*"

    @property
    def face_down(self) -> list[str]:
        """The words on the cards that lie face down."""
        return [place for place in self.places if not is_revealed(place)]

    def turned(self, team: str) -> tuple[Pick, ...]:
        """The cards that were turned over, as a team sees them."""
        cards = zip(self.words, self.places, strict=True)
        return tuple(
            Pick(word, colour_of(place, team)) for word, place in cards if is_revealed(place)
        )

    def colour(self, word: str, team: str) -> str:
        """The colour of a card that was turned over, as a team sees it."""
        return colour_of(self.places[self.words.index(word)], team)


def is_revealed(place: str) -> bool:
    """Whether a place on the board shows a colour instead of a word."""
    return place.startswith("*")


def colour_of(name: str, team: str) -> str:
    """Return a colour of the frameworks, such as `Blue` or `*Blue*`, as a team sees it."""
    name = str(name).strip("*").capitalize()
    if name in TEAMS:
        return OURS if name == team else THEIRS
    return ASSASSIN if name == "Assassin" else NEUTRAL


def reported_clues(history: Sequence[Move], team: str) -> list[PastClue]:
    """Return the clues that the two-team framework reports, as a team sees them."""
    clues: list[PastClue] = []
    for who, word, detail, *_ in history:
        name, _, role = str(who).partition("_")
        if role == "Codemaster":
            clues.append(PastClue(TEAMS.index(name), str(word), clue_number(detail)))
        elif clues:
            clues[-1] = with_pick(clues[-1], Pick(str(word), colour_of(detail, team)))
    return clues


def with_pick(clue: PastClue, pick: Pick) -> PastClue:
    """Return a clue after one more card was turned over for it."""
    return replace(clue, picks=(*clue.picks, pick))


def clue_number(number: Any) -> int | None:
    """Return the number of a clue; None (unlimited) for what is not a number from 0 up."""
    try:
        value = int(number)
    except (TypeError, ValueError, OverflowError):
        return None
    return value if value >= 0 else None
