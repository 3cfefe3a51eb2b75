"""Counts for people, and for other programs: Parquet, Matrix Market, and GloVe's records.

All formats hold true weights, that is the stored integers divided by `scale`. The matrix is read
and written in chunks of whole rows, so the memory does not depend on its size.
docs/reference/files.md describes the files.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
from numpy.typing import NDArray

from pipeline.count.store import CountMatrix, read_counts
from pipeline.layout import Layout
from pipeline.words.lemmas import gold_form
from wordkin.errors import InputError
from wordkin.files import named_errors, new_file, write_text
from wordkin.tables import table_lines
from wordkin.vocabulary import Vocabulary

PAIRS_AT_ONCE = 1_000_000

RECORD = np.dtype([("word1", "<i4"), ("word2", "<i4"), ("value", "<f8")])
"""GloVe's record of a pair; words are line numbers of its vocabulary file, from 1."""


class PairChunk(NamedTuple):
    """The pairs of some consecutive rows, each once: the first word comes before the second."""

    first: NDArray[np.int64]
    second: NDArray[np.int32]
    weight: NDArray[np.float64]


def pair_chunks(counts: CountMatrix, most: int = PAIRS_AT_ONCE) -> Iterator[PairChunk]:
    """All pairs in order, in chunks of whole rows with about `most` pairs."""
    steps = np.arange(0, len(counts.indices), most)
    rows = np.searchsorted(counts.indptr, steps, side="right") - 1
    for low, high in pairwise(np.unique(np.append(rows, counts.words)).tolist()):
        span = slice(counts.indptr[low], counts.indptr[high])
        first = np.repeat(np.arange(low, high), np.diff(counts.indptr[low : high + 1]))
        yield PairChunk(first, counts.indices[span], counts.values[span] / counts.scale)


def write_parquet(counts: CountMatrix, vocabulary: Vocabulary, folder: Path) -> list[Path]:
    """counts.parquet: one row per pair, with the columns a, b (words) and count."""
    path = folder / "counts.parquet"
    words = pa.array(vocabulary.words, pa.string())
    schema = pa.schema([("a", pa.string()), ("b", pa.string()), ("count", pa.float64())])
    with (
        new_file(path) as temporary,
        pq.ParquetWriter(temporary, schema, compression="zstd") as writer,
    ):
        for chunk in pair_chunks(counts):
            columns = [words.take(pa.array(ids)) for ids in (chunk.first, chunk.second)]
            writer.write_table(pa.table([*columns, pa.array(chunk.weight)], schema=schema))
    return [path]


def write_matrix_market(counts: CountMatrix, vocabulary: Vocabulary, folder: Path) -> list[Path]:
    """counts.mtx: symmetric, the lower triangle only; counts.mtx.words: one word per line."""
    path, word_list = folder / "counts.mtx", folder / "counts.mtx.words"
    size = f"{counts.words} {counts.words} {len(counts.indices)}"
    columns = [("row", pa.int64()), ("column", pa.int64()), ("count", pa.float64())]
    plain = pa.csv.WriteOptions(include_header=False, delimiter=" ", quoting_style="none")
    write_text(word_list, "".join(f"{word}\n" for word in vocabulary.words))
    with new_file(path) as temporary, temporary.open("wb") as file:
        file.write(f"%%MatrixMarket matrix coordinate real symmetric\n{size}\n".encode())
        with pa.csv.CSVWriter(file, pa.schema(columns), write_options=plain) as writer:
            for chunk in pair_chunks(counts):
                numbers = [chunk.second + np.int64(1), chunk.first + 1, chunk.weight]
                writer.write_table(pa.table(numbers, schema=pa.schema(columns)))
    return [path, word_list]


