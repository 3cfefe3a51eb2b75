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

from pipeline.measures import graph, low_rank, npmi, svd
from pipeline.measures.graph import Graph
from pipeline.measures.top_k import cut
from pipeline.publish.compact import write_compact, write_light
from pipeline.settings import Compact, Light
from tests.support.corpora import files
from tests.support.matrices import count_matrix, project, random_npmi, sparse, vocabulary
from wordkin.measures.store import open_measure

Result = list[bytes]


def results_of(arrays: list[NDArray]) -> Result:
    return [array.tobytes() for array in arrays]


def make_npmi() -> Result:
    random = np.random.default_rng(2)
    upper = np.triu(random.geometric(0.05, (300, 300)) * (random.random((300, 300)) < 0.5), 1)
    counts = count_matrix(upper)
    matrix, bounds = cut(npmi.npmi(counts, counts.marginals()), 20)
    return results_of([*matrix.arrays, bounds])


def make_graph() -> Result:
    low_rank.SAMPLE = 300
    with TemporaryDirectory() as folder:
        layout = project(Path(folder), random_npmi(1100, 0.05, seed=3))
        metrics = graph.make_graph(layout, Graph(top=20))
        stored = files(layout.measure("graph"))
    assert "vectors.npy" in stored
    return [*stored.values(), json.dumps(metrics).encode()]


def make_compact() -> Result:
    with TemporaryDirectory() as folder:
        layout = project(Path(folder), random_npmi(600, 0.3, seed=6))
        measure = open_measure(layout.measure("npmi"), vocabulary(600))
        write_compact(Path(folder), [measure], Compact(closest=9, dimensions=20), 5)
        write_light(Path(folder) / "light", measure, Light(pairs=900, dimensions=20))
        stored = files(Path(folder) / "npmi") | files(Path(folder) / "light")
    return list(stored.values())


def make_svd() -> Result:
    values, vectors = svd.decompose(sparse(random_npmi(600, 0.2, seed=3)), 30, seed=0)
    return results_of([values, vectors])


KERNELS: dict[str, Callable[[], Result]] = {
    "npmi": make_npmi,
    "graph": make_graph,
    "svd": make_svd,
    "compact and light": make_compact,
}


def digest(threads: int, kernel: Callable[[], Result]) -> str:
    numba.set_num_threads(threads)
    with threadpool_limits(threads):
        return hashlib.sha256(b"".join(kernel())).hexdigest()


if __name__ == "__main__":
    print(json.dumps({n: {t: digest(t, k) for t in (1, 2)} for n, k in KERNELS.items()}))
