"""Counting: exact, whatever the windows, the partitions and the memory."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline import counts, parts
from pipeline.counts import Bands, Table, check_exact, weights_of
from pipeline.layout import Layout
from pipeline.settings import Counts
from tests import oracle
from wordkin.errors import InputError
from wordkin.vocabulary import Vocabulary

if TYPE_CHECKING:
    from pyspark import SparkContext

WORDS = list("abcdefg")
documents_of = st.lists(st.lists(st.sampled_from("abcdefgxyz"), max_size=30), max_size=6)


def table_counts(table: Table, words: list[str]) -> Counter[tuple[str, str]]:
    """A table's counts, by way of the blocks that it deals."""
    bands = Bands(len(words), cells=5)
    found: Counter[tuple[str, str]] = Counter()
    for band, data in table.blocks(bands):
        low, _ = bands.rows(band)
        keys, values = counts._unpack(data)
        rows, columns = np.divmod(keys.astype(np.int64), len(words) - low)
        for a, b, n in zip(rows + low, columns + low, values.tolist(), strict=True):
            found[words[a], words[b]] += n
            found[words[b], words[a]] += n
    return found


def count(
    documents: list[list[str]],
    words: list[str],
    window: int,
    weighting: str,
    stop: set[str],
    drop: bool,
    dense: int | None = None,
) -> Counter[tuple[str, str]]:
    ids = {word: i for i, word in enumerate(words)}
    outside = {
        w: counts.STOP if drop and w in stop else counts.OUTSIDE for d in documents for w in d
    }
    codes = [ids.get(w, outside[w]) for d in documents for w in d]
    bounds = np.cumsum([0] + [len(d) for d in documents])
    table = Table(len(words), weights_of(window, weighting)[0], 64)
    if dense is not None:  # as if the memory were enough for the first words only
        table.dense = dense
        table.row_starts = counts.cells_before(dense)
    table.add(np.array(codes, np.int32), bounds.astype(np.int64))
    return table_counts(table, words)


@given(
    documents_of,
    st.integers(1, 12),
    st.sampled_from(["uniform", "harmonic"]),
    st.booleans(),
    st.integers(0, 7),
    st.integers(1, 7),
)
def test_counts_are_the_specification(documents, window, weighting, drop, dense, size) -> None:
    words, stop = WORDS[:size], {"x", "y"}
    expected = oracle.window_counts(documents, words, window, weighting, stop, drop)
    got = count(documents, words, window, weighting, stop, drop, min(dense, size))
    assert got == expected


def test_words_outside_the_vocabulary_keep_their_place_and_stop_words_do_not() -> None:
    document = [["a", "z", "x", "b"]]
    got = count(document, ["a", "b"], 2, "uniform", {"x"}, drop=True)
    assert got["a", "b"] == 1  # z stays between them, x does not
    assert not count(document, ["a", "b"], 2, "uniform", {"x"}, drop=False)


def test_a_cell_that_runs_over_loses_nothing() -> None:
    weights = np.array([0, 2**16], np.int64)
    table = Table(2, weights, 64)
    repeats = 2**17 + 3
    codes = np.tile(np.array([0, 1], np.int32), repeats)
    table.add(codes, np.array([0, len(codes)], np.int64))
    assert table.spilled
    assert table_counts(table, ["a", "b"])["a", "b"] == (2 * repeats - 1) * 2**16


def test_windows_that_would_not_stay_exact_are_refused_with_one_that_fits() -> None:
    check_exact(5_692_000_000, 10, "harmonic")
    check_exact(5_692_000_000, 50, "uniform")
    with pytest.raises(InputError, match="window of at most 18, or uniform"):
        check_exact(5_692_000_000, 20, "harmonic")
    with pytest.raises(InputError, match=r"counts\.window"):
        weights_of(50, "harmonic")


@pytest.mark.parametrize("words", [2, 3, 10, 1000])
def test_bands_cover_each_row_once(words: int) -> None:
    bands = Bands(words, cells=7)
    rows = [row for band in range(len(bands)) for row in range(*bands.rows(band))]
    assert rows == list(range(words))


def make_corpus(
    root: Path, documents: list[list[list[str]]], words: list[str], number: int
) -> Layout:
    """Tokens (documents of lines of words) in `number` parts, and a vocabulary."""
    layout = Layout(root, "xx")
    for part in range(number):
        rows = [
            parts.Row(str(i), bytes(16), [w for line in d for w in line], [len(line) for line in d])
            for i, d in enumerate(documents[part::number])
        ]
        parts.write_part(layout.tokens / "source" / f"part-{part:05d}.parquet", rows)
    layout.vocabulary.mkdir(parents=True)
    Vocabulary(words, [1] * len(words), [1] * len(words)).write(
        layout.vocabulary / "vocabulary.tsv"
    )
    (layout.vocabulary / "stop_words.txt").write_text("x\ny\n")
    return layout


def random_documents(seed: int) -> list[list[list[str]]]:
    random = np.random.default_rng(seed)
    letters = [*WORDS, "x", "y", "z"]
    return [
        [
            random.choice(letters, random.integers(1, 9)).tolist()
            for _ in range(random.integers(1, 5))
        ]
        for _ in range(60)
    ]


def read(layout: Layout, words: list[str]) -> Counter[tuple[str, str]]:
    """The counts as another program would read them: three arrays."""
    indptr, indices, values = (
        np.load(layout.counts / f"{name}.npy") for name in ("indptr", "indices", "values")
    )
    found: Counter[tuple[str, str]] = Counter()
    for a, word in enumerate(words):
        for at in range(indptr[a], indptr[a + 1]):
            found[word, words[indices[at]]] = found[words[indices[at]], word] = int(values[at])
    return found


@pytest.mark.parametrize("boundary", ["document", "line"])
def test_the_stage_agrees_with_the_oracle(tmp_path: Path, spark: SparkContext, boundary) -> None:
    documents = random_documents(1)
    layout = make_corpus(tmp_path, documents, WORDS, 3)
    settings = Counts(window=4, boundary=boundary)
    metrics = counts.run(layout, settings, 64, spark)
    whole = [[w for line in d for w in line] for d in documents]
    stretches = whole if boundary == "document" else [line for d in documents for line in d]
    expected = oracle.window_counts(stretches, WORDS, 4, "harmonic", {"x", "y"})
    assert read(layout, WORDS) == expected
    assert metrics["tokens"] == sum(len(d) for d in whole)
    assert metrics["total_weight"] == sum(expected.values()) / 12


def test_the_bytes_do_not_depend_on_the_parts(tmp_path: Path, spark: SparkContext) -> None:
    documents = random_documents(2)
    made = {}
    for number in (1, 2, 37):
        shuffled = documents if number == 1 else documents[::-1]
        layout = make_corpus(tmp_path / str(number), shuffled, WORDS, number)
        counts.run(layout, Counts(), 64, spark)
        made[number] = {path.name: path.read_bytes() for path in layout.counts.iterdir()}
    assert made[1] == made[2] == made[37]
    assert set(made[1]) == {"indptr.npy", "indices.npy", "values.npy", "counts.json"}


def test_a_corpus_without_pairs_gives_an_empty_matrix(tmp_path: Path, spark: SparkContext) -> None:
    layout = make_corpus(tmp_path, [[["x", "y"]], [["a"]], [["z", "z"]]], ["a", "b"], 1)
    metrics = counts.run(layout, Counts(), 64, spark)
    assert metrics["pairs"] == 0
    assert read(layout, ["a", "b"]) == Counter()
