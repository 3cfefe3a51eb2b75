"""The settings: one frozen dataclass per section of `params.yaml`, with defaults and rules.

`pipeline.schema` explains how a field says what its values may be; `pipeline.params` reads them.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from pipeline.declaration import Declaration
from pipeline.knowledge_settings import Knowledge
from pipeline.layout import Layout
from pipeline.schema import between, matching, nonempty, setting
from pipeline.storage import fault_of_address
from pipeline.vector_settings import Vectors
from wordkin.errors import InputError
from wordkin.words import base, is_tag

TopK = int | Literal["all"]
"""How many of its closest words each word keeps in a matrix, or all of them."""

Store = Literal["sparse", "float32", "float16"]
"""How a matrix is stored: only the values that are kept, or all pairs as a memory map."""

Weighting = Literal["linear", "uniform", "harmonic"]
"""How the weight of a pair falls with the distance of its words."""

Format = Literal[
    "wikipedia", "wikiextractor", "opensubtitles", "srt", "text", "json", "tei", "tmx", "conllu"
]
"""The formats that we can read."""

IN_PROCESS = "in-process"
"""The value of `spark.master` that runs all tasks in one process, without Spark and Java."""


def language_code(code: str) -> str | None:
    """The rule for a language code, which also names folders: the language in lower case."""
    if is_tag(code) and code.startswith(base(code)):
        return None
    return "must be a language code such as en, hu, zh or pt-BR"


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
    return None


def some_positive_weights(weights: dict[str, float]) -> str | None:
    """The rule for the weights of a blend that every build has."""
    return nonempty(weights) or positive_weights(weights)


@dataclass(frozen=True)
class Source(Declaration):
    """One body of raw text: where it is and how to read it (docs/sources.md explains the keys)."""

    name: str = setting(rule=matching("[a-z0-9][a-z0-9._-]*", "a name of a-z 0-9 . _ -"))
    format: Format | None = setting(None)
    document: str | None = setting(None)
    text: str | None = setting(None)
    lines: int | None = setting(None, rule=between(1))
    encoding: str | None = setting(None)
    tolerate: float = setting(0.0, rule=between(0, 1, below=True))


@dataclass(frozen=True)
class LanguageVocabulary:
    """Which words the matrices of a language have."""

    size: int = setting(50_000, rule=between(2, 200_000))
    words: str = setting("auto")
    include: list[str] = setting([])
    gold: list[str] = setting([])
    stop_words: str = setting("auto")


@dataclass(frozen=True)
class Dictionary(Declaration):
    """Where the Hunspell dictionary of a language is, an .aff and a .dic file; it needs no name."""

    name: str = field(default="dictionary", init=False)


@dataclass(frozen=True)
class LanguageSettings:
    """A language: its sources, and what is decided per language."""

    lemmatize: bool = setting()
    vocabulary: LanguageVocabulary = setting()
    sources: list[Source] = setting(rule=nonempty)


@dataclass(frozen=True)
class Lemmas:
    """How lemmas are found, where words are counted by lemma.

    Attributes
    ----------
    dictionaries : dict
        The Hunspell dictionaries by language; a language without one has simplemma's lemmas.
    """

    dictionaries: dict[str, Dictionary] = setting({})


@dataclass(frozen=True)
class Fetch:
    """Where to look before asking the network."""

    mirror: str | None = setting(None)

    def mirror_folder(self, root: Path, environment: Mapping[str, str] = os.environ) -> Path | None:
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
    """Which words may enter any language's vocabulary, and which of them may be clues."""

    minimum_count: int = setting(3, rule=between(1))
    familiarity: float = setting(0.85, rule=between(0, 1))


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

    top: TopK = setting(500, rule=between(1))
    store: Store = setting("sparse")
    memory_mib: int = setting(3000, rule=between(64))


