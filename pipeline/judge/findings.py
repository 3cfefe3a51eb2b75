"""What the report is made of: everything that the stage `report` computes or reads."""

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


@dataclass(frozen=True)
class Findings:
    """Everything that the report of a language shows.

    Attributes
    ----------
    language : str
        The language's code.
    vocabulary : Vocabulary
        Its words.
    stop_words : frozenset of str
        The words that were left out of the vocabulary.
    measures : sequence of Measure
        The measures to report on.
    default : str
        The measure that the bundle answers with if none is named.
    form : callable
        The form of a gold word in the vocabulary.
    results : sequence of GoldResult
        The gold sets and what each measure reaches on them, the important ones first.
    skipped : mapping of str to str
        The gold sets that could not be fetched, and why.
    between : BetweenMeasures
        How the measures agree with each other.
    growth : mapping
        The correlation of npmi by the size of the corpus; see `pipeline.judge.growth`.
    play : Play
        What agents did.
    word_map : VocabularyMap or None
        Frequent words and their ties.
    stages : mapping of str to mapping
        The metrics of earlier stages; a stage that did not run is absent.
    sources : sequence of mapping
        The declared sources of the corpus.
    published : mapping
        The content of `eval/published.yaml`.
    """

    language: str
    vocabulary: Vocabulary
    stop_words: frozenset[str]
    measures: Sequence[Measure]
    default: str
    form: Callable[[str], str]
    results: Sequence[GoldResult]
    skipped: Mapping[str, str]
    between: BetweenMeasures
    growth: Mapping[str, Any]
    play: Play
    word_map: VocabularyMap | None
    stages: Mapping[str, Mapping[str, Any]]
    sources: Sequence[Mapping[str, Any]]
    published: Mapping[str, Any]

    @property
    def main_result(self) -> GoldResult | None:
        """The gold set for details: the first that has enough covered pairs, silver ones last."""
        return next((result for result in self.results if result.is_enough), None)

    @property
    def published_systems(self) -> list[Mapping[str, Any]]:
        """The systems of others that were judged in this language."""
        return [s for s in self.published["systems"] if s["language"] == self.language]

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
