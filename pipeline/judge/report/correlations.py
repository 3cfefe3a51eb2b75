"""Sections on correlations: with people's ratings, with published figures, between measures."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.judge.numbers import listed, short, short_or_dash, with_interval
from pipeline.judge.report import pictures
from pipeline.judge.report.document import Element, Picture, Section, Table, Text
from pipeline.judge.report_data import COVERED_ENOUGH, GoldResult, ReportData
from wordkin.evaluation import Correlation, Evaluation

FEW_MEASURES = 8
"""Up to so many measures, all pairs of them are compared in words."""


def with_people(data: ReportData) -> Section | None:
    """Table 2 of the method paper: measures by gold sets that people rated."""
    rated = [result for result in data.results if not result.is_silver]
    text = (
        "Correlations of each measure with people's ratings, over all pairs (a pair with a "
        "word that the vocabulary lacks counts as unrelated) and over the covered pairs alone. "
        "In brackets: 95 % intervals, by bootstrap over the pairs."
    )
    return _section("Agreement with people", text, data, rated)


def with_silver(data: ReportData) -> Section | None:
    """The same for translated sets, and what their figures are worth."""
    silver = [result for result in data.results if result.is_silver]
    text = (
        "Silver sets are translations: their words were translated from English, and their "
        "ratings are those of the English words. Nobody rated these pairs. A translation can "
        "have other senses than the original and other ties (a proverb, a food, a school "
        "subject), so even a perfect measure would not reach 1, and people who speak the "
        "language might not either. Use silver sets to compare measures with one another, and "
        "builds of different text; do not compare their figures with those of English sets. "
        "Where people's choices were recorded, these decide. The columns are those of the "
        "correlations with people's ratings."
    )
    return _section("Silver sets", text, data, silver)


def _section(
    title: str, text: str, data: ReportData, results: Sequence[GoldResult]
) -> Section | None:
    """The correlations with some of the sets as pictures and as a table."""
    if not results:
        return None
    elements: list[Element] = [Text(text)]
    panels = _interval_panels(data, results)
    if panels:
        elements.append(
            Picture(
                panels,
                description="Spearman correlations with their intervals, as in the table below",
                caption="Spearman correlation over all pairs, with its 95 % interval. Ticks in the "
                "row published: systems measured elsewhere, on other corpora.",
            )
        )
    rows: list[Sequence[str]] = []
    for result in results:
        rows.append([result.title])
        rows += [
            (
                name,
                _text(evaluation.spearman_all),
                _text(evaluation.pearson_all),
                _text(evaluation.spearman),
                _text(evaluation.pearson),
            )
            for name, evaluation in result.by_measure.items()
        ]
    header = ("", "Spearman, all", "Pearson, all", "Spearman, covered", "Pearson, covered")
    elements.append(Table("wnnnn", header, rows))
    small = [r.title for r in results if r.any_evaluation.covered < COVERED_ENOUGH]
    if small:
        elements.append(
            Text(
                f"Fewer than {COVERED_ENOUGH} covered pairs, so the correlations say little: "
                f"{listed(small)}."
            )
        )
    return Section(title, elements)


def _interval_panels(data: ReportData, results: Sequence[GoldResult]) -> list[str]:
    """One drawing per gold set, those of all sets from the same left end."""
    lows = [e.spearman_all.low for result in data.results for e in result.by_measure.values()]
    lowest = min([0.0, *(math.floor(low * 10) / 10 for low in lows if not math.isnan(low))])
    panels = []
    for result in results:
        correlations = {name: e.spearman_all for name, e in result.by_measure.items()}
        rows = [
            (name, spearman.statistic, spearman.low, spearman.high)
            for name, spearman in correlations.items()
            if not math.isnan(spearman.statistic)
        ]
        if rows:
            title = f"{result.title}, {result.any_evaluation.pairs:,} pairs"
            panels.append(
                pictures.intervals(title, rows, _published_spearman(data, result), lowest)
            )
    return panels


def which_is_better(data: ReportData) -> Section | None:
    """The differences between measures that the paired bootstrap supports."""
    if len(data.measures) < 2 or not data.results:
        return None
    text = (
        "A measure is called better only where the 95 % interval of the difference in Spearman "
        "correlation excludes zero (over the covered pairs, by the same draws for both measures). "
    )
    if len(data.measures) <= FEW_MEASURES:
        text += "Measures that are not named here cannot be told apart. "
        table = Table(
            "ww", ("gold set", "better"), [(r.title, _all_better(r)) for r in data.results]
        )
    else:
        text += "All other measures than those named here are worse than the best one. "
        header = ("gold set", "the best", "cannot be told from it")
        table = Table("www", header, [(r.title, *_best_and_equals(r)) for r in data.results])
    text += "Among many comparisons, one in twenty may be chance."
    return Section("Which measure is better", [Text(text), table])


def _all_better(result: GoldResult) -> str:
    """All pairs of measures of which one is better."""
    sure = []
    for (a, b), difference in result.differences().items():
        if difference.sure:
            better, worse = (a, b) if difference.value > 0 else (b, a)
            sure.append(f"{better} over {worse} by {short(abs(difference.value))}")
    return "; ".join(sure) or "none"


def _best_and_equals(result: GoldResult) -> tuple[str, str]:
    """The measure with the highest correlation, and those that are not surely worse."""
    values = {name: evaluation.spearman.statistic for name, evaluation in result.by_measure.items()}
    defined = {name: value for name, value in values.items() if not math.isnan(value)}
    if not defined:
        return "", ""
    best = max(defined, key=lambda name: defined[name])
    unsure = [
        a if b == best else b
        for (a, b), difference in result.differences().items()
        if best in (a, b) and not difference.sure
    ]
    return f"{short(defined[best])} {best}", listed(unsure) if unsure else "none"


def published(data: ReportData) -> Section | None:
    """The figures of other systems next to ours."""
    shown = [result for result in data.results if _published_spearman(data, result)]
    if not shown:
        return None
    rows: list[Sequence[str]] = [
        ["Measured here" + (f", {data.tokens:,} tokens" if data.tokens else "")]
    ]
    rows += [
        (name, *(_both(_as_published(result.by_measure[name])) for result in shown))
        for name in shown[0].by_measure
    ]
    heading = ""
    for system in _systems(data):
        scores = [system["scores"].get(result.name, {}) for result in shown]
        if any("spearman" in score for score in scores):
            if heading != (heading := _origin(system)):
                rows.append([heading])
            rows.append((system["system"], *map(_both, scores)))
    text = Text(
        "Spearman correlations and, after the slash, Pearson correlations where they are known. "
        "All figures but ours were measured elsewhere, on other and mostly far larger corpora, "
        "with other vocabularies and often over covered pairs only: use them for orientation, not "
        "as a ranking."
    )
    table = Table("w" + "n" * len(shown), ("", *(result.title for result in shown)), rows)
    return Section("Compared with published figures", [text, table])


def between_measures(data: ReportData) -> Section | None:
    """Table 1 of the method paper: the correlations between the measures."""
    names = [measure.name for measure in data.measures]
    if len(names) < 2:
        return None
    rows = [
        (
            name,
            *(
                "" if i == j else short_or_dash((data.pearson if i < j else data.spearman)[i, j])
                for j in range(len(names))
            ),
        )
        for i, name in enumerate(names)
    ]
    elements: list[Element] = [
        Text(
            f"On {len(data.random_scores[names[0]]):,} random word pairs: Pearson above the "
            "diagonal, Spearman below it."
        ),
        Table("w" + "n" * len(names), ("", *names), rows),
    ]
    comparison = _comparison(data, names)
    if comparison:
        header = ("measures", "Pearson here", "published", "Spearman here", "published")
        citation = data.published["method"]["citation"]
        caption = f"Compared with the figures of {citation}, measured elsewhere."
        elements.append(Table("wnnnn", header, comparison, caption))
    return Section("Agreement between the measures", elements)


def _comparison(data: ReportData, names: Sequence[str]) -> list[Sequence[str]]:
    """Our correlations between measures next to those of the method paper."""
    rows: list[Sequence[str]] = []
    for entry in data.published["method"]["between_measures"]:
        a, b = entry["measures"]
        if a in names and b in names:
            i, j = names.index(a), names.index(b)
            rows.append(
                (
                    f"{a}, {b}",
                    short_or_dash(data.pearson[i, j]),
                    short(entry["pearson"]),
                    short_or_dash(data.spearman[i, j]),
                    short(entry["spearman"]),
                )
            )
    return rows


def _systems(data: ReportData) -> list[Mapping[str, Any]]:
    return [s for s in data.published["systems"] if s["language"] == data.language]


def _published_spearman(data: ReportData, result: GoldResult) -> list[float]:
    scores = (system["scores"].get(result.name, {}) for system in _systems(data))
    return [score["spearman"] for score in scores if "spearman" in score]


def _as_published(evaluation: Evaluation) -> dict[str, float]:
    """Our correlations over all pairs, in the form of published ones."""
    return {
        "spearman": evaluation.spearman_all.statistic,
        "pearson": evaluation.pearson_all.statistic,
    }


def _both(scores: Mapping[str, float]) -> str:
    """Spearman's correlation and, where it is known, Pearson's."""
    known = [scores[key] for key in ("spearman", "pearson") if key in scores]
    return " / ".join(map(short_or_dash, known))


def _origin(system: Mapping[str, Any]) -> str:
    size = f", {system['tokens']:,} M tokens" if "tokens" in system else ""
    return f"Elsewhere: {system['citation']}: {system['corpus']}{size}"


def _text(correlation: Correlation) -> str:
    return with_interval(correlation.statistic, correlation.low, correlation.high)
