"""Correlations of measures with rated word pairs.

Each correlation has a 95 % interval by bootstrap: the pairs are drawn again with replacement and
the correlation is recomputed, `resamples` times. All evaluations of the same pairs with the same
seed draw the same pairs, so two measures can be compared draw by draw.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from wordkin.intervals import Estimate, estimate
from wordkin.rated_pairs import Pair, PlacedPairs, place, read_pairs

if TYPE_CHECKING:
    from wordkin.measures.measure import Measure

Array = NDArray[np.float64]

COLUMNS = 40
"""How many resamples are computed at once: so many fit a processor's cache."""


class Correlation(NamedTuple):
    """A correlation, its p-value against zero, and its 95 % interval; nan where undefined."""

    statistic: float
    pvalue: float
    low: float
    high: float


@dataclass(frozen=True)
class Evaluation:
    """The result of `evaluate`; unpacks into Pearson, Spearman and the percentage not covered.

    Attributes
    ----------
    pearson, spearman : Correlation
        On the covered pairs: both words are in the vocabulary.
    pearson_all, spearman_all : Correlation
        On all pairs; the relatedness of a pair that is not covered is 0.
    oov : float
        The percentage of pairs that are not covered, as in gensim.
    pairs, covered : int
        The number of pairs, and of covered pairs.
    identical, unrated : int
        The number of pairs left out of everything: those of a word with itself, which no measure
        defines, and those without a score.
    missing : tuple of str
        The words that the vocabulary does not have, in code point order.
    words : list of (str, str)
        The pairs as they were given, in the order of the following arrays.
    gold, scores : array
        People's score and the measure's score of each pair.
    is_covered : array of bool
        Which pairs are covered.
    draws : dict of str to array
        Each of the four correlations, by its name, in each resample.
    """

    pearson: Correlation
    spearman: Correlation
    pearson_all: Correlation
    spearman_all: Correlation
    oov: float
    pairs: int
    covered: int
    identical: int
    unrated: int
    missing: tuple[str, ...]
    words: list[tuple[str, str]]
    gold: Array
    scores: Array
    is_covered: NDArray[np.bool_]
    draws: dict[str, Array]

    def __iter__(self) -> Iterator[Correlation | float]:
        return iter((self.pearson, self.spearman, self.oov))


def evaluate(
    measure: Measure,
    pairs: Path | str | Iterable[tuple[str, str, float]],
    *,
    resamples: int = 1000,
    seed: int = 0,
    normal: Callable[[str], str] | None = None,
    language: str = "",
) -> Evaluation:
    """Correlate a measure with rated word pairs.

    It can be called like gensim's `evaluate_word_pairs`, and adds intervals:
    `pearson, spearman, oov = evaluate(measure, "my.tsv")`.

    Parameters
    ----------
    measure : Measure
        What to evaluate.
    pairs : path, or iterable of (word, word, score)
        A file that `read_pairs` can read, or the pairs themselves.
    resamples, seed : int
        The number of resamples behind the intervals, and the seed of the draws.
    normal : callable, optional
        The form of a gold word in the vocabulary, such as its lemma. By default the word as it is
        given or, if the vocabulary lacks it, its normal form in `language`.
    language : str
        The language whose spelling rules apply, such as `bundle.language`; by default those that
        most languages share.

    Returns
    -------
    Evaluation
        The correlations with their intervals, and what they were computed from.
    """
    rated = read_pairs(Path(pairs)) if isinstance(pairs, Path | str) else [Pair(*p) for p in pairs]
    placed = place(rated, measure.vocabulary, normal, language=language)
    scores = np.zeros(len(placed.gold))
    scores[placed.covered] = measure.pairs(placed.first, placed.second)
    return correlate(placed, scores, resamples=resamples, seed=seed)


def correlate(placed: PlacedPairs, scores: Array, *, resamples: int, seed: int) -> Evaluation:
    """Correlate a measure's scores (0 where a pair is not covered) with people's."""
    covered = placed.covered
    of_all = _correlations(placed.gold, scores, resamples, seed)
    of_covered = of_all
    if not covered.all():
        of_covered = _correlations(placed.gold[covered], scores[covered], resamples, seed)
    count = len(placed.gold)
    return Evaluation(
        pearson=of_covered.pearson,
        spearman=of_covered.spearman,
        pearson_all=of_all.pearson,
        spearman_all=of_all.spearman,
        oov=100.0 * float(1 - covered.mean()) if count else math.nan,
        pairs=count,
        covered=int(covered.sum()),
        identical=placed.identical,
        unrated=placed.unrated,
        missing=placed.missing,
        words=placed.words,
        gold=placed.gold,
        scores=scores,
        is_covered=covered,
        draws={
            "pearson": of_covered.pearson_draws,
            "spearman": of_covered.spearman_draws,
            "pearson_all": of_all.pearson_draws,
            "spearman_all": of_all.spearman_draws,
        },
    )


