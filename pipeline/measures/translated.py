"""translated: a word's own vector, joined with those of its translations into another language.

    kutya ──dictionary──▶ dog, hound ──starter bundle of English──▶ the mean of their vectors
    kutya ──svd──▶ the vector of its own text

A language with little text borrows what another has learned from much of it. The more often a word
occurs, the more its own text counts.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from pipeline.fetched import read_resource
from pipeline.measures.family import WITH_KNOWLEDGE, MeasureJob, Skipped
from pipeline.measures.svd import unit_rows
from pipeline.stage import Metrics
from pipeline.words.translations import Translated, Weights, read_translations
from wordkin.arrays import Floats
from wordkin.errors import InputError
from wordkin.lookup import STARTERS
from wordkin.manifest import read_manifest
from wordkin.measures.files import write_matrix
from wordkin.measures.matrix import MatrixMeasure
from wordkin.measures.store import open_measure
from wordkin.vocabulary import Vocabulary


def make(measure_job: MeasureJob) -> Metrics:
    """Make the vectors of our words from those of their translations."""
    layout, vocabulary = measure_job.layout, measure_job.vocabulary
    settings = measure_job.settings.section(Translated)
    dictionaries = settings.dictionaries.get(layout.language, [])
    translations = read_translations(layout, dictionaries)
    if isinstance(translations, str):
        raise Skipped(translations)
    lender = find_lender(translations.language)
    weights = as_matrix(translations.weights, vocabulary, lender.vocabulary)
    lent = unit_rows(weights @ lent_vectors(lender).astype(np.float64))
    own = measure_job.open("svd").unit_vectors()
    if own is None:
        raise InputError(f"{measure_job.find('svd')} has no vectors: run the stage svd again.")
    vectors = joined(own, lent, vocabulary.counts, settings)
    licences = {read_resource(layout, entry.name).licence for entry in dictionaries}
    licences |= {source.get("licence") for source in read_manifest(lender.folder)["sources"]}
    licence = "; ".join(sorted(filter(None, licences)))
    facts = {"from": lender.code, "licence": licence, **WITH_KNOWLEDGE}
    write_matrix(measure_job.folder, measure_job.name, vectors=vectors, facts=facts)
    return {
        "dimensions": vectors.shape[1],
        "from": lender.code,
        "translations": int(weights.nnz),
        "words_without_translation": int((~lent.any(axis=1)).sum()),
        "words_without_vector": int((~vectors.any(axis=1)).sum()),
    }


class Lender(NamedTuple):
    """A language that lends what it knows: its code, its starter bundle, and the words of that."""

    code: str
    folder: Path
    vocabulary: Vocabulary


def find_lender(code: str) -> Lender:
    """The starter bundle of a language, which comes with the library."""
    folder = STARTERS / code
    if not folder.is_dir():
        raise Skipped(f"there is no starter bundle of '{code}', which lends its words")
    return Lender(code, folder, Vocabulary.read(folder / "vocabulary.tsv"))


def joined(own: Floats, lent: Floats, counts: NDArray[np.int64], settings: Translated) -> Floats:
    """Two unit vectors of each word side by side, together of unit length.

    A word that occurs n times has its own with the weight n / (n + `settings.occurrences`), and the
    lent one with `settings.weight`. A word that lacks one of them is judged by the other.
    """
    weights = np.zeros(len(counts))
    occurrences = counts.astype(np.float64)
    np.divide(occurrences, occurrences + settings.occurrences, out=weights, where=counts > 0)
    own_part = np.sqrt(weights)[:, None] * own
    return unit_rows(np.hstack([own_part, np.sqrt(settings.weight) * lent]))


def as_matrix(weights: Weights, ours: Vocabulary, theirs: Vocabulary) -> sparse.csr_array:
    """The weights of translations that they know as a matrix: (our words, their words)."""
    entries = [
        (row, theirs.id(translation), weight)
        for row, word in enumerate(ours)
        for translation, weight in weights.get(word, {}).items()
        if translation in theirs
    ]
    rows, columns, values = np.array(entries, np.float64).reshape(-1, 3).T
    places = rows.astype(np.int64), columns.astype(np.int64)
    return sparse.csr_array((values, places), shape=(len(ours), len(theirs)))


def lent_vectors(lender: Lender) -> Floats:
    """The vectors behind the only measure of a starter bundle."""
    name = read_manifest(lender.folder)["default"]
    measure = open_measure(lender.folder / name, lender.vocabulary)
    vectors = measure.embedding() if isinstance(measure, MatrixMeasure) else None
    if vectors is None:
        raise InputError(f"{lender.folder} is not as `make starter` makes it: run that again.")
    return vectors
