"""How good a clue is: the scoring functions of the papers, for all words of a vocabulary at once.

`Scoring` says what a scoring function is; a bot may bring its own. In the formulas, I_n are the n
cards of ours closest to the candidate, R all cards that are not ours, s the relatedness. Equation
numbers are those of the method paper (Codenames agents from raw corpora) unless another paper is
named.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import wraps
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from wordkin.arrays import Floats
from wordkin.errors import InputError
from wordkin.game.board import ASSASSIN, NEUTRAL, OURS, THEIRS
from wordkin.game.board_view import BoardView
from wordkin.game.chances import found_chances
from wordkin.game.worth import BAD_COLOURS, BALANCED, Stakes, Turn

Scores = NDArray[np.floating]

_TINY = np.finfo(np.float32).tiny
_BLOCK = 8192
"""The number of candidates that are scored at a time: larger blocks do not fit the cache."""

NEAREST = 500
"""The number of candidates that `centroid` considers."""


@dataclass(frozen=True)
class Options:
    """The parameters of the scoring functions.

    Attributes
    ----------
    penalty : float
        λ: how much the closest bad card counts against a clue (equations 2, 7, 8).
    threshold : float
        λ_T of Kim et al.: a target must be more related than this.
    theirs, neutral, assassin : float
        The penalties of Jaramillo et al. for the closest card of each colour.
    sharpness : float
        How many times as sure the guesser is as people are. σ of the softmax of the expected card
        difference is this number divided by the temperature of the measure
        (`wordkin.measures.temperature`), so 1 is people's σ, whatever the measure.
    loss : float, optional
        The number of cards that the assassin costs in the expected card difference; by default the
        number that the opponents have.
    risk : float
        Losses count one over this number as much as gains in `worth`
        (`wordkin.game.worth.RISKS` has names for it).
    """

    penalty: float = 0.5
    threshold: float = 0.0
    theirs: float = 0.5
    neutral: float = 0.25
    assassin: float = 1.0
    sharpness: float = 1.0
    loss: float | None = None
    risk: float = BALANCED


class Scoring(Protocol):
    """A scoring function: how good every candidate is as a clue for 1, 2, ... cards.

    Examples
    --------
    >>> def nearest(view, most, options):
    ...     return view.closest_ours(most) - view.closest_bad
    >>> wordkin.Spymaster(wordkin.load("en"), scoring=nearest)
    """

    def __call__(self, view: BoardView, most: int, options: Options, /) -> Scores:
        """Score all candidates of a board.

        Parameters
        ----------
        view : BoardView
            The relatedness of every card to every candidate, and the colours of the cards.
        most : int
            The largest number of cards to score for.
        options : Options
            The parameters of all scoring functions; each uses those that it knows.

        Returns
        -------
        array, (most, candidates)
            One row for each number of cards from 1 to `most`. A candidate with a score of 0 or less
            does not pass: it is not offered for this number.
        """
        ...


def _in_blocks(scoring: Scoring) -> Scoring:
    """The same function, computed for a block of the candidates at a time."""

    @wraps(scoring)
    def score(view: BoardView, most: int, options: Options) -> Scores:
        candidates = view.rows.shape[1]
        scores = np.empty((most, candidates), dtype=np.float32)
        for start in range(0, candidates, _BLOCK):
            block = slice(start, start + _BLOCK)
            scores[:, block] = scoring(view.select(block), most, options)
        return scores

    return score


def kim(view: BoardView, most: int, options: Options) -> Scores:
    """Equation 1: min s(c, I_n) where it beats every bad card and the threshold, else 0."""
    closest = view.closest_ours(most)
    passes = (closest > view.closest_bad) & (closest > options.threshold)
    return np.where(passes, closest, 0)


def jaramillo(view: BoardView, most: int, options: Options) -> Scores:
    """Equation 1 minus a penalty for the closest card of each colour that is not ours."""
    scores = kim(view, most, options)
    penalty = (
        options.theirs * view.closest_of(THEIRS)
        + options.neutral * view.closest_of(NEUTRAL)
        + options.assassin * view.closest_of(ASSASSIN)
    )
    return np.where(scores > 0, scores - penalty, 0)


def koyyalagunta(view: BoardView, most: int, options: Options) -> Scores:
    """Equation 2: the sum of s(c, I_n) minus λ times the closest bad card."""
    sums = np.cumsum(view.closest_ours(most), axis=0)
    return sums - options.penalty * view.closest_bad


def koyy_restrict(view: BoardView, most: int, options: Options) -> Scores:
    """Equation 7: equation 2 where every target is closer than any bad card, else 0."""
    passes = view.closest_ours(most) > view.closest_bad
    return np.where(passes, koyyalagunta(view, most, options), 0)


def harmonic(view: BoardView, most: int, options: Options) -> Scores:
    """Equation 8: the harmonic mean of s(c, I_n) minus λ times the closest bad card.

    It is 0 unless every target is closer than any bad card.
    """
    closest, bad = view.closest_ours(most), view.closest_bad
    means = harmonic_means(closest)
    return np.where((closest > bad) & (means > 0), means - options.penalty * bad, 0)


def harmonic_divide(view: BoardView, most: int, options: Options) -> Scores:
    """Equation 9: the harmonic mean of s(c, I_n) over max(n · closest bad card, 1)."""
    closest, bad = view.closest_ours(most), view.closest_bad
    n = np.arange(1, most + 1, dtype=np.float32)[:, None]
    return harmonic_means(closest) / np.maximum(n * bad, 1)


@_in_blocks
def expected(view: BoardView, most: int, options: Options) -> Scores:
    """The expected card difference for a guesser who picks cards by a softmax of relatedness.

    The guesser picks up to n cards, each with a chance of exp(σ s) over the cards still there, and
    stops at the first that is not ours. A card of ours counts 1, a neutral one 0, one of theirs
    −1, the assassin minus the number of their cards (equation 1 and algorithms 2 and 3 of the
    expected-card-difference report). Which bad card ends a turn does not depend on how many of ours
    were found, so the difference is Σ P(at least k found) minus P(a bad card) times what it costs
    on average.
    """
    weights = view.weights(options.sharpness)
    others = weights.rows_of(*BAD_COLOURS).sum(axis=0)
    chances = found_chances(weights.ours, others, most)
    loss = view.colours.count(THEIRS) if options.loss is None else options.loss
    risk = weights.rows_of(THEIRS).sum(axis=0)
    risk += np.float32(loss) * weights.rows_of(ASSASSIN).sum(axis=0)
    return np.cumsum(chances, axis=0) - (1 - chances) * risk / np.maximum(others, _TINY)


@_in_blocks
def worth(view: BoardView, most: int, options: Options) -> Scores:
    """What a clue is worth in the first turn of two teams, see `wordkin.game.worth`."""
    counts = (view.colours.count(OURS), view.colours.count(THEIRS))
    stakes = Stakes.of(*counts, most, risk=options.risk)
    turn = Turn(view, stakes, range(1, most + 1), options.sharpness)
    return turn.worths(np.arange(view.rows.shape[1]))


def centroid(view: BoardView, most: int, options: Options) -> Scores:
    """The centroid-and-adversary search of the fastText report.

    Only the 500 candidates nearest to the centroid of our cards count: those of the highest mean
    relatedness, which for vectors of unit length is the same. Of these, the score is the mean of
    s(c, I_n) if the guesser who takes the closest cards finds n of ours and no other, else 0. The
    most cards win, then the highest mean.
    """
    closest, bad = view.closest_ours(most), view.closest_bad
    n = np.arange(1, most + 1, dtype=np.float32)[:, None]
    means = np.cumsum(closest, axis=0) / n
    near = np.ones(means.shape[1], dtype=bool)
    if len(near) > NEAREST:
        order = np.argsort(-view.ours.mean(axis=0), kind="stable")
        near[order[NEAREST:]] = False
    return np.where((closest > bad) & near, means, 0)


@dataclass(frozen=True)
class Scorer:
    """A scoring function, and how clues are chosen by it.

    Attributes
    ----------
    score : Scoring
        The function.
    most_cards : int, optional
        For a function that decides on the number itself: the largest number, up to this one, for
        which a word passes.
    whole_turns : bool
        Whether scores are what turns are worth. Then the word and the number are chosen together,
        cards left from earlier clues count, and the judge decides among the best words.
    """

    score: Scoring
    most_cards: int | None = None
    whole_turns: bool = False

    def __call__(self, view: BoardView, most: int, options: Options) -> Scores:
        """Return the scores of all candidates; see `Scoring`."""
        scores = np.asarray(self.score(view, most, options))
        if scores.shape != (most, view.rows.shape[1]):
            raise InputError(
                f"A scoring function returned an array of the shape {scores.shape}: return one row "
                f"for each number of cards and one column per candidate, "
                f"{(most, view.rows.shape[1])}."
            )
        return scores


SCORINGS: dict[str, Scorer] = {
    "kim": Scorer(kim),
    "jaramillo": Scorer(jaramillo),
    "koyyalagunta": Scorer(koyyalagunta),
    "koyy-restrict": Scorer(koyy_restrict),
    "harmonic": Scorer(harmonic),
    "harmonic-divide": Scorer(harmonic_divide),
    "expected": Scorer(expected),
    "centroid": Scorer(centroid, most_cards=6),
    "worth": Scorer(worth, whole_turns=True),
}
"""The scoring functions by name. A function that is added here can be named everywhere."""

SCORING = "worth"
"""The scoring function to use when none is named."""


def scorer_of(scoring: str | Scoring | Scorer) -> Scorer:
    """Return a scoring function by its name, or one that is given as a callable."""
    if isinstance(scoring, Scorer):
        return scoring
    if callable(scoring):
        return Scorer(scoring)
    if scoring not in SCORINGS:
        raise InputError(f"There is no scoring function '{scoring}': use {', '.join(SCORINGS)}.")
    return SCORINGS[scoring]


def harmonic_means(closest: Floats) -> Floats:
    """Return the harmonic mean of the first n rows, for each n.

    It is 0 where one of the values is not positive: the mean is not defined there.
    """
    positive = closest > 0
    with np.errstate(divide="ignore"):
        inverse = np.cumsum(1 / np.where(positive, closest, 0), axis=0)
    n = np.arange(1, len(closest) + 1, dtype=np.float32)[:, None]
    return np.divide(n, inverse, dtype=np.float32)


def frequency(documents: NDArray[np.int64], total: int) -> NDArray[np.float64]:
    """FREQ, equation 3 of the DETECT paper: −1/df of each word, −1 for too common ones.

    The paper counted in a sample of 1,701 documents and called words in more than 1,667 of them
    too common. Here the number of documents of each word is scaled from `total` to the size of
    that sample, so that "rare" and "common" mean the same in any corpus, whatever the length of its
    documents.
    """
    share = documents / max(total, 1)
    rarity = 1 / np.maximum(share * 1701, 1)
    return np.where(share > 1667 / 1701, -1.0, -rarity)
