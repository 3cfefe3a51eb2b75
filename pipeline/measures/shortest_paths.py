"""Exact shortest paths between all words of a graph.

Weights are whole multiples of 2^-22, so sums of them are exact: a shortest distance is one integer,
whatever the order in which paths are tried, and no thread can change a byte.

`all_pairs` works on the whole matrix of distances. The matrix starts with the edges. Each pass
tries, for each pair (a, b), every edge a-x followed by the best known path from x to b. Three facts
leave only some hundred of a word's thousands of edges to try:

* The shorter of a path's two outer edges is at most half as long as the path. So it is enough to
  try, from each end, the edges below half of the best known distance: every shorter path is found
  from one end or the other.
* A path from x to b that did not change in the last pass was already tried then. So an edge can
  only help if it is shorter than the best known distance from a to b minus the shortest distance
  to b that is new.
* The edges of a word are sorted by weight, so both facts say where to stop.

A pass that changes nothing is the last one. `from_words` finds the same distances from some words
only. It extends all paths from these words by one edge per pass. Only the second and third fact
help there, because the paths between other words are not known.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise

import numba
import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from tqdm import tqdm

from pipeline.measures.sparse import LANES, ROWS, Ints, Longs, Sparse

UNIT = 1 << 22
"""The weight 1 in the units of weights and distances."""

FAR = np.int32(1 << 30)
"""The distance when no path is known. A path of weight 256 or more counts as none; no real
vocabulary has one."""

PANEL = 256
"""Columns of the distance matrix in one panel. The panel of 15,000 words fits a last-level cache,
and its rows of 1 KiB are long enough for vector instructions."""

SOURCES = 128
"""Words that `from_words` starts from at the same time. The distances from 128 words to 50,000 take
26 MB, which fits a last-level cache."""

STRIDE = 16
"""Edges that are tried before checking again whether longer ones can help."""


@dataclass(frozen=True)
class Edges:
    """The edges of each word, shortest first, with weights in units of 1/UNIT.

    Words that can reach each other have the same number in `component`.
    """

    indptr: Longs
    ends: Ints
    weights: Ints
    component: Ints

    @property
    def words(self) -> int:
        return len(self.indptr) - 1


def edges_of(npmi: Sparse) -> Edges:
    """The edges of the graph: one wherever npmi is positive, of weight 1 - npmi."""
    matrix = csr_array((npmi.values, npmi.indices, npmi.indptr), (npmi.words, npmi.words))
    _, component = connected_components(matrix, directed=False)
    return Edges(npmi.indptr, *_shortest_first(npmi), component)


def all_pairs(edges: Edges) -> tuple[Ints, int]:
    """The shortest distances of all pairs, and the passes that it took to find and confirm them.

    Words of different components have the distance 0: no path is shorter, so none is tried.
    """
    arrays = (edges.indptr, edges.ends, edges.weights)
    distances = _edge_distances(*arrays, edges.component)
    # The shortest distance to each word that is new in this pass, and in the last one.
    new = _shortest_edges(edges)
    passes = 0
    while new.min(initial=FAR) < FAR:
        last, new = new, np.full(edges.words, FAR, np.int32)
        panels = range(0, edges.words, PANEL)
        for left in tqdm(panels, f"graph, pass {passes + 1}", leave=False, disable=None):
            panel = distances[:, left : left + PANEL].copy()
            new_to = np.minimum(last, new)[left : left + PANEL]
            threads = numba.get_num_threads()
            columns = _shorten_panel(*arrays, distances, panel, left, new_to, new, threads)
            np.minimum(new[left : left + PANEL], columns, out=new[left : left + PANEL])
            _mirror_panel(distances, left, panel.shape[1])
        passes += 1
    return distances, passes


def from_words(edges: Edges, sources: Longs) -> tuple[Ints, int]:
    """The shortest distances from each of `sources`, and the largest number of passes of any.

    As in `all_pairs`, words of different components have the distance 0.
    """
    arrays = (edges.indptr, edges.ends, edges.weights)
    rows = np.empty((len(sources), edges.words), np.int32)
    most_passes = 0
    for first in range(0, len(sources), SOURCES):
        some_sources = sources[first : first + SOURCES]
        columns = _edge_columns(*arrays, edges.component, some_sources)
        # A path of one edge is as long as the edge, so the shortest of them is new.
        new = _shortest_edges(edges)[some_sources]
        passes = 0
        while new.min(initial=FAR) < FAR:
            new = _extend_paths(*arrays, columns.copy(), columns, new)
            passes += 1
        rows[first : first + SOURCES] = columns.T
        most_passes = max(most_passes, passes)
    return rows, most_passes


def _shortest_edges(edges: Edges) -> Ints:
    """The weight of the shortest edge of each word; FAR for a word without edges."""
    shortest = np.full(edges.words, FAR, np.int32)
    has_edges = edges.indptr[:-1] < edges.indptr[1:]
    shortest[has_edges] = edges.weights[edges.indptr[:-1][has_edges]]
    return shortest


def count_beaten_edges(edges: Edges, words: Longs, rows: Ints) -> int:
    """The number of edges of some words that are longer than the shortest path.

    `rows` has the shortest distances from these words to all.
    """
    return int(_count_beaten(edges.indptr, edges.ends, edges.weights, words, rows))


def _shortest_first(npmi: Sparse) -> tuple[Ints, Ints]:
    """The ends and weights of each word's edges, by ascending weight, then by end."""
    ends = np.empty(len(npmi.indices), np.int32)
    weights = np.empty(len(npmi.indices), np.int32)

    def sort_rows(start: int) -> None:
        bounds = npmi.indptr[start : start + ROWS + 1]
        rows = slice(bounds[0], bounds[-1])
        keys = np.rint((1.0 - npmi.values[rows].astype(np.float64)) * UNIT).astype(np.int64)
        keys = keys << 32 | npmi.indices[rows]
        for first, last in pairwise((bounds - bounds[0]).tolist()):
            keys[first:last].sort()
        weights[rows], ends[rows] = keys >> 32, keys & 0xFFFFFFFF

    with ThreadPoolExecutor(numba.get_num_threads()) as pool:
        list(pool.map(sort_rows, range(0, npmi.words, ROWS)))
    return ends, weights


