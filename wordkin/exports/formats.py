"""The formats: one function each, which writes a `Request` to its path.

The same bundle gives the same bytes (`sqlite`: with the same version of SQLite). Packages are
imported when a format needs them: the command line lists the formats without them.
"""

from __future__ import annotations

import errno
import json
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wordkin.arrays import Floats, Ids, largest
from wordkin.bundle import Bundle
from wordkin.errors import InputError
from wordkin.files import new_file, write_text
from wordkin.language.resolution import Resolution
from wordkin.language.resolved import resolved_rows
from wordkin.measures.measure import Measure

if TYPE_CHECKING:
    import sqlite3

    from scipy import sparse

NEAREST_PAIRS, NEAREST_LINKS, NEAREST_ROWS = 100, 10, 20
"""How many nearest words are written per word by default: of measures that relate all words, in
graphs (more are hard to draw), and in SQLite."""

BATCH = 512
"""Rows that are worked on at a time."""


@dataclass(frozen=True)
class Request:
    """What to write, and where.

    Attributes
    ----------
    bundle : Bundle
        The bundle.
    measures : sequence of Measure
        What to write, with the words that were asked for; one but for formats that hold several.
    path : Path
        The file or folder.
    cards : sequence of Resolution
        The cards of a format of boards.
    top : int or None
        Write only the pairs of each word with so many nearest words.
    """

    bundle: Bundle
    measures: Sequence[Measure]
    path: Path
    cards: Sequence[Resolution] = ()
    top: int | None = None

    @property
    def measure(self) -> Measure:
        """The measure to write."""
        return self.measures[0]


@contextmanager
def _new_text(path: Path) -> Iterator[IO[str]]:
    """A text file that is there when it is whole."""
    with (
        new_file(path) as temporary,
        temporary.open("w", encoding="utf-8", newline="\n") as file,
    ):
        yield file


# Board words against the whole vocabulary.


def write_board_csv(request: Request) -> None:
    """Write the table that the method paper's agent reads.

    The header is an empty cell and all words of the vocabulary. Each further line is a card and its
    relatedness to these words.
    """
    rows = resolved_rows(request.measure, request.cards)
    with _new_text(request.path) as file:
        file.write("," + ",".join(request.measure.vocabulary.words) + "\n")
        for card, row in zip(request.cards, rows, strict=True):
            file.write(card.word + "," + ",".join(f"{value:.6g}" for value in row.tolist()) + "\n")


# Vectors.


def _vectors(request: Request, format_name: str) -> Floats:
    vectors = request.measure.unit_vectors()
    if vectors is None:
        raise InputError(
            f"The measure '{request.measure.name}' has no vectors: export svd or fasttext as "
            f"{format_name}."
        )
    return vectors


def _write_lines(request: Request, vectors: Floats, header: str = "") -> None:
    with _new_text(request.path) as file:
        file.write(header)
        for word, vector in zip(request.measure.vocabulary.words, vectors, strict=True):
            file.write(f"{word} {' '.join(f'{value:.7g}' for value in vector.tolist())}\n")


def write_word2vec(request: Request) -> None:
    """Write vectors as word2vec does, for gensim's `KeyedVectors.load_word2vec_format`."""
    vectors = _vectors(request, "word2vec")
    _write_lines(request, vectors, f"{len(vectors)} {vectors.shape[1]}\n")


def write_word2vec_binary(request: Request) -> None:
    """Write vectors as word2vec's binary file."""
    vectors = _vectors(request, "word2vec")
    with new_file(request.path) as temporary, temporary.open("wb") as file:
        file.write(f"{len(vectors)} {vectors.shape[1]}\n".encode())
        for word, vector in zip(request.measure.vocabulary.words, vectors, strict=True):
            file.write(f"{word} ".encode() + vector.astype("<f4").tobytes())


def write_glove(request: Request) -> None:
    """Write vectors as GloVe does: one line per word, no header."""
    _write_lines(request, _vectors(request, "glove"))


