"""Recorded rounds: the format, and every way a line can be broken."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from wordkin.errors import InputError
from wordkin.game import rounds
from wordkin.game.rounds import Item, Round, read_rounds

LINE: dict[str, Any] = {
    "lang": "en",
    "board": 7,
    "words": ["piano", "mouse", "bison", "tree"],
    "blue": ["piano", "mouse"],
    "clue": "keyboard",
    "n": 2,
    "rounds": [
        {"session": "A1", "picks": ["piano", "mouse"]},
        {"session": "B2", "picks": ["mouse", "tree", "piano"]},
    ],
}
OTHER = {**LINE, "clue": "wood"}


def write(path: Path, *lines: object) -> Path:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


def test_a_line_is_an_item_with_its_rounds(tmp_path: Path) -> None:
    (item,) = read_rounds(write(tmp_path / "rounds.jsonl", LINE))
    assert item == Item(
        language="en",
        board="7",
        words=("piano", "mouse", "bison", "tree"),
        blue=("piano", "mouse"),
        clue="keyboard",
        number=2,
        rounds=(Round("A1", ("piano", "mouse")), Round("B2", ("mouse", "tree", "piano"))),
    )


def test_the_example_of_the_documentation_is_read(tmp_path: Path) -> None:
    assert rounds.__doc__ is not None
    example = rounds.__doc__[rounds.__doc__.index("{") : rounds.__doc__.rindex("}") + 1]
    path = tmp_path / "rounds.jsonl"
    path.write_text(" ".join(example.split()) + "\n\n", encoding="utf-8")
    assert [item.clue for item in read_rounds(path)] == ["keyboard"]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"words": None}, "'words' cannot be null"),
        ({"words": ["piano", "piano"]}, "'words' has 'piano' twice"),
        ({"blue": ["whale"]}, "'whale' is not among the board's words"),
        ({"clue": " "}, "'clue' cannot be"),
        ({"n": 0}, "'n' cannot be 0"),
        ({"n": 5}, "'n' cannot be 5"),
        ({"n": True}, "'n' cannot be true"),
        ({"lang": 3}, "'lang' cannot be 3"),
        ({"rounds": []}, r"'rounds' cannot be \[\]"),
        ({"rounds": ["A1"]}, "a round must be an object"),
        ({"rounds": [{"picks": ["piano", "tree"]}]}, "'session' is missing"),
        ({"rounds": [{"session": "A", "picks": ["piano"]}]}, "1 picks, but the clue is for 2"),
        ({"rounds": [{"session": "A", "picks": ["piano", "whale"]}]}, "'whale' is not among"),
        ({"rounds": [{"session": "A", "picks": ["tree", "tree"]}]}, "'picks' has 'tree' twice"),
    ],
)
def test_a_broken_line_is_refused_with_its_number(
    tmp_path: Path, wrong: dict[str, Any], sentence: str
) -> None:
    path = write(tmp_path / "rounds.jsonl", OTHER, {**LINE, **wrong})
    with pytest.raises(InputError, match=rf"rounds\.jsonl:2: .*{sentence}"):
        read_rounds(path)


def test_a_repeated_item_is_refused(tmp_path: Path) -> None:
    with pytest.raises(
        InputError, match=r":2: the clue 'keyboard' for 2 on board 7 is in an earlier"
    ):
        read_rounds(write(tmp_path / "rounds.jsonl", LINE, LINE))


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"{", r":1: not valid JSON"),
        (b"[1]\n", r":1: must be an object"),
        (b"\xff\n", "not UTF-8"),
        (b"\n", "has no rounds"),
    ],
)
def test_a_file_of_another_kind_is_refused(tmp_path: Path, content: bytes, sentence: str) -> None:
    (tmp_path / "rounds.jsonl").write_bytes(content)
    with pytest.raises(InputError, match=sentence):
        read_rounds(tmp_path / "rounds.jsonl")


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Cannot read the rounds"):
        read_rounds(tmp_path / "none.jsonl")


def test_the_recorded_rounds_of_the_mirror_can_be_read(mirror: Path) -> None:
    if not (mirror / "human").is_dir():
        pytest.skip("the mirror folder has no recorded rounds")
    for language, items, played in (("en", 234, 283), ("hu", 573, 899)):
        recorded = read_rounds(mirror / "human" / f"rounds_{language}.jsonl")
        assert (len(recorded), sum(len(item.rounds) for item in recorded)) == (items, played)
