"""The settings: one frozen dataclass per section of `params.yaml`, with defaults and rules.

`pipeline.params` reads them.
"""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Mapping
from dataclasses import field
from pathlib import Path
from typing import Annotated, Literal

from pydantic.dataclasses import dataclass

from pipeline.declaration import Declaration
from pipeline.knowledge_settings import Knowledge
from pipeline.layout import Layout
from pipeline.mistakes import KNOWN_KEYS, Flag, Number, Whole, between, matching, nonempty, rule
from pipeline.storage import fault_of_address
from pipeline.vector_settings import Vectors
from wordkin.errors import InputError
from wordkin.words import base, is_tag

TopK = Whole | Literal["all"]
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
    return positive_weights(weights) if weights else "is empty: name at least one"


@dataclass(frozen=True, config=KNOWN_KEYS)
class Source(Declaration):
    """One body of raw text: where it is and how to read it (docs/how-to/sources.md)."""

    name: Annotated[str, matching("[a-z0-9][a-z0-9._-]*", "a name of a-z 0-9 . _ -")]
    format: Format | None = None
    document: str | None = None
    text: str | None = None
    lines: Annotated[Whole | None, between(1)] = None
    encoding: str | None = None
    tolerate: Annotated[Number, between(0, 1, below=True)] = 0.0


@dataclass(frozen=True, config=KNOWN_KEYS)
class LanguageVocabulary:
    """Which words the matrices of a language have."""

    size: Annotated[Whole, between(2, 200_000)] = 50_000
    words: str = "auto"
    include: list[str] = field(default_factory=list)
    gold: list[str] = field(default_factory=list)
    stop_words: str = "auto"


@dataclass(frozen=True, config=KNOWN_KEYS)
class Dictionary(Declaration):
    """Where the Hunspell dictionary of a language is, an .aff and a .dic file; it needs no name."""

    name: str = field(default="dictionary", init=False)


@dataclass(frozen=True, config=KNOWN_KEYS)
class LanguageSettings:
    """A language: its sources, and what is decided per language."""

    lemmatize: Flag
    vocabulary: LanguageVocabulary
    sources: Annotated[list[Source], nonempty]


@dataclass(frozen=True, config=KNOWN_KEYS)
class Lemmas:
    """How lemmas are found, where words are counted by lemma.

    Attributes
    ----------
    dictionaries : dict
        The Hunspell dictionaries by language; a language without one has simplemma's lemmas.
    """

    dictionaries: dict[str, Dictionary] = field(default_factory=dict)


@dataclass(frozen=True, config=KNOWN_KEYS)
class Fetch:
    """Where to look before asking the network."""

    mirror: str | None = None

    def mirror_folder(self, root: Path, environment: Mapping[str, str] = os.environ) -> Path | None:
        """The mirror folder, if there is one; WORDKIN_MIRROR overrides the setting."""
        folder = environment.get("WORDKIN_MIRROR") or self.mirror
        return root / folder if folder else None


@dataclass(frozen=True, config=KNOWN_KEYS)
class Tokens:
    """Raw text to tokens."""

    minimum_words: Annotated[Whole, between(1)] = 1
    unit_mib: Annotated[Whole, between(1, 1024)] = 32


@dataclass(frozen=True, config=KNOWN_KEYS)
class VocabularySettings:
    """Which words may enter any language's vocabulary, and which of them may be clues."""

    minimum_count: Annotated[Whole, between(1)] = 3
    familiarity: Annotated[Number, between(0, 1)] = 0.85


@dataclass(frozen=True, config=KNOWN_KEYS)
class Counts:
    """How co-occurrences are counted."""

    window: Annotated[Whole, between(1, 50)] = 20
    weighting: Weighting = "linear"
    boundary: Literal["document", "line"] = "document"
    stop_words: Literal["drop", "keep"] = "drop"


@dataclass(frozen=True, config=KNOWN_KEYS)
class Npmi:
    """The square root of positive normalised pointwise mutual information."""

    minimum_count: Annotated[Number, between(0)] = 0.0
    smoothing: Annotated[Number, between(0, 1)] = 1.0
    top: Annotated[TopK, between(1)] = "all"


@dataclass(frozen=True, config=KNOWN_KEYS)
class Squared:
    """All two-step paths."""

    top: Annotated[TopK, between(1)] = 500
    store: Store = "sparse"
    memory_mib: Annotated[Whole, between(64)] = 3000


@dataclass(frozen=True, config=KNOWN_KEYS)
class Graph:
    """Shortest paths."""

    top: Annotated[TopK, between(1)] = 500
    store: Store = "sparse"
    memory_mib: Annotated[Whole, between(64)] = 3000


@dataclass(frozen=True, config=KNOWN_KEYS)
class Svd:
    """Vectors from the npmi matrix."""

    dimensions: Annotated[Whole, between(1, 2000)] = 300
    exponent: Annotated[Number, between(0, 2)] = 0.25
    seed: Annotated[Whole, between(0)] = 0


