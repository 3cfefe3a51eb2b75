"""The model of a guesser: from relatedness to the chances of picks.

A guesser picks each card with a chance in proportion to its weight exp(s / temperature) among the
cards still there, until a card is not ours or the number of the clue is reached (Plackett and
Luce's model of choices). The temperature makes the weights of all measures mean the same, see
`wordkin.measures.temperature`.

Two facts make the chances of a whole turn cheap. Let every card ring after a random time that is
exponential with its weight as the rate; the cards then ring in the order of the picks. So

- which bad card is the first does not depend on how many of our cards came before it, and
- given the time t of the first bad card, whether a card of ours came before it does not depend on
  the others: its chance is 1 - exp(-w t).

With B the weight of all bad cards and u = exp(-B t), which is uniform between 0 and 1, the chance
of k of our cards before the first bad one is the integral over u of a Poisson binomial
distribution with the chances 1 - u^(w / B). `found_chances` integrates it by Gauss and Legendre's
rule. The work grows with the number of cards; the tree of all sets of cards grows exponentially.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from wordkin.arrays import Floats

NODES = 16
"""The points at which the integrand is evaluated; the error of a chance is below 0.0005."""

_TINY = np.finfo(np.float32).tiny

Number = TypeVar("Number", np.float32, np.float64)


def _nodes(count: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The logarithms of the points between 0 and 1, and their weights.

    The substitution u = x² (3 - 2 x) moves points towards both ends, where the integrand is steep
    when the weights of cards differ much from that of the bad cards.
    """
    points, weights = np.polynomial.legendre.leggauss(count)
    x = (points + 1) / 2
    u = x * x * (3 - 2 * x)
    return np.log(u).astype(np.float32), (weights / 2 * 6 * x * (1 - x)).astype(np.float32)


_LOG_POINTS, _POINT_WEIGHTS = _nodes(NODES)


def pick_weights(relatedness: NDArray[Number], temperature: float) -> NDArray[Number]:
    """The weights of cards (cards, candidates); the closest card of each candidate has 1."""
    weights = relatedness - relatedness.max(axis=0)
    weights *= relatedness.dtype.type(1 / temperature)
    return np.exp(weights, out=weights)


def found_chances(ours: Floats, bad: Floats, most: int) -> Floats:
    """The chance that a guesser finds at least k of our cards before the first bad one.

    `ours` are the weights of our cards (cards, candidates), and `bad` is the weight of all other
    cards together. The result (most, candidates) has a row for each k from 1 to `most`.
    """
    candidates = ours.shape[1]
    rates = ours / np.maximum(bad, _TINY)
    # found[k] is the chance of exactly k cards, at each point; the last entry, of k or more.
    found = np.zeros((most + 1, NODES, candidates), dtype=np.float32)
    found[0] = 1.0
    for card, rate in enumerate(rates):
        before = -np.expm1(_LOG_POINTS[:, None] * np.minimum(rate, np.float32(1e6)))
        top = min(card + 1, most)
        for k in range(top, 0, -1):
            step = found[k - 1] * before
            if k < most:
                found[k] *= 1 - before
            found[k] += step
        found[0] *= 1 - before
    at_least = np.cumsum(found[:0:-1], axis=0)[::-1]
    # Added up point by point: the result of a candidate must not depend on the others.
    chances = np.zeros((most, candidates), dtype=np.float32)
    for point, weight in enumerate(_POINT_WEIGHTS):
        chances += weight * at_least[:, point]
    return np.minimum(chances, 1)


def among_first(weights: NDArray[np.floating], numbers: Sequence[int]) -> Floats:
    """The chance of each card to be among the first picks, for several clues at once.

    `weights` are those of the cards for each clue (clues, cards), and `numbers` the picks of each
    clue. A card is among the first unless as many other cards are picked before it, which is
    `found_chances` again. The chance is 1 where there are no more cards than picks.
    """
    clues, count = weights.shape
    chances = np.ones((clues, count), dtype=np.float32)
    asked = [clue for clue, number in enumerate(numbers) if number < count]
    if not asked:
        return chances
    values = weights[asked].astype(np.float32)
    rivals = values[:, _other_places(count)].transpose(2, 0, 1).reshape(count - 1, -1)
    beaten = found_chances(rivals, values.ravel(), max(numbers[clue] for clue in asked))
    beaten = beaten.reshape(-1, len(asked), count)
    for row, clue in enumerate(asked):
        chances[clue] = 1 - beaten[numbers[clue] - 1, row]
    return chances


@cache
def _other_places(count: int) -> NDArray[np.int64]:
    """For each card, the places of all other cards."""
    return np.array([[row for row in range(count) if row != card] for card in range(count)])
