"""Tokens to co-occurrence counts: exact whole numbers, the same however the work is shared.

A task counts the windows of some parts into a table of its own: a dense triangle over the most
frequent words, as many as its memory allows, and sorted pairs for the rest. Tables are cut into
bands of rows; the bands of one number meet in a shuffle, are added up, and become a piece of the
final matrix. Weights are whole numbers (harmonic ones scaled by lcm(1..window)), so no sum
depends on its order.
"""

from __future__ import annotations

import json
import math
import os
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numba
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pipeline import parts, spark
from pipeline.layout import Layout
from pipeline.settings import Counts
from wordkin.board import read_words
from wordkin.errors import InputError
from wordkin.measures import write_text
from wordkin.vocabulary import Vocabulary

if TYPE_CHECKING:
    from pyspark import SparkContext

OUTSIDE, STOP = -1, -2
"""Codes of tokens without an id: a word outside the vocabulary, and a stop word that is dropped."""

BAND_CELLS = 4_000_000
"""Word pairs in a band: small enough to add up in a dense array, large enough to be few."""

TASK_TOKENS = 500_000_000
"""A task counts no more than about this, so that little is lost when one has to start again."""

LARGEST = 2**63 - 1


def weights_of(window: int, weighting: str) -> tuple[NDArray[np.int64], int]:
    """The whole-number weight of each distance 0..window (0: none), and what they are scaled by."""
    scale = math.lcm(*range(1, window + 1)) if weighting == "harmonic" else 1
    by_distance = [0] + [scale // d if weighting == "harmonic" else 1 for d in range(1, window + 1)]
    if max(by_distance) > LARGEST:
        raise InputError(
            f"counts.window: harmonic weights of a window of {window} do not fit exact 64-bit "
            "whole numbers; take a window of at most 42, or uniform weights."
        )
    return np.array(by_distance, dtype=np.int64), scale


def check_exact(tokens: int, window: int, weighting: str) -> None:
    """Refuse a window whose sums over this corpus could leave the exact 64-bit whole numbers."""
    weights, _ = weights_of(window, weighting)
    if 2 * tokens * sum(weights.tolist()) > LARGEST:
        fits = next(
            w
            for w in range(window, 0, -1)
            if 2 * tokens * sum(weights_of(w, weighting)[0].tolist()) <= LARGEST
        )
        raise InputError(
            f"counts.window: the {weighting} weights of a window of {window} over {tokens:,} "
            f"tokens do not fit exact 64-bit whole numbers; take a window of at most {fits}, "
            "or uniform weights."
        )


def cells_before(words: int) -> NDArray[np.int64]:
    """How many pairs of the strict upper triangle stand before each row, and in all."""
    rows = np.arange(words + 1, dtype=np.int64)
    return rows * (2 * words - rows - 1) // 2


class Bands:
    """The strict upper triangle of a words x words matrix, cut into bands of whole rows."""

    def __init__(self, words: int, cells: int = BAND_CELLS) -> None:
        self.words = words
        before = cells_before(words)
        starts = np.unique(np.searchsorted(before, np.arange(0, before[-1], cells), side="left"))
        self.starts = np.append(starts[starts < words], words)

    def __len__(self) -> int:
        return len(self.starts) - 1

    def rows(self, band: int) -> tuple[int, int]:
        """The band's first row, and the one after its last."""
        return int(self.starts[band]), int(self.starts[band + 1])

    def local(self, band: int, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """Keys of word pairs as keys within a band, which starts at its first row's diagonal."""
        low = self.starts[band]
        rows, columns = np.divmod(keys, self.words)
        return (rows - low) * (self.words - low) + columns - low


def dense_words(words: int, memory_mib: int, cell_bytes: int) -> int:
    """How many of the most frequent words a dense triangle of this memory can hold."""
    fits = int(math.sqrt(2 * memory_mib * 2**20 / cell_bytes))
    return min(words, fits)


class Table:
    """The counts of one task: a dense triangle for frequent words, sorted pairs for the rest."""

    def __init__(self, words: int, weights: NDArray[np.int64], memory_mib: int) -> None:
        # 32-bit cells halve the memory and the cache misses; a cell that runs over is moved to
        # `spilled`, rare enough when each step adds little.
        self.cell = np.dtype(np.uint32 if weights.max() <= 2**16 else np.uint64)
        self.words, self.weights = words, weights
        self.dense = dense_words(words, memory_mib // 2, self.cell.itemsize)
        self.row_starts = cells_before(self.dense)
        self.cells = np.zeros(self.row_starts[-1], dtype=self.cell)
        self.tail_room = memory_mib * 2**20 // 64
        self.spilled: list[Pairs] = []
        self.tail: list[Pairs] = []

    def add(self, codes: NDArray[np.int32], bounds: NDArray[np.int64]) -> None:
        """Count the windows of some documents (or lines) that start at `bounds`."""
        window = len(self.weights) - 1
        most = len(codes) * window
        spill = int(most * int(self.weights.max()) / 2 ** (8 * self.cell.itemsize)) + 1
        spill_cells, spill_values = np.empty(spill, np.int64), np.empty(spill, np.int64)
        room = 0 if self.dense == self.words else most
        tail_keys, tail_values = np.empty(room, np.int64), np.empty(room, np.int64)
        spilled, tailed = count_windows(
            codes,
            bounds,
            self.weights,
            self.cells,
            self.dense,
            self.words,
            spill_cells,
            spill_values,
            tail_keys,
            tail_values,
        )
        if spilled:
            self.spilled.append(Pairs(spill_cells[:spilled], spill_values[:spilled]))
        if tailed:
            self.tail.append(add_up([Pairs(tail_keys[:tailed], tail_values[:tailed])]))
            if sum(len(pairs.keys) for pairs in self.tail) > self.tail_room:
                self.tail = [add_up(self.tail)]

    @property
    def crowded(self) -> bool:
        """Whether the pairs beside the triangle, added up, still take more than their share."""
        return len(self.tail) == 1 and len(self.tail[0].keys) > self.tail_room // 2

    def blocks(self, bands: Bands, whole: bool = True) -> Iterator[tuple[int, bytes]]:
        """The counts by band; `whole`: the triangle too, not just the pairs beside it."""
        beside = add_up(self.tail)
        self.tail = []
        if whole:
            beside = add_up([beside, self._spilled_pairs()])
        for band in range(len(bands)):
            low, high = bands.rows(band)
            start, end = np.searchsorted(beside.keys, [low * self.words, high * self.words])
            keys = bands.local(band, beside.keys[start:end])
            if end > start:
                yield band, _pack(keys, beside.values[start:end])
            if whole and low < self.dense:
                width = self.words - low
                last = min(high, self.dense)
                start, end = self.row_starts[low], self.row_starts[last]
                held = int(np.count_nonzero(self.cells[start:end]))
                rows = triangle_rows(self.cells, self.dense, low, last, width, held)
                if held:
                    yield band, _pack(*rows)

    def _spilled_pairs(self) -> Pairs:
        """What left the triangle's cells, by word pairs."""
        cells = add_up(self.spilled)
        rows = np.searchsorted(self.row_starts, cells.keys, side="right") - 1
        columns = cells.keys - self.row_starts[rows] + rows + 1
        return Pairs(rows * self.words + columns, cells.values)


class Pairs(NamedTuple):
    """Word pairs as keys (first id x words + second id) with their counts."""

    keys: NDArray[np.int64]
    values: NDArray[np.int64]


def add_up(many: Sequence[Pairs]) -> Pairs:
    """One entry a key, in ascending order."""
    if not any(len(pairs.keys) for pairs in many):
        return Pairs(np.empty(0, np.int64), np.empty(0, np.int64))
    keys = np.concatenate([pairs.keys for pairs in many])
    values = np.concatenate([pairs.values for pairs in many])
    if bool((np.diff(keys) > 0).all()):
        return Pairs(keys, values)
    order = np.argsort(keys, kind="stable")
    keys, values = keys[order], values[order]
    first = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]]))
    return Pairs(keys[first], np.add.reduceat(values, first))


