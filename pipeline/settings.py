"""`params.yaml`, read into typed settings and checked before any work starts.

Each section is a frozen dataclass, so the dataclasses are the schema: their fields are the known
keys, their types and `rule`s say what a value may be, and their defaults hold for keys left out.
All mistakes are collected and told at once, one sentence each, with the key that is wrong.
"""

from __future__ import annotations

import dataclasses
import difflib
import os
import re
import types
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from pipeline import locations
from pipeline.layout import Layout
from wordkin.errors import InputError

Rule = Callable[[Any], str | None]
"""Says what is wrong with a value, or None."""

Kept = int | Literal["all"]
"""How many of its closest words each word keeps in a matrix, or all of them."""

Store = Literal["sparse", "float32", "float16"]
"""How a matrix lies on disk: only what is kept, or as a memory map of all pairs."""

Weighting = Literal["linear", "uniform", "harmonic"]
"""How the weight of a pair falls with the distance of its words."""

IN_PROCESS = "in-process"
"""The Spark master of those who have none: all tasks run in one process, without Java."""

Format = Literal["wikipedia", "wikiextractor", "opensubtitles", "srt", "text", "json"]


def between(low: float, high: float = float("inf"), *, below: bool = False) -> Rule:
    """A number from `low` to `high` (`below`: less than `high`)."""

    def rule(value: Any) -> str | None:
        if isinstance(value, str) or (low <= value < high if below else low <= value <= high):
            return None
        if high == float("inf"):
            return f"must be at least {low}"
        return f"must be from {low} to {'below ' if below else ''}{high}"

    return rule


def matching(pattern: str, meaning: str) -> Rule:
    """A text that matches `pattern`."""
    return lambda value: None if re.fullmatch(pattern, value) else f"must be {meaning}"


def nonempty(value: Any) -> str | None:
    """At least one element."""
    return None if value else "is empty: name at least one"


def subword_lengths(value: Any) -> str | None:
    """The least and the greatest length of subwords."""
    if len(value) == 2 and 0 <= value[0] <= value[1]:
        return None
    return "must be the least and the greatest length of subwords, [0, 0] for none"


def setting(default: Any = dataclasses.MISSING, *, rule: Rule | None = None) -> Any:
    """A key with its default (none: the key is required) and the rule for its values."""
    metadata = {"rule": rule} if rule else {}
    if isinstance(default, list | dict):
        return field(default_factory=lambda: type(default)(default), metadata=metadata)
    return field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Source:
    """One body of raw text: where it is and how to read it."""

    name: str = setting(rule=matching(r"[a-z0-9][a-z0-9._-]*", "lower-case letters, digits, . _ -"))
    location: str = setting()
    format: Format | None = setting(None)
    sha256: str | None = setting(None, rule=matching(r"[0-9a-f]{64}", "64 hexadecimal digits"))
    licence: str | None = setting(None)
    mirror: str | None = setting(None)
    document: str | None = setting(None)
    text: str | None = setting(None)
    lines: int | None = setting(None, rule=between(1))
    encoding: str | None = setting(None)
    tolerate: float = setting(0.0, rule=between(0, 1, below=True))


@dataclass(frozen=True)
class VocabularyOf:
    """Which words a language's matrices have."""

    size: int = setting(rule=between(2, 1_000_000))
    words: str = setting("auto")
    include: list[str] = setting([])
    gold: list[str] = setting([])
    stop_words: str = setting("auto")


@dataclass(frozen=True)
class LanguageSettings:
    """A language: its sources and the decisions that are its own."""

    lemmatize: bool = setting()
    vocabulary: VocabularyOf = setting()
    sources: list[Source] = setting(rule=nonempty)


@dataclass(frozen=True)
class Fetch:
    """Where to look before asking the network."""

    mirror: str | None = setting(None)

    def folder(self, root: Path, environment: Mapping[str, str] = os.environ) -> Path | None:
        """The mirror folder, if any; WORDKIN_MIRROR goes before the setting."""
        given = environment.get("WORDKIN_MIRROR") or self.mirror
        return root / given if given else None


@dataclass(frozen=True)
class Tokens:
    """Raw text to tokens."""

    minimum_words: int = setting(1, rule=between(1))
    unit_mib: int = setting(32, rule=between(1, 1024))


@dataclass(frozen=True)
class VocabularySettings:
    """Which words may enter any language's vocabulary."""

    minimum_count: int = setting(1, rule=between(1))


