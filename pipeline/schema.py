"""A YAML file, read into typed dataclasses and checked.

The dataclasses are the schema: their fields are the known keys, their types and rules say what a
value may be, and their defaults hold for keys that are left out.

    @dataclass(frozen=True)
    class Counts:
        window: int = setting(20, rule=between(1, 50))
        weighting: Literal["linear", "uniform"] = setting("linear")

All mistakes are collected, one sentence each, with the key that is wrong and what to write instead:

    counts.windw: unknown key; did you mean 'window'?
"""

from __future__ import annotations

import dataclasses
import difflib
import math
import re
import sys
import types
import typing
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import field
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal, TypeVar

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from wordkin import errors
from wordkin.errors import InputError
from wordkin.files import read_text

Kind = TypeVar("Kind")

Rule = Callable[[Any], str | None]
"""Says what is wrong with a value, or None if nothing is."""

CrossCheck = Callable[[Mapping[str, Any]], Iterable[str]]
"""Says what is wrong with several values together."""


class Mistakes(errors.Mistakes):
    """Everything that is wrong in a file of settings."""

    def __init__(self, path: Path, mistakes: list[str]) -> None:
        super().__init__([f"{path.name}: {mistake}" for mistake in mistakes])
        self.mistakes = mistakes


# ── what a field may be ──────────────────────────────────────────────────────────────────────


def setting(default: Any = dataclasses.MISSING, *, rule: Rule | None = None) -> Any:
    """A key with its default (without one it is required) and the rule for its values."""
    metadata = {"rule": rule} if rule else {}
    if isinstance(default, list | dict):
        return field(default_factory=lambda: type(default)(default), metadata=metadata)
    return field(default=default, metadata=metadata)


def between(low: float, high: float = math.inf, *, below: bool = False) -> Rule:
    """A number from `low` to `high`; with `below`, less than `high`."""

    def rule(value: Any) -> str | None:
        if isinstance(value, str) or (low <= value < high if below else low <= value <= high):
            return None
        if high == math.inf:
            return f"must be at least {low}"
        return f"must be from {low} to {'below ' if below else ''}{high}"

    return rule


def matching(pattern: str, meaning: str) -> Rule:
    """A text that matches `pattern` as a whole."""
    return lambda value: None if re.fullmatch(pattern, value) else f"must be {meaning}"


def nonempty(value: Any) -> str | None:
    """At least one element."""
    return None if value else "is empty: name at least one"


def faults(instance: Any) -> Iterator[str]:
    """What is wrong with a dataclass that was not read from a file, by the same rules."""
    for entry in dataclasses.fields(instance):
        value = getattr(instance, entry.name)
        rule: Rule | None = entry.metadata.get("rule")
        if rule and value is not None and (fault := rule(value)):
            yield f"{entry.name}: {fault}, not {value!r}"


def suggestion(name: object, known: Collection[str]) -> str:
    """What an unknown name was probably meant to be, or all known names."""
    near = difflib.get_close_matches(str(name), known, n=1, cutoff=0.5)
    return f"did you mean '{near[0]}'?" if near else f"known are {', '.join(known)}."


# ── reading ──────────────────────────────────────────────────────────────────────────────────


def read(kind: type[Kind], path: Path, cross_check: CrossCheck = lambda _: ()) -> Kind:
    """The dataclass `kind` from a YAML file; all mistakes are in the one error that is raised.

    `cross_check` finds the mistakes that a single key does not show. It gets the values by key;
    those that are wrong in themselves are None or missing.
    """
    reader = _Reader()
    values = reader.fields(kind, _load(path))
    mistakes = [*reader.mistakes, *cross_check(values)]
    if mistakes:
        raise Mistakes(path, mistakes)
    return kind(**values)


def _load(path: Path) -> Any:
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
    """The content of a text in YAML; `_Reader` changes nothing in it.

    Commands read the same settings several times, and each time takes longer than all checks.
    """
    return YAML(typ="safe", pure=True).load(text)


