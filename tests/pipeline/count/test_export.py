"""Counts for other programs and for people; each file is read by the reader it is made for."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ruamel.yaml import YAML
from scipy import io

from pipeline.__main__ import main
from pipeline.count import export
from pipeline.count.export import partner_counts
from pipeline.layout import Layout
from tests.support.matrices import count_matrix, write_counts
from tests.support.root import ROOT
from wordkin.vocabulary import Vocabulary

WORDS = ["alma", "körte", "szilva", "barack", "dió"]
SCALE = 12
COUNTS = np.array(
    [
        [0, 24, 0, 7, 0],
        [24, 0, 36, 12, 0],
        [0, 36, 0, 5, 0],
        [7, 12, 5, 0, 0],
        [0, 0, 0, 0, 0],
    ]
)
PAIRS = {
    ("alma", "körte"): 24 / 12,
    ("alma", "barack"): 7 / 12,
    ("körte", "szilva"): 36 / 12,
    ("körte", "barack"): 12 / 12,
    ("szilva", "barack"): 5 / 12,
}


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    yaml = YAML()
    params = yaml.load((ROOT / "params.yaml").read_text(encoding="utf-8"))
    params["languages"] = {"hu": params["languages"]["hu"]}
    yaml.dump(params, tmp_path / "params.yaml")
    layout = Layout(tmp_path, "hu")
    layout.vocabulary.mkdir(parents=True)
    write_counts(layout.counts, COUNTS, SCALE)
    vocabulary = Vocabulary(WORDS, [50, 40, 30, 20, 0], [5, 4, 3, 2, 0])
    vocabulary.write(layout.vocabulary / "vocabulary.tsv")
    return layout


def run(layout: Layout, *arguments: str) -> int:
    return main(["--root", str(layout.root), "counts", "hu", *arguments])


@pytest.mark.parametrize("most", [1, 2, 100])
@pytest.mark.parametrize("form", ["parquet", "mtx", "glove"])
def test_other_programs_read_every_pair(
    layout: Layout, monkeypatch: pytest.MonkeyPatch, form: str, most: int
) -> None:
    monkeypatch.setattr(export.pair_chunks, "__defaults__", (most,))
    assert run(layout, "--export", form) == 0
    folder = layout.matrices / "export"
    if form == "parquet":
        rows = pq.read_table(folder / "counts.parquet").to_pylist()
        assert {(row["a"], row["b"]): row["count"] for row in rows} == PAIRS
        assert len(rows) == len(PAIRS)
    elif form == "mtx":
        assert (folder / "counts.mtx.words").read_text(encoding="utf-8").split() == WORDS
        np.testing.assert_array_equal(io.mmread(folder / "counts.mtx").toarray(), COUNTS / SCALE)
    else:
        lines = (folder / "vocab.txt").read_text(encoding="utf-8").splitlines()
        assert lines == ["alma 50", "körte 40", "szilva 30", "barack 20", "dió 0"]
        record = np.dtype([("word1", np.int32), ("word2", np.int32), ("value", np.float64)])
        assert record.itemsize == 16
        read = np.fromfile(folder / "cooccurrence.bin", record)
        assert read["word1"].min() == 1
        names = [line.split()[0] for line in lines]
        got = {(names[a - 1], names[b - 1]): value for a, b, value in read.tolist()}
        assert got == PAIRS | {(b, a): value for (a, b), value in PAIRS.items()}
        assert len(read) == 2 * len(PAIRS)


def test_an_empty_matrix_is_exported_too(tmp_path: Path) -> None:
    empty = count_matrix(np.zeros((2, 2), np.int64))
    vocabulary = Vocabulary(["a", "b"], [1, 1], [1, 1])
    for write in export.FORMATS.values():
        write(empty, vocabulary, tmp_path)
    assert pq.read_table(tmp_path / "counts.parquet").num_rows == 0
    assert io.mmread(tmp_path / "counts.mtx").toarray().tolist() == [[0, 0], [0, 0]]
    assert (tmp_path / "cooccurrence.bin").read_bytes() == b""


def test_a_failed_export_leaves_the_last_one_and_nothing_half_written(
    layout: Layout, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(layout, "--export", "glove") == 0
    folder = layout.matrices / "export"
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(export, "pair_chunks", full)
    assert run(layout, "--export", "glove") == 1
    assert "No space left on device" in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_the_folder_can_be_chosen(layout: Layout, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(layout, "--export", "parquet", "--to", str(layout.root / "there")) == 0
    assert (layout.root / "there" / "counts.parquet").is_file()
    assert not (layout.matrices / "export").exists()
    assert "5 pairs in" in capsys.readouterr().out


def test_a_pair_is_shown_with_its_true_weight(
    layout: Layout, capsys: pytest.CaptureFixture[str]
) -> None:
    for pair in (("alma", "barack"), ("Barack", "ALMA")):  # in any case and in any order
        assert run(layout, "--show", *pair) == 0
        assert "0.58 (harmonic weights, windows of 4)" in capsys.readouterr().out


def test_partners_are_shown_the_most_frequent_first(
    layout: Layout, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(layout, "--show", "körte") == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.startswith("körte: 3 words near it, 6.00 in all")
    assert rows == ["  szilva  3.00", "  alma    2.00", "  barack  1.00"]
    assert run(layout, "--show", "dió") == 0
    assert capsys.readouterr().out.startswith("dió: 0 words near it")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--show", "szliva"), "'szliva' is not in the vocabulary; near spellings: szilva"),
        (("--show", "alma", "körte", "dió"), "one word or two, not 3"),
    ],
)
def test_mistakes_are_refused_in_one_sentence(
    layout: Layout,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    arguments: tuple[str, ...],
    message: str,
) -> None:
    monkeypatch.chdir(layout.root)
    assert run(layout, *arguments) == 2
    assert message in capsys.readouterr().err


def test_missing_counts_and_counts_of_another_vocabulary_are_refused(
    layout: Layout, capsys: pytest.CaptureFixture[str]
) -> None:
    Vocabulary(["a"], [1], [1]).write(layout.vocabulary / "vocabulary.tsv")
    assert run(layout, "--export", "mtx") == 2
    assert "are of 5 words and the vocabulary now has 1" in capsys.readouterr().err
    layout.counts.rename(layout.root / "elsewhere")
    assert run(layout, "--show", "a") == 2
    assert "There are no counts" in capsys.readouterr().err


@given(st.integers(1, 12), st.integers(0, 10**6))
def test_a_row_of_partners_is_the_row_of_the_whole_matrix(words: int, seed: int) -> None:
    random = np.random.default_rng(seed)
    upper = np.triu(random.integers(0, 3, (words, words)), 1)
    counts = count_matrix(upper)
    rows = [partner_counts(counts, word) for word in range(words)]
    np.testing.assert_array_equal(np.array(rows), upper + upper.T)
