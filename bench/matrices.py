"""How long the matrices take and how much memory they need, also compared with other programs.

    python -m bench.matrices [--counts matrices/en/counts] [--words 15000] [--rivals 1500]
    python -m bench.matrices --counts large/counts --words 50000 --rivals 0

Real counts are used if there are any. Otherwise they are made up: word frequencies follow Zipf's
law, and words meet more often when they share a topic. Each stage runs in a separate process, after
a small matrix has warmed it up, so that its peak memory can be measured. igraph and SciPy get only
the most frequent words: for 15,000 words they would take hours.
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

from pipeline.count.store import CountMatrix, WindowFacts, read_counts, write_counts
from pipeline.layout import Layout
from pipeline.measures import graph, npmi, squared, svd
from pipeline.measures.graph import closest_words, edges_of
from pipeline.measures.sparse import Sparse, read_sparse

LANGUAGE = "en"
WARM = 400
STAGES: dict[str, Callable[[Layout], dict[str, Any]]] = {
    "npmi": lambda layout: npmi.make_npmi(layout, npmi.Npmi()),
    "squared": lambda layout: squared.make_squared(layout, squared.Squared()),
    "graph": lambda layout: graph.make_graph(layout, graph.Graph()),
    "svd": lambda layout: svd.make_svd(layout, svd.Svd()),
}


def main() -> None:
    """Print a table of the stages and one of the other programs."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--counts", type=Path, default=Path("matrices") / LANGUAGE / "counts")
    parser.add_argument(
        "--words",
        type=int,
        help="only the most frequent words of the counts; of made-up counts, 15,000 by default",
    )
    parser.add_argument("--stages", nargs="+", choices=list(STAGES), default=list(STAGES))
    parser.add_argument(
        "--rivals", type=int, default=1_500, help="number of words for igraph and SciPy; 0: skip"
    )
    parser.add_argument("--into", type=Path, help="a new folder in which the matrices stay")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        layout, warm = (
            Layout(arguments.into or Path(folder) / "full", LANGUAGE),
            Layout(Path(folder) / "warm", LANGUAGE),
        )
        if (arguments.counts / "counts.json").is_file():
            counts = read_counts(arguments.counts)
            if arguments.words:
                counts = first_counts(counts, arguments.words)
            print(f"{counts.words:,} words of {arguments.counts}")
        else:
            counts = made_up(arguments.words or 15_000)
            print(f"{counts.words:,} made-up words")
        write_counts(layout.counts, counts)
        write_counts(warm.counts, first_counts(counts, WARM))
        time_stages(layout, warm, arguments.stages)
        if arguments.rivals:
            time_rivals(first_words(read_sparse(layout.measure("npmi")), arguments.rivals))


def time_stages(layout: Layout, warm: Layout, stages: Sequence[str]) -> None:
    """Run the stages and print one line for each; npmi first, since the others need it."""
    print(f"load {os.getloadavg()[0]:.1f} before")
    print(f"{'stage':10}{'seconds':>9}{'CPU s':>9}{'MiB':>8}{'pairs':>14}{'density':>9}")
    for name in dict.fromkeys(["npmi", *stages]):
        context = multiprocessing.get_context("spawn")
        with ProcessPoolExecutor(1, mp_context=context) as process:
            metrics = process.submit(run_stage, name, layout, warm).result()
        pairs, density = metrics.get("pairs"), metrics.get("density")
        print(
            f"{name:10}{metrics['seconds']:9.1f}{metrics['cpu']:9.1f}{metrics['mib']:8.0f}"
            + (f"{pairs:14,}{density:9.1%}" if pairs is not None else ""),
            flush=True,
        )


def run_stage(name: str, layout: Layout, warm: Layout) -> dict[str, Any]:
    """The metrics of a stage, with its time and memory."""
    STAGES[name](warm)
    began, cpu = time.perf_counter(), time.process_time()
    metrics = STAGES[name](layout)
    metrics["seconds"] = time.perf_counter() - began
    metrics["cpu"] = time.process_time() - cpu
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    metrics["mib"] = peak / (2**20 if sys.platform == "darwin" else 2**10)
    return metrics