class _Reader:
    """Turns plain values into dataclasses and collects the mistakes on the way."""

    def __init__(self) -> None:
        self.mistakes: list[str] = []

    def fields(self, kind: type, raw: Any, key: str = "") -> dict[str, Any]:
        """The values of the fields of the dataclass `kind`; wrong ones are None or left out."""
        if not isinstance(raw, dict):
            self.mistakes.append(f"{key or 'the file'}: must be a mapping of keys to values.")
            return {}
        known = {entry.name: entry for entry in dataclasses.fields(kind) if entry.init}
        for name in raw:
            if name not in known:
                self.mistakes.append(f"{_join(key, name)}: unknown key; {suggestion(name, known)}")
        types_of_fields = typing.get_type_hints(kind)
        values = {}
        for name, entry in known.items():
            if name in raw:
                inner = _join(key, name)
                values[name] = self._checked(types_of_fields[name], entry, raw[name], inner)
            elif _is_required(entry):
                self.mistakes.append(f"{_join(key, name)}: missing; add it.")
        return values

    def _checked(self, hint: Any, entry: dataclasses.Field[Any], raw: Any, key: str) -> Any:
        """The value of a field, which has to obey the field's rule."""
        before = len(self.mistakes)
        value = self._value(hint, raw, key)
        rule: Rule | None = entry.metadata.get("rule")
        if rule and value is not None and len(self.mistakes) == before and (fault := rule(value)):
            shown = "" if isinstance(raw, list | dict) else f", not {raw!r}"
            self.mistakes.append(f"{key}: {fault}{shown}.")
        return value

    def _value(self, hint: Any, raw: Any, key: str) -> Any:
        """`raw` as a value of the type `hint`."""
        hint = _branch(hint, raw)
        origin = typing.get_origin(hint)
        if isinstance(hint, type) and dataclasses.is_dataclass(hint):
            before = len(self.mistakes)
            values = self.fields(hint, raw, key)
            return hint(**values) if len(self.mistakes) == before else None
        if origin is list and isinstance(raw, list):
            (item_hint,) = typing.get_args(hint)
            return [
                self._value(item_hint, item, f"{key}[{_label(at, item)}]")
                for at, item in enumerate(raw)
            ]
        if origin is dict and isinstance(raw, dict):
            _, item_hint = typing.get_args(hint)
            return {
                str(name): self._value(item_hint, item, _join(key, name))
                for name, item in raw.items()
            }
        if not _fits(hint, raw):
            self.mistakes.append(f"{key}: must be {_describe(hint)}, not {raw!r}{_help(hint, raw)}")
        elif float in (hint, *typing.get_args(hint)) and isinstance(raw, int):
            return float(raw)
        return raw


def _is_required(entry: dataclasses.Field[Any]) -> bool:
    return entry.default is dataclasses.MISSING and entry.default_factory is dataclasses.MISSING


def _is_union(hint: Any) -> bool:
    return typing.get_origin(hint) in (typing.Union, types.UnionType)


def _branch(hint: Any, raw: Any) -> Any:
    """The list or mapping of a union such as `list[float] | None`, if `raw` is one."""
    for part in typing.get_args(hint) if _is_union(hint) else ():
        if typing.get_origin(part) is type(raw) and isinstance(raw, list | dict):
            return part
    return hint


def _fits(hint: Any, raw: Any) -> bool:
    origin = typing.get_origin(hint)
    if origin is Literal:
        return raw in typing.get_args(hint)
    if _is_union(hint):
        return any(_fits(part, raw) for part in typing.get_args(hint))
    if hint is types.NoneType:
        return raw is None
    if hint is float:
        is_number = isinstance(raw, int | float) and not isinstance(raw, bool)
        return is_number and abs(raw) <= sys.float_info.max  # neither infinite nor NaN
    if hint is int:
        return isinstance(raw, int) and not isinstance(raw, bool)
    return origin is None and isinstance(raw, hint)


def _describe(hint: Any) -> str:
    """A type in a person's words."""
    origin = typing.get_origin(hint)
    if origin is Literal:
        return " or ".join(f"'{choice}'" for choice in typing.get_args(hint))
    if _is_union(hint):
        parts = [part for part in typing.get_args(hint) if part is not types.NoneType]
        return " or ".join(_describe(part) for part in parts)
    if origin in (list, dict):
        return "a list" if origin is list else "a mapping"
    names = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}
    return names.get(hint, "null")


def _help(hint: Any, raw: Any) -> str:
    """What to write instead of a value of the wrong type, and the full stop."""
    parts = typing.get_args(hint) if _is_union(hint) else (hint,)
    choices = [
        choice
        for part in parts
        if typing.get_origin(part) is Literal
        for choice in typing.get_args(part)
    ]
    near = difflib.get_close_matches(str(raw), choices, n=1, cutoff=0.5)
    if near:
        return f"; did you mean '{near[0]}'?"
    is_scalar = raw is not None and not isinstance(raw, list | dict)
    return "; write it in quotes." if str in parts and is_scalar else "."


def _label(at: int, item: Any) -> object:
    """What an entry of a list is called in a message: its name, or else its number from 0."""
    name = item.get("name") if isinstance(item, Mapping) else None
    return name if isinstance(name, str) else at


def _join(key: str, name: object) -> str:
    return f"{key}.{name}" if key else str(name)
