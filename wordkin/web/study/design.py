"""What a study is, how its file is read, and who gets which clues.

docs/how-to/study.md shows a file.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    StrictStr,
    StringConstraints,
    ValidationError,
    field_validator,
)
from ruamel.yaml import YAML
from ruamel.yaml.composer import Composer, ComposerError
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import AliasEvent

from wordkin.errors import InputError, Mistakes
from wordkin.files import read_text
from wordkin.web.database.rounds import GAMES
from wordkin.words import is_tag, normal

RANDOM, COLOURS = "random", "colours"
CHOICE, SCALE, NUMBER, TEXT = "choice", "scale", "number", "text"
"""The kinds of questions."""

LARGEST_FILE = 2_000_000
"""Bytes of a study file; reading one takes seconds per million."""

LONGEST_ANSWER = 1000
WIDEST_SCALE = 20
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")

Place = tuple[str | int, ...]
"""Where something is in a file, such as `("clues", 3, "number")`."""

Word = Annotated[StrictStr, StringConstraints(strip_whitespace=True, min_length=1, max_length=60)]
Line = Annotated[StrictStr, StringConstraints(strip_whitespace=True, min_length=1, max_length=300)]
Text = Annotated[
    StrictStr, StringConstraints(strip_whitespace=True, min_length=1, max_length=20_000)
]


class Part(BaseModel):
    """A part of a study file."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class StudyBoard(Part):
    """A board: its words in the order of the table, and the good ones among them."""

    name: Word
    words: tuple[Word, ...] = Field(min_length=2, max_length=100)
    blue: tuple[Word, ...] = Field(min_length=1, max_length=100)


class Task(Part):
    """A clue on a board, for which a person picks `number` cards."""

    board: Word
    clue: Word
    number: StrictInt = Field(ge=1)


class Question(Part):
    """A question at the end: `name` is the key of the answer in the export.

    Answers are one of `options` (a choice), from `low` to `high` (a scale or a number), or a text.
    """

    name: Word
    text: Text
    kind: Literal["choice", "scale", "number", "text"]
    options: tuple[Line, ...] = Field((), max_length=100)
    low: StrictInt = Field(1, ge=-(10**9))
    high: StrictInt = Field(5, le=10**9)
    required: StrictBool = False

    def read(self, answer: str) -> str | int | None:
        """The answer as it is stored, None if nothing was answered; refuse what cannot be one."""
        answer = answer.strip()
        if not answer:
            if self.required:
                raise ValueError("an answer is required")
            return None
        if self.kind == CHOICE and answer not in self.options:
            raise ValueError("not among the options")
        if self.kind in (SCALE, NUMBER):
            value = int(answer) if len(answer) < 12 else self.low - 1
            if not self.low <= value <= self.high:
                raise ValueError("out of range")
            return value
        if len(answer) > LONGEST_ANSWER:
            raise ValueError("too long")
        return answer


class Design(Part):
    """A study, as its file describes it.

    `title` and `consent` are what people read before they agree; `instructions` and `thanks` are
    our own texts if they are empty. `per_person` is how many clues one person gets, None for all,
    and `feedback` is whether the colours of the picked cards are shown after each clue.
    """

    name: Line
    language: Line
    title: Line
    consent: Text
    boards: tuple[StudyBoard, ...] = Field(min_length=1, max_length=1000)
    clues: tuple[Task, ...] = Field(min_length=1, max_length=5000)
    questions: tuple[Question, ...] = Field((), max_length=50)
    instructions: Text | Literal[""] = ""
    thanks: Text | Literal[""] = ""
    order: Literal["random", "fixed"] = "random"
    per_person: StrictInt | None = Field(None, ge=1)
    feedback: Literal["none", "colours"] = "none"

    @field_validator("questions", mode="before")
    @classmethod
    def _name_questions(cls, questions: Any) -> Any:
        if not isinstance(questions, list):
            return questions
        return [
            {"name": f"question{at}", **question} if isinstance(question, dict) else question
            for at, question in enumerate(questions, 1)
        ]

    @property
    def clues_each(self) -> int:
        """How many clues one person gets."""
        return self.per_person or len(self.clues)

    def board_of(self, task: Task) -> StudyBoard:
        """The board of a clue."""
        return next(board for board in self.boards if board.name == task.board)