def write_glove(counts: CountMatrix, vocabulary: Vocabulary, folder: Path) -> list[Path]:
    """cooccurrence.bin, each pair in both orders, and vocab.txt, as GloVe's programs write them."""
    path, word_list = folder / "cooccurrence.bin", folder / "vocab.txt"
    frequencies = zip(vocabulary.words, vocabulary.counts.tolist(), strict=True)
    write_text(word_list, "".join(f"{word} {count}\n" for word, count in frequencies))
    with new_file(path) as temporary, temporary.open("wb") as file:
        for chunk in pair_chunks(counts):
            both = np.empty((len(chunk.weight), 2), RECORD)
            both["word1"] = np.column_stack([chunk.first, chunk.second]) + 1
            both["word2"] = both["word1"][:, ::-1]
            both["value"] = chunk.weight[:, None]
            file.write(both.data)
    return [path, word_list]


FORMATS: dict[str, Callable[[CountMatrix, Vocabulary, Path], list[Path]]] = {
    "parquet": write_parquet,
    "mtx": write_matrix_market,
    "glove": write_glove,
}


def export(layout: Layout, form: str, folder: Path | None) -> str:
    """Write a language's counts in the format `form`; returns a line that names the files."""
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    counts = read_matching_counts(layout, vocabulary)
    folder = folder or layout.matrices / "export"
    with named_errors(folder):
        folder.mkdir(parents=True, exist_ok=True)
        paths = FORMATS[form](counts, vocabulary, folder)
    return f"{len(counts.indices):,} pairs in {' and '.join(map(str, paths))}"


def read_matching_counts(layout: Layout, vocabulary: Vocabulary) -> CountMatrix:
    """The counts of a language; those of another vocabulary are refused."""
    if not layout.counts.is_dir():
        raise InputError(f"There are no counts in {layout.counts}: run dvc repro first.")
    counts = read_counts(layout.counts)
    if counts.words != len(vocabulary):
        raise InputError(
            f"The counts in {layout.counts} are of {counts.words:,} words and the vocabulary now "
            f"has {len(vocabulary):,}: run dvc repro."
        )
    return counts


# ── for people ────────────────────────────────────────────────────────────────────────────────

SHOWN = 20
"""How many of a word's partners are shown."""


def show(layout: Layout, typed: Sequence[str]) -> str:
    """The count of two words, or the most frequent partners of one."""
    if len(typed) > 2:
        raise InputError(f"--show takes one word or two, not {len(typed)}.")
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    counts = read_matching_counts(layout, vocabulary)
    form = gold_form(layout)
    ids = [vocabulary.id(form(word) or word) for word in typed]
    names = vocabulary.words
    row = partner_counts(counts, ids[0])
    windows = f"{counts.facts.weighting} weights, windows of {counts.facts.window}"
    if len(ids) == 2:
        weight = _weight(row[ids[1]], counts.scale)
        return f"{names[ids[0]]} and {names[ids[1]]}: {weight} ({windows})"
    partners = int(np.count_nonzero(row))
    top = np.lexsort((np.arange(len(row)), -row))[: min(SHOWN, partners)]
    table = [(names[other], _weight(row[other], counts.scale)) for other in top.tolist()]
    total = _weight(row.sum(), counts.scale)
    summary = f"{names[ids[0]]}: {partners:,} words near it, {total} in all ({windows})"
    return "\n".join([summary, *(table_lines(None, table) if table else [])])


def partner_counts(counts: CountMatrix, word: int) -> NDArray[np.int64]:
    """The stored counts of a word with all words; only pairs above the diagonal are stored."""
    row = np.zeros(counts.words, np.int64)
    later = slice(counts.indptr[word], counts.indptr[word + 1])
    row[counts.indices[later]] = counts.values[later]
    earlier = np.flatnonzero(counts.indices[: later.start] == word)
    row[np.searchsorted(counts.indptr, earlier, side="right") - 1] = counts.values[earlier]
    return row


def _weight(value: int, scale: int) -> str:
    return f"{value / scale:.2f}" if scale > 1 else str(int(value))
