"""YAML files, checked by pydantic: everything that is wrong in them, one sentence per mistake.

    counts.windw: unknown key; did you mean 'window'?
    counts.window: must be from 1 to 50, not 99.

Settings are pydantic dataclasses. Their numbers and flags have the types `Whole`, `Number` and
`Flag`, which take nothing for a number that only looks like one, and rules such as `between`.
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import re
import types
import typing
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

from pydantic import AfterValidator, ConfigDict, RootModel, Strict, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails
from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from wordkin import errors
from wordkin.errors import InputError
from wordkin.files import read_text

Kind = TypeVar("Kind")

KNOWN_KEYS = ConfigDict(extra="forbid", allow_inf_nan=False)
"""What all settings have in common."""

Whole = Annotated[int, Strict()]
Number = Annotated[float, Strict()]
Flag = Annotated[bool, Strict()]


class Mistakes(errors.Mistakes):
    """Everything that is wrong in a file of settings."""

    def __init__(self, path: Path, mistakes: list[str]) -> None:
        super().__init__([f"{path.name}: {mistake}" for mistake in mistakes])
        self.mistakes = mistakes


# ── what a value may be ──────────────────────────────────────────────────────────────────────


def rule(fault: Callable[[Any], str | None]) -> AfterValidator:
    """A rule for a value: `fault` says what is wrong with it, or None if nothing is."""

    def check(value: Any) -> Any:
        if value is not None and (message := fault(value)):
            raise ValueError(message)
        return value

    return AfterValidator(check)


def between(low: float, high: float = math.inf, *, below: bool = False) -> AfterValidator:
    """A number from `low` to `high`; with `below`, less than `high`. Texts beside it pass."""

    def fault(value: Any) -> str | None:
        if isinstance(value, str) or (low <= value < high if below else low <= value <= high):
            return None
        if high == math.inf:
            return f"must be at least {low}"
        return f"must be from {low} to {'below ' if below else ''}{high}"

    return rule(fault)


def matching(pattern: str, meaning: str) -> AfterValidator:
    """A text that matches `pattern` as a whole."""
    return rule(lambda value: None if re.fullmatch(pattern, value) else f"must be {meaning}")


nonempty = rule(lambda value: None if value else "is empty: name at least one")
"""At least one element."""


def suggestion(name: object, known: Collection[str]) -> str:
    """What an unknown name was probably meant to be, or all known names."""
    near = difflib.get_close_matches(str(name), known, n=1, cutoff=0.5)
    return f"did you mean '{near[0]}'?" if near else f"known are {', '.join(known)}."


# ── reading ──────────────────────────────────────────────────────────────────────────────────


def read(
    kind: type[Kind], path: Path, cross_check: Callable[[Kind], Iterable[str]] = lambda _: ()
) -> Kind:
    """The dataclass `kind` from a YAML file; all mistakes are in the one error that is raised.

    `cross_check` finds the mistakes that a single key does not show.
    """
    value, mistakes = checked(kind, load(path))
    if value is not None:
        mistakes = list(cross_check(value))
    if value is None or mistakes:
        raise Mistakes(path, mistakes)
    return value


def checked(kind: type[Kind], raw: object, key: str = "") -> tuple[Kind | None, list[str]]:
    """The plain value `raw` as a `kind`, None if it is wrong; and all mistakes, below `key`."""
    try:
        value: Kind = TypeAdapter(kind).validate_python(raw)
        return value, []
    except ValidationError as error:
        sentences: dict[str, str] = {}
        for details in error.errors(include_url=False):
            where, sentence = _sentence(kind, raw, key, details)
            sentences.setdefault(where, sentence)
        return None, list(sentences.values())


def load(path: Path) -> Any:
    """The content of a YAML file as plain dicts, lists and scalars."""
    if not path.exists():
        raise InputError(f"There is no {path}: run this in the project's folder.")
    try:
        return _parse(read_text(path))
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" in line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or "cannot be read"
        raise Mistakes(path, [f"not valid YAML{where}: {problem}."]) from None


@lru_cache(maxsize=8)
def _parse(text: str) -> Any:
    """The content of a text in YAML, which nobody changes.

    Commands read the same settings several times, and each time takes longer than all checks.
    """
    return YAML(typ="safe", pure=True).load(text)


# ── sentences ────────────────────────────────────────────────────────────────────────────────


def _sentence(kind: type, raw: object, key: str, details: ErrorDetails) -> tuple[str, str]:
    """The key that is wrong, and what to say about it."""
    hint: Any = kind
    for step in details["loc"]:
        plain = _plain(hint, raw)
        fields = _fields(plain)
        if details["type"] == "unexpected_keyword_argument" and step == details["loc"][-1]:
            return f"{key}.{step}", f"{_join(key, step)}: unknown key; {suggestion(step, fields)}"
        if step in fields:
            hint, key = fields[str(step)], _join(key, step)
        elif typing.get_origin(plain) is dict and step != "[key]":
            hint, key = typing.get_args(plain)[1], _join(key, step)
        elif typing.get_origin(plain) is list and isinstance(step, int):
            item = raw[step] if isinstance(raw, list) else None
            hint, key = typing.get_args(plain)[0], f"{key}[{_label(step, item)}]"
        else:
            break  # which part of a union was tried
        raw = _inside(raw, step)
    if details["type"] == "missing":
        return key, f"{key}: missing; add it."
    if details["type"] == "value_error":
        shown = "" if isinstance(raw, list | dict) else f", not {raw!r}"
        return key, f"{key}: {details['ctx']['error']}{shown}."
    if _fields(_plain(hint, raw)):
        return key, f"{key or 'the file'}: must be a mapping of keys to values."
    return key, f"{key}: must be {_describe(hint)}, not {raw!r}{_help(hint, raw)}"


def _inside(raw: object, step: int | str) -> object:
    if isinstance(raw, Mapping):
        return raw.get(step)
    return raw[step] if isinstance(raw, list) and isinstance(step, int) else None


def _parts(hint: Any) -> Iterator[Any]:
    """The types of a union, without their rules."""
    while typing.get_origin(hint) is Annotated:
        hint = typing.get_args(hint)[0]
    if isinstance(hint, type) and issubclass(hint, RootModel):
        hint = hint.model_fields["root"].annotation
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        for part in typing.get_args(hint):
            yield from _parts(part)
    else:
        yield hint


def _plain(hint: Any, raw: object) -> Any:
    """The type without its rules; of a union the list or mapping if `raw` is one."""
    parts = [part for part in _parts(hint) if part is not types.NoneType]
    fitting = [part for part in parts if typing.get_origin(part) is type(raw)]
    return (fitting or parts)[0]


def _fields(hint: Any) -> dict[str, Any]:
    """The types of a dataclass's keys; nothing for other types."""
    if not dataclasses.is_dataclass(hint) or not isinstance(hint, type):
        return {}
    hints = typing.get_type_hints(hint, include_extras=True)
    return {entry.name: hints[entry.name] for entry in dataclasses.fields(hint) if entry.init}