def _pack(keys: NDArray[Any], values: NDArray[Any]) -> bytes:
    """A block: how many pairs, bytes a value, the keys within the band, the values."""
    wide = len(values) and int(values.max()) >= 2**32
    numbers = values.astype(np.int64 if wide else np.uint32, copy=False)
    header = np.array([len(keys), numbers.itemsize], np.int64)
    return header.tobytes() + keys.astype(np.uint32, copy=False).tobytes() + numbers.tobytes()


def _unpack(data: bytes) -> tuple[NDArray[np.uint32], NDArray[Any]]:
    length, value_bytes = np.frombuffer(data, np.int64, 2).tolist()
    keys = np.frombuffer(data, np.uint32, length, 16)
    dtype = np.uint32 if value_bytes == 4 else np.int64
    return keys, np.frombuffer(data, dtype, length, 16 + 4 * length)


@numba.njit(cache=True, boundscheck=False)
def count_windows(
    codes: NDArray[np.int32],
    bounds: NDArray[np.int64],
    weights: NDArray[np.int64],
    cells: NDArray[Any],
    dense: int,
    words: int,
    spill_cells: NDArray[np.int64],
    spill_values: NDArray[np.int64],
    tail_keys: NDArray[np.int64],
    tail_values: NDArray[np.int64],
) -> tuple[int, int]:
    """Add the windows of each stretch between two bounds; tells how much went into the buffers.

    Stop words are taken out first; words outside the vocabulary keep their place and count
    nothing; a word does not pair with itself.
    """
    window = len(weights) - 1
    limit = np.uint64(2 ** (8 * cells.itemsize) - 1)
    longest = 0
    for s in range(len(bounds) - 1):
        longest = max(longest, bounds[s + 1] - bounds[s])
    kept = np.empty(longest, np.int32)
    spilled = 0
    tailed = 0
    for s in range(len(bounds) - 1):
        length = 0
        for at in range(bounds[s], bounds[s + 1]):
            kept[length] = codes[at]
            length += codes[at] != STOP
        for i in range(length):
            a = np.int64(kept[i])
            if a < 0:
                continue
            for j in range(i + 1, min(i + window, length - 1) + 1):
                b = np.int64(kept[j])
                if b < 0 or a == b:
                    continue
                low, high = min(a, b), max(a, b)
                weight = weights[j - i]
                if high < dense:
                    cell = low * (2 * dense - low - 1) // 2 + high - low - 1
                    value = np.uint64(cells[cell]) + np.uint64(weight)
                    if value > limit:
                        spill_cells[spilled] = cell
                        spill_values[spilled] = value
                        spilled += 1
                        value = np.uint64(0)
                    cells[cell] = value
                else:
                    tail_keys[tailed] = low * words + high
                    tail_values[tailed] = weight
                    tailed += 1
    return spilled, tailed


