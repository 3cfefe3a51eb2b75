"""SQLite, read by sqlite3."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from tests.support.exports import MEASURES, full_matrix
from tests.support.root import ROOT
from wordkin.bundle import Bundle
from wordkin.exports import FORMATS, sqlite
from wordkin.exports.sqlite import write_sqlite
from wordkin.measures.dense import DenseMeasure

DOCS = ROOT / "docs" / "bundle.md"


@pytest.fixture(scope="module")
def database(
    bundle: Bundle, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[sqlite3.Connection]:
    path = tmp_path_factory.mktemp("sqlite") / "en.sqlite"
    FORMATS["sqlite"].write(bundle, None, path)
    assert [file.name for file in path.parent.iterdir()] == ["en.sqlite"]
    with closing(sqlite3.connect(path)) as connection:
        yield connection


def test_the_words_have_their_lemmas_and_counts(
    bundle: Bundle, database: sqlite3.Connection
) -> None:
    rows = database.execute("SELECT id, word, lemma, count, documents FROM words").fetchall()
    vocabulary = bundle.vocabulary
    columns = (vocabulary.words, bundle.lemmas, vocabulary.counts, vocabulary.documents)
    assert rows == [(i, *row) for i, row in enumerate(zip(*columns, strict=True))]


def test_all_measures_are_there_and_one_is_the_default(database: sqlite3.Connection) -> None:
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


def test_equally_near_words_are_in_the_order_of_the_vocabulary(
    bundle: Bundle, tmp_path: Path
) -> None:
    path = tmp_path / "en.sqlite"
    values = full_matrix(bundle, "graph").round(1)
    measure = DenseMeasure("rounded", bundle.vocabulary, values)
    write_sqlite([measure], path, lemmas=bundle.lemmas, default="rounded", top=5)
    assert len(set(values[0])) < 10
    query = "SELECT word, neighbour FROM nearest ORDER BY word, rank"
    with closing(sqlite3.connect(path)) as connection:
        read = connection.execute(query).fetchall()
    ids = bundle.vocabulary.ids
    assert read == [
        (ids[word], ids[neighbour])
        for word in bundle.vocabulary
        for neighbour, _ in measure.nearest(word, 5)
    ]


def test_the_example_query_of_the_documentation_answers(database: sqlite3.Connection) -> None:
    queries = re.findall(r"```sql\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
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
        written = connection.execute("SELECT word, lemma FROM words").fetchall()
        assert sorted(written) == [
            ("flute", "flute"),
            ("nursing", "nurse"),
            ("piano", "piano"),
            ("violin", "violin"),
        ]
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
    monkeypatch.setattr(sqlite, "_SETTINGS", "PRAGMA max_page_count = 8;" + sqlite._SETTINGS)
    with pytest.raises(OSError, match=r"database or disk is full: .*en\.sqlite"):
        FORMATS["sqlite"].write(bundle, None, tmp_path / "en.sqlite")
    assert not list(tmp_path.iterdir())
