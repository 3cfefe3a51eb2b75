"""Why two words are related: for every measure, as data and as one readable line.

    npmi               how often the words met, and how often they would by chance
    squared            the words between them that carry most of the sum
    graph              the shortest path, with each edge
    blend              what each of its measures says
    human              the same, and what the words' frequency adds
    any other          words that are close to both

An explanation is a dataclass, so `dataclasses.asdict` gives its data; `str` gives the line, and
`line` gives it from other texts, for other languages.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordkin.arrays import map_array
from wordkin.errors import NoExplanation
from wordkin.measures import BlendMeasure, Measure, SparseMeasure, describe, log_shares
from wordkin.measures.learned import LearnedMeasure

SHOWN = 10
"""How many words between or beside two words an explanation has."""

SAID = 5
"""How many of them its line says."""

TEXTS = {
    "met": "{a} and {b} met {count:,.1f} times, {expected:,.1f} expected by chance: {value:.3f}",
    "not_met": "{a} and {b} met no more often than by chance ({expected:,.1f} times): {value:.3f}",
    "between": "{a} and {b} share {number:,} neighbours: {words}: {value:.3f}",
    "nothing_between": "{a} and {b} share no neighbour: {value:.3f}",
    "path": "{path}: {value:.3f}",
    "no_path": "no path leads from {a} to {b}: {value:.3f}",
    "near": "{a} and {b} are both close to {words}: {value:.3f}",
    "blend": "{parts}: {value:.3f}",
    "frequency": "frequency {share:+.2f}",
}
"""The lines, by what there is to tell; `line` takes others."""


@dataclass(frozen=True)
class Explanation:
    """Why two words are related by a measure."""

    measure: str
    a: str
    b: str
    relatedness: float

    def line(self, texts: Mapping[str, str] = TEXTS) -> str:
        """One readable line made with `texts`."""
        key, fields = self.told()
        return texts[key].format(a=self.a, b=self.b, value=self.relatedness, **fields)

    def told(self) -> tuple[str, dict[str, Any]]:
        """Which text fits, and what to put into it."""
        raise AssertionError("each kind of explanation tells its own")

    def __str__(self) -> str:
        return self.line()


def _first(words: Sequence[str]) -> str:
    """The first few words, and a sign when there are more."""
    return ", ".join([*words[:SAID], *(["…"] if len(words) > SAID else [])])


@dataclass(frozen=True)
class Met(Explanation):
    """npmi: the weighted count of meetings (None when no more than chance) and the expected one."""

    count: float | None
    expected: float

    def told(self) -> tuple[str, dict[str, Any]]:
        if self.count is None:
            return "not_met", {"expected": self.expected}
        return "met", {"count": self.count, "expected": self.expected}


@dataclass(frozen=True)
class Middle:
    """A word between two words: its npmi with each, and its share of the sum over such words."""

    word: str
    to_a: float
    to_b: float
    share: float


@dataclass(frozen=True)
class Between(Explanation):
    """squared: the words that are related to both, those that carry most first."""

    number: int
    middles: tuple[Middle, ...]

    def told(self) -> tuple[str, dict[str, Any]]:
        if not self.middles:
            return "nothing_between", {}
        words = [f"{middle.word} {middle.share:.1%}" for middle in self.middles]
        return "between", {"number": self.number, "words": _first(words)}


@dataclass(frozen=True)
class Edge:
    """Two words that follow each other on a path: their npmi, and how often they met."""

    a: str
    b: str
    npmi: float
    count: float | None


@dataclass(frozen=True)
class Path(Explanation):
    """graph: the edges of the shortest path; none when no path leads there."""

    edges: tuple[Edge, ...]

    def told(self) -> tuple[str, dict[str, Any]]:
        if not self.edges:
            return "no_path", {}
        return "path", {"path": self.a + "".join(map(_step, self.edges))}


def _step(edge: Edge) -> str:
    met = "" if edge.count is None else f", {edge.count:.1f}×"
    return f" -({edge.npmi:.2f}{met})- {edge.b}"


@dataclass(frozen=True)
class Shared:
    """A word that is close to two words, and how close."""

    word: str
    to_a: float
    to_b: float


@dataclass(frozen=True)
class Near(Explanation):
    """Vectors: the words whose farther one of the two is nearest."""

    shared: tuple[Shared, ...]

    def told(self) -> tuple[str, dict[str, Any]]:
        return "near", {"words": _first([shared.word for shared in self.shared])}


@dataclass(frozen=True)
class Blended(Explanation):
    """A blend: the explanation by each of its measures, and that measure's share of the value."""

    parts: tuple[Explanation, ...]
    shares: tuple[float, ...]

    def sum(self) -> str:
        """What each measure adds, without its reasons."""
        both = zip(self.parts, self.shares, strict=True)
        return ", ".join(f"{part.measure} {share:+.2f}" for part, share in both)

    def line(self, texts: Mapping[str, str] = TEXTS) -> str:
        parts = self.told_parts(texts)
        return texts["blend"].format(a=self.a, b=self.b, value=self.relatedness, parts=parts)

    def told_parts(self, texts: Mapping[str, str]) -> str:
        """What each measure says and adds."""
        return "; ".join(
            f"{part.measure} {share:+.2f} ({part.line(texts)})"
            for part, share in zip(self.parts, self.shares, strict=True)
        )


