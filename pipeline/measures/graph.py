"""npmi -> graph: 1 - the weight of the shortest path, over edges of weight 1 - npmi.

The paths to the closest words of each word are exact. All other pairs are estimated from the paths
of a sample of words to nearly all others.

The search is Dijkstra's, from one word at a time. It settles words in the order of their distance
and ends after the k-th. Once k words are known to be within some distance, no path beyond it is
extended. The edges of a word are sorted by weight, so that rules out most of them: a search tries
about as many edges as it finds words. To know that distance, the search counts the words that it
has reached in buckets of distances. The limit is the end of the bucket in which the k-th word is.

Weights are whole multiples of 2^-22, so sums of them are exact: a shortest distance is one integer,
whatever the order in which paths are tried, and no thread can change a byte.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from heapq import heappop, heappush
from itertools import pairwise
from typing import Annotated, NamedTuple

import numba
import numpy as np
from pydantic.dataclasses import dataclass as pydantic_dataclass
from scipy.sparse import csr_array
from scipy.sparse.csgraph import connected_components
from tqdm import tqdm

from pipeline.layout import Layout
from pipeline.measures.low_rank import Estimate, estimate_from_rows, sample_of
from pipeline.measures.sparse import (
    LANES,
    ROWS,
    Floats,
    Ints,
    Longs,
    Sparse,
    read_sparse,
    symmetrize,
)
from pipeline.measures.top_k import describe_matrix, matrix_metrics
from pipeline.memory import Sizes
from pipeline.mistakes import KNOWN_KEYS, between
from pipeline.settings import Section, Settings, TopK
from pipeline.stage import Job, Metrics, Stage
from wordkin.measures.files import write_matrix


@pydantic_dataclass(frozen=True, config=KNOWN_KEYS)
class Graph(Section):
    """Shortest paths."""

    KEY = "graph"

    top: Annotated[TopK, between(1)] = 500


RANK = 128
"""The directions of the estimate."""

REACHED = 0.9
"""The share of all words to which the paths of the sample are searched. The most distant words
would take most of the time; they count as distant as the last one that is reached."""

UNIT = 1 << 22
"""The weight 1 in the units of weights and distances."""

FAR = np.int32(1 << 30)
"""The distance when no path is known. A path of weight 256 or more counts as none; no real
vocabulary has one."""

BUCKET_BITS = 14
"""A bucket is 2^14 units of distance wide."""

LAST_BUCKET = 4 * UNIT >> BUCKET_BITS
"""The bucket of all distances from 4 up. float32 does not tell all of these apart, so words of
different distance can tie, and a search that gets so far settles all words."""


def run(job: Job) -> Metrics:
    """Make the measure `graph` of a language from its `npmi`."""
    return make_graph(job.layout, job.settings.section(Graph))


def make_graph(layout: Layout, settings: Graph) -> Metrics:
    """Read npmi, find the paths, and write the closest words and the estimate of all others."""
    edges = edges_of(read_sparse(layout.measure("npmi")))
    words = edges.words
    most = max(words - 1, 1)
    closest = closest_words(edges, most if settings.top == "all" else min(settings.top, most))
    stored, related = closest.symmetrized(), connected_pairs(edges)
    lowest = float(stored.values.min(initial=np.inf)) if stored.pairs else 0.0
    if stored.pairs < related:
        estimate = _estimate(edges)
    else:  # words without a path are no closer than the most distant ones with one
        estimate = Estimate(np.ones((words, 1), np.float32), np.array([lowest], np.float32))
    write_matrix(
        layout.measure("graph"),
        "graph",
        stored.arrays,
        *estimate,
        bounds=closest.bounds,
        facts={"top": settings.top},
    )
    sizes = np.bincount(edges.component)
    return {
        **matrix_metrics(stored, related),
        "edges": len(edges.ends) // 2,
        "components": len(sizes),
        "largest_component": int(sizes.max(initial=0)),
    }


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


def connected_pairs(edges: Edges) -> int:
    """The number of pairs of words that can reach each other."""
    sizes = np.bincount(edges.component)
    return int((sizes * (sizes - 1)).sum()) // 2


class Closest(NamedTuple):
    """The k closest words of some words, one word after the other.

    Attributes
    ----------
    indptr, indices, values : array
        As CSR; the words of each word ascend. Values are 1 - the distance.
    bounds : array of float32
        The lowest value of each word; inf if it has all its related words.
    """

    indptr: Longs
    indices: Ints
    values: Floats
    bounds: Floats

    def symmetrized(self) -> Sparse:
        """All pairs in which one word is among the closest of the other."""
        return symmetrize(self.indptr, self.indices, self.values)


def closest_words(edges: Edges, k: int, words: Longs | None = None) -> Closest:
    """The k closest words of some words (all by default).

    Ties go to the word that comes first in the vocabulary.
    """
    sources = np.arange(edges.words) if words is None else words
    related = np.bincount(edges.component)[edges.component] - 1
    found = []
    starts = range(0, len(sources), ROWS)
    for start in tqdm(starts, "graph", leave=False, disable=None):
        of_rows = sources[start : start + ROWS]
        found.append(_closest(edges.indptr, edges.ends, edges.weights, of_rows, related, k))
    counts, bounds = (np.concatenate([part[at] for part in found]) for at in (0, 3))
    indices, values = (
        np.concatenate([part[at][np.arange(k) < part[0][:, None]] for part in found])
        for at in (1, 2)
    )
    return Closest(np.concatenate([[0], np.cumsum(counts)]), indices, values, bounds)


def _estimate(edges: Edges) -> Estimate:
    """What stands for the pairs that are cut: it comes closest to the rows of a sample."""
    sample = sample_of(edges.words)
    k = edges.words if edges.words <= len(sample) else int(REACHED * edges.words)
    rows = np.empty((len(sample), edges.words), np.float32)
    for start in range(0, len(sample), LANES):
        words = sample[start : start + LANES]
        found = closest_words(edges, k, words)
        for row, (first, last) in enumerate(pairwise(found.indptr.tolist()), start):
            values = found.values[first:last]
            rows[row] = values.min() if len(values) else 0.0
            rows[row, found.indices[first:last]] = values
            rows[row, sample[row]] = 0.0
    return estimate_from_rows(rows, sample, RANK)


@numba.njit(parallel=True, cache=True)
def _closest(
    indptr: Longs, ends: Ints, weights: Ints, sources: Longs, related: Longs, k: int
) -> tuple[Longs, Ints, Floats, Floats]:
    """The number, the ids and the values of the closest words of each source, and its bound."""
    words, height = len(indptr) - 1, len(sources)
    counts = np.zeros(height, np.int64)
    indices = np.empty((height, k), np.int32)
    values = np.empty((height, k), np.float32)
    bounds = np.full(height, np.inf, np.float32)
    for lane in numba.prange(LANES):
        # Each search restores both.
        distances = np.full(words, FAR, np.int32)
        buckets = np.zeros(LAST_BUCKET + 1, np.int64)
        reached = np.empty(words, np.int32)
        settled = np.empty(words, np.int32)
        closeness = np.empty(words, np.float32)
        for row in range(lane, height, LANES):
            source = sources[row]
            n_reached, n = _settle(
                indptr, ends, weights, source, k, distances, buckets, reached, settled
            )
            kth = np.float32(-np.inf)  # lets all words pass
            if n >= k:
                kth = _closeness(distances[settled[k - 1]])
                if related[source] > k:
                    bounds[row] = kth
            _sort(settled[:n])
            for at in range(n):
                closeness[at] = _closeness(distances[settled[at]])
            counts[row] = _copy_closest(
                settled[:n], closeness[:n], k, kth, indices[row], values[row]
            )
            for at in range(n_reached):
                buckets[_bucket(distances[reached[at]])] = 0
                distances[reached[at]] = FAR
    return counts, indices, values, bounds


@numba.njit(cache=True)
def _copy_closest(
    related: Ints, closeness: Floats, k: int, bound: np.float32, indices: Ints, values: Floats
) -> int:
    """Copy, in their order, the values above the bound and the first ones equal to it, k in all."""
    equals = k
    for at in range(len(related)):
        equals -= closeness[at] > bound
    place = 0
    for at in range(len(related)):
        equal = closeness[at] == bound
        if closeness[at] > bound or (equal and equals > 0):
            equals -= equal
            indices[place], values[place] = related[at], closeness[at]
            place += 1
    return place


@numba.njit(cache=True)
def _sort(numbers: Ints) -> None:
    """Sort some hundred numbers: Shell's way, since compiling `numbers.sort()` takes seconds."""
    for gap in (1750, 701, 301, 132, 57, 23, 10, 4, 1):
        for at in range(gap, len(numbers)):
            number, place = numbers[at], at
            while place >= gap and numbers[place - gap] > number:
                numbers[place] = numbers[place - gap]
                place -= gap
            numbers[place] = number


