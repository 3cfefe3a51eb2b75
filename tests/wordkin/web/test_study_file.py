"""The file of a study: every mistake is one sentence that names its place."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.studies import BOARD, STUDY, write_study
from wordkin.errors import InputError, Mistakes
from wordkin.web.study.design import Design, Question, read_design

YAML_STUDY = """\
name: pilot          # a comment
language: hu
title: Melyik szavak tartoznak össze?
consent: |
  Az első bekezdés.

  A második.
boards:
  - name: első
    words: [zongora, egér, bölény, fa]
    blue: [zongora, egér]
clues:
  - {board: első, clue: billentyűzet, number: 2}
  - {board: első, clue: állat, number: 1}
"""


def test_a_file_is_yaml_or_json(tmp_path: Path) -> None:
    (tmp_path / "study.yaml").write_text(YAML_STUDY, encoding="utf-8")
    design = read_design(tmp_path / "study.yaml")
    assert design.consent == "Az első bekezdés.\n\nA második."
    assert (design.order, design.clues_each, design.feedback) == ("random", 2, "none")
    assert design.board_of(design.clues[0]).blue == ("zongora", "egér")
    design = read_design(write_study(tmp_path))
    assert [question.kind for question in design.questions] == ["choice", "number", "scale", "text"]
    assert Design.model_validate(design.model_dump(mode="json")) == design


def first_board(**changes: Any) -> dict[str, Any]:
    return {"boards": [{"name": "first", "words": BOARD, "blue": BOARD[:4], **changes}]}


def one_clue(**changes: Any) -> dict[str, Any]:
    return {"clues": [{"board": "first", "clue": "keyboard", "number": 2, **changes}]}


def one_question(**question: Any) -> dict[str, Any]:
    return {"questions": [{"text": "How?", "kind": "text", **question}]}


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"name": None}, "name is missing: add it."),
        ({"name": "My study"}, "name cannot be 'My study': use small letters"),
        ({"name": 7}, "name cannot be 7: put it into quotation marks."),
        ({"title": "  "}, "title is empty: fill it in."),
        ({"title": "x" * 301}, "title is too long: use at most 300 letters."),
        ({"language": "english"}, "language cannot be 'english': use a code such as en or hu."),
        ({"consnet": "x"}, "consnet is not known: use name, language, title, consent"),
        ({"order": "shuffled"}, "order cannot be shuffled: use 'random' or 'fixed'."),
        ({"per_person": 3}, "per_person cannot be 3: there are 2 clues."),
        ({"boards": "first"}, "boards must be a list."),
        ({"boards": ["first"]}, "boards[0] must have name, words and blue"),
        (first_board(words=[*BOARD, "Piano"]), "boards[0].words[8] is 'piano' a second time"),
        (first_board(blue=["piano", "dog"]), "boards[0].blue has 'dog', which is not among"),
        (first_board(blue=[]), "boards[0].blue has 0 entries: use at least 1."),
        ({"boards": [STUDY["boards"][0]] * 2}, "boards[1] is 'first' a second time"),
        (one_clue(board="third"), "clues[0].board cannot be 'third': no board has this name."),
        (one_clue(clue="Piano"), "clues[0].clue is 'Piano', which is a card of the board"),
        (one_clue(number=0), "clues[0].number cannot be 0: use 1 or more."),
        (one_clue(number=8), "clues[0].number cannot be 8: use 1 to 7."),
        (one_clue(number="2"), "clues[0].number cannot be 2: use a whole number"),
        ({"clues": [STUDY["clues"][0]] * 2}, "clues[1] is 'keyboard 2 on first' a second time"),
        (one_question(kind="choice"), "questions[0].options must have 2 or more"),
        (one_question(options=["a", "b"]), "questions[0].options only fits a question of the kind"),
        (one_question(kind="scale", low=1, high=50), "questions[0].high cannot be 50"),
        (one_question(kind="number", low=9, high=2), "questions[0].high cannot be 2"),
        (one_question(required="yes"), "questions[0].required must be true or false."),
    ],
)
def test_a_mistake_is_one_sentence_with_its_place(
    tmp_path: Path, changes: dict[str, Any], sentence: str
) -> None:
    path = write_study(tmp_path, **changes)
    with pytest.raises(Mistakes) as refused:
        read_design(path)
    matching = [line for line in refused.value.sentences if sentence in line]
    assert len(matching) == 1, refused.value.sentences
    assert matching[0].startswith(str(path))
    assert "\n" not in matching[0]


def test_all_mistakes_are_found_with_their_lines(tmp_path: Path) -> None:
    broken = YAML_STUDY.replace("number: 2", "number: 9").replace("hu", "magyar")
    path = tmp_path / "study.yaml"
    path.write_text(broken, encoding="utf-8")
    with pytest.raises(Mistakes) as refused:
        read_design(path)
    places = [line.removeprefix(str(path)).split(" ")[:2] for line in refused.value.sentences]
    assert places == [[":2:", "language"], [":13:", "clues[0].number"]]


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("", "the file must have name"),
        ("- 1", "the file must have name"),
        ("a: [", "not valid YAML or JSON"),
        ("a: 1\na: 2", ":2: not valid YAML or JSON (found duplicate key"),
        ("x: &x [1]\ny: [*x, *x]", ":2: not valid YAML or JSON (the alias *x is not allowed)"),
        ("[" * 5000, "is nested too deeply"),
        ("- " * 5000, "is nested too deeply"),
        ("#" * 2_000_001, "has more than 2 MB: split it"),
        ("\x00", "not valid YAML or JSON"),
        ("x: !!python/object/apply:os.system ['true']", "x is not known"),
    ],
    ids=["empty", "list", "cut", "twice", "alias", "flow", "block", "large", "control", "object"],
)
def test_hostile_files_are_refused_at_once(tmp_path: Path, content: str, sentence: str) -> None:
    path = tmp_path / "study.yaml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as refused:
        read_design(path)
    assert sentence in str(refused.value)


def test_a_file_that_is_not_there_or_not_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"Cannot read the study .*missing\.yaml"):
        read_design(tmp_path / "missing.yaml")
    (tmp_path / "bytes.yaml").write_bytes(b"\xff\xfe\xff")
    with pytest.raises(InputError, match="is not UTF-8 text"):
        read_design(tmp_path / "bytes.yaml")


def question(kind: str, **values: Any) -> Question:
    return Question.model_validate({"name": "q", "text": "?", "kind": kind, **values})


@pytest.mark.parametrize(
    ("asked", "answer", "stored"),
    [
        (question("choice", options=("yes", "no")), " yes ", "yes"),
        (question("number", low=18, high=99), "18", 18),
        (question("scale"), "", None),
        (question("text"), " <b>fine</b> ", "<b>fine</b>"),
    ],
)
def test_answers_are_read(asked: Question, answer: str, stored: object) -> None:
    assert asked.read(answer) == stored


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        (question("choice", options=("yes", "no")), "maybe"),
        (question("number", low=18, high=99), "17"),
        (question("number"), "five"),
        (question("number"), "9" * 5000),
        (question("text"), "x" * 1001),
        (question("text", required=True), "  "),
    ],
)
def test_impossible_answers_are_refused(asked: Question, answer: str) -> None:
    with pytest.raises(ValueError):
        asked.read(answer)
