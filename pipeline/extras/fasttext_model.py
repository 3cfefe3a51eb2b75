"""fastText's .bin models, without loading them: only the rows that words need are read.

    int32     793712314 (MAGIC), then the version 12
    int32     12 settings: dimensions, ..., bucket (9th), minn (10th), maxn (11th), ...; one double
    int32     entries, words, labels; int64 tokens, int64 pruned (-1 for none)
    entries   a word that ends in a zero byte, int64 count, int8 type (0: a word)
    bool      whether the matrix is quantized
    int64     rows, columns; then the rows as 32-bit floats: words first, then buckets of n-grams

The vector of a word is the mean of its own row and the rows of its n-grams, and of these alone for
a word that the model does not list.
"""

from __future__ import annotations

import mmap
import struct
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from pipeline.measures.fasttext import ngram_buckets
from pipeline.measures.sparse import Floats
from wordkin.errors import InputError

MAGIC = struct.pack("<i", 793712314)
VERSION = 12

_SETTINGS = struct.Struct("<12id")
_SIZES = struct.Struct("<3i2q")
_MATRIX = struct.Struct("<2q")


def read(path: Path, words: Sequence[str]) -> Iterator[tuple[str, Floats]]:
    """The vectors of `words`; a word without a row and without n-grams has none."""
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        try:
            yield from _vectors(path, content, words)
        except (struct.error, ValueError, IndexError, OverflowError) as error:
            raise InputError(f"{path} is no complete fastText model: get it again.") from error


def _vectors(path: Path, content: mmap.mmap, words: Sequence[str]) -> Iterator[tuple[str, Floats]]:
    (version,) = struct.unpack_from("<i", content, 4)
    if version != VERSION:
        raise InputError(f"{path} has fastText's format {version}; only {VERSION} can be read.")
    at = 8
    dimensions, *_, buckets, shortest, longest, _, _ = _SETTINGS.unpack_from(content, at)
    at += _SETTINGS.size
    entries, listed, _, _, pruned = _SIZES.unpack_from(content, at)
    at += _SIZES.size
    rows: dict[str, int] = {}
    for entry in range(entries):
        end = content.find(b"\0", at)
        if end < 0:
            raise ValueError("a word does not end")
        if entry < listed:
            rows[content[at:end].decode("utf-8", "replace")] = entry
        at = end + 10  # after the zero byte, the count and the type
    quantized = content[at + 8 * max(pruned, 0)]
    if pruned >= 0 or quantized:
        raise InputError(f"{path} is a compressed model: give the .bin that it was made from.")
    total, columns = _MATRIX.unpack_from(content, at + 1)
    if columns != dimensions or total < listed:
        raise ValueError("the sizes contradict each other")
    offset = at + 1 + _MATRIX.size
    if len(content) < offset + 4 * total * columns:
        raise ValueError("the matrix is cut")
    # A copy: a view of the map would keep it from being closed.
    for word in words:
        own = [rows[word]] if word in rows else []
        grams = ngram_buckets(word, shortest, longest, buckets) + listed if buckets else []
        chosen = [*own, *grams]
        if chosen:
            vectors = [
                np.frombuffer(content[start : start + 4 * columns], "<f4")
                for start in (offset + 4 * columns * int(row) for row in chosen)
            ]
            yield word, np.mean(vectors, axis=0, dtype=np.float32)
