"""The section on mistakes: scores against ratings, and the pairs that are most wrong."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from pipeline.judge.report import pictures
from pipeline.judge.report.document import Picture, Section, Table, Text
from pipeline.judge.report_data import ReportData

WORST = 6
"""The number of pairs shown per measure."""


def where_it_is_wrong(data: ReportData) -> Section | None:
    """Scores against people's ratings, and the pairs whose ranks differ most."""
    result = data.main_result
    if result is None:
        return None
    panels = []
    rows: list[Sequence[str]] = []
    for name, evaluation in result.by_measure.items():
        covered = np.flatnonzero(evaluation.is_covered)
        gold, scores = evaluation.gold[covered], evaluation.scores[covered]
        too_low = _ranks(scores) < _ranks(gold)
        worst = worst_pairs(gold, scores)
        panels.append(
            pictures.scatter(name, gold, scores, worst, (f"{result.title}: people", "score"))
        )
        rows.append([name])
        for number, at in enumerate(worst, start=1):
            first, second = evaluation.words[covered[at]]
            rows.append(
                (
                    f"{number}",
                    f"{first}, {second}",
                    f"{gold[at]:.4g}",
                    f"{scores[at]:.3f}",
                    "too low" if too_low[at] else "too high",
                )
            )
    return Section(
        "Where the measures are wrong",
        [
            Text(
                f"The covered pairs of {result.title}: people's ratings against each measure. The "
                "numbered pairs are those whose ranks in the two orders differ most."
            ),
            Picture(
                panels,
                description="Scatter plots of each measure against people's ratings; the worst "
                "pairs are in the table below",
                caption="The points of a measure that agrees with people rise from left to right.",
            ),
            Table("wwnnw", ("", "pair", "people", "score", ""), rows),
        ],
    )


def worst_pairs(gold: NDArray[np.float64], scores: NDArray[np.float64]) -> list[int]:
    """The pairs whose ranks by rating and by score differ most, the worst first."""
    apart = np.abs(_ranks(gold) - _ranks(scores))
    return [int(at) for at in np.argsort(-apart, kind="stable")[:WORST]]


def _ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    ranks: NDArray[np.float64] = stats.rankdata(values) / max(len(values), 1)
    return ranks
