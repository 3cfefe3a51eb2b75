"""Counts in the formats of other programs: Parquet, Matrix Market, and GloVe's records.

All of them have the true weight of a pair, that is the stored whole number divided by `scale`.
The matrix is read in blocks of whole rows and written as it comes, so that memory does not follow
its size. docs/counts.md describes the files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pipeline.counting.store import CountMatrix, read_counts
from pipeline.layout import Layout
from wordkin.errors import InputError
from wordkin.files import new_file
from wordkin.vocabulary import Vocabulary

PAIRS_AT_ONCE = 1_000_000

RECORD = np.dtype([("word1", "<i4"), ("word2", "<i4"), ("value", "<f8")])
"""GloVe's record of a pair; words are lines of its vocabulary file, from 1."""


class Block(NamedTuple):
    """The pairs of some rows, each once: the first word comes before the second."""

    first: NDArray[np.int64]
    second: NDArray[np.int32]
    weight: NDArray[np.float64]


def blocks(counts: CountMatrix, most: int = PAIRS_AT_ONCE) -> Iterator[Block]:
    """All pairs in order, whole rows of about `most` pairs at a time."""
    steps = np.arange(0, len(counts.indices), most)
    rows = np.searchsorted(counts.indptr, steps, side="right") - 1
    for low, high in pairwise(np.unique(np.append(rows, counts.words)).tolist()):
        span = slice(counts.indptr[low], counts.indptr[high])
        first = np.repeat(np.arange(low, high), np.diff(counts.indptr[low : high + 1]))
        yield Block(first, counts.indices[span], counts.values[span] / counts.scale)


def write_parquet(counts: CountMatrix, vocabulary: Vocabulary, folder: Path) -> list[Path]:
    """counts.parquet: a row a pair, with the columns a, b (words) and count."""
    path = folder / "counts.parquet"
    words = pa.array(vocabulary.words, pa.string())
    schema = pa.schema([("a", pa.string()), ("b", pa.string()), ("count", pa.float64())])
    with (
        new_file(path) as temporary,
        pq.ParquetWriter(temporary, schema, compression="zstd") as writer,
    ):
        for block in blocks(counts):
            columns = [words.take(pa.array(ids)) for ids in (block.first, block.second)]
            writer.write_table(pa.table([*columns, pa.array(block.weight)], schema=schema))
    return [path]


def write_matrix_market(counts: CountMatrix, vocabulary: Vocabulary, folder: Path) -> list[Path]:
    """counts.mtx, symmetric, the lower triangle alone; counts.mtx.words: its rows, one a line."""
    path, names = folder / "counts.mtx", folder / "counts.mtx.words"
    size = f"{counts.words} {counts.words} {len(counts.indices)}"
    columns = [("row", pa.int64()), ("column", pa.int64()), ("count", pa.float64())]
    plain = pa.csv.WriteOptions(include_header=False, delimiter=" ", quoting_style="none")
    with new_file(names) as temporary:
        temporary.write_text("".join(f"{word}\n" for word in vocabulary.words), encoding="utf-8")
    with new_file(path) as temporary, temporary.open("wb") as file:
        file.write(f"%%MatrixMarket matrix coordinate real symmetric\n{size}\n".encode())
        with pa.csv.CSVWriter(file, pa.schema(columns), write_options=plain) as writer:
            for block in blocks(counts):
                numbers = (block.second + np.int64(1), block.first + 1, block.weight)
                writer.write_table(pa.table(list(numbers), schema=pa.schema(columns)))
    return [path, names]


def write_glove(counts: CountMatrix, vocabulary: Vocabulary, folder: Path) -> list[Path]:
    """cooccurrence.bin, each pair in both orders, and vocab.txt, as GloVe's own programs do."""
    path, names = folder / "cooccurrence.bin", folder / "vocab.txt"
    lines = zip(vocabulary.words, vocabulary.counts.tolist(), strict=True)
    with new_file(names) as temporary:
        temporary.write_text("".join(f"{word} {n}\n" for word, n in lines), encoding="utf-8")
    with new_file(path) as temporary, temporary.open("wb") as file:
        for block in blocks(counts):
            both = np.empty((len(block.weight), 2), RECORD)
            both["word1"] = np.column_stack([block.first, block.second]) + 1
            both["word2"] = both["word1"][:, ::-1]
            both["value"] = block.weight[:, None]
            file.write(both.data)
    return [path, names]


FORMATS: dict[str, Callable[[CountMatrix, Vocabulary, Path], list[Path]]] = {
    "parquet": write_parquet,
    "mtx": write_matrix_market,
    "glove": write_glove,
}


def export(layout: Layout, form: str, folder: Path | None) -> str:
    """Write a language's counts as `form` into a folder; tells which files there are now."""
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    counts = counts_of(layout, vocabulary)
    folder = folder or layout.matrices / "export"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        paths = FORMATS[form](counts, vocabulary, folder)
    except OSError as error:
        raise InputError(
            f"The counts cannot be written to {folder} ({error.strerror}): name another folder "
            "with --to."
        ) from error
    return f"{len(counts.indices):,} pairs in {' and '.join(map(str, paths))}"


def counts_of(layout: Layout, vocabulary: Vocabulary) -> CountMatrix:
    """The counts of a language, refused when they are of another vocabulary."""
    if not layout.counts.is_dir():
        raise InputError(f"There are no counts in {layout.counts}: run dvc repro first.")
    counts = read_counts(layout.counts)
    if counts.words != len(vocabulary):
        raise InputError(
            f"The counts in {layout.counts} are of {counts.words:,} words and the vocabulary now "
            f"has {len(vocabulary):,}: run dvc repro."
        )
    return counts
