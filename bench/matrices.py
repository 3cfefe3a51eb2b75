"""How long the matrices take and what they need, and how much faster that is than other programs.

    python -m bench.matrices [--counts matrices/en/counts] [--words 15000] [--rivals 1500]
    python -m bench.matrices --counts large/counts --memory 10500 --top 500 --rivals 0

Real counts are used where there are some; made-up ones otherwise: words as frequent as Zipf has it
that meet more often when they share a topic. Every stage runs in a process of its own, after a
small matrix has warmed it up, so its peak of memory is its own. igraph and SciPy get the most
frequent words only: for 15,000 words they would take hours.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import igraph
import numpy as np
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import shortest_path

from pipeline.counting.store import CountMatrix, WindowFacts, read_counts, write_counts
from pipeline.layout import Layout
from pipeline.relatedness import graph, npmi, squared, svd
from pipeline.relatedness.sparse import Sparse, read_sparse
from pipeline.settings import Graph, Npmi, Squared, Svd

LANGUAGE = "en"
WARM = 400
STAGES: dict[str, Callable[[Layout, dict[str, Any]], dict[str, Any]]] = {
    "npmi": lambda layout, _: npmi.make_npmi(layout, Npmi()),
    "squared": lambda layout, blocked: squared.make_squared(layout, Squared(**blocked)),
    "graph": lambda layout, blocked: graph.make_graph(layout, Graph(**blocked)),
    "svd": lambda layout, _: svd.make_svd(layout, Svd()),
}
"""Each with the settings that squared and graph have in common."""


def main() -> None:
    """Print a table of the stages and one of the rivals."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--counts", type=Path, default=Path("matrices") / LANGUAGE / "counts")
    parser.add_argument("--words", type=int, default=15_000, help="of made-up counts")
    parser.add_argument("--memory", type=int, default=Graph().memory_mib, help="memory_mib")
    parser.add_argument("--top", type=int, help="squared and graph keep so many words a row")
    parser.add_argument("--stages", nargs="+", choices=list(STAGES), default=list(STAGES))
    parser.add_argument("--rivals", type=int, default=1_500, help="words for igraph and SciPy")
    parser.add_argument("--into", type=Path, help="a new folder to leave the matrices in")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        layout, warm = (
            Layout(given.into or Path(folder) / "full", LANGUAGE),
            Layout(Path(folder) / "warm", LANGUAGE),
        )
        if (given.counts / "counts.json").is_file():
            counts = read_counts(given.counts)
            print(f"{counts.words:,} words of {given.counts}")
        else:
            counts = made_up(given.words)
            print(f"{counts.words:,} made-up words")
        write_counts(layout.counts, counts)
        write_counts(warm.counts, first_words(counts, WARM))
        blocked = {"memory_mib": given.memory}
        if given.top:
            blocked |= {"top": given.top, "store": "sparse"}
        time_stages(layout, warm, given.stages, blocked)
        if given.rivals:
            time_rivals(first_words_of(read_sparse(layout.measure("npmi")), given.rivals))


def time_stages(
    layout: Layout, warm: Layout, stages: Sequence[str], blocked: dict[str, Any]
) -> None:
    """Run the stages, a line each; npmi comes first, as the others are made from it."""
    print(f"load {os.getloadavg()[0]:.1f} before")
    print(f"{'stage':10}{'seconds':>9}{'CPU s':>9}{'MiB':>8}{'pairs':>14}{'density':>9}  passes")
    for name in dict.fromkeys(["npmi", *stages]):
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(1, mp_context=context) as process:
            found = process.submit(run_stage, name, layout, warm, blocked).result()
        pairs, density = found.get("pairs"), found.get("density")
        print(
            f"{name:10}{found['seconds']:9.1f}{found['cpu']:9.1f}{found['mib']:8.0f}"
            + (f"{pairs:14,}{density:9.1%}" if pairs is not None else " " * 23)
            + f"  {found.get('passes', '')}",
            flush=True,
        )


def run_stage(name: str, layout: Layout, warm: Layout, blocked: dict[str, Any]) -> dict[str, Any]:
    """The metrics of a stage, with its time and memory."""
    STAGES[name](warm, blocked)
    began, cpu = time.perf_counter(), time.process_time()
    metrics = STAGES[name](layout, blocked)
    metrics["seconds"] = time.perf_counter() - began
    metrics["cpu"] = time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    metrics["mib"] = peak / (2**20 if sys.platform == "darwin" else 2**10)
    return metrics