@dataclass(frozen=True)
class Learned(Blended):
    """A learned measure: as a blend, a measure's share being that of its value and its standing,
    and what the frequency of the words adds."""

    frequency: float

    def line(self, texts: Mapping[str, str] = TEXTS) -> str:
        parts = f"{self.told_parts(texts)}; {texts['frequency'].format(share=self.frequency)}"
        return texts["blend"].format(a=self.a, b=self.b, value=self.relatedness, parts=parts)


def explain(measures: Mapping[str, Measure], measure: Measure, a: str, b: str) -> Explanation:
    """Why the words `a` and `b` are related by `measure`.

    Parameters
    ----------
    measures : mapping of str to Measure
        All measures there are: squared and graph are explained by npmi.
    measure : Measure
        One of them, or a blend of some.
    a, b : str
        Two different words of the vocabulary.
    """
    i, j = measure.vocabulary.id(a), measure.vocabulary.id(b)
    if i == j:
        raise NoExplanation(f"'{a}' is not related to itself: give two different words.")
    value = float(measure.pairs([i], [j])[0])
    if isinstance(measure, BlendMeasure):
        parts = tuple(explain(measures, part, a, b) for part in measure.measures)
        shares = tuple(float(share[0]) for share in measure.shares([i], [j]))
        return Blended(measure.name, a, b, value, parts, shares)
    if isinstance(measure, LearnedMeasure):
        parts = tuple(explain(measures, part, a, b) for part in measure.measures)
        shares, frequency = measure.shares(i, j)
        return Learned(measure.name, a, b, value, parts, shares, frequency)
    if measure.name == "npmi":
        return Met("npmi", a, b, value, *Meetings(_npmi(measures, "npmi")).of(i, j))
    if measure.name == "squared":
        # Of a pair that was cut the measure has an estimate; the sum itself is known here.
        total, number, found = middles(_npmi(measures, "squared"), i, j)
        return Between("squared", a, b, total, number, found)
    if measure.name == "graph":
        npmi = _npmi(measures, "graph")
        edges = path_edges(npmi, shortest_path(npmi, i, j))
        value = 1.0 - sum(1.0 - edge.npmi for edge in edges) if edges else value
        return Path("graph", a, b, value, edges)
    return Near(measure.name, a, b, value, near_both(measure, i, j))


def _npmi(measures: Mapping[str, Measure], name: str) -> SparseMeasure:
    """The npmi that explains the measure `name`."""
    if "npmi" in measures:
        npmi = measures["npmi"]
        if isinstance(npmi, SparseMeasure) and npmi.folder is not None:
            return npmi
    raise NoExplanation(f"Only a sparse npmi can explain {name}: publish npmi with it.")


class Meetings:
    """How often words met, taken back from their npmi.

    With x = npmi^2 and the words' shares q, x = ln(p / (q_a q_b)) / -ln p, so
    ln p = ln(q_a q_b) / (1 + x).
    """

    def __init__(self, npmi: SparseMeasure) -> None:
        assert npmi.folder is not None
        facts = describe(npmi.folder)
        if not {"total", "scale", "smoothing"} <= set(facts):
            raise NoExplanation(f"{npmi.folder} does not tell of its counts: make it again.")
        self.npmi = npmi
        self.total, self.scale = int(facts["total"]), int(facts["scale"])
        self.marginals = map_array(npmi.folder / "marginals.npy")
        self.shares = log_shares(self.marginals, self.total, float(facts["smoothing"]))

    def of(self, i: int, j: int) -> tuple[float | None, float]:
        """The count (None when no more than chance) and the one that chance would have, in weights
        of one adjacent meeting."""
        together = float(self.marginals[i]) * float(self.marginals[j])
        expected = together / self.total / self.scale if self.total else 0.0
        x = float(self.npmi.pairs([i], [j])[0]) ** 2
        if x == 0.0:
            return None, expected
        count = self.total * np.exp((self.shares[i] + self.shares[j]) / (1.0 + x))
        # Counts are whole multiples of 1 / scale.
        return round(count) / self.scale, expected


