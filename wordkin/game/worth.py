"""What a clue is worth: the expected value of the position after the turn that it starts.

A clue for n cards starts a turn in which a guesser picks by the model of `wordkin.game.chances`:
up to n cards, and none after the first that is not ours. When a card of an earlier clue was not
found, the guesser then uses the extra guess for it. Each way that the turn can end leads to a
position with a value (`position_value`). A clue is worth the expected difference between this
value and that of a turn in which nothing is turned over:

    worth(c, n) = Σ over k < n of P(exactly k found) · Σ over colours of q(colour) · u(k, colour)
                  + P(n found) · u(n)

where q is the share of a colour in the weight of all bad cards. `RISKS` says how losses count.

The value of a position comes from a small model of how games go on. It knows a position by the
number of cards that each team still has to find and by the team that moves. In its turn a team
finds k of its cards with the chance `PROGRESS[k]`. With the chance `WRONG` the turn ends with a
wrong card, which is one of the other team's, a neutral one or the assassin with the chances
`WRONG_COLOURS`. The figures are those of 1,182 recorded rounds in English and Hungarian, and the
shares of the colours are those of a new board.

    two teams   the value is the chance that we win
    solitaire   the value is the chance that we win, less 4 % for every turn that it takes: the
                competition counts a lost game as 25 turns

So tempo and the end of a game need no rules of their own: when the other team is about to win, a
turn that finds little is worth little, and the assassin costs little more than a lost turn.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordkin.arrays import Floats, Ids
from wordkin.errors import InputError
from wordkin.game.board import ASSASSIN, DEAL, NEUTRAL, OURS, THEIRS
from wordkin.game.board_view import BoardView
from wordkin.game.chances import found_chances

RISKS = {"cautious": 0.25, "balanced": 0.5, "bold": 1.0}
"""Attitudes to risk by name. A loss counts one over this number as much as an equal gain. Bold is
neutral: it takes the chances as they are. But the best of thousands of words looks better than it
is, so in the balanced attitude losses count twice (research/strangers.md has the figures)."""

BALANCED = RISKS["balanced"]

CONFIDENCE = 1.5
"""Where no other measure judges the clues, the guesser is taken to be this many times as sure as
people were in the recorded rounds: a clue that is chosen among thousands stands out more than the
recorded ones (research/strangers.md has the figures)."""

BAD_COLOURS = (THEIRS, NEUTRAL, ASSASSIN)

_BLOCK = 8192
"""The number of candidates whose bounds are computed at a time: more do not fit the cache."""
_FIRST, _FACTOR = 128, 4
"""How many candidates are evaluated first, and how many times as many in each later step."""
_ENOUGH = 2048
"""After as many evaluated candidates, the best of them come before any other. Only on very large
boards do so many have a chance: there, all are worth about the same."""
_FARTHEST = np.float32(60)
"""The logarithm of the largest weight, which is far from the largest number of 32 bits."""
_TINY = np.finfo(np.float32).tiny
_SLACK = np.float32(1e-3)
"""The bound is raised by this share of the range of utilities, for errors of rounding and of
`found_chances`."""


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


def risk_named(text: str) -> float:
    """Return the attitude to risk that a name or a number stands for."""
    if text in RISKS:
        return RISKS[text]
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not 0.01 <= number <= 100:
        raise InputError(
            f"The risk cannot be {text}: use {', '.join(RISKS)}, or a number from 0.01 to 100."
        )
    return number


def position_value(ours: int, theirs: int, teams: int) -> float:
    """The value of a position at the end of our turn, by the cards that each team has left."""
    if ours <= 0:
        return 1.0
    if theirs <= 0:
        return 0.0
    excess = max(max(ours, theirs) - MOST_CARDS, 0)
    ours, theirs = max(ours - excess, 1), max(theirs - excess, 1)
    return alone_value(ours, theirs) if teams == 1 else 1 - win_chance(theirs, ours)


_CALM = 1 - WRONG + WRONG * WRONG_COLOURS[NEUTRAL]
"""The chance that a turn turns over none of the other team's cards and not the assassin."""
_SLIP = WRONG * WRONG_COLOURS[THEIRS]
"""The chance that a turn turns over one of the other team's cards."""


