"""Vectors by negative sampling: skip-gram and CBOW, with or without subwords, as fastText trains.

A text is visited once per epoch. Frequent words are skipped at random. Each word that is left has a
window of random width. Skip-gram predicts each word of the window from the word; CBOW predicts the
word from all words of its window. The prediction is right for one word, the target, and wrong for a
few words that are drawn at random. The vector behind a prediction is the mean of some rows: those
of the words that it is made from, and of their subwords.

One thread visits the text in order and draws its random numbers from one sequence, so the result is
the same for any number of cores.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from pipeline.count.prefetching import prefetch

Floats = NDArray[np.float32]
Ints = NDArray[np.int32]
Longs = NDArray[np.int64]

TABLE = 1 << 20
"""Places in the table that negative samples are drawn from."""

PART = 1 << 18
"""Tokens that are visited in one go: about a second's work."""

LINE = 16
"""Numbers in a line of the cache. Rows are padded with zeros to whole lines."""

SIGMOID_RANGE = 8
"""A prediction beyond this, on either side, counts as certain."""

_SIGMOID_STEPS = 1024
_PLACES = np.linspace(-SIGMOID_RANGE, SIGMOID_RANGE, _SIGMOID_STEPS + 1)
_SIGMOID = (1 / (1 + np.exp(-_PLACES))).astype(np.float32)

LEAST_RATE = 1e-4
"""The share of the learning rate that is left at the end of the text."""


class Rows(NamedTuple):
    """The rows that each word's vector is the mean of, those of word i from starts[i] on."""

    starts: Longs
    rows: Ints


class Plan(NamedTuple):
    """How to train."""

    window: int
    negatives: int
    epochs: int
    learning_rate: float
    is_cbow: bool = False


class Model(NamedTuple):
    """What is trained."""

    inputs: Floats
    outputs: Floats
    state: NDArray[np.uint64]
    """The state of the random numbers."""


def start(rows: int, words: int, dimensions: int, seed: int) -> Model:
    """The first `words` rows within 1 / dimensions of zero; subwords and outputs at zero."""
    random = np.random.default_rng(seed)
    inputs = np.zeros((rows, padded(dimensions)), np.float32)
    inputs[:words, :dimensions] = random.random((words, dimensions), dtype=np.float32) * 2 - 1
    inputs /= np.float32(dimensions)
    state = random.integers(1, 1 << 63, 1, dtype=np.uint64)
    return Model(inputs, np.zeros((words, padded(dimensions)), np.float32), state)