@dataclass(frozen=True)
class Graph:
    """Shortest paths."""

    top: TopK = setting(500, rule=between(1))
    store: Store = setting("sparse")
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

    tokens: int = setting(20_000_000, rule=between(1_000))
    dimensions: int = setting(300, rule=between(2, 2000))
    window: int = setting(10, rule=between(1, 50))
    epochs: int = setting(1, rule=between(1))
    learning_rate: float = setting(0.1, rule=between(0.0001, 1))
    minimum_count: int = setting(5, rule=between(1))
    sampling: float = setting(0.00001, rule=between(0.0000001, 1))
    subwords: list[int] = setting([0, 0], rule=subword_lengths)
    buckets: int = setting(200_000, rule=between(1_000))
    seed: int = setting(0, rule=between(0))


@dataclass(frozen=True)
class Blend:
    """The weighted mean of several measures: of raw text alone, and with knowledge."""

    weights: dict[str, float] = setting(rule=some_positive_weights)
    informed: dict[str, float] = setting({}, rule=positive_weights)
    seed: int = setting(0, rule=between(0))


@dataclass(frozen=True)
class SubwordSize:
    """How large the vectors of n-grams are."""

    buckets: int = setting(16_384, rule=between(16))
    dimensions: int = setting(96, rule=between(1, 2000))
    words: int = setting(20_000, rule=between(1))


@dataclass(frozen=True)
class Bits:
    """How many bits each number or value has: of frequent words, and of all others."""

    frequent: int = setting(rule=between(2, 8))
    others: int = setting(rule=between(2, 8))


@dataclass(frozen=True)
class Estimate:
    """How few bytes an estimate has: of the default blend in the compact store, for instance."""

    pairs: int = setting(8_000_000, rule=between(0))
    directions: int = setting(352, rule=between(1, 2000))
    bits: Bits = setting(Bits(5, 3))
    pair_bits: Bits = setting(Bits(3, 2))


@dataclass(frozen=True)
class Light(Estimate):
    """How few bytes the default measure and the subwords have in the light store."""

    subwords: SubwordSize = setting(SubwordSize(8_192, 64, 10_000))


@dataclass(frozen=True)
class Compact:
    """How few bytes the measures have in the compact store."""

    frequent_words: int = setting(16_384, rule=between(0))
    pairs: int = setting(50_000_000, rule=between(1))
    corrections: int = setting(9_500_000, rule=between(0))
    exceptions: int = setting(2_500_000, rule=between(0))
    pair_bits: Bits = setting(Bits(4, 2))
    directions: int = setting(128, rule=between(1, 2000))
    bits: Bits = setting(Bits(6, 4))
    vector_bits: Bits = setting(Bits(6, 4))
    blend: Estimate = setting(Estimate())
    light: Light = setting(Light())


@dataclass(frozen=True)
class RecordedRounds(Declaration):
    """Where the recorded rounds of a language are; they need no name."""

    name: str = field(default="rounds", init=False)


@dataclass(frozen=True)
class Human:
    """People's choices: where they are, and how precise the figures about them are."""

    rounds: dict[str, RecordedRounds] = setting({})
    resolve: bool = setting(True)
    resamples: int = setting(1000, rule=between(100, 100_000))
    seed: int = setting(0, rule=between(0))


@dataclass(frozen=True)
class Agents:
    """Agents at play, for the report."""

    boards: int | Literal["all"] = setting("all", rule=between(1))
    games: int = setting(2, rule=between(1))
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
    store: Literal["compact", "light", "full"] = setting("compact")

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


@dataclass(frozen=True)
class Spark:
    """Where the Spark jobs run; the result does not depend on it."""

    master: str = setting("local[*]")
    task_memory_mib: int = setting(1024, rule=between(64))
    matrix_words: int = setting(60_000, rule=between(1))
    conf: dict[str, str] = setting({})

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
    storage: str | None = setting(None, rule=fault_of_address)
    lemmas: Lemmas = setting(Lemmas())
    human: Human = setting(Human())
    agents: Agents = setting(Agents())
    compact: Compact = setting(Compact())
    vectors: Vectors = setting(Vectors())
    knowledge: Knowledge = setting(Knowledge())

    def of(self, language: str) -> LanguageSettings:
        """The settings of one language; an undeclared one is refused."""
        if language not in self.languages:
            declared = ", ".join(self.languages)
            raise InputError(
                f"The language '{language}' is not in params.yaml (there: {declared}): "
                "add it below 'languages', or use python -m pipeline add."
            )
        return self.languages[language]
