"""Earlier clues whose cards were not all found: they still count."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from wordkin.game.board import OURS
from wordkin.game.views import PastClue


class OpenClue(NamedTuple):
    """A clue, and how many of its cards were not found."""

    word: str
    left: int


def open_clues(clues: Sequence[PastClue], team: int) -> list[OpenClue]:
    """Return a team's clues of which cards are left to find, newest first.

    Parameters
    ----------
    clues : sequence of PastClue
        The clues of both teams, in order.
    team : int
        The team.

    Returns
    -------
    list of OpenClue
        Cards of ours that were turned over beyond the number of a clue are taken for cards of
        earlier clues. Clues for 0 cards and unlimited ones leave nothing to find.
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
