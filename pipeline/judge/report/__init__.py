"""The report of a language: how far to trust the measures, and what they were made of.

One module per topic; each section is a function from `ReportData` to a `Section`, or to None when
there is nothing to show.
"""

from __future__ import annotations

from pipeline.judge.report import (
    agents,
    corpus,
    correlations,
    gold,
    growth,
    honours,
    matrices,
    mistakes,
    neighbours,
    people,
    summary,
)
from pipeline.judge.report.document import Document, Text
from pipeline.judge.report_data import ReportData

SECTIONS = (
    people.choices,
    people.learned,
    correlations.with_people,
    correlations.with_silver,
    honours.honours,
    honours.by_kind,
    correlations.which_is_better,
    agents.spymasters,
    agents.tournament,
    agents.papers,
    agents.clues,
    correlations.published,
    correlations.between_measures,
    mistakes.where_it_is_wrong,
    growth.more_text,
    gold.coverage,
    corpus.sources,
    corpus.vocabulary,
    corpus.familiar_words,
    matrices.matrices,
    honours.skipped,
    matrices.stores,
    matrices.graph,
    neighbours.neighbours,
    gold.gold_sets,
)
"""The sections in the order of the report."""


def render(data: ReportData) -> dict[str, str]:
    """The report's files by name."""
    document = compose(data)
    return {"report.md": document.markdown(), "report.html": document.html()}


def compose(data: ReportData) -> Document:
    """The report as a document."""
    sections = (section(data) for section in SECTIONS)
    return Document(
        title=f"Word relatedness, {data.language}: should you believe it?",
        language=data.language,
        lead=[Text(sentence) for sentence in summary.sentences(data)],
        sections=[section for section in sections if section is not None],
    )