@dataclass(frozen=True)
class Counts:
    """How co-occurrences are counted."""

    window: int = setting(20, rule=between(1, 50))
    weighting: Weighting = setting("linear")
    boundary: Literal["document", "line"] = setting("document")
    stop_words: Literal["drop", "keep"] = setting("drop")


@dataclass(frozen=True)
class Npmi:
    """The square root of positive normalised pointwise mutual information."""

    minimum_count: float = setting(0.0, rule=between(0))
    smoothing: float = setting(1.0, rule=between(0, 1))
    top: Kept = setting("all", rule=between(1))


@dataclass(frozen=True)
class Squared:
    """All two-step paths."""

    top: Kept = setting("all", rule=between(1))
    store: Store = setting("float16")
    memory_mib: int = setting(3000, rule=between(64))


@dataclass(frozen=True)
class Graph:
    """Shortest paths."""

    top: Kept = setting("all", rule=between(1))
    store: Store = setting("float16")
    memory_mib: int = setting(3000, rule=between(64))


@dataclass(frozen=True)
class Svd:
    """Vectors from the npmi matrix."""

    dimensions: int = setting(300, rule=between(1, 2000))
    exponent: float = setting(0.25, rule=between(0, 2))
    seed: int = setting(0, rule=between(0))


@dataclass(frozen=True)
class Blend:
    """The weighted mean of several measures."""

    weights: dict[str, float] = setting(rule=nonempty)
    seed: int = setting(0, rule=between(0))


@dataclass(frozen=True)
class Fasttext:
    """Skip-gram vectors."""

    dimensions: int = setting(300, rule=between(2, 2000))
    window: int = setting(10, rule=between(1, 50))
    epochs: int = setting(1, rule=between(1))
    learning_rate: float = setting(0.1, rule=between(0.0001, 1))
    minimum_count: int = setting(5, rule=between(1))
    sampling: float = setting(0.00001, rule=between(0.0000001, 1))
    subwords: list[int] = setting([0, 0], rule=subword_lengths)
    buckets: int = setting(200_000, rule=between(1_000))
    threads: int = setting(1, rule=between(1, 256))
    seed: int = setting(0, rule=between(0))


@dataclass(frozen=True)
class RoundsOf:
    """Where the recorded rounds of a language are."""

    location: str | None = setting(None)
    sha256: str | None = setting(None, rule=matching(r"[0-9a-f]{64}", "64 hexadecimal digits"))
    mirror: str | None = setting(None)


@dataclass(frozen=True)
class Human:
    """People's choices: where they are, and how sure what they say is."""

    rounds: dict[str, RoundsOf] = setting({})
    resamples: int = setting(1000, rule=between(100, 100_000))
    seed: int = setting(0, rule=between(0))


@dataclass(frozen=True)
class Agents:
    """Agents at play, for the report."""

    boards: int | Literal["all"] = setting("all", rule=between(1))
    games: int = setting(4, rule=between(1))
    seed: int = setting(0, rule=between(0))


@dataclass(frozen=True)
class Evaluate:
    """How sure the correlations are."""

    resamples: int = setting(1000, rule=between(100, 100_000))
    seed: int = setting(0, rule=between(0))


@dataclass(frozen=True)
class Publish:
    """What goes into a bundle."""

    measures: list[str] = setting(rule=nonempty)
    default: str = setting()


@dataclass(frozen=True)
class Spark:
    """Where the Spark jobs run; the result does not depend on it."""

    master: str = setting("local[*]")
    task_memory_mib: int = setting(1024, rule=between(64))
    conf: dict[str, str] = setting({})

    def with_environment(self, environment: Mapping[str, str] = os.environ) -> Spark:
        """These settings with WORDKIN_SPARK_MASTER and WORDKIN_SPARK_CONF (k=v k=v) put over."""
        conf = dict(self.conf)
        for item in environment.get("WORDKIN_SPARK_CONF", "").split():
            key, equals, value = item.partition("=")
            if not equals:
                raise InputError(
                    f"WORDKIN_SPARK_CONF has '{item}': write key=value pairs with spaces between."
                )
            conf[key] = value
        master = environment.get("WORDKIN_SPARK_MASTER", self.master)
        return dataclasses.replace(self, master=master, conf=conf)