def time_rivals(matrix: Sparse) -> None:
    """Time what other programs make of the same matrix, and compare the results."""
    words, few = matrix.words, first_words_of(matrix, WARM)
    graph.all_pairs(graph.edges_of(few))
    next(squared.square(few, 1000))
    plain = csr_array((matrix.values, matrix.indices, matrix.indptr), (words, words))
    print(f"\nthe {words:,} most frequent words, {plain.nnz / words**2:.1%} of the matrix stored")
    print(f"{'':24}{'seconds':>9}{'times ours':>12}{'largest difference':>20}")
    ours, seconds = timed(lambda: graph.all_pairs(graph.edges_of(matrix))[0] / graph.UNIT)
    show("graph", seconds, seconds)
    far = csr_array((1.0 - plain.data.astype(np.float64), plain.indices, plain.indptr))
    theirs, taken = timed(lambda: shortest_path(far, method="D", directed=False))
    show("  SciPy, Dijkstra", taken, seconds, np.abs(theirs - ours).max())
    theirs, taken = timed(lambda: igraph_distances(far))
    show("  igraph", taken, seconds, np.abs(theirs - ours).max())
    rows, seconds = timed(lambda: next(squared.square(matrix, 1000))[1])
    show("squared", seconds, seconds)
    product, taken = timed(lambda: (plain @ plain).toarray())
    np.fill_diagonal(product, 0.0)
    show("  SciPy, sparse product", taken, seconds, np.abs(product - rows).max())


def igraph_distances(far: csr_array) -> NDArray[np.float64]:
    """All shortest distances by igraph, with the building of the graph left in."""
    edges = far.tocoo()
    upper = edges.row < edges.col
    ends = np.column_stack([edges.row[upper], edges.col[upper]])
    made = igraph.Graph(far.shape[0], ends)
    return np.array(made.distances(weights=edges.data[upper]))


def timed(run: Callable[[], Any]) -> tuple[Any, float]:
    """What `run` returns and the seconds it took."""
    began = time.perf_counter()
    return run(), time.perf_counter() - began


def show(name: str, seconds: float, ours: float, difference: float | None = None) -> None:
    """Print a line of the rivals' table."""
    tail = f"{seconds / ours:12.1f}{difference:20.1e}" if difference is not None else ""
    print(f"{name:24}{seconds:9.2f}{tail}", flush=True)


def made_up(words: int, topics: int = 40, seed: int = 0) -> CountMatrix:
    """Counts of words that are as frequent as Zipf has it and meet by topic."""
    rng = np.random.default_rng(seed)
    share = 1.0 / np.arange(10, words + 10)
    share /= share.sum()
    leaning = rng.dirichlet(np.full(topics, 0.1), words)
    # So many meetings that about a fifth of all pairs meet at 15,000 words, as in real text.
    meetings = 0.5 * words**2
    lengths, indices, values = [], [], []
    for word in range(words):
        affinity = topics * (leaning[word + 1 :] @ leaning[word])
        row = rng.poisson(meetings * share[word] * share[word + 1 :] * affinity)
        partners = np.flatnonzero(row)
        lengths.append(len(partners))
        indices.append((partners + word + 1).astype(np.int32))
        values.append(row[partners].astype(np.int64))
    indptr = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return CountMatrix(
        indptr, np.concatenate(indices), np.concatenate(values), WindowFacts(1, "uniform", 1)
    )


def first_words(counts: CountMatrix, words: int) -> CountMatrix:
    """The counts among the first, most frequent words only."""
    shape = (counts.words, counts.words)
    kept = csr_array((counts.values, counts.indices, counts.indptr), shape)[:words, :words].tocsr()
    indptr, indices = kept.indptr.astype(np.int64), kept.indices.astype(np.int32)
    return CountMatrix(indptr, indices, kept.data, counts.facts)


def first_words_of(matrix: Sparse, words: int) -> Sparse:
    """The matrix among the first, most frequent words only."""
    shape = (matrix.words, matrix.words)
    kept = csr_array((matrix.values, matrix.indices, matrix.indptr), shape)[:words, :words].tocsr()
    return Sparse(kept.indptr.astype(np.int64), kept.indices.astype(np.int32), kept.data)


if __name__ == "__main__":
    main()
