"""translated: the vectors of a word's translations into a language of which more is known.

    kutya ──dictionary──▶ dog, hound ──starter bundle of English──▶ the mean of their vectors

A language with little text borrows what another has learned from much of it.
"""

from __future__ import annotations

import numpy as np
from scipy import sparse

from pipeline.corpus.translations import Lender, Weights, find_lender, read_weights
from pipeline.fetching.brought_files import read_brought
from pipeline.relatedness.family import WITH_KNOWLEDGE, Skipped, Workplace
from pipeline.relatedness.svd import unit_rows
from pipeline.stage import Metrics
from wordkin.arrays import Floats
from wordkin.errors import InputError
from wordkin.manifest import read_manifest
from wordkin.measures import CompactMeasure, open_measure, write_measure
from wordkin.vocabulary import Vocabulary


def make(workplace: Workplace) -> Metrics:
    """Make the vectors of our words from those of their translations."""
    layout, vocabulary = workplace.layout, workplace.vocabulary
    dictionaries = workplace.settings.vectors.translations.get(layout.language, [])
    lender = find_lender(layout, dictionaries)
    if isinstance(lender, str):
        raise Skipped(lender)
    weights = as_matrix(read_weights(layout, dictionaries, lender), vocabulary, lender.vocabulary)
    vectors = unit_rows(weights @ lent_vectors(lender).astype(np.float64))
    licences = {read_brought(layout, entry.name).licence for entry in dictionaries}
    licences |= {source.get("licence") for source in read_manifest(lender.folder)["sources"]}
    licence = "; ".join(sorted(filter(None, licences)))
    facts = {"from": lender.code, "licence": licence, **WITH_KNOWLEDGE}
    write_measure(workplace.folder, workplace.name, "vectors", {"vectors": vectors}, facts)
    return {
        "dimensions": vectors.shape[1],
        "from": lender.code,
        "translations": int(weights.nnz),
        "words_without_vector": int((~vectors.any(axis=1)).sum()),
    }


def as_matrix(weights: Weights, ours: Vocabulary, theirs: Vocabulary) -> sparse.csr_array:
    """The weights as a matrix: (our words, their words)."""
    entries = [
        (row, theirs.id(translation), weight)
        for row, word in enumerate(ours)
        for translation, weight in weights.get(word, {}).items()
    ]
    rows, columns, values = np.array(entries, np.float64).reshape(-1, 3).T
    places = rows.astype(np.int64), columns.astype(np.int64)
    return sparse.csr_array((values, places), shape=(len(ours), len(theirs)))


def lent_vectors(lender: Lender) -> Floats:
    """The vectors behind the only measure of a starter bundle."""
    name = read_manifest(lender.folder)["default"]
    measure = open_measure(lender.folder / name, lender.vocabulary)
    if not isinstance(measure, CompactMeasure):
        raise InputError(f"{lender.folder} is not as `make starter` makes it: run that again.")
    # The products of these numbers estimate the measure. The few directions with a negative weight
    # have no place in a cosine.
    lengths = np.sqrt(np.maximum(measure.codes.weights, 0.0))
    return unit_rows(measure.codes.numbers().astype(np.float64) * lengths)
