"""Vectors in the formats of word2vec and GloVe."""

from __future__ import annotations

from pathlib import Path

from wordkin.arrays import Floats
from wordkin.errors import InputError
from wordkin.exports.format import Format, Request
from wordkin.files import new_file
from wordkin.measures.measure import Measure


def write_word2vec(measure: Measure, path: Path, binary: bool) -> None:
    """Write vectors as word2vec does, for gensim's `KeyedVectors.load_word2vec_format`."""
    vectors = _vectors_of(measure, "word2vec")
    with new_file(path) as temporary, temporary.open("wb") as file:
        file.write(f"{len(vectors)} {vectors.shape[1]}\n".encode())
        for word, vector in zip(measure.vocabulary.words, vectors, strict=True):
            if binary:
                file.write(f"{word} ".encode() + vector.astype("<f4").tobytes())
            else:
                file.write(_line(word, vector.tolist()))


def write_glove(measure: Measure, path: Path) -> None:
    """Write vectors as GloVe does: one line per word, no header."""
    vectors = _vectors_of(measure, "glove")
    with new_file(path) as temporary, temporary.open("wb") as file:
        for word, vector in zip(measure.vocabulary.words, vectors, strict=True):
            file.write(_line(word, vector.tolist()))


def _vectors_of(measure: Measure, format_name: str) -> Floats:
    vectors = measure.unit_vectors()
    if vectors is None:
        raise InputError(
            f"The measure '{measure.name}' has no vectors: export svd or fasttext as {format_name}."
        )
    return vectors


def _line(word: str, vector: list[float]) -> bytes:
    numbers = " ".join(f"{value:.7g}" for value in vector)
    return f"{word} {numbers}\n".encode()


def _text(request: Request) -> None:
    write_word2vec(request.measure, request.path, binary=False)


def _binary(request: Request) -> None:
    write_word2vec(request.measure, request.path, binary=True)


def _glove(request: Request) -> None:
    write_glove(request.measure, request.path)


FORMATS = {
    "word2vec": Format("vectors as text, for gensim (svd, fasttext)", _text),
    "word2vec-binary": Format(
        "vectors as word2vec's binary file, for gensim (svd, fasttext)", _binary
    ),
    "glove": Format("vectors as GloVe's text without a header (svd, fasttext)", _glove),
}
