"""Copies: documents whose text occurs before them, in the same source or in an earlier one.

Each shard scatters the digests of its documents to buckets. All documents with the same digest meet
in one bucket, which finds the copies among them. Only shards with copies are then rewritten.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipeline.engine import Engine
from pipeline.storage import AnyPath
from pipeline.words import token_shards

BUCKETS = 64
PLACE = np.dtype([("digest", "V16"), ("shard", "<i8"), ("row", "<i8")])
"""A digest, and the document that has it."""


class Dropped(NamedTuple):
    """What was dropped from a shard."""

    documents: int
    tokens: int


class _Rows(NamedTuple):
    """Some documents of a shard."""

    shard: AnyPath
    rows: NDArray[np.int64]


def drop_copies(engine: Engine, shards: list[AnyPath]) -> dict[int, Dropped]:
    """Keep the first document of each digest, in the order of the shards.

    Returns what was dropped, by the index of the shard.
    """
    numbered = list(enumerate(shards))
    buckets = engine.gather(_scatter_digests, numbered, _find_copies, BUCKETS, "finding copies")
    copies: dict[int, list[NDArray[np.int64]]] = {}
    for _, rows_of_shards in buckets:
        for shard, rows in rows_of_shards.items():
            copies.setdefault(shard, []).append(rows)
    changed = sorted(copies)
    work = [_Rows(shards[shard], np.sort(np.concatenate(copies[shard]))) for shard in changed]
    tokens = engine.each(_drop_rows, work, "dropping copies")
    return {
        shard: Dropped(len(task.rows), dropped)
        for shard, task, dropped in zip(changed, work, tokens, strict=True)
    }


def _scatter_digests(numbered: tuple[int, AnyPath]) -> Iterator[tuple[int, bytes]]:
    shard, path = numbered
    digests = token_shards.digests(path)
    places = np.empty(len(digests), dtype=PLACE)
    places["digest"], places["shard"], places["row"] = digests, shard, np.arange(len(digests))
    bucket_of = digests.view(np.uint8).reshape(-1, 16)[:, 0] % BUCKETS
    for bucket in np.unique(bucket_of):
        yield int(bucket), places[bucket_of == bucket].tobytes()


def _find_copies(_bucket: int, scattered: Iterator[bytes]) -> dict[int, NDArray[np.int64]]:
    """All but the first document of each digest: the rows to drop, by shard."""
    places = np.concatenate([np.frombuffer(data, dtype=PLACE) for data in scattered])
    key = places["digest"].copy().view(np.uint64).reshape(-1, 2)
    order = np.lexsort((places["row"], places["shard"], key[:, 1], key[:, 0]))
    places, key = places[order], key[order]
    is_copy = np.zeros(len(places), dtype=bool)
    is_copy[1:] = (key[1:] == key[:-1]).all(axis=1)
    copies = places[is_copy]
    return {
        int(shard): copies["row"][copies["shard"] == shard].copy()
        for shard in np.unique(copies["shard"])
    }


def _drop_rows(work: _Rows) -> int:
    return token_shards.drop_rows(work.shard, work.rows)
