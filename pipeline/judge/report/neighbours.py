"""The section on neighbours: the closest words by each measure, for people to judge."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from pipeline.judge.numbers import evenly_spread, short
from pipeline.judge.report.document import Section, Table, Text
from pipeline.judge.report_data import ReportData

SAMPLE_WORDS = 20
NEIGHBOURS = 8


def neighbours(data: ReportData) -> Section:
    """The closest words to some words, by each measure."""
    rows: list[Sequence[str]] = []
    for word in sample_words(data):
        rows.append([word])
        for measure in data.measures:
            nearest = measure.nearest(word, NEIGHBOURS)
            cell = ", ".join(f"{other} {short(score, 2)}" for other, score in nearest)
            rows.append((measure.name, cell))
    origin = "main gold set" if data.main_result else "vocabulary"
    text = Text(f"The closest words to some words of the {origin}, from frequent to rare.")
    return Section("Neighbours", [text, Table("ww", ("", "closest"), rows)])


def sample_words(data: ReportData) -> list[str]:
    """Words that people can judge, spread by frequency: from the main gold set if there is one."""
    vocabulary, result = data.vocabulary, data.main_result
    if result is None:
        first, last = min(10, len(vocabulary)), len(vocabulary)
        ranks = np.geomspace(first, last, SAMPLE_WORDS).round().astype(int)
        return [vocabulary.words[rank - 1] for rank in sorted(set(ranks.tolist()))]
    evaluation = result.any_evaluation
    covered = zip(evaluation.words, evaluation.is_covered, strict=True)
    rated = {word for pair, is_covered in covered if is_covered for word in pair}
    ids = sorted(vocabulary.ids[word] for word in rated if word in vocabulary)
    return [vocabulary.words[ids[at]] for at in evenly_spread(SAMPLE_WORDS, len(ids))]
