"""npmi -> graph: 1 - the weight of the shortest path, over edges of weight 1 - npmi. Exact.

Weights are whole multiples of 2^-22, so sums of them are exact: a shortest distance is one integer,
in whatever order paths are tried, and no thread can change a byte.

`all_pairs` works on the whole matrix of distances, while that fits the memory allowed. It begins
with the edges; a pass tries, for each pair (a, b), the edges a-x before the best known way x..b.
Three facts leave some hundred of a word's thousands of edges to try:

* The shorter of a path's two outer edges is at most half of it. Trying from each end only the
  edges below half of the best known way finds every shorter way from one end or the other.
* A way x..b that is as it was a pass ago was tried then, so only edges shorter than the best known
  way a..b less the shortest way to b that is new can help.
* Edges lie nearest first, so both say where to stop.

A pass that changes nothing ends it. `from_words` goes out from one word after the other, nearest
first and no farther than its farthest word; it needs the edges and a row, and gives the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from tqdm import tqdm

from pipeline.layout import Layout
from pipeline.relatedness.sparse import LANES, ROWS, Floats, Ints, Longs, Sparse, read_sparse
from pipeline.relatedness.top_k import Block, describe_matrix, write_kept
from pipeline.settings import Graph
from pipeline.stage import Job, Metrics

UNIT = 1 << 22
FAR = np.int32(1 << 30)
"""No way is known. A path of weight 256 or more, which no real vocabulary has, counts as none."""

# Columns that are worked on together: the panel of 15,000 words fits a last-level cache, and its
# rows of 1 KiB are long enough for vector instructions.
PANEL = 256
# Edges that are tried before asking again whether farther ones can help.
STRIDE = 16


@dataclass(frozen=True)
class Edges:
    """The edges of each word, nearest first, weights in units of 1/UNIT.

    `component` tells which words can reach each other.
    """

    indptr: Longs
    ends: Ints
    weights: Ints
    component: Ints

    @property
    def words(self) -> int:
        return len(self.indptr) - 1


def run(job: Job) -> Metrics:
    """Make the measure `graph` of a language from its `npmi`."""
    return make_graph(job.layout, job.settings.graph)


def make_graph(layout: Layout, settings: Graph) -> Metrics:
    """Read npmi, compute the measure, and write it."""
    npmi = read_sparse(layout.measure("npmi"))
    paths = Paths(edges_of(npmi), settings.memory_mib)
    folder = layout.measure("graph")
    metrics = write_kept(folder, "graph", npmi, paths.blocks(), settings, absent=-np.inf)
    return {**metrics, **paths.metrics()}


def edges_of(npmi: Sparse) -> Edges:
    """The edges of the graph: one where npmi is positive."""
    matrix = csr_array((npmi.values, npmi.indices, npmi.indptr), (npmi.words, npmi.words))
    _, component = connected_components(matrix, directed=False)
    return Edges(npmi.indptr, *_nearest_first(npmi.indptr, npmi.indices, npmi.values), component)


class Paths:
    """The relatedness of all words along shortest paths, in blocks of rows."""

    def __init__(self, edges: Edges, memory_mib: int) -> None:
        self.edges = edges
        self.whole = 4 * edges.words**2 <= memory_mib * 2**20
        self.passes = self.shortcuts = 0

    def blocks(self) -> Iterator[Block]:
        """Whole rows; -inf where there is no path."""
        edges, words = self.edges, self.edges.words
        if self.whole:
            distances, self.passes = all_pairs(edges)
        for start in range(0, words, ROWS):
            sources = np.arange(start, min(start + ROWS, words))
            if self.whole:
                rows = distances[sources]
            else:
                rows, passes = from_words(edges, sources)
                self.passes = max(self.passes, passes)
            self.shortcuts += _shortcuts(edges.indptr, edges.ends, edges.weights, start, rows)
            yield start, relatedness(rows, edges.component, sources)

    def metrics(self) -> dict[str, Any]:
        """How the paths were found, once all blocks have been taken."""
        sizes = np.bincount(self.edges.component)
        return {
            "passes": self.passes,
            "edges": len(self.edges.ends) // 2,
            "edges_beaten": self.shortcuts // 2,
            "components": len(sizes),
            "largest_component": int(sizes.max(initial=0)),
        }


def relatedness(distances: Ints, component: Ints, sources: NDArray[np.int64]) -> Floats:
    """Distances of `sources` to all words as relatedness; -inf where there is no path."""
    rows = np.float32(1.0) - distances.astype(np.float32) / np.float32(UNIT)
    rows[(component[sources][:, None] != component) | (distances >= FAR)] = -np.inf
    rows[np.arange(len(sources)), sources] = 0.0
    return rows


def all_pairs(edges: Edges) -> tuple[Ints, int]:
    """The shortest distances of all pairs, and how many passes it took to find and confirm them.

    Words of different components have the distance 0: no way can beat it, so nothing is tried.
    """
    arrays = (edges.indptr, edges.ends, edges.weights)
    distances = _first_ways(*arrays, edges.component)
    new = np.full(edges.words, FAR, np.int32)
    near = edges.indptr[:-1] < edges.indptr[1:]
    new[near] = edges.weights[edges.indptr[:-1][near]]
    passes = 0
    while new.min(initial=FAR) < FAR:
        last, new = new, np.full(edges.words, FAR, np.int32)
        lefts = range(0, edges.words, PANEL)
        for left in tqdm(lefts, f"graph, pass {passes + 1}", leave=False, disable=None):
            panel = distances[:, left : left + PANEL].copy()
            to = np.minimum(last, new)[left : left + PANEL]
            columns = _pass(*arrays, distances, panel, left, to, new, numba.get_num_threads())
            np.minimum(new[left : left + PANEL], columns, out=new[left : left + PANEL])
            _mirror(distances, left, panel.shape[1])
        passes += 1
    return distances, passes


def from_words(edges: Edges, sources: NDArray[np.int64]) -> tuple[Ints, int]:
    """The shortest distances from each of `sources`, and the longest number of passes."""
    rows = np.empty((len(sources), edges.words), np.int32)
    passes = _go_out(edges.indptr, edges.ends, edges.weights, edges.component, sources, rows)
    return rows, int(passes.max(initial=0))


@numba.njit(parallel=True, cache=True)
def _nearest_first(indptr: Longs, indices: Ints, values: Floats) -> tuple[Ints, Ints]:
    ends = np.empty(len(indices), np.int32)
    weights = np.empty(len(indices), np.int32)
    for lane in numba.prange(LANES):
        for word in range(lane, len(indptr) - 1, LANES):
            first, last = indptr[word], indptr[word + 1]
            keys = np.empty(last - first, np.int64)
            for at in range(first, last):
                weight = np.int64(round((1.0 - np.float64(values[at])) * UNIT))
                keys[at - first] = weight << 32 | indices[at]
            keys.sort()
            for at in range(first, last):
                weights[at] = keys[at - first] >> 32
                ends[at] = keys[at - first] & 0xFFFFFFFF
    return ends, weights


@numba.njit(parallel=True, cache=True)
def _first_ways(indptr: Longs, ends: Ints, weights: Ints, component: Ints) -> Ints:
    """What is known before the first pass: the edges."""
    words = len(component)
    distances = np.empty((words, words), np.int32)
    for word in numba.prange(words):
        _start(indptr, ends, weights, component, word, distances[word])
    return distances


@numba.njit(cache=True)
def _start(indptr: Longs, ends: Ints, weights: Ints, component: Ints, word: int, row: Ints) -> None:
    for other in range(len(row)):
        row[other] = FAR if component[other] == component[word] else 0
    row[word] = 0
    for at in range(indptr[word], indptr[word + 1]):
        row[ends[at]] = weights[at]


@numba.njit(parallel=True, cache=True)
def _pass(
    indptr: Longs, ends: Ints, weights: Ints,
    distances: Ints, panel: Ints, left: int, to: Ints, new: Ints, threads: int,
) -> Ints:  # fmt: skip
    """Shorten the ways from every word to the words of a panel of columns.

    `panel` holds the columns as they were and is only read. `to` and `new` are the shortest ways
    to (of) a word that changed; the latter is noted here, for the columns in what is returned.
    """
    words, width = panel.shape
    right = left + width
    columns = np.full((threads, width), FAR, np.int32)
    for thread in numba.prange(threads):
        for word in range(thread, words, threads):
            best = distances[word, left:right]
            at, last = indptr[word], indptr[word + 1]
            limit = _limit(best, to)
            while at < last and weights[at] < limit:
                stop = min(at + STRIDE, last)
                while at + 4 <= stop:
                    _try_four(best, panel, ends, weights, at)
                    at += 4
                while at < stop:
                    _try_one(best, panel[ends[at]], weights[at])
                    at += 1
                limit = _limit(best, to)
            shortest = _note_new(best, panel[word], columns[thread])
            new[word] = min(new[word], shortest)
    for thread in range(1, threads):
        for column in range(width):
            columns[0, column] = min(columns[0, column], columns[thread, column])
    return columns[0]


@numba.njit(cache=True)
def _limit(best: Ints, to: Ints) -> np.int32:
    """The weight from which on no edge can shorten a way."""
    limit = np.int32(0)
    for column in range(len(best)):
        half = np.int32((best[column] + 1) >> 1)
        gain = np.int32(best[column] - to[column])
        least = gain if gain < half else half
        limit = least if least > limit else limit
    return limit


@numba.njit(cache=True)
def _try_one(best: Ints, way: Ints, weight: np.int32) -> None:
    for column in range(len(best)):
        length = np.int32(way[column] + weight)
        best[column] = length if length < best[column] else best[column]


@numba.njit(cache=True)
def _try_four(best: Ints, panel: Ints, ends: Ints, weights: Ints, at: int) -> None:
    """Four edges at a time: their ways are fetched from memory side by side."""
    width = len(best)
    way0, way1 = panel[ends[at]][:width], panel[ends[at + 1]][:width]
    way2, way3 = panel[ends[at + 2]][:width], panel[ends[at + 3]][:width]
    weight0, weight1, weight2, weight3 = weights[at : at + 4]
    for column in range(width):
        a = np.int32(way0[column] + weight0)
        b = np.int32(way1[column] + weight1)
        c = np.int32(way2[column] + weight2)
        d = np.int32(way3[column] + weight3)
        a = b if b < a else a
        c = d if d < c else c
        a = c if c < a else a
        best[column] = a if a < best[column] else best[column]


@numba.njit(cache=True)
def _note_new(best: Ints, before: Ints, columns: Ints) -> np.int32:
    """Note in `columns` the ways that got shorter; their shortest is returned."""
    shortest = FAR
    for column in range(len(best)):
        fresh = best[column] if best[column] < before[column] else FAR
        columns[column] = fresh if fresh < columns[column] else columns[column]
        shortest = fresh if fresh < shortest else shortest
    return shortest


@numba.njit(parallel=True, cache=True)
def _mirror(distances: Ints, left: int, width: int) -> None:
    """Copy a panel of columns to the rows of its words; on the diagonal's square both count."""
    words, right = len(distances), left + width
    for a in range(left, right):
        for b in range(a + 1, right):
            least = min(distances[a, b], distances[b, a])
            distances[a, b] = distances[b, a] = least
    side = 32
    for block in numba.prange((words + side - 1) // side):
        first, last = block * side, min((block + 1) * side, words)
        for column in range(left, right):
            for row in range(first, last):
                distances[column, row] = distances[row, column]


@numba.njit(parallel=True, cache=True)
def _go_out(
    indptr: Longs, ends: Ints, weights: Ints, component: Ints, sources: Longs, rows: Ints
) -> Longs:
    passes = np.zeros(len(sources), np.int64)
    for at in numba.prange(len(sources)):
        _start(indptr, ends, weights, component, sources[at], rows[at])
        passes[at] = _go_out_from(indptr, ends, weights, sources[at], rows[at])
    return passes


@numba.njit(cache=True)
def _go_out_from(indptr: Longs, ends: Ints, weights: Ints, source: int, row: Ints) -> int:
    """Lengthen the ways from `source` by an edge, pass after pass, while any gets shorter."""
    changed = ends[indptr[source] : indptr[source + 1]].copy()
    passes = 0
    while len(changed):
        changed = _lengthen(indptr, ends, weights, row, changed)
        passes += 1
    return passes


@numba.njit(cache=True)
def _lengthen(indptr: Longs, ends: Ints, weights: Ints, row: Ints, changed: Ints) -> Ints:
    """Go on from the words whose way changed; returns those whose way changes now."""
    touched = np.zeros(len(row), np.bool_)
    order = np.argsort(row[changed], kind="mergesort")
    farthest = row.max()
    for turn in range(len(order)):
        word = changed[order[turn]]
        if turn % STRIDE == 0:
            farthest = row.max()
        way = row[word]
        for at in range(indptr[word], indptr[word + 1]):
            length = way + weights[at]
            if length >= farthest:
                break
            if length < row[ends[at]]:
                row[ends[at]] = length
                touched[ends[at]] = True
    return np.flatnonzero(touched).astype(np.int32)


@numba.njit(cache=True)
def _shortcuts(indptr: Longs, ends: Ints, weights: Ints, start: int, rows: Ints) -> int:
    """How many edges are longer than the shortest path between their ends."""
    beaten = 0
    for row in range(len(rows)):
        for at in range(indptr[start + row], indptr[start + row + 1]):
            beaten += rows[row, ends[at]] < weights[at]
    return beaten


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    return f"{metrics['edges']:,} edges in, {metrics['passes']} passes; {describe_matrix(metrics)}"
