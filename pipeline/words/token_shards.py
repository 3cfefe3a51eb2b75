"""Token shards: the files that the tokens stage writes and later stages read.

A shard is a Parquet file, `<source>/part-00000.parquet`, with one row per document:

    document  string            the document's id in its source
    digest    fixed binary 16   a hash of the document's text, to find duplicates
    tokens    list<string>      its words, in order
    lines     list<int32>       the number of words in each line of the text
    flags     binary            one byte per word: its capitals, and where sentences end
                                (`pipeline.languages.tokenizer` has the bits)

The bytes of a shard depend only on its documents, not on the number of tasks or cores.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import pairwise
from pathlib import Path, PurePath
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pipeline import storage
from pipeline.engine import SMALL_TOKENS, Engine
from pipeline.storage import AnyPath

SCHEMA = pa.schema(
    [
        ("document", pa.string()),
        ("digest", pa.binary(16)),
        ("tokens", pa.list_(pa.string())),
        ("lines", pa.list_(pa.int32())),
        ("flags", pa.binary()),
    ]
)
SHARD = "part-*.parquet"
ROW_GROUP_TOKENS = 1_000_000
"""Large enough for a dictionary per row group to pay off, small enough to keep memory flat."""


class Row(NamedTuple):
    """One document of a shard."""

    document: str
    digest: bytes
    tokens: pa.StringArray | list[str]
    lines: NDArray[np.integer[Any]] | list[int]
    flags: bytes = b""
    """One byte per token; empty if no token has one."""


class Batch(NamedTuple):
    """The tokens of several documents, as indices into a list of types."""

    types: pa.StringArray
    tokens: NDArray[np.int32]
    """The index of each token in `types`."""
    documents: NDArray[np.int64]
    """The start of each document in `tokens`, then the end of the last one."""
    lines: NDArray[np.int64]
    """The start of each line in `tokens`, then the end of the last one."""
    flags: NDArray[np.uint8] | None = None
    """The flags of each token, if they were asked for."""


def write_shard(path: AnyPath, rows: Iterable[Row]) -> None:
    """Write documents to `path`, in row groups of about ROW_GROUP_TOKENS tokens."""
    with storage.new_file(path) as temporary, _writer(temporary) as writer:
        group: list[Row] = []
        tokens = 0
        for row in rows:
            group.append(row)
            tokens += len(row.tokens)
            if tokens >= ROW_GROUP_TOKENS:
                writer.write_table(_table(group))
                group, tokens = [], 0
        if group:
            writer.write_table(_table(group))


def _writer(path: Path) -> pq.ParquetWriter:
    return pq.ParquetWriter(
        path,
        SCHEMA,
        compression="zstd",
        compression_level=1,
        use_dictionary=["tokens.list.element"],
        dictionary_pagesize_limit=64 << 20,
        write_statistics=False,
    )


def _table(rows: list[Row]) -> pa.Table:
    tokens = pa.concat_arrays([_strings(row.tokens) for row in rows])
    lines = np.concatenate([row.lines for row in rows], dtype=np.int32, casting="same_kind")
    return pa.Table.from_arrays(
        [
            _strings([row.document for row in rows]),
            pa.array([row.digest for row in rows], pa.binary(16)),
            pa.ListArray.from_arrays(_offsets(len(row.tokens) for row in rows), tokens),
            pa.ListArray.from_arrays(_offsets(len(row.lines) for row in rows), pa.array(lines)),
            pa.array([row.flags or bytes(len(row.tokens)) for row in rows], pa.binary()),
        ],
        schema=SCHEMA,
    )


def _strings(texts: pa.StringArray | list[str]) -> pa.StringArray:
    return texts if isinstance(texts, pa.StringArray) else pa.array(texts, pa.string())


def _offsets(lengths: Iterable[int]) -> pa.Int32Array:
    return pa.array(np.cumsum([0, *lengths], dtype=np.int32))


def digests(path: AnyPath) -> NDArray[np.void]:
    """The digests of a shard's documents, in order."""
    table = pq.read_table(storage.for_arrow(path), columns=["digest"])
    return np.array(table["digest"].to_pylist(), "V16")


def drop_rows(path: AnyPath, rows: NDArray[np.int64]) -> int:
    """Rewrite a shard without these documents; return the number of tokens dropped with them."""
    dropped = 0
    with (
        storage.new_file(path) as temporary,
        pq.ParquetFile(storage.for_arrow(path)) as shard,
        _writer(temporary) as writer,
    ):
        stays = np.ones(shard.metadata.num_rows, dtype=bool)
        stays[rows] = False
        for group in range(shard.num_row_groups):
            table = shard.read_row_group(group)
            in_group, stays = np.split(stays, [len(table)])
            remaining = table.filter(pa.array(in_group))
            dropped += _token_count(table) - _token_count(remaining)
            if len(remaining):
                writer.write_table(remaining.combine_chunks())
    return dropped


