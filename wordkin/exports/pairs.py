"""Related pairs of words: as Parquet, and as a Matrix Market file."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module, util
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from wordkin.bundle import Bundle
from wordkin.errors import InputError
from wordkin.exports.format import Format
from wordkin.files import new_file, write_text
from wordkin.measures import Measure, SparseMeasure

if TYPE_CHECKING:
    from scipy import sparse

# SciPy is imported inside the functions: the command line lists the formats when it starts, and
# SciPy would slow down every command.

NEAREST = 100
"""How many nearest words are written per word where a measure relates all words."""

_BATCH = 512


def write_edges(measure: Measure, path: Path, top: int | None = None) -> int:
    """Write Parquet with the columns `a`, `b` and `relatedness`; returns the number of pairs.

    Parameters
    ----------
    measure : Measure
        What to write. Each related pair is written once.
    path : Path
        The file to write.
    top : int, optional
        Write a pair when one word is among the other's `top` nearest, or as near as the last of
        them. Default: all stored pairs of a sparse measure, the nearest 100 of others.
    """
    if not util.find_spec("pyarrow"):
        raise InputError("Parquet files need pyarrow: install it with 'pip install pyarrow'.")
    from scipy import sparse

    pa, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    words = pa.array(measure.vocabulary.words)
    schema = pa.schema([("a", pa.string()), ("b", pa.string()), ("relatedness", pa.float32())])
    edges = 0
    matrix = sparse.triu(pairs_matrix(measure, top), 1, format="csr")
    with (
        new_file(path) as temporary,
        parquet.ParquetWriter(temporary, schema, compression="zstd") as writer,
    ):
        for start in range(0, len(measure.vocabulary), _BATCH):
            batch = matrix[start : start + _BATCH].tocoo()
            columns = [words.take(pa.array(batch.row + start)), words.take(pa.array(batch.col))]
            writer.write_table(pa.table([*columns, pa.array(batch.data)], schema=schema))
            edges += batch.nnz
    return edges


def write_matrix_market(measure: Measure, path: Path, top: int | None = None) -> int:
    """Write the lower triangle of the symmetric matrix as Matrix Market.

    The words are written next to it, one per line, to a file with `.words` after its name. See
    `write_edges` for `top`; returns the number of pairs.
    """
    from scipy import io

    matrix = pairs_matrix(measure, top).tocoo()
    write_text(path.with_name(path.name + ".words"), "\n".join(measure.vocabulary.words) + "\n")
    with new_file(path) as temporary, temporary.open("wb") as file:
        io.mmwrite(file, matrix, symmetry="symmetric", precision=7)
    return int(matrix.nnz // 2)


def pairs_matrix(measure: Measure, top: int | None = None) -> sparse.csr_matrix:
    """The related pairs as a symmetric sparse matrix; see `write_edges` for `top`."""
    from scipy import sparse

    if top is not None and top < 1:
        raise InputError(f"The nearest {top} words are no pairs: ask for 1 or more per word.")
    size = len(measure.vocabulary)
    if isinstance(measure, SparseMeasure) and top is None:
        arrays = (measure.values, measure.indices, measure.indptr)
        return sparse.csr_matrix(arrays, shape=(size, size))
    count = min(NEAREST if top is None else top, size - 1)
    batches = []
    for start in range(0, size, _BATCH):
        ids = np.arange(start, min(start + _BATCH, size))
        rows = np.array(measure.rows(ids))
        rows[np.arange(len(ids)), ids] = -np.inf
        last = np.partition(rows, -count, axis=1)[:, -count, None]
        batches.append(sparse.csr_matrix(np.where((rows >= last) & (rows > 0), rows, 0)))
    nearest = sparse.vstack(batches)
    # A pair is written when either word lists the other; the value is the same in both lists.
    return sparse.csr_matrix(nearest.maximum(nearest.T))


def _edges(
    bundle: Bundle, measure: Measure, path: Path, words: Sequence[str] | None, top: int | None
) -> None:
    write_edges(measure, path, top)


def _matrix_market(
    bundle: Bundle, measure: Measure, path: Path, words: Sequence[str] | None, top: int | None
) -> None:
    write_matrix_market(measure, path, top)


FORMATS = {
    "edges": Format("related pairs as Parquet", _edges),
    "matrix-market": Format("the matrix as Matrix Market, its words next to it", _matrix_market),
}
