"""The k nearest words of each word by shortest path, without the paths between all words.

The search is Dijkstra's, from one word at a time. It settles words in the order of their distance
and ends after the k-th. Once k words are known to be within some distance, no path beyond it is
extended. The edges of a word are sorted by weight, so that rules out most of them: a search tries
about as many edges as it finds words.

To know that distance, the search counts the words that it has reached in buckets of distances. The
limit is the end of the bucket in which the k-th word is.
"""

from __future__ import annotations

from heapq import heappop, heappush

import numba
import numpy as np

from pipeline.measures.shortest_paths import FAR, UNIT, Edges
from pipeline.measures.sparse import LANES, Floats, Ints, Longs
from pipeline.measures.top_k import Closest, copy_closest

BUCKET_BITS = 14
"""A bucket is 2^14 units of distance wide."""

LAST_BUCKET = 4 * UNIT >> BUCKET_BITS
"""The bucket of all distances from 4 up. float32 does not tell all of these apart, so words of
different distance can tie, and a search that gets so far settles all words."""


def nearest_words(edges: Edges, start: int, stop: int, k: int) -> Closest:
    """The k nearest words of the words from `start` to before `stop`.

    Values are 1 - the distance. Ties go to the word that comes first in the vocabulary.
    """
    related = np.bincount(edges.component)[edges.component[start:stop]] - 1
    return Closest(*_nearest(edges.indptr, edges.ends, edges.weights, start, related, k))


@numba.njit(parallel=True, cache=True)
def _nearest(
    indptr: Longs, ends: Ints, weights: Ints, start: int, related: Longs, k: int
) -> tuple[Longs, Ints, Floats, Floats]:
    words, height = len(indptr) - 1, len(related)
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
            source = start + row
            n_reached, n = _settle(
                indptr, ends, weights, source, k, distances, buckets, reached, settled
            )
            kth = np.float32(-np.inf)  # lets all words pass
            if n >= k:
                kth = _closeness(distances[settled[k - 1]])
                if related[row] > k:
                    bounds[row] = kth
            _sort(settled[:n])
            for at in range(n):
                closeness[at] = _closeness(distances[settled[at]])
            counts[row] = copy_closest(
                settled[:n], closeness[:n], k, kth, indices[row], values[row]
            )
            for at in range(n_reached):
                buckets[_bucket(distances[reached[at]])] = 0
                distances[reached[at]] = FAR
    return counts, indices, values, bounds


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
    """1 - the distance, rounded as in rows of all words (`pipeline.measures.graph`)."""
    return np.float32(1.0) - np.float32(distance) / np.float32(UNIT)
