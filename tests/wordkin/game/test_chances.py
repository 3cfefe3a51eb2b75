"""The chances of a turn against all orders of picks."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.examples import at_most
from wordkin.game.chances import among_first, found_chances, pick_weights

weights = st.lists(st.floats(-8, 0).map(lambda x: float(np.exp(x))), min_size=1, max_size=6)


def plain_found(ours: list[float], bad: float, most: int) -> list[float]:
    """The chance of at least k of our cards before a bad one, over the tree of picks."""
    at_least = [0.0] * most

    def walk(left: list[float], found: int, chance: float) -> None:
        if found == most:
            return
        total = sum(left) + bad
        for at, own in enumerate(left):
            at_least[found] += chance * own / total
            walk(left[:at] + left[at + 1 :], found + 1, chance * own / total)

    walk(ours, 0, 1.0)
    return at_least


def plain_among_first(cards: list[float], number: int) -> list[float]:
    """The chance of each card to be among the first picks, over all orders."""
    chances = [0.0] * len(cards)
    for order in permutations(range(len(cards)), min(number, len(cards))):
        chance, left = 1.0, sum(cards)
        for card in order:
            chance *= cards[card] / left
            left -= cards[card]
        for card in order:
            chances[card] += chance
    return chances


@given(weights, st.floats(-8, 0).map(lambda x: float(np.exp(x))), st.integers(1, 4))
def test_found_chances_are_those_of_all_orders(ours: list[float], bad: float, most: int) -> None:
    rows = np.array(ours, dtype=np.float32)[:, None]
    chances = found_chances(rows, np.array([bad], dtype=np.float32), most)
    plain = plain_found(ours, bad, most)
    np.testing.assert_allclose(chances[:, 0], plain, atol=5e-4)


@settings(max_examples=at_most(40))
@given(weights, st.lists(st.integers(1, 4), min_size=1, max_size=3), st.data())
def test_the_chance_to_be_among_the_first_is_that_of_all_orders(
    cards: list[float], numbers: list[int], data: st.DataObject
) -> None:
    clues = [data.draw(st.permutations(cards)) for _ in numbers]
    chances = among_first(np.array(clues), numbers)
    plain = [plain_among_first(*clue) for clue in zip(clues, numbers, strict=True)]
    np.testing.assert_allclose(chances, plain, atol=1e-3)


def test_without_bad_cards_all_of_ours_are_found() -> None:
    chances = found_chances(np.ones((2, 3), np.float32), np.zeros(3, np.float32), 3)
    np.testing.assert_allclose(chances, [[1] * 3, [1] * 3, [0] * 3], atol=1e-4)


def test_weights_are_a_softmax_of_any_scale() -> None:
    values = np.array([[1.0, 900.0], [3.0, 300.0]], dtype=np.float32)
    weights = pick_weights(values, 2.0)
    np.testing.assert_allclose(weights[:, 0], [np.exp(-1), 1])
    assert weights[0, 1] == 1
    assert weights[1, 1] == pytest.approx(0)
