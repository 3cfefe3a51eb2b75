"""What the measures of a bundle say about one word or two, computed once and kept for a while."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from itertools import islice, pairwise
from operator import attrgetter
from threading import Lock
from typing import Any, TypeVar, cast

import numpy as np
from cachetools import LRUCache, cachedmethod
from cachetools.keys import methodkey
from numpy.typing import NDArray
from scipy.sparse.csgraph import dijkstra

from wordkin.bundle import Bundle
from wordkin.errors import NoExplanation
from wordkin.game.board import unwanted_words
from wordkin.language.resolution import Resolution
from wordkin.language.resolved import Resolved, resolved_nearest, resolved_pairs, resolved_rows
from wordkin.measures.blend import BlendMeasure
from wordkin.measures.explanations import explainer_of, middles, near
from wordkin.measures.explanations.path import path_edges, shortest_path
from wordkin.measures.measure import Measure
from wordkin.measures.parts import Blended
from wordkin.texts import reasons
from wordkin.web.explore.pictures import TALL, WIDE, Canvas, Picture, Step, map_of, network_of
from wordkin.words import normal

Method = TypeVar("Method", bound=Callable[..., Any])

NEIGHBOURS, NEIGHBOURS_ALONE = 10, 18
"""Neighbours per measure, side by side; and in a bundle with one measure."""

NPMI = "npmi"
KEPT = 2000
"""Answers that are kept in memory: an answer has a few kilobytes."""

LONGEST = 60
"""Letters of a word that we look up; nobody types longer ones in earnest."""

AROUND = 100
"""How many words around each end, and how many between them, a chain may lead through."""

STEP, POWER = 0.05, 4
"""What every step of a chain costs, and how quickly the cost grows as its two words are less
related."""


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


def kept(method: Method) -> Method:
    """Keep the answers of a method of the explorer."""
    cache, lock = attrgetter("_answers"), attrgetter("_lock")
    key = partial(methodkey, method=method.__name__)
    keeping: Any = cachedmethod(cache, key, lock)(method)
    return cast(Method, keeping)


class Explorer:
    """Answers questions about the words of a bundle; threads may ask at the same time."""

    def __init__(self, bundle: Bundle) -> None:
        self.bundle = bundle
        self._answers: LRUCache[Any, Any] = LRUCache(KEPT)
        self._lock = Lock()

    @cached_property
    def _suggested(self) -> list[str]:
        """The words that are suggested, most frequent first. People can still ask for others."""
        unwanted = unwanted_words(self.bundle.language)
        return [word for word in self.bundle.vocabulary.words if word not in unwanted]

    def suggestions(self, beginning: str, most: int = 8) -> list[str]:
        """The words with this beginning, most frequent first; none for an empty beginning."""
        if not beginning:
            return []
        return list(islice((w for w in self._suggested if w.startswith(beginning)), most))

    @property
    def measures(self) -> list[str]:
        """The names of the measures, the default one first."""
        return sorted(self.bundle.measures, key=lambda name: name != self.bundle.default)

    def form(self, typed: str) -> str:
        """The form in which a typed word is looked up; empty if nothing was typed."""
        # A slash would be a part of the address.
        return normal(" ".join(typed.replace("/", " ").split()), self.bundle.language)[:LONGEST]

    @kept
    def resolve(self, word: str) -> Resolution | None:
        """What a word stands for; None if we do not know."""
        return self.bundle.try_resolve(word)

    @kept
    def columns(self, word: Resolution, language: str, with_reasons: bool) -> list[Column]:
        """The neighbours of a word by each measure; reasons are in the interface's `language`."""
        return [self._column(name, word, language, with_reasons) for name in self.measures]

    @kept
    def comparison(self, a: Resolution, b: Resolution, language: str) -> list[Compared]:
        """Two words by all measures."""
        return [self._compare(name, a, b, language) for name in self.measures]

    @kept
    def maps(self, word: Resolution) -> tuple[Picture, Picture]:
        """The neighbourhood of a word by the default measure, for screens and for phones."""
        return self._map(word, WIDE), self._map(word, TALL)

    def _column(self, name: str, word: Resolution, language: str, with_reasons: bool) -> Column:
        measure = self.bundle.measure(name)
        count = NEIGHBOURS if len(self.bundle.measures) > 1 else NEIGHBOURS_ALONE
        nearest = _nearest(measure, word, count)
        top = nearest[0][1] if nearest else 1.0
        if (
            with_reasons
            and explainer_of(name) is near.explain
            and not isinstance(measure, BlendMeasure)
        ):
            # Rows cost much less together than one by one, and reasons find them there.
            known = [entry.word for entry in word.words[:1]] + [name for name, _ in nearest]
            measure.rows(self.bundle.vocabulary.ids_of(known))
        neighbours = []
        for neighbour, value in nearest:
            resolution = self.bundle.resolve(neighbour)
            why = self._why(measure, word, resolution, language) if with_reasons else ""
            neighbours.append(Neighbour(neighbour, value, round(100 * value / top), why))
        return Column(name, tuple(neighbours))

    def _compare(self, name: str, a: Resolution, b: Resolution, language: str) -> Compared:
        measure = self.bundle.measure(name)
        value = float(resolved_pairs(measure, a, [b])[0])
        row = resolved_rows(measure, [a])[0]
        rank = 1 + int(np.count_nonzero(row > value)) if value else None
        return Compared(name, value, rank, self._why(measure, a, b, language))

    def _why(self, measure: Measure, a: Resolution, b: Resolution, language: str) -> str:
        """One short line; empty if the measure cannot say why."""
        wording = reasons(language)
        if isinstance(measure, BlendMeasure) and a.known and b.known:
            ids = self.bundle.vocabulary.ids
            # The reasons of the parts have columns of their own.
            shares = measure.shares(ids[a.words[0].word], ids[b.words[0].word])
            return ", ".join(
                wording["share"].format(measure=part.name, share=float(share))
                for part, share in zip(measure.measures, shares, strict=True)
            )
        try:
            reason = self.bundle.explain(a.word, b.word, measure.name)
        except NoExplanation:
            return ""
        inner = reason.reason if isinstance(reason, Resolved) else reason
        return inner.sum(wording) if isinstance(inner, Blended) else inner.line(wording)

    def _map(self, word: Resolution, canvas: Canvas) -> Picture:
        measure = self.bundle.measure()
        nearest = _nearest(measure, word, canvas.words)
        names = [name for name, _ in nearest]
        relatedness = np.zeros((len(names) + 1, len(names) + 1))
        relatedness[1:, 1:] = all_pairs(measure, measure.vocabulary.ids_of(names))
        relatedness[0, 1:] = relatedness[1:, 0] = [value for _, value in nearest]
        return map_of([word.word, *names], relatedness, canvas)

    @kept
    def network(self, a: Resolution, b: Resolution) -> Network | None:
        """The shortest path between two words; None if there is none.

        It leads along npmi; without it, along the default measure by a chain (see `chain`). A word
        that is not in the vocabulary is represented by the known word of largest weight.
        """
        ids, words = self.bundle.vocabulary.ids, self.bundle.vocabulary.words
        start, end = ids[a.words[0].word], ids[b.words[0].word]
        if start == end:
            return None
        if NPMI not in self.bundle.measures:
            measure = self.bundle.measure()
            steps = tuple(
                Step(words[one], words[two], float(measure.pairs([one], [two])[0]))
                for one, two in pairwise(chain(measure, start, end))
            )
            around = [words[word] for word in between(measure, start, end, NEIGHBOURS)]
            return Network(network_of(steps, around), steps, measure.name)
        npmi = self.bundle.measure(NPMI)
        try:
            edges = path_edges(npmi, shortest_path(npmi, start, end))
            explained = middles.explain(npmi, start, end, self.bundle.measures)
        except NoExplanation:
            return None
        steps = tuple(Step(edge.a, edge.b, edge.npmi, edge.count) for edge in edges)
        if not steps:
            return None
        around = [middle.word for middle in explained.middles]
        return Network(network_of(steps, around), steps, NPMI)


