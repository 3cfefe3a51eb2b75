"""What a corpus says about each word: tokens, documents, sources, capitals, and forms.

A word is a type of the corpus or, where a language is counted by lemma, all types of one lemma.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pipeline.engine import Engine
from pipeline.storage import AnyPath
from pipeline.words import token_shards
from pipeline.words.lemma_table import FormsOfWords, LemmaTable
from pipeline.words.type_counts import COUNTED, count_documents

Numbers = NDArray[np.int64]


class WordStatistics(NamedTuple):
    """Words, each with its numbers in the corpus."""

    words: list[str]
    counts: Numbers
    """The number of tokens."""
    documents: Numbers
    """The number of documents that have the word."""
    sources: Numbers
    """The number of sources that have the word."""
    running: Numbers
    """The number of tokens in running text: not where a sentence, a line or a quotation starts, and
    not after a word in capitals."""
    capitals: Numbers
    """How many of those have a capital letter."""
    unchanged: Numbers
    """The number of tokens that stand like this in the text, and were not changed to a lemma."""

    @classmethod
    def of(cls, words: Sequence[str], columns: dict[str, Sequence[int]]) -> WordStatistics:
        """Statistics from columns of numbers; one that is not there is 0 for every word."""
        zeros = [0] * len(words)
        return cls(
            list(words),
            *(np.array(columns.get(name, zeros), np.int64) for name in cls._fields[1:]),
        )

    def select(self, words: Sequence[str]) -> WordStatistics:
        """The statistics of some words, in their order; a word that is not there has only 0."""
        places = {word: at for at, word in enumerate(self.words)}
        at = np.array([places.get(word, -1) for word in words], np.int64)
        columns = (np.append(column, 0)[at] for column in self[1:])
        return WordStatistics(list(words), *columns)


class CountedWords(NamedTuple):
    """The words that can be chosen, and the totals over all words."""

    candidates: WordStatistics
    tokens: int
    types: int


def count_words(
    types: pa.Table, lemmas: LemmaTable | None, most: int, wanted: set[str]
) -> CountedWords:
    """Add up the types of each word, as `pipeline.words.type_counts.read_types` gives them.

    The `most` most frequent words and the `wanted` ones become candidates. The documents of a lemma
    are left at 0: they are not the sum of its types' documents (`documents_of_lemmas`).
    """
    words = types["word"].combine_chunks()
    mapped = lemmas.map(words) if lemmas else words
    written = pc.if_else(pc.equal(mapped, words), types["counts"], 0)
    rows = types.set_column(types.column_names.index("word"), "word", mapped)
    rows = rows.append_column("unchanged", written)
    if lemmas:
        rows = rows.set_column(
            rows.column_names.index("documents"), "documents", pa.array(np.zeros(len(rows), int))
        )
    numbers = (*COUNTED, "unchanged")
    table = rows.group_by("word").aggregate(
        [("source", "count_distinct"), *((name, "sum") for name in numbers)]
    )
    ordered = table.sort_by([("counts_sum", "descending"), ("word", "ascending")])
    rarer = ordered.slice(most)
    rarer = rarer.filter(pc.is_in(rarer["word"], pa.array(sorted(wanted), pa.string())))
    candidates = pa.concat_tables([ordered.slice(0, most), rarer])
    columns = {name: candidates[f"{name}_sum"].to_numpy() for name in numbers}
    return CountedWords(
        WordStatistics(
            words=candidates["word"].to_pylist(),
            sources=candidates["source_count_distinct"].to_numpy(),
            **columns,
        ),
        tokens=pc.sum(table["counts_sum"]).as_py() or 0,
        types=len(table),
    )


def documents_of_lemmas(
    engine: Engine, shards: Sequence[AnyPath], words: Sequence[str], lemmas: LemmaTable, light: bool
) -> Numbers:
    """The number of documents that have any form of each of these lemmas.

    `light` says that the shards have few tokens.
    """
    tasks = 1 if light else min(len(shards), 4 * engine.cores)
    count = partial(_count_documents, lemmas.forms_of(words), len(words))
    parts = [shards[i::tasks] for i in range(tasks)]
    counted = engine.each(count, parts, "counting documents", light)
    return np.sum(counted, axis=0, dtype=np.int64)


def _count_documents(forms: FormsOfWords, words: int, shards: Sequence[AnyPath]) -> Numbers:
    documents = np.zeros(words + 1, np.int64)
    word_of = np.append(forms.places, words)  # the last stands for all other words
    for shard in shards:
        for batch in token_shards.batches(shard):
            form = pc.fill_null(pc.index_in(batch.types, value_set=forms.forms), len(forms.forms))
            word_of_type = word_of[form.to_numpy()]
            documents += count_documents(word_of_type[batch.tokens], batch.documents, words + 1)
    return documents[:-1]
