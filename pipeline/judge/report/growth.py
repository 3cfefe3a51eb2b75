"""The section on the size of the corpus: how the correlation of npmi grows with it."""

from __future__ import annotations

from pipeline.judge.numbers import short_or_dash
from pipeline.judge.report import pictures
from pipeline.judge.report.document import Picture, Section, Table, Text
from pipeline.judge.report_data import COVERED_ENOUGH, ReportData


def more_text(data: ReportData) -> Section | None:
    """The curve that the stage `curve` made, for each gold set with enough covered pairs."""
    curve = data.stages.get("curve", {})
    panels, rows = [], []
    for result in data.results:
        points = curve.get("gold", {}).get(result.title, [])
        if result.any_evaluation.covered < COVERED_ENOUGH or not points:
            continue
        rows.append((result.title, *(short_or_dash(point["spearman"]) for point in points)))
        if all(point["spearman"] is not None for point in points):
            shape = [(point["spearman"], point["low"], point["high"]) for point in points]
            panels.append(pictures.growth(result.title, curve["tokens"], shape))
    if not panels:
        return None
    header = ("gold set", *(f"{tokens:,} tokens" for tokens in curve["tokens"]))
    return Section(
        "Would more text help",
        [
            Text(
                "The measure npmi, built from an eighth, a quarter, half and all of the documents, "
                "drawn at random from all sources: Spearman over the covered pairs. Where a curve "
                "still rises at its end, more text will help; where it is flat, try better text or "
                "a better measure."
            ),
            Picture(
                panels,
                description="Spearman correlation by corpus size, as in the table below",
                caption="The band is the 95 % interval.",
            ),
            Table("w" + "n" * len(curve["tokens"]), header, rows),
        ],
    )
