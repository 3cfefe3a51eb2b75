"""How measures agree with people's choices, by corpus, vocabulary and lemmas.

    python -m research.agreement [--lang hu] [--rounds rounds_hu.jsonl] [--most 3] FOLDER ...

Each FOLDER is a project with a build of the language, as far as the measures that are to be
compared. Without `--rounds`, those are taken that the stage `fetch` of the first project has
brought. The figures are P@n over all rounds; unknown words are resolved as in the stage `human`.

Every other board, in the order of their names, is for development, the rest for the test. Weights
of blends are chosen on the development boards alone, step by step as long as P@n grows: a blend of
raw text, and one with knowledge where the build has some. `informed` and `blend` are those of the
build itself, and `human` is its figure on left-out boards, over all rounds.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.fetched import read_recorded
from pipeline.judge.agreement import precision
from pipeline.judge.human import make_resolver
from pipeline.judge.picks import Lookup, Picks, relatedness_table
from pipeline.layout import INFORMED, LEARNED, Layout
from pipeline.measures.opening import open_built
from pipeline.words.lemmas import gold_form
from research.blends import built_measures, climb
from wordkin.game.rounds import Item, read_rounds
from wordkin.measures.measure import Measure, spread
from wordkin.vocabulary import Vocabulary

Table = NDArray[np.float64]


class Judge:
    """Recorded rounds, divided by their boards."""

    def __init__(self, items: Sequence[Item], layout: Layout) -> None:
        self.vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
        self.picks = Picks(items)
        names = [name for name in built_measures(layout) if layout.has_measure(name)]
        resolve = make_resolver(layout, names).try_resolve
        form = gold_form(layout)
        self.lookup = Lookup.of(self.picks, self.vocabulary, layout.language, form, resolve)
        development = set(sorted({item.board for item in items})[::2])
        self.develops = np.array([items[at].board in development for at in self.picks.item])

    @property
    def known(self) -> float:
        """The share of rounds whose clue is in the vocabulary."""
        return float(self.lookup.in_vocabulary[self.picks.item].mean())

    def table(self, measure: Measure) -> Table:
        """The relatedness of clues and cards, standardised as in a blend."""
        mean, deviation = spread(measure)
        return (relatedness_table(measure, self.lookup) - mean) / deviation

    def scores(self, table: Table) -> tuple[float, float, float]:
        """P@n on development boards, on the others, and on all."""
        each = precision(table, self.picks)
        halves = each[self.develops], each[~self.develops], each
        return tuple(float(half.mean()) for half in halves)  # type: ignore[return-value]

    def best_weights(self, tables: Sequence[Table], most: int) -> tuple[int, ...]:
        """The whole weights up to `most` with the best P@n on the development boards."""

        def score(weights: tuple[int, ...]) -> float:
            return self.scores(blended(weights, tables))[0]

        tried: dict[tuple[int, ...], float] = {}
        for start in [*np.eye(len(tables), dtype=int).tolist(), [1] * len(tables)]:
            climb(tuple(start), most, score, tried)
        return max(tried, key=lambda weights: (tried[weights], -sum(weights)))


def blended(weights: Sequence[float], tables: Sequence[Table]) -> Table:
    """The weighted sum of standardised tables."""
    return np.sum([w * table for w, table in zip(weights, tables, strict=True)], axis=0)


def rows(layout: Layout, items: Sequence[Item], most: int) -> list[str]:
    """The lines of the table on one build."""
    figures = _read(layout.metrics("vocabulary"))
    judge = Judge(items, layout)
    tokens = _read(layout.metrics("tokens"))["tokens"]
    build = f"{tokens / 1e6:.1f} M | {figures['words']:,} | {figures['lemmas']} | {judge.known:.0%}"
    measures = {
        name: open_built(layout, name, judge.vocabulary)
        for name in [*built_measures(layout), "blend", INFORMED]
        if layout.has_measure(name)
    }
    tables = {name: judge.table(measure) for name, measure in measures.items()}
    lines = {name: judge.scores(table) for name, table in tables.items()}
    single = [name for name in measures if name not in ("blend", INFORMED)]
    raw = [name for name in single if not measures[name].facts.get("knowledge")]
    for names in [raw] if raw == single else [raw, single]:
        chosen = [tables[name] for name in names]
        weights = judge.best_weights(chosen, most)
        title = " + ".join(f"{w} {name}" for name, w in zip(names, weights, strict=True) if w)
        lines[f"chosen: {title}"] = judge.scores(blended(weights, chosen))
    made = [f"| {build} | {name} | {_cells(scores)} |" for name, scores in lines.items()]
    agreements = _read(layout.metrics(LEARNED)).get("agreement", {})
    if LEARNED in agreements:
        value = agreements[LEARNED]["all"]["precision"]["value"]
        made.append(f"| {build} | {LEARNED}, left-out boards | – | – | {value:.3f} |")
    return made


def _cells(scores: Sequence[float]) -> str:
    return " | ".join(f"{score:.3f}" for score in scores)


def _read(path: Path) -> Mapping[str, Any]:
    content: dict[str, Any] = json.loads(path.read_text()) if path.is_file() else {}
    return content


def main() -> None:
    """Print the table."""
    command = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    command.add_argument("folders", nargs="+", type=Path, metavar="FOLDER")
    command.add_argument("--lang", default="hu", help="the language, hu by default")
    command.add_argument("--rounds", type=Path, help="recorded rounds (docs/reference/files.md)")
    command.add_argument("--most", type=int, default=3, help="the highest weight in a blend")
    given = command.parse_args()
    layouts = [Layout(folder, given.lang) for folder in given.folders]
    items = read_rounds(given.rounds) if given.rounds else read_recorded(layouts[0])
    if not items:
        command.error("there are no recorded rounds: name a file by --rounds")
    print("| tokens | words | lemmas | clues known | measure | development | test | all |")
    print("|--:|--:|---|--:|---|--:|--:|--:|")
    for layout in layouts:
        print("\n".join(rows(layout, items, given.most)), flush=True)


if __name__ == "__main__":
    main()
