"""Tokens to fastText vectors: skip-gram, trained by the fasttext library."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

import fasttext
import numpy as np

from pipeline import parts
from pipeline.layout import Layout
from pipeline.settings import Fasttext
from wordkin.errors import InputError
from wordkin.measures import write_measure
from wordkin.vocabulary import Vocabulary


def run(layout: Layout, settings: Fasttext) -> dict[str, Any]:
    """Make matrices/<lang>/fasttext: a unit vector for each word of the vocabulary."""
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    with tempfile.TemporaryDirectory(dir=layout.matrices, prefix="fasttext.building.") as folder:
        text = Path(folder) / "tokens.txt"
        documents = write_text(layout.tokens, text)
        model = train(text, settings)
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
    # The library takes a seed, and hands it on from its defaults alone.
    fasttext.FastText.unsupervised_default["seed"] = settings.seed
    try:
        return fasttext.train_unsupervised(
            str(text),
            model="skipgram",
            dim=settings.dimensions,
            ws=settings.window,
            epoch=settings.epochs,
            lr=settings.learning_rate,
            minCount=settings.minimum_count,
            t=settings.sampling,
            minn=settings.subwords[0],
            maxn=settings.subwords[1],
            bucket=settings.buckets,
            thread=settings.threads,
            verbose=2 if sys.stderr.isatty() else 0,
        )
    except ValueError as error:  # the library's word for a text without one frequent word
        raise InputError(
            f"fastText cannot train: {error} Give the language more text, or lower "
            "fasttext.minimum_count."
        ) from error


def write_text(tokens: Path, path: Path) -> int:
    """Write all tokens as text, one document a line; tells how many documents."""
    documents = 0
    with path.open("wb") as file:
        for part in parts.part_files(tokens):
            for lines in parts.lines_of_text(part):
                file.writelines(lines)
                documents += len(lines)
    return documents


def describe(metrics: dict[str, Any]) -> str:
    """The stage's one-line summary."""
    return (
        f"{metrics['documents']:,} documents in, {metrics['words']:,} vectors of "
        f"{metrics['dimensions']} dimensions out, {metrics['words_not_trained']:,} of them for "
        "words too rare to train"
    )
