"""A map of the vocabulary: frequent words, tied where npmi is high, coloured by community.

igraph finds the communities (greedy modularity) and lays the graph out (Kamada and Kawai). Neither
draws at random, so the same build has the same map.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordkin.measures.measure import Measure

if TYPE_CHECKING:
    import igraph

WORDS = 300
TIES = 3
"""Each word is tied to so many of its closest words on the map."""

COLOURS = 8
"""The largest communities have a colour each, all others share one."""

NAMED = 12
"""The most frequent words of a community name it."""

WIDTH, HEIGHT, MARGIN = 1600, 1100, 60


class Word(NamedTuple):
    """A word on the map; community 0 is the largest, and `COLOURS` stands for all small ones."""

    text: str
    x: int
    y: int
    community: int


class VocabularyMap(NamedTuple):
    """The words, the lines between tied words, and the names of the coloured communities."""

    words: list[Word]
    lines: list[tuple[int, int, int, int]]
    communities: list[list[str]]


def draw_map(measure: Measure, limit: float) -> VocabularyMap | None:
    """The map of the most frequent words whose familiarity reaches `limit`, by a measure.

    None when there are too few words for a map.
    """
    vocabulary = measure.vocabulary
    familiar = vocabulary.familiarity
    order = np.argsort(-vocabulary.counts, kind="stable")
    if familiar is not None:
        order = order[familiar[order] >= np.float32(limit)]
    ids = order[:WORDS]
    if len(ids) < TIES + 2:
        return None
    graph = tied_words(measure, ids)
    found = graph.community_fastgreedy(weights="weight").as_clustering()
    groups = sorted((sorted(group) for group in found), key=lambda group: (-len(group), group))
    community = {word: min(place, COLOURS) for place, group in enumerate(groups) for word in group}
    places = _places(graph)
    names = [vocabulary.words[at] for at in ids.tolist()]
    words = [Word(name, *places[at], community[at]) for at, name in enumerate(names)]
    lines = [(*places[a], *places[b]) for a, b in graph.get_edgelist()]
    shown = [[names[at] for at in group[:NAMED]] for group in groups[:COLOURS]]
    return VocabularyMap(words, lines, shown)


def tied_words(measure: Measure, ids: NDArray[np.integer]) -> igraph.Graph:
    """The graph of some words in which each is tied to its closest ones, if they are related."""
    import igraph  # it takes a second to import

    count = len(ids)
    first, second = np.repeat(ids, count), np.tile(ids, count)
    near = measure.pairs(first, second).reshape(count, count)
    np.fill_diagonal(near, 0)
    closest = np.argsort(-near, axis=1, kind="stable")[:, :TIES]
    ties = sorted(
        {
            (min(a, b), max(a, b))
            for a, row in enumerate(closest.tolist())
            for b in row
            if near[a, b] > 0
        }
    )
    graph = igraph.Graph(n=count, edges=ties)
    graph.es["weight"] = [float(near[a, b]) for a, b in ties]
    return graph


def _places(graph: igraph.Graph) -> list[tuple[int, int]]:
    """Where the words stand. Half of a place is its rank, which spreads crowded words apart."""
    layout = np.array(graph.layout_kamada_kawai().coords)
    spans = np.maximum(np.ptp(layout, axis=0), 1e-9)
    ranks = layout.argsort(axis=0, kind="stable").argsort(axis=0) / (len(layout) - 1)
    spread = ((layout - layout.min(axis=0)) / spans + ranks) / 2
    size = np.array([WIDTH, HEIGHT]) - 2 * MARGIN
    return [(x, y) for x, y in (MARGIN + spread * size).round().astype(int).tolist()]