def time_rivals(matrix: Sparse) -> None:
    """Time other programs on the same matrix, and compare the results."""
    words = matrix.words
    closest_words(edges_of(first_words(matrix, WARM)), WARM)
    plain = csr_array((matrix.values, matrix.indices, matrix.indptr), (words, words))
    print(f"\nthe {words:,} most frequent words, {plain.nnz / words**2:.1%} of the matrix stored")
    print(f"{'':24}{'seconds':>9}{'times ours':>12}{'largest difference':>20}")
    closest, seconds = timed(lambda: closest_words(edges_of(matrix), words))
    ours = np.zeros((words, words))
    ours[np.repeat(np.arange(words), np.diff(closest.indptr)), closest.indices] = 1 - closest.values
    show("graph, all paths", seconds, seconds)
    far = csr_array((1.0 - plain.data.astype(np.float64), plain.indices, plain.indptr))
    theirs, taken = timed(lambda: shortest_path(far, method="D", directed=False))
    show("  SciPy, Dijkstra", taken, seconds, np.abs(theirs - ours).max())
    theirs, taken = timed(lambda: igraph_distances(far))
    show("  igraph", taken, seconds, np.abs(theirs - ours).max())


def igraph_distances(far: csr_array) -> NDArray[np.float64]:
    """All shortest distances by igraph, including the time to build the graph."""
    edges = far.tocoo()
    upper = edges.row < edges.col
    ends = np.column_stack([edges.row[upper], edges.col[upper]])
    built = igraph.Graph(far.shape[0], ends)
    return np.array(built.distances(weights=edges.data[upper]))


def timed(run: Callable[[], Any]) -> tuple[Any, float]:
    """What `run` returns, and the seconds that it took."""
    began = time.perf_counter()
    return run(), time.perf_counter() - began


def show(name: str, seconds: float, ours: float, difference: float | None = None) -> None:
    """Print one line of the comparison."""
    tail = f"{seconds / ours:12.1f}{difference:20.1e}" if difference is not None else ""
    print(f"{name:24}{seconds:9.2f}{tail}", flush=True)


def made_up(words: int, topics: int = 40, seed: int = 0) -> CountMatrix:
    """Counts of words whose frequencies follow Zipf's law and that meet by topic."""
    rng = np.random.default_rng(seed)
    frequency = 1.0 / np.arange(10, words + 10)
    frequency /= frequency.sum()
    topic_shares = rng.dirichlet(np.full(topics, 0.1), words)
    # Enough that about a fifth of all pairs of 15,000 words meet, as in real text.
    meetings = 0.5 * words**2
    lengths, indices, values = [], [], []
    for word in range(words):
        affinity = topics * (topic_shares[word + 1 :] @ topic_shares[word])
        row = rng.poisson(meetings * frequency[word] * frequency[word + 1 :] * affinity)
        partners = np.flatnonzero(row)
        lengths.append(len(partners))
        indices.append((partners + word + 1).astype(np.int32))
        values.append(row[partners].astype(np.int64))
    indptr = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return CountMatrix(
        indptr, np.concatenate(indices), np.concatenate(values), WindowFacts(1, "uniform", 1)
    )


def first_counts(counts: CountMatrix, words: int) -> CountMatrix:
    """The counts of the first, most frequent words."""
    shape = (counts.words, counts.words)
    whole = csr_array((counts.values, counts.indices, counts.indptr), shape)
    corner = whole[:words, :words].tocsr()
    indptr, indices = corner.indptr.astype(np.int64), corner.indices.astype(np.int32)
    return CountMatrix(indptr, indices, corner.data, counts.facts)


def first_words(matrix: Sparse, words: int) -> Sparse:
    """The matrix of the first, most frequent words."""
    shape = (matrix.words, matrix.words)
    whole = csr_array((matrix.values, matrix.indices, matrix.indptr), shape)
    corner = whole[:words, :words].tocsr()
    return Sparse(corner.indptr.astype(np.int64), corner.indices.astype(np.int32), corner.data)


if __name__ == "__main__":
    main()
