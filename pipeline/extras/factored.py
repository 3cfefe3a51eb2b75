"""lemma_svd, ppmi_svd: eigenvectors of matrices that are made from the counts of lemmas.

    lemma_svd   of npmi, like the measure svd
    ppmi_svd    of positive pointwise mutual information, with smoothed contexts

All forms of a lemma have one vector. The first eigenvectors say how frequent a word is rather than
what it means, so `extras.factored.skip` of them are left out.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Annotated

import numpy as np
from pydantic.dataclasses import dataclass

from pipeline.count.store import CountMatrix
from pipeline.extras.lemma_counts import count_lemmas
from pipeline.measures.family import Extra, Workplace
from pipeline.measures.npmi import npmi, symmetric
from pipeline.measures.sparse import Sparse
from pipeline.measures.svd import decompose, unit_rows
from pipeline.mistakes import KNOWN_KEYS, Number, Whole, between
from pipeline.settings import Section
from pipeline.stage import Metrics
from wordkin.measures.files import write_matrix
from wordkin.measures.npmi import log_probabilities


@dataclass(frozen=True, config=KNOWN_KEYS)
class Factored(Section):
    """Eigenvectors of a matrix made from the counts of lemmas."""

    KEY = "extras.factored"

    dimensions: Annotated[Whole, between(1, 2000)] = 600
    skip: Annotated[Whole, between(0, 100)] = 3
    exponent: Annotated[Number, between(0, 2)] = 0.25
    smoothing: Annotated[Number, between(0, 1)] = 0.75
    seed: Annotated[Whole, between(0)] = 0


def make_lemma_svd(workplace: Workplace) -> Metrics:
    """Make vectors from the npmi of lemmas."""
    return _make(workplace, lambda counts: npmi(counts, counts.marginals()))


def make_ppmi_svd(workplace: Workplace) -> Metrics:
    """Make vectors from the smoothed PPMI of lemmas."""
    smoothing = workplace.settings.section(Factored).smoothing
    return _make(workplace, lambda counts: smoothed_ppmi(counts, smoothing))


def smoothed_ppmi(counts: CountMatrix, smoothing: float) -> Sparse:
    """max(0, ln(p(a,b) / (p(a) p(b)))); `smoothing` as in `log_probabilities`."""
    log_word = log_probabilities(counts.marginals(), counts.total, smoothing)
    values = np.log(counts.values) - math.log(max(counts.total, 1))
    values -= log_word[counts.first_words()]
    values -= log_word[counts.indices]
    return symmetric(counts, np.maximum(values, 0).astype(np.float32))


def _make(workplace: Workplace, matrix_of: Callable[[CountMatrix], Sparse]) -> Metrics:
    settings = workplace.settings.section(Factored)
    counts, lemmas = count_lemmas(workplace)
    matrix = matrix_of(counts)
    values, eigenvectors = decompose(matrix, settings.dimensions + settings.skip, settings.seed)
    rest = slice(settings.skip, None)
    vectors = unit_rows(eigenvectors[:, rest] * values[rest] ** settings.exponent)[lemmas]
    facts = {"dimensions": vectors.shape[1], "skip": settings.skip, "exponent": settings.exponent}
    write_matrix(workplace.folder, workplace.name, vectors=vectors, facts=facts)
    return {
        "lemmas": counts.words,
        "pairs": matrix.pairs,
        "dimensions": vectors.shape[1],
        "words_without_vector": int((~vectors.any(axis=1)).sum()),
    }


EXTRA = Extra({"lemma_svd": make_lemma_svd, "ppmi_svd": make_ppmi_svd}, sections=(Factored,))
