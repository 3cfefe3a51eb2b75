"""Tokens to fastText vectors: skip-gram, trained by the fasttext library."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import fasttext
import numpy as np

from pipeline.corpus import token_shards
from pipeline.layout import Layout
from pipeline.settings import Fasttext
from pipeline.stage import Job, Metrics
from wordkin.errors import InputError
from wordkin.files import scratch_folder
from wordkin.measures import write_measure
from wordkin.vocabulary import Vocabulary

FRESH_MEMORY = 32 << 20
"""Bytes from which the C library always takes new, zeroed pages: subword vectors start at zero
because their table is never smaller."""


def run(job: Job) -> Metrics:
    """Make matrices/<lang>/fasttext: a unit vector for each word of the vocabulary."""
    return make_fasttext(job.layout, job.settings.fasttext)


def make_fasttext(layout: Layout, settings: Fasttext) -> Metrics:
    """Train a model on the tokens, and write the vectors of the vocabulary's words."""
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    with scratch_folder(layout.matrices / "fasttext.training") as folder:
        documents = write_text(layout.tokens, folder / "tokens.txt")
        model = train(folder / "tokens.txt", settings)
    trained = set(model.get_words())
    vectors = np.stack([model.get_word_vector(word) for word in vocabulary]).astype(np.float32)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors /= np.where(lengths > 0, lengths, 1)
    write_measure(layout.measure("fasttext"), "fasttext", "vectors", {"vectors": vectors})
    return {
        "documents": documents,
        "words": len(vocabulary),
        "dimensions": settings.dimensions,
        "words_not_trained": sum(word not in trained for word in vocabulary),
    }


def train(text: Path, settings: Fasttext) -> Any:
    """A model of a file with one document a line."""
    # The library's own start fills a tenth of the vectors a thread and leaves whatever the
    # memory held in the others, so each word gets a start from us.
    words = call(text, settings, dim=1, epoch=0, minn=0, maxn=0, thread=1, verbose=0).get_words()
    start = text.with_name("start.vec")
    write_start(start, words, settings)
    return call(text, settings, pretrainedVectors=str(start))


def call(text: Path, settings: Fasttext, **instead: Any) -> Any:
    """The library's training by the settings, some of them replaced."""
    # The library takes a seed, and hands it on from its defaults alone.
    fasttext.FastText.unsupervised_default["seed"] = settings.seed
    given = {
        "model": "skipgram",
        "dim": settings.dimensions,
        "ws": settings.window,
        "epoch": settings.epochs,
        "lr": settings.learning_rate,
        "minCount": settings.minimum_count,
        "t": settings.sampling,
        "minn": settings.subwords[0],
        "maxn": settings.subwords[1],
        "bucket": max(settings.buckets, FRESH_MEMORY // (4 * settings.dimensions) + 1),
        "thread": settings.threads,
        "verbose": 2 if sys.stderr.isatty() else 0,
    }
    try:
        return fasttext.train_unsupervised(str(text), **{**given, **instead})
    except ValueError as error:  # the library's word for a text without one frequent word
        raise InputError(
            f"fastText cannot train: {error} Give the language more text, or lower "
            "fasttext.minimum_count."
        ) from error


def write_start(path: Path, words: list[str], settings: Fasttext) -> None:
    """Write a random vector for each word, in fastText's text format.

    Each number is one of 1,999 between -1/dimensions and 1/dimensions.
    """
    steps = np.arange(-999, 1000) / (1000 * settings.dimensions)
    spelled = np.array([f" {step:+.3e}" for step in steps], dtype="S")
    random = np.random.default_rng(settings.seed)
    with path.open("wb") as file:
        file.write(f"{len(words)} {settings.dimensions}\n".encode())
        for word in words:
            chosen = spelled[random.integers(len(spelled), size=settings.dimensions)]
            file.write(word.encode() + chosen.tobytes() + b"\n")


def write_text(tokens: Path, path: Path) -> int:
    """Write all tokens as text, one document a line; tells how many documents."""
    documents = 0
    with path.open("wb") as file:
        for part in token_shards.shard_files(tokens):
            for lines in token_shards.lines_of_text(part):
                file.writelines(lines)
                documents += len(lines)
    return documents


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    return (
        f"{metrics['documents']:,} documents in, {metrics['words']:,} vectors of "
        f"{metrics['dimensions']} dimensions out, {metrics['words_not_trained']:,} of them for "
        "words too rare to train"
    )
