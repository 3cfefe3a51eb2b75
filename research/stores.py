"""What the stores of a bundle weigh, what they lose, and how fast they answer.

    python -m research.stores [--root .] [--lang en] [--pairs 50000000] [--bits 6 4] ...

Takes the measures of a build (matrices/<lang>) and its gold sets and rounds (eval/<lang>), and
publishes them three times, in a temporary folder: full, compact and light. The tables show the
bytes of each measure and bundle, Spearman over all pairs and P@n over all rounds with their
difference from the full store, the time to open a bundle, and the processor time of a clue for 25
cards by the default measure. The last two columns of the first table say how far the values of a
measure are from those of the full store: 1 - r, in thousandths, over the pairs of the gold sets and
over the clues and cards of the rounds.

With `--development`, only data on which settings are chosen judge the measures: MEN's development
part, the first, third, fifth ... pair of other gold sets, and the rounds of every other board.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable, Sequence
from dataclasses import astuple
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Literal

import numpy as np

from pipeline.judge.human import make_resolver
from pipeline.judge.picks import Lookup, Picks, relatedness_table
from pipeline.layout import LEARNED, Layout
from pipeline.measures.compact import make_compact
from pipeline.measures.opening import open_measures
from pipeline.publish.publish import make_bundle
from pipeline.settings import (
    Bits,
    Compact,
    Estimate,
    Light,
    Publish,
    SubwordSize,
)
from pipeline.words.lemmas import gold_form
from pipeline.words.vocabulary import VocabularySettings
from research.blends import read_part
from research.store_scores import StoreJudge, compare_stores
from wordkin.bundle import Bundle, load
from wordkin.game.board import Board
from wordkin.game.spymaster import Spymaster
from wordkin.game.word_lists import board_words
from wordkin.measures.measure import Measure
from wordkin.measures.store import open_measure
from wordkin.rated_pairs import place
from wordkin.tables import table_lines
from wordkin.vocabulary import Vocabulary

ORDER = ("npmi", "squared", "graph", "fasttext", "svd", "blend", LEARNED)
STORES: tuple[Literal["full", "compact", "light"], ...] = ("full", "compact", "light")
BOARDS = 10
FAMILIARITY = VocabularySettings().familiarity
"""The limit that a build has by default: it decides how many words may be clues."""
GOLD = ("MEN", "WS-353-rel")
"""The gold sets that are shown."""
DEVELOPMENT = ("MEN-dev", "MTurk-771/dev", "MTurk-287/dev", "SemEval-2017-2/dev")
"""The gold sets on which settings are chosen; `research.blends` says which half is meant."""


def main() -> None:
    """Print one table of measures and one of bundles."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--root", type=Path, default=Path(), help="the folder of the build")
    parser.add_argument("--lang", default="en")
    parser.add_argument("--lemmatize", action="store_true", help="as for the tokens of the build")
    parser.add_argument(
        "--made", action="store_true", help="take the build's own stores instead of making them"
    )
    parser.add_argument("--default", default="blend", help="the default measure of the bundles")
    parser.add_argument(
        "--development", action="store_true", help="judge on data on which settings are chosen"
    )
    whole = ("frequent_words", "pairs", "corrections", "exceptions", "directions")
    add_settings(parser, "", Compact(), whole, ("pair_bits", "bits", "vector_bits"))
    for prefix, estimate in (("blend_", Estimate()), ("light_", Light())):
        add_settings(parser, prefix, estimate, ("pairs", "directions"), ("bits", "pair_bits"))
    parser.add_argument(
        "--light-subwords",
        type=int,
        nargs=3,
        metavar=("BUCKETS", "DIMENSIONS", "WORDS"),
        default=astuple(Light().subwords),
    )
    given = parser.parse_args()
    size = SubwordSize(*given.light_subwords)
    sizes = ("pairs", "directions", "bits", "pair_bits")
    settings = Compact(
        **given_settings(given, "", (*whole, "pair_bits", "bits", "vector_bits")),
        blend=Estimate(**given_settings(given, "blend_", sizes)),
        light=Light(**given_settings(given, "light_", sizes), subwords=size),
    )
    with TemporaryDirectory() as folder:
        build = Layout(given.root.absolute(), given.lang)
        layout = linked(build, Path(folder))
        names = [name for name in ORDER if (layout.measure(name) / "measure.json").is_file()]
        measures = open_measures(layout, names)
        words = f"{len(measures[0].vocabulary):,} words of {given.lang}"
        if given.made:
            print(f"{words}; the stores of the build\n")
            layout.compact.symlink_to(build.compact)
            layout.light.symlink_to(build.light)
        else:
            print(f"{words}; {settings}")
            began, cpu = time.perf_counter(), time.process_time()
            make_compact(layout, settings, names, given.default)
            wall, cpu = time.perf_counter() - began, time.process_time() - cpu
            print(f"made in {wall:.0f} s, {cpu:.0f} s of processor time\n")
        judge_measures(layout, measures, given.lemmatize, given.development)
        publish_stores(layout, Publish(names, given.default), size)


