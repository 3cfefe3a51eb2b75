"""The first sentences of the report: the result in short."""

from __future__ import annotations

import math
from collections.abc import Mapping

from pipeline.judge.numbers import listed, short, with_interval
from pipeline.judge.report_data import COVERED_ENOUGH, GoldResult, ReportData
from pipeline.layout import LEARNED
from wordkin.evaluation import Correlation, Evaluation


def sentences(data: ReportData) -> list[str]:
    """The report in a few sentences."""
    names = listed([measure.name for measure in data.measures])
    plural = "s" if len(data.measures) > 1 else ""
    corpus = f", built from {data.tokens:,} tokens" if data.tokens else ""
    opening = f"The measure{plural} {names} over {len(data.vocabulary):,} words{corpus}."
    chosen = _choices(data)
    result = data.main_result
    if result is None:
        return [opening, *chosen, _no_gold(data)]
    name, best = _best(result)
    lead = [
        opening,
        *chosen,
        f"Best on {result.title}: {name}, with a Spearman correlation of {_text(best.spearman)} "
        f"over the {best.covered:,} pairs that the vocabulary covers, and of "
        f"{_text(best.spearman_all)} over all {best.pairs:,}.",
    ]
    if result.is_silver:
        lead.append(
            "Silver sets are translations that keep the ratings of the English words: nobody rated "
            "these words. Treat their figures as a hint, not as proof."
        )
    return lead


def _choices(data: ReportData) -> list[str]:
    """What people's recorded choices say, if there are any: they come before all ratings."""
    figures = data.stages.get("human", {})
    if not figures.get("rounds"):
        return []
    precision = {
        name: agreement["all"]["precision"] for name, agreement in figures["agreement"].items()
    }
    best = max(precision, key=lambda name: float(precision[name]["value"]))
    between = figures["people"]["known"].get("precision")
    others = f"; other people reach {short(between['value'])}" if between else ""
    left_out = ", on boards that it did not learn from" if best == LEARNED else ""
    return [
        f"Closest to people's choices in {figures['rounds']:,} recorded rounds: {best}{left_out}, "
        f"with {_interval(precision[best])} of their picks{others}, and chance "
        f"{short(figures['chance']['all']['precision']['value'])}."
    ]


def _interval(estimate: Mapping[str, float]) -> str:
    return with_interval(estimate["value"], estimate["low"], estimate["high"])


def _best(result: GoldResult) -> tuple[str, Evaluation]:
    """The measure with the highest Spearman correlation over the covered pairs."""

    def spearman(entry: tuple[str, Evaluation]) -> float:
        statistic = entry[1].spearman.statistic
        return -math.inf if math.isnan(statistic) else statistic

    return max(result.by_measure.items(), key=spearman)


def _no_gold(data: ReportData) -> str:
    if data.results:
        return (
            f"No gold set has {COVERED_ENOUGH} or more pairs with both words in the vocabulary, so "
            "the correlations say little: use more text or a larger vocabulary."
        )
    skipped = " The known sets could not be fetched (see Gold sets)." if data.skipped else ""
    return (
        f"There is no gold set for '{data.language}', so nothing here shows how well the measures "
        f"agree with people.{skipped} Add one in eval/gold.yaml: four lines are enough. The "
        "vocabulary, the matrices and the neighbours of some words are below."
    )


def _text(correlation: Correlation) -> str:
    return with_interval(correlation.statistic, correlation.low, correlation.high)
