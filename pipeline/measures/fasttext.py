"""tokens, vocabulary -> fasttext: skip-gram vectors, trained as fastText trains them.

Our own trainer is faster with the sizes of our corpora, and the package `fasttext` is the original.
Both use one thread, so that the result is always the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal, NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray
from pydantic.dataclasses import dataclass

from pipeline.layout import Layout
from pipeline.measures import negative_sampling
from pipeline.measures.negative_sampling import (
    Model,
    Plan,
    Rows,
    keep_chances,
    negative_table,
    start,
)
from pipeline.measures.training_text import TrainingText, read_text
from pipeline.memory import Sizes
from pipeline.mistakes import KNOWN_KEYS, Number, Whole, between, rule
from pipeline.settings import Check, Section, Settings
from pipeline.stage import Job, Metrics, Stage
from wordkin.errors import InputError
from wordkin.files import scratch_folder
from wordkin.measures.files import write_matrix
from wordkin.vocabulary import Vocabulary


def subword_lengths(lengths: list[int]) -> str | None:
    """The rule for the least and the greatest length of subwords."""
    if len(lengths) == 2 and 0 <= lengths[0] <= lengths[1]:
        return None
    return "must be the least and the greatest length of subwords, [0, 0] for none"


@dataclass(frozen=True, config=KNOWN_KEYS)
class Fasttext(Section):
    """Skip-gram vectors."""

    KEY = "fasttext"

    trainer: Literal["wordkin", "fasttext"] = "wordkin"
    tokens: Annotated[Whole, between(1_000)] = 20_000_000
    dimensions: Annotated[Whole, between(2, 2000)] = 300
    window: Annotated[Whole, between(1, 50)] = 10
    epochs: Annotated[Whole, between(1)] = 1
    learning_rate: Annotated[Number, between(0.0001, 1)] = 0.1
    minimum_count: Annotated[Whole, between(1)] = 5
    sampling: Annotated[Number, between(0.0000001, 1)] = 0.00001
    subwords: Annotated[list[Whole], rule(subword_lengths)] = field(default_factory=lambda: [0, 0])
    buckets: Annotated[Whole, between(1_000)] = 200_000
    seed: Annotated[Whole, between(0)] = 0

    def mistakes(self, check: Check) -> Iterator[str]:
        if self.trainer == "fasttext" and any(self.subwords):
            yield "subwords: the package fasttext starts them from undefined numbers; write [0, 0]."


NEGATIVES, POWER = 5, 0.5
"""Negative samples per prediction, drawn by the counts of words to this power; as in fastText."""


class Trained(NamedTuple):
    """Vectors of words, and of n-grams in the rows after them."""

    words: dict[str, int]
    """The row of each word that was frequent enough to train."""
    inputs: NDArray[np.float32]
    settings: Fasttext

    def vectors(self, words: Sequence[str]) -> NDArray[np.float32]:
        """The vector of each word; zeros for one without a row and without n-grams."""
        vectors = np.zeros((len(words), self.settings.dimensions), np.float32)
        for at, word in enumerate(words):
            own = [self.words[word]] if word in self.words else []
            rows = [*own, *ngram_rows(word, len(self.words), self.settings)]
            if rows:
                vectors[at] = self.inputs[rows, : self.settings.dimensions].mean(axis=0)
        return vectors


def run(job: Job) -> Metrics:
    """Make matrices/<language>/fasttext: a unit vector for each word of the vocabulary."""
    return make_fasttext(job.layout, job.settings.section(Fasttext))


def make_fasttext(layout: Layout, settings: Fasttext) -> Metrics:
    """Train a model on the tokens, or a sample of them, and write the vocabulary's vectors."""
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    with scratch_folder(layout.matrices / "fasttext.training") as folder:
        text = read_text(layout, folder / "tokens.bin", settings.tokens)
        if settings.trainer == "fasttext":
            vectors = train_by_package(text, settings, folder / "text", vocabulary.words)
        else:
            vectors = train(text, settings).vectors(vocabulary.words)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors /= np.where(lengths > 0, lengths, 1)
    write_matrix(layout.measure("fasttext"), "fasttext", vectors=vectors)
    return {
        "documents": text.documents,
        "tokens": len(text.tokens),
        "all_tokens": text.all_tokens,
        "words": len(vocabulary),
        "dimensions": settings.dimensions,
        "words_not_trained": len(set(vocabulary) - set(frequent_words(text, settings))),
    }


class Prepared(NamedTuple):
    """What training needs besides the text."""

    words: list[str]
    """All words that are frequent enough, the most frequent first."""
    words_of: NDArray[np.int32]
    """The word of each type of the text, -1 for one that is too rare."""
    chances: NDArray[np.float32]
    rows: Rows
    table: NDArray[np.int32]
    model: Model


def frequent_words(text: TrainingText, settings: Fasttext) -> list[str]:
    """All words that are frequent enough to train, the most frequent first."""
    counts = np.bincount(text.tokens, minlength=len(text.types))
    frequent = np.flatnonzero(counts >= settings.minimum_count).tolist()
    if not frequent:
        raise InputError(
            f"fastText cannot train: no word occurs {settings.minimum_count} times. Give the "
            "language more text, or lower fasttext.minimum_count."
        )
    return [text.types[at] for at in sorted(frequent, key=lambda at: (-counts[at], text.types[at]))]


