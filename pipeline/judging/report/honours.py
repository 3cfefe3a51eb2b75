"""Sections that tell raw text and knowledge apart, and say which measures could not be made."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pipeline.judging.numbers import listed, short, short_or_dash
from pipeline.judging.report.document import Section, Table, Text
from pipeline.judging.report_data import GoldResult, ReportData
from pipeline.layout import FAMILIES, LEARNED
from wordkin.measures import Measure


def honours(data: ReportData) -> Section | None:
    """The best measure of raw text alone and the best one with knowledge, on each gold set."""
    raw = [measure.name for measure in data.measures if _is_raw(measure)]
    informed = [measure.name for measure in data.measures if _is_informed(measure)]
    if not data.results or not informed:
        return None
    rows = [
        ("raw text alone", *(_best(result, raw) for result in data.results)),
        ("with knowledge", *(_best(result, informed) for result in data.results)),
    ]
    text = Text(
        "The best Spearman correlation over all pairs, and the measure that reaches it. Measures "
        "with knowledge use dictionaries, word nets, language graphs or vectors that others have "
        "trained; raw text alone is what this corpus says. Since the best of several measures is "
        "named, small differences mean nothing."
    )
    titles = [result.title for result in data.results]
    table = Table("w" * len(rows[0]), ("", *titles), rows)
    return Section("Raw text and knowledge", [text, table])


def by_kind(data: ReportData) -> Section | None:
    """The mean correlation of each measure with the sets of each kind, and what people reach."""
    kinds = list(dict.fromkeys(str(result.description["kind"]) for result in data.results))
    if len(kinds) < 2:
        return None
    sets = {kind: [r for r in data.results if r.description["kind"] == kind] for kind in kinds}
    rows: list[Sequence[str]] = [
        (
            measure.name,
            *(
                short_or_dash(
                    _mean([r.by_measure[measure.name].spearman_all.statistic for r in own])
                )
                for own in sets.values()
            ),
        )
        for measure in data.measures
    ]
    rows.append(("gold sets", *(listed([result.title for result in own]) for own in sets.values())))
    known = [
        f"{result.title} {short(float(ceiling))}"
        for result in data.results
        if (ceiling := result.description.get("ceiling"))
    ]
    text = (
        "The mean of the Spearman correlations over all pairs, by what was rated. Similarity is "
        "about words of the same kind (cup, mug), relatedness about any tie (cup, coffee)."
    )
    if known:
        text += f" People reach, as published with the sets: {listed(known)}."
    return Section("By kind", [Text(text), Table("w" + "n" * len(kinds), ("", *kinds), rows)])


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _is_raw(measure: Measure) -> bool:
    """Whether a measure of the build is made from raw text alone; people's picks are not."""
    return measure.folder is not None and measure.name != LEARNED and not _is_informed(measure)


def _is_informed(measure: Measure) -> bool:
    return bool(measure.facts.get("knowledge"))


def _best(result: GoldResult, names: Sequence[str]) -> str:
    spearman = {name: result.by_measure[name].spearman_all.statistic for name in names}
    defined = {name: value for name, value in spearman.items() if not math.isnan(value)}
    best = max(defined, key=lambda name: defined[name], default=None)
    return "" if best is None else f"{short(defined[best])} {best}"


def skipped(data: ReportData) -> Section | None:
    """Measures that could not be made for this language, and why."""
    rows = [
        (name, family, reason)
        for family in FAMILIES
        for name, reason in data.stages.get(family, {}).get("skipped", {}).items()
    ]
    if not rows:
        return None
    text = Text("These measures were asked for and could not be made for this language.")
    return Section("Skipped measures", [text, Table("www", ("measure", "stage", "why"), rows)])