@cache
def win_chance(movers: int, others: int) -> float:
    """The chance to win for the team that moves, by the cards that it and the other have left."""
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


@dataclass(frozen=True)
class Stakes:
    """What is at stake in a turn: the utility of each way that it can end.

    Attributes
    ----------
    stop : array, (most + 2,)
        The utility of k cards found and no bad card, for k from 0.
    bad : mapping of str to array, (most + 2,)
        The same when a card of each bad colour came after them.
    """

    stop: Floats
    bad: Mapping[str, Floats]

    @classmethod
    def of(
        cls, ours_left: int, theirs_left: int, most: int, teams: int = 2, risk: float = 1.0
    ) -> Stakes:
        """Return the stakes of a turn with clues for up to `most` cards.

        Losses are divided by the risk.
        """
        if theirs_left == 0:
            # Nobody can lose to a team without cards: only the number of turns matters.
            teams, theirs_left = 1, MOST_CARDS
        start = position_value(ours_left, theirs_left, teams)

        def utility(found: int, colour: str | None) -> float:
            left = ours_left - found
            if left <= 0:
                gain = 1 - start
            elif colour == ASSASSIN:
                gain = -start
            else:
                gain = position_value(left, theirs_left - (colour == THEIRS), teams) - start
            return gain if gain > 0 else gain / risk

        def utilities(colour: str | None) -> Floats:
            return np.array([utility(k, colour) for k in range(most + 2)], dtype=np.float32)

        return cls(utilities(None), {colour: utilities(colour) for colour in BAD_COLOURS})

    @property
    def range(self) -> float:
        """The largest utility minus the smallest one."""
        values = np.concatenate([self.stop, *self.bad.values()])
        return float(values.max() - values.min())


class WorthyClue(NamedTuple):
    """A candidate, the number of cards that it is best said with, and what it is worth."""

    candidate: int
    number: int
    worth: float


