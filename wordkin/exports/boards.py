"""Board words against the whole vocabulary: as CSV, and as a small folder for web pages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wordkin.arrays import Floats
from wordkin.errors import InputError
from wordkin.exports.format import Format, Request
from wordkin.files import new_file, new_folder, write_text
from wordkin.game.board import words_to_deal
from wordkin.game.board_view import resolve_cards
from wordkin.language.resolution import Resolution
from wordkin.language.resolved import resolved_rows
from wordkin.measures.measure import Measure

BOARD_FORMAT = "wordkin-board"
BOARD_VERSION = 1


class BoardBundle(NamedTuple):
    """What a board bundle holds."""

    cards: list[str]
    clues: list[str]
    relatedness: Floats
    """One row per card, one column per clue."""


def write_board_csv(measure: Measure, cards: Sequence[Resolution], path: Path) -> None:
    """Write the table that the method paper's agent reads.

    The header is an empty cell and all words of the vocabulary. Each further line is a card and its
    relatedness to these words.
    """
    _check_any(cards)
    rows = resolved_rows(measure, cards)
    with (
        new_file(path) as temporary,
        temporary.open("w", encoding="utf-8", newline="\n") as file,
    ):
        file.write("," + ",".join(measure.vocabulary.words) + "\n")
        for card, row in zip(cards, rows, strict=True):
            file.write(card.word + "," + ",".join(f"{value:.6g}" for value in row.tolist()) + "\n")


def write_board_bundle(
    measure: Measure, cards: Sequence[Resolution], language: str, folder: Path
) -> None:
    """Write cards against all clue words, small enough for a web page or a phone.

    `board.json` names the words. `relatedness.bin` holds one byte per card and clue, card after
    card: the byte q stands for low + q · step.
    """
    _check_any(cards)
    rows = resolved_rows(measure, cards)
    low, high = float(rows.min()), float(rows.max())
    step = (high - low) / 255 or 1.0
    codes = np.rint((rows - low) / step).astype("u1")
    description = {
        "format": BOARD_FORMAT,
        "version": BOARD_VERSION,
        "language": language,
        "measure": measure.name,
        "low": low,
        "step": step,
        "cards": [card.word for card in cards],
        "clues": measure.vocabulary.words,
    }
    text = json.dumps(description, ensure_ascii=False, sort_keys=True, indent=0)
    with new_folder(folder) as temporary:
        (temporary / "relatedness.bin").write_bytes(codes.tobytes())
        write_text(temporary / "board.json", text + "\n")


def read_board_bundle(folder: Path) -> BoardBundle:
    """Read what `write_board_bundle` wrote."""
    try:
        about: dict[str, Any] = json.loads((folder / "board.json").read_text(encoding="utf-8"))
        codes = np.fromfile(folder / "relatedness.bin", dtype="u1")
        if (about["format"], about["version"]) != (BOARD_FORMAT, BOARD_VERSION):
            raise InputError(f"{folder} has another format of board bundle: update wordkin.")
        codes = codes.reshape(len(about["cards"]), len(about["clues"]))
    except (OSError, ValueError, KeyError) as error:
        raise InputError(f"{folder} is not a whole board bundle: make it again.") from error
    relatedness = about["low"] + codes.astype(np.float32) * np.float32(about["step"])
    return BoardBundle(about["cards"], about["clues"], relatedness)


def _check_any(cards: Sequence[Resolution]) -> None:
    if not cards:
        raise InputError("There are no board words to write: give a list with --words.")


def _cards(request: Request) -> Sequence[Resolution]:
    if request.words is not None:
        return request.words
    return resolve_cards(request.bundle, words_to_deal(request.bundle))


def _csv(request: Request) -> None:
    write_board_csv(request.whole_measure, _cards(request), request.path)


def _bundle(request: Request) -> None:
    language = request.bundle.language
    write_board_bundle(request.whole_measure, _cards(request), language, request.path)


FORMATS = {
    "board-csv": Format(
        "board words x vocabulary, for the method paper's agent (needs board words)", _csv
    ),
    "board-bundle": Format(
        "board words x vocabulary in one byte each, for the web (needs board words)", _bundle
    ),
}
