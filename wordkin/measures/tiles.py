"""Pairs of words in few bits: a sparse symmetric matrix of small numbers, cut into square tiles.

The words are divided into bands of 64 neighbouring ids. A tile holds the pairs of one band with
itself or with an earlier one, each pair once. The place of a pair in its tile is its *cell*: 64
times the place of the earlier word in its band, plus the place of the later word (in bundles of
version 2, 64 times that of the later word, plus that of the earlier one). A tile with n pairs
stores their cells, ascending, by the code of Elias and Fano: the lowest bits of each cell as they
are, all other bits as the places of ones among zeros. The number of low bits depends on n alone, so
that nothing else has to be stored. A tile in which a quarter of the cells have a pair has one bit
per cell instead.

    tile_counts    uint16, tiles    the pairs of each tile: (0, 0), (1, 0), (1, 1), (2, 0), ...
    tile_highs     uint8            the high bits of the cells; every tile begins a byte
    tile_lows      uint8            the low bits of the cells, one after the other
    tile_codes     uint8            the codes of all pairs, one after the other

The pairs of two frequent words, the first of a vocabulary, may have codes of more bits than all
others (`PairBits`). Their tiles come first, and so do their codes.

All bits are counted from the lowest bit of the first byte. `tile_lows` and `tile_codes` end with
three more bytes, so that any number can be read from three bytes in a row.

A worked example: with 3 words and the pairs (1, 0) and (2, 1), the only tile has the cells 1 and
66, n = 2 and 10 low bits, since that takes the fewest bits in all. The high bits of both cells
are 0. `tile_highs` is 0b00000011: two ones for the two cells with high bits 0, then a zero for each
possible value of the high bits. `tile_lows` begins with 1 and 66 in 10 bits each.

The pairs of one word are in as many tiles as there are bands. Its row is decoded without decoding
the tiles: the places of the zeros say where the cells with certain high bits are, and only cells
whose high bits allow the word are looked at. They follow each other where the word is the one that
comes first in cells: a frequent word, with many later ones, is found fastest. The newest rows are
kept, up to `KEPT_BYTES`.
"""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from functools import cached_property
from threading import Lock
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
KEPT_BYTES = 16_000_000
"""The bytes of the rows that are kept, 6 per pair: the rows of some thousand words."""
ROWS_AT_ONCE = 32
"""The rows that are decoded at the same time: together they cost much less than one by one."""
ROW_PAIRS = 32
"""So many pairs of one word are found by its row: decoding fewer tiles would take as long."""

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


class Row(NamedTuple):
    """The pairs of one word."""

    partners: NDArray[np.int32]
    """The other word of each pair, ascending."""
    codes: NDArray[np.uint16]
    """The code of each pair."""

    @property
    def nbytes(self) -> int:
        """The bytes of both arrays."""
        return self.partners.nbytes + self.codes.nbytes


class PairBits(NamedTuple):
    """How many bits the codes of pairs have.

    The pairs of two frequent words have other codes. Those of all other pairs are counted from
    2^`frequent` on, so that each code has one meaning.
    """

    others: int
    frequent: int = 0
    words: int = 0
    """How many of the first words are frequent; a multiple of the words of a band."""

    @property
    def first_other(self) -> int:
        """The lowest code of all other pairs."""
        return 1 << self.frequent if self.frequent else 0

    def facts(self) -> dict[str, Any]:
        """What `measure.json` says about them."""
        return {"pair_bits": [self.frequent, self.others], "frequent_words": self.words}


class RowCache:
    """The newest rows by word, `most` bytes of them at most; threads may use it at the same time.

    Whoever gets a row must not change it.
    """

    def __init__(self, most: int = KEPT_BYTES) -> None:
        self._most, self._bytes = most, 0
        self._rows: OrderedDict[int, Row] = OrderedDict()
        self._lock = Lock()

    def get(self, word: int) -> Row | None:
        """The row of a word; None if it is not kept."""
        with self._lock:
            row = self._rows.get(word)
            if row is not None:
                self._rows.move_to_end(word)
            return row

    def keep(self, word: int, row: Row) -> None:
        """Keep the row of a word, and forget the oldest ones."""
        with self._lock:
            if word not in self._rows:
                self._rows[word] = row
                self._bytes += row.nbytes
            while self._bytes > self._most:
                self._bytes -= self._rows.popitem(last=False)[1].nbytes

    @property
    def nbytes(self) -> int:
        """The bytes of the rows that are kept."""
        return self._bytes