@numba.njit(cache=True)
def _settle(
    indptr: Longs, ends: Ints, weights: Ints, source: int, k: int,
    distances: Ints, buckets: Longs, reached: Ints, settled: Ints,
) -> tuple[int, int]:  # fmt: skip
    """Settle the words that are no farther from the source than the k-th nearest one.

    Notes the shortest `distances`, the words that have one (`reached`), and the words for which it
    is final (`settled`, nearest first, without the source). Returns the number of both.
    """
    distances[source] = 0
    reached[0] = source
    n_reached, n_settled = 1, 0
    # All buckets up to this one are within the limit, and hold so many words.
    bucket, within = LAST_BUCKET, 0
    limit = np.int64(FAR)
    queue = [np.int64(source)]  # keys of distance and word, so the nearest word comes first
    while queue:
        key = heappop(queue)
        distance, word = key >> 32, key & 0xFFFFFFFF
        if distance > distances[word]:
            continue  # a shorter path was found later
        if n_settled >= k:
            kth = distances[settled[k - 1]]
            if distance > kth and _bucket(kth) < LAST_BUCKET:
                break
        if word != source:
            settled[n_settled] = word
            n_settled += 1
        for at in range(indptr[word], indptr[word + 1]):
            length = distance + weights[at]
            if length >= limit:
                break
            end = ends[at]
            if length >= distances[end]:
                continue
            if distances[end] == FAR:
                reached[n_reached] = end
                n_reached += 1
            else:
                before = _bucket(distances[end])
                buckets[before] -= 1
                within -= before <= bucket
            distances[end] = length
            heappush(queue, length << 32 | end)
            buckets[_bucket(length)] += 1
            within += 1
            while within - buckets[bucket] >= k:
                within -= buckets[bucket]
                bucket -= 1
                limit = np.int64(bucket + 1) << BUCKET_BITS
    return n_reached, n_settled


@numba.njit(cache=True)
def _bucket(distance: int) -> int:
    bucket = distance >> BUCKET_BITS
    return bucket if bucket < LAST_BUCKET else LAST_BUCKET


@numba.njit(cache=True)
def _closeness(distance: np.int32) -> np.float32:
    """1 - the distance, in float32."""
    return np.float32(1.0) - np.float32(distance) / np.float32(UNIT)


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    return f"{metrics['edges']:,} edges in, {describe_matrix(metrics)}"


def memory(sizes: Sizes, settings: Settings) -> float:
    """npmi, its edges while they are sorted, the closest words, and the rows of a sample."""
    return 4 * sizes.npmi + sizes.closest(settings.section(Graph).top) + 3 * sizes.chunk


STAGE = Stage(
    "graph",
    run,
    describe,
    reads=("npmi",),
    writes=("graph",),
    section=Graph,
    memory=memory,
    advice="set graph.top to a lower number",
)
