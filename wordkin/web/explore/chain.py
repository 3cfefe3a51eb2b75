"""A chain of words from one word to another, for bundles that have no npmi to walk along.

A measure such as a blend relates every word to every other one, so the shortest path through all of
them would be one step long, and a search through all would take too long to type along. A chain
goes through the words around the two ends and between them, and a step costs the more, the less its
two words are related.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from wordkin.measures.measure import Measure

AROUND = 100
"""How many words around each end, and how many between them, a chain may lead through."""

STEP, POWER = 0.05, 4
"""What every step costs, and how quickly the cost grows as its two words are less related."""


def chain(measure: Measure, start: int, end: int) -> list[int]:
    """The words of the cheapest chain between two different words."""
    candidates = _candidates(measure, start, end)
    first, second = np.triu_indices(len(candidates), 1)
    relatedness = np.zeros((len(candidates), len(candidates)))
    relatedness[first, second] = measure.pairs(candidates[first], candidates[second])
    relatedness += relatedness.T
    return [int(candidates[at]) for at in cheapest(costs(relatedness))]


def _candidates(measure: Measure, start: int, end: int) -> NDArray[np.intp]:
    """The ids of the two ends, and then of the words around and between them."""
    rows = measure.rows([start, end])
    ids = [np.argsort(-values, kind="stable")[:AROUND] for values in (*rows, rows.min(axis=0))]
    others = np.setdiff1d(np.concatenate(ids), [start, end])
    return np.concatenate([[start, end], others])


def between(measure: Measure, start: int, end: int, count: int) -> list[int]:
    """The words that are most related to both of two words."""
    least = measure.rows([start, end]).min(axis=0)
    least[[start, end]] = -np.inf
    order = np.argsort(-least, kind="stable")[:count]
    return [int(word) for word in order if least[word] > 0]


def costs(relatedness: NDArray[np.floating]) -> NDArray[np.float64]:
    """The cost of each step: least for the most related pair, most for pairs that are not related.

    A high power makes several good steps cheaper than one bad one; the price of a step keeps the
    chain from wandering about among words that are all alike.
    """
    top = relatedness.max()
    close = np.clip(relatedness / top, 0.0, 1.0) if top > 0 else np.zeros_like(relatedness)
    return STEP + (1.0 - close) ** POWER


def cheapest(cost: NDArray[np.floating]) -> list[int]:
    """The cheapest way from place 0 to place 1 (Dijkstra's search on a full matrix)."""
    places = len(cost)
    total, before = np.full(places, np.inf), np.full(places, -1)
    waiting = np.ones(places, dtype=bool)
    total[0] = 0.0
    while waiting[1]:
        here = int(np.where(waiting, total, np.inf).argmin())
        waiting[here] = False
        cheaper = waiting & (total[here] + cost[here] < total)
        total[cheaper] = total[here] + cost[here][cheaper]
        before[cheaper] = here
    way = [1]
    while way[-1] != 0:
        way.append(int(before[way[-1]]))
    return way[::-1]
