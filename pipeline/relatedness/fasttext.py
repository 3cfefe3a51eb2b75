"""tokens, vocabulary -> fasttext: skip-gram vectors, trained by the fasttext library."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, Literal, NamedTuple

import fasttext
import numpy as np

from pipeline.corpus import token_shards
from pipeline.corpus.lemma_table import LemmaTable
from pipeline.layout import Layout
from pipeline.settings import Fasttext
from pipeline.stage import Job, Metrics
from wordkin.errors import InputError
from wordkin.files import scratch_folder
from wordkin.measures import write_measure
from wordkin.vocabulary import Vocabulary

FRESH_MEMORY = 32 << 20
"""The C library takes new, zeroed pages for any request of at least this many bytes. The table of
subword vectors is never smaller, so that these vectors start at zero."""


def run(job: Job) -> Metrics:
    """Make matrices/<language>/fasttext: a unit vector for each word of the vocabulary."""
    return make_fasttext(job.layout, job.settings.fasttext)


def make_fasttext(layout: Layout, settings: Fasttext) -> Metrics:
    """Train a model on the tokens, or a sample of them, and write the vocabulary's vectors."""
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    with scratch_folder(layout.matrices / "fasttext.training") as folder:
        text = write_documents(layout, folder / "tokens.txt", settings.tokens)
        model = train(folder / "tokens.txt", settings)
    trained = set(model.get_words())
    vectors = np.stack([model.get_word_vector(word) for word in vocabulary]).astype(np.float32)
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors /= np.where(lengths > 0, lengths, 1)
    write_measure(layout.measure("fasttext"), "fasttext", "vectors", {"vectors": vectors})
    return {
        "documents": text.documents,
        "tokens": text.tokens,
        "all_tokens": text.all_tokens,
        "words": len(vocabulary),
        "dimensions": settings.dimensions,
        "words_not_trained": sum(word not in trained for word in vocabulary),
    }


def train(text: Path, settings: Fasttext, model: Literal["skipgram", "cbow"] = "skipgram") -> Any:
    """Train a model on a file with one document per line."""
    # The library initialises only a tenth of the vectors per thread and leaves whatever the memory
    # held in the others, so we give it a start vector for each word.
    words = call(text, settings, dim=1, epoch=0, minn=0, maxn=0, thread=1, verbose=0).get_words()
    start = text.with_name("start.vec")
    write_start(start, words, settings)
    return call(text, settings, model=model, pretrainedVectors=str(start))


def call(text: Path, settings: Fasttext, **overrides: Any) -> Any:
    """Call the library's training with the settings, some of them overridden."""
    # The library has a seed, but reads it only from its defaults.
    fasttext.FastText.unsupervised_default["seed"] = settings.seed
    options = {
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
        return fasttext.train_unsupervised(str(text), **{**options, **overrides})
    except ValueError as error:  # what the library raises when no word is frequent enough
        raise InputError(
            f"fastText cannot train: {error} Give the language more text, or lower "
            "fasttext.minimum_count."
        ) from error


def write_start(path: Path, words: list[str], settings: Fasttext) -> None:
    """Write a random start vector for each word, in fastText's text format.

    Each number is one of 1,999 evenly spaced ones between -1/dimensions and 1/dimensions.
    """
    steps = np.arange(-999, 1000) / (1000 * settings.dimensions)
    spelled = np.array([f" {step:+.3e}" for step in steps], dtype="S")
    random = np.random.default_rng(settings.seed)
    with path.open("wb") as file:
        file.write(f"{len(words)} {settings.dimensions}\n".encode())
        for word in words:
            chosen = spelled[random.integers(len(spelled), size=settings.dimensions)]
            file.write(word.encode() + chosen.tobytes() + b"\n")


class TrainingText(NamedTuple):
    """How much text a model was trained on, and how much there is."""

    documents: int
    tokens: int
    all_tokens: int


def write_documents(layout: Layout, path: Path, most_tokens: int | None = None) -> TrainingText:
    """Write words as text, one document per line: all, or about `most_tokens` of them.

    Words are lemmas where the vocabulary has a table of them. If there are too many tokens, the
    documents are an even sample of all (`pipeline.corpus.token_shards.in_sample`).
    """
    lemmas = LemmaTable.of_vocabulary(layout.vocabulary)
    shards = token_shards.shard_files(layout.tokens)
    all_tokens = sum(map(token_shards.count_tokens, shards))
    share = min(1.0, most_tokens / max(all_tokens, 1)) if most_tokens else 1.0
    documents = tokens = 0
    with path.open("wb") as file:
        for shard in shards:
            mapping = lemmas.map if lemmas else None
            for text in token_shards.lines_of_text(shard, mapping, share):
                file.writelines(text.lines)
                documents += len(text.lines)
                tokens += text.tokens
    return TrainingText(documents, tokens, all_tokens)


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    return (
        f"{metrics['documents']:,} documents with {metrics['tokens']:,} of "
        f"{metrics['all_tokens']:,} tokens in, {metrics['words']:,} vectors of "
        f"{metrics['dimensions']} dimensions out, {metrics['words_not_trained']:,} of them of "
        "words that are too rare to train"
    )
