"""How npmi's agreement with people grows with the corpus: on an eighth, a quarter, half and all.

Only the gold pairs are counted, in eight slices of the corpus, in one pass. Each document belongs
to one slice, by its digest. A slice keeps the marginals of all words and the counts of the gold
pairs. Counts add up, so each point of the curve is made of the slices of the point before it and
some more. The vocabulary is always that of the whole corpus.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from pipeline.count.codes import Coder, Counts
from pipeline.count.windows import WordPositions, find_words, weights_of
from pipeline.engine import Engine
from pipeline.fetched import read_gold_sets, set_title
from pipeline.layout import Layout
from pipeline.measures.npmi import Npmi, pair_npmi
from pipeline.storage import AnyPath
from pipeline.words import token_shards
from wordkin.evaluation import correlate
from wordkin.measures.npmi import log_probabilities
from wordkin.rated_pairs import PlacedPairs, place, read_pairs
from wordkin.vocabulary import Vocabulary

SLICES = 8
POINTS = (1, 2, 4, 8)
"""The number of slices behind each point of the curve."""


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
    """The counts of each slice: (slices, words), (slices, wanted pairs) and (slices,)."""

    marginals: NDArray[np.int64]
    pairs: NDArray[np.int64]
    tokens: NDArray[np.int64]


@dataclass(frozen=True)
class SliceTask:
    """The work of one task: the pairs to count, and the token shards to count them in."""

    coder: Coder
    wanted: WantedPairs
    shards: Sequence[AnyPath]


def grow(
    layout: Layout,
    counts: Counts,
    npmi: Npmi,
    form: Callable[[str], str],
    engine: Engine,
    *,
    resamples: int,
    seed: int,
) -> dict[str, Any]:
    """Count the gold pairs in parts of the corpus, and correlate each part with people.

    Returns the tokens of each point, and per gold set the correlation at each point.
    """
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    placed_sets = {
        set_title(about): place(read_pairs(layout.gold / f"{about['name']}.tsv"), vocabulary, form)
        for about in read_gold_sets(layout.gold).sets
    }
    ids = [np.column_stack([placed.first, placed.second]) for placed in placed_sets.values()]
    pairs = np.concatenate([np.empty((0, 2), np.int64), *ids])
    wanted = WantedPairs.of(pairs, len(vocabulary))
    shards = token_shards.shard_files(layout.tokens)
    number = min(len(shards), 2 * engine.cores)
    coder = Coder(layout.vocabulary, counts)
    tasks = [SliceTask(coder, wanted, shards[i::number]) for i in range(number)]
    counted = engine.each(count_shards, tasks, f"growth {layout.language}")
    slices = SliceCounts(*(np.sum(arrays, axis=0) for arrays in zip(*counted, strict=True)))
    _, scale = weights_of(counts.window, counts.weighting)
    minimum = npmi.minimum_count * scale

    def point(placed: PlacedPairs, taken: int) -> dict[str, float | None]:
        first, second = placed.first, placed.second
        marginals = slices.marginals[:taken].sum(axis=0)
        total = int(marginals.sum())
        log_word = log_probabilities(marginals, total, npmi.smoothing)
        together = slices.pairs[:taken, wanted.places(first, second)].sum(axis=0)
        scores = np.zeros(len(placed.gold))
        scores[placed.covered] = pair_npmi(
            together, log_word[first], log_word[second], total, minimum
        )
        spearman = correlate(placed, scores, resamples=resamples, seed=seed).spearman
        return {
            "spearman": _rounded(spearman.statistic),
            "low": _rounded(spearman.low),
            "high": _rounded(spearman.high),
        }

    return {
        "tokens": [int(slices.tokens[:taken].sum()) for taken in POINTS],
        "gold": {
            title: [point(placed, taken) for taken in POINTS]
            for title, placed in placed_sets.items()
        },
    }


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


def _rounded(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 4)
