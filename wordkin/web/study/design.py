"""What a study is: boards, clues, and how people go through them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

FIXED, RANDOM = "fixed", "random"
ORDERS = (RANDOM, FIXED)

NO_FEEDBACK, COLOURS = "none", "colours"
FEEDBACK = (NO_FEEDBACK, COLOURS)

CHOICE, SCALE, NUMBER, TEXT = "choice", "scale", "number", "text"
KINDS = (CHOICE, SCALE, NUMBER, TEXT)
"""The kinds of questions."""

LONGEST_ANSWER = 1000


@dataclass(frozen=True)
class StudyBoard:
    """A board: its words in the order of the table, and the good ones among them."""

    name: str
    words: tuple[str, ...]
    blue: tuple[str, ...]


@dataclass(frozen=True)
class Task:
    """A clue on a board, for which a person picks `number` cards."""

    board: str
    clue: str
    number: int


@dataclass(frozen=True)
class Question:
    """A question at the end.

    Attributes
    ----------
    name : str
        The key of the answer in the export.
    text : str
        What people read.
    kind : str
        `choice` (one of `options`), `scale` or `number` (from `low` to `high`), or `text`.
    required : bool
        Whether people must answer it.
    """

    name: str
    text: str
    kind: str
    options: tuple[str, ...] = ()
    low: int = 1
    high: int = 5
    required: bool = False

    def read(self, answer: str) -> str | int | None:
        """The answer as it is stored.

        Returns
        -------
        str, int or None
            None if nothing was answered.

        Raises
        ------
        ValueError
            If this cannot be an answer to the question.
        """
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


@dataclass(frozen=True)
class Design:
    """A study.

    Attributes
    ----------
    name : str
        How commands and exports call it.
    language : str
        The language of the words, and of the pages if the site has texts in it.
    title, consent : str
        What people read before they agree.
    instructions, thanks : str
        More texts; empty for our own.
    order : str
        `random` per person, or `fixed` as in the file.
    per_person : int
        How many clues one person gets.
    feedback : str
        `colours` shows the colours of the picked cards after each clue, `none` does not.
    """

    name: str
    language: str
    title: str
    consent: str
    instructions: str
    thanks: str
    order: str
    per_person: int
    feedback: str
    boards: tuple[StudyBoard, ...]
    clues: tuple[Task, ...]
    questions: tuple[Question, ...]

    def board_of(self, task: Task) -> StudyBoard:
        """The board of a clue."""
        return next(board for board in self.boards if board.name == task.board)

    def as_dict(self) -> dict[str, Any]:
        """Return the design as plain data, for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, content: Mapping[str, Any]) -> Design:
        """Return the design from plain data, as `as_dict` makes it."""
        parts: dict[str, Any] = {
            "boards": tuple(
                StudyBoard(board["name"], tuple(board["words"]), tuple(board["blue"]))
                for board in content["boards"]
            ),
            "clues": tuple(Task(**task) for task in content["clues"]),
            "questions": tuple(
                Question(**{**question, "options": tuple(question["options"])})
                for question in content["questions"]
            ),
        }
        return cls(**{**content, **parts})