def difference(a: Evaluation, b: Evaluation, statistic: str = "spearman") -> Estimate:
    """How much higher the correlation of `a` is than that of `b`, by paired bootstrap.

    Parameters
    ----------
    a, b : Evaluation
        Of the same pairs, with the same seed and number of resamples.
    statistic : str
        Which correlation to compare. On covered pairs (`spearman`, `pearson`) the measures need
        vocabularies that cover the same pairs. On all pairs (`spearman_all`, `pearson_all`) the
        zero of a pair that is not covered weighs differently in measures of different scales.
    """
    same_pairs = a.words == b.words and len(a.draws[statistic]) == len(b.draws[statistic])
    same_covered = statistic.endswith("_all") or (
        same_pairs and bool((a.is_covered == b.is_covered).all())
    )
    if not (same_pairs and same_covered):
        raise ValueError("only evaluations of the same pairs and resamples can be compared")
    value = getattr(a, statistic).statistic - getattr(b, statistic).statistic
    return estimate(value, a.draws[statistic] - b.draws[statistic])


class _Correlations(NamedTuple):
    """Pearson and Spearman with their intervals, and both in each resample."""

    pearson: Correlation
    spearman: Correlation
    pearson_draws: Array
    spearman_draws: Array


def _correlations(gold: Array, scores: Array, resamples: int, seed: int) -> _Correlations:
    draws = bootstrap(gold, scores, resamples=resamples, seed=seed)
    if len(gold) < 3 or _constant(gold) or _constant(scores):
        undefined = Correlation(math.nan, math.nan, math.nan, math.nan)
        return _Correlations(undefined, undefined, *draws)
    tests = (stats.pearsonr(gold, scores), stats.spearmanr(gold, scores))
    pearson, spearman = (
        Correlation(float(test.statistic), float(test.pvalue), low, high)
        for test, drawn in zip(tests, draws, strict=True)
        for _, low, high in [estimate(float(test.statistic), drawn)]
    )
    return _Correlations(pearson, spearman, *draws)


def bootstrap(
    gold: ArrayLike, scores: ArrayLike, *, resamples: int, seed: int
) -> tuple[Array, Array]:
    """Pearson and Spearman in each resample of the pairs; nan where one side is constant.

    A resample gives each pair a weight, the number of times it was drawn. Means become weighted
    means, and ranks come from running sums of the weights, so nothing has to be sorted again.
    """
    x, y = np.asarray(gold, dtype=np.float64), np.asarray(scores, dtype=np.float64)
    pearson, spearman = np.full((2, resamples), math.nan)
    if not len(x):
        return pearson, spearman
    ranks_x, ranks_y = _ranker(x), _ranker(y)
    x, y = x - x.mean(), y - y.mean()
    drawn = _drawn_weights(len(x), resamples, seed)
    for start in range(0, resamples, COLUMNS):
        block = slice(start, start + COLUMNS)
        weights = drawn[:, block].astype(np.float64)
        pearson[block] = _weighted_pearson(x, y, weights)
        spearman[block] = _weighted_spearman(ranks_x(weights), ranks_y(weights), weights)
    return pearson, spearman


@lru_cache(maxsize=2)
def _drawn_weights(count: int, resamples: int, seed: int) -> NDArray[np.uint16]:
    """How often each of so many pairs was drawn, one row per pair and one column per resample.

    They are kept: all measures are judged by the same resamples, of all pairs and of those that
    they cover.
    """
    random = np.random.default_rng(seed)
    weights = np.empty((count, resamples), np.uint16)
    for column in weights.T:
        column[:] = np.bincount(random.integers(0, count, count), minlength=count)
    return weights


def _ranker(values: Array) -> Callable[[Array], Array]:
    """A function from weights to the mid-ranks of `values`, each repeated as its weight says.

    The ranks are less their mean.
    """
    distinct, inverse = np.unique(values, return_inverse=True)
    order = np.argsort(inverse, kind="stable")
    starts = np.searchsorted(inverse[order], np.arange(len(distinct)))
    middle = (len(values) + 1) / 2

    def ranks(weights: Array) -> Array:
        ties = np.add.reduceat(weights[order], starts, axis=0)
        centred: Array = np.cumsum(ties, axis=0) - (ties - 1) / 2 - middle
        return centred[inverse]

    return ranks


def _weighted_spearman(x: Array, y: Array, weights: Array) -> Array:
    """Pearson of each column of ranks, whose mean is 0, under the column of weights.

    Ranks are whole or half numbers, so all sums are exact, in whatever order they are added up.
    """
    together, spread_x, spread_y = (
        np.einsum("ij,ij,ij->j", weights, a, b) for a, b in ((x, y), (x, x), (y, y))
    )
    spread = np.sqrt(spread_x * spread_y)
    return np.divide(together, spread, out=np.full(len(spread), math.nan), where=spread > 0)


def _weighted_pearson(x: Array, y: Array, weights: Array) -> Array:
    """Pearson of x and y, whose means are about 0, under each column of weights."""
    moments = np.einsum("ki,ij->kj", np.stack([x, y, x * x, y * y, x * y]), weights)
    mean_x, mean_y, square_x, square_y, both = moments / weights.sum(axis=0)
    spread_x, spread_y = square_x - mean_x * mean_x, square_y - mean_y * mean_y
    # Rounding leaves a constant side a spread of the order of floating-point precision.
    defined = (spread_x > 1e-12 * square_x) & (spread_y > 1e-12 * square_y)
    spread = np.sqrt(np.maximum(spread_x * spread_y, 0))
    out = np.full(len(spread), math.nan)
    return np.divide(both - mean_x * mean_y, spread, out=out, where=defined)


def _constant(values: Array) -> bool:
    return bool((values == values[0]).all())
