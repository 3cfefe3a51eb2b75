"""The n-grams of a word, and the bucket of each: as fastText numbers them."""

from __future__ import annotations

import numba
import numpy as np
from numpy.typing import NDArray


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