def _describe(hint: Any) -> str:
    """A type in a person's words."""
    names = {
        int: "a whole number", float: "a number", bool: "true or false", str: "a text",
        list: "a list", dict: "a mapping",
    }  # fmt: skip
    described = []
    for part in _parts(hint):
        if typing.get_origin(part) is Literal:
            described += [f"'{choice}'" for choice in typing.get_args(part)]
        elif part is not types.NoneType:
            described.append(names.get(typing.get_origin(part) or part, "a mapping"))
    return " or ".join(described)


def _help(hint: Any, raw: object) -> str:
    """What to write instead of a value of the wrong type, and the full stop."""
    parts = list(_parts(hint))
    choices = [
        choice
        for part in parts
        if typing.get_origin(part) is Literal
        for choice in typing.get_args(part)
    ]
    if near := difflib.get_close_matches(str(raw), choices, n=1, cutoff=0.5):
        return f"; did you mean '{near[0]}'?"
    is_scalar = raw is not None and not isinstance(raw, list | dict)
    return "; write it in quotes." if str in parts and is_scalar else "."


def _label(at: int, item: object) -> object:
    """What an entry of a list is called in a message: its name, or else its number from 0."""
    name = item.get("name") if isinstance(item, Mapping) else None
    return name if isinstance(name, str) else at


def _join(key: str, name: object) -> str:
    return f"{key}.{name}" if key else str(name)
