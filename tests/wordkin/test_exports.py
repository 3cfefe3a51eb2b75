"""Exports, each read back by the program it is for."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from scipy import io

import wordkin
from tests.support.bundles import make_bundle
from wordkin.bundle import Bundle
from wordkin.errors import InputError
from wordkin.exports import FORMATS, boards, pairs, vectors
from wordkin.game.board import board_words

CARDS = ["piano", "mouse", "bison", "ice tree"]
MEASURES = ["npmi", "graph", "svd"]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return wordkin.load(make_bundle(tmp_path_factory.mktemp("export")))


def whole(bundle: Bundle, name: str) -> np.ndarray:
    """The measure as a full matrix."""
    return bundle.measure(name).rows(np.arange(len(bundle.vocabulary)))


def nearest_pairs(values: np.ndarray, top: int) -> dict[tuple[int, int], float]:
    """The pairs in which one word is among the other's nearest, by plain loops."""
    nearest = {}
    for i, row in enumerate(values):
        others = [j for j in range(len(row)) if j != i]
        last = sorted((row[j] for j in others), reverse=True)[: min(top, len(others))][-1]
        for j in others:
            if row[j] > 0 and row[j] >= last:
                nearest[min(i, j), max(i, j)] = float(row[j])
    return nearest


def test_the_java_agent_can_read_its_table(bundle: Bundle, tmp_path: Path) -> None:
    # Its reader splits at commas, leaves the header's first cell out, and parses doubles.
    boards.write_board_csv(bundle.measure(), CARDS, "en", tmp_path / "board.csv")
    lines = (tmp_path / "board.csv").read_text(encoding="utf-8").splitlines()
    clues = lines[0].split(",")[1:]
    table = {line.split(",")[0]: [float(x) for x in line.split(",")[1:]] for line in lines[1:]}
    assert clues == bundle.vocabulary.words
    assert list(table) == CARDS
    np.testing.assert_allclose(table["piano"], bundle.row("piano"), rtol=1e-5)
    np.testing.assert_allclose(table["ice tree"], bundle.row("tree"), rtol=1e-5)
    with (tmp_path / "board.csv").open(encoding="utf-8") as file:
        assert {len(row) for row in csv.reader(file)} == {len(clues) + 1}


@pytest.mark.parametrize("binary", [False, True])
def test_gensim_reads_the_vectors(bundle: Bundle, tmp_path: Path, binary: bool) -> None:
    gensim = pytest.importorskip("gensim.models")
    vectors.write_word2vec(bundle.measure("svd"), tmp_path / "vectors", binary)
    read = gensim.KeyedVectors.load_word2vec_format(str(tmp_path / "vectors"), binary=binary)
    assert read.index_to_key == bundle.vocabulary.words
    for a, b in (("piano", "violin"), ("piano", "bison")):
        ours = bundle.relatedness(a, b, "svd")
        assert read.similarity(a, b) == pytest.approx(ours, abs=1e-5)


def test_gensim_reads_accented_words(tmp_path: Path) -> None:
    gensim = pytest.importorskip("gensim.models")
    magyar = wordkin.load(make_bundle(tmp_path, "hu"))
    for binary in (False, True):
        vectors.write_word2vec(magyar.measure("svd"), tmp_path / "vectors", binary)
        read = gensim.KeyedVectors.load_word2vec_format(str(tmp_path / "vectors"), binary=binary)
        assert "billentyűzet" in read


def test_a_measure_without_vectors_is_refused(bundle: Bundle, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="'npmi' has no vectors"):
        vectors.write_word2vec(bundle.measure("npmi"), tmp_path / "vectors", binary=True)
    assert not list(tmp_path.iterdir())


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
    assert edges == pytest.approx(nearest_pairs(whole(bundle, name), top or 100), abs=1e-6)


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("top", [None, 3])
def test_scipy_reads_the_matrix(bundle: Bundle, tmp_path: Path, name: str, top: int | None) -> None:
    pairs.write_matrix_market(bundle.measure(name), tmp_path / "matrix.mtx", top)
    matrix = io.mmread(tmp_path / "matrix.mtx").toarray()
    words = (tmp_path / "matrix.mtx.words").read_text(encoding="utf-8").split()
    assert words == bundle.vocabulary.words
    np.testing.assert_array_equal(matrix, matrix.T)
    expected = nearest_pairs(whole(bundle, name), top or 100)
    upper = {(i, j): matrix[i, j] for i, j in zip(*np.triu(matrix).nonzero(), strict=True)}
    assert upper == pytest.approx(expected, abs=1e-6)


