"""The value of positions against the equations of the model, and what they must mean."""

from __future__ import annotations

import pytest

from tests.support.positions import plain_alone_values, plain_win_chances
from wordkin.game.outlook import (
    MOST_CARDS,
    PROGRESS,
    WRONG_COLOURS,
    alone_value,
    value_of,
    win_chance,
)


def test_the_chances_of_a_turn_add_up_to_one() -> None:
    assert sum(PROGRESS) == pytest.approx(1)
    assert sum(WRONG_COLOURS.values()) == pytest.approx(1)


def test_the_chance_to_win_solves_the_equations() -> None:
    for (movers, others), chance in plain_win_chances(9).items():
        assert win_chance(movers, others) == pytest.approx(chance, abs=1e-9)


def test_the_value_of_solitaire_solves_the_equations() -> None:
    for (ours, theirs), value in plain_alone_values(9).items():
        assert alone_value(ours, theirs) == pytest.approx(value, abs=1e-9)


@pytest.mark.parametrize("teams", [1, 2])
def test_fewer_cards_of_ours_are_better_and_fewer_of_theirs_are_worse(teams: int) -> None:
    value = value_of(teams)
    for ours in range(12):
        for theirs in range(1, 12):
            assert value(ours, theirs) > value(ours + 1, theirs)
            assert value(ours + 1, theirs) > value(ours + 1, theirs - 1)
            assert 0 < value(ours + 1, theirs) < 1


def test_the_end_of_a_game_is_its_result() -> None:
    for value in (value_of(1), value_of(2)):
        assert (value(0, 5), value(5, 0)) == (1, 0)


def test_the_assassin_costs_less_when_the_other_team_is_about_to_win() -> None:
    value = value_of(2)
    one_card = value(4, 8) - value(5, 8)
    assert value(5, 8) > 4 * one_card
    assert value(5, 1) < value(5, 8) / 5


def test_large_boards_are_reduced_to_the_size_of_the_model() -> None:
    value = value_of(2)
    assert value(200, 199) == value(MOST_CARDS, MOST_CARDS - 1)
    assert value(199, 200) > value(200, 200) > value(200, 199)
    assert 0 < value(400, 1) < value(1, 400) < 1
