"""What the report is made of: everything that the stage `evaluate` computes or reads."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.fetched import set_title
from wordkin.evaluation import Evaluation, difference
from wordkin.intervals import Estimate
from wordkin.measures.measure import Measure
from wordkin.vocabulary import Vocabulary

COVERED_ENOUGH = 30
"""The number of covered pairs below which a correlation says little, and the report says so."""

ZIPF_POINTS = 200


@dataclass(frozen=True)
class GoldResult:
    """A gold set and its correlations with each measure.

    Attributes
    ----------
    description : mapping
        The set as `gold.json` describes it.
    by_measure : mapping of str to Evaluation
        The evaluation of each measure.
    """

    description: Mapping[str, Any]
    by_measure: Mapping[str, Evaluation]

    @property
    def name(self) -> str:
        """The name in `eval/gold.yaml`."""
        return str(self.description["name"])

    @property
    def title(self) -> str:
        """The name as people see it."""
        return set_title(self.description)

    @property
    def is_silver(self) -> bool:
        """Whether the words are translations, with the ratings of the originals."""
        return bool(self.description["status"] == "silver")

    @property
    def any_evaluation(self) -> Evaluation:
        """The evaluation of one measure, for what is the same for all: pairs, coverage, words."""
        return next(iter(self.by_measure.values()))

    def differences(self) -> dict[tuple[str, str], Estimate]:
        """The difference in Spearman over the covered pairs between each two measures."""
        evaluations = self.by_measure
        return {
            (a, b): difference(evaluations[a], evaluations[b])
            for a, b in itertools.combinations(evaluations, 2)
        }


@dataclass(frozen=True)
class ReportData:
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
    results : sequence of GoldResult
        The gold sets and what each measure reaches on them.
    skipped : mapping of str to str
        The gold sets that could not be fetched, and why.
    random_scores : mapping of str to array
        The scores of each measure on the same random word pairs.
    pearson, spearman : array, (measures, measures)
        The correlations between the measures on those pairs.
    stages : mapping of str to mapping
        The metrics of earlier stages; a stage that did not run is absent.
    sources : sequence of mapping
        The declared sources of the corpus.
    published : mapping
        The content of `eval/published.yaml`.
    agents : mapping
        The output of the stage `agents`; empty when it did not run.
    stores : mapping
        What the compact and light stores lose; see `pipeline.judge.stores.compare_stores`.
    """

    language: str
    vocabulary: Vocabulary
    stop_words: frozenset[str]
    measures: Sequence[Measure]
    results: Sequence[GoldResult]
    skipped: Mapping[str, str]
    random_scores: Mapping[str, NDArray[np.float32]]
    pearson: NDArray[np.float64]
    spearman: NDArray[np.float64]
    stages: Mapping[str, Mapping[str, Any]]
    sources: Sequence[Mapping[str, Any]]
    published: Mapping[str, Any]
    agents: Mapping[str, Any]
    stores: Mapping[str, Any]

    @property
    def main_result(self) -> GoldResult | None:
        """The gold set for details: the first that has enough covered pairs, silver ones last."""
        enough = (r for r in self.results if r.any_evaluation.covered >= COVERED_ENOUGH)
        return min(enough, key=lambda result: result.is_silver, default=None)

    @property
    def tokens(self) -> int | None:
        """The number of tokens in the corpus, if it is known."""
        return self.stages.get("tokens", {}).get("tokens")

    @property
    def zipf_ranks(self) -> list[int]:
        """Places in the vocabulary of words that occur, evenly spread over the logarithm."""
        seen = int((self.vocabulary.counts > 0).sum())
        if not seen:
            return []
        spread = np.geomspace(1, seen, min(ZIPF_POINTS, seen)).round().astype(int) - 1
        return sorted(set(spread.tolist()))
