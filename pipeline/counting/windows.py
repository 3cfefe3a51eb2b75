"""Windows of words, counted into a table: the compiled kernel and what bounds its memory.

Weights are whole numbers (linear ones scaled by the window, harmonic ones by lcm(1..window)), so no
sum depends on its order.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numba
import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic
from numpy.typing import NDArray

from pipeline.counting.bands import Bands, Pairs, add_up, cells_before, pack
from wordkin.errors import InputError

OUTSIDE, STOP = -1, -2
"""Codes of tokens without an id: a word outside the vocabulary, and a stop word that is dropped."""

LARGEST = 2**63 - 1

AHEAD = 4
"""How many words ahead the kernel asks for cells."""

BESIDE = 2_000_000
"""Pairs that the kernel may put beside the triangle before they are added up."""


def weights_of(window: int, weighting: str) -> tuple[NDArray[np.int64], int]:
    """The whole-number weight of each distance 0..window (0: none), and what they are scaled by."""
    distances = range(1, window + 1)
    if weighting == "uniform":
        scale, by_distance = 1, [1 for _ in distances]
    elif weighting == "linear":
        scale, by_distance = window, [window + 1 - d for d in distances]
    else:
        scale = math.lcm(*distances)
        by_distance = [scale // d for d in distances]
    if max(by_distance) > LARGEST:
        raise InputError(
            f"counts.window: harmonic weights of a window of {window} do not fit exact 64-bit "
            "whole numbers; take a window of at most 42, or linear weights."
        )
    return np.array([0, *by_distance], dtype=np.int64), scale


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
            "or linear weights."
        )


def cell_of(weights: NDArray[np.int64]) -> np.dtype[Any]:
    """What a triangle's cells are: 32 bits halve the memory and the cache misses, and a cell that
    runs over is moved to a side list, which is rare enough when each step adds little."""
    return np.dtype(np.uint32 if weights.max() <= 2**16 else np.uint64)


def dense_words(words: int, memory_mib: int, cell_bytes: int) -> int:
    """How many of the most frequent words a dense triangle of this memory can hold."""
    return min(words, int(math.sqrt(2 * memory_mib * 2**20 / cell_bytes)))


WORKER_MIB = 500
"""What a task's Python process takes besides its table."""

DRIVER_MIB = 1400
"""What the driver and its JVM take."""

LEAST_MIB = 64


