"""Dict2Vec's training: skip-gram with negative samples, and pairs from definitions.

For a word t and a word c in its window, the vector of t comes nearer to the context vector of c and
farther from those of random words. It also comes nearer to those of some of t's strong and weak
partners, and no partner is ever a negative sample (Tissier et al. 2017, eq. 2 to 5).

One thread visits the text in order and draws its random numbers from one sequence, so the result is
the same every time.
"""

from __future__ import annotations

from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from pipeline.extras.dictionary_pairs import DictionaryPairs
from pipeline.measures.negative_sampling import random_below, random_share
from pipeline.measures.sparse import Floats, Ints, Longs

POWER = 0.75
"""Negative samples are drawn by the counts of words to this power."""


class Weights(NamedTuple):
    """How much is drawn for each pair of a window, and how much it weighs."""

    window: int
    negatives: int
    strong_draws: int
    weak_draws: int
    strong: float
    weak: float


class Model(NamedTuple):
    """What is trained."""

    words: Floats
    contexts: Floats
    state: NDArray[np.uint64]
    """The state of the random numbers."""


def start(words: int, dimensions: int, seed: int) -> Model:
    """Random vectors of words, within 0.5 / dimensions of zero, and zeros for contexts."""
    rng = np.random.default_rng(seed)
    vectors = (rng.random((words, dimensions), dtype=np.float32) - np.float32(0.5)) / dimensions
    state = rng.integers(1, 1 << 63, 1, dtype=np.uint64)
    return Model(vectors.astype(np.float32), np.zeros((words, dimensions), np.float32), state)


def train(
    model: Model, codes: Ints, bounds: Longs, pairs: DictionaryPairs, chances: Floats,
    table: Ints, weights: Weights, first_rate: float, last_rate: float,
) -> None:  # fmt: skip
    """Visit some documents, whose words are `codes` (negative ones are left out)."""
    _train(
        model.words, model.contexts, model.state, codes, bounds,
        pairs.strong.starts, pairs.strong.partners, pairs.weak.starts, pairs.weak.partners,
        chances, table, weights.window, weights.negatives, weights.strong_draws,
        weights.weak_draws, np.float32(weights.strong), np.float32(weights.weak),
        np.float32(first_rate), np.float32(last_rate),
    )  # fmt: skip


@numba.njit(error_model="numpy", cache=True)
def _train(
    words: Floats, contexts: Floats, state: NDArray[np.uint64], codes: Ints, bounds: Longs,
    strong_starts: Longs, strong: Ints, weak_starts: Longs, weak: Ints, chances: Floats,
    table: Ints, window: int, negatives: int, strong_draws: int, weak_draws: int,
    strong_weight: np.float32, weak_weight: np.float32, first_rate: np.float32,
    last_rate: np.float32,
) -> None:  # fmt: skip
    gradient = np.zeros(words.shape[1], np.float32)
    kept = np.empty(len(codes), np.int32)
    one, zero = np.float32(1), np.float32(0)
    for document in range(len(bounds) - 1):
        size = 0
        for at in range(bounds[document], bounds[document + 1]):
            code = codes[at]
            if code >= 0 and random_share(state) < chances[code]:
                kept[size] = code
                size += 1
        done = np.float32(bounds[document]) / np.float32(max(len(codes), 1))
        rate = first_rate + (last_rate - first_rate) * done
        for at in range(size):
            word = kept[at]
            reach = 1 + random_below(state, window)
            for near in range(max(at - reach, 0), min(at + reach + 1, size)):
                if near == at:
                    continue
                gradient[:] = 0
                _pull(words[word], contexts[kept[near]], gradient, one, one, rate)
                for _ in range(negatives):
                    other = table[random_below(state, len(table))]
                    if (
                        other != word
                        and other != kept[near]
                        and not _has(strong_starts, strong, word, other)
                        and not _has(weak_starts, weak, word, other)
                    ):
                        _pull(words[word], contexts[other], gradient, zero, one, rate)
                partners = strong_starts[word + 1] - strong_starts[word]
                for _ in range(strong_draws if partners else 0):
                    other = strong[strong_starts[word] + random_below(state, partners)]
                    _pull(words[word], contexts[other], gradient, one, strong_weight, rate)
                partners = weak_starts[word + 1] - weak_starts[word]
                for _ in range(weak_draws if partners else 0):
                    other = weak[weak_starts[word] + random_below(state, partners)]
                    _pull(words[word], contexts[other], gradient, one, weak_weight, rate)
                words[word] += gradient


# Sums in any order, so that several numbers are added at once; no other freedom of `fastmath`.
@numba.njit(fastmath={"reassoc", "nsz", "contract"}, error_model="numpy", cache=True)
def _pull(
    word: Floats, context: Floats, gradient: Floats, label: np.float32, weight: np.float32,
    rate: np.float32,
) -> None:  # fmt: skip
    """Pull a word and a context together (label 1) or apart (label 0).

    The context is changed now; the change of the word is added to `gradient`.
    """
    dot = np.float32(0)
    for d in range(len(word)):
        dot += word[d] * context[d]
    chance = np.float32(1) / (np.float32(1) + np.exp(-dot))
    step = rate * weight * (label - chance)
    for d in range(len(word)):
        gradient[d] += step * context[d]
        context[d] += step * word[d]


@numba.njit(cache=True)
def _has(starts: Longs, partners: Ints, word: int, other: int) -> bool:
    low, high = starts[word], starts[word + 1]
    at = low + np.searchsorted(partners[low:high], other)
    return at < high and partners[at] == other
