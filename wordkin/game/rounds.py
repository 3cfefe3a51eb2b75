"""Recorded rounds: boards, clues, and the cards that people picked for them.

A file has one line of JSON per item: a board with a clue for n cards, and one round per player.

    {"lang": "en", "board": 7, "words": ["piano", "mouse", "bison", "tree"],
     "blue": ["piano", "mouse"], "clue": "keyboard", "n": 2,
     "rounds": [{"session": "A1", "picks": ["piano", "mouse"]},
                {"session": "B2", "picks": ["mouse", "tree", "piano"]}]}

`words` are the cards in the order of the table, and `blue` are the good ones, from which the clue
takes its targets. `picks` are the cards that the player took, first pick first; a player may go on
after `n`, but only the first `n` picks are compared. A `session` is one sitting of one player, so
its rounds are not independent of each other. `board` names the board: a model is only judged on
boards that it was not fitted to.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wordkin.errors import InputError
from wordkin.files import read_lines


@dataclass(frozen=True)
class Round:
    """The picks of one player, first pick first."""

    session: str
    picks: tuple[str, ...]


@dataclass(frozen=True)
class Item:
    """A board with a clue for `number` of its cards, and the rounds that people played on it."""

    language: str
    board: str
    words: tuple[str, ...]
    blue: tuple[str, ...]
    clue: str
    number: int
    rounds: tuple[Round, ...]


def read_rounds(path: Path) -> list[Item]:
    """Read a file of recorded rounds; a broken line is refused, with its number."""
    items, seen = [], set[tuple[str, str, str, int]]()
    for number, line in enumerate(read_lines(path, "the rounds"), start=1):
        if not line.strip():
            continue
        item = _item(line, f"{path}:{number}")
        key = (item.language, item.board, item.clue, item.number)
        if key in seen:
            raise InputError(
                f"{path}:{number}: the clue '{item.clue}' for {item.number} on board {item.board} "
                "is in an earlier line; put all its rounds into one line."
            )
        seen.add(key)
        items.append(item)
    if not items:
        raise InputError(
            f"{path} has no rounds: add lines with a board, a clue and people's picks."
        )
    return items


def _item(line: str, where: str) -> Item:
    """The item of one line."""
    try:
        raw = json.loads(line)
    except ValueError:
        raise InputError(f"{where}: not valid JSON; correct the line or remove it.") from None
    if not isinstance(raw, dict):
        raise InputError(f"{where}: must be an object with words, blue, clue, n and rounds.")
    words = _words(raw, "words", where)
    blue = _words(raw, "blue", where)
    number = _value(raw, "n", where, lambda value: _is_whole(value) and 1 <= value <= len(words))
    _on_board(blue, words, where)
    entries = _value(raw, "rounds", where, lambda value: isinstance(value, list) and bool(value))
    return Item(
        language=_value(raw, "lang", where, _is_text),
        board=str(_value(raw, "board", where, lambda value: _is_text(value) or _is_whole(value))),
        words=words,
        blue=blue,
        clue=_value(raw, "clue", where, _is_text),
        number=number,
        rounds=tuple(_round(entry, words, number, where) for entry in entries),
    )


def _round(raw: Any, words: tuple[str, ...], number: int, where: str) -> Round:
    if not isinstance(raw, dict):
        raise InputError(f"{where}: a round must be an object with session and picks.")
    picks = _words(raw, "picks", where)
    _on_board(picks, words, where)
    if len(picks) < number:
        raise InputError(
            f"{where}: a round has {len(picks)} picks, but the clue is for {number}; complete or "
            "remove the round."
        )
    return Round(_value(raw, "session", where, _is_text), picks)


def _words(raw: Mapping[str, Any], key: str, where: str) -> tuple[str, ...]:
    """A list of different words."""
    words = _value(
        raw, key, where, lambda value: isinstance(value, list) and all(map(_is_text, value))
    )
    twice = next((word for at, word in enumerate(words) if word in words[:at]), None)
    if twice is not None:
        raise InputError(f"{where}: '{key}' has '{twice}' twice; remove one of them.")
    return tuple(words)


def _on_board(cards: tuple[str, ...], words: tuple[str, ...], where: str) -> None:
    stray = next((card for card in cards if card not in words), None)
    if stray is not None:
        raise InputError(f"{where}: '{stray}' is not among the board's words; correct it.")


def _value(raw: Mapping[str, Any], key: str, where: str, fits: Callable[[Any], bool]) -> Any:
    if key not in raw:
        raise InputError(f"{where}: '{key}' is missing; add it.")
    if not fits(raw[key]):
        raise InputError(f"{where}: '{key}' cannot be {json.dumps(raw[key])}; correct it.")
    return raw[key]


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