@numba.njit(cache=True, boundscheck=False)
def triangle_rows(
    cells: NDArray[Any], dense: int, low: int, high: int, width: int, held: int
) -> tuple[NDArray[np.uint32], NDArray[Any]]:
    """The `held` counts of the triangle's rows from `low` to before `high`, with band keys."""
    keys = np.empty(held, np.uint32)
    values = np.empty(held, cells.dtype)
    at = 0
    cell = low * (2 * dense - low - 1) // 2
    for row in range(low, high):
        base = (row - low) * width - low
        for column in range(row + 1, dense):
            if cells[cell]:
                keys[at] = base + column
                values[at] = cells[cell]
                at += 1
            cell += 1
    return keys, values


class Coder:
    """Tokens as codes: the id of a word, or what it is instead."""

    def __init__(self, vocabulary: Path, settings: Counts) -> None:
        words = Vocabulary.read(vocabulary / "vocabulary.tsv").words
        self.words = pa.array(words, pa.string())
        self.stop_words = pa.array(read_words(vocabulary / "stop_words.txt"), pa.string())
        self.settings = settings

    def codes(self, batch: parts.Batch) -> NDArray[np.int32]:
        """The code of each token; types are looked up once, however many tokens they have."""
        of_type = pc.fill_null(pc.index_in(batch.types, value_set=self.words), OUTSIDE).to_numpy()
        if self.settings.stop_words == "drop":
            listed = pc.is_in(batch.types, value_set=self.stop_words)
            is_stop = listed.to_numpy(zero_copy_only=False) & (of_type == OUTSIDE)
            of_type = np.where(is_stop, STOP, of_type)
        return of_type.astype(np.int32)[batch.tokens]

    def bounds(self, batch: parts.Batch) -> NDArray[np.int64]:
        """Where the stretches start and end that windows do not cross."""
        return batch.lines if self.settings.boundary == "line" else batch.documents


class Share(NamedTuple):
    """The work of one task: what to count in which parts, and within how much memory."""

    vocabulary: Path
    settings: Counts
    memory_mib: int
    paths: list[Path]


def count_share(share: Share) -> Iterator[tuple[int, bytes]]:
    """Count the windows of some parts and deal the counts by band."""
    coder = Coder(share.vocabulary, share.settings)
    weights, _ = weights_of(share.settings.window, share.settings.weighting)
    table = Table(len(coder.words), weights, share.memory_mib)
    bands = Bands(len(coder.words))
    for path in share.paths:
        for batch in parts.batches(path):
            table.add(coder.codes(batch), coder.bounds(batch))
        if table.crowded:
            yield from table.blocks(bands, whole=False)
    yield from table.blocks(bands)


class Piece(NamedTuple):
    """A band, added up and written: where it is and what it holds."""

    path: Path
    pairs: int
    total: int
    shuffled: int


