"""The file of a study: YAML or JSON. Every mistake gets one sentence that names its place.

name: pilot                     # how commands call the study
language: en
title: Which words belong together?
consent: |                      # paragraphs have an empty line between them
  You will see boards of words ...
order: random                   # per person (default), or fixed as in this file
per_person: 10                  # clues per person (default: all)
feedback: none                  # default; colours: of the picked cards, after each clue
boards:
  - name: first
    words: [piano, mouse, bison, tree, ship]
    blue: [piano, mouse]        # the good cards, from which a clue takes its targets
clues:
  - {board: first, clue: keyboard, number: 2}
questions:
  - {name: native, text: Is English your native language?, kind: choice, options: ["yes", "no"]}
  - {name: age, text: How old are you?, kind: number, low: 18, high: 120}
  - {name: hard, text: How hard was it?, kind: scale, low: 1, high: 7, required: true}
  - {name: remarks, text: Anything to add?, kind: text}
instructions: Choose quickly.   # optional, as is thanks
thanks: Thank you!
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.events import AliasEvent, CollectionEndEvent, CollectionStartEvent

from wordkin.errors import InputError, Mistakes
from wordkin.files import read_text
from wordkin.web.rounds import GAMES
from wordkin.web.study.design import (
    FEEDBACK,
    KINDS,
    ORDERS,
    SCALE,
    TEXT,
    Design,
    Question,
    StudyBoard,
    Task,
)
from wordkin.words import is_tag, normal

LARGEST = 2_000_000
"""Bytes of a file: a study of 100 boards and 1,400 clues has a tenth of it."""

DEEPEST = 5
"""Levels of a file: the file, boards, a board, its words; one more for good measure."""

MOST_BOARDS, MOST_CLUES, MOST_WORDS, MOST_QUESTIONS = 1000, 5000, 100, 50
LONGEST_WORD, LONGEST_LINE, LONGEST_TEXT = 60, 300, 20_000
NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")


def read_design(path: Path) -> Design:
    """Read a study file.

    Raises
    ------
    Mistakes
        With all mistakes that were found.
    InputError
        If the file cannot be read.
    """
    text = read_text(path, "the study")
    if len(text) > LARGEST:
        raise InputError(f"{path} is too large for a study: use at most {LARGEST:,} letters.")
    try:
        _check_shape(text, path)
        content = YAML(typ="rt", pure=True).load(text)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        where = f"{path}:{mark.line + 1}" if mark else str(path)
        reason = (error.problem or "the text is broken").partition("\n")[0]
        raise InputError(f"{where}: not valid YAML or JSON ({reason}): correct it.") from None
    except (YAMLError, ValueError) as error:
        reason = " ".join(str(error).split())[:200]
        raise InputError(f"{path}: not valid YAML or JSON ({reason}): correct it.") from None
    reader = _Reader(path)
    design = reader.design(content)
    if reader.mistakes:
        raise Mistakes(reader.mistakes)
    return design


def _check_shape(text: str, path: Path) -> None:
    """Refuse what could fill the memory: repeated parts, and deep nesting."""
    depth = 0
    for event in YAML(pure=True).parse(text):
        line = event.start_mark.line + 1
        if isinstance(event, AliasEvent):
            raise InputError(f"{path}:{line}: repeats a part by '*': write it out.")
        depth += isinstance(event, CollectionStartEvent)
        depth -= isinstance(event, CollectionEndEvent)
        if depth > DEEPEST:
            raise InputError(f"{path}:{line}: is nested too deeply: a study has {DEEPEST} levels.")


class _Reader:
    """Reads values, and notes a sentence for each that is missing or wrong."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.mistakes: list[str] = []

    def wrong(self, node: Any, key: Any, place: str, problem: str) -> None:
        """Note a mistake; `node[key]` is where it is in the file."""
        where = str(self.path)
        try:
            line = node.lc.data[key][0]
            where += f":{line + 1}"
        except (AttributeError, KeyError, TypeError, IndexError):
            if getattr(node, "lc", None) is not None and node.lc.line is not None:
                where += f":{node.lc.line + 1}"
        self.mistakes.append(f"{where}: {place} {problem}")

    def design(self, content: Any) -> Design:
        if not isinstance(content, Mapping):
            content = {}
            self.wrong(None, None, "the file", "must have name, language, title, consent, boards "
                       "and clues: see docs/how-to/study.md.")  # fmt: skip
            return _EMPTY
        known = (
            "name language title consent instructions thanks order per_person feedback boards "
            "clues questions"
        )
        self.only(content, known, "")
        name = self.text(content, "name", "")
        if name and (not NAME.fullmatch(name) or name == GAMES):
            self.wrong(content, "name", "name", f"cannot be '{_short(name)}': use small letters "
                       f"a to z, digits and hyphens, at most 40, and not '{GAMES}'.")  # fmt: skip
        language = self.text(content, "language", "")
        if language and not is_tag(language):
            self.wrong(content, "language", "language",
                       f"cannot be '{_short(language)}': use a code such as en or hu.")  # fmt: skip
        boards = tuple(
            self.board(entry, f"boards[{at}]", language)
            for at, entry in enumerate(self.entries(content, "boards", "", 1, MOST_BOARDS))
        )
        self.once([board.name for board in boards], content, "boards", "name")
        clues = tuple(
            self.clue(entry, f"clues[{at}]", {board.name: board for board in boards}, language)
            for at, entry in enumerate(self.entries(content, "clues", "", 1, MOST_CLUES))
        )
        keys = [f"{task.clue} {task.number} on {task.board}" for task in clues if task.clue]
        self.once(keys, content, "clues", "clue")
        questions = tuple(
            self.question(entry, f"questions[{at}]", at)
            for at, entry in enumerate(
                self.entries(content, "questions", "", 0, MOST_QUESTIONS, required=False)
            )
        )
        self.once([question.name for question in questions], content, "questions", "name")
        most = max(1, len(clues))
        return Design(
            name=name,
            language=language,
            title=self.text(content, "title", ""),
            consent=self.text(content, "consent", "", LONGEST_TEXT),
            instructions=self.text(content, "instructions", "", LONGEST_TEXT, required=False),
            thanks=self.text(content, "thanks", "", LONGEST_TEXT, required=False),
            order=self.choice(content, "order", "", ORDERS),
            per_person=self.whole(content, "per_person", "", 1, most, default=most),
            feedback=self.choice(content, "feedback", "", FEEDBACK),
            boards=boards,
            clues=clues,
            questions=questions,
        )

    def board(self, entry: Any, place: str, language: str) -> StudyBoard:
        if not self.is_entry(entry, place, "name, words and blue"):
            return StudyBoard("", (), ())
        self.only(entry, "name words blue", place)
        words = self.words(entry, "words", place, 2, language)
        blue = self.words(entry, "blue", place, 1, language)
        for word in blue:
            if words and word not in words:
                self.wrong(entry, "blue", f"{place}.blue",
                           f"has '{word}', which is not among its words: correct it.")  # fmt: skip
        return StudyBoard(self.text(entry, "name", place, LONGEST_WORD), words, blue)

    def clue(self, entry: Any, place: str, boards: Mapping[str, StudyBoard], language: str) -> Task:
        if not self.is_entry(entry, place, "board, clue and number"):
            return Task("", "", 1)
        self.only(entry, "board clue number", place)
        name = self.text(entry, "board", place, LONGEST_WORD)
        board = boards.get(name)
        if name and board is None:
            self.wrong(entry, "board", f"{place}.board",
                       f"cannot be '{_short(name)}': no board has this name.")  # fmt: skip
        clue = self.text(entry, "clue", place, LONGEST_WORD)
        if board and normal(clue, language) in {normal(word, language) for word in board.words}:
            self.wrong(entry, "clue", f"{place}.clue",
                       f"is '{clue}', which is a card of the board: choose another.")  # fmt: skip
        most = max(1, len(board.words) - 1) if board and board.words else MOST_WORDS
        return Task(name, clue, self.whole(entry, "number", place, 1, most))

    def question(self, entry: Any, place: str, at: int) -> Question:
        if not self.is_entry(entry, place, "text and kind"):
            return Question(str(at), "", TEXT)
        self.only(entry, "name text kind options low high required", place)
        kind = self.choice(entry, "kind", place, KINDS, required=True)
        options: tuple[str, ...] = ()
        if kind == KINDS[0]:
            options = self.words(entry, "options", place, 2, None, LONGEST_LINE)
        elif "options" in entry:
            self.wrong(entry, "options", f"{place}.options",
                       "only fits a question of the kind choice: remove it.")  # fmt: skip
        low = self.whole(entry, "low", place, -(10**9), 10**9, default=1)
        least = low + 1
        most = low + 20 if kind == SCALE else 10**9
        high = self.whole(entry, "high", place, least, most, default=max(5, least))
        required = entry.get("required", False)
        if not isinstance(required, bool):
            self.wrong(entry, "required", f"{place}.required", "must be true or false.")
        return Question(
            self.text(entry, "name", place, LONGEST_WORD, required=False) or f"question{at + 1}",
            self.text(entry, "text", place, LONGEST_TEXT),
            kind,
            options,
            low,
            high,
            required is True,
        )

    def is_entry(self, entry: Any, place: str, keys: str) -> bool:
        if isinstance(entry, Mapping):
            return True
        self.wrong(None, None, place, f"must have {keys}: write them with colons.")
        return False

    def only(self, node: Mapping[Any, Any], known: str, place: str) -> None:
        """Note keys that we do not know: most are typing mistakes."""
        for key in node:
            if key not in known.split():
                self.wrong(node, key, _joined(place, _short(key)),
                           f"is not known: use {', '.join(known.split())}.")  # fmt: skip

    def text(
        self,
        node: Mapping[str, Any],
        key: str,
        place: str,
        longest: int = LONGEST_LINE,
        required: bool = True,
    ) -> str:
        value, where = node.get(key), _joined(place, key)
        if value is None and not required and key not in node:
            return ""
        if value is None:
            self.wrong(node, key, where, "is missing: add it.")
        elif not isinstance(value, str):
            self.wrong(node, key, where, f"cannot be {_short(value)}: put it into quotation marks.")
        elif not value.strip():
            self.wrong(node, key, where, "is empty: fill it in.")
        elif len(value) > longest:
            self.wrong(node, key, where, f"is too long: use at most {longest:,} letters.")
        else:
            return str(value).strip()
        return ""

    def choice(
        self,
        node: Mapping[str, Any],
        key: str,
        place: str,
        choices: Sequence[str],
        required: bool = False,
    ) -> str:
        value = node.get(key)
        if key not in node and not required:
            return choices[0]
        if isinstance(value, str) and value in choices:
            return str(value)
        given = "is missing" if key not in node else f"cannot be {_short(value)}"
        self.wrong(node, key, _joined(place, key), f"{given}: use {' or '.join(choices)}.")
        return choices[0]

    def whole(
        self,
        node: Mapping[str, Any],
        key: str,
        place: str,
        least: int,
        most: int,
        default: int | None = None,
    ) -> int:
        value, where = node.get(key, default), _joined(place, key)
        if value is None:
            self.wrong(node, key, where, "is missing: add it.")
        elif not isinstance(value, int) or isinstance(value, bool) or not least <= value <= most:
            self.wrong(node, key, where,
                       f"cannot be {_short(value)}: use a whole number from {least} to {most}.",
                       )  # fmt: skip
        else:
            return int(value)
        return least

    def entries(
        self,
        node: Mapping[str, Any],
        key: str,
        place: str,
        least: int,
        most: int,
        required: bool = True,
    ) -> Sequence[Any]:
        value, where = node.get(key), _joined(place, key)
        if key not in node and not required:
            return ()
        if not isinstance(value, list):
            problem = "is missing: add it." if key not in node else "must be a list."
            self.wrong(node, key, where, problem)
        elif not least <= len(value) <= most:
            self.wrong(node, key, where,
                       f"has {len(value):,} entries: use {least:,} to {most:,}.")  # fmt: skip
        else:
            return value
        return ()

    def words(
        self,
        node: Mapping[str, Any],
        key: str,
        place: str,
        least: int,
        language: str | None,
        longest: int = LONGEST_WORD,
    ) -> tuple[str, ...]:
        """A list of different texts; words that differ in form only are the same card."""
        where, words, seen = _joined(place, key), list[str](), set[str]()
        entries = self.entries(node, key, place, least, MOST_WORDS)
        for at, entry in enumerate(entries):
            if not isinstance(entry, str) or not entry.strip() or len(entry) > longest:
                self.wrong(entries, at, f"{where}[{at}]", f"cannot be {_short(entry)}: use a text "
                           f"of 1 to {longest} letters, in quotation marks.")  # fmt: skip
                continue
            form = normal(entry, language) if language else entry
            if form in seen:
                self.wrong(entries, at, f"{where}[{at}]",
                           f"is '{_short(entry)}' a second time: remove it.")  # fmt: skip
            seen.add(form)
            words.append(str(entry).strip())
        return tuple(words)

    def once(self, names: Sequence[str], node: Mapping[str, Any], key: str, what: str) -> None:
        seen = set[str]()
        for at, name in enumerate(names):
            if name and name in seen:
                self.wrong(node[key], at, f"{key}[{at}]",
                           f"has the {what} '{_short(name)}' twice: change it.")  # fmt: skip
            seen.add(name)


def _joined(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def _short(value: Any) -> str:
    shown = " ".join(str(value).split())
    return shown if len(shown) <= 60 else f"{shown[:60]}…"


_EMPTY = Design("", "", "", "", "", "", ORDERS[0], 1, FEEDBACK[0], (), (), ())
