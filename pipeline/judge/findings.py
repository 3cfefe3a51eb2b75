"""What the report is made of: all that the stage `report` found, and the sections made of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.judge.agents import Play
from pipeline.judge.correlations import BetweenMeasures, GoldResult
from pipeline.judge.vocabulary_map import VocabularyMap
from wordkin.measures.measure import Measure
from wordkin.vocabulary import Vocabulary

Section = dict[str, Any]
"""What a template shows under a heading. Pictures in it are SVG text."""

Table = dict[str, Any]
"""`columns` has one letter per column (w for words, n for numbers); `header` and `rows` have the
cells. A row of one cell is a heading for the rows below it."""


def table(columns: str, header: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """A table for the templates."""
    return {"columns": columns, "header": header, "rows": rows}


@dataclass(frozen=True)
class Findings:
    """Everything that the report of a language shows."""

    language: str
    vocabulary: Vocabulary
    stop_words: frozenset[str]
    measures: Sequence[Measure]
    default: str
    """The measure that the bundle answers with if none is named."""
    form: Callable[[str], str]
    """The form of a gold word in the vocabulary."""
    results: Sequence[GoldResult]
    """What each measure reaches on each gold set, the important sets first."""
    skipped: Mapping[str, str]
    """The gold sets that could not be fetched, and why."""
    between: BetweenMeasures
    growth: Mapping[str, Any]
    play: Play
    word_map: VocabularyMap | None
    stages: Mapping[str, Mapping[str, Any]]
    """The metrics of earlier stages; a stage that did not run is absent."""
    sources: Sequence[Mapping[str, Any]]
    """The declared sources of the corpus."""
    published: Sequence[Mapping[str, Any]]
    """The systems of `eval/published.yaml` that were judged in this language."""

    @property
    def main_result(self) -> GoldResult | None:
        """The gold set for details: the first that has enough covered pairs, silver ones last."""
        return next((result for result in self.results if result.is_enough), None)

    @cached_property
    def default_measure(self) -> Measure:
        """The default measure itself."""
        return next(measure for measure in self.measures if measure.name == self.default)

    def counts_of_pairs(self, result: GoldResult) -> NDArray[np.int64]:
        """The count of the rarer word of each covered pair of a gold set."""
        evaluation, vocabulary = result.any_evaluation, self.vocabulary
        pairs = zip(evaluation.words, evaluation.is_covered, strict=True)
        ids = [
            [vocabulary.ids[self.form(word)] for word in pair] for pair, covered in pairs if covered
        ]
        return np.asarray(vocabulary.counts[np.array(ids, dtype=np.int64)].min(axis=1))
