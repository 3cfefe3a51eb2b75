"""Boards: of any size and any words, from arguments, from files or dealt; and our word lists."""

from __future__ import annotations

import doctest
import tomllib
from importlib import resources
from pathlib import Path, PurePosixPath
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wordkin.game.board
import wordkin.game.legality
from tests.support.root import ROOT
from wordkin.errors import InputError, NoBoardWords
from wordkin.game.board import (
    ASSASSIN,
    COLOURS,
    DEAL,
    OURS,
    Board,
    board_words,
    read_board,
    unwanted_words,
)
from wordkin.game.legality import is_plain_word


def test_a_board_knows_the_colour_of_each_card() -> None:
    board = Board.of(["piano", "mouse"], ["bison"], ["tree"], ["bomb"])
    assert board.words == ("piano", "mouse", "bison", "tree", "bomb")
    assert (board.ours, board.theirs) == (("piano", "mouse"), ("bison",))
    assert (board.neutral, board.assassin) == (("tree",), ("bomb",))
    assert board.colour("bomb") == ASSASSIN


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("piano river", ("piano", "river")),
        (" ice cream ,, river ,", ("ice cream", "river")),
        ("", ()),
    ],
)
def test_one_string_is_split_into_words(text: str, words: tuple[str, ...]) -> None:
    assert Board.of(ours=text).ours == words


def test_a_board_without_some_cards_and_as_the_opponent_sees_it() -> None:
    board = Board.of(["piano", "mouse"], ["bison"], ["tree"])
    assert board.without(["mouse", "tree"]) == Board.of(["piano"], ["bison"])
    assert board.for_opponent().theirs == ("piano", "mouse")
    assert board.for_opponent().for_opponent() == board


@pytest.mark.parametrize(
    ("words", "colours", "sentence"),
    [
        (("piano", "piano"), (OURS, OURS), "'piano' twice"),
        (("piano",), ("blue",), "'blue' is not a colour"),
        (("piano",), (), "one colour for each word"),
    ],
)
def test_impossible_boards_are_refused(
    words: tuple[str, ...], colours: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence):
        Board(words, colours)


@given(st.integers(0, 1000), st.dictionaries(st.sampled_from(COLOURS), st.integers(0, 9)))
def test_a_deal_has_the_cards_it_was_asked_for(seed: int, counts: dict[str, int]) -> None:
    words = board_words("en")
    board = Board.deal(words, seed, counts or None)
    for colour in COLOURS:
        assert len(board.of_colour(colour)) == (counts or DEAL).get(colour, 0)
    assert set(board.words) <= set(words)
    assert board == Board.deal(words[::-1], seed, counts or None)


def test_a_board_is_read_from_lines_and_from_json(tmp_path: Path) -> None:
    lines, data = tmp_path / "board.txt", tmp_path / "board.json"
    lines.write_text("\ufeff# ours first\nours: piano, ice cream\r\n\ntheirs: bison tree\n")
    data.write_text('{"ours": ["piano", "ice cream"], "theirs": ["bison", "tree"]}')
    assert read_board(lines) == read_board(data)
    assert read_board(lines) == Board.of(["piano", "ice cream"], ["bison", "tree"])


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("b.txt", b"piano mouse", "line 1 has no colour"),
        ("b.txt", b"blue: piano", "has 'blue': use ours"),
        ("b.json", b"{", "is not a board"),
        ("b.json", b'["piano"]', "is not a board"),
        ("b.json", b'{"ours": "piano"}', "is not a board"),
        ("b.txt", b"ours: pi\xe1no", "not UTF-8"),
    ],
)
def test_a_bad_board_file_is_refused(
    tmp_path: Path, name: str, content: bytes, sentence: str
) -> None:
    (tmp_path / name).write_bytes(content)
    with pytest.raises(InputError, match=sentence):
        read_board(tmp_path / name)


@pytest.mark.parametrize("language", ["en", "hu"])
def test_our_own_lists_are_sorted_plain_words(language: str) -> None:
    words = board_words(language)
    assert len(words) == len(set(words)) >= 200
    assert words == sorted(words)
    assert all(is_plain_word(word) and word == word.lower() for word in words)


@pytest.mark.parametrize("folder", ["boards", "unwanted"])
def test_our_lists_are_part_of_the_package(folder: str) -> None:
    lists = [path.name for path in (resources.files("wordkin.game") / folder).iterdir()]
    assert {"en.txt", "hu.txt"} <= set(lists)
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = settings["tool"]["setuptools"]["package-data"]["wordkin"]
    for name in lists:
        path = PurePosixPath("game") / folder / name
        assert any(path.match(pattern) for pattern in patterns), f"{path} would not be installed"


def test_our_lists_are_not_the_published_one(mirror: Path) -> None:
    for language in ("en", "hu"):
        path = mirror / "wordlists" / f"boards_{language}.txt"
        published = {line.strip().lower() for line in path.read_text("utf-8").splitlines()}
        # Lists of everyday things have some words in common.
        assert len(published & set(board_words(language))) < 0.15 * len(board_words(language))


@pytest.mark.parametrize("module", [wordkin.game.board, wordkin.game.legality])
def test_examples_in_docstrings_are_true(module: ModuleType) -> None:
    failed, tried = doctest.testmod(module)
    assert tried > 0
    assert failed == 0


@pytest.mark.parametrize("tag", ["en-GB", "en_US", "EN"])
def test_a_tag_has_the_lists_of_its_language(tag: str) -> None:
    assert board_words(tag) == board_words("en")
    assert unwanted_words(tag) == unwanted_words("en") != frozenset()


def test_a_language_without_a_list_says_what_to_do() -> None:
    with pytest.raises(NoBoardWords, match="no list of board words for 'xx': give one with"):
        board_words("xx")
