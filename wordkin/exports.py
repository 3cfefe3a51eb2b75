"""Matrices in the formats of other programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib import import_module, util
from pathlib import Path
from typing import Any

import numpy as np
from scipy import io, sparse

from wordkin.bundle import Bundle
from wordkin.errors import InputError
from wordkin.files import new_file, new_folder, write_text
from wordkin.game.board_view import card_rows
from wordkin.measures import Floats, Measure, SparseMeasure, VectorMeasure
from wordkin.vocabulary import part_ids

BOARD_FORMAT = "wordkin-board"
BOARD_VERSION = 1

_ROWS_AT_ONCE = 512


def write_board_csv(measure: Measure, cards: Sequence[str], language: str, path: Path) -> None:
    """The board words' table of the method paper's agent: a header with all words of the
    vocabulary after an empty cell, then a line for each board word with its relatedness."""
    rows = card_rows(measure, _known(measure, cards, language), language)
    with (
        new_file(path) as temporary,
        temporary.open("w", encoding="utf-8", newline="\n") as file,
    ):
        file.write("," + ",".join(measure.vocabulary.words) + "\n")
        for card, row in zip(cards, rows, strict=True):
            file.write(card + "," + ",".join(f"{value:.6g}" for value in row.tolist()) + "\n")


def write_word2vec(measure: Measure, path: Path, binary: bool) -> None:
    """The vectors as word2vec wrote them, for gensim's `KeyedVectors.load_word2vec_format`."""
    if not isinstance(measure, VectorMeasure):
        raise InputError(
            f"The measure '{measure.name}' has no vectors: word2vec files can be made of svd or "
            "fasttext."
        )
    with new_file(path) as temporary, temporary.open("wb") as file:
        file.write(f"{len(measure.vocabulary)} {measure.vectors.shape[1]}\n".encode())
        for word, vector in zip(measure.vocabulary.words, measure.vectors, strict=True):
            if binary:
                file.write(f"{word} ".encode() + vector.astype("<f4").tobytes())
            else:
                numbers = " ".join(f"{value:.7g}" for value in vector.tolist())
                file.write(f"{word} {numbers}\n".encode())


def write_edges(measure: Measure, path: Path, top: int | None = None) -> int:
    """Each related pair once, as Parquet: the columns `a`, `b` and `relatedness`.

    Parameters
    ----------
    top : int, optional
        Keep a pair when one of the words is among the other's `top` nearest, or as near as the
        last of them. All pairs that a sparse measure stores are kept when not given; of other
        measures the nearest 100.
    """
    if not util.find_spec("pyarrow"):
        raise InputError("Parquet files need pyarrow: install it with 'pip install pyarrow'.")
    pa, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    words = pa.array(measure.vocabulary.words)
    schema = pa.schema([("a", pa.string()), ("b", pa.string()), ("relatedness", pa.float32())])
    edges = 0
    matrix = sparse.triu(pairs_matrix(measure, top), 1, format="csr")
    with (
        new_file(path) as temporary,
        parquet.ParquetWriter(temporary, schema, compression="zstd") as writer,
    ):
        for start in range(0, len(measure.vocabulary), _ROWS_AT_ONCE):
            block = matrix[start : start + _ROWS_AT_ONCE].tocoo()
            columns = [words.take(pa.array(block.row + start)), words.take(pa.array(block.col))]
            writer.write_table(pa.table([*columns, pa.array(block.data)], schema=schema))
            edges += block.nnz
    return edges


def write_matrix_market(measure: Measure, path: Path, top: int | None = None) -> int:
    """The matrix as Matrix Market (symmetric: the lower triangle), and beside it the words, one
    a line, in a file with `.words` after its name."""
    matrix = pairs_matrix(measure, top).tocoo()
    write_text(path.with_name(path.name + ".words"), "\n".join(measure.vocabulary.words) + "\n")
    with new_file(path) as temporary, temporary.open("wb") as file:
        io.mmwrite(file, matrix, symmetry="symmetric", precision=7)
    return int(matrix.nnz // 2)


def pairs_matrix(measure: Measure, top: int | None = None) -> sparse.csr_matrix:
    """The related pairs as a symmetric sparse matrix; see `write_edges` for `top`."""
    size = len(measure.vocabulary)
    if isinstance(measure, SparseMeasure) and top is None:
        parts = (measure.values, measure.indices, measure.indptr)
        return sparse.csr_matrix(parts, shape=(size, size))
    kept = min(100 if top is None else top, size - 1)
    blocks = []
    for start in range(0, size, _ROWS_AT_ONCE):
        ids = np.arange(start, min(start + _ROWS_AT_ONCE, size))
        rows = np.array(measure.rows(ids))
        rows[np.arange(len(ids)), ids] = -np.inf
        bound = np.partition(rows, -kept, axis=1)[:, -kept, None]
        blocks.append(sparse.csr_matrix(np.where((rows >= bound) & (rows > 0), rows, 0)))
    half = sparse.vstack(blocks)
    # Either word's list may name the pair; the value is the same in both.
    return sparse.csr_matrix(half.maximum(half.T))


def write_board_bundle(
    bundle: Bundle, measure: Measure, cards: Sequence[str], folder: Path
) -> None:
    """All clue words against a list of board words, small enough for a web page or a phone.

    `board.json` names the words; `relatedness.bin` holds one byte for each card and clue, card
    after card: a byte q stands for low + q · step.
    """
    rows = card_rows(measure, _known(measure, cards, bundle.language), bundle.language)
    low, high = float(rows.min()), float(rows.max())
    step = (high - low) / 255 or 1.0
    table = np.rint((rows - low) / step).astype("u1")
    description = {
        "format": BOARD_FORMAT,
        "version": BOARD_VERSION,
        "language": bundle.language,
        "measure": measure.name,
        "low": low,
        "step": step,
        "cards": list(cards),
        "clues": measure.vocabulary.words,
    }
    text = json.dumps(description, ensure_ascii=False, sort_keys=True, indent=0)
    with new_folder(folder) as temporary:
        (temporary / "relatedness.bin").write_bytes(table.tobytes())
        write_text(temporary / "board.json", text + "\n")


def read_board_bundle(folder: Path) -> tuple[list[str], list[str], Floats]:
    """The cards, the clues and the relatedness (cards x clues) that a board bundle holds."""
    try:
        about: dict[str, Any] = json.loads((folder / "board.json").read_text(encoding="utf-8"))
        body = np.fromfile(folder / "relatedness.bin", dtype="u1")
        if (about["format"], about["version"]) != (BOARD_FORMAT, BOARD_VERSION):
            raise InputError(f"{folder} has another format of board bundle: update wordkin.")
        table = body.reshape(len(about["cards"]), len(about["clues"])).astype(np.float32)
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{folder} is not a whole board bundle: make it again.") from error
    return about["cards"], about["clues"], about["low"] + table * np.float32(about["step"])


def _known(measure: Measure, cards: Sequence[str], language: str) -> Sequence[str]:
    """The cards, refused when the vocabulary does not know one: a table has no holes."""
    unknown = [card for card in cards if not part_ids(measure.vocabulary, card, language)]
    if unknown:
        raise InputError(
            f"Not in the vocabulary: {', '.join(unknown)}. Leave them out, or publish a bundle "
            "that includes them."
        )
    return cards
