"""Negative sampling: the kernel against a plain loop, and sums in a fixed order."""

from __future__ import annotations

import numba
import numpy as np
import pytest

from pipeline.measures import negative_sampling
from pipeline.measures.negative_sampling import (
    Model,
    Plan,
    Rows,
    keep_chances,
    negative_table,
    padded,
    start,
    train,
)
from tests.support.plain_random import PlainRandom

WORDS, BUCKETS = 9, 7


def plain_chance(value: float) -> float:
    """The logistic function at the last of 1,024 steps from -8 to 8."""
    if abs(value) >= 8:
        return float(value > 0)
    place = np.floor((value + 8) * 64)
    return float(1 / (1 + np.exp(-(place / 64 - 8))))


def plain_train(
    model: Model, documents: list[list[int]], words_of: list[int], chances: np.ndarray,
    rows_of: list[list[int]], table: np.ndarray, plan: Plan,
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    """The definition: one prediction after the other."""
    random = PlainRandom(int(model.state[0]))
    inputs, outputs = model.inputs.astype(float), model.outputs.astype(float)

    def draw() -> list[int]:
        return [int(table[random.below(len(table))]) for _ in range(plan.negatives)]

    upcoming = [draw()]
    total, done = plan.epochs * sum(map(len, documents)), 0

    def predict(sources: list[int], target: int, rate: float) -> None:
        drawn = upcoming.pop()
        upcoming.append(draw())  # one prediction ahead, so that rows are there in time
        rows = [row for word in sources for row in rows_of[word]]
        hidden, gradient = inputs[rows].mean(axis=0), np.zeros(inputs.shape[1])
        for word, label in [(target, 1), *((word, 0) for word in drawn if word != target)]:
            step = rate * (label - plain_chance(float(outputs[word] @ hidden)))
            gradient += step * outputs[word]
            outputs[word] += step * hidden
        for row in rows:
            inputs[row] += gradient

    for _ in range(plan.epochs):
        for document in documents:
            words = [words_of[token] for token in document]
            kept = [word for word in words if word >= 0 and random.share() < chances[word]]
            rate = plan.learning_rate * max(1 - done / total, negative_sampling.LEAST_RATE)
            done += len(document)
            for at, word in enumerate(kept):
                reach = 1 + random.below(plan.window)
                window = [kept[n] for n in range(max(at - reach, 0), at)]
                window += kept[at + 1 : at + reach + 1]
                if plan.is_cbow and window:
                    predict(window, word, rate)
                elif not plan.is_cbow:
                    for near in window:
                        predict([word], near, rate)
    return inputs, outputs


@pytest.mark.parametrize("is_cbow", [False, True])
@pytest.mark.parametrize("has_subwords", [False, True])
@pytest.mark.parametrize("seed", range(3))
def test_the_kernel_is_the_plain_loop(
    is_cbow: bool, has_subwords: bool, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(negative_sampling, "TABLE", 64)
    monkeypatch.setattr(negative_sampling, "PART", 10)
    random = np.random.default_rng(seed)
    grams = random.integers(WORDS, WORDS + BUCKETS, (WORDS, 3)).tolist()
    rows_of = [[word, *(grams[word][: word % 4] if has_subwords else [])] for word in range(WORDS)]
    words_of = [-1, *random.permutation(WORDS).tolist(), -1]
    documents = [random.integers(0, len(words_of), size).tolist() for size in (12, 0, 1, 7, 25)]
    counts = np.arange(20, 2, -2)
    chances, table = keep_chances(counts, 60, 0.05), negative_table(counts, 0.5)
    plan = Plan(3, 4, 2, 0.5, is_cbow)
    model = start(WORDS + BUCKETS, WORDS, 40, seed)
    model.inputs[:, :40] = random.standard_normal((WORDS + BUCKETS, 40)) / 3
    model.outputs[:, :40] = random.standard_normal((WORDS, 40)) / 3
    expected = plain_train(model, documents, words_of, chances, rows_of, table, plan)
    rows = Rows(
        np.cumsum([0, *map(len, rows_of)]),
        np.array([row for rows in rows_of for row in rows], np.int32),
    )
    tokens = np.array([token for document in documents for token in document], np.int32)
    bounds = np.cumsum([0, *map(len, documents)])
    train(model, tokens, bounds, np.array(words_of, np.int32), chances, rows, table, plan)
    # A sum that is next to a step of the logistic function may fall on either side of it.
    np.testing.assert_allclose(model.inputs, expected[0], rtol=0.02, atol=0.02)
    np.testing.assert_allclose(model.outputs, expected[1], rtol=0.02, atol=0.02)
    assert not model.inputs[:, 40:].any() and not model.outputs[:, 40:].any()


@numba.njit
def both(first: np.ndarray, second: np.ndarray, factor: np.float32) -> float:
    negative_sampling.add(first, second, factor)
    return negative_sampling.dot(first, second)


@pytest.mark.parametrize("length", [1, 16, padded(300)])
def test_sums_are_those_of_numpy(length: int) -> None:
    random = np.random.default_rng(length)
    first, second = random.standard_normal((2, length), dtype=np.float32)
    added = first + second * np.float32(0.3)
    assert both(first, second, np.float32(0.3)) == pytest.approx(added @ second, rel=1e-4)
    np.testing.assert_allclose(first, added, rtol=1e-6)


def test_the_same_text_gives_the_same_bytes_in_any_parts_and_another_seed_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def trained(seed: int, part: int = negative_sampling.PART) -> bytes:
        monkeypatch.setattr(negative_sampling, "PART", part)
        model = start(WORDS, WORDS, 300, seed)
        tokens = np.random.default_rng(1).integers(0, WORDS, 500).astype(np.int32)
        words = np.arange(WORDS, dtype=np.int32)
        rows = Rows(np.arange(WORDS + 1), words)
        counts = np.bincount(tokens)
        table, chances = negative_table(counts, 0.5), keep_chances(counts, 500, 1.0)
        train(model, tokens, np.arange(0, 501, 50), words, chances, rows, table, Plan(5, 5, 3, 0.1))
        return model.inputs.tobytes()

    assert trained(0) == trained(0) == trained(0, part=120) == trained(0, part=1) != trained(1)


def test_negative_samples_follow_the_counts_and_frequent_words_are_thinned_out() -> None:
    counts = np.array([1000, 100, 10, 0])
    drawn = np.bincount(negative_table(counts, 0.75), minlength=4) / negative_sampling.TABLE
    np.testing.assert_allclose(drawn, counts**0.75 / (counts**0.75).sum(), atol=1e-5)
    chances = keep_chances(counts, 1110, 1e-4)
    assert chances[0] == pytest.approx(np.sqrt(1.11e-4) + 1.11e-4, rel=1e-5)
    assert chances[0] < chances[1] < chances[2] < chances[3] == 1
