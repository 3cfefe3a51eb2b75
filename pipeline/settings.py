"""`params.yaml` as typed settings: one frozen dataclass per section (see `pipeline.schema`).

Everything is checked before any work starts, and all mistakes are reported at once.
"""

from __future__ import annotations

import dataclasses
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from pipeline import locations, schema
from pipeline.declaration import Declaration
from pipeline.layout import Layout
from pipeline.schema import between, matching, nonempty, setting, suggestion
from wordkin.errors import InputError

TopK = int | Literal["all"]
"""How many of its closest words each word keeps in a matrix, or all of them."""

Store = Literal["sparse", "float32", "float16"]
"""How a matrix is stored: only the values that are kept, or all pairs as a memory map."""

Weighting = Literal["linear", "uniform", "harmonic"]
"""How the weight of a pair falls with the distance of its words."""

Format = Literal["wikipedia", "wikiextractor", "opensubtitles", "srt", "text", "json"]
"""The formats that we can read."""

IN_PROCESS = "in-process"
"""The value of `spark.master` that runs all tasks in one process, without Spark and Java."""

_LANGUAGE_CODE = r"[a-z]{2,3}([-_][A-Za-z0-9]+)*"


def is_language_code(code: str) -> bool:
    """Whether `code` could name a language: two or three letters, then regions or scripts."""
    return re.fullmatch(_LANGUAGE_CODE, code) is not None


language_code = matching(_LANGUAGE_CODE, "a language code such as en, hu or pt-BR")
"""The rule for a language code."""


def subword_lengths(lengths: list[int]) -> str | None:
    """The rule for the least and the greatest length of subwords."""
    if len(lengths) == 2 and 0 <= lengths[0] <= lengths[1]:
        return None
    return "must be the least and the greatest length of subwords, [0, 0] for none"


def positive_weights(weights: dict[str, float]) -> str | None:
    """The rule for the weights of a blend."""
    for name, weight in weights.items():
        if weight <= 0:
            return f"{name} has the weight {weight:g}; write a number above 0"
    return nonempty(weights)


@dataclass(frozen=True)
class Source(Declaration):
    """One body of raw text: where it is and how to read it (docs/sources.md explains the keys)."""

    name: str = setting(rule=matching(r"[a-z0-9][a-z0-9._-]*", "lower-case letters, digits, . _ -"))
    location: str = setting()
    format: Format | None = setting(None)
    document: str | None = setting(None)
    text: str | None = setting(None)
    lines: int | None = setting(None, rule=between(1))
    encoding: str | None = setting(None)
    tolerate: float = setting(0.0, rule=between(0, 1, below=True))


@dataclass(frozen=True)
class LanguageVocabulary:
    """Which words the matrices of a language have."""

    size: int = setting(rule=between(2, 1_000_000))
    words: str = setting("auto")
    include: list[str] = setting([])
    gold: list[str] = setting([])
    stop_words: str = setting("auto")


@dataclass(frozen=True)
class LanguageSettings:
    """A language: its sources, and what is decided per language."""

    lemmatize: bool = setting()
    vocabulary: LanguageVocabulary = setting()
    sources: list[Source] = setting(rule=nonempty)


@dataclass(frozen=True)
class Fetch:
    """Where to look before asking the network."""

    mirror: str | None = setting(None)

    def folder(self, root: Path, environment: Mapping[str, str] = os.environ) -> Path | None:
        """The mirror folder, if there is one; WORDKIN_MIRROR overrides the setting."""
        folder = environment.get("WORDKIN_MIRROR") or self.mirror
        return root / folder if folder else None


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
    top: TopK = setting("all", rule=between(1))


@dataclass(frozen=True)
class Squared:
    """All two-step paths."""

    top: TopK = setting("all", rule=between(1))
    store: Store = setting("float16")
    memory_mib: int = setting(3000, rule=between(64))


@dataclass(frozen=True)
class Graph:
    """Shortest paths."""

    top: TopK = setting("all", rule=between(1))
    store: Store = setting("float16")
    memory_mib: int = setting(3000, rule=between(64))


@dataclass(frozen=True)
class Svd:
    """Vectors from the npmi matrix."""

    dimensions: int = setting(300, rule=between(1, 2000))
    exponent: float = setting(0.25, rule=between(0, 2))
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
class Blend:
    """The weighted mean of several measures."""

    weights: dict[str, float] = setting(rule=positive_weights)
    seed: int = setting(0, rule=between(0))


@dataclass(frozen=True)
class RecordedRounds(Declaration):
    """Where the recorded rounds of a language are; they need no name."""

    name: str = field(default="rounds", init=False)