class _Part(NamedTuple):
    """The tiles of some words, one after the other, and where their pairs begin."""

    row: Ids
    """The place of the word among those that were asked for."""
    place: Ids
    """The place of the word in its band."""
    other: Ids
    """The other band of the tile."""
    is_first: NDArray[np.bool_]
    """Whether the place of the word comes first in cells, and that of its partner second."""
    tile: Ids
    counts: Ids
    first_pair: Ids
    first_high: Ids
    first_low: Ids

    def chosen(self, chosen: NDArray[np.bool_]) -> _Part:
        return _Part._make(array[chosen] for array in self)


@dataclass(frozen=True)
class TiledPairs:
    """The pairs of a symmetric matrix, each with a code of a few bits.

    Attributes
    ----------
    words : int
        The number of words.
    bits : PairBits
        The bits of a code, at most 16.
    counts, highs, lows, codes : array
        The arrays of the module's docstring, without the prefix `tile_`.
    place : str
        Where they are, for error messages.
    later_first : bool
        Whether cells have the place of the later word first, as in bundles of version 2.
    kept : RowCache
        The newest rows.
    """

    words: int
    bits: PairBits
    counts: NDArray[np.integer[Any]]
    highs: Bytes
    lows: Bytes
    codes: Bytes
    place: str = "a measure"
    later_first: bool = False
    kept: RowCache = field(default_factory=RowCache, repr=False, compare=False)

    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays by their names in the folder of a measure."""
        return {
            f"tile_{name}": getattr(self, name) for name in ("counts", "highs", "lows", "codes")
        }

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
            and len(self.codes) == -(-int(self._first_bit(pairs)) // 8) + SPARE_BYTES
        )

    @cached_property
    def _frequent_pairs(self) -> int:
        """The number of pairs of two frequent words, which come first."""
        return int(self._first[0][tiles_of(min(self.bits.words, self.words))])

    def _first_bit(self, numbers: Ids | int) -> Ids:
        """Where the codes of some pairs begin, by their numbers."""
        frequent = np.minimum(numbers, self._frequent_pairs)
        return np.asarray(frequent * self.bits.frequent + (numbers - frequent) * self.bits.others)

    def check(self) -> None:
        """Decode all pairs; refuse cells that are not in order, or not below the diagonal."""
        ends, start = self._first[0], 0
        diagonal = np.zeros(len(self.counts), dtype=bool)
        diagonal[tile_of(np.arange(self.bands), np.arange(self.bands))] = True
        while start < len(self.counts):
            stop = _stop(ends[1:], start)
            decoded = self.decode(np.arange(start, stop))
            keys = decoded.tile * CELLS + decoded.cell
            later, earlier = self._places(decoded.cell)
            above = diagonal[start:stop][decoded.tile] & (earlier >= later)
            if (np.diff(keys) <= 0).any() or above.any():
                raise self._damaged()
            start = stop
        # The last band may have fewer words than others.
        last = tile_of(np.array(self.bands - 1), np.arange(self.bands))
        later, _ = self._places(self.decode(last).cell)
        if (later >= self.words - SIDE * (self.bands - 1)).any():
            raise self._damaged()

    def _places(self, cells: Ids) -> tuple[Ids, Ids]:
        """The places of the later and of the earlier word in their bands."""
        first, second = np.divmod(cells, SIDE)
        return (first, second) if self.later_first else (second, first)

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
        source = _ranges(first_high, high_bytes)
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

    def row(self, word: int) -> Row:
        """The pairs of one word; the caller must not change them."""
        return self.rows(np.array([word]))[0]

    def rows(self, words: Ids) -> list[Row]:
        """The pairs of each word; the caller must not change them."""
        asked = dict.fromkeys(words.tolist())
        rows = {word: row for word in asked if (row := self.kept.get(word)) is not None}
        missing = [word for word in asked if word not in rows]
        for start in range(0, len(missing), ROWS_AT_ONCE):
            piece = missing[start : start + ROWS_AT_ONCE]
            for word, row in zip(piece, self._decode_rows(np.array(piece)), strict=True):
                rows[word] = row
                self.kept.keep(word, row)
        return [rows[word] for word in words.tolist()]

    def _decode_rows(self, words: Ids) -> list[Row]:
        part = self._part(words)
        dense, some = part.counts >= DENSE, part.counts > 0
        # A word that comes second may be anywhere in a tile: few pairs are all decoded.
        few = some & ~part.is_first & (part.counts < SIDE)
        found = [
            self._rows_in_few(part.chosen(few)),
            self._rows_in_sparse(part.chosen(some & ~few & ~dense)),
            self._rows_in_dense(part.chosen(dense)),
        ]
        lists = zip(*found, strict=True)
        row, partners, numbers = (np.concatenate(arrays) for arrays in lists)
        if len(partners) and partners.max() >= self.words:
            raise self._damaged()
        order = np.argsort(row * self.words + partners)
        codes = self.codes_of(numbers[order]).astype(np.uint16)
        partners = partners[order].astype(np.int32)
        ends = np.cumsum(np.bincount(row, minlength=len(words)))
        # Copies: a row can be forgotten without the others.
        return [
            Row(partners[start:end].copy(), codes[start:end].copy())
            for start, end in zip([0, *ends[:-1].tolist()], ends.tolist(), strict=True)
        ]

    def _part(self, words: Ids) -> _Part:
        """All tiles of words; the one of a band with itself twice, for both roles of the word."""
        band, place = np.divmod(words, SIDE)
        own = np.repeat(band, self.bands + 1)
        other = np.tile(np.arange(self.bands + 1), len(words))
        is_later = other <= own
        other -= ~is_later
        tiles = tile_of(np.maximum(own, other), np.minimum(own, other))
        counts = np.minimum(self.counts[tiles].astype(np.int64), CELLS)
        return _Part(
            np.repeat(np.arange(len(words)), self.bands + 1),
            np.repeat(place, self.bands + 1),
            other,
            is_later == self.later_first,
            tiles,
            counts,
            *(first[tiles] for first in self._first),
        )

    def _rows_in_few(self, part: _Part) -> tuple[Ids, Ids, Ids]:
        """The place of the word, the partner and the number of each pair, if the word comes second
        in the cells of these tiles."""
        tile, cell, number = self.decode(part.tile)
        own = np.flatnonzero((cell & (SIDE - 1)) == part.place[tile])
        tile, other = tile[own], cell[own] >> 6
        return part.row[tile], part.other[tile] * SIDE + other, number[own]

    def _rows_in_sparse(self, part: _Part) -> tuple[Ids, Ids, Ids]:
        """The same in tiles of which only some high bits are looked at."""
        high_bytes, width = HIGH_BYTES[part.counts], LOW_BITS[part.counts]
        bytes_before = _sums_before(high_bytes)
        high_bits = self.highs[_ranges(part.first_high, high_bytes)]
        # The high bits that the word's cells may have. If the word comes first, they follow each
        # other; if not, they are those of one cell per place of the other band.
        step = np.where(part.is_first, 1, np.maximum(SIDE >> width, 1))
        spans = np.where(
            part.is_first, np.maximum(SIDE >> width, 1), np.minimum(SIDE, CELLS >> width)
        )
        lowest = np.where(part.is_first, part.place * SIDE, np.where(width > 6, 0, part.place))
        start = lowest >> width
        tile = np.repeat(np.arange(len(spans)), spans)
        high = _ranges(np.zeros_like(spans), spans) * step[tile] + start[tile]
        # The zero number h of a tile ends the cells with the high bits h: between it and the zero
        # before it are as many ones as there are such cells.
        at = _sums_before(8 * high_bytes - part.counts)[tile] + high
        ones = np.cumsum(np.bitwise_count(high_bits), dtype=np.int64)
        if len(ones) and ones[-1] != part.counts.sum():
            raise self._damaged()
        zeros = _places_of_zeros(high_bits, ones, np.concatenate([at, np.maximum(at - 1, 0)]))
        before = 8 * bytes_before[tile] + high
        ends = zeros[: len(at)] - before
        starts = np.where(high > 0, zeros[len(at) :] - before + 1, 0)
        sizes = ends - starts
        if len(sizes) and (sizes.min() < 0 or starts.min() < 0 or (ends > part.counts[tile]).any()):
            raise self._damaged()
        some = np.flatnonzero(sizes)
        sizes = sizes[some]
        index = _ranges(starts[some], sizes)
        tile, high = np.repeat(tile[some], sizes), np.repeat(high[some], sizes)
        bits = width[tile]
        cell = (high << bits) | take_bits(self.lows, part.first_low[tile] + bits * index, bits)
        first, second = cell >> 6, cell & (SIDE - 1)
        is_first = part.is_first[tile]
        own = np.flatnonzero(np.where(is_first, first, second) == part.place[tile])
        tile, other = tile[own], np.where(is_first[own], second[own], first[own])
        return part.row[tile], part.other[tile] * SIDE + other, part.first_pair[tile] + index[own]

    def _rows_in_dense(self, part: _Part) -> tuple[Ids, Ids, Ids]:
        """The same in tiles that have one bit per cell."""
        source = part.first_high[:, None] + np.arange(CELLS // 8)
        bits = self.highs[source]
        ones = np.cumsum(np.bitwise_count(bits), axis=1, dtype=np.int64)
        if (ones[:, -1] != part.counts).any():
            raise self._damaged()
        others, place = np.arange(SIDE), part.place[:, None]
        cells = np.where(part.is_first[:, None], place * SIDE + others, others * SIDE + place)
        byte, shift = cells >> 3, (cells & 7).astype(np.uint8)
        own = np.take_along_axis(bits, byte, axis=1)
        tile, other = np.nonzero((own >> shift) & 1)
        # A pair has as many pairs before it as there are ones up to the end of its byte, less those
        # from its own bit on.
        later_ones = np.bitwise_count(own[tile, other] >> shift[tile, other])
        index = ones[tile, byte[tile, other]] - later_ones
        return part.row[tile], part.other[tile] * SIDE + other, part.first_pair[tile] + index

    def find(self, a: Ids, b: Ids) -> Ids:
        """The code of each pair (a[k], b[k]); -1 where it is not stored."""
        codes = np.full(len(a), -1, dtype=np.int64)
        rest = self._find_in_rows(a, b, codes, np.arange(len(a)), ROW_PAIRS)
        # Rows are symmetric: that of the second word will do as well, if it is there.
        rest = self._find_in_rows(b, a, codes, rest, len(a) + 1)
        if len(rest):
            numbers = self._find_in_tiles(a[rest], b[rest])
            at = np.flatnonzero(numbers >= 0)
            codes[rest[at]] = self.codes_of(numbers[at])
        return codes

    def _find_in_rows(self, a: Ids, b: Ids, codes: Ids, asked: Ids, enough: int) -> Ids:
        """Fill in the codes of pairs whose row is kept, or of which a word has enough; returns
        the others."""
        asked = asked[np.argsort(a[asked], kind="stable")]
        words, starts, counts = np.unique(a[asked], return_index=True, return_counts=True)
        is_done = np.zeros(len(asked), dtype=bool)
        for word, start, count in zip(words.tolist(), starts, counts, strict=True):
            row = self.row(word) if count >= enough else self.kept.get(word)
            if row is None:
                continue
            is_done[start : start + count] = True
            places = asked[start : start + count]
            at = np.searchsorted(row.partners, b[places])
            stored = at < len(row.partners)
            stored[stored] = row.partners[at[stored]] == b[places[stored]]
            codes[places[stored]] = row.codes[at[stored]]
        return asked[~is_done]

    def _find_in_tiles(self, a: Ids, b: Ids) -> Ids:
        """The number of each pair (a[k], b[k]); -1 where it is not stored."""
        later, earlier = np.maximum(a, b), np.minimum(a, b)
        tile = tile_of(later // SIDE, earlier // SIDE)
        first, second = (later, earlier) if self.later_first else (earlier, later)
        cell = (first % SIDE) * SIDE + second % SIDE
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
        bits, first = self.bits, self._first_bit(numbers)
        if not self._frequent_pairs:
            return take_bits(self.codes, first, np.int64(bits.others)) + bits.first_other
        is_frequent = numbers < self._frequent_pairs
        widths = np.where(is_frequent, bits.frequent, bits.others)
        codes = take_bits(self.codes, first, widths)
        codes[~is_frequent] += bits.first_other
        return codes


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


def _select_zeros() -> Bytes:
    """The place of each zero in each byte, by the byte and the number of the zero."""
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
    return np.argsort(bits, axis=1, kind="stable").astype(np.uint8)


_ZEROS = _select_zeros()


def _places_of_zeros(stream: Bytes, ones: Ids, numbers: Ids) -> Ids:
    """Where the zeros with some numbers are among all bits; `ones` counts ones up to each byte."""
    if len(numbers) > len(stream):
        return np.flatnonzero(np.unpackbits(~stream, bitorder="little"))[numbers]
    ends = 8 * np.arange(1, len(stream) + 1) - ones
    byte = np.searchsorted(ends, numbers, side="right")
    values = stream[byte]
    number = numbers - (ends[byte] - (8 - np.bitwise_count(values)))
    return 8 * byte + _ZEROS[values, number]


def _sums_before(sizes: Ids) -> Ids:
    return np.cumsum(sizes) - sizes


def _ranges(starts: Ids, sizes: Ids) -> Ids:
    """The whole numbers from starts[k] on, sizes[k] of them, for all k."""
    return np.repeat(starts - _sums_before(sizes), sizes) + np.arange(sizes.sum())
