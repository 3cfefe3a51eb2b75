"""How a matrix that comes in chunks of rows is stored as a measure: sparse or dense."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.measures.low_rank import Projection
from pipeline.measures.row_statistics import RowStatistics
from pipeline.measures.sparse import Floats, RowChunk, Sparse
from pipeline.measures.top_k import ClosestWords
from pipeline.settings import Graph, Squared, TopK
from wordkin.arrays import StreamedArray
from wordkin.measures.store import write_measure


def write_matrix(
    folder: Path,
    name: str,
    npmi: Sparse,
    chunks: Iterable[RowChunk],
    settings: Squared | Graph,
    absent: float,
) -> dict[str, Any]:
    """Write a matrix that was made from `npmi` as the settings say; returns its figures.

    `absent` is the value of two words that are not related.
    """
    if settings.store == "sparse":
        return write_closest_pairs(folder, name, npmi, chunks, settings.top, absent)
    return write_all_pairs(folder, name, chunks, npmi.words, np.dtype(settings.store), absent)


def write_closest_pairs(
    folder: Path, name: str, npmi: Sparse, chunks: Iterable[RowChunk], top: TopK, absent: float
) -> dict[str, Any]:
    """Write the closest words of each word, and a low-rank approximation of the pairs cut."""
    words = npmi.words
    closest = ClosestWords(words, words if top == "all" else top, absent)
    projection = Projection(npmi) if closest.k < words - 1 else None
    for start, rows in chunks:
        closest.add(start, rows)
        if projection:
            lowest = closest.statistics.lowest[start : start + len(rows)]
            projection.add(start, with_finite_values(rows, lowest))
    stored = closest.symmetrized()
    metrics = closest.metrics(stored.pairs)
    cut = projection if metrics["pairs_cut"] else None
    facts = {"top": top, "fill": closest.statistics.fill}
    write_sparse(folder, name, stored, cut, closest.bounds, facts)
    return metrics


def write_sparse(
    folder: Path,
    name: str,
    stored: Sparse,
    cut: Projection | None,
    bounds: Floats,
    facts: dict[str, Any],
) -> None:
    """Write the pairs that are stored and, if any were cut, the projection that stands for them."""
    arrays = stored.arrays()
    if cut:
        rest, signs = cut.factors()
        arrays |= {"rest": rest, "signs": signs, "bounds": bounds}
    write_measure(folder, name, "csr", arrays, facts)


def with_finite_values(rows: Floats, lowest: Floats) -> Floats:
    """The rows with their lowest value in place of -inf."""
    if np.isfinite(rows.sum(axis=1)).all():
        return rows
    low = np.where(np.isfinite(lowest), lowest, np.float32(0))
    return np.where(np.isneginf(rows), low[:, None], rows)


def write_all_pairs(
    folder: Path,
    name: str,
    chunks: Iterable[RowChunk],
    words: int,
    dtype: np.dtype[Any],
    absent: float,
) -> dict[str, Any]:
    """Write the whole matrix as a dense array."""
    statistics = RowStatistics(words, absent)

    def rows_and_statistics() -> Iterator[Floats]:
        for start, rows in chunks:
            statistics.add(start, rows)
            yield rows

    def facts() -> dict[str, Any]:  # known when all rows are written
        return {"top": "all", "fill": statistics.fill}

    values = StreamedArray((words, words), dtype, rows_and_statistics())
    write_measure(folder, name, "dense", {"values": values}, facts)
    return statistics.metrics(statistics.pairs)


def describe_matrix(metrics: dict[str, Any]) -> str:
    """What came out and what was cut, for a stage's one-line summary."""
    return (
        f"{metrics['pairs']:,} pairs of {metrics['words']:,} words out "
        f"({metrics['density']:.1%} of all), {metrics['pairs_cut']:,} cut"
    )
