"""Pairs of words in few bits: a sparse symmetric matrix of small numbers, cut into square tiles.

The words are divided into bands of 64 neighbouring ids. A tile holds the pairs of one band with
itself or with an earlier one, each pair once. The place of a pair in its tile is its *cell*: 64
times the place of the later word in its band, plus the place of the earlier word. A tile with n
pairs stores their cells, ascending, by the code of Elias and Fano: the lowest bits of each cell as
they are, all other bits as the places of ones among zeros. The number of low bits depends on n
alone, so that nothing else has to be stored. A tile in which a quarter of the cells have a pair
has one bit per cell instead.

    tile_counts    uint16, tiles    the pairs of each tile: (0, 0), (1, 0), (1, 1), (2, 0), ...
    tile_highs     uint8            the high bits of the cells; every tile begins a byte
    tile_lows      uint8            the low bits of the cells, one after the other
    tile_codes     uint8            the numbers of all pairs, one after the other

All bits are counted from the lowest bit of the first byte. `tile_lows` and `tile_codes` end with
three more bytes, so that any number can be read from three bytes in a row.

A worked example: with 3 words and the pairs (1, 0) and (2, 1), the only tile has the cells 64 and
129, n = 2 and 10 low bits, since that takes the fewest bits in all. The high bits of both cells
are 0. `tile_highs` is 0b00000011: two ones for the two cells with high bits 0, then a zero for each
possible value of the high bits. `tile_lows` begins with 64 and 129 in 10 bits each.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordkin.arrays import Ids
from wordkin.errors import InputError

SIDE = 64
"""The words of a band."""
CELLS = SIDE * SIDE
DENSE = CELLS // 4
"""A tile with so many pairs has one bit per cell."""
SPARE_BYTES = 3
"""The bytes after the last number of a stream."""
_ENTRIES_AT_ONCE = 1 << 19
"""About how many pairs are decoded at a time: their arrays take 60 MB."""

Bytes = NDArray[np.uint8]


def _low_bits(count: int) -> int:
    """The number of low bits that takes the fewest bits for `count` cells; the least of equals."""
    if not 0 < count < DENSE:
        return 0
    return min(range(CELLS.bit_length()), key=lambda low: (count * low + (CELLS >> low), low))


LOW_BITS = np.array([_low_bits(count) for count in range(CELLS + 1)], dtype=np.int64)
"""The low bits per cell, by the number of pairs in a tile."""


def _high_bytes() -> Ids:
    counts = np.arange(CELLS + 1)
    bits = np.where(counts >= DENSE, CELLS, counts + (CELLS >> LOW_BITS))
    return np.where(counts > 0, -(-bits // 8), 0)


HIGH_BYTES = _high_bytes()
"""The bytes of high bits, by the number of pairs in a tile."""


def tiles_of(words: int) -> int:
    """The number of tiles of so many words."""
    bands = -(-words // SIDE)
    return bands * (bands + 1) // 2


class Decoded(NamedTuple):
    """The pairs of some tiles, one tile after the other."""

    tile: Ids
    """The place of each pair's tile among the tiles that were asked for."""
    cell: Ids
    """Ascending within a tile."""
    number: Ids
    """The number of each pair among all pairs."""


class Partners(NamedTuple):
    """The pairs of some words."""

    row: Ids
    """The place of the word among those that were asked for."""
    partner: Ids
    """The other word of the pair."""
    number: Ids
    """The number of the pair."""