def merge_band(bands: Bands, folder: Path, band: int, dealt: Iterator[bytes]) -> Piece:
    """Add up the blocks of one band and write them as a piece of the final matrix."""
    low, high = bands.rows(band)
    width = bands.words - low
    sums = np.zeros((high - low) * width, np.int64)
    shuffled = 0
    for data in dealt:
        keys, values = _unpack(data)
        sums[keys] += values  # a block has a key once
        shuffled += len(data)
    held = np.flatnonzero(sums)
    path = folder / f"band-{band:05d}"
    beside = folder / f"{path.name}.{os.getpid()}.part"
    with beside.open("wb") as file:
        np.save(file, np.diff(np.searchsorted(held, np.arange(high - low + 1) * width)))
        np.save(file, (held % width + low).astype(np.int32))
        np.save(file, sums[held])
    os.replace(beside, path)
    return Piece(path, len(held), int(sums.sum()), shuffled)


def run(
    layout: Layout, settings: Counts, task_memory_mib: int, context: SparkContext
) -> dict[str, Any]:
    """Make matrices/<lang>/counts from the tokens and the vocabulary."""
    words = len(Vocabulary.read(layout.vocabulary / "vocabulary.tsv"))
    paths = parts.part_files(layout.tokens)
    tokens = sum(map(parts.count_tokens, paths))
    check_exact(tokens, settings.window, settings.weighting)
    bands = Bands(words)
    building = layout.counts.with_name("counts.building")
    shutil.rmtree(building, ignore_errors=True)
    building.mkdir(parents=True)
    tasks = min(len(paths), max(context.defaultParallelism, -(-tokens // TASK_TOKENS)))
    shares = [
        Share(layout.vocabulary, settings, task_memory_mib, paths[i::tasks]) for i in range(tasks)
    ]

    def merge(band: int, dealt: Iterator[bytes]) -> Piece:
        return merge_band(bands, building, band, dealt)

    merged = dict(
        spark.gather(context, count_share, shares, merge, len(bands), f"counts {layout.language}")
    )
    pieces = [merged.get(band) for band in range(len(bands))]
    pairs = assemble(bands, pieces, building)
    _, scale = weights_of(settings.window, settings.weighting)
    total = 2 * sum(piece.total for piece in merged.values())
    facts = {
        "words": words,
        "pairs": pairs,
        "total": total,
        "window": settings.window,
        "weighting": settings.weighting,
        "scale": scale,
    }
    write_text(building / "counts.json", json.dumps(facts, indent=2, sort_keys=True) + "\n")
    shutil.rmtree(layout.counts, ignore_errors=True)
    building.rename(layout.counts)
    possible = words * (words - 1) // 2
    return {
        "tokens": tokens,
        "words": words,
        "pairs": pairs,
        "density": round(pairs / possible, 6),
        "total_weight": total / scale,
        "tasks": tasks,
        "shuffled_bytes": sum(piece.shuffled for piece in merged.values()),
    }


def assemble(bands: Bands, pieces: Sequence[Piece | None], folder: Path) -> int:
    """Join the pieces of all bands into indptr, indices and values; tells the number of pairs."""
    pairs = sum(piece.pairs for piece in pieces if piece)
    indptr = np.zeros(bands.words + 1, np.int64)
    indices = _new_array(folder / "indices.npy", np.dtype(np.int32), pairs)
    values = _new_array(folder / "values.npy", np.dtype(np.int64), pairs)
    at = 0
    for band, piece in enumerate(pieces):
        low, high = bands.rows(band)
        if piece:
            with piece.path.open("rb") as file:
                indptr[low + 1 : high + 1] = np.load(file)
                indices[at : at + piece.pairs] = np.load(file)
                values[at : at + piece.pairs] = np.load(file)
            at += piece.pairs
    for leftover in folder.glob("band-*"):  # the pieces, and what a killed task left of one
        leftover.unlink()
    np.save(folder / "indptr.npy", np.cumsum(indptr))
    return pairs


def _new_array(path: Path, dtype: np.dtype[Any], length: int) -> NDArray[Any]:
    if length == 0:  # an empty file cannot be mapped
        np.save(path, np.empty(0, dtype))
        return np.empty(0, dtype)
    return np.lib.format.open_memmap(path, mode="w+", dtype=dtype, shape=(length,))


def describe(metrics: dict[str, Any]) -> str:
    """The stage's one-line summary."""
    return (
        f"{metrics['tokens']:,} tokens in, {metrics['pairs']:,} word pairs out "
        f"({metrics['density']:.2%} of all), {metrics['shuffled_bytes'] / 2**20:,.0f} MiB shuffled"
    )