def middles(npmi: SparseMeasure, i: int, j: int) -> tuple[float, int, tuple[Middle, ...]]:
    """The sum over the words between, how many there are, and those that carry most of it."""
    to_a, to_b = npmi.rows([i, j]).astype(np.float64)
    products = to_a * to_b
    total = products.sum()
    order = np.argsort(-products, kind="stable")[:SHOWN]
    words = npmi.vocabulary.words
    found = tuple(
        Middle(words[k], float(to_a[k]), float(to_b[k]), float(products[k] / total))
        for k in order
        if products[k] > 0
    )
    return float(total), int(np.count_nonzero(products)), found


def near_both(measure: Measure, i: int, j: int) -> tuple[Shared, ...]:
    """The words that are nearest to the two by the one that is farther."""
    to_a, to_b = measure.rows([i, j])
    least = np.minimum(to_a, to_b)
    least[[i, j]] = -np.inf
    words = measure.vocabulary.words
    order = np.argsort(-least, kind="stable")[: min(SHOWN, len(words) - 2)]
    return tuple(Shared(words[k], float(to_a[k]), float(to_b[k])) for k in order)


def shortest_path(npmi: SparseMeasure, i: int, j: int) -> list[int]:
    """The words of the shortest path over edges of weight 1 - npmi; empty when there is none.

    Dijkstra's search from both ends at once: words are settled nearest first, and it is over when
    the two nearest that are not settled lie together as far apart as the best way found.
    """
    if i == j:
        return [i]
    words = len(npmi.vocabulary)
    sides = (_Side(npmi, i, words), _Side(npmi, j, words))
    best, meeting = np.inf, -1
    while sides[0].nearest() + sides[1].nearest() < best:
        side, other = sorted(sides, key=_Side.nearest)
        reached = side.settle()
        ways = side.far[reached] + other.far[reached]
        if len(ways) and ways.min() < best:
            best, meeting = float(ways.min()), int(reached[ways.argmin()])
    if meeting < 0:
        return []
    there, back = (side.way(meeting) for side in sides)
    return there[::-1] + back[1:]


class _Side:
    """A search from one word: how far the others are as known so far, and over which word."""

    def __init__(self, npmi: SparseMeasure, start: int, words: int) -> None:
        self.npmi, self.start = npmi, start
        self.far: NDArray[np.float64] = np.full(words, np.inf)
        self.open: NDArray[np.float64] = np.full(words, np.inf)
        self.over = np.full(words, -1)
        self.far[start] = self.open[start] = 0.0

    def nearest(self) -> float:
        """How far the nearest word is that is not settled."""
        return float(self.open.min())

    def settle(self) -> NDArray[np.int64]:
        """Settle the nearest word; returns those that it brings nearer."""
        word = int(self.open.argmin())
        self.open[word] = np.inf
        span = slice(self.npmi.indptr[word], self.npmi.indptr[word + 1])
        ends = np.asarray(self.npmi.indices[span], dtype=np.int64)
        far = self.far[word] + 1.0 - self.npmi.values[span].astype(np.float64)
        nearer = far < self.far[ends]
        reached = ends[nearer]
        self.far[reached] = self.open[reached] = far[nearer]
        self.over[reached] = word
        return reached

    def way(self, word: int) -> list[int]:
        """The words from `word` back to the start."""
        back = [word]
        while back[-1] != self.start:
            back.append(int(self.over[back[-1]]))
        return back


def path_edges(npmi: SparseMeasure, path: Sequence[int]) -> tuple[Edge, ...]:
    """The edges along the words of a path."""
    meetings, words = Meetings(npmi), npmi.vocabulary.words
    return tuple(
        Edge(words[a], words[b], float(npmi.pairs([a], [b])[0]), meetings.of(a, b)[0])
        for a, b in pairwise(path)
    )
