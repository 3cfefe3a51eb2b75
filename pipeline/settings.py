"""`params.yaml`: its sections, of which each stage looks at its own.

A section is a frozen pydantic dataclass in the module of its stage, with defaults and rules. Here
are those that several stages read.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeVar

from pydantic.dataclasses import dataclass

from pipeline import mistakes
from pipeline.declarations import (
    Declaration,
    Dictionary,
    RecordedRounds,
    Source,
    wrong_declarations,
)
from pipeline.layout import Layout, blended_names
from pipeline.mistakes import (
    KNOWN_KEYS,
    Flag,
    Mistakes,
    Whole,
    between,
    nonempty,
    rule,
)
from pipeline.storage import fault_of_address
from wordkin.errors import InputError
from wordkin.words import base, is_tag

TopK = Whole | Literal["all"]
"""How many of its closest words each word keeps in a matrix, or all of them."""

Weighting = Literal["linear", "uniform", "harmonic"]
"""How the weight of a pair falls with the distance of its words."""

IN_PROCESS = "in-process"
"""The value of `spark.master` that runs all tasks in one process, without Spark and Java."""


class Section:
    """A section of `params.yaml`; `KEY` is its name there, such as `svd` or `extras.glove`."""

    KEY: ClassVar[str]

    def mistakes(self, check: Check) -> Iterator[str]:
        """What is wrong with several values together, or with the files that they name."""
        return iter(())

    def files(self, language: str) -> Sequence[Declaration]:
        """The files beside the raw text that a language needs, to be fetched."""
        return ()

    def names(self) -> Sequence[str]:
        """The measures that the section asks for."""
        return ()


AnySection = TypeVar("AnySection", bound=Section)


@dataclasses.dataclass(frozen=True)
class Check:
    """What sections are checked against.

    Attributes
    ----------
    root : Path
        The project's folder.
    settings : Settings
        All settings.
    parts : list of str
        The measures that blends can be made of.
    measures : list of str
        All measures.
    """

    root: Path
    settings: Settings
    parts: Sequence[str]
    measures: Sequence[str]


def language_code(code: str) -> str | None:
    """The rule for a language code, which also names folders: the language in lower case."""
    if is_tag(code) and code.startswith(base(code)):
        return None
    return "must be a language code such as en, hu, zh or pt-BR"


@dataclass(frozen=True, config=KNOWN_KEYS)
class LanguageVocabulary:
    """Which words the matrices of a language have."""

    size: Annotated[Whole, between(2, 200_000)] = 50_000
    words: str = "auto"
    include: list[str] = field(default_factory=list)
    gold: list[str] = field(default_factory=list)
    stop_words: str = "auto"


@dataclass(frozen=True, config=KNOWN_KEYS)
class LanguageSettings:
    """A language: its sources, and what is decided per language."""

    lemmatize: Flag
    vocabulary: LanguageVocabulary
    sources: Annotated[list[Source], nonempty]


@dataclass(frozen=True, config=KNOWN_KEYS)
class Lemmas(Section):
    """How lemmas are found, where words are counted by lemma.

    Attributes
    ----------
    dictionaries : dict
        The Hunspell dictionaries by language; a language without one has simplemma's lemmas.
    """

    KEY = "lemmas"

    dictionaries: dict[str, Dictionary] = field(default_factory=dict)

    def mistakes(self, check: Check) -> Iterator[str]:
        for code, dictionary in self.dictionaries.items():
            if base(code) != "hu":
                fault = "only the analyses of the Hungarian dictionary are understood; remove it."
                yield f"dictionaries.{code}: {fault}"
            elif not dictionary.location and not dictionary.mirror:
                yield f"dictionaries.{code}: give a location (or a mirror path)."

    def files(self, language: str) -> Sequence[Declaration]:
        dictionary = self.dictionaries.get(language)
        return [dictionary] if dictionary else []


@dataclass(frozen=True, config=KNOWN_KEYS)
class Fetch(Section):
    """Where to look before asking the network."""

    KEY = "fetch"

    mirror: str | None = None

    def mirror_folder(self, root: Path, environment: Mapping[str, str] = os.environ) -> Path | None:
        """The mirror folder, if there is one; WORDKIN_MIRROR overrides the setting."""
        folder = environment.get("WORDKIN_MIRROR") or self.mirror
        return root / folder if folder else None

    def mistakes(self, check: Check) -> Iterator[str]:
        mirror = self.mirror_folder(check.root)
        if mirror is not None and not mirror.is_dir():
            yield f"mirror: there is no folder '{mirror}'; correct it or write null."


@dataclass(frozen=True, config=KNOWN_KEYS)
class SubwordSize:
    """How large the vectors of n-grams are."""

    buckets: Annotated[Whole, between(16)] = 16_384
    dimensions: Annotated[Whole, between(1, 2000)] = 96
    words: Annotated[Whole, between(1)] = 20_000


@dataclass(frozen=True, config=KNOWN_KEYS)
class Compact:
    """How few bytes the measures have in a compact bundle: the closest words of each word that a
    matrix stores, and the numbers per word that estimate all other pairs."""

    closest: Annotated[Whole, between(1)] = 250
    dimensions: Annotated[Whole, between(1, 2000)] = 128


@dataclass(frozen=True, config=KNOWN_KEYS)
class Light:
    """How few bytes the default measure and the subwords have in a light bundle."""

    pairs: Annotated[Whole, between(0)] = 1_500_000
    dimensions: Annotated[Whole, between(1, 2000)] = 256
    subwords: SubwordSize = SubwordSize(8_192, 64, 10_000)


@dataclass(frozen=True, config=KNOWN_KEYS)
class Human(Section):
    """People's choices: where they are, and how precise the figures about them are."""

    KEY = "human"

    rounds: dict[str, RecordedRounds] = field(default_factory=dict)
    resamples: Annotated[Whole, between(100, 100_000)] = 1000
    seed: Annotated[Whole, between(0)] = 0

    def mistakes(self, check: Check) -> Iterator[str]:
        for code, rounds in self.rounds.items():
            if not rounds.location and not rounds.mirror:
                yield f"rounds.{code}: give a location (or a mirror path)."


