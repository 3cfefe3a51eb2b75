"""npmi -> graph: 1 - the weight of the shortest path, over edges of weight 1 - npmi.

The paths are exact. There are two ways to find them:

* All paths between all words (`GraphRows`, `pipeline.measures.shortest_paths`).
* Only those to the closest words of each word (`LargeGraph`, `pipeline.measures.nearest_paths`).
  The approximation of the other pairs then comes from the rows of a sample of words. So does every
  figure that needs all pairs. This way is taken for large vocabularies of which only the closest
  words are stored. It takes a fraction of the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

import numpy as np

from pipeline.layout import Layout
from pipeline.measures.low_rank import Projection
from pipeline.measures.matrix_files import (
    describe_matrix,
    with_finite_values,
    write_matrix,
    write_sparse,
)
from pipeline.measures.nearest_paths import nearest_words
from pipeline.measures.row_blocks import Blocks, blocks_of, gather, picks_of, shared
from pipeline.measures.row_statistics import RowStatistics, Spread, matrix_metrics
from pipeline.measures.shortest_paths import (
    FAR,
    UNIT,
    Edges,
    all_pairs,
    count_beaten_edges,
    edges_of,
    from_words,
)
from pipeline.measures.sparse import ROWS, Floats, Ints, Longs, RowChunk, Sparse, read_sparse
from pipeline.measures.top_k import PickedWords
from pipeline.memory import Sizes
from pipeline.settings import Graph, Settings
from pipeline.stage import Job, Metrics, Stage
from wordkin.arrays import map_array

LARGE = 20_000
"""With more words than these, closest words are searched without the paths between all words. A
constant rather than a matter of memory, because the approximation of other pairs depends on it."""

SAMPLE = 2048
"""Words whose rows are computed to approximate all others (docs/matrices.md says how well)."""


def run(job: Job) -> Metrics:
    """Make the measure `graph` of a language from its `npmi`."""
    with blocks_of(job) as blocks:
        return make_graph(job.layout, job.settings.graph, blocks)


def make_graph(layout: Layout, settings: Graph, blocks: Blocks | None = None) -> Metrics:
    """Read npmi, compute the measure, and write it."""
    npmi = read_sparse(layout.measure("npmi"))
    edges, folder = edges_of(npmi), layout.measure("graph")
    if settings.store == "sparse" and settings.top != "all" and npmi.words > LARGE:
        if blocks:
            edges = _shared_edges(edges, blocks)
        large = LargeGraph(shared(npmi, blocks), edges, settings.top, blocks)
        facts = {"top": settings.top, "fill": large.fill}
        write_sparse(folder, "graph", large.stored, large.projection, large.bounds, facts)
        return large.metrics()
    paths = GraphRows(edges, settings.memory_mib)
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
            self.beaten += count_beaten_edges(edges, sources, rows)
            yield RowChunk(start, relatedness(rows, edges.component, sources))

    def metrics(self) -> dict[str, Any]:
        """Figures of the graph and the search; complete after the last chunk."""
        return graph_metrics(self.edges, self.passes, self.beaten // 2)


class LargeGraph:
    """The closest words of each word, and an approximation of all other pairs.

    Attributes
    ----------
    stored : Sparse
        The pairs that either word has among its k closest.
    bounds : array of float
        The lowest value among each word's k closest; inf if there are no more.
    projection : Projection or None
        What stands for the pairs that are cut, if there are any.
    sample : array of int
        The words from which the projection and some figures are estimated.
    fill : float
        The value of words without a path: the lowest value that is known.
    """

    def __init__(self, npmi: Sparse, edges: Edges, k: int, blocks: Blocks | None = None) -> None:
        self.edges = edges
        k = max(min(k, edges.words - 1), 1)
        picked = PickedWords(edges.words)
        if blocks:
            gather(blocks.run(_nearest_of_block(blocks.folder, k), edges.words, "graph"), picked)
        else:
            for start in range(0, edges.words, ROWS):
                picked.take(start, nearest_words(edges, start, min(start + ROWS, edges.words), k))
        self.stored, self.bounds = picked.symmetrized(), picked.bounds
        self.pairs = _connected_pairs(edges)
        self.cut_at_most = picked.cut_at_most() if self.pairs > self.stored.pairs else None
        size = min(SAMPLE, edges.words)
        # At equal steps through the vocabulary, which is sorted by frequency.
        self.sample = np.arange(size) * edges.words // max(size, 1)
        self.statistics = RowStatistics(size, absent=-np.inf)
        self.passes = self.beaten = 0
        projection = Projection(npmi)
        projection.fit(self.sample, self._images(projection))
        self.projection = projection if self.pairs > self.stored.pairs else None
        lowest_stored = float(self.stored.values.min(initial=np.inf))
        self.fill = min(lowest_stored, self.statistics.fill) if self.pairs else 0.0

    def _images(self, projection: Projection) -> Floats:
        """The rows of the sample times the directions of the projection."""
        images = []
        for start in range(0, len(self.sample), ROWS):
            words = self.sample[start : start + ROWS]
            distances, passes = from_words(self.edges, words)
            self.passes = max(self.passes, passes)
            self.beaten += count_beaten_edges(self.edges, words, distances)
            rows = relatedness(distances, self.edges.component, words)
            self.statistics.add(start, rows, words)
            lowest = self.statistics.lowest[start : start + len(words)]
            images.append(projection.image(with_finite_values(rows, lowest)))
        return np.concatenate(images)

    def metrics(self) -> dict[str, Any]:
        """Figures of the matrix, the graph and the search, some of them estimated."""
        values, statistics = None, self.statistics
        if self.pairs:
            mean = float(statistics.sums.sum() / max(statistics.related.sum(), 1))
            values = Spread(self.fill, mean, float(self.stored.values.max()))
        edges, words = self.edges, self.edges.words
        sampled_edges = int((edges.indptr[self.sample + 1] - edges.indptr[self.sample]).sum())
        beaten = self.beaten / max(sampled_edges, 1) * (len(edges.ends) // 2)
        return {
            **matrix_metrics(words, self.pairs, self.stored.pairs, values, self.cut_at_most),
            **graph_metrics(edges, self.passes, round(beaten)),
            "words_sampled": len(self.sample),
        }


def _nearest_of_block(folder: Path, k: int) -> Callable[[Sparse, int, int], Sequence[np.ndarray]]:
    """What a task does to find the nearest words of its rows by the edges in a folder."""

    def kernel(npmi: Sparse, start: int, stop: int) -> Sequence[np.ndarray]:
        picked = PickedWords(npmi.words)
        picked.take(start, nearest_words(_mapped_edges(folder), start, stop, k))
        return picks_of(picked, start, stop)

    return kernel


def _shared_edges(edges: Edges, blocks: Blocks) -> Edges:
    """The same edges in files, which tasks map into memory as this process does."""
    for part in fields(edges):
        blocks.share(part.name, getattr(edges, part.name))
    return _mapped_edges(blocks.folder)


def _mapped_edges(folder: Path) -> Edges:
    return Edges(*(map_array(folder / f"{part.name}.npy") for part in fields(Edges)))


def _connected_pairs(edges: Edges) -> int:
    """The number of pairs of words that can reach each other."""
    sizes = np.bincount(edges.component)
    return int((sizes * (sizes - 1)).sum()) // 2


def graph_metrics(edges: Edges, passes: int, beaten: int) -> dict[str, Any]:
    """Figures of the graph, of which so many edges are beaten by a detour."""
    sizes = np.bincount(edges.component)
    return {
        "passes": passes,
        "edges": len(edges.ends) // 2,
        "edges_beaten": beaten,
        "components": len(sizes),
        "largest_component": int(sizes.max(initial=0)),
    }


def relatedness(distances: Ints, component: Ints, sources: Longs) -> Floats:
    """The distances from `sources` to all words as relatedness; -inf where there is no path."""
    rows = np.float32(1.0) - distances.astype(np.float32) / np.float32(UNIT)
    rows[(component[sources][:, None] != component) | (distances >= FAR)] = -np.inf
    rows[np.arange(len(sources)), sources] = 0.0
    return rows


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    about = "about " if "words_sampled" in metrics else ""
    return (
        f"{metrics['edges']:,} edges in, {describe_matrix(metrics)}; {metrics['passes']} passes, "
        f"{about}{metrics['edges_beaten']:,} edges beaten by a detour"
    )


def memory(sizes: Sizes, settings: Settings) -> float:
    """The edges, the rows that are worked on, and what is kept of them."""
    graph = settings.graph
    rows = min(4.0 * sizes.words**2, graph.memory_mib * 2.0**20)
    is_sparse = graph.store == "sparse"
    return 3 * sizes.npmi + rows + (sizes.closest(graph.top) if is_sparse else 0)


STAGE = Stage(
    "graph",
    run,
    describe,
    reads=("npmi",),
    writes=("graph",),
    section=Graph,
    memory=memory,
    advice="set graph.top or graph.memory_mib to a lower number",
    makes_measure=True,
)
