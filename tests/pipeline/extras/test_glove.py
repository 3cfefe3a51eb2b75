"""GloVe's kernel against a plain loop, and the same bytes whatever the threads."""

from __future__ import annotations

import math

import numba
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.count.store import CountMatrix, WindowFacts
from pipeline.extras import glove
from pipeline.extras.glove import BLOCKS, Model, schedule, start, train_epoch
from tests.support.matrices import random_counts

MAXIMUM, EXPONENT, RATE = 5.0, 0.75, 0.05


def visits(counts: CountMatrix) -> list[tuple[int, int, float]]:
    """The ordered pairs of one epoch in their order, with their counts."""
    pairs = schedule(counts, MAXIMUM, EXPONENT, 0)
    order = []
    for shift in range(BLOCKS):
        for p in range(BLOCKS):
            q = (p + shift) % BLOCKS
            own, mirrored = (
                slice(*pairs.starts[g : g + 2]) for g in (p * BLOCKS + q, q * BLOCKS + p)
            )
            order += zip(pairs.first[own], pairs.second[own], pairs.logarithms[own], strict=True)
            order += zip(
                pairs.second[mirrored], pairs.first[mirrored], pairs.logarithms[mirrored],
                strict=True,
            )  # fmt: skip
    return [(int(i), int(j), math.exp(x)) for i, j, x in order]


def plain_epoch(model: Model, counts: CountMatrix) -> float:
    """GloVe's gradient, one number at a time."""
    w, b, s, t = (array.astype(float) for array in model)
    cost = 0.0
    order = visits(counts)
    for i, j, x in order:
        error = sum(w[0, i] * w[1, j]) + b[0, i] + b[1, j] - math.log(x)
        weighted = min(x / MAXIMUM, 1) ** EXPONENT * error
        cost += weighted * error / 2
        gradients = {(0, i): weighted * w[1, j], (1, j): weighted * w[0, i]}
        for at, gradient in gradients.items():
            w[at] -= RATE * gradient / np.sqrt(s[at])
            s[at] += (RATE * gradient) ** 2
            b[at] -= weighted / math.sqrt(t[at])
            t[at] += weighted**2
    for array, trained in zip(model, (w, b, s, t), strict=True):
        array[:] = trained
    return cost / len(order)


@settings(max_examples=10, deadline=None)
@given(st.integers(2, 50), st.integers(0, 1000))
def test_an_epoch_visits_every_ordered_pair_once(words: int, seed: int) -> None:
    counts = random_counts(words, seed)
    first, second = counts.first_words().tolist(), counts.indices.tolist()
    true = dict(zip(zip(first, second, strict=True), counts.values / 2, strict=True))
    both = {**true, **{(j, i): x for (i, j), x in true.items()}}
    seen = visits(counts)
    assert len(seen) == len(both)
    for i, j, x in seen:
        assert x == pytest.approx(both[i, j], rel=1e-5)


def test_cells_of_a_round_share_no_vector() -> None:
    for shift in range(BLOCKS):
        contexts = {(p + shift) % BLOCKS for p in range(BLOCKS)}
        assert contexts == set(range(BLOCKS))


@pytest.mark.parametrize("dimensions", [1, 3, 20])
def test_the_kernel_is_the_plain_loop(dimensions: int) -> None:
    counts = random_counts(45, dimensions)
    pairs = schedule(counts, MAXIMUM, EXPONENT, 0)
    fast, slow = start(45, dimensions, 7), start(45, dimensions, 7)
    for _ in range(3):
        assert train_epoch(fast, pairs, RATE) == pytest.approx(plain_epoch(slow, counts), rel=1e-4)
    for ours, plain in zip(fast, slow, strict=True):
        np.testing.assert_allclose(ours, plain, rtol=2e-4, atol=2e-5)


def test_the_bytes_do_not_depend_on_the_threads() -> None:
    counts = random_counts(70, 1)
    pairs = schedule(counts, MAXIMUM, EXPONENT, 0)
    trained = []
    before = numba.get_num_threads()
    try:
        for threads in (1, numba.config.NUMBA_NUM_THREADS):
            numba.set_num_threads(threads)
            model = start(70, 8, 0)
            costs = [train_epoch(model, pairs, RATE) for _ in range(3)]
            trained.append((costs, [array.tobytes() for array in model]))
    finally:
        numba.set_num_threads(before)
    assert trained[0] == trained[1]


def test_words_of_one_topic_come_together() -> None:
    rng = np.random.default_rng(0)
    topic = np.arange(40) % 4
    mean = np.where(topic[:, None] == topic, 60.0, 2.0)
    upper = np.triu(rng.poisson(mean) + 1, 1)
    first, second = np.nonzero(upper)
    counts = CountMatrix(
        np.searchsorted(first, np.arange(41)).astype(np.int64),
        second.astype(np.int32),
        upper[first, second].astype(np.int64),
        WindowFacts(2, "linear", 1),
    )
    pairs = schedule(counts, 10, EXPONENT, 0)
    model = start(40, 10, 0)
    costs = [train_epoch(model, pairs, RATE) for _ in range(40)]
    assert costs[-1] < costs[0] / 10
    vectors = glove.word_vectors(model)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cosines = vectors @ vectors.T
    same = (topic[:, None] == topic) & ~np.eye(40, dtype=bool)
    assert cosines[same].mean() > cosines[topic[:, None] != topic].mean() + 0.4
