"""dict2vec: skip-gram with negative samples, and pairs of words from definitions.

Two words are a strong pair if each is in a definition of the other, and a weak pair if only one is.
For a word t and a word c in its window, the vector of t comes nearer to the context vector of c and
farther from those of random words. It also comes nearer to those of some of t's strong and weak
partners, and no partner is ever a negative sample (Tissier et al. 2017, eq. 2 to 5).

One thread visits the text in order and draws its random numbers from one sequence, so the result is
the same every time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray
from pydantic.dataclasses import dataclass

from pipeline.count.codes import Coder, Counts
from pipeline.extras.definitions import Dictionaries, definitions_of
from pipeline.languages import language
from pipeline.measures.family import WITH_KNOWLEDGE, Extra, MeasureJob
from pipeline.measures.negative_sampling import (
    keep_chances,
    negative_table,
    random_below,
    random_share,
)
from pipeline.measures.sparse import Floats, Ints, Longs
from pipeline.measures.svd import unit_rows
from pipeline.mistakes import KNOWN_KEYS, Number, Whole, between
from pipeline.settings import Section
from pipeline.stage import Metrics
from pipeline.words import token_shards
from wordkin.measures.files import write_matrix


class Partners(NamedTuple):
    """For each word its partners, ascending."""

    starts: Longs
    partners: Ints

    def of(self, word: int) -> list[int]:
        """The partners of a word."""
        return self.partners[self.starts[word] : self.starts[word + 1]].tolist()


class DictionaryPairs(NamedTuple):
    """Which words are strong partners of each word, and which are weak ones."""

    strong: Partners
    weak: Partners


def find_pairs(
    words: Sequence[str],
    definitions: Mapping[str, Sequence[str]],
    words_of: Callable[[str], Sequence[str]],
    headwords: Sequence[str],
) -> DictionaryPairs:
    """The pairs among the words of a vocabulary.

    `words_of` splits a definition into words; `headwords` names under which word each word of the
    vocabulary is defined if it has no definition of its own, its lemma.
    """
    ids = {word: at for at, word in enumerate(words)}
    defined: list[set[int]] = []
    for at, (word, headword) in enumerate(zip(words, headwords, strict=True)):
        texts = definitions.get(word) or definitions.get(headword) or ()
        used = {ids[part] for text in texts for part in words_of(text) if part in ids}
        defined.append(used - {at})
    strong: list[set[int]] = [set() for _ in words]
    weak: list[set[int]] = [set() for _ in words]
    for at, used in enumerate(defined):
        for other in used:
            kind = strong if at in defined[other] else weak
            kind[at].add(other)
            kind[other].add(at)
    return DictionaryPairs(_partners(strong), _partners(weak))


def _partners(sets: Sequence[set[int]]) -> Partners:
    starts = np.concatenate([[0], np.cumsum([len(partners) for partners in sets])])
    listed = [partner for partners in sets for partner in sorted(partners)]
    return Partners(starts.astype(np.int64), np.array(listed, np.int32))


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


@dataclass(frozen=True, config=KNOWN_KEYS)
class Dict2vec(Section):
    """Dict2Vec; the weights and draws are those of its authors."""

    KEY = "extras.dict2vec"

    dimensions: Annotated[Whole, between(2, 2000)] = 200
    window: Annotated[Whole, between(1, 50)] = 5
    epochs: Annotated[Whole, between(1)] = 1
    learning_rate: Annotated[Number, between(0.0001, 1)] = 0.025
    sampling: Annotated[Number, between(0.0000001, 1)] = 0.0001
    negatives: Annotated[Whole, between(1, 100)] = 5
    strong_draws: Annotated[Whole, between(0, 100)] = 4
    weak_draws: Annotated[Whole, between(0, 100)] = 5
    strong_weight: Annotated[Number, between(0, 10)] = 0.8
    weak_weight: Annotated[Number, between(0, 10)] = 0.45
    seed: Annotated[Whole, between(0)] = 0


def make(measure_job: MeasureJob) -> Metrics:
    """Train vectors on the tokens and the definitions of the language."""
    settings, layout = measure_job.settings.section(Dict2vec), measure_job.layout
    rules, vocabulary = language(layout.language), measure_job.vocabulary
    stop_words = rules.stop_words()

    def words_of(text: str) -> list[str]:
        words = (word for word in rules.words(text) if word not in stop_words)
        return rules.lemmas(words) if measure_job.language.lemmatize else list(words)

    headwords = rules.lemmas(vocabulary.words)
    definitions = definitions_of(measure_job)
    pairs = find_pairs(vocabulary.words, definitions, words_of, headwords)
    counts = np.asarray(vocabulary.counts, np.int64)
    chances = keep_chances(counts, int(counts.sum()), settings.sampling)
    table = negative_table(counts, POWER)
    weights = Weights(
        settings.window, settings.negatives, settings.strong_draws, settings.weak_draws,
        settings.strong_weight, settings.weak_weight,
    )  # fmt: skip
    model = start(len(vocabulary), settings.dimensions, settings.seed)
    coder = Coder(layout.vocabulary, Counts())
    shards = token_shards.shard_files(layout.tokens)
    total = settings.epochs * sum(token_shards.count_tokens(path) for path in shards)
    done = 0
    for _ in range(settings.epochs):
        for path in shards:
            for batch in token_shards.batches(path):
                codes = coder.codes(batch)
                rates = [
                    settings.learning_rate * max(1 - at / max(total, 1), 0.0001)
                    for at in (done, done + len(codes))
                ]
                train(model, codes, batch.documents, pairs, chances, table, weights, *rates)
                done += len(codes)
    vectors = unit_rows(model.words.astype(np.float64))
    facts = {"settings": asdict(settings), **WITH_KNOWLEDGE}
    write_matrix(measure_job.folder, measure_job.name, vectors=vectors, facts=facts)
    return {
        "dimensions": settings.dimensions,
        "defined_words": sum(
            word in definitions or headword in definitions
            for word, headword in zip(vocabulary.words, headwords, strict=True)
        ),
        "strong_pairs": len(pairs.strong.partners) // 2,
        "weak_pairs": len(pairs.weak.partners) // 2,
    }


EXTRA = Extra({"dict2vec": make}, sections=(Dict2vec, Dictionaries))
