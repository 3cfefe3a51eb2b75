"""Sections on the gold sets: how much of them is covered, and where they come from."""

from __future__ import annotations

from pipeline.judge.numbers import listed
from pipeline.judge.report.document import Element, Section, Table, Text
from pipeline.judge.report_data import GoldResult, ReportData

MISSING_SHOWN = 40
"""The number of missing words shown per gold set."""


def coverage(data: ReportData) -> Section | None:
    """How much of each gold set the vocabulary covers, and which words it lacks."""
    if not data.results:
        return None
    rows, missing, stopped = [], [], []
    for result in data.results:
        evaluation = result.any_evaluation
        share = evaluation.covered / evaluation.pairs if evaluation.pairs else 0.0
        stop_words = [word for word in evaluation.missing if word in data.stop_words]
        unseen = [word for word in evaluation.missing if word not in data.stop_words]
        rows.append(
            (
                result.title,
                f"{evaluation.pairs:,}",
                f"{evaluation.covered:,}",
                f"{share:.1%}",
                f"{len(unseen):,}",
                f"{len(stop_words):,}",
                _notes(result),
            )
        )
        if unseen:
            missing.append((result.title, listed(unseen, MISSING_SHOWN)))
        if stop_words:
            stopped.append((result.title, listed(stop_words, MISSING_SHOWN)))
    header = ("gold set", "pairs", "covered", "share", "missing words", "stop words", "notes")
    by_name = data.stages.get("vocabulary", {}).get("gold_sets", [])
    forced = f" The words of {listed(by_name)} are in the vocabulary by name, however rare."
    elements: list[Element] = [
        Text(
            "A pair is covered when the vocabulary has both words. A word is missing because it is "
            "too rare or because it is a stop word. Repeated pairs count each time, as in "
            "published figures. An entry of several words is never covered."
            + (forced if by_name else "")
        ),
        Table("wnnnnnw", header, rows),
    ]
    if missing:
        caption = "Missing words; correlations.json lists all of them."
        elements.append(Table("ww", ("gold set", "missing words"), missing, caption))
    if stopped:
        caption = "Stop words that people rated: do they belong on the list of stop words?"
        elements.append(Table("ww", ("gold set", "stop words"), stopped, caption))
    return Section("Coverage", elements)


def _notes(result: GoldResult) -> str:
    """The pairs of a set that need a word of explanation."""
    counts = {
        "repeated": result.description["doubled"],
        "of a word with itself, left out": result.any_evaluation.identical,
        "unrated, left out": result.description["unrated"],
        "with alternatives in one entry, left out": result.description["ambiguous"],
    }
    return "; ".join(f"{count:,} {what}" for what, count in counts.items() if count)


def gold_sets(data: ReportData) -> Section | None:
    """Where the ratings come from, and which sets could not be fetched."""
    rows = [
        (
            result.title,
            result.description["kind"],
            "–".join(f"{bound:g}" for bound in result.description["scale"] or ()),
            result.description["licence"] or "not stated",
            result.description["citation"] or "",
        )
        for result in data.results
    ]
    elements: list[Element] = []
    if rows:
        header = ("gold set", "rated", "scale", "licence", "source")
        elements.append(Table("wwwww", header, rows))
    names_by_reason: dict[str, list[str]] = {}
    for name, reason in data.skipped.items():
        names_by_reason.setdefault(reason, []).append(name)
    elements += [
        Text(f"Not evaluated: {listed(names)}. Reason: {reason}.")
        for reason, names in names_by_reason.items()
    ]
    return Section("Gold sets", elements) if elements else None