def write_safetensors(request: Request) -> None:
    """Write `vectors`, or a matrix as `indptr`, `indices` and `values` with both triangles.

    The metadata has one entry `wordkin`, in JSON: the words, the measure and the language.
    """
    from safetensors.numpy import save_file

    vectors = request.measure.unit_vectors()
    arrays: dict[str, NDArray[Any]]
    if vectors is not None:
        arrays = {"vectors": np.ascontiguousarray(vectors)}
    else:
        matrix = pairs_matrix(request.measure, request.top)
        arrays = {"indptr": matrix.indptr, "indices": matrix.indices, "values": matrix.data}
    about = {
        "language": request.bundle.language,
        "measure": request.measure.name,
        "words": request.measure.vocabulary.words,
    }
    # One entry: the library does not keep the order of several.
    metadata = {"wordkin": json.dumps(about, ensure_ascii=False)}
    with new_file(request.path) as temporary:
        save_file(arrays, temporary, metadata)


# Pairs.


def pairs_matrix(measure: Measure, top: int | None = None) -> sparse.csr_matrix:
    """The related pairs as a symmetric sparse matrix.

    Parameters
    ----------
    measure : Measure
        The measure.
    top : int, optional
        Take a pair when one word is among the other's `top` nearest. Default: all stored pairs of a
        measure that stores pairs, the nearest 100 of others.
    """
    from scipy import sparse

    size = len(measure.vocabulary)
    # Also where they are not needed: a damaged matrix is refused before its rows are read.
    rows = [measure.neighbours(word) for word in range(size)] if measure.storage.stored else []
    if top is not None or not rows:
        rows = list(nearest_words(measure, top or NEAREST_PAIRS))
    ids, values = zip(*rows, strict=True)
    indptr = np.cumsum([0, *map(len, ids)], dtype=np.int64)
    arrays = (np.concatenate(values, dtype=np.float32), np.concatenate(ids, dtype=np.int32), indptr)
    matrix = sparse.csr_matrix(arrays, shape=(size, size))
    # A pair is written when either word lists the other; the value is the same in both lists.
    return sparse.csr_matrix(matrix.maximum(matrix.T))


def nearest_words(measure: Measure, count: int) -> Iterator[tuple[Ids, Floats]]:
    """For each word the ids of its nearest words with a relatedness above 0, nearest first, and
    their relatedness."""
    for start in range(0, len(measure.vocabulary), BATCH):
        ids = np.arange(start, min(start + BATCH, len(measure.vocabulary)))
        for row in measure.rows(ids):
            near = largest(row, count)  # a word's own relatedness is 0
            near = near[row[near] > 0]
            yield near, row[near]


def _pairs(measure: Measure, top: int | None) -> sparse.coo_matrix:
    """The related pairs, each once, in the order of the vocabulary."""
    from scipy import sparse

    return sparse.triu(pairs_matrix(measure, top), 1, format="csr").tocoo()


def write_edges(request: Request) -> None:
    """Write Parquet with the columns `a`, `b` and `relatedness`, one row per pair."""
    import pyarrow as pa
    import pyarrow.parquet as parquet

    words, pairs = pa.array(request.measure.vocabulary.words), _pairs(request.measure, request.top)
    columns = {
        "a": words.take(pa.array(pairs.row)),
        "b": words.take(pa.array(pairs.col)),
        "relatedness": pa.array(pairs.data.astype(np.float32)),
    }
    with new_file(request.path) as temporary:
        parquet.write_table(pa.table(columns), temporary, compression="zstd")


def write_tsv(request: Request) -> None:
    """Write tab-separated text with the columns `a`, `b` and `relatedness`."""
    words, pairs = request.measure.vocabulary.words, _pairs(request.measure, request.top)
    with _new_text(request.path) as file:
        file.write("a\tb\trelatedness\n")
        for a, b, value in zip(pairs.row, pairs.col, pairs.data.tolist(), strict=True):
            file.write(f"{words[a]}\t{words[b]}\t{value:.7g}\n")


