"""A language graph: words are as related as the shortest path between them that makes sense.

A node of the graph is a concept with labels, the main one first: words, or phrases such as *citrus
fruit*. Edges have relations. A path starts at a node that a word names with a label of its own. Its
first edge may be any, in either direction; all others lead to more general concepts and have the
same relation. It has at most `STEPS` edges, and ends at any word of a label of its last node, at a
cost per edge that depends on the label (`label_weight`). From one label of a node to another is one
edge, too. The relatedness is 1 / (1 + edges x weight), of the better direction.

The kind `language_graph` stores the pairs as the kind `matrix` does (`indptr`, `indices` and
`values`), and the graph, from which it explains them:

    starts_ends, starts   int64, words + 1; int32     the nodes that each word names
    edges_ends, edges     int64, nodes + 1; int32     the nodes that the edges of a node lead to
    relations             uint8                       the relation of each edge
    groups                uint8, nodes                the relation of two labels of the same node
    labels_ends           int64, nodes + 1            where the labels of each node end
    names_ends, names     int64, labels + 1; uint8    the labels in UTF-8
    picks_ends, picks     int64, nodes + 1; int32     the words at which a path to a node may end
    pick_labels           int32                       the label that each of them is from

`relations` in `measure.json` lists the names of the relations, and `hypernyms` those that lead to
more general concepts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordkin.errors import InputError
from wordkin.measures.explanations.explanation import Explanation
from wordkin.measures.files import MeasureFolder
from wordkin.measures.matrix import MatrixMeasure, Pairs, open_pairs
from wordkin.measures.measure import Measure
from wordkin.vocabulary import Vocabulary

STEPS = 3
"""The most edges of a path."""


def label_weight(is_main: bool, is_phrase: bool) -> float:
    """What an edge costs on a path that ends at a word of such a label: 1, 1.1, 1.1 or 1.2."""
    return 1 + 0.1 * (not is_main) + 0.1 * is_phrase


class Step(NamedTuple):
    """One edge of a path: its relation, whether we go along with it, and the label it leads to."""

    relation: str
    forward: bool
    label: str


class _Way(NamedTuple):
    """How a search came to a node: from where, by which relation, and in which direction."""

    node: int
    before: _Way | None
    relation: int = -1
    forward: bool = True

    @property
    def edges(self) -> int:
        return 0 if self.before is None else 1 + self.before.edges


class LanguageGraphMeasure(MatrixMeasure):
    """A measure that stores pairs, and the graph that relates them."""

    def __init__(
        self,
        name: str,
        vocabulary: Vocabulary,
        pairs: Pairs,
        arrays: Mapping[str, NDArray[Any]],
        relations: Sequence[str],
        hypernyms: Sequence[str],
    ) -> None:
        super().__init__(name, vocabulary, pairs)
        self.arrays, self.relations, self.hypernyms = arrays, relations, hypernyms

    def reasons(self, a: int, b: int, measures: Mapping[str, Measure]) -> Relations:
        return explain_relations(self, a, b)

    def path(self, a: int, b: int) -> tuple[float, list[Step]]:
        """The best path from one word to another: its relatedness and its edges, if there is one.

        Of several that are equally good, it is the one that the search meets first.
        """
        targets = self._ends_at(b)
        best: tuple[float, _Way | None, int] = (0.0, None, -1)
        for way in self._ways(a):
            if way.node in targets:
                weight, label = targets[way.node]
                value = 1 / (1 + max(way.edges, 1) * weight)
                if value > best[0]:
                    best = (value, way, label)
        value, last, label = best
        return value, [] if last is None else self._steps(last, label)

    def _ends_at(self, word: int) -> dict[int, tuple[float, int]]:
        """The nodes at which a path to a word may end, with the weight and the label."""
        places = np.flatnonzero(np.asarray(self.arrays["picks"]) == word)
        nodes = np.searchsorted(self.arrays["picks_ends"], places, side="right") - 1
        found: dict[int, tuple[float, int]] = {}
        for node, label in zip(
            nodes.tolist(), self.arrays["pick_labels"][places].tolist(), strict=True
        ):
            is_main = label == self.arrays["labels_ends"][node]
            offer = (label_weight(is_main, " " in self._label(label)), label)
            found[node] = min(found.get(node, offer), offer)
        return found

    def _ways(self, word: int) -> Iterator[_Way]:
        """The ways to all nodes that paths from a word lead to, short ones first."""
        ends = self.arrays["starts_ends"]
        starts = self.arrays["starts"][ends[word] : ends[word + 1]].tolist()
        origins = [_Way(node, None) for node in starts]
        yield from origins
        first = _once(way for origin in origins for way in self._first_edges(origin))
        yield from first
        for hypernym in self.hypernyms:
            relation, frontier = self.relations.index(hypernym), first
            for _ in range(STEPS - 1):
                frontier = _once(
                    _Way(node, way, relation)
                    for way in frontier
                    for node, kind in self._edges(way.node)
                    if kind == relation
                )
                yield from frontier

    def _first_edges(self, origin: _Way) -> Iterator[_Way]:
        for node, relation in self._edges(origin.node):
            yield _Way(node, origin, relation)
        places = np.flatnonzero(np.asarray(self.arrays["edges"]) == origin.node)
        for node, place in zip(self._sources[places].tolist(), places.tolist(), strict=True):
            yield _Way(node, origin, int(self.arrays["relations"][place]), forward=False)

    @cached_property
    def _sources(self) -> NDArray[np.int64]:
        """The node that each edge starts from."""
        lengths = np.diff(self.arrays["edges_ends"])
        return np.repeat(np.arange(len(lengths)), lengths)

    def _edges(self, node: int) -> Iterator[tuple[int, int]]:
        span = slice(*self.arrays["edges_ends"][node : node + 2].tolist())
        edges, relations = self.arrays["edges"][span], self.arrays["relations"][span]
        return zip(edges.tolist(), relations.tolist(), strict=True)

    def _label(self, label: int) -> str:
        start, end = self.arrays["names_ends"][label : label + 2].tolist()
        return bytes(self.arrays["names"][start:end]).decode("utf-8", "replace")

    def _steps(self, last: _Way, label: int) -> list[Step]:
        """The edges of the way to a node that ends at one of its labels."""
        if last.before is None:
            group = self.relations[int(self.arrays["groups"][last.node])]
            return [Step(group, True, self._label(label))]
        steps: list[Step] = []
        way: _Way = last
        while way.before is not None:
            steps.append(Step(self.relations[way.relation], way.forward, self._label(label)))
            way = way.before
            label = int(self.arrays["labels_ends"][way.node])
        return steps[::-1]


def _once(ways: Iterator[_Way]) -> list[_Way]:
    """The first way to each node."""
    found: dict[int, _Way] = {}
    for way in ways:
        found.setdefault(way.node, way)
    return list(found.values())


def open_measure(folder: MeasureFolder) -> LanguageGraphMeasure:
    """Open a measure of the kind `language_graph`."""
    pairs, words = open_pairs(folder), len(folder.vocabulary)
    relations: Any = folder.facts.get("relations")
    hypernyms: Any = folder.facts.get("hypernyms")
    if not (_are_names(relations) and _are_names(hypernyms) and set(hypernyms) <= set(relations)):
        raise InputError(f"{folder.path / 'measure.json'} has no valid 'relations': make it again.")
    kinds = max(len(relations) - 1, 0)
    groups = folder.array("groups", (None,), "u", low=0, high=kinds)
    nodes = len(groups)
    names_ends = folder.array("names_ends", (None,), "i", low=0)
    labels = max(len(names_ends) - 1, 0)
    arrays: dict[str, NDArray[Any]] = {
        "groups": groups,
        "names": folder.array("names", (None,), "u", low=0, high=255),
        "labels_ends": folder.ends("labels_ends", nodes, labels),
    }
    arrays["names_ends"] = folder.ends("names_ends", labels, len(arrays["names"]))
    for name, count, high in (
        ("starts", words, nodes),
        ("edges", nodes, nodes),
        ("picks", nodes, words),
    ):
        arrays[name] = folder.array(name, (None,), "i", low=0, high=max(high - 1, 0))
        arrays[f"{name}_ends"] = folder.ends(f"{name}_ends", count, len(arrays[name]))
    arrays["relations"] = folder.array("relations", (len(arrays["edges"]),), "u", low=0, high=kinds)
    arrays["pick_labels"] = folder.array(
        "pick_labels", (len(arrays["picks"]),), "i", low=0, high=max(labels - 1, 0)
    )
    return LanguageGraphMeasure(folder.name, folder.vocabulary, pairs, arrays, relations, hypernyms)


def _are_names(names: Any) -> bool:
    return isinstance(names, list) and all(isinstance(name, str) for name in names)


@dataclass(frozen=True)
class Relations(Explanation):
    """The edges of the best path.

    Attributes
    ----------
    start : str
        The word that the path starts from: `a` or `b`.
    steps : tuple of Step
        The edges; none if no path relates the words.
    """

    start: str
    steps: tuple[Step, ...]

    def wording(self, texts: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        if not self.steps:
            return "no_path", {}
        path = self.start
        for relation, forward, label in self.steps:
            name = texts.get(relation.replace(" ", "_"), relation)
            path += f" –{name}→ {label}" if forward else f" ←{name}– {label}"
        return "path", {"path": path}


def explain_relations(measure: LanguageGraphMeasure, a: int, b: int) -> Relations:
    """Explain a language graph by the better of the paths from either word to the other."""
    words, value = measure.vocabulary.words, float(measure.pairs([a], [b])[0])
    there, back = measure.path(a, b), measure.path(b, a)
    start, (_, steps) = (b, back) if back[0] > there[0] else (a, there)
    return Relations(measure.name, words[a], words[b], value, words[start], tuple(steps))