@numba.njit(parallel=True, cache=True)
def _edge_distances(indptr: Longs, ends: Ints, weights: Ints, component: Ints) -> Ints:
    """The distances before the first pass: only the edges."""
    words = len(component)
    distances = np.empty((words, words), np.int32)
    for word in numba.prange(words):
        _fill_with_edges(indptr, ends, weights, component, word, distances[word])
    return distances


@numba.njit(cache=True)
def _fill_with_edges(
    indptr: Longs, ends: Ints, weights: Ints, component: Ints, word: int, row: Ints
) -> None:
    """The distances from a word along single edges."""
    for other in range(len(row)):
        row[other] = FAR if component[other] == component[word] else 0
    row[word] = 0
    for at in range(indptr[word], indptr[word + 1]):
        row[ends[at]] = weights[at]


@numba.njit(parallel=True, cache=True)
def _shorten_panel(
    indptr: Longs, ends: Ints, weights: Ints,
    distances: Ints, panel: Ints, left: int, new_to: Ints, new: Ints, threads: int,
) -> Ints:  # fmt: skip
    """Shorten the distances from every word to the words of a panel of columns.

    `panel` holds the columns as they were and is only read. `new_to` has the shortest distance to
    each column that is new since the last pass. The shortest distance from each word that becomes
    new here is noted in `new`; those to each column are returned.
    """
    words, width = panel.shape
    right = left + width
    columns = np.full((threads, width), FAR, np.int32)
    for thread in numba.prange(threads):
        for word in range(thread, words, threads):
            best = distances[word, left:right]
            at, last = indptr[word], indptr[word + 1]
            limit = _weight_limit(best, new_to)
            while at < last and weights[at] < limit:
                stop = min(at + STRIDE, last)
                while at + 4 <= stop:
                    _try_four_edges(best, panel, ends, weights, at)
                    at += 4
                while at < stop:
                    _try_edge(best, panel[ends[at]], weights[at])
                    at += 1
                limit = _weight_limit(best, new_to)
            shortest = _note_shortened(best, panel[word], columns[thread])
            new[word] = min(new[word], shortest)
    for thread in range(1, threads):
        for column in range(width):
            columns[0, column] = min(columns[0, column], columns[thread, column])
    return columns[0]


@numba.njit(cache=True)
def _weight_limit(best: Ints, new_to: Ints) -> np.int32:
    """Edges of this weight or more cannot shorten any distance."""
    limit = np.int32(0)
    for column in range(len(best)):
        half = np.int32((best[column] + 1) >> 1)
        gain = np.int32(best[column] - new_to[column])
        least = gain if gain < half else half
        limit = least if least > limit else limit
    return limit


@numba.njit(cache=True)
def _try_edge(best: Ints, onward: Ints, weight: np.int32) -> None:
    """Shorten the distances by going along an edge first, then as far as `onward` says."""
    for column in range(len(best)):
        length = np.int32(onward[column] + weight)
        best[column] = length if length < best[column] else best[column]


