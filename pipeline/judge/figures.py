"""The figures of the stage `evaluate` as files: metrics, details, plots, and a table to print."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from pipeline.judge.numbers import short_or_dash
from wordkin.tables import table_lines

if TYPE_CHECKING:
    from pipeline.judge.report_data import GoldResult, ReportData
    from wordkin.evaluation import Correlation

STATISTICS = ("pearson", "spearman", "pearson_all", "spearman_all")


def metrics(data: ReportData) -> dict[str, Any]:
    """The main figures: flat and few enough for `dvc metrics show`."""
    return {
        "gold": {result.title: scores(result) for result in data.results},
        "skipped": len(data.skipped),
        "stores": data.stores,
    }


def scores(result: GoldResult) -> dict[str, Any]:
    """The number of pairs and of covered pairs, and the correlations of each measure."""
    evaluation = result.any_evaluation
    figures: dict[str, Any] = {"pairs": evaluation.pairs, "covered": evaluation.covered}
    for name, evaluation in result.by_measure.items():
        values = {key: _rounded(getattr(evaluation, key).statistic) for key in STATISTICS}
        values["low"] = _rounded(evaluation.spearman_all.low)
        values["high"] = _rounded(evaluation.spearman_all.high)
        figures[name] = values
    return figures


def correlation_table(metrics: Mapping[str, Any]) -> str:
    """The correlations as lines for the terminal, one line per gold set and measure."""
    if not metrics["gold"]:
        return "no gold set: there is nothing to correlate with"
    rows = []
    for name, figures in metrics["gold"].items():
        covered = f"{figures['covered']:,} of {figures['pairs']:,}"
        for measure, values in figures.items():
            if isinstance(values, Mapping):
                spearman, low, high, pearson = (
                    short_or_dash(values[key])
                    for key in ("spearman_all", "low", "high", "pearson_all")
                )
                rows.append((name, measure, spearman, f"{low} to {high}", pearson, covered))
                name = covered = ""  # only in the first line of a gold set
    header = ("gold set", "measure", "Spearman", "95 %", "Pearson", "covered")
    return "\n".join(table_lines(header, rows))


def best_measures(metrics: Mapping[str, Any]) -> str:
    """The best measure on each of the first gold sets, in one line."""
    best = []
    for name, figures in metrics["gold"].items():
        known = {
            measure: values["spearman_all"]
            for measure, values in figures.items()
            if isinstance(values, Mapping) and values["spearman_all"] is not None
        }
        if known:
            measure = max(known, key=lambda measure: known[measure])
            best.append(f"{name} {short_or_dash(known[measure])} ({measure})")
    return ", ".join(best[:3]) or "no gold set"


def correlations(data: ReportData) -> dict[str, Any]:
    """Every figure with its interval, and every missing word."""
    names = [measure.name for measure in data.measures]
    return {
        "gold": {result.title: _details(result) for result in data.results},
        "between_measures": {
            f"{a} {b}": {
                "pearson": _rounded(data.pearson[i, j]),
                "spearman": _rounded(data.spearman[i, j]),
            }
            for (i, a), (j, b) in itertools.combinations(enumerate(names), 2)
        },
        "skipped": dict(data.skipped),
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
                "spearman": _rounded(difference.value),
                "low": _rounded(difference.low),
                "high": _rounded(difference.high),
            }
            for (a, b), difference in result.differences().items()
        },
    }


def _interval(correlation: Correlation) -> dict[str, float | None]:
    return {
        "value": _rounded(correlation.statistic),
        "low": _rounded(correlation.low),
        "high": _rounded(correlation.high),
    }


def plots(data: ReportData) -> dict[str, list[list[Any]]]:
    """Tables for `dvc plots`: correlations, scores of the first gold set, and word counts.

    `dvc plots` shows the last column by default.
    """
    return {
        "correlations": _correlation_rows(data),
        "scatter": _scatter_rows(data),
        "zipf": _zipf_rows(data),
    }


def _correlation_rows(data: ReportData) -> list[list[Any]]:
    rows: list[list[Any]] = [["correlation", "pearson", "low", "high", "spearman"]]
    for result in data.results:
        for measure, evaluation in result.by_measure.items():
            spearman, pearson = evaluation.spearman_all, evaluation.pearson_all
            values = pearson.statistic, spearman.low, spearman.high, spearman.statistic
            rows.append([f"{result.title} {measure}", *map(_rounded, values)])
    return rows


def _scatter_rows(data: ReportData) -> list[list[Any]]:
    rows: list[list[Any]] = [["pair", "measure", "gold", "score"]]
    for result in data.results[:1]:
        for measure, evaluation in result.by_measure.items():
            pairs = zip(
                evaluation.words,
                evaluation.gold,
                evaluation.scores,
                evaluation.is_covered,
                strict=True,
            )
            rows += [
                [f"{a} {b}", measure, gold, _rounded(score)]
                for (a, b), gold, score, covered in pairs
                if covered
            ]
    return rows


def _zipf_rows(data: ReportData) -> list[list[Any]]:
    rows: list[list[Any]] = [["word", "log10_rank", "log10_count"]]
    for place in data.zipf_ranks:
        count, word = data.vocabulary.counts[place], data.vocabulary.words[place]
        rows.append([word, _rounded(math.log10(place + 1)), _rounded(math.log10(count))])
    return rows


def _rounded(value: float) -> float | None:
    """Four decimals, as more would differ between processors; None where it is undefined."""
    return None if math.isnan(value) else round(float(value), 4)