@dataclass(frozen=True)
class TiledPairs:
    """The pairs of a symmetric matrix, each with a code of a few bits.

    Attributes
    ----------
    words : int
        The number of words.
    bits : int
        The bits of a code, at most 16.
    counts, highs, lows, codes : array
        The arrays of the module's docstring, without the prefix `tile_`.
    place : str
        Where they are, for error messages.
    """

    words: int
    bits: int
    counts: NDArray[np.integer[Any]]
    highs: Bytes
    lows: Bytes
    codes: Bytes
    place: str = "a measure"

    @property
    def bands(self) -> int:
        """The number of bands."""
        return -(-self.words // SIDE)

    @property
    def pairs(self) -> int:
        """The number of pairs; ab and ba are one."""
        return int(self._first[0][-1])

    @cached_property
    def _first(self) -> tuple[Ids, Ids, Ids]:
        """Per tile, and for the end: its first pair, its first high byte, its first low bit."""
        counts = np.minimum(self.counts, CELLS)
        sizes = (counts, HIGH_BYTES[counts], counts * LOW_BITS[counts])
        return tuple(  # type: ignore[return-value]
            np.concatenate([[0], np.cumsum(size, dtype=np.int64)]) for size in sizes
        )

    def fits(self) -> bool:
        """Whether the arrays have the sizes that the counts say."""
        pairs, highs, lows = (int(ends[-1]) for ends in self._first)
        return (
            len(self.counts) == tiles_of(self.words)
            and int(self.counts.max(initial=0)) <= CELLS
            and len(self.highs) == highs
            and len(self.lows) == -(-lows // 8) + SPARE_BYTES
            and len(self.codes) == -(-pairs * self.bits // 8) + SPARE_BYTES
        )

    def check(self) -> None:
        """Decode all pairs; refuse cells that are not in order, or not below the diagonal."""
        ends, start = self._first[0], 0
        diagonal = np.zeros(len(self.counts), dtype=bool)
        diagonal[tile_of(np.arange(self.bands), np.arange(self.bands))] = True
        while start < len(self.counts):
            stop = _stop(ends[1:], start)
            decoded = self.decode(np.arange(start, stop))
            keys = decoded.tile * CELLS + decoded.cell
            later, earlier = np.divmod(decoded.cell, SIDE)
            above = diagonal[start:stop][decoded.tile] & (earlier >= later)
            if (np.diff(keys) <= 0).any() or above.any():
                raise self._damaged()
            start = stop
        last = np.arange(self.words // SIDE * SIDE, self.words)
        for _ in self.partners(last):
            pass  # words beyond the vocabulary would be partners in the last band

    def _damaged(self) -> InputError:
        return InputError(
            f"The pairs in {self.place} do not fit together: make or copy them again."
        )

    def decode(self, tiles: Ids) -> Decoded:
        """The pairs of some tiles."""
        counts = np.asarray(self.counts[tiles], dtype=np.int64)
        low_bits, high_bytes = LOW_BITS[counts], HIGH_BYTES[counts]
        first_pair, first_high, first_low = (ends[tiles] for ends in self._first)
        before, bytes_before = _sums_before(counts), _sums_before(high_bytes)
        source = np.repeat(first_high - bytes_before, high_bytes)
        source += np.arange(len(source))
        ones = np.flatnonzero(np.unpackbits(self.highs[source], bitorder="little"))
        if len(ones) != counts.sum():
            raise self._damaged()
        tile = np.repeat(np.arange(len(tiles)), counts)
        place = np.arange(len(ones))
        # The i-th one of a tile is preceded by i ones and as many zeros as the high bits say.
        skipped = np.where(counts >= DENSE, 0, 1)
        high = ones - np.repeat(8 * bytes_before - skipped * before, counts)
        high -= np.repeat(skipped, counts) * place
        width = np.repeat(low_bits, counts)
        low = take_bits(
            self.lows, np.repeat(first_low - low_bits * before, counts) + width * place, width
        )
        cell = (high << width) | low
        if len(cell) and cell.max() >= CELLS:
            raise self._damaged()
        return Decoded(tile, cell, np.repeat(first_pair - before, counts) + place)

    def partners(self, words: Ids) -> Iterator[Partners]:
        """The pairs of some words, in pieces."""
        bands = np.arange(self.bands)
        own, tiles = words // SIDE, np.empty((len(words), self.bands), dtype=np.int64)
        for row, band in enumerate(own.tolist()):
            tiles[row] = tile_of(np.maximum(bands, band), np.minimum(bands, band))
        ends = np.cumsum(self.counts[tiles].sum(axis=1, dtype=np.int64))
        start = 0
        while start < len(words):
            stop = _stop(ends, start)
            yield self._partners_of(words[start:stop], tiles[start:stop], start)
            start = stop

    def _partners_of(self, words: Ids, tiles: Ids, first: int) -> Partners:
        at = np.flatnonzero(self.counts[tiles.ravel()])
        decoded = self.decode(tiles.ravel()[at])
        row, other = np.divmod(at, self.bands)
        own_band, own_place = np.divmod(words, SIDE)
        later, earlier = np.divmod(decoded.cell, SIDE)
        is_later, is_earlier = other <= own_band[row], other >= own_band[row]
        wanted = own_place[row][decoded.tile]
        as_later = np.flatnonzero((later == wanted) & is_later[decoded.tile])
        as_earlier = np.flatnonzero((earlier == wanted) & is_earlier[decoded.tile])
        chosen = np.concatenate([as_later, as_earlier])
        place = np.concatenate([earlier[as_later], later[as_earlier]])
        tile = decoded.tile[chosen]
        partner = other[tile] * SIDE + place
        if len(partner) and partner.max() >= self.words:
            raise self._damaged()
        return Partners(row[tile] + first, partner, decoded.number[chosen])

    def find(self, a: Ids, b: Ids) -> Ids:
        """The number of each pair (a[k], b[k]); -1 where it is not stored."""
        later, earlier = np.maximum(a, b), np.minimum(a, b)
        tile = tile_of(later // SIDE, earlier // SIDE)
        cell = (later % SIDE) * SIDE + earlier % SIDE
        tiles, place = np.unique(tile, return_inverse=True)
        numbers = np.full(len(tile), -1, dtype=np.int64)
        ends = np.cumsum(self.counts[tiles], dtype=np.int64)
        order = np.argsort(place, kind="stable")
        sorted_places = place[order]
        start = 0
        while start < len(tiles):
            stop = _stop(ends, start)
            decoded = self.decode(tiles[start:stop])
            asked = order[slice(*np.searchsorted(sorted_places, [start, stop]))]
            keys = decoded.tile * CELLS + decoded.cell
            wanted = (place[asked] - start) * CELLS + cell[asked]
            at = np.searchsorted(keys, wanted)
            stored = at < len(keys)
            stored[stored] = keys[at[stored]] == wanted[stored]
            numbers[asked[stored]] = decoded.number[at[stored]]
            start = stop
        return numbers

    def codes_of(self, numbers: Ids) -> Ids:
        """The codes of some pairs, by their numbers."""
        return take_bits(self.codes, numbers * self.bits, np.int64(self.bits))


def _stop(ends: Ids, start: int) -> int:
    """Where a piece that begins at `start` stops; `ends` says how many pairs end before."""
    limit = (ends[start - 1] if start else 0) + _ENTRIES_AT_ONCE
    return max(int(np.searchsorted(ends, limit, side="right")), start + 1)


def tile_of(later: Ids, earlier: Ids) -> Ids:
    """The number of the tile of two bands."""
    return later * (later + 1) // 2 + earlier


def take_bits(stream: Bytes, first: Ids, width: Ids | np.int64) -> Ids:
    """The numbers of `width` bits, at most 16, that begin at the bits `first` of a stream."""
    byte = first >> 3
    window = stream[byte].astype(np.int64)
    window |= stream[byte + 1].astype(np.int64) << 8
    window |= stream[byte + 2].astype(np.int64) << 16
    window >>= first & 7
    window &= (np.int64(1) << width) - 1
    return window


def _sums_before(sizes: Ids) -> Ids:
    return np.cumsum(sizes) - sizes
