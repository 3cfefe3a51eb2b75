"""What the measures of a bundle say about one word or two, computed once and kept for a while."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from threading import Lock
from typing import TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from wordkin.bundle import Bundle
from wordkin.errors import NoExplanation
from wordkin.game.word_lists import unwanted_words
from wordkin.language.resolution import Resolution
from wordkin.language.resolved import Resolved, resolved_nearest, resolved_pairs, resolved_rows
from wordkin.measures.blend import BlendMeasure
from wordkin.measures.explanations import explainer_of, middles, near
from wordkin.measures.explanations.path import path_edges, shortest_path
from wordkin.measures.measure import Measure
from wordkin.measures.parts import Blended
from wordkin.texts import reasons
from wordkin.web.explore.chain import between, chain
from wordkin.web.explore.pictures import TALL, WIDE, Canvas, Picture, Step, map_of, network_of
from wordkin.web.explore.suggestions import Suggestions
from wordkin.words import normal

Answer = TypeVar("Answer")

NEIGHBOURS, NEIGHBOURS_ALONE = 10, 18
"""Neighbours per measure, side by side; and in a bundle with one measure."""

NPMI = "npmi"
KEPT = 2000
"""Answers that are kept in memory: an answer has a few kilobytes."""

LONGEST = 60
"""Letters of a word that we look up; nobody types longer ones in earnest."""


@dataclass(frozen=True)
class Neighbour:
    """A related word: its value, the length of its bar in percent, and why if that was asked."""

    word: str
    value: float
    bar: int
    why: str = ""


@dataclass(frozen=True)
class Column:
    """The words that are most related to a word by one measure."""

    measure: str
    neighbours: tuple[Neighbour, ...]


@dataclass(frozen=True)
class Compared:
    """Two words by one measure.

    `rank` is the place of the second among all words by the first; None where the measure knows no
    relation, because all such words share one place.
    """

    measure: str
    value: float
    rank: int | None
    why: str


@dataclass(frozen=True)
class Network:
    """The shortest path between two known words, as a picture and as its steps, by a measure."""

    picture: Picture
    steps: tuple[Step, ...]
    measure: str


class Explorer:
    """Answers questions about the words of a bundle.

    Parameters
    ----------
    bundle : Bundle
        The bundle. Threads may ask at the same time.
    """

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        self._answers: OrderedDict[Hashable, object] = OrderedDict()
        self._lock = Lock()

    @cached_property
    def suggestions(self) -> Suggestions:
        """The words by their beginnings."""
        return Suggestions(self.bundle.vocabulary, unwanted_words(self.bundle.language))

    @property
    def measures(self) -> list[str]:
        """The names of the measures, the default one first."""
        return sorted(self.bundle.measures, key=lambda name: name != self.bundle.default)

    def form(self, typed: str) -> str:
        """The form in which a typed word is looked up; empty if nothing was typed."""
        # A slash would be a part of the address.
        return normal(" ".join(typed.replace("/", " ").split()), self.bundle.language)[:LONGEST]

    def resolve(self, word: str) -> Resolution | None:
        """What a word stands for; None if we do not know."""
        return self._kept(("resolve", word), lambda: self.bundle.try_resolve(word))

    def columns(self, word: Resolution, language: str, with_reasons: bool) -> tuple[Column, ...]:
        """The neighbours of a word by each measure; reasons are in the interface's `language`."""

        def ask() -> tuple[Column, ...]:
            return tuple(self._column(name, word, language, with_reasons) for name in self.measures)

        return self._kept(("columns", word.word, language, with_reasons), ask)

    def comparison(self, a: Resolution, b: Resolution, language: str) -> tuple[Compared, ...]:
        """Two words by all measures."""

        def ask() -> tuple[Compared, ...]:
            return tuple(self._compare(name, a, b, language) for name in self.measures)

        return self._kept(("compare", a.word, b.word, language), ask)

    def map(self, word: Resolution, canvas: Canvas) -> Picture:
        """The neighbourhood of a word by the default measure."""
        return self._kept(("map", word.word, canvas), lambda: self._map(word, canvas))

    def maps(self, word: Resolution) -> tuple[Picture, Picture]:
        """The neighbourhood of a word for screens and for phones."""
        return self.map(word, WIDE), self.map(word, TALL)

    def network(self, a: Resolution, b: Resolution) -> Network | None:
        """The shortest path between two words; None if there is none.

        It leads along npmi; without it, along the default measure by a chain (`explore/chain.py`).
        A word that is not in the vocabulary is represented by the known word of largest weight.
        """
        return self._kept(("network", a.word, b.word), lambda: self._network(a, b))

    def _column(self, name: str, word: Resolution, language: str, with_reasons: bool) -> Column:
        measure = self.bundle.measure(name)
        count = NEIGHBOURS if len(self.bundle.measures) > 1 else NEIGHBOURS_ALONE
        nearest = self._nearest(measure, word, count)
        top = max((value for _, value in nearest), default=0.0)
        if (
            with_reasons
            and explainer_of(name) is near.explain
            and not isinstance(measure, BlendMeasure)
        ):
            # Rows cost much less together than one by one, and reasons find them there.
            known = [entry.word for entry in word.words[:1]] + [name for name, _ in nearest]
            measure.rows(self.bundle.vocabulary.ids_of(known))
        return Column(
            name,
            tuple(
                Neighbour(
                    neighbour,
                    value,
                    max(0, round(100 * value / top)) if top > 0 else 0,
                    self._why(measure, word, self.bundle.resolve(neighbour), language)
                    if with_reasons
                    else "",
                )
                for neighbour, value in nearest
            ),
        )

    def _nearest(self, measure: Measure, word: Resolution, count: int) -> list[tuple[str, float]]:
        """The nearest words with a value above 0."""
        return [entry for entry in resolved_nearest(measure, word, count) if entry[1] > 0]

    def _compare(self, name: str, a: Resolution, b: Resolution, language: str) -> Compared:
        measure = self.bundle.measure(name)
        value = float(resolved_pairs(measure, a, [b])[0])
        row = resolved_rows(measure, [a])[0]
        rank = 1 + int(np.count_nonzero(row > value)) if value else None
        return Compared(name, value, rank, self._why(measure, a, b, language))

    def _why(self, measure: Measure, a: Resolution, b: Resolution, language: str) -> str:
        """One short line; empty if the measure cannot say why."""
        if isinstance(measure, BlendMeasure) and a.known and b.known:
            ids = self.bundle.vocabulary.ids
            # The reasons of the parts have columns of their own.
            shares = measure.shares(ids[a.words[0].word], ids[b.words[0].word])
            pairs = zip(measure.measures, shares, strict=True)
            share_text = reasons(language)["share"]
            return ", ".join(
                share_text.format(measure=part.name, share=float(share)) for part, share in pairs
            )
        try:
            reason = self.bundle.explain(a.word, b.word, measure.name)
        except NoExplanation:
            return ""
        inner = reason.reason if isinstance(reason, Resolved) else reason
        wording = reasons(language)
        return inner.sum(wording) if isinstance(inner, Blended) else inner.line(wording)

    def _map(self, word: Resolution, canvas: Canvas) -> Picture:
        measure = self.bundle.measure()
        nearest = self._nearest(measure, word, canvas.words)
        names = [name for name, _ in nearest]
        ids = measure.vocabulary.ids_of(names)
        count = len(names) + 1
        relatedness: NDArray[np.float64] = np.zeros((count, count))
        relatedness[0, 1:] = [value for _, value in nearest]
        first, second = np.triu_indices(len(names), 1)
        relatedness[first + 1, second + 1] = measure.pairs(ids[first], ids[second])
        relatedness += relatedness.T
        return map_of([word.word, *names], relatedness, canvas)

    def _network(self, a: Resolution, b: Resolution) -> Network | None:
        ids = self.bundle.vocabulary.ids
        start, end = ids[a.words[0].word], ids[b.words[0].word]
        if start == end:
            return None
        if NPMI not in self.bundle.measures:
            return self._chain(self.bundle.measure(), start, end)
        npmi = self.bundle.measure(NPMI)
        try:
            edges = path_edges(npmi, shortest_path(npmi, start, end))
            around = middles.explain(npmi, start, end, self.bundle.measures).middles
        except NoExplanation:
            return None
        steps = tuple(Step(edge.a, edge.b, edge.npmi, edge.count) for edge in edges)
        if not steps:
            return None
        return Network(network_of(steps, [middle.word for middle in around]), steps, NPMI)

    def _chain(self, measure: Measure, start: int, end: int) -> Network:
        words = self.bundle.vocabulary.words
        steps = tuple(
            Step(words[a], words[b], float(measure.pairs([a], [b])[0]))
            for a, b in pairwise(chain(measure, start, end))
        )
        around = [words[word] for word in between(measure, start, end, NEIGHBOURS)]
        return Network(network_of(steps, around), steps, measure.name)

    def _kept(self, key: Hashable, ask: Callable[[], Answer]) -> Answer:
        with self._lock:
            if key in self._answers:
                self._answers.move_to_end(key)
                return cast(Answer, self._answers[key])
        answer = ask()
        with self._lock:
            self._answers[key] = answer
            while len(self._answers) > KEPT:
                self._answers.popitem(last=False)
        return answer
