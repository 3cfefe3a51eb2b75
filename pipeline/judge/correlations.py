"""Correlations of a build's measures with gold sets and with each other, as data and as files."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from scipy import stats

from pipeline.fetched import read_gold_sets, set_title
from pipeline.layout import Layout
from wordkin.errors import InputError
from wordkin.evaluation import Correlation, Evaluation, difference, evaluate
from wordkin.intervals import Estimate
from wordkin.measures.measure import Measure
from wordkin.rated_pairs import Pair, read_pairs

Array = NDArray[np.float64]

COVERED_ENOUGH = 30
"""The number of covered pairs below which a correlation says little, and the report says so."""

HEADLINE = ("MEN", "WS-353-rel")
"""The gold sets that come first wherever they exist: the method paper reports them."""

STATISTICS = ("pearson", "spearman", "pearson_all", "spearman_all")

# ── gold sets ────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True)
class GoldResult:
    """A gold set and its correlations with each measure."""

    description: Mapping[str, Any]
    """The set as `gold.json` describes it."""
    by_measure: Mapping[str, Evaluation]

    @property
    def name(self) -> str:
        """The name in `eval/gold.yaml`."""
        return str(self.description["name"])

    @property
    def title(self) -> str:
        """The name as people see it."""
        return set_title(self.description)

    @property
    def is_silver(self) -> bool:
        """Whether the words are translations, with the ratings of the originals."""
        return bool(self.description["status"] == "silver")

    @property
    def any_evaluation(self) -> Evaluation:
        """The evaluation of one measure, for what is the same for all: pairs, coverage, words."""
        return next(iter(self.by_measure.values()))

    @property
    def is_enough(self) -> bool:
        """Whether the vocabulary covers so many pairs that the correlations mean something."""
        return self.any_evaluation.covered >= COVERED_ENOUGH

    def differences(self) -> dict[tuple[str, str], Estimate]:
        """The difference in Spearman over the covered pairs between each two measures."""
        evaluations = self.by_measure
        return {
            (a, b): difference(evaluations[a], evaluations[b])
            for a, b in itertools.combinations(evaluations, 2)
        }


def correlate_with(
    description: Mapping[str, Any],
    pairs: Sequence[Pair],
    measures: Sequence[Measure],
    form: Callable[[str], str],
    *,
    resamples: int,
    seed: int,
) -> GoldResult:
    """Correlate each measure with the pairs of a gold set."""
    by_measure = {
        measure.name: evaluate(measure, pairs, resamples=resamples, seed=seed, normal=form)
        for measure in measures
    }
    return GoldResult(description, by_measure)


def correlate_with_all(
    layout: Layout,
    measures: Sequence[Measure],
    form: Callable[[str], str],
    *,
    resamples: int,
    seed: int,
) -> tuple[list[GoldResult], dict[str, str]]:
    """The results on all gold sets of a language, and why the others could not be fetched."""
    gold = read_gold_sets(layout.gold)
    results = [
        correlate_with(
            about,
            read_pairs(layout.gold / f"{about['name']}.tsv"),
            measures,
            form,
            resamples=resamples,
            seed=seed,
        )
        for about in gold.sets
    ]
    return results, gold.skipped


def by_importance(results: Iterable[GoldResult]) -> list[GoldResult]:
    """The headline sets first, silver sets last, and those that are hardly covered after both."""

    def rank(result: GoldResult) -> tuple[bool, bool, int]:
        known = result.name in HEADLINE
        place = HEADLINE.index(result.name) if known else len(HEADLINE)
        return not result.is_enough, result.is_silver, place

    return sorted(results, key=rank)


# ── between measures ─────────────────────────────────────────────────────────────────────────


class BetweenMeasures(NamedTuple):
    """How measures agree with each other: (measures, measures) arrays, and their scores."""

    pearson: Array
    spearman: Array
    scores: dict[str, NDArray[np.float32]]
    """The values of each measure on the same random word pairs."""


def compare_measures(measures: Sequence[Measure], *, seed: int) -> BetweenMeasures:
    """The correlations between measures on random word pairs: Table 1 of the method paper."""
    first, second = random_pairs(len(measures[0].vocabulary), seed=seed)
    scores = {measure.name: measure.pairs(first, second) for measure in measures}
    return BetweenMeasures(*correlation_matrices(list(scores.values())), scores)


def random_pairs(
    words: int, *, pairs: int = 100_000, seed: int = 0
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Draw random pairs of two different words out of `words`, with replacement, as id arrays."""
    if words < 2:
        raise InputError(
            f"The vocabulary has {words} words and random pairs need at least 2: give more text."
        )
    random = np.random.default_rng(seed)
    first = random.integers(0, words, pairs)
    return first, (first + random.integers(1, words, pairs)) % words


