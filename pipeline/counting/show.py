"""What was counted, for people: the count of a pair, or the words that a word meets most."""

from __future__ import annotations

import json
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from pipeline.corpus.languages import language
from pipeline.corpus.tokens import WordsOf
from pipeline.counting.export import counts_of
from pipeline.counting.store import CountMatrix
from pipeline.layout import Layout
from wordkin.errors import InputError
from wordkin.tables import table_lines
from wordkin.vocabulary import Vocabulary

SHOWN = 20


def show(layout: Layout, typed: Sequence[str], lemmatize: bool) -> str:
    """The count of two words, or the partners of one."""
    if len(typed) > 2:
        raise InputError(f"--show takes one word or two, not {len(typed)}.")
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    counts = counts_of(layout, vocabulary)
    of_text = WordsOf(language(layout.language), lemmatize)
    ids = [vocabulary.id(" ".join(of_text(word)) or word) for word in typed]
    row = partners(counts, ids[0])
    words = vocabulary.words
    about = json.loads((layout.counts / "counts.json").read_text(encoding="utf-8"))
    window = f"{about['weighting']} weights, windows of {about['window']}"
    if len(ids) == 2:
        weight = _weight(row[ids[1]], counts.scale)
        return f"{words[ids[0]]} and {words[ids[1]]}: {weight} ({window})"
    seen = int(np.count_nonzero(row))
    closest = np.lexsort((np.arange(len(row)), -row))[: min(SHOWN, seen)]
    rows = [(words[other], _weight(row[other], counts.scale)) for other in closest.tolist()]
    told = f"{words[ids[0]]}: {seen:,} words beside it, {_weight(row.sum(), counts.scale)} in all"
    return "\n".join([f"{told} ({window})", *(table_lines(None, rows) if rows else [])])


def partners(counts: CountMatrix, word: int) -> NDArray[np.int64]:
    """The stored counts of a word with all words; only pairs above the diagonal are stored."""
    row = np.zeros(counts.words, np.int64)
    own = slice(counts.indptr[word], counts.indptr[word + 1])
    row[counts.indices[own]] = counts.values[own]
    earlier = np.flatnonzero(counts.indices[: own.start] == word)
    row[np.searchsorted(counts.indptr, earlier, side="right") - 1] = counts.values[earlier]
    return row


def _weight(value: int, scale: int) -> str:
    return f"{value / scale:.2f}" if scale > 1 else str(int(value))
