"""What other programs read from each format is what the measure says."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from scipy import io, sparse

import wordkin
from tests.support.bundles import make_bundle
from tests.support.docs import DOCS, blocks
from tests.support.exports import CARDS, MEASURES, full_matrix, nearest_pairs
from wordkin.bundle import Bundle
from wordkin.errors import InputError
from wordkin.exports import FORMATS, formats
from wordkin.exports.formats import Request
from wordkin.exports.selection import select_words
from wordkin.game.board import board_words
from wordkin.game.board_view import resolve_cards
from wordkin.measures.matrix import MatrixMeasure, Pairs
from wordkin.vocabulary import Vocabulary


def measure_of(words: list[str], values: np.ndarray) -> MatrixMeasure:
    """A measure that stores all related pairs of a full matrix."""
    matrix = sparse.csr_matrix(values)
    vocabulary = Vocabulary(words, list(range(len(words), 0, -1)), [1] * len(words))
    return MatrixMeasure("made-up", vocabulary, Pairs(matrix.indptr, matrix.indices, matrix.data))


# Boards.


def test_the_java_agent_can_read_its_table(bundle: Bundle, tmp_path: Path) -> None:
    # Its reader splits at commas, leaves the header's first cell out, and parses doubles.
    FORMATS["board-csv"].write(bundle, None, tmp_path / "board.csv", CARDS)
    lines = (tmp_path / "board.csv").read_text(encoding="utf-8").splitlines()
    clues = lines[0].split(",")[1:]
    table = {line.split(",")[0]: [float(x) for x in line.split(",")[1:]] for line in lines[1:]}
    assert clues == bundle.vocabulary.words
    assert list(table) == CARDS
    np.testing.assert_allclose(table["piano"], bundle.row("piano"), rtol=1e-5)
    np.testing.assert_allclose(table["ice tree"], bundle.row("tree"), rtol=1e-5)
    with (tmp_path / "board.csv").open(encoding="utf-8") as file:
        assert {len(row) for row in csv.reader(file)} == {len(clues) + 1}


def test_without_a_list_the_known_board_words_of_the_language_are_written(
    bundle: Bundle, tmp_path: Path
) -> None:
    known = [c for c in board_words("en") if bundle.try_resolve(c)]
    assert 0 < len(known) < len(board_words("en"))
    asked: list[list[str]] = []
    format_ = FORMATS["board-csv"]
    for words in (None, known):
        request: list[Request] = []
        recorder = type(format_)("", request.append, of_boards=True)
        recorder.write(bundle, None, tmp_path / "b", words)
        asked.append([card.word for card in request[0].cards])
    assert asked[0] == asked[1] == known


# Vectors.


@pytest.mark.parametrize("name", ["word2vec", "word2vec-binary", "glove"])
@pytest.mark.parametrize("language", ["en", "hu"])
def test_gensim_reads_the_vectors(tmp_path: Path, name: str, language: str) -> None:
    gensim = pytest.importorskip("gensim.models")
    bundle = wordkin.load(make_bundle(tmp_path, language))
    options = {"binary": name == "word2vec-binary", "no_header": name == "glove"}
    FORMATS[name].write(bundle, bundle.measure("svd"), tmp_path / "vectors")
    read = gensim.KeyedVectors.load_word2vec_format(str(tmp_path / "vectors"), **options)
    assert read.index_to_key == bundle.vocabulary.words
    vectors = bundle.measure("svd").unit_vectors()
    np.testing.assert_allclose(read.vectors, vectors, atol=1e-6)
    a, b = bundle.vocabulary.words[:2]
    FORMATS[name].write(bundle, bundle.measure("svd"), tmp_path / "some", [b, "zzyzx", a.upper()])
    read = gensim.KeyedVectors.load_word2vec_format(str(tmp_path / "some"), **options)
    assert read.index_to_key == [a, b]
    assert read.similarity(a, b) == pytest.approx(bundle.relatedness(a, b, "svd"), abs=1e-5)


@pytest.mark.parametrize("name", ["word2vec", "word2vec-binary", "glove"])
def test_a_measure_without_vectors_is_refused(bundle: Bundle, tmp_path: Path, name: str) -> None:
    format_ = name.removesuffix("-binary")
    for measure in (None, bundle.measure("npmi")):
        with pytest.raises(InputError, match=f"has no vectors: .* as {format_}"):
            FORMATS[name].write(bundle, measure, tmp_path / "v")
    assert not list(tmp_path.iterdir())


def test_the_vector_of_a_resolved_word_is_the_mean_of_what_it_stands_for(
    bundle: Bundle, tmp_path: Path
) -> None:
    words = ["tree", "keyboardpiano", "pianos", "!?"]
    path = tmp_path / "vectors.txt"
    assert FORMATS["glove"].write(bundle, bundle.measure("svd"), path, words) == ["!?"]
    lines = [line.split() for line in path.read_text(encoding="utf-8").splitlines()]
    read = {word: np.array(list(map(float, numbers))) for word, *numbers in lines}
    assert list(read) == ["tree", "keyboardpiano", "pianos"]
    vectors = bundle.measure("svd").unit_vectors()
    assert vectors is not None
    np.testing.assert_allclose(read["pianos"], vectors[bundle.vocabulary.id("piano")], atol=1e-6)
    mean = sum(
        entry.weight * vectors[bundle.vocabulary.id(entry.word)]
        for entry in bundle.resolve("keyboardpiano").words
    )
    np.testing.assert_allclose(read["keyboardpiano"], mean / np.linalg.norm(mean), atol=1e-6)


# Pairs.


def read_edges(path: Path) -> dict[tuple[str, str], float]:
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = parquet.read_table(path).to_pylist()
    return {(row["a"], row["b"]): row["relatedness"] for row in rows}


def read_tsv(path: Path) -> dict[tuple[str, str], float]:
    pandas = pytest.importorskip("pandas")
    table = pandas.read_csv(path, sep="\t", keep_default_na=False)
    return {(row.a, row.b): row.relatedness for row in table.itertuples()}


def read_matrix_market(path: Path) -> dict[tuple[str, str], float]:
    matrix = io.mmread(path).toarray()
    words = path.with_name(path.name + ".words").read_text(encoding="utf-8").splitlines()
    np.testing.assert_array_equal(matrix, matrix.T)
    upper = np.triu(matrix)
    return {(words[i], words[j]): matrix[i, j] for i, j in zip(*upper.nonzero(), strict=True)}


def read_graphml(path: Path) -> dict[tuple[str, str], float]:
    graph = pytest.importorskip("igraph").Graph.Read_GraphML(str(path))
    assert not graph.is_directed()
    assert all(count >= 0 for count in graph.vs["count"])
    words = graph.vs["name"]
    return {(words[min(edge.tuple)], words[max(edge.tuple)]): edge["weight"] for edge in graph.es}


def read_safetensors(path: Path) -> dict[tuple[str, str], float]:
    safetensors = pytest.importorskip("safetensors")
    with safetensors.safe_open(path, framework="np") as file:
        words = json.loads(file.metadata()["wordkin"])["words"]
        if "vectors" in file.keys():  # noqa: SIM118
            vectors = file.get_tensor("vectors")
            matrix = np.triu(vectors @ vectors.T, 1)
        else:
            arrays = tuple(file.get_tensor(name) for name in ("values", "indices", "indptr"))
            matrix = np.triu(sparse.csr_matrix(arrays, shape=(len(words),) * 2).toarray(), 1)
    return {(words[i], words[j]): matrix[i, j] for i, j in zip(*matrix.nonzero(), strict=True)}


READERS: dict[str, Callable[[Path], dict[tuple[str, str], float]]] = {
    "edges": read_edges,
    "tsv": read_tsv,
    "matrix-market": read_matrix_market,
    "graphml": read_graphml,
    "safetensors": read_safetensors,
}
DEFAULT_TOP = {"graphml": 10}


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("measure", MEASURES)
@pytest.mark.parametrize("top", [None, 3])
def test_programs_read_the_related_pairs(
    bundle: Bundle, tmp_path: Path, name: str, measure: str, top: int | None
) -> None:
    if name == "safetensors" and measure == "svd":
        pytest.skip("vectors are written")
    FORMATS[name].write(bundle, bundle.measure(measure), tmp_path / "out", top=top)
    near = nearest_pairs(full_matrix(bundle, measure), top or DEFAULT_TOP.get(name, 100))
    words = bundle.vocabulary.words
    expected = {(words[i], words[j]): value for (i, j), value in near.items()}
    assert READERS[name](tmp_path / "out") == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("measure", MEASURES)
def test_only_the_pairs_between_words_of_a_list_are_written(
    bundle: Bundle, tmp_path: Path, name: str, measure: str
) -> None:
    words = ["keyboard", "Piano", "zzyzx", "mouse", "bison"]
    skipped = FORMATS[name].write(bundle, bundle.measure(measure), tmp_path / "out", words)
    assert skipped == ["zzyzx"]
    known = [word for word in bundle.vocabulary.words if word in {w.lower() for w in words}]
    expected = {
        (a, b): bundle.relatedness(a, b, measure)
        for i, a in enumerate(known)
        for b in known[i + 1 :]
        if bundle.relatedness(a, b, measure) > 0 or (name, measure) == ("safetensors", "svd")
    }
    assert len(expected) > 2
    assert READERS[name](tmp_path / "out") == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("name", READERS)
def test_a_single_word_has_no_pairs(bundle: Bundle, tmp_path: Path, name: str) -> None:
    for measure in MEASURES[:2]:
        FORMATS[name].write(bundle, bundle.measure(measure), tmp_path / name, ["piano"])
        assert READERS[name](tmp_path / name) == {}


@pytest.mark.parametrize("name", READERS)
def test_words_of_all_kinds_and_half_precision_survive(
    bundle: Bundle, tmp_path: Path, name: str
) -> None:
    values = np.array([[0, 0.5, 0.25], [0.5, 0, 0], [0.25, 0, 0]], dtype=np.float32)
    measure = measure_of(["r&d", "<null>", "l'été"], values)
    assert measure.stored is not None
    half = Pairs(
        measure.stored.indptr, measure.stored.indices, measure.stored.values.astype(np.float16)
    )
    expected = {("r&d", "<null>"): 0.5, ("r&d", "l'été"): 0.25}
    for stored in (measure.stored, half):
        made = MatrixMeasure("m", measure.vocabulary, stored)
        FORMATS[name].writer(Request(bundle, [made], tmp_path / "out"))
        assert READERS[name](tmp_path / "out") == expected


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("foreign", [80, 2**31 - 1])
def test_a_matrix_that_names_foreign_words_is_refused(
    bundle: Bundle, tmp_path: Path, name: str, foreign: int
) -> None:
    whole = measure_of(bundle.vocabulary.words, full_matrix(bundle, "npmi"))
    assert whole.stored is not None
    whole.stored.indices[whole.stored.indptr[bundle.vocabulary.id("piano")]] = foreign
    with pytest.raises(InputError, match="name words outside the vocabulary"):
        FORMATS[name].write(bundle, whole, tmp_path / "x")


@pytest.mark.parametrize("name", ["npmi", "graph", "svd", "npmi+svd"])
def test_every_pair_of_selected_words_is_as_related_as_in_the_bundle(
    bundle: Bundle, name: str
) -> None:
    asked = ["Tree", "pianos", "keyboardpiano", "mouse", "snow ship", "pianos"]
    selected = select_words(bundle.measure(name), resolve_cards(bundle, asked), "en")
    words = selected.vocabulary.words
    # Known words in the order of the vocabulary, those of a phrase among them; then the others.
    known = [word for word in bundle.vocabulary.words if word in {"tree", "mouse", "snow", "ship"}]
    assert words == [*known, "pianos", "keyboardpiano"]
    rows = selected.rows(range(len(words)))
    for a, first in enumerate(words):
        for b, second in enumerate(words):
            expected = bundle.relatedness(first, second, name) if a != b else 0.0
            assert rows[a, b] == pytest.approx(expected, abs=1e-5)
    np.testing.assert_allclose(rows, rows.T, atol=1e-6)
    assert (selected.vocabulary.counts[-2:] == 0).all()


# SQLite.


@pytest.fixture(scope="module")
def database(
    bundle: Bundle, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[sqlite3.Connection]:
    path = tmp_path_factory.mktemp("sqlite") / "en.sqlite"
    FORMATS["sqlite"].write(bundle, None, path)
    assert [file.name for file in path.parent.iterdir()] == ["en.sqlite"]
    with closing(sqlite3.connect(path)) as connection:
        yield connection


def test_the_words_and_measures_are_there(bundle: Bundle, database: sqlite3.Connection) -> None:
    rows = database.execute("SELECT id, word, lemma, count, documents FROM words").fetchall()
    vocabulary = bundle.vocabulary
    columns = (vocabulary.words, bundle.lemmas, vocabulary.counts, vocabulary.documents)
    assert rows == [(i, *row) for i, row in enumerate(zip(*columns, strict=True))]
    rows = database.execute("SELECT name, is_default FROM measures ORDER BY id").fetchall()
    assert rows == [("npmi", 0), ("graph", 1), ("svd", 0)]


@pytest.mark.parametrize("name", MEASURES)
def test_the_nearest_words_are_those_of_the_measure(
    bundle: Bundle, database: sqlite3.Connection, name: str
) -> None:
    query = """
        SELECT a.word, nearest.rank, b.word, nearest.relatedness
        FROM nearest
        JOIN measures ON measures.id = nearest.measure
        JOIN words AS a ON a.id = nearest.word
        JOIN words AS b ON b.id = nearest.neighbour
        WHERE measures.name = ?
        ORDER BY nearest.word, nearest.rank
    """
    rows = database.execute(query, [name]).fetchall()
    expected = [
        (word, rank, neighbour, pytest.approx(relatedness, abs=1e-6))
        for word in bundle.vocabulary
        for rank, (neighbour, relatedness) in enumerate(bundle.nearest(word, 20, name), 1)
        if relatedness > 0
    ]
    assert rows == expected


def test_the_example_queries_of_the_documentation_answer(database: sqlite3.Connection) -> None:
    queries = blocks(DOCS / "how-to/exports.md", "sql")
    assert queries
    for query in queries:
        assert database.execute(query).fetchall(), query


def test_lookups_by_word_and_by_neighbour_use_an_index(database: sqlite3.Connection) -> None:
    for column in ("word", "neighbour"):
        query = f"EXPLAIN QUERY PLAN SELECT * FROM nearest WHERE measure = 1 AND {column} = 3"
        (plan,) = [row[-1] for row in database.execute(query)]
        assert plan.startswith("SEARCH"), plan


def test_a_measure_a_list_and_a_number_limit_what_is_written(
    bundle: Bundle, tmp_path: Path
) -> None:
    path = tmp_path / "en.sqlite"
    words = ["piano", "violin", "flute", "nursing", "zzyzx"]
    assert FORMATS["sqlite"].write(bundle, bundle.measure("svd"), path, words, 1) == ["zzyzx"]
    with closing(sqlite3.connect(path)) as connection:
        written = dict(connection.execute("SELECT word, lemma FROM words").fetchall())
        assert written == {
            "flute": "flute",
            "nursing": "nurse",
            "piano": "piano",
            "violin": "violin",
        }
        assert connection.execute("SELECT name FROM measures").fetchall() == [("svd",)]
        assert connection.execute("SELECT max(rank) FROM nearest").fetchone() == (1,)


def test_the_remains_of_a_killed_export_are_not_used(bundle: Bundle, tmp_path: Path) -> None:
    (tmp_path / "en.sqlite.part").write_bytes(b"SQLite format 3\0 and nothing more")
    FORMATS["sqlite"].write(bundle, None, tmp_path / "en.sqlite")
    with closing(sqlite3.connect(tmp_path / "en.sqlite")) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_full_disk_is_one_sentence_and_leaves_nothing(
    bundle: Bundle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(formats, "SETTINGS", "PRAGMA max_page_count = 8;" + formats.SETTINGS)
    with pytest.raises(OSError, match=r"database or disk is full: .*en\.sqlite"):
        FORMATS["sqlite"].write(bundle, None, tmp_path / "en.sqlite")
    assert not list(tmp_path.iterdir())
