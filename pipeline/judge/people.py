"""The sections of the report on people: their ratings of word pairs, and their choices at play."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.judge import pictures
from pipeline.judge.correlations import GoldResult
from pipeline.judge.figures import listed, recorded, short, with_interval
from pipeline.judge.findings import Findings, Section, Table, table
from pipeline.layout import LEARNED
from wordkin.evaluation import Correlation

TERMS = {
    "relatedness": "its value",
    "standing": "its rank among the closest words of either word",
    "frequency": "how often the words occur",
}


# ── people's ratings ─────────────────────────────────────────────────────────────────────────


def ratings(findings: Findings) -> Section | None:
    """The correlations with gold sets: pictures of the best covered ones, and all figures."""
    shown = [result for result in findings.results if result.is_enough]
    if not shown:
        return None
    names = [measure.name for measure in findings.measures]
    overview = [
        (
            result.title,
            str(result.description["kind"]),
            _covered(result),
            *(short(result.by_measure[name].spearman_all.statistic) for name in names),
        )
        for result in shown
    ]
    header = ("gold set", "kind", "covered", *names)
    details: list[Sequence[str]] = []
    for result in shown:
        details.append([result.title])
        details += [
            (name, *map(_text, (e.spearman_all, e.pearson_all, e.spearman, e.pearson)))
            for name, e in result.by_measure.items()
        ]
    details_header = ("", "Spearman, all", "Pearson, all", "Spearman, covered", "Pearson, covered")
    better = [(result.title, *_best_and_equals(result)) for result in shown]
    too_small = [result.title for result in findings.results if not result.is_enough]
    return {
        "pictures": _interval_pictures(findings, [r for r in shown if not r.is_silver][:3]),
        "overview": table("wwn" + "n" * len(names), header, overview),
        "has_silver": any(result.is_silver for result in shown),
        "too_small": listed(too_small),
        "details": table("wnnnn", details_header, details),
        "better": table("www", ("gold set", "the best", "cannot be told from it"), better),
        "published": published(findings),
    }


def _interval_pictures(findings: Findings, results: Sequence[GoldResult]) -> list[str]:
    """One drawing per gold set, those of all sets from the same left end."""
    lows = [e.spearman_all.low for result in results for e in result.by_measure.values()]
    lowest = min([0.0, *(math.floor(low * 10) / 10 for low in lows if not math.isnan(low))])
    drawn = []
    for result in results:
        rows = [
            (name, e.spearman_all.statistic, e.spearman_all.low, e.spearman_all.high)
            for name, e in result.by_measure.items()
            if not math.isnan(e.spearman_all.statistic)
        ]
        scores = (system["scores"].get(result.name, {}) for system in findings.published)
        others = [score["spearman"] for score in scores if "spearman" in score]
        if rows:
            title = f"{result.title}, {result.any_evaluation.pairs:,} pairs"
            drawn.append(pictures.intervals(title, rows, others, lowest))
    return drawn


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
    return f"{short(defined[best])} {best}", listed(unsure) or "none"


def published(findings: Findings) -> Table | None:
    """The figures of other systems, by gold set; only the sets that they were judged by."""
    systems = findings.published
    names = {name for system in systems for name in system["scores"]}
    shown = [result for result in findings.results if result.name in names]
    rows: list[Sequence[str]] = [
        (
            system["system"],
            f"{system['corpus']}; {system['citation']}",
            f"{system['tokens']:,} M" if "tokens" in system else "",
            *(_both(system["scores"].get(result.name, {})) for result in shown),
        )
        for system in systems
        if any(result.name in system["scores"] for result in shown)
    ]
    header = ("system", "measured on", "tokens", *(result.title for result in shown))
    return table("wwn" + "n" * len(shown), header, rows) if rows else None


def _both(scores: Mapping[str, float]) -> str:
    """Spearman's correlation and, where it is known, Pearson's."""
    return " / ".join(short(scores[key]) for key in ("spearman", "pearson") if key in scores)


def _text(correlation: Correlation) -> str:
    return with_interval(correlation.statistic, correlation.low, correlation.high)


def _covered(result: GoldResult) -> str:
    evaluation = result.any_evaluation
    return f"{evaluation.covered:,} of {evaluation.pairs:,}"


# ── people's choices ─────────────────────────────────────────────────────────────────────────


def choices(findings: Findings) -> Section | None:
    """How measures agree with the picks of people, and what was learned from them."""
    figures = findings.stages.get("human", {})
    if not figures.get("rounds"):
        return None
    agreements = {
        f"{name} (left-out boards)" if name == LEARNED else name: agreement
        for name, agreement in figures["agreement"].items()
    }
    if figures["people"]["known"]:
        agreements["other people"] = figures["people"]
    agreements["chance"] = figures["chance"]
    header = ("guesser", "P@n", "same first pick", "ln likelihood", "P@n, clue known")
    weights = sorted(figures["weights"], key=lambda term: -abs(term["weight"]))
    terms = [
        (
            term["measure"],
            TERMS[term["term"]],
            short(term["weight"], 2),
            f"× {math.exp(term['weight']):.2f}",
        )
        for term in weights
    ]
    points = figures.get("reliability")
    return {
        "rounds": figures["rounds"],
        "sessions": figures["sessions"],
        "coverage": ", ".join(
            f"{part:,} of {whole:,} {what}" for what, (part, whole) in figures["coverage"].items()
        ),
        "agreement": table("wnnnn", header, [(n, *_picks(a)) for n, a in agreements.items()]),
        "best": figures["best"],
        "gain": figures["gain"]["precision"],
        "gain_text": recorded(figures["gain"]["precision"]),
        "reliability": pictures.reliability(points["said"], points["seen"]) if points else None,
        "weights": table("wwnn", ("measure", "term", "weight", "odds per deviation"), terms),
    }


def _picks(agreement: Mapping[str, Any]) -> list[str]:
    # People have no temperature, and only rounds that others played too can be compared.
    main = agreement["all"] if agreement["temperature"] is not None else agreement["known"]
    known = agreement["known"].get("precision")
    figures = [main.get(key) for key in ("precision", "first", "likelihood")]
    return [*map(recorded, figures), recorded(known)]