def table_mib(words: int, weights: NDArray[np.int64], memory_mib: int) -> int:
    """What a table takes of the memory that it may have."""
    cell_bytes = cell_of(weights).itemsize
    dense = dense_words(words, memory_mib // 2, cell_bytes)
    return memory_mib if dense < words else int(cells_before(dense)[-1] * cell_bytes >> 20)


def check_memory(
    words: int, weights: NDArray[np.int64], memory_mib: int, cores: int, machine_mib: int
) -> None:
    """Refuse tables that a machine cannot hold at once, and tell what it can."""
    needed = DRIVER_MIB + cores * (WORKER_MIB + table_mib(words, weights, memory_mib))
    if needed <= machine_mib:
        return
    fits = (machine_mib - DRIVER_MIB) // cores - WORKER_MIB
    fewer = (machine_mib - DRIVER_MIB) // (WORKER_MIB + LEAST_MIB)
    if fits >= LEAST_MIB:
        advice = f"set spark.task_memory_mib to at most {fits}"
    elif fewer >= 1:
        advice = f"set spark.master to local[{fewer}] and spark.task_memory_mib to {LEAST_MIB}"
    else:
        advice = f"counting takes at least {DRIVER_MIB + WORKER_MIB + LEAST_MIB:,} MiB"
    raise InputError(
        f"Counting {words:,} words with {cores} tables of {memory_mib:,} MiB "
        f"(spark.task_memory_mib) takes about {needed:,} MiB and there are {machine_mib:,}: "
        f"{advice}."
    )


class Table:
    """The counts of one task: a dense triangle for frequent words, sorted pairs for the rest.

    The triangle takes up to half of the memory. The pairs beside it hold an eighth of it before
    they are added up, since sorting takes more than twice as much again.
    """

    def __init__(
        self, words: int, weights: NDArray[np.int64], memory_mib: int, tokens: int = LARGEST
    ) -> None:
        self.words, self.weights = words, weights
        cell = cell_of(weights)
        # A triangle of more cells than the tokens have pairs would stay all but empty.
        pairs = tokens * (len(weights) - 1)
        self.dense = min(dense_words(words, memory_mib // 2, cell.itemsize), math.isqrt(2 * pairs))
        self.row_starts = cells_before(self.dense)
        self.cells = np.zeros(self.row_starts[-1], dtype=cell)
        self.room = memory_mib * 2**20 // 128
        self.spilled: list[Pairs] = []
        self.beside: list[Pairs] = []

    def add(self, codes: NDArray[np.int32], bounds: NDArray[np.int64]) -> None:
        """Count the windows of some documents (or lines) that start at `bounds`."""
        window = len(self.weights) - 1
        lined_up = line_up(codes, bounds, window)
        spill = (np.empty(64 * window, np.int64), np.empty(64 * window, np.int64))
        size = max(min(BESIDE, self.room), window) if self.dense < self.words else window
        beside = (np.empty(size, np.int64), np.empty(size, np.int64))
        weights = self.weights.astype(np.uint64)
        at = 0
        while at < len(lined_up[0]):
            at, spilled, aside = count_windows(
                lined_up, at, weights, self.cells, self.row_starts, self.words, spill, beside
            )
            if spilled:
                self.spilled.append(_filled(spill, spilled))
            if aside:
                self.beside.append(_filled(beside, aside))
                if sum(len(pairs.keys) for pairs in self.beside) > self.room:
                    self.beside = [add_up(self.beside)]

    @property
    def crowded(self) -> bool:
        """Whether the pairs beside the triangle, added up, still take more than their share."""
        return len(self.beside) == 1 and len(self.beside[0].keys) > self.room // 2

    def blocks(self, bands: Bands, whole: bool = True) -> Iterator[tuple[int, bytes]]:
        """The counts by band; `whole`: the triangle too, not just the pairs beside it."""
        beside = add_up(self.beside)
        self.beside = []
        if whole:
            beside = add_up([beside, self._spilled_pairs()])
        for band in range(len(bands)):
            low, high = bands.rows(band)
            start, end = np.searchsorted(beside.keys, [low * self.words, high * self.words])
            if end > start:
                keys = bands.local(band, beside.keys[start:end])
                yield band, pack(Pairs(keys, beside.values[start:end]))
            if whole and low < self.dense:
                last = min(high, self.dense)
                cells = self.cells[self.row_starts[low] : self.row_starts[last]]
                held = int(np.count_nonzero(cells))
                if held:
                    width = self.words - low
                    rows = triangle_rows(cells, self.dense, low, last, width, held)
                    yield band, pack(Pairs(*rows))

    def _spilled_pairs(self) -> Pairs:
        """What left the triangle's cells, by word pairs."""
        cells = add_up(self.spilled)
        rows = np.searchsorted(self.row_starts, cells.keys, side="right") - 1
        columns = cells.keys - self.row_starts[rows] + rows + 1
        return Pairs(rows * self.words + columns, cells.values)


def _filled(buffer: tuple[NDArray[np.int64], NDArray[np.int64]], length: int) -> Pairs:
    keys, values = buffer
    return add_up([Pairs(keys[:length], values[:length])])


# A plain tuple, not a named one: numba's cached kernels would remember the class by its name.
LinedUp = tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]
"""The vocabulary's words in some text, as the kernel walks over them: their ids; their places, of
which two in one window are as far apart as the words; and the first word behind each one's window.
"""


@numba.njit(cache=True, boundscheck=False)
def line_up(codes: NDArray[np.int32], bounds: NDArray[np.int64], window: int) -> LinedUp:
    """Find the words' places: stop words take none, words outside the vocabulary keep theirs.

    Stretches between two bounds stand so far apart that no window reaches across.
    """
    ids = np.empty(len(codes), np.int64)
    places = np.empty(len(codes), np.int64)
    found = 0
    at = 0
    for s in range(len(bounds) - 1):
        for token in range(bounds[s], bounds[s + 1]):
            code = codes[token]
            ids[found] = code
            places[found] = at
            found += code >= 0
            at += code != STOP
        at += window
    ends = np.empty(found, np.int64)
    end = 0
    for i in range(found):
        while end < found and places[end] - places[i] <= window:
            end += 1
        ends[i] = end
    return ids[:found], places[:found], ends


def _prefetch(_context: Any, array: Any, _index: Any) -> Any:
    """Ask for the cache line of `array[index]`, which is about to be read and written."""

    def code(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data = context.make_array(array)(context, builder, arguments[0]).data
        byte, number = ir.IntType(8).as_pointer(), ir.IntType(32)
        called = ir.FunctionType(ir.VoidType(), [byte, number, number, number])
        fetch = builder.module.declare_intrinsic("llvm.prefetch", [byte], called)
        place = builder.bitcast(builder.gep(data, [arguments[1]]), byte)
        builder.call(fetch, [place, number(1), number(3), number(1)])  # to write, to keep, data
        return context.get_dummy_value()

    return types.void(array, types.int64), code


prefetch: Any = intrinsic(_prefetch)


@numba.njit(cache=True, boundscheck=False)
def count_windows(
    lined_up: LinedUp,
    start: int,
    weights: NDArray[np.uint64],
    cells: NDArray[Any],
    row_starts: NDArray[np.int64],
    words: int,
    spill: tuple[NDArray[np.int64], NDArray[np.int64]],
    beside: tuple[NDArray[np.int64], NDArray[np.int64]],
) -> tuple[int, int, int]:
    """Add the windows of the words from `start` on, as far as the buffers surely have room.

    Tells where to go on, and how much went into the buffers. A word does not pair with itself.
    A pair's cell is seldom in a cache, and waiting for it takes most of the time; so the cells of
    a word a little further on are asked for before those of this one are used, which makes the
    kernel two to three times as fast.
    """
    ids, places, ends = lined_up
    spill_cells, spill_values = spill
    beside_keys, beside_values = beside
    window = len(weights) - 1
    dense = len(row_starts) - 1
    limit = np.uint64(np.iinfo(cells.dtype).max)
    spilled = 0
    aside = 0
    for i in range(start, len(ids)):
        if spilled + window > len(spill_cells) or aside + window > len(beside_keys):
            return i, spilled, aside
        ahead = i + AHEAD
        if ahead < len(ids):
            for j in range(ahead + 1, ends[ahead]):
                low, high = min(ids[ahead], ids[j]), max(ids[ahead], ids[j])
                if high < dense:
                    prefetch(cells, row_starts[low] + high - low - 1)
        for j in range(i + 1, ends[i]):
            low, high = min(ids[i], ids[j]), max(ids[i], ids[j])
            if low == high:
                continue
            weight = weights[places[j] - places[i]]
            if high < dense:
                cell = row_starts[low] + high - low - 1
                value = np.uint64(cells[cell]) + weight
                if value > limit:
                    spill_cells[spilled] = cell
                    spill_values[spilled] = value
                    spilled += 1
                    value = np.uint64(0)
                cells[cell] = value
            else:
                beside_keys[aside] = low * words + high
                beside_values[aside] = weight
                aside += 1
    return len(ids), spilled, aside


@numba.njit(cache=True, boundscheck=False)
def triangle_rows(
    cells: NDArray[Any], dense: int, low: int, high: int, width: int, held: int
) -> tuple[NDArray[np.uint32], NDArray[Any]]:
    """The `held` counts in the cells of the triangle's rows `low` to before `high`, by band key."""
    keys = np.empty(held, np.uint32)
    values = np.empty(held, cells.dtype)
    at = 0
    cell = 0
    for row in range(low, high):
        base = (row - low) * width - low
        for column in range(row + 1, dense):
            if cells[cell]:
                keys[at] = base + column
                values[at] = cells[cell]
                at += 1
            cell += 1
    return keys, values
