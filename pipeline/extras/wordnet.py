"""Measures from a word net: similarity in its hierarchy, and the relations of its concepts.

wordnet-path, -lch, -wup        by the length of the way between the closest senses
wordnet-res, -jcn, -lin         by the information that the closest senses share
wordnet-kinds, -parts, -opposites, -relations
                                hypernyms, meronyms, antonyms, and the largest of the three; the
                                mean over all pairs of senses, by how often they are meant
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

import numpy as np
from scipy import sparse

from pipeline.extras import hierarchy
from pipeline.extras.data import Knowledge, data_files, declared_names
from pipeline.extras.hierarchy import Arrays, Hierarchy
from pipeline.extras.lmf import read_lmf
from pipeline.extras.word_net import WordNet, read_database
from pipeline.layout import Layout
from pipeline.measures.family import WITH_KNOWLEDGE, Extra, Maker, MeasureJob, Skipped
from pipeline.stage import Metrics
from wordkin.measures.files import write_measure
from wordkin.vocabulary import Vocabulary

FORMULAS = ("path", "lch", "wup", "res", "jcn", "lin")


RELATIONS = {"parts": "part_of", "opposites": "opposites"}
"""How explanations name the relations (`wordkin.extras.word_net`)."""


class Loaded(NamedTuple):
    """A word net and the part of it that concerns a vocabulary, read once for all measures."""

    net: WordNet
    hierarchy: Hierarchy


class WordNetMakers:
    """The makers of all measures from a word net, which share what they read."""

    def __init__(self) -> None:
        self._loaded: dict[Layout, Loaded] = {}

    def makers(self) -> dict[str, Maker]:
        """The makers by name."""
        return {
            **{f"wordnet-{name}": partial(self._formula, name) for name in FORMULAS},
            "wordnet-kinds": self._kinds,
            "wordnet-parts": partial(self._pairs, "parts"),
            "wordnet-opposites": partial(self._pairs, "opposites"),
            "wordnet-relations": self._relations,
        }

    def load(self, measure_job: MeasureJob) -> Loaded:
        """The word net of a language, or `Skipped`."""
        layout = measure_job.layout
        if layout not in self._loaded:
            net = read_net(measure_job)
            built = hierarchy.build_hierarchy(net, measure_job.vocabulary)
            hierarchy.sense_order(built)
            if not built.known:
                raise Skipped("the word net has none of the words of the vocabulary")
            self._loaded[layout] = Loaded(net, built)
        return self._loaded[layout]

    def _formula(self, name: str, measure_job: MeasureJob) -> Metrics:
        built = self.load(measure_job).hierarchy
        content = np.zeros(len(built.keys), np.float32)
        if name in ("res", "jcn", "lin"):
            content = information_content(measure_job, built)
        return _write(measure_job, built, content, name, "best")

    def _kinds(self, measure_job: MeasureJob) -> Metrics:
        built = self.load(measure_job).hierarchy
        content = np.zeros(len(built.keys), np.float32)
        return _write(measure_job, built, content, "path", "weighted")

    def _pairs(self, relation: str, measure_job: MeasureJob) -> Metrics:
        loaded = self.load(measure_job)
        arrays = symmetric_arrays(related_pairs(loaded.net, measure_job.vocabulary, relation))
        facts = {"relation": RELATIONS[relation], **WITH_KNOWLEDGE}
        words = len(measure_job.vocabulary)
        write_measure(measure_job.folder, measure_job.name, "word_net", words, arrays, facts)
        return {"pairs": len(arrays["indices"]) // 2, "known": loaded.hierarchy.known}

    def _relations(self, measure_job: MeasureJob) -> Metrics:
        loaded = self.load(measure_job)
        parts, opposites = (
            related_pairs(loaded.net, measure_job.vocabulary, relation)
            for relation in ("parts", "opposites")
        )
        extra = symmetric_arrays(parts.maximum(opposites))
        content = np.zeros(len(loaded.hierarchy.keys), np.float32)
        return _write(measure_job, loaded.hierarchy, content, "path", "weighted", extra)


def read_net(measure_job: MeasureJob) -> WordNet:
    """The word net that is declared for the language: XML in LMF, or database files."""
    files = data_files(measure_job, "wordnet")
    if lexicons := [file for file in files if file.suffix == ".xml"]:
        return read_lmf(lexicons, measure_job.layout.language)
    return read_database(files)


def information_content(measure_job: MeasureJob, built: Hierarchy) -> np.ndarray:
    """From the declared file if there is one, else from the counts of our words."""
    if "information-content" in declared_names(measure_job):
        files = data_files(measure_job, "information-content")
        text = "".join(file.read_text(encoding="utf-8") for file in files)
        return hierarchy.content_from_file(built, text.splitlines())
    return hierarchy.content_from_counts(built, np.asarray(measure_job.vocabulary.counts))


def _write(
    measure_job: MeasureJob,
    built: Hierarchy,
    content: np.ndarray,
    formula: str,
    senses: str,
    extra: Arrays | None = None,
) -> Metrics:
    arrays = {**built.arrays, "content": content, **(extra or {})}
    facts = {"formula": formula, "senses": senses, **WITH_KNOWLEDGE}
    words = len(measure_job.vocabulary)
    write_measure(measure_job.folder, measure_job.name, "taxonomy", words, arrays, facts)
    return {"known": built.known, "concepts": len(built.keys)}


def related_pairs(net: WordNet, vocabulary: Vocabulary, relation: str) -> sparse.csr_array:
    """For each pair of words, the chance that they are meant in senses that are so related."""
    lemmas = [net.lemmas_of(word) for word in vocabulary.words]
    senses = [net.lemma_senses(names) for names in lemmas]
    shares = [hierarchy.sense_shares([s.frequency for s in own]) if own else [] for own in senses]
    members: dict[str, list[tuple[int, float]]] = defaultdict(list)
    with_lemma: dict[tuple[str, str], list[tuple[int, float]]] = defaultdict(list)
    for word, (own, weights) in enumerate(zip(senses, shares, strict=True)):
        for sense, share in zip(own, weights, strict=True):
            members[sense.concept].append((word, share))
            for lemma in lemmas[word]:
                with_lemma[lemma, sense.concept].append((word, share))

    def related() -> Iterator[tuple[list[tuple[int, float]], list[tuple[int, float]]]]:
        if relation == "opposites":
            for lemma, concept, other, other_concept in sorted(net.opposites):
                yield (
                    with_lemma.get((lemma, concept), []),
                    with_lemma.get((other, other_concept), []),
                )
        else:
            for key in sorted(members.keys() & net.concepts.keys()):
                for part in net.concepts[key].parts:
                    yield members[key], members.get(part, [])

    values: dict[tuple[int, int], float] = defaultdict(float)
    for left, right in related():
        for a, share_a in left:
            for b, share_b in right:
                if a != b:
                    # Opposites are listed in both directions, parts in one.
                    values[a, b] += share_a * share_b
                    if relation != "opposites":
                        values[b, a] += share_a * share_b
    size = len(vocabulary)
    places = sorted(place for place, value in values.items() if value > 0)
    rows, columns = (np.array([place[k] for place in places], np.int64) for k in (0, 1))
    numbers = np.array([values[place] for place in places], np.float32)
    matrix = sparse.csr_array((numbers, (rows, columns)), shape=(size, size))
    return sparse.csr_array(matrix.maximum(matrix.T))


def symmetric_arrays(matrix: sparse.csr_array) -> Arrays:
    matrix = sparse.csr_array(matrix)
    matrix.sort_indices()
    return {
        "indptr": matrix.indptr.astype(np.int64),
        "indices": matrix.indices.astype(np.int32),
        "values": matrix.data.astype(np.float32),
    }


EXTRA = Extra(WordNetMakers().makers(), sections=(Knowledge,))