@dataclass(frozen=True, config=KNOWN_KEYS)
class Publish(Section):
    """What goes into a bundle."""

    KEY = "publish"

    measures: Annotated[list[str], nonempty]
    default: str
    store: Literal["compact", "light", "full"] = "compact"
    compact: Compact = Compact()
    light: Light = Light()

    def available(self, layout: Layout) -> Publish:
        """These settings with the measures that the build of a language has.

        Where it lacks the default measure, `blend` or else the first one is the default.
        """
        measures = layout.available(self.measures)
        if not measures:
            raise InputError(
                f"The build of '{layout.language}' has none of publish.measures "
                f"({', '.join(self.measures)}): add one that needs no data, such as npmi."
            )
        preferred = (self.default, "blend", *measures)
        default = next(name for name in preferred if name in measures)
        return dataclasses.replace(self, measures=measures, default=default)

    def mistakes(self, check: Check) -> Iterator[str]:
        if self.default not in self.measures:
            yield f"default: '{self.default}' is not among publish.measures; add it there."
        for spelled in self.measures:
            for name in blended_names(spelled):  # npmi, or a blend such as npmi+svd or npmi:2+svd
                if name not in check.measures:
                    known = mistakes.suggestion(name, check.measures)
                    yield f"measures: '{name}' is not a measure; {known}"


@dataclass(frozen=True, config=KNOWN_KEYS)
class Spark(Section):
    """Where the Spark jobs run; the result does not depend on it."""

    KEY = "spark"

    master: str = "local[*]"
    task_memory_mib: Annotated[Whole, between(64)] = 1024
    conf: dict[str, str] = field(default_factory=dict)

    @property
    def is_local(self) -> bool:
        """Whether Spark runs on this machine alone."""
        return self.master.startswith("local")

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
        master = environment.get("WORDKIN_SPARK_MASTER") or self.master
        return dataclasses.replace(self, master=master, conf=conf)


# ── the whole file ───────────────────────────────────────────────────────────────────────────


