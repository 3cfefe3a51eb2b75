"""The section `vectors` of `params.yaml`: which vector measures to make, and how.

docs/how-to/more-measures.md explains them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import field
from typing import Annotated, Literal, get_args

from pydantic.dataclasses import dataclass

from pipeline.layout import FAMILIES, INFORMED, LEARNED, SINGLE
from pipeline.mistakes import (
    KNOWN_KEYS,
    Number,
    Whole,
    between,
    matching,
    nonempty,
    rule,
    suggestion,
)
from pipeline.settings import Check, Declaration, Section, wrong_declarations
from wordkin.words import base, is_tag

VectorMeasureName = Literal[
    "glove", "skipgram", "cbow", "lemma_npmi", "lemma_svd", "ppmi_svd", "dict2vec", "concat"
]  # fmt: skip
"""The measures that the stage vectors can make from the text of the language."""


TRANSLATED = "translated"
"""The measure that is made where a language has bilingual dictionaries."""


@dataclass(frozen=True, config=KNOWN_KEYS)
class Glove:
    """GloVe, trained on our counts; the defaults are those of its authors."""

    dimensions: Annotated[Whole, between(1, 2000)] = 100
    epochs: Annotated[Whole, between(1)] = 25
    learning_rate: Annotated[Number, between(0.0001, 1)] = 0.05
    maximum: Annotated[Number, between(0.001)] = 100.0
    exponent: Annotated[Number, between(0, 1)] = 0.75
    seed: Annotated[Whole, between(0)] = 0


@dataclass(frozen=True, config=KNOWN_KEYS)
class Word2vec:
    """word2vec's skip-gram and CBOW, without subwords."""

    dimensions: Annotated[Whole, between(2, 2000)] = 300
    window: Annotated[Whole, between(1, 50)] = 5
    epochs: Annotated[Whole, between(1)] = 5
    learning_rate: Annotated[Number, between(0.0001, 1)] = 0.05
    minimum_count: Annotated[Whole, between(1)] = 5
    sampling: Annotated[Number, between(0.0000001, 1)] = 0.0001
    seed: Annotated[Whole, between(0)] = 0


@dataclass(frozen=True, config=KNOWN_KEYS)
class Factored:
    """Eigenvectors of a matrix made from the counts of lemmas."""

    dimensions: Annotated[Whole, between(1, 2000)] = 600
    skip: Annotated[Whole, between(0, 100)] = 3
    exponent: Annotated[Number, between(0, 2)] = 0.25
    smoothing: Annotated[Number, between(0, 1)] = 0.75
    seed: Annotated[Whole, between(0)] = 0


@dataclass(frozen=True, config=KNOWN_KEYS)
class Dict2vec:
    """Dict2Vec; the weights and draws are those of its authors."""

    dimensions: Annotated[Whole, between(2, 2000)] = 200
    window: Annotated[Whole, between(1, 50)] = 5
    epochs: Annotated[Whole, between(1)] = 1
    learning_rate: Annotated[Number, between(0.0001, 1)] = 0.025
    sampling: Annotated[Number, between(0.0000001, 1)] = 0.0001
    negatives: Annotated[Whole, between(1, 100)] = 5
    strong_draws: Annotated[Whole, between(0, 100)] = 4
    weak_draws: Annotated[Whole, between(0, 100)] = 5
    strong_weight: Annotated[Number, between(0, 10)] = 0.8
    weak_weight: Annotated[Number, between(0, 10)] = 0.45
    seed: Annotated[Whole, between(0)] = 0


@dataclass(frozen=True, config=KNOWN_KEYS)
class Imported(Declaration):
    """Vectors that others have trained: one file, or a matrix and its list of words."""

    name: Annotated[str, matching("[a-z][a-z0-9_-]*", "a name of a-z 0-9 _ -")]


@dataclass(frozen=True, config=KNOWN_KEYS)
class EncoderFile(Declaration):
    """One of the two files of an encoder; it is called after the encoder."""

    name: str = field(default="", init=False)


