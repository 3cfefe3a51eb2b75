"""How good a clue is: the scoring functions of the papers, for all words of a vocabulary at once.

Each function gets the relatedness of every candidate to every card (a `View`) and returns an
array of scores, one row for each n from 1 to `most`, one column for each candidate. I_n are the
n cards of ours closest to the candidate, R all cards that are not ours, s the relatedness. A
score of 0 or less says that the candidate does not pass. Equation numbers are those of the
method paper (Codenames agents from raw corpora) unless another paper is named.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import combinations, pairwise
from operator import iadd

import numpy as np
from numpy.typing import NDArray

from wordkin.errors import InputError
from wordkin.game.board import ASSASSIN, NEUTRAL, OURS, THEIRS

Floats = NDArray[np.float32]
Scores = NDArray[np.floating]

_TINY = np.finfo(np.float32).tiny
_AT_ONCE = 8192
"""Candidates at once in the tree of possibilities: more of them fall out of the cache."""


@dataclass(frozen=True)
class View:
    """The relatedness of every card (a row) to every candidate (a column), and the cards' colours
    in the words of `wordkin.game.board`."""

    rows: Floats
    colours: tuple[str, ...]

    def pile(self, *colours: str) -> Floats:
        """The rows of the cards of these colours."""
        return self.rows[[colour in colours for colour in self.colours]]

    @cached_property
    def ours(self) -> Floats:
        return self.pile(OURS)

    @cached_property
    def bad(self) -> Floats:
        """The relatedness of the closest card that is not ours; 0 when there are none."""
        return self.worst(THEIRS, NEUTRAL, ASSASSIN)

    def worst(self, *colours: str) -> Floats:
        """The relatedness of the closest card of these colours; 0 when there are none."""
        pile = self.pile(*colours)
        return pile.max(axis=0) if len(pile) else np.zeros(self.rows.shape[1], dtype=np.float32)

    def closest(self, most: int) -> Floats:
        """The `most` cards of ours closest to each candidate, closest first."""
        # An insertion network over whole rows: a sort along columns is ten times slower.
        best = np.full((most, self.rows.shape[1]), -np.inf, dtype=np.float32)
        for row in self.ours:
            rest = row
            for slot in best:
                rest, slot[:] = np.minimum(slot, rest), np.maximum(slot, rest)
        return best

    def column(self, candidate: int) -> View:
        """One candidate alone."""
        return View(self.rows[:, candidate : candidate + 1], self.colours)


@dataclass(frozen=True)
class Options:
    """What can be tuned in the scoring functions.

    Attributes
    ----------
    penalty : float
        λ: how much the closest bad card counts against a clue (equations 2, 7, 8).
    threshold : float
        λ_T of Kim et al.: the least relatedness that a target must have.
    floor : bool
        Count a closest bad card of negative relatedness as 0, as the method paper's own program
        does; its equations do not.
    guard : bool
        Let HarmonicDivide, too, ask every target to be closer than any bad card. The method
        paper's program does so; its equation 9 does not.
    theirs, neutral, assassin : float
        The penalties of Jaramillo et al. for the closest card of each colour.
    sharpness : float
        σ of the softmax model of the guesser (expected card difference). Recorded picks of people
        are explained best by 3 to 9, npmi's by 5; the report found 10 and 18 best among its agents.
    loss : float, optional
        How many cards the assassin costs; as many as the opponents have when not given.
    """

    penalty: float = 0.5
    threshold: float = 0.0
    floor: bool = False
    guard: bool = False
    theirs: float = 0.5
    neutral: float = 0.25
    assassin: float = 1.0
    sharpness: float = 5.0
    loss: float | None = None


Scoring = Callable[[View, int, Options], Scores]


def kim(view: View, most: int, options: Options) -> Scores:
    """Equation 1: min s(c, I_n) where it beats every bad card and the threshold, else 0."""
    closest = view.closest(most)
    passes = (closest > _bad(view, options)) & (closest > options.threshold)
    return np.where(passes, closest, 0)


def jaramillo(view: View, most: int, options: Options) -> Scores:
    """Equation 1 less a penalty for the closest card of each colour that is not ours."""
    scores = kim(view, most, options)
    penalty = (
        options.theirs * view.worst(THEIRS)
        + options.neutral * view.worst(NEUTRAL)
        + options.assassin * view.worst(ASSASSIN)
    )
    return np.where(scores > 0, scores - penalty, 0)


def koyyalagunta(view: View, most: int, options: Options) -> Scores:
    """Equation 2: the sum of s(c, I_n) less λ times the closest bad card."""
    return np.cumsum(view.closest(most), axis=0) - options.penalty * _bad(view, options)


def koyy_restrict(view: View, most: int, options: Options) -> Scores:
    """Equation 7: equation 2 where every target is closer than any bad card, else 0."""
    passes = view.closest(most) > _bad(view, options)
    return np.where(passes, koyyalagunta(view, most, options), 0)


def harmonic(view: View, most: int, options: Options) -> Scores:
    """Equation 8: the harmonic mean of s(c, I_n) less λ times the closest bad card, where every
    target is closer than any bad card, else 0."""
    closest, bad = view.closest(most), _bad(view, options)
    means = harmonic_means(closest)
    return np.where((closest > bad) & (means > 0), means - options.penalty * bad, 0)


def harmonic_divide(view: View, most: int, options: Options) -> Scores:
    """Equation 9: the harmonic mean of s(c, I_n) over max(n · closest bad card, 1)."""
    closest, bad = view.closest(most), _bad(view, options)
    n = np.arange(1, most + 1, dtype=np.float32)[:, None]
    scores = harmonic_means(closest) / np.maximum(n * bad, 1)
    return np.where(closest > bad, scores, 0) if options.guard else scores


def expected(view: View, most: int, options: Options) -> Scores:
    """The card difference to expect of a guesser who picks cards by a softmax of relatedness.

    The guesser picks each of up to n cards with a chance of exp(σ s) over the cards still there,
    and stops at the first that is not ours. A card of ours counts 1, a neutral one 0, one of
    theirs −1, the assassin minus as many as they have (equation 1 and algorithms 2 and 3 of the
    expected-card-difference report).
    """
    candidates = view.rows.shape[1]
    scores = np.empty((most, candidates), dtype=np.float32)
    for start in range(0, candidates, _AT_ONCE):
        block = slice(start, start + _AT_ONCE)
        scores[:, block] = _expected(View(view.rows[:, block], view.colours), most, options)
    return scores


def _expected(view: View, most: int, options: Options) -> Scores:
    """Walk the tree of possibilities by sets of cards.

    Turns that took the same cards in another order go on alike, so it is enough to know the
    chance of having taken just this set: the sum, over its last card, of the chance of the set
    without it times the chance of that card. All n come out of one walk.
    """
    exponents = np.float32(options.sharpness) * view.rows
    weights = View(np.exp(exponents - exponents.max(axis=0)), view.colours)
    ours, theirs = weights.ours, weights.pile(THEIRS)
    loss = len(theirs) if options.loss is None else options.loss
    risk = theirs.sum(axis=0) + np.float32(loss) * weights.pile(ASSASSIN).sum(axis=0)
    others = weights.pile(THEIRS, NEUTRAL, ASSASSIN).sum(axis=0)
    spans = _span_sums(ours)

    scores = np.empty((most, ours.shape[1]), dtype=np.float32)
    value = np.zeros(ours.shape[1], dtype=np.float32)
    before: dict[tuple[int, ...], Floats] = {}
    for n in range(most):
        shares: dict[tuple[int, ...], Floats] = {}
        for taken in combinations(range(len(ours)), n):
            # What is left is added up anew: taking `taken` off the total would cancel.
            edges = pairwise((-1, *taken, len(ours)))
            good = reduce(np.add, (spans[a + 1, b] for a, b in edges if a + 1 < b))
            share = 1 / np.maximum(good + others, _TINY)
            if taken:
                lasts = ((taken[:k] + taken[k + 1 :], card) for k, card in enumerate(taken))
                share *= reduce(iadd, (before[first] * ours[card] for first, card in lasts))
            value += share * (good - risk)
            shares[taken] = share
        before = shares
        scores[n] = value
    return scores


def _span_sums(rows: Floats) -> dict[tuple[int, int], Floats]:
    """The sum of rows[a:b] for all a < b."""
    sums: dict[tuple[int, int], Floats] = {(a, a + 1): row for a, row in enumerate(rows)}
    for length in range(2, len(rows) + 1):
        for a in range(len(rows) - length + 1):
            sums[a, a + length] = sums[a, a + length - 1] + rows[a + length - 1]
    return sums


SCORINGS: dict[str, Scoring] = {
    "kim": kim,
    "jaramillo": jaramillo,
    "koyyalagunta": koyyalagunta,
    "koyy-restrict": koyy_restrict,
    "harmonic": harmonic,
    "harmonic-divide": harmonic_divide,
    "expected": expected,
}


def scoring_named(name: str) -> Scoring:
    """A scoring function by its name."""
    if name not in SCORINGS:
        raise InputError(f"There is no scoring function '{name}': use {', '.join(SCORINGS)}.")
    return SCORINGS[name]


def harmonic_means(closest: Floats) -> Floats:
    """The harmonic mean of the first n rows, for each n; 0 where one of them is not positive,
    as the mean is not defined there."""
    positive = closest > 0
    with np.errstate(divide="ignore"):
        inverse = np.cumsum(1 / np.where(positive, closest, 0), axis=0)
    n = np.arange(1, len(closest) + 1, dtype=np.float32)[:, None]
    return np.divide(n, inverse, dtype=np.float32)


def frequency(
    documents: NDArray[np.int64], total: int, common: float = 1667 / 1701
) -> NDArray[np.float64]:
    """FREQ, equation 3 of the DETECT paper: −1/df of each word, −1 for too common ones.

    The paper counted in a sample of 1,701 documents and took words in more than 1,667 of them as
    too common. Here df is brought to that sample's size, so that neither the corpus nor the
    length of its documents changes what rare and common mean.

    Parameters
    ----------
    documents : array of int
        In how many documents each word occurs.
    total : int
        How many documents there are.
    common : float
        The share of documents above which a word is too common.
    """
    share = documents / max(total, 1)
    rarity = 1 / np.maximum(share * 1701, 1)
    return np.where(share > common, -1.0, -rarity)


def _bad(view: View, options: Options) -> Floats:
    return np.maximum(view.bad, 0) if options.floor else view.bad
