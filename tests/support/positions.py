"""The value of positions the slow way: the equations of the model, iterated until they hold."""

from __future__ import annotations

from functools import cache

from wordkin.game.board import ASSASSIN, NEUTRAL, THEIRS
from wordkin.game.worth import MOST_CARDS, PATIENCE, PROGRESS, WRONG, WRONG_COLOURS


@cache
def plain_win_chances(size: int) -> dict[tuple[int, int], float]:
    """The chance to win for the team that moves, by the cards that it and the other one have."""
    values = {(a, b): 0.5 for a in range(1, size + 1) for b in range(1, size + 1)}
    for _ in range(120):
        values = {(a, b): _one_turn(values, a, b) for a, b in values}
    return values


def _one_turn(values: dict[tuple[int, int], float], movers: int, others: int) -> float:
    total = 0.0
    for found, chance in enumerate(PROGRESS):
        left = movers - found
        if left <= 0:
            total += chance
            continue
        calm = 1 - values[others, left]
        slipped = 1 - values[others - 1, left] if others > 1 else 0.0
        wrong = WRONG_COLOURS[NEUTRAL] * calm + WRONG_COLOURS[THEIRS] * slipped
        total += chance * ((1 - WRONG) * calm + WRONG * wrong)
    return total


@cache
def plain_alone_values(size: int) -> dict[tuple[int, int], float]:
    """The value of solitaire, by the cards that we and the other team have."""
    values = {(a, b): 0.5 for a in range(1, size + 1) for b in range(1, size + 1)}
    for _ in range(120):
        values = {(a, b): _one_turn_alone(values, a, b) for a, b in values}
    return values


def _one_turn_alone(values: dict[tuple[int, int], float], ours: int, theirs: int) -> float:
    total = 0.0
    for found, chance in enumerate(PROGRESS):
        left = ours - found
        if left <= 0:
            total += chance
            continue
        slipped = values[left, theirs - 1] if theirs > 1 else 0.0
        wrong = {THEIRS: slipped, NEUTRAL: values[left, theirs], ASSASSIN: 0.0}
        mean = sum(WRONG_COLOURS[colour] * value for colour, value in wrong.items())
        total += chance * ((1 - WRONG) * values[left, theirs] + WRONG * mean)
    return PATIENCE * total


def plain_utility(ours: int, theirs: int, found: int, colour: str | None, risk: float) -> float:
    """The utility of a turn that found some of our cards and then a card of a bad colour."""

    def value(ours_left: int, theirs_left: int) -> float:
        if not ours_left:
            return 1.0
        if theirs == 0:  # nobody to lose to
            return plain_alone_values(MOST_CARDS)[ours_left, MOST_CARDS]
        return 1 - plain_win_chances(9)[theirs_left, ours_left] if theirs_left else 0.0

    left = ours - found
    slipped = colour == THEIRS and left > 0
    end = 0.0 if colour == ASSASSIN and left else value(left, theirs - slipped)
    gain = end - value(ours, theirs)
    return gain if gain > 0 else gain / risk