def _nearest(measure: Measure, word: Resolution, count: int) -> list[tuple[str, float]]:
    """The nearest words with a value above 0."""
    return [entry for entry in resolved_nearest(measure, word, count) if entry[1] > 0]


def all_pairs(measure: Measure, ids: NDArray[np.intp]) -> NDArray[np.float64]:
    """The relatedness of some words to each other, with a zero diagonal."""
    first, second = np.triu_indices(len(ids), 1)
    relatedness = np.zeros((len(ids), len(ids)))
    relatedness[first, second] = measure.pairs(ids[first], ids[second])
    return relatedness + relatedness.T


# A chain of words from one word to another, for bundles that have no npmi to walk along. A measure
# such as a blend relates every word to every other one, so the shortest path through all of them
# would be one step long, and a search through all would take too long to type along. A chain goes
# through the words around the two ends and between them, and a step costs the more, the less its
# two words are related.


def chain(measure: Measure, start: int, end: int) -> list[int]:
    """The words of the cheapest chain between two different words."""
    rows = measure.rows([start, end])
    ids = [np.argsort(-values, kind="stable")[:AROUND] for values in (*rows, rows.min(axis=0))]
    candidates = np.concatenate([[start, end], np.setdiff1d(np.concatenate(ids), [start, end])])
    return [int(candidates[at]) for at in cheapest(costs(all_pairs(measure, candidates)))]


def between(measure: Measure, start: int, end: int, count: int) -> list[int]:
    """The words that are most related to both of two words."""
    least = measure.rows([start, end]).min(axis=0)
    least[[start, end]] = -np.inf
    order = np.argsort(-least, kind="stable")[:count]
    return [int(word) for word in order if least[word] > 0]


def costs(relatedness: NDArray[np.floating]) -> NDArray[np.float64]:
    """The cost of each step: least for the most related pair, most for pairs that are not related.

    A high power makes several good steps cheaper than one bad one; the price of a step keeps the
    chain from wandering about among words that are all alike.
    """
    top = relatedness.max()
    close = np.clip(relatedness / top, 0.0, 1.0) if top > 0 else np.zeros_like(relatedness)
    return STEP + (1.0 - close) ** POWER


def cheapest(cost: NDArray[np.floating]) -> list[int]:
    """The cheapest way from place 0 to place 1."""
    _, before = dijkstra(cost, indices=[0], return_predecessors=True)
    way = [1]
    while way[-1] != 0:
        way.append(int(before[0, way[-1]]))
    return way[::-1]
