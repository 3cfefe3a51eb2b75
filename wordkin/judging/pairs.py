"""How well a measure agrees with people: correlations with rated word pairs, and how sure they are.

Each correlation comes with a 95 % interval by bootstrap over the pairs: the pairs are drawn anew
with replacement and the correlation is taken again, `resamples` times. All evaluations of the
same pairs with the same seed draw the same pairs, so two measures are compared draw by draw.
"""

from __future__ import annotations

import csv
import math
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import stats

from wordkin.errors import InputError
from wordkin.files import read_lines
from wordkin.judging.intervals import Difference
from wordkin.measures import Measure
from wordkin.vocabulary import Vocabulary

Array = NDArray[np.float64]

UNRATED = {"", "-", "?", "na", "n/a", "nan", "none", "null"}
"""How gold files say that a pair has no score."""

RESAMPLES_AT_ONCE = 200
"""Part of the definition of the draws: another block size would draw other pairs."""


class Pair(NamedTuple):
    """Two words and how related people say they are (nan: nobody was asked)."""

    first: str
    second: str
    score: float


class Correlation(NamedTuple):
    """A correlation, the p-value of its being zero, and its 95 % interval (nan: undefined)."""

    statistic: float
    pvalue: float
    low: float
    high: float


@dataclass(frozen=True)
class Evaluation:
    """What `evaluate` found; unpacks into Pearson, Spearman and the percentage not covered.

    Attributes
    ----------
    pearson, spearman : Correlation
        On the pairs whose words are both in the vocabulary.
    pearson_all, spearman_all : Correlation
        On all pairs; one that is not covered has the relatedness 0.
    oov : float
        The percentage of pairs that are not covered, as gensim gives it.
    pairs, covered : int
        How many pairs there are, and how many are covered.
    identical, unrated : int
        Pairs left out of everything: of a word with itself (no measure defines it), and
        without a score.
    missing : tuple of str
        The words that the vocabulary does not have, in code point order.
    words : list of (str, str)
        The pairs as they were given, in the order of the following arrays.
    gold, scores : array
        What people said and what the measure says of each pair.
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
) -> Evaluation:
    """Correlate a measure with rated word pairs.

    The contract of gensim's `evaluate_word_pairs`, with intervals:
    `pearson, spearman, oov = evaluate(measure, "my.tsv")`.

    Parameters
    ----------
    measure : Measure
        What to evaluate.
    pairs : path, or iterable of (word, word, score)
        A file that `read_pairs` can read, or the pairs themselves.
    resamples, seed : int
        How many times the pairs are drawn anew for the intervals, and the seed of the draws.
    normal : callable, optional
        The form of a gold word in the vocabulary, by the language's own rules. By default the
        word as it is given or, where the vocabulary lacks it, lower-cased.
    """
    rated = read_pairs(Path(pairs)) if isinstance(pairs, Path | str) else [Pair(*p) for p in pairs]
    placed = place(rated, measure.vocabulary, normal)
    scores = np.zeros(len(placed.gold))
    scores[placed.covered] = measure.pairs(placed.first, placed.second)
    return correlate(placed, scores, resamples=resamples, seed=seed)


@dataclass(frozen=True)
class Placed:
    """Rated pairs looked up in a vocabulary; `first` and `second` are ids of the covered ones."""

    words: list[tuple[str, str]]
    gold: Array
    covered: NDArray[np.bool_]
    first: NDArray[np.int64]
    second: NDArray[np.int64]
    missing: tuple[str, ...]
    identical: int
    unrated: int


def place(
    pairs: Iterable[Pair], vocabulary: Vocabulary, normal: Callable[[str], str] | None = None
) -> Placed:
    """Look the words of rated pairs up in a vocabulary.

    Pairs given twice stay twice, as in the figures that others publish.
    """
    form = normal or (lambda word: _as_listed(word, vocabulary))
    kept: list[Pair] = []
    ids: list[tuple[int, int]] = []
    missing: set[str] = set()
    identical = unrated = 0
    for pair in pairs:
        first, second = form(pair.first), form(pair.second)
        if math.isnan(pair.score):
            unrated += 1
        elif first == second:
            identical += 1
        else:
            kept.append(pair)
            ids.append((vocabulary.ids.get(first, -1), vocabulary.ids.get(second, -1)))
            missing.update(word for word in (first, second) if word not in vocabulary)
    both = np.array(ids, dtype=np.int64).reshape(-1, 2)
    covered = np.asarray((both >= 0).all(axis=1))
    return Placed(
        words=[(pair.first, pair.second) for pair in kept],
        gold=np.array([pair.score for pair in kept], dtype=np.float64),
        covered=covered,
        first=both[covered, 0],
        second=both[covered, 1],
        missing=tuple(sorted(missing)),
        identical=identical,
        unrated=unrated,
    )


def correlate(placed: Placed, scores: Array, *, resamples: int, seed: int) -> Evaluation:
    """Correlate the scores of a measure (0 where not covered) with what people said."""
    covered, draws = placed.covered, {}
    pearson, spearman, draws["pearson"], draws["spearman"] = _correlations(
        placed.gold[covered], scores[covered], resamples, seed
    )
    pearson_all, spearman_all, draws["pearson_all"], draws["spearman_all"] = _correlations(
        placed.gold, scores, resamples, seed
    )
    count = len(placed.gold)
    return Evaluation(
        pearson=pearson,
        spearman=spearman,
        pearson_all=pearson_all,
        spearman_all=spearman_all,
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
        draws=draws,
    )


def difference(a: Evaluation, b: Evaluation, statistic: str = "spearman") -> Difference:
    """How much better `a` agrees with people than `b`, by paired bootstrap.

    Parameters
    ----------
    a, b : Evaluation
        Evaluations of two measures on the same pairs, with the same seed and resamples.
    statistic : str
        Which correlation to compare. On covered pairs (`spearman`, `pearson`) the measures need
        vocabularies that cover the same pairs. On all pairs (`spearman_all`, `pearson_all`) the
        zero of a pair that is not covered weighs differently with measures of different scales.
    """
    alike = a.words == b.words and len(a.draws[statistic]) == len(b.draws[statistic])
    if not alike or not (statistic.endswith("_all") or (a.is_covered == b.is_covered).all()):
        raise ValueError("only evaluations of the same pairs and resamples can be compared")
    low, high = _interval(a.draws[statistic] - b.draws[statistic])
    value = getattr(a, statistic).statistic - getattr(b, statistic).statistic
    return Difference(value, low, high)


def random_pairs(
    words: int, *, pairs: int = 100_000, seed: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The ids of random pairs of two different words out of `words`, with replacement."""
    if words < 2:
        raise InputError(f"The vocabulary has {words} words: random pairs need at least 2.")
    random = np.random.default_rng(seed)
    first = random.integers(0, words, pairs)
    return first, (first + random.integers(1, words, pairs)) % words


