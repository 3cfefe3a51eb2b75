"""Counts added up over all forms of a lemma: houses and house count as one word."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from scipy.sparse import coo_array

from pipeline.count.store import CountMatrix, read_counts
from pipeline.languages import language
from pipeline.measures.family import Workplace
from pipeline.measures.sparse import Longs


class LemmaCounts(NamedTuple):
    """The counts of lemmas, and the lemma of each word of the vocabulary, as a number."""

    counts: CountMatrix
    lemmas: Longs


def count_lemmas(workplace: Workplace) -> LemmaCounts:
    """Add up the counts of a language over the forms of its lemmas."""
    rules = language(workplace.layout.language)
    lemmas = group_by_lemma(rules.lemmas(workplace.vocabulary.words))
    return LemmaCounts(add_up(read_counts(workplace.layout.counts), lemmas), lemmas)


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
