"""Duplicates: documents whose text occurs before them, in the same source or in an earlier one."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipeline.engine import Engine
from pipeline.storage import AnyPath
from pipeline.words import token_shards


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
    digests = engine.each(token_shards.digests, shards, "finding duplicates")
    repeated = repeats(np.concatenate(digests))
    bounds = np.cumsum([0, *map(len, digests)])
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
    return token_shards.drop_rows(work.shard, work.rows)
