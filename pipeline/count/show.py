"""Counts for people: the count of a pair, or the words that occur most often near a word."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pipeline.count.export import read_matching_counts
from pipeline.count.store import CountMatrix
from pipeline.layout import Layout
from pipeline.words.lemmas import gold_form
from wordkin.errors import InputError
from wordkin.tables import table_lines
from wordkin.vocabulary import Vocabulary

SHOWN = 20
"""How many of a word's partners are shown."""


def show(layout: Layout, typed: Sequence[str], lemmatize: bool) -> str:
    """The count of two words, or the most frequent partners of one."""
    if len(typed) > 2:
        raise InputError(f"--show takes one word or two, not {len(typed)}.")
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    counts = read_matching_counts(layout, vocabulary)
    form = gold_form(layout, lemmatize)
    ids = [vocabulary.id(form(word) or word) for word in typed]
    names = vocabulary.words
    row = partner_counts(counts, ids[0])
    windows = f"{counts.facts.weighting} weights, windows of {counts.facts.window}"
    if len(ids) == 2:
        weight = _weight(row[ids[1]], counts.scale)
        return f"{names[ids[0]]} and {names[ids[1]]}: {weight} ({windows})"
    partners = int(np.count_nonzero(row))
    top = np.lexsort((np.arange(len(row)), -row))[: min(SHOWN, partners)]
    table = [(names[other], _weight(row[other], counts.scale)) for other in top.tolist()]
    total = _weight(row.sum(), counts.scale)
    summary = f"{names[ids[0]]}: {partners:,} words near it, {total} in all ({windows})"
    return "\n".join([summary, *(table_lines(None, table) if table else [])])


def partner_counts(counts: CountMatrix, word: int) -> NDArray[np.int64]:
    """The stored counts of a word with all words; only pairs above the diagonal are stored."""
    row = np.zeros(counts.words, np.int64)
    later = slice(counts.indptr[word], counts.indptr[word + 1])
    row[counts.indices[later]] = counts.values[later]
    earlier = np.flatnonzero(counts.indices[: later.start] == word)
    row[np.searchsorted(counts.indptr, earlier, side="right") - 1] = counts.values[earlier]
    return row


def _weight(value: int, scale: int) -> str:
    return f"{value / scale:.2f}" if scale > 1 else str(int(value))