@dataclass(frozen=True)
class Settings:
    """The whole of `params.yaml`."""

    languages: dict[str, LanguageSettings] = setting(rule=nonempty)
    fetch: Fetch = setting()
    tokens: Tokens = setting()
    vocabulary: VocabularySettings = setting()
    counts: Counts = setting()
    npmi: Npmi = setting()
    squared: Squared = setting()
    graph: Graph = setting()
    svd: Svd = setting()
    blend: Blend = setting()
    fasttext: Fasttext = setting()
    evaluate: Evaluate = setting()
    publish: Publish = setting()
    spark: Spark = setting()
    human: Human = setting(Human())
    agents: Agents = setting(Agents())

    def of(self, language: str) -> LanguageSettings:
        """The settings of one language; an undeclared one is refused."""
        if language not in self.languages:
            declared = ", ".join(self.languages)
            raise InputError(
                f"The language '{language}' is not in params.yaml (there: {declared}): "
                "add it below 'languages', or use python -m pipeline add."
            )
        return self.languages[language]


def is_language_code(code: str) -> bool:
    """Whether `code` could name a language: two or three letters, then regions or scripts."""
    return re.fullmatch(r"[a-z]{2,3}([-_][A-Za-z0-9]+)*", code) is not None


class Mistakes(InputError):
    """Everything that is wrong with `params.yaml`."""

    def __init__(self, path: Path, mistakes: list[str]) -> None:
        super().__init__("\n".join(f"{path.name}: {mistake}" for mistake in mistakes))
        self.mistakes = mistakes


def load(path: Path) -> Settings:
    """Read and check `path`; every mistake found is in the one error that is raised."""
    try:
        raw = YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))
    except OSError:
        raise InputError(f"There is no {path}: run this in the project's folder.") from None
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8 text: save it as UTF-8.") from None
    except YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f" in line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or "cannot be read"
        raise Mistakes(path, [f"not valid YAML{where}: {problem}."]) from None
    mistakes: list[str] = []
    sections = _sections(Settings, raw, "", mistakes)
    mistakes += _cross_check(sections, path.parent)
    if mistakes:
        raise Mistakes(path, mistakes)
    return Settings(**sections)


def _sections(kind: type, raw: Any, key: str, mistakes: list[str]) -> dict[str, Any]:
    """The values of the dataclass `kind` in the mapping `raw`; a wrong one is None or left out."""
    if not isinstance(raw, dict):
        mistakes.append(f"{key or 'the file'}: must be a mapping of keys to values.")
        return {}
    known = {f.name: f for f in dataclasses.fields(kind)}
    for name in raw:
        if name not in known:
            near = difflib.get_close_matches(str(name), known, n=1, cutoff=0.5)
            hint = f"did you mean '{near[0]}'?" if near else f"known keys: {', '.join(known)}."
            mistakes.append(f"{_join(key, name)}: unknown key; {hint}")
    hints = typing.get_type_hints(kind)
    values = {}
    for name, entry in known.items():
        if name in raw:
            values[name] = _value(
                hints[name], entry.metadata, raw[name], _join(key, name), mistakes
            )
        elif _required(entry):
            mistakes.append(f"{_join(key, name)}: missing; add it.")
    return values


def _required(entry: dataclasses.Field[Any]) -> bool:
    return entry.default is dataclasses.MISSING and entry.default_factory is dataclasses.MISSING


def _value(hint: Any, metadata: Mapping[str, Any], raw: Any, key: str, mistakes: list[str]) -> Any:
    """The value `raw` as the type `hint`, obeying the rule in `metadata`."""
    origin = typing.get_origin(hint)
    before = len(mistakes)
    value = raw
    if dataclasses.is_dataclass(hint):
        values = _sections(typing.cast(type, hint), raw, key, mistakes)
        return None if len(mistakes) > before else typing.cast(type, hint)(**values)
    if origin is list and isinstance(raw, list):
        (item,) = typing.get_args(hint)
        value = [_value(item, {}, x, f"{key}[{i}]", mistakes) for i, x in enumerate(raw)]
    elif origin is dict and isinstance(raw, dict):
        _, item = typing.get_args(hint)
        value = {str(k): _value(item, {}, x, _join(key, k), mistakes) for k, x in raw.items()}
    elif not _fits(hint, raw):
        mistakes.append(f"{key}: must be {_name(hint)}, not {raw!r}{_nearest_choice(hint, raw)}")
    elif float in (hint, *typing.get_args(hint)) and isinstance(raw, int):
        value = float(raw)
    if len(mistakes) == before and "rule" in metadata and value is not None:
        wrong = metadata["rule"](value)
        if wrong:
            mistakes.append(
                f"{key}: {wrong}{'' if isinstance(raw, list | dict) else f', not {raw!r}'}."
            )
    return value


