"""Related pairs, read by pyarrow, pandas and SciPy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy import io

import wordkin
from tests.support.exports import MEASURES, full_matrix, nearest_pairs
from wordkin.bundle import Bundle, write_bundle
from wordkin.errors import InputError
from wordkin.exports import FORMATS, pairs
from wordkin.measures.sparse import SparseMeasure
from wordkin.measures.store import write_measure
from wordkin.vocabulary import Vocabulary


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("top", [None, 3])
def test_pyarrow_reads_the_edges(
    bundle: Bundle, tmp_path: Path, name: str, top: int | None
) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    count = pairs.write_edges(bundle.measure(name), tmp_path / "edges.parquet", top)
    table = parquet.read_table(tmp_path / "edges.parquet").to_pylist()
    ids = bundle.vocabulary.ids
    edges = {(ids[row["a"]], ids[row["b"]]): row["relatedness"] for row in table}
    assert len(table) == len(edges) == count
    assert edges == pytest.approx(nearest_pairs(full_matrix(bundle, name), top or 100), abs=1e-6)


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("top", [None, 3])
def test_scipy_reads_the_matrix(bundle: Bundle, tmp_path: Path, name: str, top: int | None) -> None:
    pairs.write_matrix_market(bundle.measure(name), tmp_path / "matrix.mtx", top)
    matrix = io.mmread(tmp_path / "matrix.mtx").toarray()
    words = (tmp_path / "matrix.mtx.words").read_text(encoding="utf-8").split()
    assert words == bundle.vocabulary.words
    np.testing.assert_array_equal(matrix, matrix.T)
    expected = nearest_pairs(full_matrix(bundle, name), top or 100)
    upper = {(i, j): matrix[i, j] for i, j in zip(*np.triu(matrix).nonzero(), strict=True)}
    assert upper == pytest.approx(expected, abs=1e-6)


def test_without_pyarrow_the_error_says_what_to_install(
    bundle: Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairs.util, "find_spec", lambda name: None)
    with pytest.raises(InputError, match="pip install pyarrow"):
        pairs.write_edges(bundle.measure("npmi"), tmp_path / "edges.parquet")


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("top", [None, 3])
def test_pandas_reads_the_pairs(bundle: Bundle, tmp_path: Path, name: str, top: int | None) -> None:
    pandas = pytest.importorskip("pandas")
    count = pairs.write_tsv(bundle.measure(name), tmp_path / "pairs.tsv", top)
    pairs.write_edges(bundle.measure(name), tmp_path / "pairs.parquet", top)
    text = pandas.read_csv(tmp_path / "pairs.tsv", sep="\t", keep_default_na=False)
    ids = bundle.vocabulary.ids
    related = {(ids[row.a], ids[row.b]): row.relatedness for row in text.itertuples()}
    assert len(text) == len(related) == count
    assert related == pytest.approx(nearest_pairs(full_matrix(bundle, name), top or 100), abs=1e-6)
    parquet = pandas.read_parquet(tmp_path / "pairs.parquet")
    assert text[["a", "b"]].equals(parquet[["a", "b"]])
    np.testing.assert_allclose(text["relatedness"], parquet["relatedness"], rtol=1e-6)


def test_a_word_that_looks_like_a_missing_value_stays_a_word(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    Vocabulary(["null", "nan"], [2, 1], [1, 1]).write(tmp_path / "vocabulary.tsv")
    values = np.array([[0, 0.5], [0.5, 0]], dtype=np.float32)
    write_measure(tmp_path / "graph", "graph", "dense", {"values": values})
    write_bundle(
        tmp_path / "bundle",
        language="en",
        vocabulary=tmp_path / "vocabulary.tsv",
        measures={"graph": tmp_path / "graph"},
        default="graph",
    )
    pairs.write_tsv(wordkin.load(tmp_path / "bundle").measure(), tmp_path / "pairs.tsv")
    read = pandas.read_csv(tmp_path / "pairs.tsv", sep="\t", keep_default_na=False)
    assert read.to_numpy().tolist() == [["null", "nan", 0.5]]


@pytest.mark.parametrize("name", MEASURES)
def test_only_the_pairs_between_words_of_a_list_are_written(
    bundle: Bundle, tmp_path: Path, name: str
) -> None:
    words = ["keyboard", "Piano", "zzyzx", "mouse", "bison"]
    skipped = FORMATS["tsv"].write(bundle, bundle.measure(name), tmp_path / "pairs.tsv", words)
    assert skipped == ["zzyzx"]
    lines = (tmp_path / "pairs.tsv").read_text(encoding="utf-8").splitlines()[1:]
    written = {}
    for line in lines:
        a, b, relatedness = line.split("\t")
        written[a, b] = float(relatedness)
    known = [word for word in bundle.vocabulary.words if word in {w.lower() for w in words}]
    expected = {
        (a, b): bundle.relatedness(a, b, name)
        for i, a in enumerate(known)
        for b in known[i + 1 :]
        if bundle.relatedness(a, b, name) > 0
    }
    assert len(expected) > 2
    assert written == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("name", ["edges", "tsv", "matrix-market", "graphml", "safetensors"])
def test_a_single_word_has_no_pairs(bundle: Bundle, tmp_path: Path, name: str) -> None:
    for measure in MEASURES[:2]:
        FORMATS[name].write(bundle, bundle.measure(measure), tmp_path / name, ["piano"])
        assert (tmp_path / name).stat().st_size > 0


PAIR_FORMATS = ["edges", "tsv", "matrix-market", "graphml"]


@pytest.mark.parametrize("name", PAIR_FORMATS)
@pytest.mark.parametrize("words", [None, ["piano", "mouse", "keyboard"]])
def test_half_precision_is_no_obstacle(
    bundle: Bundle, tmp_path: Path, name: str, words: list[str] | None
) -> None:
    npmi = bundle.measure("npmi")
    half = np.asarray(npmi.values, dtype=np.float16)
    rounded = half.astype(np.float32)
    for values, path in ((half, "half"), (rounded, "single")):
        measure = SparseMeasure("npmi", bundle.vocabulary, npmi.indptr, npmi.indices, values)
        FORMATS[name].write(bundle, measure, tmp_path / path, words)
    assert (tmp_path / "half").read_bytes() == (tmp_path / "single").read_bytes()


@pytest.mark.parametrize("name", PAIR_FORMATS)
@pytest.mark.parametrize("words", [None, ["piano", "mouse", "keyboard"]])
@pytest.mark.parametrize("foreign", [-1, 80, 2**31 - 1])
def test_a_matrix_that_names_foreign_words_is_refused(
    bundle: Bundle, tmp_path: Path, name: str, words: list[str] | None, foreign: int
) -> None:
    npmi = bundle.measure("npmi")
    indices = npmi.indices.copy()
    indices[npmi.indptr[bundle.vocabulary.id("piano")]] = foreign
    measure = SparseMeasure("npmi", bundle.vocabulary, npmi.indptr, indices, npmi.values)
    with pytest.raises(InputError, match="name words outside the vocabulary"):
        FORMATS[name].write(bundle, measure, tmp_path / "x", words)
