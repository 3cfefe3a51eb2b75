"""Whether Hungarian verbs with a prefix and compounds should be counted as a simpler word.

    python -m bench.joining [--rounds rounds_hu.jsonl] FOLDER

FOLDER is a project whose Hungarian has been built up to `svd`. By the analyses of Hunspell's
dictionary, megszáll (to occupy) is száll (to fly) with a prefix, and tengerpart (seaside) is part
(shore) with another word before it. The counts of such words are added to those of the simpler
word, and vectors are made of the sums as the stage `svd` makes them. The figures are P@n, as in
`bench.agreement`: on development boards, on the others, on all, and over the rounds in which the
clue or a card is a word that was joined.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable, Container, Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from bench.agreement import Judge
from pipeline.count.store import read_counts
from pipeline.extras.lemma_counts import add_up, group_by_lemma
from pipeline.fetch.recorded_rounds import read_recorded
from pipeline.layout import Layout
from pipeline.measures.npmi import npmi
from pipeline.measures.opening import open_built
from pipeline.measures.svd import decompose, unit_rows
from pipeline.settings import Svd
from pipeline.words.analyses import analyses_of
from pipeline.words.lemmatization import dictionary_file
from pipeline.words.morphology import Analyze
from wordkin.judging.agreement import precision
from wordkin.judging.rounds import read_rounds
from wordkin.measures.measure import Measure
from wordkin.measures.vectors import VectorMeasure

_PREFIX = re.compile(r"\bsp:(\S+)")
_LAST_PART = re.compile(r".*\bpa:(\S+)")
_BOUNDARY = re.compile(r"\bhy:(\d+)")


def without_prefix(word: str, analyze: Analyze) -> Iterator[str]:
    """The verb of a verb with a prefix: száll of megszáll."""
    for analysis in analyze(word):
        prefix = "".join(_PREFIX.findall(analysis))
        if prefix and "po:vrb" in analysis:
            yield word.removeprefix(prefix)


def last_part(word: str, analyze: Analyze) -> Iterator[str]:
    """The last part of a compound: jegy of vonatjegy, part of tengerpart.

    The dictionary analyses a compound that it does not have, and says of an entry that is a
    compound after how many letters its last part begins.
    """
    for analysis in analyze(word):
        if part := _LAST_PART.match(analysis):
            yield part[1]
        elif (boundary := _BOUNDARY.search(analysis)) and f"st:{word} " in analysis:
            yield word[int(boundary[1]) :]


def itself(word: str, analyze: Analyze) -> Iterator[str]:
    """No other word."""
    yield from ()


Simpler = Callable[[str, Analyze], Iterator[str]]

WAYS: dict[str, Simpler] = {
    "each by itself": itself,
    "verbs with a prefix as the verb": without_prefix,
    "compounds as their last part": last_part,
}


def simplest(word: str, simpler: Simpler, analyze: Analyze, known: Container[str]) -> str:
    """The word at the end of a chain of ever simpler known words; perhaps the word itself."""
    while found := next((form for form in simpler(word, analyze) if form in known), ""):
        if len(found) >= len(word):
            break
        word = found
    return word


class Joining:
    """The words of a build, some of them joined with simpler ones."""

    def __init__(self, judge: Judge, layout: Layout, simpler: Simpler) -> None:
        analyze, vocabulary = analyses_of(dictionary_file(layout)), judge.vocabulary
        self.judge, self.layout = judge, layout
        self.words = [simplest(word, simpler, analyze, vocabulary) for word in vocabulary]
        pairs = zip(self.words, vocabulary, strict=True)
        self.is_joined = np.array([simple != word for simple, word in pairs])

    def measure(self) -> Measure:
        """The measure `svd` of the joined words."""
        vocabulary = self.judge.vocabulary
        if not self.is_joined.any():
            return open_built(self.layout, "svd", vocabulary)
        groups = group_by_lemma(self.words)
        counts = add_up(read_counts(self.layout.counts), groups)
        settings = Svd()
        related = npmi(counts, counts.marginals())
        values, vectors = decompose(related, settings.dimensions, settings.seed)
        rows = unit_rows(vectors * values**settings.exponent)[groups]
        return VectorMeasure("svd", vocabulary, rows)

    def rounds(self) -> NDArray[np.bool_]:
        """The rounds with a joined word as the clue or as a card."""
        lookup = self.judge.lookup
        has_joined = np.zeros(len(self.judge.picks.items), bool)
        joined = self.is_joined[lookup.clue_word] | self.is_joined[lookup.card_word]
        has_joined[lookup.item[joined]] = True
        return has_joined[self.judge.picks.item]


def main() -> None:
    """Print the table."""
    command = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    command.add_argument("folder", type=Path, metavar="FOLDER")
    command.add_argument("--rounds", type=Path, help="recorded rounds (docs/judging.md)")
    given = command.parse_args()
    layout = Layout(given.folder, "hu")
    items = read_rounds(given.rounds) if given.rounds else read_recorded(layout)
    if not items:
        command.error("there are no recorded rounds: name a file by --rounds")
    judge = Judge(items, layout, lemmatize=True)
    print("| words | joined | development | test | all | rounds with one | P@n there | before |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|")
    before = np.zeros(0)
    for name, simpler in WAYS.items():
        joining = Joining(judge, layout, simpler)
        table = judge.table(joining.measure())
        each, there = precision(table, judge.picks), joining.rounds()
        before = before if len(before) else each
        halves = " | ".join(f"{score:.3f}" for score in judge.scores(table))
        concerned = (
            f"{there.sum():,} | {each[there].mean():.3f} | {before[there].mean():.3f}"
            if there.any()
            else "0 | – | –"
        )
        print(f"| {name} | {int(joining.is_joined.sum()):,} | {halves} | {concerned} |", flush=True)


if __name__ == "__main__":
    main()
