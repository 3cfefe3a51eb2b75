"""Sections that tell raw text and knowledge apart, and say which measures could not be made."""

from __future__ import annotations

import math
from collections.abc import Sequence

from pipeline.judge.numbers import listed, short, short_or_dash
from pipeline.judge.report.document import Section, Table, Text
from pipeline.judge.report_data import GoldResult, ReportData
from pipeline.layout import FAMILIES, LEARNED
from wordkin.measures.measure import Measure


def honours(data: ReportData) -> Section | None:
    """The best measure of raw text alone and the best one with knowledge, by kind and by set."""
    raw = [measure.name for measure in data.measures if _is_raw(measure)]
    informed = [measure.name for measure in data.measures if _is_informed(measure)]
    if not data.results or not informed:
        return None
    by_kind = _by_kind(data.results)
    text = Text(
        "The best Spearman correlation over all pairs, and the measure that reaches it: first the "
        "mean over the sets of each kind, then each set. Measures with knowledge use dictionaries, "
        "word nets, language graphs or vectors that others have trained; raw text alone is what "
        "this corpus says. Since the best of several measures is named, small differences mean "
        "nothing."
    )
    kinds = Table(
        "w" * (len(by_kind) + 1),
        ("", *by_kind),
        [
            ("raw text alone", *(_best(own, raw) for own in by_kind.values())),
            ("with knowledge", *(_best(own, informed) for own in by_kind.values())),
        ],
    )
    sets = Table(
        "wwwwn",
        ("gold set", "kind", "raw text alone", "with knowledge", "people"),
        [
            (r.title, kind, _best([r], raw), _best([r], informed), _ceiling(r))
            for kind, own in by_kind.items()
            for r in own
        ],
    )
    return Section("Raw text and knowledge", [text, kinds, sets])


def by_kind(data: ReportData) -> Section | None:
    """The mean correlation of each measure with the sets of each kind, and what people reach."""
    by_kind = _by_kind(data.results)
    if len(by_kind) < 2:
        return None
    text = Text(
        "The mean of the Spearman correlations over all pairs, by what was rated. Similarity is "
        "about words of the same kind (cup, mug), relatedness about any tie (cup, coffee)."
    )
    means = Table(
        "w" + "n" * len(by_kind),
        ("", *by_kind),
        [
            (m.name, *(short_or_dash(_mean(own, m.name)) for own in by_kind.values()))
            for m in data.measures
        ],
    )
    sets = [
        (kind, listed([_with_ceiling(result) for result in own])) for kind, own in by_kind.items()
    ]
    people = Text(
        "The sets of each kind; in brackets what people reach, as published with the set."
    )
    return Section("By kind", [text, means, people, Table("ww", ("kind", "gold sets"), sets)])


def _by_kind(results: Sequence[GoldResult]) -> dict[str, list[GoldResult]]:
    """The gold sets by what was rated, in the order of `eval/gold.yaml`."""
    kinds: dict[str, list[GoldResult]] = {}
    for result in results:
        kinds.setdefault(str(result.description["kind"]), []).append(result)
    return kinds


def _ceiling(result: GoldResult) -> str:
    """What people reach on a set, where it was published."""
    ceiling = result.description.get("ceiling")
    return short(float(ceiling)) if ceiling else ""


def _with_ceiling(result: GoldResult) -> str:
    return f"{result.title} ({ceiling})" if (ceiling := _ceiling(result)) else result.title


def _mean(results: Sequence[GoldResult], name: str) -> float:
    """The mean correlation of a measure with some gold sets."""
    values = [result.by_measure[name].spearman_all.statistic for result in results]
    return sum(values) / len(values)


def _is_raw(measure: Measure) -> bool:
    """Whether a measure of the build is made from raw text alone; people's picks are not."""
    return measure.folder is not None and measure.name != LEARNED and not _is_informed(measure)


def _is_informed(measure: Measure) -> bool:
    return bool(measure.facts.get("knowledge"))


def _best(results: Sequence[GoldResult], names: Sequence[str]) -> str:
    """The best of some measures by its mean over gold sets, and that mean."""
    means = {name: _mean(results, name) for name in names}
    defined = {name: value for name, value in means.items() if not math.isnan(value)}
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
