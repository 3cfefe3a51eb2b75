"""Sections on people's choices: how measures agree with them, and what was learned from them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from pipeline.judge.numbers import UNDEFINED, with_interval
from pipeline.judge.report.document import Section, Table, Text
from pipeline.judge.report_data import ReportData
from pipeline.layout import LEARNED

TERMS = {
    "relatedness": "its value",
    "standing": "its rank among the closest words of either word",
    "frequency": "how often the words occur",
}

HARDLY = 0.05
"""The weight below which a term hardly matters."""


def choices(data: ReportData) -> Section | None:
    """How each measure agrees with the picks of people."""
    figures = data.stages.get("human", {})
    if not figures.get("rounds"):
        return None
    agreements = {
        **{_title(name): agreement for name, agreement in figures["agreement"].items()},
        "other people": figures["people"],
        "chance": figures["chance"],
    }
    rows: list[Sequence[str]] = [(name, *_cells(a)) for name, a in agreements.items()]
    header = ("guesser", "P@n", "same first pick", "ln likelihood", "P@n, clue known")
    known = ", ".join(
        f"{part} of {whole} {what}" for what, (part, whole) in figures["coverage"].items()
    )
    return Section(
        "Agreement with people's choices",
        [
            Text(
                f"{figures['rounds']:,} recorded rounds of {figures['sessions']:,} sessions: a "
                "player saw a board and a clue for n cards, and picked cards. P@n is the share of "
                "the first n picks that are among the measure's n closest cards. The likelihood is "
                "that of a pick under a guesser who picks at random, with higher chances for "
                "closer cards. In brackets: 95 % intervals, by bootstrap over sessions. The "
                f"vocabulary knows {known} (a board is known when all its cards are). An unknown "
                "clue stands for the known words that it resolves to; the last column is without "
                "those rounds."
            ),
            Table("wnnnn", header, rows),
            Text(
                "Other people are those who played the same clue on the same board, "
                f"{figures['people']['covered']:,} rounds. {_title(LEARNED)} is judged on boards "
                f"that its weights were not fitted to. {_verdict(figures)}"
            ),
        ],
    )


def learned(data: ReportData) -> Section | None:
    """The weights of the measure `human`."""
    figures = data.stages.get("human", {})
    if not figures.get("weights"):
        return None
    terms = sorted(figures["weights"], key=lambda term: -abs(term["weight"]))
    rows = [
        (term["measure"], TERMS[term["term"]], f"{term['weight']:+.2f}", _odds(term["weight"]))
        for term in terms
    ]
    return Section(
        "What people go by",
        [
            Text(
                "The measure human is a weighted sum. Its weights are those under which the "
                "recorded picks are likeliest. Each term is standardised, so the weights can be "
                "compared: one standard deviation more multiplies the odds of a card by e to the "
                "weight. Measures that say much the same share their weight, so a small weight "
                "does not make a measure useless."
            ),
            Table("wwnw", ("measure", "term", "weight", "odds of a card per deviation"), rows),
        ],
    )


def _title(measure: str) -> str:
    return f"{measure} (left-out boards)" if measure == LEARNED else measure


def _cells(agreement: Mapping[str, Any]) -> list[str]:
    # People have no temperature, and only rounds that others played too can be compared.
    main = agreement["all"] if agreement["temperature"] is not None else agreement["known"]
    cells = [_text(main.get(key)) for key in ("precision", "first", "likelihood")]
    return [*cells, _text(agreement["known"].get("precision"))]


def _text(estimate: Mapping[str, float] | None) -> str:
    if estimate is None:
        return UNDEFINED
    return with_interval(estimate["value"], estimate["low"], estimate["high"])


def _verdict(figures: Mapping[str, Any]) -> str:
    """Whether the learned measure beats the best single one, by two statistics."""
    clauses = []
    for statistic, name in (("precision", "P@n"), ("likelihood", "the likelihood of a pick")):
        gain = figures["gain"][statistic]
        interval = f"{gain['value']:+.3f} ({gain['low']:+.3f} to {gain['high']:+.3f})"
        beats = "beats" if gain["low"] > 0 else "does not clearly beat"
        clauses.append(
            f"by {name} it {beats} the best single measure, {figures['best']}: {interval}"
        )
    text = "; ".join(clauses)
    return f"{text[0].upper()}{text[1:]}."


def _odds(weight: float) -> str:
    """What a weight does to the odds of a card."""
    return "hardly matters" if abs(weight) < HARDLY else f"times {math.exp(weight):.2f}"
