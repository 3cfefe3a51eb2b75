"""Counting: exact, whatever the windows, the partitions and the memory."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline import engine
from pipeline.counting import bands, counts, windows
from pipeline.counting.bands import Bands
from pipeline.counting.windows import Table, check_exact, check_memory, weights_of
from pipeline.engine import Engine, InProcessEngine
from pipeline.layout import Layout
from pipeline.settings import Counts
from tests.support import oracle
from tests.support.corpora import (
    STOP_WORDS,
    WORDS,
    Documents,
    files,
    random_documents,
    write_source,
    write_vocabulary,
)
from wordkin.errors import InputError

documents_of = st.lists(st.lists(st.sampled_from("abcdefgxyz"), max_size=30), max_size=6)


def table_counts(table: Table, words: list[str]) -> Counter[tuple[str, str]]:
    """A table's counts, by way of the blocks that it deals."""
    cut = Bands(len(words), cells=5)
    found: Counter[tuple[str, str]] = Counter()
    for band, data in table.blocks(cut):
        low, _ = cut.rows(band)
        keys, values = bands.unpack(data)
        rows, columns = np.divmod(keys, len(words) - low)
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
        w: windows.STOP if drop and w in stop else windows.OUTSIDE for d in documents for w in d
    }
    codes = [ids.get(w, outside[w]) for d in documents for w in d]
    bounds = np.cumsum([0] + [len(d) for d in documents])
    table = Table(len(words), weights_of(window, weighting)[0], 64)
    if dense is not None:  # as if the memory were enough for the first words only
        table.dense = dense
        table.row_starts = bands.cells_before(dense)
    table.add(np.array(codes, np.int32), bounds.astype(np.int64))
    return table_counts(table, words)


@given(
    documents_of,
    # A harmonic window beyond 36 has sums that would not fit even for documents as small as these.
    st.tuples(st.integers(1, 50), st.sampled_from(["uniform", "linear"]))
    | st.tuples(st.integers(1, 36), st.just("harmonic")),
    st.booleans(),
    st.integers(0, 7),
    st.integers(1, 7),
)
def test_counts_are_the_specification(documents, windowed, drop, dense, size) -> None:
    window, weighting = windowed
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
    check_exact(5_692_000_000, 50, "linear")
    with pytest.raises(InputError, match="window of at most 18, or linear"):
        check_exact(5_692_000_000, 20, "harmonic")
    with pytest.raises(InputError, match=r"counts\.window"):
        weights_of(50, "harmonic")


def test_a_text_of_any_length_takes_small_buffers_only(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "BESIDE", 50)
    documents = [np.random.default_rng(5).choice(WORDS, 5000).tolist()]
    expected = oracle.window_counts(documents, WORDS, 12, "harmonic")
    assert count(documents, WORDS, 12, "harmonic", set(), True, dense=2) == expected


blocks_of = st.lists(
    st.dictionaries(st.integers(0, 999), st.integers(1, 2**40), min_size=1, max_size=99),
    min_size=1,
    max_size=4,
)


@given(blocks_of, st.sampled_from([1000, 10**6]))
def test_blocks_add_up_in_a_dense_array_and_beside_it(dealt, cells: int) -> None:
    expected: Counter[int] = Counter()
    blocks = []
    for pairs in dealt:
        expected.update(pairs)
        keys = np.array(sorted(pairs), np.int64)
        blocks.append(bands.pack(bands.Pairs(keys, np.array([pairs[k] for k in keys.tolist()]))))
    keys, values = bands.unpack(bands.pack(bands.add_blocks(blocks, cells)))
    assert dict(zip(keys.tolist(), values.tolist(), strict=True)) == expected


def test_more_memory_than_there_is_is_refused_with_what_fits() -> None:
    weights, _ = weights_of(10, "harmonic")
    check_memory(15_000, weights, 1024, 2, 4096)
    check_memory(100_000, weights, 4096, 2, 16 * 1024)
    with pytest.raises(InputError, match=r"task_memory_mib to at most (\d+)\.") as refused:
        check_memory(100_000, weights, 8192, 2, 16 * 1024)
    fits = int(str(refused.value).split()[-1].rstrip("."))
    check_memory(100_000, weights, fits, 2, 16 * 1024)
    with pytest.raises(InputError, match=r"at most"):
        check_memory(100_000, weights, fits + 1, 2, 16 * 1024)
    with pytest.raises(InputError, match=r"spark\.master to local\[4\] and .* to 64\."):
        check_memory(15_000, weights, 1024, 32, 4096)
    with pytest.raises(InputError, match="counting takes at least"):
        check_memory(15_000, weights, 64, 1, 1024)


@pytest.mark.parametrize("words", [2, 3, 10, 1000])
def test_bands_cover_each_row_once(words: int) -> None:
    bands = Bands(words, cells=7)
    rows = [row for band in range(len(bands)) for row in range(*bands.rows(band))]
    assert rows == list(range(words))


def make_corpus(root: Path, documents: Documents, words: list[str], number: int) -> Layout:
    """Tokens in `number` parts of one source, and a vocabulary."""
    layout = Layout(root, "xx")
    write_source(layout, "source", documents, number)
    write_vocabulary(layout, words)
    return layout


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


@pytest.mark.parametrize("stop_words", ["drop", "keep"])
@pytest.mark.parametrize("boundary", ["document", "line"])
@pytest.mark.parametrize(
    ("window", "weighting", "scale"),
    [(1, "harmonic", 1), (4, "harmonic", 12), (50, "uniform", 1), (5, "linear", 5)],
)
def test_every_option_does_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, window, weighting, scale, boundary, stop_words
) -> None:
    documents = random_documents(1)
    layout = make_corpus(tmp_path, documents, WORDS, 3)
    settings = Counts(window, weighting, boundary, stop_words)
    metrics = counts.make_counts(layout, settings, 64, InProcessEngine(2))
    whole = [[w for line in d for w in line] for d in documents]
    stretches = whole if boundary == "document" else [line for d in documents for line in d]
    drop = stop_words == "drop"
    expected = oracle.window_counts(stretches, WORDS, window, weighting, STOP_WORDS, drop)
    assert read(layout, WORDS) == expected
    assert metrics["tokens"] == sum(len(d) for d in whole)
    assert metrics["total_weight"] == sum(expected.values()) / scale


def test_the_bytes_do_not_depend_on_the_parts(tmp_path: Path, spark: Engine) -> None:
    documents = random_documents(2)
    made = {}
    for number in (1, 2, 37):
        shuffled = documents if number == 1 else documents[::-1]
        layout = make_corpus(tmp_path / str(number), shuffled, WORDS, number)
        counts.make_counts(layout, Counts(), 64, engine)
        made[number] = files(layout.counts)
    assert made[1] == made[2] == made[37]
    assert set(made[1]) == {"indptr.npy", "indices.npy", "values.npy", "counts.json"}


def test_a_corpus_without_pairs_gives_an_empty_matrix(tmp_path: Path, spark: Engine) -> None:
    layout = make_corpus(tmp_path, [[["x", "y"]], [["a"]], [["z", "z"]]], ["a", "b"], 1)
    metrics = counts.make_counts(layout, Counts(), 64, engine)
    assert metrics["pairs"] == 0
    assert read(layout, ["a", "b"]) == Counter()
