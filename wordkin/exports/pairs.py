"""Related pairs of words: as Parquet, as tab-separated text, and as Matrix Market."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module, util
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from wordkin.arrays import Floats, Ids
from wordkin.errors import InputError
from wordkin.exports.format import Format, Request
from wordkin.files import new_file, write_text
from wordkin.measures.measure import Measure
from wordkin.measures.sparse import SparseMeasure

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
    pa, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    words = pa.array(measure.vocabulary.words)
    schema = pa.schema([("a", pa.string()), ("b", pa.string()), ("relatedness", pa.float32())])
    written = 0
    with (
        new_file(path) as temporary,
        parquet.ParquetWriter(temporary, schema, compression="zstd") as writer,
    ):
        for a, b, relatedness in related_pairs(measure, top):
            columns = [words.take(pa.array(a)), words.take(pa.array(b))]
            writer.write_table(pa.table([*columns, pa.array(relatedness)], schema=schema))
            written += len(a)
    return written


def write_tsv(measure: Measure, path: Path, top: int | None = None) -> int:
    """Write tab-separated text with the columns `a`, `b` and `relatedness`.

    See `write_edges` for `top`; returns the number of pairs.
    """
    words = measure.vocabulary.words
    written = 0
    with (
        new_file(path) as temporary,
        temporary.open("w", encoding="utf-8", newline="\n") as file,
    ):
        file.write("a\tb\trelatedness\n")
        for a, b, relatedness in related_pairs(measure, top):
            rows = zip(a.tolist(), b.tolist(), relatedness.tolist(), strict=True)
            file.writelines(f"{words[i]}\t{words[j]}\t{value:.7g}\n" for i, j, value in rows)
            written += len(a)
    return written


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


class PairBatch(NamedTuple):
    """Some related pairs: the ids of both words, the lower one first, and their relatedness."""

    a: Ids
    b: Ids
    relatedness: Floats


def related_pairs(measure: Measure, top: int | None = None) -> Iterator[PairBatch]:
    """All related pairs, each once, in the order of the vocabulary; see `write_edges` for `top`."""
    from scipy import sparse

    matrix = sparse.triu(pairs_matrix(measure, top), 1, format="csr")
    for start in range(0, len(measure.vocabulary), _BATCH):
        batch = matrix[start : start + _BATCH].tocoo()
        yield PairBatch(batch.row + start, batch.col, batch.data)


def pairs_matrix(measure: Measure, top: int | None = None) -> sparse.csr_matrix:
    """The related pairs as a symmetric sparse matrix; see `write_edges` for `top`."""
    from scipy import sparse

    if top is not None and top < 1:
        raise InputError(f"The number of nearest words (top) is {top}: ask for 1 or more.")
    size = len(measure.vocabulary)
    if isinstance(measure, SparseMeasure):
        for word in range(size):
            measure.neighbours(word)  # refuses a damaged matrix; SciPy would read beyond its end
    if isinstance(measure, SparseMeasure) and top is None:
        values = np.asarray(measure.values, dtype=np.float32)  # SciPy has no half precision
        return sparse.csr_matrix((values, measure.indices, measure.indptr), shape=(size, size))
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


def _edges(request: Request) -> None:
    write_edges(request.measure, request.path, request.top)


def _tsv(request: Request) -> None:
    write_tsv(request.measure, request.path, request.top)


def _matrix_market(request: Request) -> None:
    write_matrix_market(request.measure, request.path, request.top)


FORMATS = {
    "edges": Format("related pairs as Parquet", _edges),
    "tsv": Format("related pairs as tab-separated text", _tsv),
    "matrix-market": Format("the matrix as Matrix Market, its words next to it", _matrix_market),
}
