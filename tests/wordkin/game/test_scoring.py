"""The scoring functions against the formulas of the papers, candidate by candidate."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from tests.support.positions import plain_utility
from wordkin.game.board import ASSASSIN, COLOURS, NEUTRAL, OURS, THEIRS
from wordkin.game.board_view import BoardView
from wordkin.game.scoring import (
    NEAREST,
    SCORINGS,
    Options,
    frequency,
)
from wordkin.game.worth import BAD_COLOURS

Cards = dict[str, list[float]]
"""The relatedness of one candidate to the cards of each colour."""


def targets(cards: Cards, n: int) -> list[float]:
    return sorted(cards[OURS], reverse=True)[:n]


def bad(cards: Cards) -> float:
    return max(cards[THEIRS] + cards[NEUTRAL] + cards[ASSASSIN], default=0.0)


def harmonic_mean(values: list[float]) -> float:
    return len(values) / sum(1 / value for value in values) if min(values) > 0 else 0.0


def plain_kim(cards: Cards, n: int, options: Options) -> float:
    least = min(targets(cards, n))
    return least if least > bad(cards) and least > options.threshold else 0.0


def plain_jaramillo(cards: Cards, n: int, options: Options) -> float:
    weights = {THEIRS: options.theirs, NEUTRAL: options.neutral, ASSASSIN: options.assassin}
    penalty = sum(w * max(cards[colour], default=0.0) for colour, w in weights.items())
    kim = plain_kim(cards, n, options)
    return kim - penalty if kim > 0 else 0.0


def plain_koyyalagunta(cards: Cards, n: int, options: Options) -> float:
    return sum(targets(cards, n)) - options.penalty * bad(cards)


def plain_koyy_restrict(cards: Cards, n: int, options: Options) -> float:
    passes = min(targets(cards, n)) > bad(cards)
    return plain_koyyalagunta(cards, n, options) if passes else 0.0


def plain_harmonic(cards: Cards, n: int, options: Options) -> float:
    chosen = targets(cards, n)
    if min(chosen) <= bad(cards) or min(chosen) <= 0:
        return 0.0
    return harmonic_mean(chosen) - options.penalty * bad(cards)


def plain_harmonic_divide(cards: Cards, n: int, options: Options) -> float:
    chosen = targets(cards, n)
    return harmonic_mean(chosen) / max(n * bad(cards), 1.0)


def plain_expected(cards: Cards, n: int, options: Options) -> float:
    """The whole tree of possibilities, leaf by leaf."""
    loss = len(cards[THEIRS]) if options.loss is None else options.loss
    leaf = {THEIRS: -1.0, NEUTRAL: 0.0, ASSASSIN: -loss}

    def chance(value: float) -> float:
        return math.exp(options.sharpness * value)

    others = sum(chance(v) for colour in leaf for v in cards[colour])

    @cache
    def walk(left: tuple[float, ...], guesses: int) -> float:
        if not guesses:
            return 0.0
        total = others + sum(map(chance, left))
        value = sum(chance(v) / total * leaf[colour] for colour in leaf for v in cards[colour])
        for at, own in enumerate(left):
            rest = left[:at] + left[at + 1 :]
            value += chance(own) / total * (1 + walk(rest, guesses - 1))
        return value

    return walk(tuple(cards[OURS]), n)


def plain_worth(cards: Cards, n: int, options: Options) -> float:
    """The whole tree of picks, down to the value of the position that each turn leads to."""
    ours_left, theirs_left = len(cards[OURS]), len(cards[THEIRS])
    bad_cards = [(v, colour) for colour in BAD_COLOURS for v in cards[colour]]
    bad_cards = bad_cards or [(0.0, NEUTRAL)]  # something has to be told apart from our cards

    def weight(value: float) -> float:
        return math.exp(options.sharpness * value)

    def walk(left: tuple[float, ...], found: int, chance: float) -> Iterator[tuple[float, float]]:
        """Yield the chance and the utility of every end of the turn."""
        if found == n:
            yield chance, plain_utility(ours_left, theirs_left, found, None, options.risk)
            return
        total = sum(map(weight, left)) + sum(weight(v) for v, _ in bad_cards)
        for value, colour in bad_cards:
            utility = plain_utility(ours_left, theirs_left, found, colour, options.risk)
            yield chance * weight(value) / total, utility
        for at, own in enumerate(left):
            rest = left[:at] + left[at + 1 :]
            yield from walk(rest, found + 1, chance * weight(own) / total)

    return sum(chance * utility for chance, utility in walk(tuple(cards[OURS]), 0, 1.0))


def plain_centroid(cards: Cards, n: int, options: Options) -> float:
    chosen = targets(cards, n)
    return sum(chosen) / n if min(chosen) > bad(cards) else 0.0


PLAIN: dict[str, Callable[[Cards, int, Options], float]] = {
    "kim": plain_kim,
    "jaramillo": plain_jaramillo,
    "koyyalagunta": plain_koyyalagunta,
    "koyy-restrict": plain_koyy_restrict,
    "harmonic": plain_harmonic,
    "harmonic-divide": plain_harmonic_divide,
    "expected": plain_expected,
    "centroid": plain_centroid,
    "worth": plain_worth,
}


@st.composite
def tables(draw: st.DrawFn) -> BoardView:
    counts = [draw(st.integers(1, 6))] + [draw(st.integers(0, 3)) for _ in COLOURS[1:]]
    colours = draw(
        st.permutations([c for c, n in zip(COLOURS, counts, strict=True) for _ in range(n)])
    )
    # A coarse grid, so that ties and zeros are common; the threshold below is not on it.
    values = st.integers(-20, 40).map(lambda k: k / 40)
    rows = draw(arrays(np.float32, (sum(counts), draw(st.integers(1, 4))), elements=values))
    return BoardView(rows, tuple(colours))


tunings = st.builds(
    Options,
    penalty=st.sampled_from([0.0, 0.5, 1.0]),
    threshold=st.sampled_from([0.0, 0.31]),
    theirs=st.sampled_from([0.0, 0.5]),
    neutral=st.sampled_from([0.0, 0.25]),
    assassin=st.sampled_from([0.0, 1.0]),
    sharpness=st.sampled_from([1.0, 10.0, 18.0]),
    loss=st.sampled_from([None, 0.0, 9.0]),
    risk=st.sampled_from([0.5, 1.0, 2.0]),
)


@pytest.mark.parametrize("name", SCORINGS)
@given(view=tables(), options=tunings)
def test_each_function_is_its_formula(name: str, view: BoardView, options: Options) -> None:
    most = min(4, view.colours.count(OURS))
    scores = SCORINGS[name](view, most, options)
    assert scores.shape == (most, view.rows.shape[1])
    for candidate in range(view.rows.shape[1]):
        cards: Cards = {
            colour: [
                float(value)
                for value, c in zip(view.rows[:, candidate], view.colours, strict=True)
                if c == colour
            ]
            for colour in COLOURS
        }
        for n in range(1, most + 1):
            plain = PLAIN[name](cards, n, options)
            # The chances behind these two are integrated numerically.
            error = {"worth": 1e-3, "expected": 5e-3}.get(name, 1e-5)
            assert scores[n - 1, candidate] == pytest.approx(plain, rel=1e-4, abs=error)


def test_scores_do_not_depend_on_the_other_candidates() -> None:
    rows = np.random.default_rng(0).random((12, 20_000), dtype=np.float32)
    view = BoardView(rows, (OURS,) * 6 + (THEIRS,) * 4 + (NEUTRAL, ASSASSIN))
    for name, scoring in SCORINGS.items():
        if name == "centroid":  # it compares the candidates with each other
            continue
        together = scoring(view, 4, Options())
        for candidate in (0, 8191, 8192, 19_999):
            alone = scoring(view.select([candidate]), 4, Options())
            np.testing.assert_array_equal(together[:, candidate], alone[:, 0])


def test_the_temperature_of_the_measure_scales_the_sharpness() -> None:
    rows = np.random.default_rng(1).random((9, 50), dtype=np.float32)
    colours = (OURS,) * 4 + (THEIRS,) * 3 + (NEUTRAL, ASSASSIN)
    for name in ("expected", "worth"):
        plain = SCORINGS[name](BoardView(rows, colours), 3, Options(sharpness=8))
        scaled = SCORINGS[name](BoardView(rows * 30, colours, 30 / 4), 3, Options(sharpness=2))
        np.testing.assert_allclose(plain, scaled, rtol=1e-3, atol=1e-5)


def test_the_centroid_search_considers_the_nearest_candidates_only() -> None:
    # The more related to both cards, the farther to the right; the bad card is never close.
    values = np.linspace(0.1, 0.9, NEAREST + 20, dtype=np.float32)
    view = BoardView(np.stack([values, values, values * 0]), (OURS, OURS, THEIRS))
    scores = SCORINGS["centroid"](view, 2, Options())
    assert (scores[:, :20] == 0).all()
    np.testing.assert_allclose(scores[:, 20:], np.stack([values, values])[:, 20:])


def test_frequency_is_equation_3_of_detect() -> None:
    documents = np.array([1, 10, 1667, 1668, 1701])
    np.testing.assert_allclose(frequency(documents, 1701), [-1, -0.1, -1 / 1667, -1, -1])
    # Another corpus: shares of documents count, not their number.
    np.testing.assert_allclose(frequency(documents * 50, 1701 * 50), frequency(documents, 1701))
    assert frequency(np.array([1]), 10**6).tolist() == [-1.0]
