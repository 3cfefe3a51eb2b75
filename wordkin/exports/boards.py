"""Board words against the whole vocabulary: as CSV, and as a small folder for web pages."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from wordkin.errors import InputError
from wordkin.exports.format import Format, Request
from wordkin.files import new_file, new_folder, write_text
from wordkin.game.board import board_words
from wordkin.measures import Floats, Measure

BOARD_FORMAT = "wordkin-board"
BOARD_VERSION = 1


class BoardBundle(NamedTuple):
    """What a board bundle holds."""

    cards: list[str]
    clues: list[str]
    relatedness: Floats
    """One row per card, one column per clue."""


def write_board_csv(measure: Measure, cards: Sequence[str], language: str, path: Path) -> None:
    """Write the table that the method paper's agent reads.

    The header is an empty cell and all words of the vocabulary. Each further line is a card and its
    relatedness to these words.
    """
    _check_known(measure, cards, language)
    rows = _card_rows(measure, cards, language)
    with (
        new_file(path) as temporary,
        temporary.open("w", encoding="utf-8", newline="\n") as file,
    ):
        file.write("," + ",".join(measure.vocabulary.words) + "\n")
        for card, row in zip(cards, rows, strict=True):
            file.write(card + "," + ",".join(f"{value:.6g}" for value in row.tolist()) + "\n")


def write_board_bundle(measure: Measure, cards: Sequence[str], language: str, folder: Path) -> None:
    """Write cards against all clue words, small enough for a web page or a phone.

    `board.json` names the words. `relatedness.bin` holds one byte per card and clue, card after
    card: the byte q stands for low + q · step.
    """
    _check_known(measure, cards, language)
    rows = _card_rows(measure, cards, language)
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
        "cards": list(cards),
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


def _check_known(measure: Measure, cards: Sequence[str], language: str) -> None:
    """Refuse cards that the vocabulary does not know: these formats have no empty cells."""
    if not cards:
        raise InputError("There are no board words to write: give a list with --words.")
    unknown = [card for card in cards if not measure.vocabulary.card_ids(card, language)]
    if unknown:
        raise InputError(
            f"Not in the vocabulary: {', '.join(unknown)}. Leave them out, or publish a bundle "
            "that includes them."
        )


def _card_rows(measure: Measure, cards: Sequence[str], language: str) -> Floats:
    """Return the relatedness of each card to every word of the vocabulary.

    A card of several words gets the mean of its known words. Each card must have at least one.
    """
    ids_by_card = [measure.vocabulary.card_ids(card, language) for card in cards]
    rows = measure.rows([i for ids in ids_by_card for i in ids])
    if len(rows) == len(cards):
        return rows
    ends = np.cumsum([len(ids) for ids in ids_by_card])
    return np.stack([block.mean(axis=0) for block in np.split(rows, ends[:-1])])


def _cards(request: Request) -> Sequence[str]:
    if request.words is not None:
        return request.words
    bundle = request.bundle
    known = bundle.vocabulary.card_ids
    return [card for card in board_words(bundle.language) if known(card, bundle.language)]


def _csv(request: Request) -> None:
    language = request.bundle.language
    write_board_csv(request.whole_measure, _cards(request), language, request.path)


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