def assign(design: Design, played: Mapping[Task, int], seed: str) -> list[int]:
    """Choose the clues of one person.

    Clues that fewer people have played come first, so that all get about the same number of rounds;
    and nobody sees a board twice as long as there is another one. Chance decides between equals:
    the same seed gives the same clues. They are places in the design, in the order in which the
    person sees them.
    """
    chance = random.Random(seed)
    rank = {at: chance.random() for at in range(len(design.clues))}
    left = dict(enumerate(design.clues))
    boards, chosen = Counter[str](), list[int]()
    for _ in range(design.clues_each):
        best = min(left, key=lambda at: (boards[left[at].board], played.get(left[at], 0), rank[at]))
        boards[left.pop(best).board] += 1
        chosen.append(best)
    if design.order == RANDOM:
        chance.shuffle(chosen)
        return chosen
    return sorted(chosen)


# The file. Every mistake gets one sentence that names its place.


def read_design(path: Path) -> Design:
    """Read a study file; refuse it with all mistakes of the form, or else all contradictions."""
    content = _read_yaml(path)
    try:
        design = Design.model_validate(content)
        mistakes = list(_contradictions(design))
    except ValidationError as error:
        errors = error.errors(include_url=False)
        broken = {found["loc"][:depth] for found in errors for depth in range(len(found["loc"]))}
        # A list with broken entries is not also too short.
        mistakes = [(e["loc"], _problem(e)) for e in errors if e["loc"] not in broken]
    if mistakes:
        raise Mistakes(
            [
                f"{path}{_line(content, place)}: {_named(place)} {problem}"
                for place, problem in mistakes
            ]
        )
    return design


class _PlainComposer(Composer):
    """Refuses aliases: a few lines of them can stand for more than the memory holds."""

    def compose_node(self, parent: Any, index: Any) -> Any:
        if self.parser.check_event(AliasEvent):
            alias = self.parser.peek_event()
            problem = f"the alias *{alias.anchor} is not allowed"
            raise ComposerError(None, None, problem, alias.start_mark)
        return super().compose_node(parent, index)


def _read_yaml(path: Path) -> Any:
    if path.is_file() and path.stat().st_size > LARGEST_FILE:
        raise InputError(
            f"{path} has more than {LARGEST_FILE // 10**6} MB: split it into several studies."
        )
    text, yaml = read_text(path, "the study"), YAML(typ="rt", pure=True)
    yaml.Composer = _PlainComposer
    try:
        return yaml.load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = f":{mark.line + 1}" if mark else ""
        reason = (error.problem or "the text is broken").partition("\n")[0]
    except (YAMLError, ValueError) as error:
        line, reason = "", " ".join(str(error).split())[:200]
    except RecursionError:
        line, reason = "", "it is nested too deeply"
    raise InputError(f"{path}{line}: not valid YAML or JSON ({reason}): correct it.")


def _line(content: Any, place: Place) -> str:
    """The line of a place in a file, as far as it is there."""
    line = ""
    for key in place:
        try:
            line = f":{content.lc.data[key][0] + 1}"
            content = content[key]
        except (AttributeError, KeyError, TypeError, IndexError):
            break
    return line


def _named(place: Place) -> str:
    """A place as people read it, such as `clues[3].number`."""
    names = "".join(f"[{key}]" if isinstance(key, int) else f".{key}" for key in place)
    return names.removeprefix(".") or "the file"


PARTS: dict[Any, type[Part]] = {"boards": StudyBoard, "clues": Task, "questions": Question}

