"""Vectors in the formats of word2vec."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from wordkin.bundle import Bundle
from wordkin.errors import InputError
from wordkin.exports.format import Format
from wordkin.files import new_file
from wordkin.measures import Measure, VectorMeasure


def write_word2vec(measure: Measure, path: Path, binary: bool) -> None:
    """Write vectors as word2vec does, for gensim's `KeyedVectors.load_word2vec_format`."""
    if not isinstance(measure, VectorMeasure):
        raise InputError(
            f"The measure '{measure.name}' has no vectors: export svd or fasttext as word2vec."
        )
    with new_file(path) as temporary, temporary.open("wb") as file:
        file.write(f"{len(measure.vocabulary)} {measure.vectors.shape[1]}\n".encode())
        for word, vector in zip(measure.vocabulary.words, measure.vectors, strict=True):
            if binary:
                file.write(f"{word} ".encode() + vector.astype("<f4").tobytes())
            else:
                numbers = " ".join(f"{value:.7g}" for value in vector.tolist())
                file.write(f"{word} {numbers}\n".encode())


def _text(
    bundle: Bundle, measure: Measure, path: Path, words: Sequence[str] | None, top: int | None
) -> None:
    write_word2vec(measure, path, binary=False)


def _binary(
    bundle: Bundle, measure: Measure, path: Path, words: Sequence[str] | None, top: int | None
) -> None:
    write_word2vec(measure, path, binary=True)


FORMATS = {
    "word2vec": Format("vectors as text, for gensim (svd, fasttext)", _text),
    "word2vec-binary": Format(
        "vectors as word2vec's binary file, for gensim (svd, fasttext)", _binary
    ),
}