def agreement(scores: Sequence[ArrayLike]) -> tuple[Array, Array]:
    """Pearson and Spearman between the scores of several measures on the same pairs.

    Two (measures, measures) arrays: table 1 of the method's paper has the first in its upper
    triangle and the second in its lower one, on 100,000 random pairs.
    """
    columns = [np.asarray(score, dtype=np.float64) for score in scores]
    return _matrix(columns), _matrix([stats.rankdata(column) for column in columns])


def read_pairs(
    path: Path,
    *,
    separator: str | None = None,
    columns: Sequence[int | str] = (1, 2, 3),
    leave_out: dict[str, str] | None = None,
) -> list[Pair]:
    """Read a file of rated word pairs: one pair a line, two words and a score.

    Parameters
    ----------
    path : Path
        UTF-8 text, with or without byte order mark, header and Windows line ends.
    separator : str, optional
        What stands between the columns; `" "` is any white space. By default it is seen from the
        first line: tab, else semicolon, else comma, else white space.
    columns : three of int or str
        The two words' and the score's columns, counted from 1, or their names in the header.
    leave_out : dict of str to str, optional
        Leave out the lines that have this value in the column of this name.

    Returns
    -------
    list of Pair
        In the order of the file; the score of an unrated pair is nan.
    """
    lines = [
        (at, line)
        for at, line in enumerate(read_lines(path, "the gold set"), start=1)
        if line.strip()
    ]
    if not lines:
        raise InputError(f"{path} is empty: a gold set has two words and a score in each line.")
    if separator is None:
        separator = next((mark for mark in "\t;," if mark in lines[0][1]), " ")
    rows = [(at, _cells(line, separator)) for at, line in lines]
    header = rows[0][1]
    names = {name.lstrip("# ").lower(): i for i, name in enumerate(header)}
    try:
        places = [names[c.lower()] if isinstance(c, str) else c - 1 for c in columns]
        unwanted = [(names[name.lower()], value) for name, value in (leave_out or {}).items()]
    except KeyError as error:
        raise InputError(f"{path} has no column named {error} in its first line.") from None
    if leave_out or isinstance(columns[2], str) or _is_header(header, places[2]):
        rows = rows[1:]
    pairs = [
        _pair(path, at, row, places)
        for at, row in rows
        if not any(row[i : i + 1] == [value] for i, value in unwanted)
    ]
    if not pairs:
        raise InputError(f"{path} has a header and no pairs: add lines of two words and a score.")
    return pairs


