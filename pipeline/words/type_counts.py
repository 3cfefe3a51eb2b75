"""The distinct words of a corpus with their numbers, counted while its tokens are made.

A corpus has its types in `corpora/<language>/types`, in Parquet files with fixed names. A hash of
the word decides which file has it. A file has one row per word and source, in this order:

    word        string
    source      string
    counts      int64     the number of tokens
    documents   int64     the number of documents that have the word
    running     int64     the number of tokens in running text: not where a sentence, a line or a
                          quotation starts, and not after a word in capitals
    capitals    int64     how many of those have a capital letter
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pipeline import storage
from pipeline.engine import Engine
from pipeline.languages.marks import CAPITAL, has, in_running_text
from pipeline.storage import AnyPath
from pipeline.words import token_shards

FILES = 16

COUNTED = ("counts", "documents", "running", "capitals")
"""What is counted in each source and can be added up over sources."""

EMPTY = pa.table(
    {
        "word": pa.array([], pa.string()),
        "source": pa.array([], pa.int64()),
        **{name: pa.array([], pa.int64()) for name in COUNTED},
    }
)

Numbers = NDArray[np.int64]


class _Shard(NamedTuple):
    path: AnyPath
    source: int


def write_types(engine: Engine, shards: Sequence[AnyPath], folder: AnyPath) -> int:
    """Count the types in the shards of all sources, write them to a folder; how many there are."""
    sources = sorted({path.parent.name for path in shards})
    numbered = [_Shard(path, sources.index(path.parent.name)) for path in shards]
    tasks = min(len(shards), 4 * engine.cores)
    shards_of_tasks = [numbered[i::tasks] for i in range(tasks)]

    def write(number: int, scattered: Iterator[bytes]) -> int:
        return _write(folder / f"part-{number:05d}.parquet", sources, scattered)

    written = engine.gather(_scatter, shards_of_tasks, write, FILES, "counting types")
    return sum(types for _, types in written)


def read_types(folder: Path) -> pa.Table:
    """All rows of all files, in a fixed order."""
    files = (path for path in storage.files_in(folder) if path.name.startswith("part-"))
    tables = (pq.read_table(storage.for_arrow(path)) for path in files)
    return pa.concat_tables(tables).combine_chunks()


class Totals(NamedTuple):
    """The types of all sources, in the order of code points, and their numbers of tokens."""

    words: pa.StringArray
    counts: NDArray[np.int64]


def totals(types: pa.Table) -> Totals:
    """Add up the tokens of each type over all sources."""
    summed = types.group_by("word").aggregate([("counts", "sum")]).sort_by("word")
    return Totals(summed["word"].combine_chunks(), summed["counts_sum"].to_numpy())


def _scatter(shards: list[_Shard]) -> Iterator[tuple[int, bytes]]:
    table = _add_up(
        _count_batch(batch, shard.source)
        for shard in shards
        for batch in token_shards.batches(shard.path, with_marks=True)
    )
    words = table["word"].to_pylist()
    file_of = np.array([zlib.crc32(word.encode()) % FILES for word in words], int)
    for number in np.unique(file_of):
        yield int(number), _packed(table.filter(pa.array(file_of == number)))


def _write(path: AnyPath, sources: Sequence[str], scattered: Iterator[bytes]) -> int:
    """Write the types of one file; how many there are."""
    added = _add_up(pa.ipc.open_stream(data).read_all() for data in scattered)
    table = added.sort_by([("word", "ascending"), ("source", "ascending")])
    names = pa.array(sources, pa.string()).take(table["source"].combine_chunks())
    named = table.set_column(table.column_names.index("source"), "source", names)
    with storage.new_file(path) as temporary:
        pq.write_table(
            named.combine_chunks(),
            temporary,
            compression="zstd",
            use_dictionary=["source"],
            write_statistics=False,
        )
    return int(pc.count_distinct(named["word"]).as_py())


def _count_batch(batch: token_shards.Batch, source: int) -> pa.Table:
    types = len(batch.types)
    assert batch.marks is not None
    running = in_running_text(batch.marks, batch.lines)

    def count(chosen: NDArray[np.bool_]) -> Numbers:
        return np.bincount(batch.tokens[chosen], minlength=types)

    columns = {
        "counts": np.bincount(batch.tokens, minlength=types),
        "documents": count_documents(batch.tokens, batch.documents, types),
        "running": count(running),
        "capitals": count(running & has(batch.marks, CAPITAL)),
    }
    return pa.table({"word": batch.types, "source": np.full(types, source), **columns})


@numba.njit(cache=True, boundscheck=False)
def count_documents(tokens: NDArray[np.int32], documents: Numbers, types: int) -> Numbers:
    """The number of documents that contain each type."""
    counts = np.zeros(types, np.int64)
    last = np.full(types, -1, np.int64)  # the last document with each type
    for document in range(len(documents) - 1):
        for token in range(documents[document], documents[document + 1]):
            type_ = tokens[token]
            counts[type_] += last[type_] != document
            last[type_] = document
    return counts


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