@dataclasses.dataclass(frozen=True)
class Settings:
    """The whole of `params.yaml`: its languages, and its sections as they are in the file.

    A section is checked when a stage asks for it; `pipeline.stages.load_checked` checks them all.
    """

    languages: dict[str, LanguageSettings]
    sections: Mapping[str, Any]
    storage: str | None = None
    replaced: Mapping[str, Section] = field(default_factory=dict)

    def section(self, kind: type[AnySection]) -> AnySection:
        """A section; its defaults where the file has none."""
        section, wrong = self.checked_section(kind)
        if section is None:
            raise Mistakes(Path(PARAMS), wrong)
        return section

    def checked_section(self, kind: type[AnySection]) -> tuple[AnySection | None, list[str]]:
        """A section, None if it is wrong; and what is wrong in it."""
        replaced = self.replaced.get(kind.KEY)
        if isinstance(replaced, kind):
            return replaced, []
        outer, _, inner = kind.KEY.partition(".")
        raw = self.sections.get(outer, {})
        if isinstance(raw, dict) and (inner or outer == EXTRAS):
            # The keys of this section are among those of its neighbours.
            raw = raw.get(inner, {}) if inner else {k: v for k, v in raw.items() if k == "measures"}
        return mistakes.checked(kind, raw, kind.KEY)

    def having(self, *sections: Section) -> Settings:
        """These settings with other sections."""
        changed = {section.KEY: section for section in sections}
        return dataclasses.replace(self, replaced={**self.replaced, **changed})

    @property
    def fetch(self) -> Fetch:
        """Where to look before asking the network."""
        return self.section(Fetch)

    @property
    def lemmas(self) -> Lemmas:
        """How lemmas are found."""
        return self.section(Lemmas)

    @property
    def human(self) -> Human:
        """People's choices."""
        return self.section(Human)

    @property
    def publish(self) -> Publish:
        """What goes into a bundle."""
        return self.section(Publish)

    @property
    def spark(self) -> Spark:
        """Where tasks run."""
        return self.section(Spark)

    def of(self, language: str) -> LanguageSettings:
        """The settings of one language; an undeclared one is refused."""
        if language not in self.languages:
            declared = ", ".join(self.languages)
            raise InputError(
                f"The language '{language}' is not in params.yaml (there: {declared}): "
                "add it below 'languages', or use python -m pipeline add."
            )
        return self.languages[language]


PARAMS = "params.yaml"

EXTRAS = "extras"
"""The section with those of the extras in it."""


def load_settings(path: Path) -> Settings:
    """Read `params.yaml`; mistakes in its languages are in the one error that is raised."""
    settings, wrong = read_languages(path)
    if wrong:
        raise Mistakes(path, wrong)
    return settings


def read_languages(path: Path) -> tuple[Settings, list[str]]:
    """The settings with the languages that are right, and what is wrong in the others."""
    raw = mistakes.load(path)
    if not isinstance(raw, dict):
        raise Mistakes(path, ["the file: must be a mapping of keys to values."])
    sections = {str(key): value for key, value in raw.items()}
    storage, wrong = mistakes.checked(Storage, {"storage": sections.pop("storage", None)})
    declared = sections.pop("languages", None)
    languages: dict[str, LanguageSettings] = {}
    if not isinstance(declared, dict):
        wrong.append("languages: must be a mapping of keys to values.")
    elif not declared:
        wrong.append("languages: is empty: name at least one.")
    else:
        for code, value in declared.items():
            if fault := language_code(str(code)):
                wrong.append(f"languages.{code}: {fault}.")
            language, faults = mistakes.checked(LanguageSettings, value, f"languages.{code}")
            wrong += faults
            if language is not None:
                languages[str(code)] = language
                wrong += _wrong_files(language, str(code), path.parent)
    return Settings(languages, sections, storage.storage if storage else None), wrong


@dataclass(frozen=True, config=KNOWN_KEYS)
class Storage:
    """Where files live that tasks share."""

    storage: Annotated[str | None, rule(fault_of_address)] = None


def _wrong_files(language: LanguageSettings, code: str, root: Path) -> Iterator[str]:
    yield from wrong_declarations(language.sources, f"languages.{code}.sources", root)
    watched = Layout(root, code).raw  # which is the folder that DVC watches
    for name, keywords in (("words", ("auto",)), ("stop_words", ("auto", "none"))):
        value = getattr(language.vocabulary, name)
        path = root / value
        if value not in keywords and not (path.is_file() and watched in path.parents):
            yield (
                f"languages.{code}.vocabulary.{name}: there is no file '{value}' below "
                f"{watched.relative_to(root)}; write {', '.join(keywords)}, or the path of a file "
                "there."
            )
