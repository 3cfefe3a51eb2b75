"""Board words against the vocabulary: the table of the Java agent, and the web's folder."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from tests.support.exports import CARDS, contents
from wordkin.bundle import Bundle
from wordkin.errors import InputError
from wordkin.exports import FORMATS, boards
from wordkin.game.board import board_words
from wordkin.game.board_view import resolve_cards

BOARD_FORMATS = ["board-csv", "board-bundle"]


def test_the_java_agent_can_read_its_table(bundle: Bundle, tmp_path: Path) -> None:
    # Its reader splits at commas, leaves the header's first cell out, and parses doubles.
    cards = resolve_cards(bundle, CARDS)
    boards.write_board_csv(bundle.measure(), cards, tmp_path / "board.csv")
    lines = (tmp_path / "board.csv").read_text(encoding="utf-8").splitlines()
    clues = lines[0].split(",")[1:]
    table = {line.split(",")[0]: [float(x) for x in line.split(",")[1:]] for line in lines[1:]}
    assert clues == bundle.vocabulary.words
    assert list(table) == CARDS
    np.testing.assert_allclose(table["piano"], bundle.row("piano"), rtol=1e-5)
    np.testing.assert_allclose(table["ice tree"], bundle.row("tree"), rtol=1e-5)
    with (tmp_path / "board.csv").open(encoding="utf-8") as file:
        assert {len(row) for row in csv.reader(file)} == {len(clues) + 1}


def test_a_board_bundle_has_one_byte_per_value_and_is_close_to_it(
    bundle: Bundle, tmp_path: Path
) -> None:
    boards.write_board_bundle(
        bundle.measure("npmi"), resolve_cards(bundle, CARDS), "en", tmp_path / "board"
    )
    cards, clues, table = boards.read_board_bundle(tmp_path / "board")
    assert (cards, clues) == (CARDS, bundle.vocabulary.words)
    about = json.loads((tmp_path / "board" / "board.json").read_text(encoding="utf-8"))
    size = (tmp_path / "board" / "relatedness.bin").stat().st_size
    assert size == len(cards) * len(clues)
    exact = bundle.measure("npmi").rows(bundle.vocabulary.ids_of(["piano", "mouse", "bison"]))
    np.testing.assert_allclose(table[:3], exact, atol=about["step"] / 2 + 1e-6)


def test_a_web_page_can_read_a_board_bundle(bundle: Bundle, tmp_path: Path) -> None:
    boards.write_board_bundle(
        bundle.measure(), resolve_cards(bundle, CARDS), "en", tmp_path / "board"
    )
    about = json.loads((tmp_path / "board" / "board.json").read_text(encoding="utf-8"))
    bytes_ = (tmp_path / "board" / "relatedness.bin").read_bytes()
    card, clue = about["cards"].index("piano"), about["clues"].index("keyboard")
    value = about["low"] + bytes_[card * len(about["clues"]) + clue] * about["step"]
    assert value == pytest.approx(bundle.relatedness("piano", "keyboard"), abs=about["step"])


def test_damaged_board_bundles_are_refused(bundle: Bundle, tmp_path: Path) -> None:
    boards.write_board_bundle(
        bundle.measure(), resolve_cards(bundle, CARDS), "en", tmp_path / "board"
    )
    body = tmp_path / "board" / "relatedness.bin"
    body.write_bytes(body.read_bytes()[:-1])
    with pytest.raises(InputError, match="not a whole board bundle"):
        boards.read_board_bundle(tmp_path / "board")
    with pytest.raises(InputError, match="not a whole board bundle"):
        boards.read_board_bundle(tmp_path / "nothing")


@pytest.mark.parametrize("name", BOARD_FORMATS)
def test_without_a_list_the_known_board_words_of_the_language_are_written(
    bundle: Bundle, tmp_path: Path, name: str
) -> None:
    known = [c for c in board_words("en") if bundle.try_resolve(c)]
    assert 0 < len(known) < len(board_words("en"))
    FORMATS[name].write(bundle, bundle.measure(), tmp_path / "b")
    FORMATS[name].write(bundle, bundle.measure(), tmp_path / "same", known)
    assert contents(tmp_path / "b") == contents(tmp_path / "same")


@pytest.mark.parametrize("name", BOARD_FORMATS)
def test_unknown_cards_are_left_out(bundle: Bundle, tmp_path: Path, name: str) -> None:
    cards = ["zzyzx", "piano", "qwerty", "ice tree"]
    skipped = FORMATS[name].write(bundle, None, tmp_path / "b", cards)
    assert skipped == ["zzyzx", "qwerty"]
    FORMATS[name].write(bundle, None, tmp_path / "same", ["piano", "ice tree"])
    assert contents(tmp_path / "b") == contents(tmp_path / "same")


@pytest.mark.parametrize("name", BOARD_FORMATS)
def test_unknown_cards_have_the_row_of_what_they_stand_for(
    bundle: Bundle, tmp_path: Path, name: str
) -> None:
    assert FORMATS[name].write(bundle, None, tmp_path / "b", ["Pianos", "snow tree"]) == []
    FORMATS["board-bundle"].write(bundle, None, tmp_path / "read", ["Pianos", "snow tree"])
    cards, _, rows = boards.read_board_bundle(tmp_path / "read")
    assert cards == ["Pianos", "snow tree"]
    step = json.loads((tmp_path / "read" / "board.json").read_text(encoding="utf-8"))["step"]
    for card, row in zip(cards, rows, strict=True):
        np.testing.assert_allclose(row, bundle.row(card), atol=step / 2 + 1e-6)


def test_a_writer_of_boards_needs_cards(bundle: Bundle, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no board words"):
        boards.write_board_csv(bundle.measure(), [], tmp_path / "b")
    with pytest.raises(InputError, match="no board words"):
        boards.write_board_bundle(bundle.measure(), [], "en", tmp_path / "b")
    assert not list(tmp_path.iterdir())