def test_a_board_bundle_has_one_byte_per_value_and_is_close_to_it(
    bundle: Bundle, tmp_path: Path
) -> None:
    boards.write_board_bundle(bundle.measure("npmi"), CARDS, "en", tmp_path / "board")
    cards, clues, table = boards.read_board_bundle(tmp_path / "board")
    assert (cards, clues) == (CARDS, bundle.vocabulary.words)
    about = json.loads((tmp_path / "board" / "board.json").read_text(encoding="utf-8"))
    size = (tmp_path / "board" / "relatedness.bin").stat().st_size
    assert size == len(cards) * len(clues)
    exact = bundle.measure("npmi").rows(bundle.vocabulary.ids_of(["piano", "mouse", "bison"]))
    np.testing.assert_allclose(table[:3], exact, atol=about["step"] / 2 + 1e-6)


def test_a_web_page_can_read_a_board_bundle(bundle: Bundle, tmp_path: Path) -> None:
    boards.write_board_bundle(bundle.measure(), CARDS, "en", tmp_path / "board")
    about = json.loads((tmp_path / "board" / "board.json").read_text(encoding="utf-8"))
    bytes_ = (tmp_path / "board" / "relatedness.bin").read_bytes()
    card, clue = about["cards"].index("piano"), about["clues"].index("keyboard")
    value = about["low"] + bytes_[card * len(about["clues"]) + clue] * about["step"]
    assert value == pytest.approx(bundle.relatedness("piano", "keyboard"), abs=about["step"])


def test_damaged_board_bundles_are_refused(bundle: Bundle, tmp_path: Path) -> None:
    boards.write_board_bundle(bundle.measure(), CARDS, "en", tmp_path / "board")
    body = tmp_path / "board" / "relatedness.bin"
    body.write_bytes(body.read_bytes()[:-1])
    with pytest.raises(InputError, match="not a whole board bundle"):
        boards.read_board_bundle(tmp_path / "board")
    with pytest.raises(InputError, match="not a whole board bundle"):
        boards.read_board_bundle(tmp_path / "nothing")


BOARD_FORMATS = ["board-csv", "board-bundle"]


@pytest.mark.parametrize("name", BOARD_FORMATS)
def test_unknown_board_words_are_named(bundle: Bundle, tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match=r"Not in the vocabulary: zzyzx, qwerty\."):
        FORMATS[name].write(bundle, bundle.measure(), tmp_path / "b", ["zzyzx", "piano", "qwerty"])
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", BOARD_FORMATS)
def test_an_empty_list_of_board_words_is_refused(bundle: Bundle, tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="no board words"):
        FORMATS[name].write(bundle, bundle.measure(), tmp_path / "b", [])
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", BOARD_FORMATS)
def test_without_a_list_the_known_board_words_of_the_language_are_written(
    bundle: Bundle, tmp_path: Path, name: str
) -> None:
    known = [c for c in board_words("en") if bundle.vocabulary.card_ids(c, "en")]
    assert 0 < len(known) < len(board_words("en"))
    FORMATS[name].write(bundle, bundle.measure(), tmp_path / "b")
    FORMATS[name].write(bundle, bundle.measure(), tmp_path / "same", known)
    assert contents(tmp_path / "b") == contents(tmp_path / "same")


@pytest.mark.parametrize("name", ["edges", "matrix-market"])
@pytest.mark.parametrize("top", [0, -3])
def test_fewer_than_one_nearest_word_is_refused(
    bundle: Bundle, tmp_path: Path, name: str, top: int
) -> None:
    with pytest.raises(InputError, match="ask for 1 or more"):
        FORMATS[name].write(bundle, bundle.measure("npmi"), tmp_path / "x", top=top)
    assert not list(tmp_path.iterdir())


def contents(path: Path) -> list[bytes]:
    """The bytes of a file, or of all files of a folder."""
    files = sorted(path.iterdir()) if path.is_dir() else [path]
    return [file.read_bytes() for file in files]


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_has_a_description_and_writes_the_same_bytes_each_time(
    bundle: Bundle, tmp_path: Path, name: str
) -> None:
    assert FORMATS[name].about and "\n" not in FORMATS[name].about
    for run in ("one", "two"):
        (tmp_path / run).mkdir()
        FORMATS[name].write(bundle, bundle.measure("svd"), tmp_path / run / "out", CARDS, 5)
    written = sorted(path.name for path in (tmp_path / "one").iterdir())
    assert "out" in written and not [path for path in written if path.endswith(".part")]
    for path in written:
        assert contents(tmp_path / "one" / path) == contents(tmp_path / "two" / path)


def test_without_pyarrow_the_error_says_what_to_install(
    bundle: Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pairs.util, "find_spec", lambda name: None)
    with pytest.raises(InputError, match="pip install pyarrow"):
        pairs.write_edges(bundle.measure("npmi"), tmp_path / "edges.parquet")