@dataclass(frozen=True)
class Turn:
    """A turn to find a clue for.

    Attributes
    ----------
    view : BoardView
        The relatedness of the cards to the candidates.
    stakes : Stakes
        What is at stake.
    numbers : sequence of int
        The numbers of cards that a clue may be for, ascending.
    sharpness : float
        How many times as sure the guesser is as people are.
    hinted : array, (cards,), optional
        The weights of the cards for an earlier clue of which a card was not found.
    within_reach : bool
        Whether every card that a number counts has to be closer than any bad card. The smallest
        number may always be said.
    """

    view: BoardView
    stakes: Stakes
    numbers: Sequence[int]
    sharpness: float = 1.0
    hinted: Floats | None = None
    within_reach: bool = False

    @property
    def most(self) -> int:
        """The largest number of cards that a clue may be for."""
        return self.numbers[-1]

    def worths(self, candidates: Ids) -> Floats:
        """What some candidates are worth for each number: (numbers, candidates)."""
        view = self._by_colour(candidates)
        weights, others = self._weights(view)
        found = found_chances(weights.ours, others, self.most)
        exactly = -np.diff(found, axis=0, prepend=1.0)  # of k found, for k from 0
        wrong = self._wrong_utilities(weights, others)
        ended = np.cumsum(exactly * wrong[: self.most], axis=0)
        stopped = self._stop_utilities(weights)
        rows = np.array(self.numbers) - 1
        worths = ended[rows] + found[rows] * stopped[rows]
        if self.within_reach and self._has_bad:
            reach = (view.ours > view.closest_bad).sum(axis=0)
            worths[1:][np.array(self.numbers)[1:, None] > reach] = -np.inf
        return worths

    def bounds(self) -> Floats:
        """A number for each candidate that it cannot be worth more than, less its `detours`.

        The chances of one and two cards are exact. To find k cards, the guesser has to find one
        that is not among the k - 1 closest. So the chance of k cards is at most that of finding
        any of these others before a bad card. It is also at most the chance of k - 1 cards times
        that of one: the more of our cards are gone, the less likely is another.
        """
        candidates = np.arange(self.view.rows.shape[1])
        bounds = np.empty(len(candidates), dtype=np.float32)
        for start in range(0, len(candidates), _BLOCK):
            block = slice(start, start + _BLOCK)
            view = self._by_colour(candidates[block])
            bounds[block] = self._block_bounds(view) - self.detours(view)
        return bounds + _SLACK * np.float32(self.stakes.range)

    def detours(self, view: BoardView) -> Floats:
        """What is taken off the worth of candidates: 0 if the card closest to them is ours.

        Otherwise it is more than any two clues differ by, so that they come after all others: a
        clue that surely leads to a neutral card is safe, and useless.
        """
        if not self._has_bad:
            return np.zeros(view.rows.shape[1], dtype=np.float32)
        away = view.closest_of(OURS) <= view.closest_bad
        return away * np.float32(2 * self.stakes.range + 1)

    def _block_bounds(self, view: BoardView) -> Floats:
        weights, others = self._weights(view)
        wrong = self._wrong_utilities(weights, others)
        most_stops = self.stakes.stop[1:] if self.hinted is not None else self.stakes.stop
        value, best = wrong[0], np.full(len(others), -np.inf, dtype=np.float32)
        for n, chance in enumerate(self._most_chances(weights, others), start=1):
            if n in self.numbers:
                np.maximum(best, value + chance * (most_stops[n] - wrong[n - 1]), out=best)
            if n < self.most:
                value = value + chance * (wrong[n] - wrong[n - 1])
        return best

    def _most_chances(self, weights: BoardView, others: Floats) -> Iterator[Floats]:
        """Yield upper bounds of the chances to find at least 1, 2, ... of our cards."""
        total = weights.ours.sum(axis=0)
        # Subtracting loses digits. Adding what may be lost keeps the bounds above the chances.
        lost = total * np.float32(2e-7 * (len(weights.ours) + 5))
        inverse = 1 / np.maximum(total + others, _TINY)
        first = total * inverse
        yield first
        if self.most == 1:
            return
        two = np.zeros_like(first)
        for card in weights.ours:
            rest = np.maximum(total - card, 0) + lost
            two += card * rest / np.maximum(rest + others, _TINY)
        chance = two * inverse
        yield chance
        closest = weights.closest_ours(self.most - 1)
        gone = closest[0]
        for card in closest[1:]:
            gone = gone + card
            rest = np.maximum(total - gone, 0) + lost
            chance = np.minimum(chance * first, rest / np.maximum(rest + others, _TINY))
            yield chance

    def best_first(self, bonus: NDArray[np.float64] | float = 0.0) -> Iterator[WorthyClue]:
        """Yield the candidates, best first, each with its best number.

        Only those are evaluated whose bound is above what the next one is worth, and no more than
        a few thousand before the first is yielded. `bonus` is added to what each is worth.
        """
        bounds = self.bounds() + bonus
        bonuses = np.broadcast_to(bonus, bounds.shape)
        order = np.argsort(-bounds)
        ready: list[tuple[float, int, WorthyClue]] = []
        evaluated, count = 0, _FIRST
        while evaluated < len(order) or ready:
            batch = order[evaluated : evaluated + count]
            evaluated += len(batch)
            count *= _FACTOR
            if len(batch):
                worths = self.worths(batch)
                rows = np.argmax(worths, axis=0)
                best = worths[rows, np.arange(len(batch))].astype(np.float64)
                totals = best + bonuses[batch] - self.detours(self._by_colour(batch))
                for at, candidate in enumerate(batch.tolist()):
                    clue = WorthyClue(candidate, self.numbers[rows[at]], float(best[at]))
                    ready.append((-float(totals[at]), candidate, clue))
                ready.sort()
            # None of the remaining candidates is better than their best bound.
            certain = -math.inf
            if evaluated < min(len(order), _ENOUGH):
                certain = float(bounds[order[evaluated]])
            done = next((at for at, entry in enumerate(ready) if -entry[0] < certain), len(ready))
            yield from (clue for _, _, clue in ready[:done])
            ready = ready[done:]

    def _by_colour(self, candidates: Ids) -> BoardView:
        """The view of some candidates, sorted by colour: the rows of a colour need no copy."""
        rows = np.empty((len(self._order), len(candidates)), dtype=np.float32)
        for at, card in enumerate(self._order):
            self.view.rows[card].take(candidates, out=rows[at], mode="clip")
        colours = tuple(self.view.colours[card] for card in self._order)
        return BoardView(rows, colours, self.view.temperature)

    @cached_property
    def _order(self) -> list[int]:
        """The cards by colour: ours first, in their order on the board."""
        colours = (OURS, *BAD_COLOURS)
        return sorted(
            range(len(self.view.colours)), key=lambda c: colours.index(self.view.colours[c])
        )

    def _weights(self, view: BoardView) -> tuple[BoardView, Floats]:
        """The weights of all cards for some candidates, and those of the bad cards together.

        Without a bad card any word would do. So that a good one is found, our cards have to stand
        out from a neutral card whose relatedness to all words is 0.
        """
        weights = view.weights(self.sharpness)
        if self._has_bad:
            return weights, weights.rows_of(*BAD_COLOURS).sum(axis=0)
        gaps = -view.rows.max(axis=0) / np.float32(view.temperature / self.sharpness)
        return weights, np.exp(np.minimum(gaps, _FARTHEST))

    @cached_property
    def _has_bad(self) -> bool:
        return any(colour in BAD_COLOURS for colour in self.view.colours)

    def _wrong_utilities(self, weights: BoardView, others: Floats) -> Floats:
        """The expected utility of k cards found and then a bad one: (most, candidates)."""
        total = np.zeros((self.most, len(others)), dtype=np.float32)
        if not self._has_bad:
            return total + self.stakes.bad[NEUTRAL][: self.most, None]
        inverse = 1 / np.maximum(others, _TINY)
        for colour in BAD_COLOURS:
            share = weights.rows_of(colour).sum(axis=0) * inverse
            total += self.stakes.bad[colour][: self.most, None] * share
        return total

    def _stop_utilities(self, weights: BoardView) -> Floats:
        """The utility when all n cards were found: (most, candidates), for n from 1.

        With a card of an earlier clue left, that of the extra guess. The guesser is taken to have
        found the n closest cards.
        """
        stop = self.stakes.stop
        if self.hinted is None:
            plain = stop[1 : self.most + 1, None]
            return np.broadcast_to(plain, (self.most, weights.rows.shape[1]))
        is_ours = np.array([colour == OURS for colour in self.view.colours])
        hinted_ours = self.hinted[is_ours]
        order = np.argsort(-weights.ours, axis=0, kind="stable")[: self.most]
        gone = np.cumsum(hinted_ours[order], axis=0)
        good = np.maximum(hinted_ours.sum() - gone, 0)
        utilities = good * stop[2 : self.most + 2, None]
        total = good.copy()
        for colour in BAD_COLOURS:
            weight = self.hinted[[c == colour for c in self.view.colours]].sum()
            utilities += weight * self.stakes.bad[colour][1 : self.most + 1, None]
            total += weight
        with_extra = utilities / np.maximum(total, _TINY)
        return np.where(total > 0, with_extra, stop[1 : self.most + 1, None])
