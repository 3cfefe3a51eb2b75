"""The measure language-graph: word selection on open graphs.

The rules of the paths are in `wordkin.extras.language_graph`. Here we follow all of them at once:
matrices of words and nodes, multiplied edge by edge. What is near to a word is computed once and
stored, so a game only looks it up.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pipeline.extras import graph_files
from pipeline.extras.data import Knowledge, data_files, declared_names
from pipeline.extras.graph_files import HYPERNYMS, LanguageGraph
from pipeline.extras.hierarchy import Arrays, flat_lists
from pipeline.extras.wordnet import read_net, symmetric_arrays
from pipeline.measures.family import WITH_KNOWLEDGE, Extra, MeasureJob, Skipped
from pipeline.stage import Metrics
from wordkin.extras.language_graph import STEPS, label_weight
from wordkin.measures.files import write_measure
from wordkin.vocabulary import Vocabulary
from wordkin.words import form_of

READERS = {
    "conceptnet": graph_files.add_conceptnet,
    "synonyms": graph_files.add_synonyms,
    "emoji": graph_files.add_emoji,
    "places": graph_files.add_places,
}
"""The readers by the name of the data, beside the word net."""

BLOCK = 2000
"""How many words are followed at the same time; only the memory depends on it."""


class Pick(NamedTuple):
    """A word at which a path may end: what an edge costs then, and the place of its label."""

    weight: float
    label: int


def make_language_graph(measure_job: MeasureJob) -> Metrics:
    """Make the measure from all graphs that the language has."""
    graph, forms, sources = _read(measure_job)
    arrays = graph_arrays(graph, measure_job.vocabulary, measure_job.layout.language, forms)
    relations = relations_of(graph)
    hypernyms = [relations.index(name) for name in HYPERNYMS]
    related = related_words(arrays, len(measure_job.vocabulary), hypernyms)
    if not related.nnz:
        raise Skipped("its graphs relate no words of the vocabulary")
    facts = {**WITH_KNOWLEDGE, "relations": relations, "hypernyms": list(HYPERNYMS)}
    stored = {**arrays, **symmetric_arrays(related)}
    stored["values"] = stored["values"].astype(np.float16)
    words = len(measure_job.vocabulary)
    write_measure(measure_job.folder, measure_job.name, "language_graph", words, stored, facts)
    known = int((np.diff(arrays["starts_ends"]) > 0).sum())
    return {
        "known": known, "pairs": related.nnz // 2, "nodes": len(graph.labels),
        "edges": len(graph.edges), "sources": sources,
    }  # fmt: skip


def _read(
    measure_job: MeasureJob,
) -> tuple[LanguageGraph, Callable[[str], Iterable[str]], dict[str, Metrics]]:
    """All graphs as one, the base forms of words, and what each source brought and left out."""
    graph, sources, reasons = LanguageGraph(), {}, []
    forms: Callable[[str], Iterable[str]] = lambda word: ()  # noqa: E731
    for name in ("wordnet", *READERS):
        if name not in declared_names(measure_job):
            continue
        nodes, edges, left_out = len(graph.labels), len(graph.edges), 0
        try:
            if name == "wordnet":
                net = read_net(measure_job)
                graph_files.add_word_net(graph, net)
                forms = net.lemmas_of
            else:
                left_out = sum(READERS[name](graph, path) for path in data_files(measure_job, name))
        except Skipped as reason:
            reasons.append(f"{name}: {reason}")
            continue
        sources[name] = {
            "nodes": len(graph.labels) - nodes,
            "edges": len(graph.edges) - edges,
            "left_out": left_out,
        }
    if not sources:
        language, names = measure_job.layout.language, ", ".join(("wordnet", *READERS))
        raise Skipped(
            "; ".join(reasons)
            or f"extras.knowledge.{language} in params.yaml declares none of {names}"
        )
    return graph, forms, sources


def relations_of(graph: LanguageGraph) -> list[str]:
    """The names of all relations."""
    return sorted({relation for _, relation, _ in graph.edges} | {*graph.groups, *HYPERNYMS})


def graph_arrays(
    graph: LanguageGraph,
    vocabulary: Vocabulary,
    language: str,
    forms: Callable[[str], Iterable[str]] = lambda word: (),
) -> Arrays:
    """The arrays of the graph that the kind `language_graph` stores."""
    normal = form_of(language).normal
    labels = [[" ".join(normal(label).split()) for label in own] for own in graph.labels]
    ids = {word: number for number, word in enumerate(vocabulary.words)}
    firsts = np.concatenate([[0], np.cumsum([len(own) for own in labels])]).astype(np.int64)
    named: dict[str, list[int]] = {}
    picks: list[list[tuple[int, int]]] = []
    for node, own in enumerate(labels):
        picked: dict[int, Pick] = {}
        for place, label in enumerate(own):
            words = label.split()
            if len(words) == 1:
                named.setdefault(label, []).append(node)
            offer = Pick(label_weight(place == 0, len(words) > 1), int(firsts[node]) + place)
            for word in (ids[word] for word in words if word in ids):
                picked[word] = min(picked.get(word, offer), offer)
        picks.append(sorted((word, pick.label) for word, pick in picked.items()))
    starts = [
        sorted({node for name in (word, *forms(word)) for node in named.get(name, ())})
        for word in vocabulary.words
    ]
    numbers = {relation: number for number, relation in enumerate(relations_of(graph))}
    outgoing: list[list[tuple[int, int]]] = [[] for _ in labels]
    for a, relation, b in sorted({(a, r, b) for a, r, b in graph.edges if a != b}):
        outgoing[a].append((b, numbers[relation]))
    names = [label.encode("utf-8") for own in labels for label in own]
    return {
        "groups": np.array([numbers[group] for group in graph.groups], np.uint8),
        "labels_ends": firsts,
        "names": np.frombuffer(b"".join(names), np.uint8),
        "names_ends": np.concatenate([[0], np.cumsum([len(name) for name in names])]).astype(int),
        **flat_lists("starts_ends", {"starts": (np.int32, starts)}),
        **flat_lists(
            "edges_ends",
            {
                "edges": (np.int32, [[node for node, _ in own] for own in outgoing]),
                "relations": (np.uint8, [[kind for _, kind in own] for own in outgoing]),
            },
        ),
        **flat_lists(
            "picks_ends",
            {
                "picks": (np.int32, [[word for word, _ in own] for own in picks]),
                "pick_labels": (np.int32, [[label for _, label in own] for own in picks]),
            },
        ),
    }


def related_words(arrays: Arrays, words: int, hypernyms: Iterable[int]) -> sparse.csr_array:
    """The relatedness of all pairs of words that a path relates, as a symmetric matrix."""
    nodes = len(arrays["groups"])
    starts = _matrix(arrays["starts_ends"], arrays["starts"], nodes)
    edges = _matrix(arrays["edges_ends"], arrays["edges"], nodes)
    either = _pattern(edges + edges.T)
    upward = [
        _matrix(arrays["edges_ends"], arrays["edges"], nodes, arrays["relations"] == number)
        for number in hypernyms
    ]
    endings = _endings(arrays, words)
    found = sparse.vstack(
        [
            _follow(starts[first : first + BLOCK], either, upward, endings)
            for first in range(0, words, BLOCK)
        ],
        format="csr",
    )
    found = sparse.csr_array(found.maximum(found.T))
    found.setdiag(0)
    found.eliminate_zeros()
    return found


def _follow(
    starts: sparse.csr_array,
    either: sparse.csr_array,
    upward: list[sparse.csr_array],
    endings: dict[float, sparse.csr_array],
) -> sparse.csr_array:
    """Follow the paths from some words: first any edge, then hypernyms of one kind."""
    first = _pattern(starts @ either)
    reached = {1: _pattern(starts + first)}
    for matrix in upward:
        current = first
        for length in range(2, STEPS + 1):
            current = _pattern(current @ matrix)
            reached[length] = _pattern(reached[length] + current) if length in reached else current
    best = sparse.csr_array((starts.shape[0], next(iter(endings.values())).shape[1]))
    for length, at in reached.items():
        for weight, ending in endings.items():
            best = best.maximum(_pattern(at @ ending) * (1 / (1 + length * weight)))
    return sparse.csr_array(best)


def _endings(arrays: Arrays, words: int) -> dict[float, sparse.csr_array]:
    """Which words a path to a node may end at, by the weight of their labels."""
    ends, labels = arrays["picks_ends"], arrays["pick_labels"]
    node = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
    is_main = labels == arrays["labels_ends"][node]
    blanks = np.concatenate([[0], np.cumsum(arrays["names"] == ord(" "))])[arrays["names_ends"]]
    is_phrase = (np.diff(blanks) > 0)[labels]
    endings: dict[float, sparse.csr_array] = {}
    for main in (True, False):
        for phrase in (False, True):
            chosen = (is_main == main) & (is_phrase == phrase)
            matrix = _matrix(ends, arrays["picks"], words, chosen)
            weight = label_weight(main, phrase)
            endings[weight] = endings[weight] + matrix if weight in endings else matrix
    return endings


def _matrix(
    ends: NDArray[Any], columns: NDArray[Any], width: int, chosen: NDArray[Any] | None = None
) -> sparse.csr_array:
    """Lists as the rows of a matrix of ones, or only the chosen items of them."""
    row = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
    if chosen is not None:
        row, columns = row[chosen], columns[chosen]
    ones = np.ones(len(row), np.float32)
    return _pattern(sparse.csr_array((ones, (row, columns)), shape=(len(ends) - 1, width)))


def _pattern(matrix: sparse.csr_array) -> sparse.csr_array:
    """Ones where a matrix has anything."""
    matrix = sparse.csr_array(matrix)
    matrix.data[:] = 1
    return matrix


EXTRA = Extra({"language-graph": make_language_graph}, sections=(Knowledge,))