def _cells(line: str, separator: str) -> list[str]:
    if separator == " ":
        return line.split()
    # Only comma-separated files quote; a quotation mark anywhere else is a character.
    cells = next(csv.reader([line])) if separator == "," else line.split(separator)
    return [cell.strip() for cell in cells]


def _is_header(row: list[str], score: int) -> bool:
    """Whether the score's place holds a text that is neither a number nor a missing score."""
    try:
        float(row[score])
    except IndexError:
        return False
    except ValueError:
        return row[score].lower() not in UNRATED
    return False


def _pair(path: Path, at: int, row: list[str], places: Sequence[int]) -> Pair:
    if len(row) <= max(places[:2]) or not all(row[i] for i in places[:2]):
        raise InputError(f"{path}, line {at}: expected two words and a score, found {row}.")
    first, second = (unicodedata.normalize("NFC", row[i]) for i in places[:2])
    score = row[places[2]] if places[2] < len(row) else ""
    if score.lower() in UNRATED:
        return Pair(first, second, math.nan)
    try:
        value = float(score)
    except ValueError:
        value = math.inf
    if not math.isfinite(value):
        raise InputError(f"{path}, line {at}: the score '{score}' is not a number; correct it.")
    return Pair(first, second, value)


def _as_listed(word: str, vocabulary: Vocabulary) -> str:
    word = unicodedata.normalize("NFC", word)
    return word if word in vocabulary else word.lower()


def _correlations(
    gold: Array, scores: Array, resamples: int, seed: int
) -> tuple[Correlation, Correlation, Array, Array]:
    """Pearson and Spearman with their intervals, and both in each resample."""
    pearson_draws, spearman_draws = bootstrap(gold, scores, resamples=resamples, seed=seed)
    if len(gold) < 3 or _constant(gold) or _constant(scores):
        undefined = Correlation(math.nan, math.nan, math.nan, math.nan)
        return undefined, undefined, pearson_draws, spearman_draws
    pearson, spearman = stats.pearsonr(gold, scores), stats.spearmanr(gold, scores)
    return (
        Correlation(float(pearson.statistic), float(pearson.pvalue), *_interval(pearson_draws)),
        Correlation(float(spearman.statistic), float(spearman.pvalue), *_interval(spearman_draws)),
        pearson_draws,
        spearman_draws,
    )