@dataclass(frozen=True, config=KNOWN_KEYS)
class Encoder:
    """A sentence encoder: its model in ONNX, its tokenizer.json, and how words are encoded.

    `contexts` is the number of places of the corpus over which a word is averaged, with `width`
    words on either side; `definitions` is the number of its definitions instead. A word without
    either is encoded alone, as all words are where both are 0.
    """

    name: Annotated[str, matching("[a-z][a-z0-9_-]*", "a name of a-z 0-9 _ -")]
    model: EncoderFile
    tokenizer: EncoderFile
    contexts: Annotated[Whole, between(0, 1000)] = 0
    definitions: Annotated[Whole, between(0, 100)] = 0
    width: Annotated[Whole, between(1, 100)] = 12
    seed: Annotated[Whole, between(0)] = 0

    def parts(self) -> list[Declaration]:
        """Both files, with names to fetch them under."""
        return [
            Declaration(f"{self.name}-{part}", file.location, file.sha256, file.mirror)
            for part, file in (("model", self.model), ("tokenizer", self.tokenizer))
        ]


def two_languages(codes: list[str]) -> str | None:
    """The rule for the languages of a bilingual dictionary."""
    if len(codes) == 2 and all(map(is_tag, codes)) and base(codes[0]) != base(codes[1]):
        return None
    return "must be the language of the headwords and that of the translations, such as [hu, en]"


@dataclass(frozen=True, kw_only=True, config=KNOWN_KEYS)
class BilingualDictionary(Declaration):
    """A dictionary from or into a language whose starter bundle lends its vectors."""

    languages: Annotated[list[str], rule(two_languages)]


@dataclass(frozen=True, config=KNOWN_KEYS)
class Lent:
    """How much the vectors of translations count beside a word's own.

    The own vector of a word that occurs n times has the weight n / (n + `occurrences`), the lent
    one has `weight`.
    """

    weight: Annotated[Number, between(0.001, 1000)] = 0.5
    occurrences: Annotated[Whole, between(0)] = 100


@dataclass(frozen=True, config=KNOWN_KEYS)
class Vectors(Section):
    """Which vector measures to make, and how."""

    KEY = "vectors"

    measures: list[VectorMeasureName] = field(default_factory=list)
    concat: Annotated[list[str], nonempty] = field(default_factory=lambda: ["svd", "fasttext"])
    glove: Glove = Glove()
    word2vec: Word2vec = Word2vec()
    factored: Factored = Factored()
    dict2vec: Dict2vec = Dict2vec()
    dictionaries: dict[str, list[Declaration]] = field(default_factory=dict)
    translations: dict[str, list[BilingualDictionary]] = field(default_factory=dict)
    lent: Lent = Lent()
    imported: dict[str, list[Imported]] = field(default_factory=dict)
    encoders: dict[str, list[Encoder]] = field(default_factory=dict)

    def files(self, language: str) -> list[Declaration]:
        encoders = self.encoders.get(language, [])
        files = [file for encoder in encoders for file in encoder.parts()]
        dictionaries = self.dictionaries.get(language, [])
        translations = self.translations.get(language, [])
        return [*self.imported.get(language, []), *files, *dictionaries, *translations]

    def names(self) -> list[str]:
        """The measures that are asked for, in any language."""
        return [*self.measures, *self.imported_names()]

    def mistakes(self, check: Check) -> Iterator[str]:
        made = {*get_args(VectorMeasureName), *FAMILIES, *SINGLE, "blend", INFORMED, LEARNED}
        for code, imported in self.imported.items():
            key = f"imported.{code}"
            yield from wrong_declarations(imported, key, check.root)
            yield from _taken_names([entry.name for entry in imported], made, key)
        for code, dictionaries in self.dictionaries.items():
            yield from wrong_declarations(dictionaries, f"dictionaries.{code}", check.root)
        for code, encoders in self.encoders.items():
            key = f"encoders.{code}"
            for encoder in encoders:
                yield from wrong_declarations(encoder.parts(), key, check.root)
            others = {*made, *(entry.name for entry in self.imported.get(code, []))}
            yield from _taken_names([encoder.name for encoder in encoders], others, key)
        for name in self.concat if "concat" in self.measures else ():
            if name not in check.parts or name == "concat":
                yield f"concat: '{name}' has no vectors; {suggestion(name, check.parts)}"

    def imported_names(self) -> Iterator[str]:
        """The names of the measures that are brought from elsewhere, in any language."""
        yield TRANSLATED
        for imported in self.imported.values():
            yield from (vectors.name for vectors in imported)
        for encoders in self.encoders.values():
            yield from (encoder.name for encoder in encoders)


def _taken_names(names: Sequence[str], made: Collection[str], key: str) -> Iterator[str]:
    for at, name in enumerate(names):
        if name in made or name in names[:at]:
            yield f"{key}[{name}].name: another measure is called '{name}'; choose another name."
