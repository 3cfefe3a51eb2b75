"""What the compact and light stores lose: the same correlations and picks as with the full one."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pipeline.fetched import read_gold_sets, read_recorded, set_title
from pipeline.judge.agreement import precision
from pipeline.judge.human import make_resolver
from pipeline.judge.picks import Lookup, Picks, relatedness_table
from pipeline.layout import Layout
from wordkin.evaluation import correlate
from wordkin.measures.measure import Measure
from wordkin.measures.store import open_measure
from wordkin.rated_pairs import PlacedPairs, place, read_pairs
from wordkin.vocabulary import Vocabulary


class Scores(NamedTuple):
    """How close a measure comes to people.

    `correlations` has Spearman's correlation over all pairs of each gold set, `precision` is P@n
    over all recorded rounds. None stands for what is not defined, or not recorded.
    """

    correlations: dict[str, float | None]
    precision: float | None


@dataclass(frozen=True)
class StoreJudge:
    """Everything that judges the measures of a language, looked up once for all stores."""

    gold: Mapping[str, PlacedPairs]
    picks: Picks
    lookup: Lookup

    @classmethod
    def of(
        cls,
        layout: Layout,
        vocabulary: Vocabulary,
        names: Sequence[str],
        form: Callable[[str], str],
    ) -> StoreJudge:
        """Read the gold sets and rounds of a language; `names` are its measures."""
        sets = read_gold_sets(layout.gold).sets
        gold = {
            set_title(about): place(
                read_pairs(layout.gold / f"{about['name']}.tsv"), vocabulary, form
            )
            for about in sets
        }
        items = read_recorded(layout)
        picks = Picks(items)
        resolve = make_resolver(layout, names).try_resolve if items else None
        return cls(gold, picks, Lookup.of(picks, vocabulary, layout.language, form, resolve))

    def scores(self, measure: Measure) -> Scores:
        """How close a measure comes to people."""
        correlations = {title: _correlation(measure, placed) for title, placed in self.gold.items()}
        if not len(self.picks):
            return Scores(correlations, None)
        table = relatedness_table(measure, self.lookup)
        return Scores(correlations, float(precision(table, self.picks).mean()))


def _correlation(measure: Measure, placed: PlacedPairs) -> float | None:
    scores = np.zeros(len(placed.gold))
    scores[placed.covered] = measure.pairs(placed.first, placed.second)
    # One resample: the report has intervals elsewhere.
    value = correlate(placed, scores, resamples=1, seed=0).spearman_all.statistic
    return None if math.isnan(value) else value


def compare_stores(layout: Layout, judge: StoreJudge, full: Sequence[Measure]) -> dict[str, Any]:
    """The scores of each measure in the full store and in each small one, by store and measure."""
    by_name = {measure.name: measure for measure in full}
    scores_of_full = {name: judge.scores(measure) for name, measure in by_name.items()}
    stores: dict[str, Any] = {}
    for store in (layout.compact, layout.light):
        names = [name for name in by_name if (store / name / "measure.json").is_file()]
        stores[store.name] = {
            name: _compared(
                scores_of_full[name],
                judge.scores(open_measure(store / name, by_name[name].vocabulary)),
                _bytes_in(store / name),
            )
            for name in names
        }
    return stores


def _bytes_in(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir())


def _compared(full: Scores, small: Scores, size: int) -> dict[str, Any]:
    """Plain data: the bytes, and of each figure the value in the small store and its gain."""

    def figure(before: float | None, after: float | None) -> dict[str, float] | None:
        if before is None or after is None:
            return None
        return {"value": round(after, 4), "gain": round(after - before, 4)}

    return {
        "bytes": size,
        "gold": {
            title: figure(full.correlations[title], value)
            for title, value in small.correlations.items()
        },
        "precision": figure(full.precision, small.precision),
    }