def write_matrix_market(request: Request) -> None:
    """Write the lower triangle of the symmetric matrix as Matrix Market.

    The words are written next to it, one per line, to a file with `.words` after its name.
    """
    from scipy import io

    path, matrix = request.path, pairs_matrix(request.measure, request.top)
    words = "\n".join(request.measure.vocabulary.words)
    write_text(path.with_name(path.name + ".words"), words + "\n")
    with new_file(path) as temporary, temporary.open("wb") as file:
        io.mmwrite(file, matrix.tocoo(), symmetry="symmetric", precision=7)


def write_graphml(request: Request) -> None:
    """Write all words as nodes and their strongest pairs as edges.

    `name`, `count` and `weight` are the attributes that igraph, networkx and Gephi look for.
    """
    import networkx as nx

    vocabulary = request.measure.vocabulary
    pairs = _pairs(request.measure, request.top or NEAREST_LINKS)
    graph = nx.Graph()
    for i, (word, count) in enumerate(zip(vocabulary, vocabulary.counts.tolist(), strict=True)):
        graph.add_node(i, name=word, count=count)
    for a, b, value in zip(pairs.row.tolist(), pairs.col.tolist(), pairs.data, strict=True):
        graph.add_edge(a, b, weight=float(f"{value:.7g}"))
    with new_file(request.path) as temporary:
        nx.write_graphml(graph, temporary, prettyprint=False)


# SQLite.

# The journal would be a second file. It is not needed: a file that is not complete is removed.
SETTINGS = "PRAGMA page_size = 4096; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF;"
TABLES = """
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
INDEXES = """
CREATE INDEX words_by_lemma ON words (lemma);
CREATE INDEX nearest_by_neighbour ON nearest (measure, neighbour, word);
"""


def write_sqlite(request: Request) -> None:
    """Write a database with the tables `words`, `measures` and `nearest`.

    Only words with a relatedness above 0 are among the nearest ones.
    """
    import sqlite3

    with new_file(request.path) as temporary:
        temporary.unlink(missing_ok=True)  # SQLite would add to the remains of a killed process
        try:
            with closing(sqlite3.connect(temporary, isolation_level=None)) as database:
                database.executescript(SETTINGS + TABLES)
                _insert(database, request)
                database.executescript(INDEXES + "VACUUM;")
        except sqlite3.OperationalError as error:
            raise OSError(errno.EIO, str(error), str(request.path)) from error


def _insert(database: sqlite3.Connection, request: Request) -> None:
    bundle, vocabulary = request.bundle, request.measure.vocabulary
    lemma_of = dict(zip(bundle.vocabulary.words, bundle.lemmas, strict=True))
    lemmas = [lemma_of.get(word, word) for word in vocabulary.words]
    columns = (vocabulary.words, lemmas, vocabulary.counts.tolist(), vocabulary.documents.tolist())
    database.execute("BEGIN")
    rows = ((i, *row) for i, row in enumerate(zip(*columns, strict=True)))
    database.executemany("INSERT INTO words VALUES (?, ?, ?, ?, ?)", rows)
    for number, measure in enumerate(request.measures):
        facts = (number, measure.name, int(measure.name == bundle.default))
        database.execute("INSERT INTO measures VALUES (?, ?, ?)", facts)
        nearest = (
            (number, word, rank, neighbour, relatedness)
            for word, near in enumerate(nearest_words(measure, request.top or NEAREST_ROWS))
            for rank, (neighbour, relatedness) in enumerate(_plain(near), 1)
        )
        database.executemany("INSERT INTO nearest VALUES (?, ?, ?, ?, ?)", nearest)
    database.execute("COMMIT")


def _plain(near: tuple[Ids, Floats]) -> Iterator[tuple[int, float]]:
    """Pairs of plain numbers: SQLite stores those of numpy as bytes."""
    return zip(*(array.tolist() for array in near), strict=True)
