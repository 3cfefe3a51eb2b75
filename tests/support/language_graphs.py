"""Small language graphs: a random one, and the measure of one."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from pipeline.extras.graph_files import HYPERNYMS, LanguageGraph
from pipeline.extras.language_graph import graph_arrays, related_words, relations_of
from pipeline.extras.wordnet import symmetric_arrays
from wordkin.extras.language_graph import LanguageGraphMeasure
from wordkin.measures.matrix import Pairs
from wordkin.vocabulary import Vocabulary


def random_graph(words: Sequence[str], seed: int, nodes: int = 14) -> LanguageGraph:
    """Nodes with labels of one to three words, and edges of four relations."""
    rng = random.Random(seed)
    graph = LanguageGraph()
    for _ in range(nodes):
        labels = [
            " ".join(rng.sample(words, rng.choice([1, 1, 2, 3]))) for _ in range(rng.randint(1, 3))
        ]
        graph.add(labels, rng.choice(["synonym", "same emoji"]))
    for _ in range(2 * nodes):
        relation = rng.choice([*HYPERNYMS, "has part", "opposite"])
        graph.edges.append((rng.randrange(nodes), relation, rng.randrange(nodes)))
    return graph


def stored_graph(
    graph: LanguageGraph, vocabulary: Vocabulary, language: str = "en"
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The arrays and facts of the measure."""
    arrays, relations = graph_arrays(graph, vocabulary, language), relations_of(graph)
    hypernyms = [relations.index(name) for name in HYPERNYMS]
    pairs = symmetric_arrays(related_words(arrays, len(vocabulary), hypernyms))
    return {**arrays, **pairs}, {"relations": relations, "hypernyms": list(HYPERNYMS)}


def measure_of(
    graph: LanguageGraph, vocabulary: Vocabulary, name: str = "language-graph"
) -> LanguageGraphMeasure:
    """The measure in memory."""
    arrays, facts = stored_graph(graph, vocabulary)
    pairs = Pairs(*(arrays[array] for array in ("indptr", "indices", "values")))
    return LanguageGraphMeasure(name, vocabulary, pairs, arrays, **facts)