@dataclass(frozen=True, config=KNOWN_KEYS)
class Fasttext:
    """Skip-gram vectors."""

    tokens: Annotated[Whole, between(1_000)] = 20_000_000
    dimensions: Annotated[Whole, between(2, 2000)] = 300
    window: Annotated[Whole, between(1, 50)] = 10
    epochs: Annotated[Whole, between(1)] = 1
    learning_rate: Annotated[Number, between(0.0001, 1)] = 0.1
    minimum_count: Annotated[Whole, between(1)] = 5
    sampling: Annotated[Number, between(0.0000001, 1)] = 0.00001
    subwords: Annotated[list[Whole], rule(subword_lengths)] = field(default_factory=lambda: [0, 0])
    buckets: Annotated[Whole, between(1_000)] = 200_000
    seed: Annotated[Whole, between(0)] = 0


@dataclass(frozen=True, config=KNOWN_KEYS)
class Blend:
    """The weighted mean of several measures: of raw text alone, and with knowledge."""

    weights: Annotated[dict[str, Number], rule(some_positive_weights)]
    informed: Annotated[dict[str, Number], rule(positive_weights)] = field(default_factory=dict)
    seed: Annotated[Whole, between(0)] = 0


@dataclass(frozen=True, config=KNOWN_KEYS)
class SubwordSize:
    """How large the vectors of n-grams are."""

    buckets: Annotated[Whole, between(16)] = 16_384
    dimensions: Annotated[Whole, between(1, 2000)] = 96
    words: Annotated[Whole, between(1)] = 20_000


@dataclass(frozen=True, config=KNOWN_KEYS)
class Bits:
    """How many bits each number or value has: of frequent words, and of all others."""

    frequent: Annotated[Whole, between(2, 8)]
    others: Annotated[Whole, between(2, 8)]


@dataclass(frozen=True, config=KNOWN_KEYS)
class Estimate:
    """How few bytes an estimate has: of the default blend in the compact store, for instance."""

    pairs: Annotated[Whole, between(0)] = 8_000_000
    directions: Annotated[Whole, between(1, 2000)] = 352
    bits: Bits = Bits(5, 3)
    pair_bits: Bits = Bits(3, 2)


@dataclass(frozen=True, config=KNOWN_KEYS)
class Light(Estimate):
    """How few bytes the default measure and the subwords have in the light store."""

    subwords: SubwordSize = SubwordSize(8_192, 64, 10_000)


@dataclass(frozen=True, config=KNOWN_KEYS)
class Compact:
    """How few bytes the measures have in the compact store."""

    frequent_words: Annotated[Whole, between(0)] = 16_384
    pairs: Annotated[Whole, between(1)] = 50_000_000
    corrections: Annotated[Whole, between(0)] = 9_500_000
    exceptions: Annotated[Whole, between(0)] = 2_500_000
    pair_bits: Bits = Bits(4, 2)
    directions: Annotated[Whole, between(1, 2000)] = 128
    bits: Bits = Bits(6, 4)
    vector_bits: Bits = Bits(6, 4)
    blend: Estimate = Estimate()
    light: Light = Light()


@dataclass(frozen=True, config=KNOWN_KEYS)
class RecordedRounds(Declaration):
    """Where the recorded rounds of a language are; they need no name."""

    name: str = field(default="rounds", init=False)


@dataclass(frozen=True, config=KNOWN_KEYS)
class Human:
    """People's choices: where they are, and how precise the figures about them are."""

    rounds: dict[str, RecordedRounds] = field(default_factory=dict)
    resamples: Annotated[Whole, between(100, 100_000)] = 1000
    seed: Annotated[Whole, between(0)] = 0


@dataclass(frozen=True, config=KNOWN_KEYS)
class Report:
    """How precise the figures of the report are, and how much agents play for it."""

    resamples: Annotated[Whole, between(100, 100_000)] = 1000
    games: Annotated[Whole, between(1)] = 5
    seed: Annotated[Whole, between(0)] = 0


@dataclass(frozen=True, config=KNOWN_KEYS)
class Publish:
    """What goes into a bundle."""

    measures: Annotated[list[str], nonempty]
    default: str
    store: Literal["compact", "light", "full"] = "compact"

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


@dataclass(frozen=True, config=KNOWN_KEYS)
class Spark:
    """Where the Spark jobs run; the result does not depend on it."""

    master: str = "local[*]"
    task_memory_mib: Annotated[Whole, between(64)] = 1024
    matrix_words: Annotated[Whole, between(1)] = 60_000
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


@dataclass(frozen=True, config=KNOWN_KEYS)
class Settings:
    """The whole of `params.yaml`."""

    languages: Annotated[dict[str, LanguageSettings], nonempty]
    fetch: Fetch
    tokens: Tokens
    vocabulary: VocabularySettings
    counts: Counts
    npmi: Npmi
    squared: Squared
    graph: Graph
    svd: Svd
    fasttext: Fasttext
    blend: Blend
    publish: Publish
    spark: Spark
    storage: Annotated[str | None, rule(fault_of_address)] = None
    lemmas: Lemmas = Lemmas()
    human: Human = Human()
    report: Report = Report()
    compact: Compact = Compact()
    vectors: Vectors = Vectors()
    knowledge: Knowledge = Knowledge()

    def of(self, language: str) -> LanguageSettings:
        """The settings of one language; an undeclared one is refused."""
        if language not in self.languages:
            declared = ", ".join(self.languages)
            raise InputError(
                f"The language '{language}' is not in params.yaml (there: {declared}): "
                "add it below 'languages', or use python -m pipeline add."
            )
        return self.languages[language]
