"""npmi -> graph: 1 - the weight of the shortest path, over edges of weight 1 - npmi.

The paths are exact; `pipeline.relatedness.shortest_paths` finds them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.layout import Layout
from pipeline.relatedness.matrix_files import describe_matrix, write_matrix
from pipeline.relatedness.shortest_paths import (
    FAR,
    UNIT,
    Edges,
    all_pairs,
    count_beaten_edges,
    edges_of,
    from_words,
)
from pipeline.relatedness.sparse import ROWS, Floats, Ints, RowChunk, read_sparse
from pipeline.settings import Graph
from pipeline.stage import Job, Metrics


def run(job: Job) -> Metrics:
    """Make the measure `graph` of a language from its `npmi`."""
    return make_graph(job.layout, job.settings.graph)


def make_graph(layout: Layout, settings: Graph) -> Metrics:
    """Read npmi, compute the measure, and write it."""
    npmi = read_sparse(layout.measure("npmi"))
    paths = GraphRows(edges_of(npmi), settings.memory_mib)
    folder = layout.measure("graph")
    metrics = write_matrix(folder, "graph", npmi, paths.chunks(), settings, absent=-np.inf)
    return {**metrics, **paths.metrics()}


class GraphRows:
    """The rows of the measure, from the whole matrix of distances if it fits the memory limit."""

    def __init__(self, edges: Edges, memory_mib: int) -> None:
        self.edges = edges
        self.whole = 4 * edges.words**2 <= memory_mib * 2**20
        self.passes = self.beaten = 0

    def chunks(self) -> Iterator[RowChunk]:
        """Whole rows; -inf where there is no path."""
        edges, words = self.edges, self.edges.words
        if self.whole:
            distances, self.passes = all_pairs(edges)
        for start in range(0, words, ROWS):
            sources = np.arange(start, min(start + ROWS, words))
            if self.whole:
                rows = distances[sources]
            else:
                rows, passes = from_words(edges, sources)
                self.passes = max(self.passes, passes)
            self.beaten += count_beaten_edges(edges, start, rows)
            yield RowChunk(start, relatedness(rows, edges.component, sources))

    def metrics(self) -> dict[str, Any]:
        """Figures of the graph and the search; complete after the last chunk."""
        sizes = np.bincount(self.edges.component)
        return {
            "passes": self.passes,
            "edges": len(self.edges.ends) // 2,
            "edges_beaten": self.beaten // 2,
            "components": len(sizes),
            "largest_component": int(sizes.max(initial=0)),
        }


def relatedness(distances: Ints, component: Ints, sources: NDArray[np.int64]) -> Floats:
    """The distances from `sources` to all words as relatedness; -inf where there is no path."""
    rows = np.float32(1.0) - distances.astype(np.float32) / np.float32(UNIT)
    rows[(component[sources][:, None] != component) | (distances >= FAR)] = -np.inf
    rows[np.arange(len(sources)), sources] = 0.0
    return rows


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    return (
        f"{metrics['edges']:,} edges in, {describe_matrix(metrics)}; {metrics['passes']} passes, "
        f"{metrics['edges_beaten']:,} edges beaten by a detour"
    )
