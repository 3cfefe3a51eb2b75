"""Subwords: a vector for any string, from the vectors of its character n-grams.

A bundle may have a folder `subwords`, which the stage publish learns from a measure of vectors:

    grams.npy, gram_scales.npy    one vector per bucket of n-grams, in 8 bits with a scale per row
    words.npy, word_scales.npy    the vectors of the most frequent words, in the same form
    mean.npy                      the vector of a string whose n-grams say nothing

The vector of a string is the mean vector plus the average of its n-grams' vectors. An n-gram's
bucket is its CRC-32, modulo the number of buckets.
"""

from __future__ import annotations

import zlib
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordkin.arrays import Floats, largest, open_array, write_array
from wordkin.errors import InputError
from wordkin.language.resolution import Match, Step, weighted
from wordkin.vocabulary import Vocabulary

FOLDER = "subwords"
SHORTEST, LONGEST = 3, 5
"""The lengths of the n-grams, borders included."""

ANSWERS = 8
"""The number of known words that stand for a string."""

SHARPNESS = 4.0
"""The power to which the cosines are raised to give the weights."""


def grams(word: str) -> list[str]:
    """The n-grams of a word with its borders.

    >>> grams("cat")
    ['<ca', 'cat', 'at>', '<cat', 'cat>', '<cat>']
    """
    bordered = f"<{word}>"
    return [
        bordered[at : at + length]
        for length in range(SHORTEST, LONGEST + 1)
        for at in range(len(bordered) - length + 1)
    ]


def buckets(word: str, number: int) -> list[int]:
    """The bucket of each n-gram of a word."""
    return [zlib.crc32(gram.encode("utf-8")) % number for gram in grams(word)]


class Quantized(NamedTuple):
    """Vectors in 8 bits: the values of a row are its codes times its scale."""

    codes: NDArray[np.int8]
    scales: Floats

    def values(self, rows: Any = slice(None)) -> Floats:
        """Return rows as floats."""
        return self.codes[rows].astype(np.float32) * self.scales[rows, None]


def quantize(vectors: NDArray[np.floating]) -> Quantized:
    """Write vectors in 8 bits, with the largest value of each row as ±127."""
    scales = np.abs(vectors).max(axis=1, initial=0.0) / 127
    codes = np.rint(vectors / np.where(scales > 0, scales, 1.0)[:, None])
    return Quantized(codes.astype(np.int8), scales.astype(np.float32))


class Subwords:
    """Vectors of n-grams and of the most frequent words.

    Parameters
    ----------
    grams : Quantized
        One row per bucket.
    words : Quantized
        One row per word: the first words of the vocabulary, in its order.
    mean : array of float32
        The mean vector.
    """

    def __init__(self, grams: Quantized, words: Quantized, mean: Floats) -> None:
        self.grams, self.words, self.mean = grams, words, mean

    @cached_property
    def _units(self) -> Floats:
        """The vectors of the words with unit length."""
        vectors = self.words.values()
        lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
        return np.asarray(vectors / np.where(lengths > 0, lengths, 1.0), dtype=np.float32)

    def vector(self, word: str) -> Floats:
        """Return the vector of any string."""
        rows = self.grams.values(buckets(word, len(self.grams.codes)))
        return np.asarray(self.mean + rows.mean(axis=0), dtype=np.float32)

    def resolve(self, word: str, vocabulary: Vocabulary) -> Match:
        """Match the known words whose vectors are nearest, weighted by their cosines."""
        vector = self.vector(word)
        # Not by BLAS: its sums depend on the number of threads.
        cosines = np.einsum("ij,j->i", self._units, vector / (np.linalg.norm(vector) or 1.0))
        nearest = largest(cosines, ANSWERS).tolist()
        # A tiny weight at least: all cosines may be 0 or below.
        pairs = [(vocabulary.words[i], max(float(cosines[i]), 1e-3) ** SHARPNESS) for i in nearest]
        words = weighted(pairs)
        return Match((Step("subwords", word, tuple(entry.word for entry in words)),), words)


def write_subwords(folder: Path, subwords: Subwords) -> None:
    """Write the arrays of a bundle's folder `subwords`."""
    for name, vectors in (("gram", subwords.grams), ("word", subwords.words)):
        write_array(folder / f"{name}s.npy", vectors.codes)
        write_array(folder / f"{name}_scales.npy", vectors.scales)
    write_array(folder / "mean.npy", subwords.mean)


def open_subwords(folder: Path, words: int, thorough: bool = False) -> Subwords | None:
    """Open the folder `subwords` of a bundle with so many words; None if there is none.

    See `wordkin.arrays.open_array` for `thorough`.
    """
    if not folder.is_dir():
        return None
    mean = open_array(folder / "mean.npy", (None,), thorough=thorough)
    quantized = []
    for name in ("gram", "word"):
        scales = open_array(folder / f"{name}_scales.npy", (None,), low=0, thorough=thorough)
        codes = open_array(folder / f"{name}s.npy", (len(scales), len(mean)), "i")
        if codes.dtype != np.int8 or not codes.size:
            raise InputError(f"{folder} has arrays that do not fit: make or copy it again.")
        quantized.append(Quantized(codes, scales))
    grams, known = quantized
    if len(known.codes) > words:
        raise InputError(f"{folder} has more words than the vocabulary: make or copy it again.")
    return Subwords(grams, known, mean)
