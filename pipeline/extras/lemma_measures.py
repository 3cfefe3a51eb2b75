"""Measures from counts that are added up over all forms of a lemma: houses and house are one word.

    lemma_npmi  npmi; two forms of one lemma are related by 1
    lemma_svd   eigenvectors of that npmi, like the measure svd
    ppmi_svd    eigenvectors of positive pointwise mutual information, with smoothed contexts

All forms of a lemma have one vector. The first eigenvectors say how frequent a word is rather than
what it means, so `extras.factored.skip` of them are left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Annotated, NamedTuple

import numpy as np
from pydantic.dataclasses import dataclass
from scipy.sparse import coo_array, csr_array

from pipeline.count.store import CountMatrix, read_counts
from pipeline.languages import language
from pipeline.measures.family import Extra, MeasureJob
from pipeline.measures.npmi import npmi, symmetric
from pipeline.measures.sparse import Longs, Sparse
from pipeline.measures.svd import decompose, unit_rows
from pipeline.mistakes import KNOWN_KEYS, Number, Whole, between
from pipeline.settings import Section
from pipeline.stage import Metrics
from wordkin.measures.files import write_matrix
from wordkin.measures.npmi import log_probabilities


class LemmaCounts(NamedTuple):
    """The counts of lemmas, and the lemma of each word of the vocabulary, as a number."""

    counts: CountMatrix
    lemmas: Longs


def count_lemmas(measure_job: MeasureJob) -> LemmaCounts:
    """Add up the counts of a language over the forms of its lemmas."""
    rules = language(measure_job.layout.language)
    lemmas = group_by_lemma(rules.lemmas(measure_job.vocabulary.words))
    return LemmaCounts(add_up(read_counts(measure_job.layout.counts), lemmas), lemmas)


def group_by_lemma(lemmas: Iterable[str]) -> Longs:
    """The number of each word's lemma; lemmas are numbered in the order of their first word."""
    numbers: dict[str, int] = {}
    return np.array([numbers.setdefault(lemma, len(numbers)) for lemma in lemmas], np.int64)


def add_up(counts: CountMatrix, groups: Longs) -> CountMatrix:
    """The counts of groups of words; two words of one group are no pair."""
    first, second = groups[counts.first_words()], groups[np.asarray(counts.indices)]
    apart = first != second
    low, high = np.minimum(first, second)[apart], np.maximum(first, second)[apart]
    size = int(groups.max(initial=-1)) + 1
    # The constructor adds up the values of equal pairs when it makes rows of them.
    summed = coo_array((np.asarray(counts.values)[apart], (low, high)), shape=(size, size)).tocsr()
    summed.sum_duplicates()
    summed.sort_indices()
    return CountMatrix(
        summed.indptr.astype(np.int64),
        summed.indices.astype(np.int32),
        summed.data.astype(np.int64),
        counts.facts,
    )


def make_lemma_npmi(measure_job: MeasureJob) -> Metrics:
    """Make the measure from the counts of the language."""
    counts, lemmas = count_lemmas(measure_job)
    matrix = of_words(npmi(counts, counts.marginals()), lemmas)
    write_matrix(measure_job.folder, measure_job.name, matrix.arrays)
    return {"lemmas": counts.words, "pairs": matrix.pairs}


def of_words(matrix: Sparse, lemmas: Longs) -> Sparse:
    """The matrix of words from the matrix of their lemmas; forms of one lemma have the value 1."""
    size, words = matrix.words, len(lemmas)
    related = csr_array((matrix.values, matrix.indices, matrix.indptr), shape=(size, size))
    ones = np.ones(words, np.float32)
    forms = csr_array((ones, lemmas, np.arange(words + 1)), shape=(words, size))
    # Each value is a sum of one term, so it is exact.
    spread = (forms @ (related @ forms.T)) + (forms @ forms.T)
    spread.setdiag(0)
    spread.eliminate_zeros()
    spread.sort_indices()
    return Sparse(spread.indptr.astype(np.int64), spread.indices.astype(np.int32), spread.data)


@dataclass(frozen=True, config=KNOWN_KEYS)
class Factored(Section):
    """Eigenvectors of a matrix made from the counts of lemmas."""

    KEY = "extras.factored"

    dimensions: Annotated[Whole, between(1, 2000)] = 600
    skip: Annotated[Whole, between(0, 100)] = 3
    exponent: Annotated[Number, between(0, 2)] = 0.25
    smoothing: Annotated[Number, between(0, 1)] = 0.75
    seed: Annotated[Whole, between(0)] = 0


def make_lemma_svd(measure_job: MeasureJob) -> Metrics:
    """Make vectors from the npmi of lemmas."""
    return _make(measure_job, lambda counts: npmi(counts, counts.marginals()))


def make_ppmi_svd(measure_job: MeasureJob) -> Metrics:
    """Make vectors from the smoothed PPMI of lemmas."""
    smoothing = measure_job.settings.section(Factored).smoothing
    return _make(measure_job, lambda counts: smoothed_ppmi(counts, smoothing))


def smoothed_ppmi(counts: CountMatrix, smoothing: float) -> Sparse:
    """max(0, ln(p(a,b) / (p(a) p(b)))); `smoothing` as in `log_probabilities`."""
    log_word = log_probabilities(counts.marginals(), counts.total, smoothing)
    values = np.log(counts.values) - math.log(max(counts.total, 1))
    values -= log_word[counts.first_words()]
    values -= log_word[counts.indices]
    return symmetric(counts, np.maximum(values, 0).astype(np.float32))


def _make(measure_job: MeasureJob, matrix_of: Callable[[CountMatrix], Sparse]) -> Metrics:
    settings = measure_job.settings.section(Factored)
    counts, lemmas = count_lemmas(measure_job)
    matrix = matrix_of(counts)
    values, eigenvectors = decompose(matrix, settings.dimensions + settings.skip, settings.seed)
    rest = slice(settings.skip, None)
    vectors = unit_rows(eigenvectors[:, rest] * values[rest] ** settings.exponent)[lemmas]
    facts = {"dimensions": vectors.shape[1], "skip": settings.skip, "exponent": settings.exponent}
    write_matrix(measure_job.folder, measure_job.name, vectors=vectors, facts=facts)
    return {
        "lemmas": counts.words,
        "pairs": matrix.pairs,
        "dimensions": vectors.shape[1],
        "words_without_vector": int((~vectors.any(axis=1)).sum()),
    }


EXTRA = Extra(
    {"lemma_npmi": make_lemma_npmi, "lemma_svd": make_lemma_svd, "ppmi_svd": make_ppmi_svd},
    sections=(Factored,),
)