def _fits(hint: Any, raw: Any) -> bool:
    origin = typing.get_origin(hint)
    if origin is Literal:
        return raw in typing.get_args(hint)
    if origin in (typing.Union, types.UnionType):
        return any(_fits(part, raw) for part in typing.get_args(hint))
    if hint is types.NoneType:
        return raw is None
    if hint is float:
        return isinstance(raw, int | float) and not isinstance(raw, bool)
    if hint is int:
        return isinstance(raw, int) and not isinstance(raw, bool)
    return origin is None and isinstance(raw, hint)


def _name(hint: Any) -> str:
    """How a person would call the type."""
    origin = typing.get_origin(hint)
    if origin is Literal:
        return " or ".join(f"'{choice}'" for choice in typing.get_args(hint))
    if origin in (typing.Union, types.UnionType):
        return " or ".join(_name(part) for part in typing.get_args(hint))
    if origin in (list, dict):
        return "a list" if origin is list else "a mapping"
    names = {int: "a whole number", float: "a number", bool: "true or false", str: "a text"}
    return names.get(hint, "null")


def _nearest_choice(hint: Any, raw: Any) -> str:
    parts = typing.get_args(hint) if typing.get_origin(hint) is not Literal else (hint,)
    choices = [
        c for part in parts if typing.get_origin(part) is Literal for c in typing.get_args(part)
    ]
    near = difflib.get_close_matches(str(raw), choices, n=1, cutoff=0.5)
    return f"; did you mean '{near[0]}'?" if near else "."


def _join(key: str, name: object) -> str:
    return f"{key}.{name}" if key else str(name)


def _cross_check(sections: Mapping[str, Any], root: Path) -> list[str]:
    """What one key alone cannot tell: names said twice, places that are not there."""
    mistakes = []
    languages: dict[str, LanguageSettings | None] = sections.get("languages") or {}
    for code, language in languages.items():
        if not is_language_code(code):
            mistakes.append(f"languages.{code}: not a language code; write one such as en, hu, zh.")
        if language is None:
            continue
        names = [source.name for source in language.sources]
        for i, source in enumerate(language.sources):
            key = f"languages.{code}.sources[{i}]"
            if source.name in names[:i]:
                mistakes.append(f"{key}.name: '{source.name}' is used twice; choose another.")
            try:
                place = locations.parse(source.location)
                if isinstance(place, locations.LocalPath):
                    locations.local_files(source.location, root)
            except InputError as error:
                mistakes.append(f"{key}.location: {error}")
        watched = Layout(root, code).raw
        for key, known in (("words", ("auto",)), ("stop_words", ("auto", "none"))):
            given = getattr(language.vocabulary, key)
            if given not in known and not (
                (root / given).is_file() and watched in (root / given).parents
            ):
                mistakes.append(
                    f"languages.{code}.vocabulary.{key}: there is no file '{given}' below "
                    f"{watched.relative_to(root)}; write {', '.join(known)}, or the path of a file "
                    "there."
                )
    human: Human | None = sections.get("human")
    for code, rounds in (human.rounds if human else {}).items():
        if not rounds.location and not rounds.mirror:
            mistakes.append(f"human.rounds.{code}: give a location (or a mirror path).")
    fetch: Fetch | None = sections.get("fetch")
    mirror = fetch.folder(root) if fetch else None
    if mirror is not None and not mirror.is_dir():
        mistakes.append(f"fetch.mirror: there is no folder '{mirror}'; correct it or write null.")
    for measure in ("squared", "graph"):
        kept: Squared | Graph | None = sections.get(measure)
        if kept and kept.store != "sparse" and kept.top != "all":
            mistakes.append(
                f"{measure}.store: {kept.store} is for all pairs; write top: all, or store: sparse."
            )
    publish: Publish | None = sections.get("publish")
    if publish and publish.default not in publish.measures:
        mistakes.append(f"publish.default: '{publish.default}' is not among publish.measures.")
    return mistakes
