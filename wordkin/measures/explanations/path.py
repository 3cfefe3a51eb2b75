"""graph: the shortest path between two words, edge by edge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wordkin.arrays import Ids
from wordkin.measures.explanations.explanation import Explanation
from wordkin.measures.explanations.meetings import Meetings, npmi_for

if TYPE_CHECKING:
    from wordkin.measures.measure import Measure


@dataclass(frozen=True)
class Edge:
    """Two neighbouring words of a path: their npmi, and how often they met."""

    a: str
    b: str
    npmi: float
    count: float | None


@dataclass(frozen=True)
class Path(Explanation):
    """The edges of the shortest path; none when there is no path.

    `complete` is False when npmi stores only near words: there may be a path beyond them.
    """

    edges: tuple[Edge, ...]
    complete: bool = True

    def wording(self, texts: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        if not self.edges:
            return "no_path" if self.complete else "path_unknown", {}
        return "path", {"path": self.a + "".join(_step(edge, texts) for edge in self.edges)}


def _step(edge: Edge, texts: Mapping[str, str]) -> str:
    key = "step" if edge.count is None else "step_counted"
    return texts[key].format(npmi=edge.npmi, count=edge.count, word=edge.b)


def explain(measure: Measure, a: int, b: int, measures: Mapping[str, Measure]) -> Path:
    """Explain graph by the path that it measures.

    The relatedness is that of the path, also where the measure itself only approximates it.
    """
    npmi, words = npmi_for(measure.name, measures), measure.vocabulary.words
    # Where npmi is stored in few bits, each word that a search comes to has to be decoded.
    path = [] if npmi.complete else short_path(npmi, a, b)
    edges = path_edges(npmi, path or shortest_path(npmi, a, b))
    if edges:
        value = 1.0 - sum(1.0 - edge.npmi for edge in edges)
    else:
        value = float(measure.pairs([a], [b])[0])
    return Path(measure.name, words[a], words[b], value, edges, npmi.complete)


def path_edges(npmi: Measure, path: Sequence[int]) -> tuple[Edge, ...]:
    """The edges along the words of a path."""
    meetings, words = Meetings(npmi), npmi.vocabulary.words
    return tuple(
        Edge(words[a], words[b], float(npmi.pairs([a], [b])[0]), meetings.of(a, b).times)
        for a, b in pairwise(path)
    )


def short_path(npmi: Measure, start: int, end: int) -> list[int]:
    """The words of the shortest path of one or two edges; empty when there is none."""
    ids, values = npmi.neighbours(start)
    others, other_values = npmi.neighbours(end)
    middles, at, other_at = np.intersect1d(ids, others, assume_unique=True, return_indices=True)
    sums = values[at] + other_values[other_at] - 1
    direct = values[ids == end]
    best = int(sums.argmax()) if len(sums) else -1
    if len(direct) and (best < 0 or direct[0] >= sums[best]):
        return [start, end]
    return [start, int(middles[best]), end] if best >= 0 else []


def shortest_path(npmi: Measure, start: int, end: int) -> list[int]:
    """The words of the shortest path over edges of weight 1 - npmi; empty when there is none.

    This is Dijkstra's search from both ends at once. Each step settles the nearest unsettled word
    of either end. The search is over when the two nearest unsettled words are together at least as
    far away as the shortest path so far is long.
    """
    if start == end:
        return [start]
    searches = (_Search(npmi, start), _Search(npmi, end))
    shortest, meeting = np.inf, -1
    while searches[0].nearest() + searches[1].nearest() < shortest:
        search, other = sorted(searches, key=_Search.nearest)
        reached = search.settle()
        lengths = search.distances[reached] + other.distances[reached]
        if len(lengths) and lengths.min() < shortest:
            shortest, meeting = float(lengths.min()), int(reached[lengths.argmin()])
    if meeting < 0:
        return []
    to_start, to_end = (search.way_back(meeting) for search in searches)
    return to_start[::-1] + to_end[1:]


class _Search:
    """A search from one word: the distances known so far, and the word before each word."""

    def __init__(self, npmi: Measure, start: int) -> None:
        words = len(npmi.vocabulary)
        self.npmi, self.start = npmi, start
        self.distances: NDArray[np.float64] = np.full(words, np.inf)
        self.unsettled: NDArray[np.float64] = np.full(words, np.inf)
        self.previous = np.full(words, -1)
        self.distances[start] = self.unsettled[start] = 0.0

    def nearest(self) -> float:
        """The distance of the nearest unsettled word."""
        return float(self.unsettled.min())

    def settle(self) -> Ids:
        """Settle the nearest word; returns the words that it brings nearer."""
        word = int(self.unsettled.argmin())
        self.unsettled[word] = np.inf
        neighbours, values = self.npmi.neighbours(word)
        # A damaged npmi may exceed 1; with an edge of negative weight the search would not end.
        distances = self.distances[word] + np.maximum(1.0 - values.astype(np.float64), 0.0)
        nearer = distances < self.distances[neighbours]
        reached = neighbours[nearer]
        self.distances[reached] = self.unsettled[reached] = distances[nearer]
        self.previous[reached] = word
        return reached

    def way_back(self, word: int) -> list[int]:
        """The words from `word` back to the start."""
        way = [word]
        while way[-1] != self.start:
            way.append(int(self.previous[way[-1]]))
        return way
