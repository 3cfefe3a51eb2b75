"""What clues say about the cards: the chance that each card is ours, and whether to go on.

A clue for n cards means n of our cards. By the model of `wordkin.game.chances`, a card is one of
them with the chance that it is among the first n picks for the clue. Clues are read independently
of each other, and those of earlier turns count as long as cards of theirs are left to find. A clue
for 0 cards says that the cards related to it are not ours. Our cards that no clue points at may be
any of the others.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordkin.game.board import ASSASSIN, NEUTRAL, THEIRS
from wordkin.game.chances import among_first
from wordkin.game.views import GuesserView
from wordkin.game.worth import Stakes

Array = NDArray[np.float64]

CARE = 2.0
"""How many times as sharp clues are read as people pick cards: a spymaster chooses a clue so that
its cards stand out on this board."""

AVOIDED = 2
"""The number of cards that a clue for 0 cards is taken to warn of."""

UNLIMITED_NUMBER = 2
"""The number of cards that an unlimited clue is taken to be for: the usual one."""


class Hint(NamedTuple):
    """A clue as a guesser reads it.

    Attributes
    ----------
    weights : array, (cards,)
        The weight of each card that lies face down.
    number : int
        How many of its cards are left to find; 0 if the clue is about cards that are not ours.
    """

    weights: Array
    number: int


def ours_chances(hints: Sequence[Hint], cards: int, ours_left: int) -> Array:
    """The chance that each card is ours.

    Parameters
    ----------
    hints : sequence of Hint
        What the clues say.
    cards, ours_left : int
        The number of cards that lie face down, and how many of them are ours.
    """
    meant, avoided = np.zeros(cards), np.zeros(cards)
    read = _read(hints) if hints else ()
    for hint, chances in zip(hints, read, strict=True):
        if hint.number:
            meant = 1 - (1 - meant) * (1 - chances)
        else:
            avoided = 1 - (1 - avoided) * (1 - chances)
    meant *= 1 - avoided
    # Cards of ours that no clue points at are any of the cards that are neither meant nor avoided.
    others = (1 - meant) * (1 - avoided)
    rest = np.clip((ours_left - meant.sum()) / max(others.sum(), 1e-9), 0, 1)
    return meant + others * rest


def _read(hints: Sequence[Hint]) -> Array:
    """The chance of each card to be meant by each clue, or avoided by a clue for 0 cards."""
    weights = np.array([hint.weights for hint in hints]) ** CARE
    return among_first(weights, [hint.number or AVOIDED for hint in hints]).astype(np.float64)


def gain_of_pick(chance: float, view: GuesserView, risk: float = 1.0) -> float:
    """What it is worth to turn over a card that is ours with this chance, compared to stopping."""
    stakes = Stakes.of(view.ours_left, view.theirs_left, 1, view.teams, risk)
    bad = max(len(view.cards) - view.ours_left, 0)
    if not bad:
        return float(stakes.stop[1])
    theirs = min(view.theirs_left / bad, 1)
    assassins = not any(pick.colour == ASSASSIN for pick in view.turned)
    assassin = min(assassins / bad, 1 - theirs)
    shares = {THEIRS: theirs, ASSASSIN: assassin, NEUTRAL: 1 - theirs - assassin}
    loss = sum(share * float(stakes.bad[colour][0]) for colour, share in shares.items())
    return chance * float(stakes.stop[1]) + (1 - chance) * loss
