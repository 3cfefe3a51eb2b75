"""The search for the clue that is worth most, against looking at every candidate."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import islice

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.examples import at_most
from tests.support.positions import plain_alone_values, plain_utility, plain_win_chances
from wordkin.errors import InputError
from wordkin.game.board import ASSASSIN, COLOURS, NEUTRAL, OURS, THEIRS
from wordkin.game.board_view import BoardView
from wordkin.game.worth import (
    BAD_COLOURS,
    MOST_CARDS,
    RISKS,
    Stakes,
    Turn,
    alone_value,
    position_value,
    risk_named,
    win_chance,
)


def random_turn(seed: int, candidates: int = 400) -> Turn:
    """A turn with random cards, values, stakes, numbers and hints."""
    rng = np.random.default_rng(seed)
    counts = [int(rng.integers(1, 9)), *rng.integers(0, 5, 3).tolist()]
    colours = [c for c, n in zip(COLOURS, counts, strict=True) for _ in range(n)]
    rng.shuffle(colours)
    scale = rng.choice([0.1, 1.0, 4.0])
    rows = rng.normal(0, scale, (len(colours), candidates)).astype(np.float32)
    most = min(4, counts[0])
    first = int(rng.integers(1, most + 1))
    hinted = rng.random(len(colours)).astype(np.float32) if rng.random() < 0.5 else None
    stakes = Stakes.of(counts[0], counts[1], most, int(rng.integers(1, 3)), rng.choice([0.5, 1, 2]))
    view, numbers = BoardView(rows, tuple(colours), 0.7), range(first, most + 1)
    return Turn(view, stakes, numbers, 1.2, hinted, within_reach=bool(rng.integers(2)))


@settings(max_examples=at_most(60))
@given(st.integers(0, 10**6))
def test_no_candidate_is_worth_more_than_its_bound(seed: int) -> None:
    turn = random_turn(seed)
    worths = turn.worths(np.arange(400)).max(axis=0)
    assert (turn.bounds() >= worths - turn.detours(turn.view)).all()


@settings(max_examples=at_most(40))
@given(st.integers(0, 10**6))
def test_the_best_candidates_come_first(seed: int) -> None:
    turn = random_turn(seed)
    rng = np.random.default_rng(seed)
    bonus = rng.normal(0, 0.01, 400)
    worths = turn.worths(np.arange(400)).astype(np.float64)
    totals = worths.max(axis=0) + bonus
    is_ours = np.array([colour == OURS for colour in turn.view.colours])
    ours_first = is_ours[turn.view.rows.argmax(axis=0)]
    plain = np.lexsort((-totals, ~ours_first)).tolist()
    clues = list(turn.best_first(bonus))
    assert [clue.candidate for clue in clues] == plain
    for clue in clues:
        row = turn.numbers.index(clue.number)
        assert clue.worth == pytest.approx(worths[:, clue.candidate].max())
        assert clue.worth == pytest.approx(worths[row, clue.candidate])


@settings(max_examples=at_most(40))
@given(st.integers(0, 10**6))
def test_a_number_counts_only_cards_that_are_closer_than_any_bad_card(seed: int) -> None:
    turn = random_turn(seed)
    free = replace(turn, within_reach=False).worths(np.arange(400))
    worths = replace(turn, within_reach=True).worths(np.arange(400))
    for candidate, values in enumerate(turn.view.rows.T.tolist()):
        cards = list(zip(values, turn.view.colours, strict=True))
        bad = [value for value, colour in cards if colour != OURS]
        reach = sum(not bad or value > max(bad) for value, colour in cards if colour == OURS)
        for row, number in enumerate(turn.numbers):
            sayable = number <= reach or row == 0
            expected = free[row, candidate] if sayable else -np.inf
            assert worths[row, candidate] == expected


def test_few_candidates_are_evaluated(monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    rows = rng.gumbel(0, 1, (25, 20_000)).astype(np.float32)
    colours = (OURS,) * 9 + (THEIRS,) * 8 + (NEUTRAL,) * 7 + (ASSASSIN,)
    turn = Turn(BoardView(rows, colours), Stakes.of(9, 8, 4), range(1, 5))
    evaluated: list[int] = []
    plain = Turn.worths

    def counted(self: Turn, candidates: np.ndarray) -> np.ndarray:
        evaluated.append(len(candidates))
        return plain(self, candidates)

    monkeypatch.setattr(Turn, "worths", counted)
    assert len(list(islice(turn.best_first(), 5))) == 5
    assert sum(evaluated) < 2000


def test_stakes_are_the_utilities_of_all_ends() -> None:
    for risk in (0.5, 1.0, 3.0):
        stakes = Stakes.of(5, 3, 3, risk=risk)
        for found in range(5):
            plain = plain_utility(5, 3, found, None, risk)
            assert stakes.stop[found] == pytest.approx(plain, abs=1e-6)
            for colour in BAD_COLOURS:
                plain = plain_utility(5, 3, found, colour, risk)
                assert stakes.bad[colour][found] == pytest.approx(plain, abs=1e-6)


def test_the_extra_guess_goes_to_a_card_of_an_earlier_clue() -> None:
    # The guesser surely finds the first card; the earlier clue then points at the second one.
    rows = np.array([[9.0], [0.0], [0.0], [0.0]], dtype=np.float32)
    colours = (OURS, OURS, THEIRS, ASSASSIN)
    stakes = Stakes.of(5, 4, 1)
    plain = Turn(BoardView(rows, colours, 0.1), stakes, [1])
    for hints, end in [
        ([0, 1, 0, 0], stakes.stop[2]),
        ([5, 0, 1, 0], stakes.bad[THEIRS][1]),
        ([5, 1, 0, 1], (stakes.stop[2] + stakes.bad[ASSASSIN][1]) / 2),
        ([1, 0, 0, 0], stakes.stop[1]),  # that card is found already: nothing is left to hint at
    ]:
        hinted = np.array(hints, dtype=np.float32)
        turn = Turn(plain.view, stakes, [1], hinted=hinted)
        assert turn.worths(np.array([0]))[0, 0] == pytest.approx(end, abs=1e-3)
    assert plain.worths(np.array([0]))[0, 0] == pytest.approx(stakes.stop[1], abs=1e-3)


def test_the_bolder_the_more_cards() -> None:
    # Three cards of ours, less and less related; the assassin is not far from the last one.
    rows = np.array([[4.0], [3.0], [2.4], [1.0], [1.3]], dtype=np.float32)
    colours = (OURS, OURS, OURS, THEIRS, ASSASSIN)
    numbers = []
    for risk in (0.05, 0.5, 1.0, 2.0, 50.0):
        turn = Turn(BoardView(rows, colours, 0.6), Stakes.of(6, 6, 3, risk=risk), range(1, 4))
        numbers.append(next(turn.best_first()).number)
    assert numbers == sorted(numbers)
    assert numbers[0] < numbers[-1]


def test_when_the_other_team_is_about_to_win_more_is_risked() -> None:
    rows = np.array([[4.0], [2.5], [2.2], [2.0], [1.9]], dtype=np.float32)
    colours = (OURS, OURS, OURS, NEUTRAL, ASSASSIN)

    def number(ours_left: int, theirs_left: int) -> int:
        stakes = Stakes.of(ours_left, theirs_left, 3)
        turn = Turn(BoardView(rows, colours, 0.6), stakes, range(1, 4))
        return next(turn.best_first()).number

    assert number(3, 8) < number(3, 1) == 3


def test_risk_is_a_name_or_a_number() -> None:
    assert [risk_named(name) for name in RISKS] == list(RISKS.values())
    assert risk_named("1.5") == 1.5
    for text in ("reckless", "0", "-1", "nan", "inf", ""):
        with pytest.raises(InputError, match=r"risk cannot be .*: use cautious, balanced, bold"):
            risk_named(text)


def test_the_chance_to_win_solves_the_equations() -> None:
    for (movers, others), chance in plain_win_chances(9).items():
        assert win_chance(movers, others) == pytest.approx(chance, abs=1e-9)


def test_the_value_of_solitaire_solves_the_equations() -> None:
    for (ours, theirs), value in plain_alone_values(9).items():
        assert alone_value(ours, theirs) == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("teams", [1, 2])
def test_fewer_cards_of_ours_are_better_and_fewer_of_theirs_are_worse(teams: int) -> None:
    value = partial(position_value, teams=teams)
    for ours in range(12):
        for theirs in range(1, 12):
            assert value(ours, theirs) > value(ours + 1, theirs)
            assert value(ours + 1, theirs) > value(ours + 1, theirs - 1)
            assert 0 < value(ours + 1, theirs) < 1


def test_the_assassin_costs_less_when_the_other_team_is_about_to_win() -> None:
    value = partial(position_value, teams=2)
    one_card = value(4, 8) - value(5, 8)
    assert value(5, 8) > 4 * one_card
    assert value(5, 1) < value(5, 8) / 5


def test_large_boards_are_reduced_to_the_size_of_the_model() -> None:
    value = partial(position_value, teams=2)
    assert value(200, 199) == value(MOST_CARDS, MOST_CARDS - 1)
    assert value(199, 200) > value(200, 200) > value(200, 199)
    assert 0 < value(400, 1) < value(1, 400) < 1