@dataclass(frozen=True)
class Human:
    """People's choices: where they are, and how precise the figures about them are."""

    rounds: dict[str, RecordedRounds] = setting({})
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
    """How precise the correlations are."""

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
        """These settings, overridden by WORDKIN_SPARK_MASTER and WORDKIN_SPARK_CONF (k=v k=v)."""
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
    fasttext: Fasttext = setting()
    blend: Blend = setting()
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


def load(path: Path, measures: Sequence[str] | None = None) -> Settings:
    """Read and check `params.yaml`; all mistakes are in the one error that is raised.

    `measures` are the names of the measures that stages make, in the order of the flow, for
    checking the names in the settings; None leaves these unchecked.
    """

    def cross_check(sections: Mapping[str, Any]) -> Iterator[str]:
        yield from _wrong_languages(sections, path.parent)
        yield from _wrong_mirror(sections, path.parent)
        yield from _wrong_rounds(sections)
        yield from _wrong_stores(sections)
        yield from _wrong_default(sections)
        if measures is not None:
            yield from _wrong_measures(sections, measures)

    return schema.read(Settings, path, cross_check)


def _wrong_languages(sections: Mapping[str, Any], root: Path) -> Iterator[str]:
    languages: Mapping[str, LanguageSettings | None] = sections.get("languages") or {}
    for code, language in languages.items():
        if fault := language_code(code):
            yield f"languages.{code}: {fault}."
        if language is not None:
            yield from _wrong_sources(language.sources, f"languages.{code}.sources", root)
            watched = Layout(root, code).raw
            yield from _wrong_word_lists(language.vocabulary, f"languages.{code}", root, watched)


def _wrong_sources(sources: Sequence[Source], key: str, root: Path) -> Iterator[str]:
    names: set[str] = set()
    for at, source in enumerate(sources):
        if source.name in names:
            yield f"{key}[{at}].name: '{source.name}' is used twice; choose another."
        names.add(source.name)
        try:
            if isinstance(locations.parse(source.location), locations.LocalPath):
                locations.local_files(source.location, root)
        except InputError as error:
            yield f"{key}[{source.name}].location: {error}"


def _wrong_word_lists(
    vocabulary: LanguageVocabulary, key: str, root: Path, watched: Path
) -> Iterator[str]:
    """Lists of words have to be below the folder that DVC watches."""
    for name, keywords in (("words", ("auto",)), ("stop_words", ("auto", "none"))):
        value = getattr(vocabulary, name)
        path = root / value
        if value not in keywords and not (path.is_file() and watched in path.parents):
            yield (
                f"{key}.vocabulary.{name}: there is no file '{value}' below "
                f"{watched.relative_to(root)}; write {', '.join(keywords)}, or the path of a file "
                "there."
            )


def _wrong_mirror(sections: Mapping[str, Any], root: Path) -> Iterator[str]:
    fetch: Fetch | None = sections.get("fetch")
    mirror = fetch.folder(root) if fetch else None
    if mirror is not None and not mirror.is_dir():
        yield f"fetch.mirror: there is no folder '{mirror}'; correct it or write null."


def _wrong_rounds(sections: Mapping[str, Any]) -> Iterator[str]:
    human: Human | None = sections.get("human")
    for code, rounds in (human.rounds if human else {}).items():
        if not rounds.location and not rounds.mirror:
            yield f"human.rounds.{code}: give a location (or a mirror path)."


def _wrong_stores(sections: Mapping[str, Any]) -> Iterator[str]:
    for name in ("squared", "graph"):
        matrix: Squared | Graph | None = sections.get(name)
        if matrix and matrix.store != "sparse" and matrix.top != "all":
            fault = f"{matrix.store} is for all pairs"
            yield f"{name}.store: {fault}; write top: all, or store: sparse."


def _wrong_default(sections: Mapping[str, Any]) -> Iterator[str]:
    publish: Publish | None = sections.get("publish")
    if publish and publish.default not in publish.measures:
        yield f"publish.default: '{publish.default}' is not among publish.measures; add it there."


def _wrong_measures(sections: Mapping[str, Any], measures: Sequence[str]) -> Iterator[str]:
    """Names of measures that no stage makes; a blend is made of measures that come before it."""
    blend: Blend | None = sections.get("blend")
    before_blend = measures[: measures.index("blend")]
    for name in blend.weights if blend else ():
        if name not in before_blend:
            yield f"blend.weights.{name}: not a measure to blend; {suggestion(name, before_blend)}"
    publish: Publish | None = sections.get("publish")
    for spelled in publish.measures if publish else ():
        for part in spelled.split("+"):  # npmi, or a blend such as npmi+svd or npmi:2+svd
            name = part.partition(":")[0].strip()
            if name not in measures:
                yield f"publish.measures: '{name}' is not a measure; {suggestion(name, measures)}"
