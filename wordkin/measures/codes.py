"""Numbers of words in few bits: the arrays `codes`, `frequent_codes`, `scales` and `weights`.

A number of b bits is a whole number from -(2^(b-1) - 1) to 2^(b-1) - 1. With 8 bits it is an int8.
With fewer it is stored plus 2^(b-1), so that it is not negative, and as many numbers as fill whole
bytes are packed together, lowest bits first: two numbers of 4 bits per byte, four of 6 bits in
three bytes, eight of 3 bits in three bytes. Each word begins a byte.

People ask for frequent words, so the first words of a vocabulary may have more bits than all
others. Each word has a scale of its own, so that its numbers mean the same whatever their bits.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordkin.arrays import Floats

FEWEST_BITS, MOST_BITS = 2, 8


def middle(bits: int) -> int:
    """What is added to a number of so many bits, fewer than 8, so that it is not negative."""
    return 1 << (bits - 1)


def _group(bits: int) -> tuple[int, int]:
    """The fewest numbers that fill whole bytes, and how many bytes they fill."""
    common = math.gcd(bits, 8)
    return 8 // common, bits // common


def code_bytes(directions: int, bits: int) -> int:
    """The bytes of one word's numbers."""
    numbers, size = _group(bits)
    return size * -(-directions // numbers)


def pack(numbers: NDArray[np.int8], bits: int) -> NDArray[Any]:
    """Pack whole numbers into so many bits each, one row per word."""
    if bits == MOST_BITS:
        return numbers
    together, size = _group(bits)
    words, directions = numbers.shape
    groups = np.zeros((words, -(-directions // together), together), dtype=np.uint8)
    groups.reshape(words, groups.shape[1] * together)[:, :directions] = numbers + middle(bits)
    packed = np.zeros((*groups.shape[:2], size), dtype=np.uint8)
    for place in range(together):
        byte, shift = divmod(place * bits, 8)
        packed[..., byte] |= groups[..., place] << shift
        if shift + bits > 8:
            packed[..., byte + 1] |= groups[..., place] >> (8 - shift)
    return packed.reshape(words, groups.shape[1] * size)


class Packed(NamedTuple):
    """The packed numbers of some words, one row per word, and the bits of each number."""

    rows: NDArray[np.integer[Any]]
    bits: int

    def numbers(self, directions: int, words: Any = slice(None)) -> NDArray[np.int8]:
        """The numbers of some words."""
        rows, bits = self.rows[words], self.bits
        if bits == MOST_BITS:
            return np.asarray(rows)
        together, size = _group(bits)
        packed = rows.reshape(len(rows), rows.shape[1] // size, size)
        out = np.empty((*packed.shape[:2], together), dtype=np.int8)
        for place in range(together):
            byte, shift = divmod(place * bits, 8)
            number = packed[..., byte] >> shift
            if shift + bits > 8:
                number = number | packed[..., byte + 1] << (8 - shift)
            out[..., place] = number & ((1 << bits) - 1)
        out -= np.int8(middle(bits))
        return out.reshape(len(rows), out.shape[1] * together)[:, :directions]


@dataclass(frozen=True)
class Codes:
    """The numbers of all words, and what they weigh.

    Attributes
    ----------
    others : Packed
        The numbers of all words but the first ones.
    scales : array of float32, words
        The numbers of a word are its whole numbers times its scale.
    weights : array of float32, directions
        The relatedness of two words is the sum over d of weights[d] a[d] b[d].
    frequent : Packed or None
        The numbers of the first words.
    """

    others: Packed
    scales: Floats
    weights: Floats
    frequent: Packed | None = None

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays by their names in the folder of a measure."""
        first = {} if self.frequent is None else {"frequent_codes": self.frequent.rows}
        return {
            "codes": self.others.rows,
            "scales": self.scales,
            "weights": self.weights,
            **first,
        }

    def facts(self) -> Mapping[str, Any]:
        """What `measure.json` says about the arrays."""
        return {"bits": self.bits}

    @property
    def bits(self) -> list[int]:
        """The bits per number: of the first words, if they have others, and of all others."""
        return [part.bits for part in (self.frequent, self.others) if part is not None]

    def whole_numbers(self, words: Any = slice(None)) -> NDArray[np.int8]:
        """The numbers of some words before they are scaled, one row per word."""
        directions = len(self.weights)
        if self.frequent is None:
            return self.others.numbers(directions, words)
        first = len(self.frequent.rows)
        if isinstance(words, slice):
            words = np.arange(len(self.scales))[words]
        out = np.empty((len(words), directions), dtype=np.int8)
        is_first = words < first
        out[is_first] = self.frequent.numbers(directions, words[is_first])
        out[~is_first] = self.others.numbers(directions, words[~is_first] - first)
        return out

    def numbers(self, words: Any = slice(None)) -> Floats:
        """The numbers of some words, one row per word."""
        out = self.whole_numbers(words).astype(np.float32)
        out *= self.scales[words, None]
        return out