@numba.njit(cache=True)
def _try_four_edges(best: Ints, panel: Ints, ends: Ints, weights: Ints, at: int) -> None:
    """Try four edges at once, so that their rows of the panel are fetched in parallel."""
    width = len(best)
    onward0, onward1 = panel[ends[at]][:width], panel[ends[at + 1]][:width]
    onward2, onward3 = panel[ends[at + 2]][:width], panel[ends[at + 3]][:width]
    weight0, weight1, weight2, weight3 = weights[at : at + 4]
    for column in range(width):
        a = np.int32(onward0[column] + weight0)
        b = np.int32(onward1[column] + weight1)
        c = np.int32(onward2[column] + weight2)
        d = np.int32(onward3[column] + weight3)
        a = b if b < a else a
        c = d if d < c else c
        a = c if c < a else a
        best[column] = a if a < best[column] else best[column]


@numba.njit(cache=True)
def _note_shortened(best: Ints, before: Ints, columns: Ints) -> np.int32:
    """Note in `columns` the distances that got shorter, and return the shortest of them."""
    shortest = FAR
    for column in range(len(best)):
        fresh = best[column] if best[column] < before[column] else FAR
        columns[column] = fresh if fresh < columns[column] else columns[column]
        shortest = fresh if fresh < shortest else shortest
    return shortest


@numba.njit(parallel=True, cache=True)
def _mirror_panel(distances: Ints, left: int, width: int) -> None:
    """Copy a panel of columns to the rows of its words; where both are in it, the smaller wins."""
    words, right = len(distances), left + width
    for a in range(left, right):
        for b in range(a + 1, right):
            least = min(distances[a, b], distances[b, a])
            distances[a, b] = distances[b, a] = least
    side = 32
    for strip in numba.prange((words + side - 1) // side):
        first, last = strip * side, min((strip + 1) * side, words)
        for column in range(left, right):
            for row in range(first, last):
                distances[column, row] = distances[row, column]


@numba.njit(cache=True)
def _edge_columns(
    indptr: Longs, ends: Ints, weights: Ints, component: Ints, sources: Longs
) -> Ints:
    """The distances along single edges to all words, one column per source."""
    words, width = len(component), len(sources)
    columns = np.empty((words, width), np.int32)
    for word in range(words):
        for column in range(width):
            reachable = component[word] == component[sources[column]]
            columns[word, column] = FAR if reachable else 0
    for column in range(width):
        source = sources[column]
        columns[source, column] = 0
        for at in range(indptr[source], indptr[source + 1]):
            columns[ends[at], column] = weights[at]
    return columns


@numba.njit(parallel=True, cache=True)
def _extend_paths(
    indptr: Longs, ends: Ints, weights: Ints, before: Ints, after: Ints, new_to: Ints
) -> Ints:
    """Put one more edge at the end of the paths from each source, where that is shorter.

    `before` has the distances of the last pass, one column per source, and `new_to` the shortest
    one that was new then. Returns the shortest distance of each column that is new in `after`.
    """
    words, width = before.shape
    new = np.full((LANES, width), FAR, np.int32)
    for lane in numba.prange(LANES):
        for word in range(lane, words, LANES):
            best = after[word]
            at, last = indptr[word], indptr[word + 1]
            limit = _gain_limit(best, new_to)
            while at < last and weights[at] < limit:
                stop = min(at + STRIDE, last)
                while at + 4 <= stop:
                    _try_four_edges(best, before, ends, weights, at)
                    at += 4
                while at < stop:
                    _try_edge(best, before[ends[at]], weights[at])
                    at += 1
                limit = _gain_limit(best, new_to)
            _note_shortened(best, before[word], new[lane])
    for lane in range(1, LANES):
        for column in range(width):
            new[0, column] = min(new[0, column], new[lane, column])
    return new[0]


@numba.njit(cache=True)
def _gain_limit(best: Ints, new_to: Ints) -> np.int32:
    """Edges of this weight or more cannot lead from a new path to a shorter one."""
    limit = np.int32(0)
    for column in range(len(best)):
        gain = np.int32(best[column] - new_to[column])
        limit = gain if gain > limit else limit
    return limit


@numba.njit(cache=True)
def _count_beaten(indptr: Longs, ends: Ints, weights: Ints, words: Longs, rows: Ints) -> int:
    """The number of edges that are longer than the shortest path between their ends."""
    beaten = 0
    for row in range(len(rows)):
        for at in range(indptr[words[row]], indptr[words[row] + 1]):
            beaten += rows[row, ends[at]] < weights[at]
    return beaten
