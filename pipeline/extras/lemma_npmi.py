"""lemma_npmi: npmi with the counts of all forms of a lemma added up.

All forms of a lemma are related to the same words, and two forms of one lemma are related by 1. The
one measure here that is stored as a matrix: it belongs to the vectors `lemma_svd`.
"""

from __future__ import annotations

import numpy as np
from scipy.sparse import csr_array

from pipeline.extras.lemma_counts import count_lemmas
from pipeline.measures.family import Extra, Workplace
from pipeline.measures.npmi import npmi
from pipeline.measures.sparse import Longs, Sparse
from pipeline.stage import Metrics
from wordkin.measures.files import write_matrix


def make(workplace: Workplace) -> Metrics:
    """Make the measure from the counts of the language."""
    counts, lemmas = count_lemmas(workplace)
    matrix = of_words(npmi(counts, counts.marginals()), lemmas)
    write_matrix(workplace.folder, workplace.name, matrix.arrays)
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


EXTRA = Extra({"lemma_npmi": make})
