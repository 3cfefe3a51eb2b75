"""SQLite: the words, the measures, and the nearest words of each word, ready for queries.

The same input gives the same bytes with the same version of SQLite: rows are inserted in a fixed
order, and nothing depends on the time.
"""

from __future__ import annotations

import errno
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from wordkin.exports.format import Format, Request
from wordkin.files import new_file
from wordkin.measures.measure import Measure

if TYPE_CHECKING:
    import sqlite3

NEAREST = 20
"""How many nearest words are written per word and measure by default."""

# The journal would be a second file. It is not needed: a file that is not complete is removed.
_SETTINGS = "PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
_TABLES = """
CREATE TABLE words (
    id INTEGER PRIMARY KEY,
    word TEXT NOT NULL UNIQUE,
    lemma TEXT NOT NULL,
    count INTEGER NOT NULL,
    documents INTEGER NOT NULL
);
CREATE TABLE measures (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    is_default INTEGER NOT NULL
);
CREATE TABLE nearest (
    measure INTEGER NOT NULL REFERENCES measures (id),
    word INTEGER NOT NULL REFERENCES words (id),
    rank INTEGER NOT NULL,
    neighbour INTEGER NOT NULL REFERENCES words (id),
    relatedness REAL NOT NULL,
    PRIMARY KEY (measure, word, rank)
) WITHOUT ROWID;
"""
_INDEXES = """
CREATE INDEX words_by_lemma ON words (lemma);
CREATE INDEX nearest_by_neighbour ON nearest (measure, neighbour, word);
"""

_BATCH = 512


def write_sqlite(
    measures: Sequence[Measure],
    path: Path,
    *,
    lemmas: Sequence[str],
    default: str,
    top: int | None = None,
) -> None:
    """Write a database with the tables `words`, `measures` and `nearest`.

    Parameters
    ----------
    measures : sequence of Measure
        What to write; all have the same vocabulary.
    path : Path
        The file to write.
    lemmas : sequence of str
        The lemma of each word.
    default : str
        The name of the bundle's default measure.
    top : int, optional
        How many nearest words to write per word and measure. Only words with a relatedness above 0
        are written. Default: 20.
    """
    import sqlite3

    vocabulary = measures[0].vocabulary
    columns = (vocabulary.words, lemmas, vocabulary.counts.tolist(), vocabulary.documents.tolist())
    with new_file(path) as temporary:
        temporary.unlink(missing_ok=True)  # SQLite would add to the remains of a killed process
        try:
            with closing(sqlite3.connect(temporary, isolation_level=None)) as database:
                database.executescript(_SETTINGS + _TABLES)
                database.execute("BEGIN")
                rows = ((i, *row) for i, row in enumerate(zip(*columns, strict=True)))
                database.executemany("INSERT INTO words VALUES (?, ?, ?, ?, ?)", rows)
                for number, measure in enumerate(measures):
                    facts = (number, measure.name, int(measure.name == default))
                    database.execute("INSERT INTO measures VALUES (?, ?, ?)", facts)
                    _insert_nearest(database, number, measure, NEAREST if top is None else top)
                database.execute("COMMIT")
                database.executescript(_INDEXES + "VACUUM;")
        except sqlite3.OperationalError as error:
            raise OSError(errno.EIO, str(error), str(path)) from error


def _insert_nearest(
    database: sqlite3.Connection, number: int, measure: Measure, count: int
) -> None:
    rows = (
        (number, word, rank, neighbour, relatedness)
        for word, ids, values in _nearest(measure, count)
        for rank, (neighbour, relatedness) in enumerate(zip(ids, values, strict=True), 1)
    )
    database.executemany("INSERT INTO nearest VALUES (?, ?, ?, ?, ?)", rows)


def _nearest(measure: Measure, count: int) -> Iterator[tuple[int, list[int], list[float]]]:
    """Each word with its nearest words, in the order of `Measure.nearest`."""
    size = len(measure.vocabulary)
    count = min(count, size)
    for start in range(0, size, _BATCH):
        ids = np.arange(start, min(start + _BATCH, size))
        rows = np.array(measure.rows(ids))
        rows[np.arange(len(ids)), ids] = -np.inf
        last = np.partition(rows, -count, axis=1)[:, -count]
        for word, row, lowest in zip(ids.tolist(), rows, last, strict=True):
            near = np.flatnonzero((row >= lowest) & (row > 0))
            near = near[np.argsort(-row[near], kind="stable")][:count]
            yield word, near.tolist(), row[near].tolist()


def _sqlite(request: Request) -> None:
    bundle = request.bundle
    measures = request.measures()
    lemma_of = dict(zip(bundle.vocabulary.words, bundle.lemmas, strict=True))
    write_sqlite(
        measures,
        request.path,
        lemmas=[lemma_of.get(word, word) for word in measures[0].vocabulary.words],
        default=bundle.default,
        top=request.top,
    )


FORMATS = {
    "sqlite": Format(
        "words, measures and nearest words as an SQLite database (all measures by default)", _sqlite
    )
}