def correlation_matrices(scores: Sequence[ArrayLike]) -> tuple[Array, Array]:
    """Pearson and Spearman between all columns of scores; nan for constant ones."""
    columns = [np.asarray(score, dtype=np.float64) for score in scores]
    return _pearson_matrix(columns), _pearson_matrix([stats.rankdata(c) for c in columns])


def _pearson_matrix(columns: Sequence[Array]) -> Array:
    defined = [i for i, column in enumerate(columns) if not (column == column[0]).all()]
    out = np.full((len(columns), len(columns)), math.nan)
    if defined:
        out[np.ix_(defined, defined)] = np.corrcoef([columns[i] for i in defined])
    return out


# ── files ────────────────────────────────────────────────────────────────────────────────────


def main_figures(result: GoldResult) -> dict[str, Any]:
    """The number of pairs and of covered pairs, and the correlations of each measure."""
    evaluation = result.any_evaluation
    figures: dict[str, Any] = {"pairs": evaluation.pairs, "covered": evaluation.covered}
    for name, evaluation in result.by_measure.items():
        values = {key: _rounded(getattr(evaluation, key).statistic) for key in STATISTICS}
        values["low"] = _rounded(evaluation.spearman_all.low)
        values["high"] = _rounded(evaluation.spearman_all.high)
        figures[name] = values
    return figures


def all_figures(
    results: Sequence[GoldResult], skipped: Mapping[str, str], between: BetweenMeasures
) -> dict[str, Any]:
    """Every figure with its interval, and every missing word: what `correlations.json` has."""
    names = list(between.scores)
    return {
        "gold": {result.title: _details(result) for result in results},
        "between_measures": {
            f"{a} {b}": {
                "pearson": _rounded(between.pearson[i, j]),
                "spearman": _rounded(between.spearman[i, j]),
            }
            for (i, a), (j, b) in itertools.combinations(enumerate(names), 2)
        },
        "skipped": dict(skipped),
    }


def _details(result: GoldResult) -> dict[str, Any]:
    described = ("kind", "status", "doubled", "unrated", "ambiguous")
    evaluation = result.any_evaluation
    return {
        **{key: result.description[key] for key in described},
        "pairs": evaluation.pairs,
        "covered": evaluation.covered,
        "identical": evaluation.identical,
        "missing": list(evaluation.missing),
        "measures": {
            name: {key: _interval(getattr(evaluation, key)) for key in STATISTICS}
            for name, evaluation in result.by_measure.items()
        },
        "differences": {
            f"{a} - {b}": {
                "spearman": _rounded(gap.value),
                "low": _rounded(gap.low),
                "high": _rounded(gap.high),
            }
            for (a, b), gap in result.differences().items()
        },
    }


def _interval(correlation: Correlation) -> dict[str, float | None]:
    return {
        "value": _rounded(correlation.statistic),
        "low": _rounded(correlation.low),
        "high": _rounded(correlation.high),
    }


def _rounded(value: float) -> float | None:
    """Four decimals, as more would differ between processors; None where it is undefined."""
    return None if math.isnan(value) else round(float(value), 4)


# ── what others published ────────────────────────────────────────────────────────────────────

_KEYS = ("system", "language", "corpus", "citation", "scores")


def read_published(path: Path) -> list[dict[str, Any]]:
    """The systems that others published; the head comment of the file explains it."""
    try:
        content = YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))
        systems: list[dict[str, Any]] = content["systems"]
        missing = [key for system in systems for key in _KEYS if key not in system]
    except OSError as error:
        raise InputError(f"Cannot read {path} ({error.strerror}): restore it.") from error
    except (YAMLError, UnicodeDecodeError, KeyError, TypeError) as error:
        reason = " ".join(str(error).split())
        raise InputError(f"{path} is not a list of published figures: {reason}.") from error
    if missing:
        raise InputError(f"{path}: a system has no '{missing[0]}'; add it.")
    return systems
