"""What a position is worth: the chance to win, from a small model of how games go on.

The model knows a position by the number of cards that each team still has to find and by the team
that moves. In its turn a team finds k of its cards with the chance `PROGRESS[k]`. With the chance
`WRONG` the turn ends with a wrong card, which is one of the other team's, a neutral one or the
assassin with the chances `WRONG_COLOURS`. The figures are those of 1,182 recorded rounds in English
and Hungarian, and the shares of the colours are those of a new board.

    two teams   the value is the chance that we win
    solitaire   the value is the chance that we win, less 4 % for every turn that it takes: the
                competition counts a lost game as 25 turns

So tempo and the end of a game need no rules of their own: when the other team is about to win, a
turn that finds little is worth little, and the assassin costs little more than a lost turn.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from wordkin.game.board import ASSASSIN, DEAL, NEUTRAL, THEIRS

PROGRESS = (0.22, 0.23, 0.36, 0.19)
"""The chance to find 0, 1, 2 or 3 cards in a turn."""

WRONG = 0.6
"""The chance that a turn ends with a wrong card."""

_WRONG_CARDS = sum(DEAL[colour] for colour in (THEIRS, NEUTRAL, ASSASSIN))
WRONG_COLOURS = {colour: DEAL[colour] / _WRONG_CARDS for colour in (THEIRS, NEUTRAL, ASSASSIN)}
"""The chance of each colour of a wrong card."""

PATIENCE = 1 - 1 / 25
"""What a win of solitaire is worth a turn later."""

MOST_CARDS = 30
"""The largest number of cards in the model. With more, both numbers are reduced by the same."""

Value = Callable[[int, int], float]
"""The value of a position at the end of our turn: from the cards that we and they have left."""


def value_of(teams: int) -> Value:
    """The value of positions at the end of our turn, in a game of one or two teams."""
    return _alone_value if teams == 1 else _team_value


def _team_value(ours: int, theirs: int) -> float:
    """The chance that we win when the other team moves next."""
    if ours <= 0:
        return 1.0
    return 1 - win_chance(*_within_model(theirs, ours)) if theirs > 0 else 0.0


def _alone_value(ours: int, theirs: int) -> float:
    """The value of a game of solitaire that goes on."""
    if ours <= 0:
        return 1.0
    return alone_value(*_within_model(ours, theirs)) if theirs > 0 else 0.0


def _within_model(first: int, second: int) -> tuple[int, int]:
    """Two numbers of cards, reduced by the same until the model has them."""
    excess = max(max(first, second) - MOST_CARDS, 0)
    return max(first - excess, 1), max(second - excess, 1)


_CALM = 1 - WRONG + WRONG * WRONG_COLOURS[NEUTRAL]
"""The chance that a turn turns over none of the other team's cards and not the assassin."""
_SLIP = WRONG * WRONG_COLOURS[THEIRS]
"""The chance that a turn turns over one of the other team's cards."""


@cache
def win_chance(movers: int, others: int) -> float:
    """The chance to win for the team that moves.

    Parameters
    ----------
    movers, others : int
        The number of cards that the team that moves and the other team have left.
    """
    # A turn in which nothing happens leads to the same position with the other team to move. So
    # the chances of the two positions are a - c w' and b - c w of each other.
    again = PROGRESS[0] * _CALM
    mine, yours = _after_change(movers, others), _after_change(others, movers)
    return (mine - again * yours) / (1 - again * again)


def _after_change(movers: int, others: int) -> float:
    """The part of the chance to win in which a card is turned over, plus that of a calm turn."""
    total = PROGRESS[0] * _CALM
    for found, chance in enumerate(PROGRESS):
        if found >= movers:
            total += chance
            continue
        if found:
            total += chance * _CALM * (1 - win_chance(others, movers - found))
        if others > 1:
            total += chance * _SLIP * (1 - win_chance(others - 1, movers - found))
    return total


@cache
def alone_value(ours: int, theirs: int) -> float:
    """The chance to win a game of solitaire, less 4 % for every turn that it takes."""
    again = PATIENCE * PROGRESS[0] * _CALM
    total = 0.0
    for found, chance in enumerate(PROGRESS):
        if found >= ours:
            total += chance
            continue
        if found:
            total += chance * _CALM * alone_value(ours - found, theirs)
        if theirs > 1:
            total += chance * _SLIP * alone_value(ours - found, theirs - 1)
    return PATIENCE * total / (1 - again)