def padded(dimensions: int) -> int:
    """The length of a row."""
    return -(-dimensions // LINE) * LINE


def negative_table(counts: NDArray[np.int64], power: float) -> Ints:
    """Words as often as they are drawn as negative samples: by their counts to a power."""
    shares = np.cumsum(np.maximum(counts, 0).astype(np.float64) ** power)
    places = (np.arange(TABLE) + 0.5) * (shares[-1] / TABLE)
    return np.minimum(np.searchsorted(shares, places), len(counts) - 1).astype(np.int32)


def keep_chances(counts: NDArray[np.int64], tokens: int, sampling: float) -> Floats:
    """The chance that an occurrence of each word is kept: frequent words are thinned out."""
    shares = counts / max(tokens, 1)
    with np.errstate(divide="ignore"):
        chances = np.sqrt(sampling / shares) + sampling / shares
    return np.minimum(chances, 1.0).astype(np.float32)


def train(
    model: Model, tokens: Ints, bounds: Longs, words_of: Ints, chances: Floats, rows: Rows,
    table: Ints, plan: Plan,
) -> None:  # fmt: skip
    """Train on documents that start at `bounds`; `words_of` is each type's word, -1 for none.

    The text is visited in parts, so that Ctrl-C need not wait for its end.
    """
    size = int(bounds[-1] - bounds[0])
    total = plan.epochs * max(size, 1)
    next_drawn = np.empty(plan.negatives, np.int32)
    _draw(table, next_drawn, model.outputs, model.state)
    for epoch in range(plan.epochs):
        for part in _parts(bounds):
            done = epoch * size + int(part[0] - bounds[0])
            next_drawn = _train(
                model.inputs, model.outputs, model.state, tokens, part, words_of, chances,
                rows.starts, rows.rows, table, _SIGMOID, next_drawn, plan.window, done, total,
                plan.learning_rate, plan.is_cbow,
            )  # fmt: skip


def _parts(bounds: Longs) -> Iterator[Longs]:
    """The bounds of the documents in parts of about `PART` tokens, one document at least."""
    first = 0
    while first < len(bounds) - 1:
        end = int(np.searchsorted(bounds, bounds[first] + PART))
        last = min(max(end, first + 1), len(bounds) - 1)
        yield bounds[first : last + 1]
        first = last


@numba.njit(error_model="numpy", cache=True)
def _train(
    inputs: Floats, outputs: Floats, state: NDArray[np.uint64], tokens: Ints, bounds: Longs,
    words_of: Ints, chances: Floats, starts: Longs, rows: Ints, table: Ints, sigmoid: Floats,
    next_drawn: Ints, window: int, done: int, total: int, learning_rate: float, is_cbow: bool,
) -> Ints:  # fmt: skip
    """Visit some documents after `done` of `total` tokens; returns the next negative samples."""
    longest = 0
    for document in range(len(bounds) - 1):
        longest = max(longest, bounds[document + 1] - bounds[document])
    kept = np.empty(longest, np.int32)
    drawn = np.empty_like(next_drawn)
    mean = np.empty(inputs.shape[1], np.float32)
    gradient = np.empty(inputs.shape[1], np.float32)
    for document in range(len(bounds) - 1):
        size = 0
        for at in range(bounds[document], bounds[document + 1]):
            word = words_of[tokens[at]]
            if word >= 0 and random_share(state) < chances[word]:
                kept[size] = word
                size += 1
        left = max(1 - done / total, LEAST_RATE)
        done += bounds[document + 1] - bounds[document]
        rate = np.float32(learning_rate * left)
        for at in range(size):
            if at + window + 1 < size:
                _fetch(outputs[kept[at + window + 1]])
                _fetch(inputs[rows[starts[kept[at + window + 1]]]])
            reach = 1 + random_below(state, window)
            first, last = max(at - reach, 0), min(at + reach + 1, size)
            if is_cbow and last - first > 1:
                drawn, next_drawn = next_drawn, drawn
                _draw(table, next_drawn, outputs, state)
                hidden = _mean(inputs, kept, first, last, at, starts, rows, mean)
                _predict(outputs, hidden, gradient, kept[at], drawn, sigmoid, rate)
                _add(inputs, kept, first, last, at, starts, rows, gradient)
            elif not is_cbow:
                for near in range(first, last):
                    if near != at:
                        drawn, next_drawn = next_drawn, drawn
                        _draw(table, next_drawn, outputs, state)
                        hidden = _mean(inputs, kept, at, at + 1, -1, starts, rows, mean)
                        _predict(outputs, hidden, gradient, kept[near], drawn, sigmoid, rate)
                        _add(inputs, kept, at, at + 1, -1, starts, rows, gradient)
    return next_drawn


@numba.njit(cache=True)
def _draw(table: Ints, drawn: Ints, outputs: Floats, state: NDArray[np.uint64]) -> None:
    """Draw the negative samples of the next prediction, and ask for their rows."""
    for sample in range(len(drawn)):
        drawn[sample] = table[random_below(state, len(table))]
        _fetch(outputs[drawn[sample]])


@numba.njit(cache=True)
def _fetch(row: Floats) -> None:
    """Ask for a row that will soon be needed; waiting for memory would take most of the time."""
    for d in range(0, len(row), LINE):
        prefetch(row, d)


@numba.njit(error_model="numpy", cache=True)
def _mean(
    inputs: Floats, kept: Ints, first: int, last: int, skipped: int, starts: Longs, rows: Ints,
    mean: Floats,
) -> Floats:  # fmt: skip
    """The mean of all rows of some words of a document, except one; a single row is its mean."""
    if last - first == 1 and starts[kept[first] + 1] - starts[kept[first]] == 1:
        return inputs[rows[starts[kept[first]]]]
    mean[:] = 0
    number = 0
    for at in range(first, last):
        if at != skipped:
            number += starts[kept[at] + 1] - starts[kept[at]]
    share = np.float32(1) / np.float32(number)
    for at in range(first, last):
        if at != skipped:
            for place in range(starts[kept[at]], starts[kept[at] + 1]):
                add(mean, inputs[rows[place]], share)
    return mean


@numba.njit(error_model="numpy", cache=True)
def _predict(
    outputs: Floats, hidden: Floats, gradient: Floats, target: int, drawn: Ints, sigmoid: Floats,
    rate: np.float32,
) -> None:  # fmt: skip
    """Predict a target and the negative samples: change their rows, and gather the gradient."""
    gradient[:] = 0
    for sample in range(-1, len(drawn)):
        word, label = target, np.float32(1)
        if sample >= 0:
            word, label = drawn[sample], np.float32(0)
            if word == target:
                continue
        row = outputs[word]
        step = rate * (label - _chance(dot(row, hidden), sigmoid))
        add(gradient, row, step)
        add(row, hidden, step)


@numba.njit(error_model="numpy", cache=True)
def _chance(value: np.float32, sigmoid: Floats) -> np.float32:
    """The logistic function, from its table."""
    if value <= -SIGMOID_RANGE:
        return np.float32(0)
    if value >= SIGMOID_RANGE:
        return np.float32(1)
    place = (value + np.float32(SIGMOID_RANGE)) * np.float32(_SIGMOID_STEPS / (2 * SIGMOID_RANGE))
    return sigmoid[int(place)]


@numba.njit(error_model="numpy", cache=True)
def _add(
    inputs: Floats, kept: Ints, first: int, last: int, skipped: int, starts: Longs, rows: Ints,
    gradient: Floats,
) -> None:  # fmt: skip
    """Add the gradient to all rows of some words of a document, except one."""
    for at in range(first, last):
        if at != skipped:
            for place in range(starts[kept[at]], starts[kept[at] + 1]):
                add(inputs[rows[place]], gradient, np.float32(1))


@numba.njit(cache=True, fastmath={"reassoc", "contract"})
def dot(first: Floats, second: Floats) -> np.float32:
    """The dot product of two arrays, added up in the order that the processor does fastest."""
    total = np.float32(0)
    for d in range(len(first)):
        total += first[d] * second[d]
    return total


@numba.njit(cache=True)
def add(target: Floats, source: Floats, factor: np.float32) -> None:
    """Add an array, times a factor, to another one."""
    for d in range(len(target)):
        target[d] += source[d] * factor


@numba.njit(cache=True)
def _random(state: NDArray[np.uint64]) -> int:
    """The next 64 random bits (xorshift*)."""
    x = state[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    state[0] = x
    return x * np.uint64(0x2545F4914F6CDD1D)


@numba.njit(cache=True)
def random_below(state: NDArray[np.uint64], limit: int) -> int:
    """A random whole number from 0 to below `limit`."""
    return int((_random(state) >> np.uint64(33)) % np.uint64(limit))


@numba.njit(cache=True)
def random_share(state: NDArray[np.uint64]) -> float:
    """A random number from 0 to below 1."""
    return np.float64(_random(state) >> np.uint64(11)) / 9007199254740992.0