PROBLEMS = {
    "missing": "is missing: add it.",
    "extra_forbidden": "is not known: use {known}.",
    "model_type": "must have {needed}: write them with colons.",
    "model_attributes_type": "must have {needed}: write them with colons.",
    "tuple_type": "must be a list.",
    "too_short": "has {actual_length:,} entries: use at least {min_length:,}.",
    "too_long": "has {actual_length:,} entries: use at most {max_length:,}.",
    "string_type": "cannot be {given}: put it into quotation marks.",
    "string_too_short": "is empty: fill it in.",
    "string_too_long": "is too long: use at most {max_length:,} letters.",
    "bool_type": "must be true or false.",
    "int_type": "cannot be {given}: use a whole number.",
    "greater_than_equal": "cannot be {given}: use {ge:,} or more.",
    "less_than_equal": "cannot be {given}: use {le:,} or less.",
    "literal_error": "cannot be {given}: use {expected}.",
}
"""What is wrong at a place, by the types of errors of pydantic."""


def _problem(error: Any) -> str:
    """What is wrong at a place, from what pydantic says."""
    given, place = error["input"], error["loc"]
    kind = "missing" if given is None and place else error["type"]
    part = PARTS[place[0]] if len(place) > 1 else Design
    needed = [name for name, field in part.model_fields.items() if field.is_required()]
    return PROBLEMS.get(kind, "is wrong ({problem}): correct it.").format(
        given=_short(given),
        problem=error["msg"],
        known=", ".join(part.model_fields),
        needed=f"{', '.join(needed[:-1])} and {needed[-1]}",
        **error.get("ctx", {}),
    )


def _contradictions(design: Design) -> Iterator[tuple[Place, str]]:
    """What is wrong although each value is possible."""
    name, code = _short(design.name), _short(design.language)
    if not NAME.fullmatch(design.name) or design.name == GAMES:
        form = f"small letters a to z, digits and hyphens, at most 40, and not '{GAMES}'"
        yield ("name",), f"cannot be '{name}': use {form}."
    if not is_tag(design.language):
        yield ("language",), f"cannot be '{code}': use a code such as en or hu."
    if design.clues_each > len(design.clues):
        problem = f"cannot be {design.per_person}: there are {len(design.clues):,} clues."
        yield ("per_person",), problem
    yield from _repeated(("boards",), [board.name for board in design.boards])
    for at, board in enumerate(design.boards):
        place: Place = ("boards", at)
        yield from _repeated((*place, "words"), _forms(board.words, design.language))
        yield from _repeated((*place, "blue"), _forms(board.blue, design.language))
        for word in board.blue:
            if word not in board.words:
                yield (*place, "blue"), f"has '{word}', which is not among its words: correct it."
    boards = {board.name: board for board in design.boards}
    yield from _repeated(("clues",), [f"{t.clue} {t.number} on {t.board}" for t in design.clues])
    for at, task in enumerate(design.clues):
        place = ("clues", at)
        if task.board not in boards:
            yield (*place, "board"), f"cannot be '{task.board}': no board has this name."
            continue
        words = boards[task.board].words
        if normal(task.clue, design.language) in _forms(words, design.language):
            problem = f"is '{task.clue}', which is a card of the board: choose another."
            yield (*place, "clue"), problem
        if task.number >= len(words):
            yield (*place, "number"), f"cannot be {task.number}: use 1 to {len(words) - 1}."
    yield from _repeated(("questions",), [question.name for question in design.questions])
    for at, question in enumerate(design.questions):
        place = ("questions", at)
        yield from _repeated((*place, "options"), question.options)
        if question.kind == CHOICE and len(question.options) < 2:
            yield (*place, "options"), "must have 2 or more: add them."
        if question.kind != CHOICE and question.options:
            yield (*place, "options"), "only fits a question of the kind choice: remove it."
        low = question.low + 1
        high = question.low + WIDEST_SCALE if question.kind == SCALE else 10**9
        if not low <= question.high <= high:
            yield (*place, "high"), f"cannot be {question.high}: use {low:,} to {high:,}."


def _forms(words: Sequence[str], language: str) -> list[str]:
    """The forms of words: those that differ in spelling only are the same card."""
    return [normal(word, language) for word in words]


def _repeated(place: Place, names: Sequence[str]) -> Iterator[tuple[Place, str]]:
    for at, name in enumerate(names):
        if name in names[:at]:
            yield (*place, at), f"is '{_short(name)}' a second time: change it."


def _short(value: Any) -> str:
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "a part with names"
    shown = " ".join(str(value).split())
    return shown if len(shown) <= 60 else f"{shown[:60]}…"