def prepare(text: TrainingText, settings: Fasttext) -> Prepared:
    """Choose the words to train, and start their vectors."""
    counts = np.bincount(text.tokens, minlength=len(text.types))
    words = frequent_words(text, settings)
    places = {word: at for at, word in enumerate(text.types)}
    order = [places[word] for word in words]
    words_of = np.full(len(text.types), -1, np.int32)
    words_of[order] = np.arange(len(order))
    buckets = settings.buckets if settings.subwords[1] else 0
    return Prepared(
        words,
        words_of,
        keep_chances(counts[order], len(text.tokens), settings.sampling),
        rows_of(words, settings),
        negative_table(counts[order], POWER),
        start(len(words) + buckets, len(words), settings.dimensions, settings.seed),
    )


def train(text: TrainingText, settings: Fasttext, is_cbow: bool = False) -> Trained:
    """Train vectors of all words that are frequent enough."""
    words, words_of, chances, rows, table, model = prepare(text, settings)
    plan = Plan(settings.window, NEGATIVES, settings.epochs, settings.learning_rate, is_cbow)
    negative_sampling.train(model, text.tokens, text.bounds, words_of, chances, rows, table, plan)
    return Trained({word: at for at, word in enumerate(words)}, model.inputs, settings)


def train_by_package(
    text: TrainingText, settings: Fasttext, path: Path, words: Sequence[str]
) -> NDArray[np.float32]:
    """The vectors of `words` as the package fasttext trains them; the text goes to `path`.

    The package leaves its start vectors undefined, so each word starts from numbers of ours.
    """
    import fasttext  # type: ignore[import-not-found,import-untyped,unused-ignore]

    frequent = frequent_words(text, settings)
    begin = start(len(frequent), len(frequent), settings.dimensions, settings.seed).inputs
    starts = path.with_suffix(".vec")
    with starts.open("w", encoding="utf-8") as file:
        file.write(f"{len(frequent)} {settings.dimensions}\n")
        for word, row in zip(frequent, begin[:, : settings.dimensions].tolist(), strict=True):
            file.write(f"{word} {' '.join(map(repr, row))}\n")
    with path.open("w", encoding="utf-8") as file:
        for first, last in pairwise(text.bounds.tolist()):
            file.write(" ".join(text.types[at] for at in text.tokens[first:last]) + "\n")
    model = fasttext.train_unsupervised(
        str(path),
        model="skipgram",
        dim=settings.dimensions,
        ws=settings.window,
        epoch=settings.epochs,
        lr=settings.learning_rate,
        minCount=settings.minimum_count,
        t=settings.sampling,
        minn=0,
        maxn=0,
        pretrainedVectors=str(starts),
        neg=NEGATIVES,
        thread=1,
        verbose=0,
    )
    trained = set(frequent)
    vectors = np.zeros((len(words), settings.dimensions), np.float32)
    for at, word in enumerate(words):
        if word in trained:
            vectors[at] = model.get_word_vector(word)
    return vectors


def rows_of(words: Sequence[str], settings: Fasttext) -> Rows:
    """The rows that each word is the mean of: its own, and those of its n-grams."""
    rows = [[at, *ngram_rows(word, len(words), settings)] for at, word in enumerate(words)]
    starts = np.cumsum([0, *map(len, rows)])
    return Rows(starts, np.array([row for of_word in rows for row in of_word], np.int32))


def ngram_rows(word: str, words: int, settings: Fasttext) -> list[int]:
    """The rows of a word's n-grams, which come after those of the words."""
    shortest, longest = settings.subwords
    return (ngram_buckets(word, shortest, longest, settings.buckets) + words).tolist()


def ngram_buckets(word: str, shortest: int, longest: int, buckets: int) -> NDArray[np.int64]:
    """The buckets of a word's n-grams, by fastText's hash of `<word>`; single brackets are none."""
    if longest <= 0:
        return np.empty(0, np.int64)
    bracketed = f"<{word}>"
    grams = [
        bracketed[start : start + length].encode()
        for start in range(len(bracketed))
        for length in range(max(shortest, 1), longest + 1)
        if start + length <= len(bracketed)
        and not (length == 1 and start in (0, len(bracketed) - 1))
    ]
    return np.array([_hash(np.frombuffer(gram, np.int8)) % buckets for gram in grams], np.int64)


@numba.njit(cache=True)
def _hash(letters: np.ndarray) -> int:
    """FNV-1a of signed bytes, as fastText computes it."""
    value = np.uint32(2166136261)
    for letter in letters:
        value = np.uint32(value ^ np.uint32(np.int32(letter)))
        value = np.uint32(value * np.uint32(16777619))
    return int(value)


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    return (
        f"{metrics['documents']:,} documents with {metrics['tokens']:,} of "
        f"{metrics['all_tokens']:,} tokens in, {metrics['words']:,} vectors of "
        f"{metrics['dimensions']} dimensions out, {metrics['words_not_trained']:,} of them of "
        "words that are too rare to train"
    )


def memory(sizes: Sizes, settings: Settings) -> float:
    """The text as numbers, and the vectors of types and subwords."""
    fasttext = settings.section(Fasttext)
    trained = max(0.3 * sizes.types, sizes.words)
    trained += fasttext.buckets if any(fasttext.subwords) else 0
    text = 16.0 * min(sizes.tokens, fasttext.tokens)
    return text + 8.0 * trained * fasttext.dimensions + 200.0 * sizes.types


STAGE = Stage(
    "fasttext",
    run,
    describe,
    reads=("tokens", "vocabulary"),
    writes=("fasttext",),
    section=Fasttext,
    memory=memory,
    advice="set fasttext.tokens or fasttext.dimensions to a lower number",
)
