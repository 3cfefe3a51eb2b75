"""What a corpus says about each word: tokens, documents, sources, capitals, and forms.

Each task counts the words of several shards and scatters them to buckets, by a hash of the word. A
bucket adds up the counts and passes on only words that can still be chosen, so the driver never
receives more than a few vocabularies.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
from numpy.typing import NDArray

from pipeline.corpus import token_shards
from pipeline.corpus.languages.tokenizer import ALL_CAPITALS, CAPITAL, CHANGED, ENDS, OPENS
from pipeline.engine import Engine

BUCKETS = 16

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


class _Shard(NamedTuple):
    path: Path
    source: int


def count_words(engine: Engine, shards: list[Path], most: int, wanted: set[str]) -> CountedWords:
    """Count all words; the `most` most frequent ones and the `wanted` ones become candidates."""
    sources = sorted({path.parent.name for path in shards})
    numbered = [_Shard(path, sources.index(path.parent.name)) for path in shards]
    tasks = min(len(shards), 4 * engine.cores)
    shards_of_tasks = [numbered[i::tasks] for i in range(tasks)]

    def merge(_bucket: int, scattered: Iterator[bytes]) -> CountedWords:
        return _merge(scattered, most, wanted)

    merged = engine.gather(_scatter_words, shards_of_tasks, merge, BUCKETS, "counting words")
    buckets = [counted for _, counted in merged]
    columns = zip(*(counted.candidates[1:] for counted in buckets), strict=True)
    return CountedWords(
        WordStatistics(
            [word for counted in buckets for word in counted.candidates.words],
            *map(np.concatenate, columns),
        ),
        tokens=sum(counted.tokens for counted in buckets),
        types=sum(counted.types for counted in buckets),
    )


COUNTED = ("counts", "documents", "running", "capitals", "unchanged")
"""What is counted in each source and added up over the sources."""

EMPTY = pa.table(
    {
        "word": pa.array([], pa.string()),
        "source": pa.array([], pa.int64()),
        **{name: pa.array([], pa.int64()) for name in COUNTED},
    }
)


def _scatter_words(shards: list[_Shard]) -> Iterator[tuple[int, bytes]]:
    table = _add_up(
        _count_batch(batch, shard.source)
        for shard in shards
        for batch in token_shards.batches(shard.path, with_marks=True)
    )
    words = table["word"].to_pylist()
    bucket_of = np.array([zlib.crc32(word.encode()) % BUCKETS for word in words], int)
    for bucket in np.unique(bucket_of):
        yield int(bucket), _packed(table.filter(pa.array(bucket_of == bucket)))


def _count_batch(batch: token_shards.Batch, source: int) -> pa.Table:
    types = len(batch.types)
    assert batch.marks is not None
    running = in_running_text(batch.marks, batch.lines)

    def count(chosen: NDArray[np.bool_]) -> Numbers:
        return np.bincount(batch.tokens[chosen], minlength=types)

    counts, documents = count_types(batch.tokens, batch.documents, types)
    columns = {
        "counts": counts,
        "documents": documents,
        "running": count(running),
        "capitals": count(running & has(batch.marks, CAPITAL)),
        "unchanged": count(~has(batch.marks, CHANGED)),
    }
    return pa.table({"word": batch.types, "source": np.full(types, source), **columns})


def has(marks: NDArray[np.uint8], bits: int) -> NDArray[np.bool_]:
    """Which tokens have any of these marks."""
    return (marks & bits) != 0


def in_running_text(marks: NDArray[np.uint8], lines: Numbers) -> NDArray[np.bool_]:
    """Which tokens are where an ordinary word is in lower case.

    That is not where a line, a sentence or a quotation starts. It is not after a word in capitals
    either, which leaves out lines in capitals.
    """
    running = ~has(marks, OPENS)
    running[1:] &= ~has(marks[:-1], ENDS | ALL_CAPITALS)
    running[lines[:-1]] = False
    return running


def count_types(
    tokens: NDArray[np.int32], documents: NDArray[np.int64], types: int
) -> tuple[Numbers, Numbers]:
    """The number of tokens of each type, and the number of documents that contain it."""
    document_of = np.repeat(np.arange(len(documents) - 1), np.diff(documents))
    # Sorting and comparing takes a tenth of the time that np.unique takes.
    places = np.sort(document_of * types + tokens)
    first = np.diff(places, prepend=-1) > 0
    return (
        np.bincount(tokens, minlength=types),
        np.bincount(places[first] % max(types, 1), minlength=types),
    )


def _add_up(tables: Iterator[pa.Table]) -> pa.Table:
    """One row per word and source, with its numbers added up."""
    table = pa.concat_tables([EMPTY, *tables])
    added = table.group_by(["word", "source"]).aggregate([(name, "sum") for name in COUNTED])
    names = {f"{name}_sum": name for name in COUNTED}
    return added.rename_columns([names.get(name, name) for name in added.column_names]).select(
        EMPTY.column_names
    )


def _packed(table: pa.Table) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema) as stream:
        stream.write_table(table)
    return sink.getvalue().to_pybytes()


def _merge(scattered: Iterator[bytes], most: int, wanted: set[str]) -> CountedWords:
    by_source = _add_up(pa.ipc.open_stream(data).read_all() for data in scattered)
    table = by_source.group_by("word").aggregate(
        [("source", "count"), *((name, "sum") for name in COUNTED)]
    )
    ordered = table.sort_by([("counts_sum", "descending"), ("word", "ascending")])
    rarer = ordered.slice(most)
    rarer = rarer.filter(pc.is_in(rarer["word"], pa.array(sorted(wanted), pa.string())))
    candidates = pa.concat_tables([ordered.slice(0, most), rarer])
    columns = {name: candidates[f"{name}_sum"].to_numpy() for name in COUNTED}
    return CountedWords(
        WordStatistics(
            words=candidates["word"].to_pylist(),
            sources=candidates["source_count"].to_numpy(),
            **columns,
        ),
        tokens=pc.sum(table["counts_sum"]).as_py() or 0,
        types=len(table),
    )