def add_settings(
    parser: argparse.ArgumentParser,
    prefix: str,
    defaults: Compact | Estimate,
    whole: Sequence[str],
    bits: Sequence[str],
) -> None:
    """Add options for settings: whole numbers, and bits of frequent and of other words."""
    for name in whole:
        default = getattr(defaults, name)
        parser.add_argument(option(prefix + name), type=int, default=default)
    for name in bits:
        default = astuple(getattr(defaults, name))
        parser.add_argument(
            option(prefix + name),
            type=int,
            nargs=2,
            metavar=("FREQUENT", "OTHERS"),
            default=default,
        )


def option(name: str) -> str:
    """The option of a setting."""
    return f"--{name.replace('_', '-')}"


def given_settings(given: argparse.Namespace, prefix: str, names: Sequence[str]) -> dict[str, Any]:
    """The settings that the options say."""
    values = {name: getattr(given, prefix + name) for name in names}
    return {name: Bits(*v) if name.endswith("bits") else v for name, v in values.items()}


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


def judge_measures(
    layout: Layout, measures: Sequence[Measure], lemmatize: bool, development: bool
) -> None:
    """Print the bytes and the losses of each measure."""
    names = [measure.name for measure in measures]
    vocabulary, form = measures[0].vocabulary, gold_form(layout, lemmatize)
    judge = StoreJudge.of(layout, vocabulary, names, form)
    titles: Sequence[str] = GOLD
    if development:
        judge, titles = development_judge(judge, layout, vocabulary, names, form), DEVELOPMENT
    full, rows = {measure.name: measure for measure in measures}, []
    for store, figures in compare_stores(layout, judge, measures).items():
        for name, compared in figures.items():
            columns = [compared["gold"].get(title) for title in titles] + [compared["precision"]]
            cells = [f"{c['value']:.4f} {c['gain']:+.4f}" if c else "-" for c in columns]
            small = open_measure(layout.matrices / store / name, vocabulary)
            for distance in distances(judge, full[name], small):
                cells.append("-" if distance is None else f"{1000 * distance:.1f}")
            rows.append((store, name, f"{compared['bytes'] / 1e6:.1f}", *cells))
    header = ("store", "measure", "MB", *titles, "P@n", "pairs", "rounds")
    print("\n".join(table_lines(header, rows)), flush=True)


def development_judge(
    judge: StoreJudge,
    layout: Layout,
    vocabulary: Vocabulary,
    names: Sequence[str],
    form: Callable[[str], str],
) -> StoreJudge:
    """The same judge, of the data on which settings are chosen."""
    gold = {name: place(read_part(layout, name), vocabulary, form) for name in DEVELOPMENT}
    boards = sorted({item.board for item in judge.picks.items})[::2]
    picks = Picks([item for item in judge.picks.items if item.board in boards])
    resolve = make_resolver(layout, names).try_resolve if len(picks) else None
    return StoreJudge(gold, picks, Lookup.of(picks, vocabulary, layout.language, form, resolve))


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


def publish_stores(layout: Layout, settings: Publish, light: SubwordSize) -> None:
    """Print the bytes of each bundle, and how fast it opens and gives clues."""
    rows = []
    for store in STORES:
        publish = Publish(settings.measures, settings.default, store)
        subwords = light if store == "light" else SubwordSize()
        size = make_bundle(layout, publish, None, FAMILIARITY, subwords)["bytes"]
        opening = statistics.median(timed(partial(load, layout.bundle)) for _ in range(5))
        first, clue = clue_times(load(layout.bundle))
        cells = (f"{size / 1e6:.1f}", f"{opening:.0f}", f"{first:.0f}", f"{clue:.1f}")
        rows.append((store, *cells))
    header = ("bundle", "MB", "opening, ms", "first clue, ms", "clue, ms")
    print("\n" + "\n".join(table_lines(header, rows)))


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
