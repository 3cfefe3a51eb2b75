"""What the stores of a bundle weigh, what they lose, and how fast they answer.

    python -m research.stores [--root .] [--lang en] [--closest 250] [--dimensions 128] ...

Takes the measures of a build (matrices/<lang>) and its gold sets and rounds (eval/<lang>), and
publishes them three times, in a temporary folder: full, compact and light. The tables show the
bytes of each measure and bundle, Spearman over all pairs and P@n over all rounds with their
difference from the full store, the time to open a bundle, and the processor time of a clue for 25
cards by the default measure. The last two columns of the first table say how far the values of a
measure are from those of the full store: 1 - r, in thousandths, over the pairs of the gold sets and
over the clues and cards of the rounds.
"""

from __future__ import annotations

import argparse
import math
import statistics
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Literal, NamedTuple

import numpy as np

from pipeline.fetched import read_gold_sets, read_recorded, set_title
from pipeline.judge.agreement import precision
from pipeline.judge.human import make_resolver
from pipeline.judge.picks import Lookup, Picks, relatedness_table
from pipeline.layout import LEARNED, Layout
from pipeline.measures.opening import open_measures
from pipeline.measures.squared import Squared
from pipeline.publish.publish import make_bundle
from pipeline.settings import Compact, Light, Publish
from pipeline.words.lemmas import gold_form
from pipeline.words.vocabulary import VocabularySettings
from wordkin.bundle import Bundle, load
from wordkin.evaluation import correlate
from wordkin.game.board import Board, board_words
from wordkin.game.spymaster import Spymaster
from wordkin.measures.measure import Measure
from wordkin.rated_pairs import PlacedPairs, place, read_pairs
from wordkin.tables import table_lines
from wordkin.vocabulary import Vocabulary

ORDER = ("npmi", "squared", "graph", "fasttext", "svd", "blend", LEARNED)
STORES: tuple[Literal["full", "compact", "light"], ...] = ("full", "compact", "light")
BOARDS = 10
FAMILIARITY = VocabularySettings().familiarity
"""The limit that a build has by default: it decides how many words may be clues."""
GOLD = ("MEN", "WS-353-rel")
"""The gold sets that are shown."""


def main() -> None:
    """Print one table of measures and one of bundles."""
    compact, light = Compact(), Light()
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--root", type=Path, default=Path(), help="the folder of the build")
    parser.add_argument("--lang", default="en")
    parser.add_argument("--default", default="blend", help="the default measure of the bundles")
    parser.add_argument("--closest", type=int, default=compact.closest)
    parser.add_argument("--dimensions", type=int, default=compact.dimensions)
    parser.add_argument("--light-pairs", type=int, default=light.pairs)
    parser.add_argument("--light-dimensions", type=int, default=light.dimensions)
    given = parser.parse_args()
    with TemporaryDirectory() as folder:
        layout = linked(Layout(given.root.absolute(), given.lang), Path(folder))
        names = [name for name in ORDER if (layout.measure(name) / "measure.json").is_file()]
        measures = open_measures(layout, names)
        print(f"{len(measures[0].vocabulary):,} words of {given.lang}\n")
        settings = Publish(
            names,
            given.default,
            compact=Compact(given.closest, given.dimensions),
            light=Light(given.light_pairs, given.light_dimensions),
        )
        form = gold_form(layout)
        judge = StoreJudge.of(layout, measures[0].vocabulary, names, form)
        publish_stores(layout, settings, judge, measures)


def linked(build: Layout, folder: Path) -> Layout:
    """The same build in another folder, where bundles can be written."""
    layout = Layout(folder, build.language)
    layout.matrices.mkdir(parents=True)
    for name in ("vocabulary", *ORDER):
        if build.measure(name).exists():
            layout.measure(name).symlink_to(build.measure(name))
    layout.eval.parent.mkdir()
    layout.eval.symlink_to(build.eval)
    return layout


def publish_stores(
    layout: Layout, settings: Publish, judge: StoreJudge, measures: Sequence[Measure]
) -> None:
    """Print what the measures of each store weigh and lose, and how fast its bundle answers."""
    full = {measure.name: (measure, judge.scores(measure)) for measure in measures}
    losses, bundles = [], []
    for store in STORES:
        publish = replace(settings, store=store)
        wall = time.perf_counter()
        size = make_bundle(layout, publish, None, FAMILIARITY, Squared().neighbours)["bytes"]
        wall = time.perf_counter() - wall
        bundle = load(layout.bundle)
        opening = statistics.median(timed(partial(load, layout.bundle)) for _ in range(5))
        first, clue = clue_times(bundle)
        milliseconds = (f"{opening:.0f}", f"{first:.0f}", f"{clue:.1f}")
        bundles.append((store, f"{size / 1e6:.1f}", f"{wall:.0f}", *milliseconds))
        for name in bundle.measures:
            small, (exact, before) = bundle.measures[name], full[name]
            after = judge.scores(small)
            figures = [(before.correlations[key], after.correlations[key]) for key in GOLD]
            figures.append((before.precision, after.precision))
            cells = [f"{y:.4f} {y - x:+.4f}" if x and y else "-" for x, y in figures]
            for distance in distances(judge, exact, small):
                cells.append("-" if distance is None else f"{1000 * distance:.1f}")
            files = small.folder.iterdir() if small.folder else ()
            bytes_ = sum(file.stat().st_size for file in files)
            losses.append((store, name, f"{bytes_ / 1e6:.1f}", f"{row_time(small):.1f}", *cells))
    header: tuple[str, ...] = ("store", "measure", "MB", "row, ms", *GOLD, "P@n", "pairs", "rounds")
    print("\n".join(table_lines(header, losses)), flush=True)
    header = ("bundle", "MB", "made, s", "opening, ms", "first clue, ms", "clue, ms")
    print("\n" + "\n".join(table_lines(header, bundles)))


def row_time(measure: Measure) -> float:
    """The median milliseconds of a row."""
    words = np.linspace(0, len(measure.vocabulary) - 1, 21).astype(int).tolist()
    return statistics.median(timed(partial(measure.rows, [word])) for word in words)


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


def distances(judge: StoreJudge, full: Measure, small: Measure) -> list[float | None]:
    """1 - r between the values of two measures: of pairs of gold sets, and of clues and cards.

    None stands for those of which there are none.
    """
    first, second = (
        np.concatenate([getattr(placed, side) for placed in judge.gold.values()])
        for side in ("first", "second")
    )
    pairs = [measure.pairs(first, second) for measure in (full, small)]
    on_table = judge.picks.on_table
    cards = [relatedness_table(measure, judge.lookup)[on_table] for measure in (full, small)]
    return [
        1 - float(np.corrcoef(*values)[0, 1]) if len(values[0]) else None
        for values in (pairs, cards)
    ]


def clue_times(bundle: Bundle) -> tuple[float, float]:
    """The milliseconds of the first clue, and the median of the following ones."""
    words = board_words(bundle.language)
    boards = [Board.deal(words, seed) for seed in range(BOARDS)]
    spymaster = Spymaster(bundle)
    times = []
    for board in boards:
        spymaster.candidates.clear()  # boards of the same list have cards in common
        times.append(timed(partial(spymaster.clue, board)))
    return times[0], statistics.median(times[1:])


def timed(work: Callable[[], object]) -> float:
    """The milliseconds of processor time that `work` takes."""
    start = time.process_time()
    work()
    return 1000 * (time.process_time() - start)


if __name__ == "__main__":
    main()