def bootstrap(
    gold: ArrayLike, scores: ArrayLike, *, resamples: int, seed: int
) -> tuple[Array, Array]:
    """Pearson and Spearman in each resample of the pairs (nan where one side is constant).

    A resample is a weight for each pair: how many times it was drawn. Means are then weighted
    means and the ranks come from running sums of the weights, so nothing is sorted again.
    """
    x, y = np.asarray(gold, dtype=np.float64), np.asarray(scores, dtype=np.float64)
    count = len(x)
    pearson, spearman = np.full(resamples, math.nan), np.full(resamples, math.nan)
    if count == 0:
        return pearson, spearman
    random = np.random.default_rng(seed)
    ranks_x, ranks_y = _ranker(x), _ranker(y)
    x, y = x - x.mean(), y - y.mean()
    for start in range(0, resamples, RESAMPLES_AT_ONCE):
        block = slice(start, min(start + RESAMPLES_AT_ONCE, resamples))
        drawn = random.integers(0, count, (RESAMPLES_AT_ONCE, count))[: block.stop - start]
        drawn += count * np.arange(len(drawn))[:, None]
        weights = np.bincount(drawn.ravel(), minlength=drawn.size).reshape(drawn.shape)
        pearson[block] = _weighted(x[None], y[None], weights)
        spearman[block] = _weighted(ranks_x(weights), ranks_y(weights), weights)
    return pearson, spearman


def _ranker(values: Array) -> Callable[[NDArray[np.int64]], Array]:
    """A function from weights to the mid-ranks of `values`, each repeated as its weight says."""
    distinct, inverse = np.unique(values, return_inverse=True)
    order = np.argsort(inverse, kind="stable")
    starts = np.searchsorted(inverse[order], np.arange(len(distinct)))
    middle = (len(values) + 1) / 2

    def ranks(weights: NDArray[np.int64]) -> Array:
        ties = np.add.reduceat(weights[:, order], starts, axis=1)
        centred: Array = np.cumsum(ties, axis=1) - (ties - 1) / 2 - middle
        return centred[:, inverse]

    return ranks


def _weighted(x: Array, y: Array, weights: NDArray[np.int64]) -> Array:
    """Pearson of each row of x with the row of y under the row of weights."""
    total = weights.sum(axis=1)
    mean_x, mean_y = (weights * x).sum(axis=1) / total, (weights * y).sum(axis=1) / total
    x, y = x - mean_x[:, None], y - mean_y[:, None]
    spread_x, spread_y = (weights * x * x).sum(axis=1), (weights * y * y).sum(axis=1)
    # Rounding leaves a constant side some spread of the order of the float's precision.
    tiny_x, tiny_y = (1e-24 * total * np.square(z).max(axis=1, initial=0) for z in (x, y))
    defined = (spread_x > tiny_x) & (spread_y > tiny_y)
    out = np.full(len(weights), math.nan)
    together = (weights * x * y).sum(axis=1)
    np.divide(together, np.sqrt(spread_x * spread_y), out=out, where=defined)
    return out


def _interval(draws: Array) -> tuple[float, float]:
    """The middle 95 % of the draws that are defined."""
    defined = draws[~np.isnan(draws)]
    if not len(defined):
        return math.nan, math.nan
    low, high = np.percentile(defined, [2.5, 97.5])
    return float(low), float(high)


def _constant(values: Array) -> bool:
    return bool((values == values[0]).all())


def _matrix(columns: Sequence[Array]) -> Array:
    """Pearson between all columns; nan beside a constant one."""
    defined = [i for i, column in enumerate(columns) if not _constant(column)]
    out = np.full((len(columns), len(columns)), math.nan)
    if defined:
        out[np.ix_(defined, defined)] = np.corrcoef([columns[i] for i in defined])
    return out
