"""Matrices by blocks of rows have the same bytes as those of one process."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pipeline.engine import InProcessEngine
from pipeline.layout import Layout
from pipeline.measures import graph, squared, svd
from pipeline.measures.row_blocks import Blocks, shared
from pipeline.measures.sparse import ROWS, Sparse, read_sparse
from pipeline.measures.svd import Svd
from pipeline.settings import Graph, Squared
from tests.support.corpora import files
from wordkin.measures.store import write_measure

WORDS = ROWS + 300


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    """A language with a random npmi of two blocks of rows."""
    random = np.random.default_rng(7)
    upper = np.triu(random.random((WORDS, WORDS)) < 0.02, 1)
    matrix = np.where(upper, random.integers(1, 64, upper.shape) / 64, 0).astype(np.float32)
    matrix += matrix.T
    rows, columns = np.nonzero(matrix)
    indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=WORDS))])
    npmi = Sparse(indptr, columns.astype(np.int32), matrix[rows, columns])
    layout = Layout(tmp_path, "qq")
    write_measure(layout.measure("npmi"), "npmi", "csr", npmi.arrays(), {"top": "all"})
    return layout


@pytest.fixture
def blocks(layout: Layout, tmp_path: Path) -> Blocks:
    (tmp_path / "blocks").mkdir()
    return Blocks(InProcessEngine(2), layout.measure("npmi"), tmp_path / "blocks")


def test_products_by_blocks(layout: Layout, blocks: Blocks) -> None:
    npmi = read_sparse(layout.measure("npmi"))
    columns = np.random.default_rng(1).random((WORDS, 300), np.float32)
    assert shared(npmi, blocks).times(columns).tobytes() == npmi.times(columns).tobytes()


@pytest.mark.parametrize("stage", ["squared", "graph", "svd"])
def test_the_same_bytes(
    layout: Layout, blocks: Blocks, stage: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph, "LARGE", 100)
    make = {
        "squared": lambda by: squared.make_squared(layout, Squared(top=30), by),
        "graph": lambda by: graph.make_graph(layout, Graph(top=30), by),
        "svd": lambda by: svd.make_svd(layout, Svd(dimensions=40), by),
    }[stage]
    whole = make(None), files(layout.measure(stage))
    assert (make(blocks), files(layout.measure(stage))) == whole
    assert list(blocks.folder.iterdir())
