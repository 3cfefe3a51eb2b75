"""Kernels with threads, each run with one thread and with two, whatever the cores.

    NUMBA_NUM_THREADS=2 python -m tests.support.threads

Prints, as JSON, the hash of what each kernel makes with each number of threads. It is a program of
its own because numba never uses more threads than it was started with.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numba
import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits

from pipeline.measures import npmi, squared, svd
from pipeline.measures import sparse as sparse_module
from pipeline.measures.graph import GraphRows, LargeGraph
from pipeline.measures.matrix_files import write_closest_pairs
from pipeline.measures.shortest_paths import edges_of
from pipeline.measures.sparse import RowChunk
from pipeline.measures.top_k import closest_pairs
from pipeline.settings import Squared
from tests.support.corpora import files
from tests.support.matrices import count_matrix, project, random_npmi, sparse

Result = list[bytes]


def results_of(arrays: list[NDArray]) -> Result:
    return [array.tobytes() for array in arrays]


def make_npmi() -> Result:
    random = np.random.default_rng(2)
    upper = np.triu(random.geometric(0.05, (300, 300)) * (random.random((300, 300)) < 0.5), 1)
    counts = count_matrix(upper)
    matrix, metrics = closest_pairs(npmi.npmi(counts, counts.marginals()), 20)
    arrays = [matrix.indptr, matrix.indices, matrix.values]
    return [*results_of(arrays), json.dumps(metrics).encode()]


def shrink(step: int) -> None:
    """Make strips, panels and tiles so small that there are several."""
    squared.STEP, squared.PANEL = step, 24
    squared.TILE = sparse_module.TILE = squared.ROWS = sparse_module.ROWS = 64


def make_squared(step: int) -> Result:
    shrink(step)
    matrix = sparse(random_npmi(300, 0.5, seed=3))
    return results_of([chunk.rows.copy() for chunk in squared.square(matrix, 1000)])


def make_closest_squared() -> Result:
    matrix = random_npmi(300, 0.5, seed=3) * np.linspace(1, 0, 300, dtype=np.float32)
    matrix[matrix < 0.2] = 0
    shrink(4)
    with TemporaryDirectory() as folder:
        layout = project(Path(folder), np.minimum(matrix, matrix.T))
        metrics = squared.make_squared(layout, Squared(top=20, store="sparse"))
        stored = files(layout.measure("squared"))
    assert "rest.npy" in stored
    return [*stored.values(), json.dumps(metrics).encode()]


def make_graph(memory_mib: int) -> Result:
    rows = GraphRows(edges_of(sparse(random_npmi(600, 0.05, seed=3))), memory_mib)
    results = results_of([chunk.rows for chunk in rows.chunks()])
    return [*results, json.dumps(rows.metrics()).encode()]


def make_large_graph() -> Result:
    matrix = sparse(random_npmi(1100, 0.05, seed=3))
    graph = LargeGraph(matrix, edges_of(matrix), 20)
    assert graph.projection
    arrays = [graph.stored.indices, graph.stored.values, graph.bounds, *graph.projection.factors()]
    return [*results_of(arrays), json.dumps(graph.metrics()).encode()]


def make_closest_pairs() -> Result:
    matrix = random_npmi(1100, 0.3, seed=6)
    with TemporaryDirectory() as folder:
        write_closest_pairs(Path(folder), "m", sparse(matrix), [RowChunk(0, matrix)], 5, 0.0)
        stored = files(Path(folder))
    assert "rest.npy" in stored
    return list(stored.values())


def make_svd() -> Result:
    values, vectors = svd.decompose(sparse(random_npmi(600, 0.2, seed=3)), 30, seed=0)
    return results_of([values, vectors])


KERNELS: dict[str, Callable[[], Result]] = {
    "npmi": make_npmi,
    "squared, following pairs": lambda: make_squared(0),
    "squared, multiplying panels": lambda: make_squared(10**9),
    "squared, closest words": make_closest_squared,
    "graph, all pairs": lambda: make_graph(1000),
    "graph, from each word": lambda: make_graph(0),
    "graph, closest words": make_large_graph,
    "closest pairs": make_closest_pairs,
    "svd": make_svd,
}


def digest(threads: int, kernel: Callable[[], Result]) -> str:
    numba.set_num_threads(threads)
    with threadpool_limits(threads):
        return hashlib.sha256(b"".join(kernel())).hexdigest()


if __name__ == "__main__":
    print(json.dumps({n: {t: digest(t, k) for t in (1, 2)} for n, k in KERNELS.items()}))