def _token_count(table: pa.Table) -> int:
    return sum(len(chunk.flatten()) for chunk in table.column("tokens").chunks)


def batches(path: AnyPath, with_flags: bool = False) -> Iterator[Batch]:
    """The documents of a shard, one row group at a time, with words as dictionary indices."""
    columns = ["tokens", "lines", *(["flags"] if with_flags else [])]
    file = storage.for_arrow(path)
    with pq.ParquetFile(file, read_dictionary=["tokens.list.element"]) as shard:
        for group in range(shard.num_row_groups):
            table = shard.read_row_group(group, columns=columns)
            for batch in table.to_batches():
                tokens, lines = batch.column(0), batch.column(1)
                words = tokens.flatten()
                if isinstance(words, pa.ChunkedArray):
                    words = words.combine_chunks()
                documents = tokens.offsets.to_numpy().astype(np.int64)
                counts = lines.flatten().to_numpy().astype(np.int64)
                yield Batch(
                    types=words.dictionary,
                    tokens=words.indices.to_numpy(),
                    documents=documents - documents[0],
                    lines=np.concatenate([[0], np.cumsum(counts)]),
                    flags=_bytes(batch.column(2)) if with_flags else None,
                )


def _bytes(column: pa.BinaryArray) -> NDArray[np.uint8]:
    """The bytes of all rows of a column, one after the other."""
    return np.frombuffer(b"".join(column.to_pylist()), np.uint8)


def shard_files(folder: Path) -> list[AnyPath]:
    """All shards in a tokens folder, in a fixed order."""
    shards = (path for path in storage.files_in(folder) if PurePath(path.name).match(SHARD))
    return sorted(shards, key=str)


def count_tokens(path: AnyPath) -> int:
    """The number of tokens in a shard, read from its footer alone."""
    with pq.ParquetFile(storage.for_arrow(path)) as shard:
        column = shard.schema.names.index("element")  # leaf columns in schema order: tokens first
        groups = (shard.metadata.row_group(group) for group in range(shard.num_row_groups))
        return sum(group.column(column).num_values for group in groups)


def is_small(shards: Iterable[AnyPath]) -> bool:
    """Whether reading shards takes less time than Spark takes to start."""
    return sum(map(count_tokens, shards)) < SMALL_TOKENS


def in_sample(path: AnyPath, share: float) -> NDArray[np.bool_]:
    """Which documents of a shard are in an even sample that has this share of all documents.

    A document's digest decides, which is as good as random: the sample does not depend on how the
    documents are spread over shards, and a smaller sample is a part of a larger one.
    """
    last = digests(path).view(np.uint8).reshape(-1, 16)[:, 8:]
    return np.ascontiguousarray(last).view("<u8").ravel() < share * 2.0**64


# ── duplicates: documents whose text occurs before them ───────────────────────────────────────


class Dropped(NamedTuple):
    """What was dropped from a shard."""

    documents: int
    tokens: int


class _Rows(NamedTuple):
    """Some documents of a shard."""

    shard: AnyPath
    rows: NDArray[np.int64]


def drop_duplicates(engine: Engine, shards: list[AnyPath]) -> dict[int, Dropped]:
    """Keep the first document of each digest, in the order of the shards.

    Returns what was dropped, by the index of the shard. Only shards with duplicates are rewritten.
    """
    in_shards = engine.each(digests, shards, "finding duplicates")
    repeated = repeats(np.concatenate(in_shards))
    bounds = np.cumsum([0, *map(len, in_shards)])
    work = {
        shard: _Rows(shards[shard], repeated[start:end].nonzero()[0])
        for shard, (start, end) in enumerate(pairwise(bounds))
        if repeated[start:end].any()
    }
    tokens = engine.each(_drop_rows, list(work.values()), "dropping duplicates")
    return {
        shard: Dropped(len(task.rows), dropped)
        for (shard, task), dropped in zip(work.items(), tokens, strict=True)
    }


def repeats(digests: NDArray[np.void]) -> NDArray[np.bool_]:
    """Which digests of 16 bytes are among those before them."""
    halves = np.ascontiguousarray(digests).view(np.uint64).reshape(-1, 2)
    order = np.lexsort(halves.T)  # keeps the order of equal ones
    ordered = halves[order]
    repeated = np.zeros(len(halves), dtype=bool)
    repeated[order[1:]] = (ordered[1:] == ordered[:-1]).all(axis=1)
    return repeated


def _drop_rows(work: _Rows) -> int:
    return drop_rows(work.shard, work.rows)
