"""Counts of a few word pairs in eight slices of a corpus, in one pass.

Each document belongs to one slice, by its digest. A slice keeps the marginals of all words and the
counts of the wanted pairs only. Counts add up, so the counts of any part of the corpus that
consists of whole slices are the sum of the slices' counts.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from pipeline.count.codes import Coder
from pipeline.count.windows import WordPositions, find_words, weights_of
from pipeline.storage import AnyPath
from pipeline.words import token_shards

SLICES = 8


class WantedPairs(NamedTuple):
    """Word pairs to count, by their word of lower id.

    `partners[starts[a]:starts[a + 1]]` are the partners of word `a` that have a higher id. The
    place of a pair in `partners` is its place in the counts.
    """

    starts: NDArray[np.int64]
    partners: NDArray[np.int32]

    @classmethod
    def of(cls, pairs: NDArray[np.int64], words: int) -> WantedPairs:
        """The distinct pairs of `pairs`, which has one row of two ids per pair."""
        ordered = np.unique(np.sort(pairs.reshape(-1, 2), axis=1), axis=0)
        starts = np.searchsorted(ordered[:, 0], np.arange(words + 1))
        return cls(starts.astype(np.int64), ordered[:, 1].astype(np.int32))

    def places(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
        """The places of wanted pairs in the counts."""
        low, high = np.minimum(first, second), np.maximum(first, second)
        rows = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        words = len(self.starts)
        return np.searchsorted(rows * words + self.partners, low * words + high)


class SliceCounts(NamedTuple):
    """The counts of each slice."""

    marginals: NDArray[np.int64]
    """(slices, words): the counts of each word with all others."""
    pairs: NDArray[np.int64]
    """(slices, wanted pairs): the counts of the wanted pairs."""
    tokens: NDArray[np.int64]
    """(slices,): the number of tokens."""


@dataclass(frozen=True)
class SliceTask:
    """The work of one task: the pairs to count, and the token shards to count them in."""

    coder: Coder
    wanted: WantedPairs
    shards: Sequence[AnyPath]


def count_shards(task: SliceTask) -> SliceCounts:
    """Count the wanted pairs and the marginals of some shards, slice by slice."""
    coder = task.coder
    weights, _ = weights_of(coder.settings.window, coder.settings.weighting)
    marginals = np.zeros((SLICES, len(coder.words)), np.int64)
    pairs = np.zeros((SLICES, len(task.wanted.partners)), np.int64)
    tokens = np.zeros(SLICES, np.int64)
    for shard in task.shards:
        # The first byte of a digest is as good as random, and the same everywhere.
        slices = token_shards.digests(shard).view(np.uint8).reshape(-1, 16)[:, 0] % SLICES
        for batch in token_shards.batches(shard):
            documents = len(batch.documents) - 1
            by_document, slices = slices[:documents].astype(np.int64), slices[documents:]
            np.add.at(tokens, by_document, np.diff(batch.documents))
            codes, bounds = coder.type_codes(batch.types), coder.bounds(batch)
            word_positions = find_words(batch.tokens, codes, bounds, len(weights) - 1)
            by_token = np.repeat(by_document, np.diff(batch.documents))
            by_word = by_token[codes[batch.tokens] >= 0]
            count_slices(word_positions, by_word, weights, *task.wanted, marginals, pairs)
    return SliceCounts(marginals, pairs, tokens)


@numba.njit(cache=True, boundscheck=False)
def count_slices(
    word_positions: WordPositions,
    slices: NDArray[np.int64],
    weights: NDArray[np.int64],
    starts: NDArray[np.int64],
    partners: NDArray[np.int32],
    marginals: NDArray[np.int64],
    pairs: NDArray[np.int64],
) -> None:
    """Add the window of each word to the counts of its slice, as the counts stage does."""
    ids, places = word_positions
    window = len(weights) - 1
    for i in range(len(ids)):
        part, a = slices[i], ids[i]
        j = i
        while places[j + 1] - places[i] <= window:
            j += 1
            b = ids[j]
            if a == b:
                continue
            weight = weights[places[j] - places[i]]
            marginals[part, a] += weight
            marginals[part, b] += weight
            low, high = min(a, b), max(a, b)
            for at in range(starts[low], starts[low + 1]):
                if partners[at] == high:
                    pairs[part, at] += weight
                    break


def add_up(results: Sequence[SliceCounts]) -> SliceCounts:
    """The counts of several tasks together."""
    return SliceCounts(
        np.sum([counts.marginals for counts in results], axis=0),
        np.sum([counts.pairs for counts in results], axis=0),
        np.sum([counts.tokens for counts in results], axis=0),
    )
