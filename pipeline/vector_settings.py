"""The section `vectors` of `params.yaml`: which vector measures to make, and how.

docs/vectors.md explains them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from pipeline.declaration import Declaration
from pipeline.schema import between, matching, nonempty, setting
from wordkin.words import base, is_tag

VectorMeasureName = Literal[
    "glove", "skipgram", "cbow", "lemma_npmi", "lemma_svd", "ppmi_svd", "dict2vec", "concat"
]  # fmt: skip
"""The measures that the stage vectors can make from the text of the language."""


TRANSLATED = "translated"
"""The measure that is made where a language has bilingual dictionaries."""


@dataclass(frozen=True)
class Glove:
    """GloVe, trained on our counts; the defaults are those of its authors."""

    dimensions: int = setting(100, rule=between(1, 2000))
    epochs: int = setting(25, rule=between(1))
    learning_rate: float = setting(0.05, rule=between(0.0001, 1))
    maximum: float = setting(100.0, rule=between(0.001))
    exponent: float = setting(0.75, rule=between(0, 1))
    seed: int = setting(0, rule=between(0))


@dataclass(frozen=True)
class Word2vec:
    """word2vec's skip-gram and CBOW, without subwords."""

    dimensions: int = setting(300, rule=between(2, 2000))
    window: int = setting(5, rule=between(1, 50))
    epochs: int = setting(5, rule=between(1))
    learning_rate: float = setting(0.05, rule=between(0.0001, 1))
    minimum_count: int = setting(5, rule=between(1))
    sampling: float = setting(0.0001, rule=between(0.0000001, 1))
    seed: int = setting(0, rule=between(0))


@dataclass(frozen=True)
class Factored:
    """Eigenvectors of a matrix made from the counts of lemmas."""

    dimensions: int = setting(600, rule=between(1, 2000))
    skip: int = setting(3, rule=between(0, 100))
    exponent: float = setting(0.25, rule=between(0, 2))
    smoothing: float = setting(0.75, rule=between(0, 1))
    seed: int = setting(0, rule=between(0))


@dataclass(frozen=True)
class Dict2vec:
    """Dict2Vec; the weights and draws are those of its authors."""

    dimensions: int = setting(200, rule=between(2, 2000))
    window: int = setting(5, rule=between(1, 50))
    epochs: int = setting(1, rule=between(1))
    learning_rate: float = setting(0.025, rule=between(0.0001, 1))
    sampling: float = setting(0.0001, rule=between(0.0000001, 1))
    negatives: int = setting(5, rule=between(1, 100))
    strong_draws: int = setting(4, rule=between(0, 100))
    weak_draws: int = setting(5, rule=between(0, 100))
    strong_weight: float = setting(0.8, rule=between(0, 10))
    weak_weight: float = setting(0.45, rule=between(0, 10))
    seed: int = setting(0, rule=between(0))


@dataclass(frozen=True)
class Imported(Declaration):
    """Vectors that others have trained: one file, or a matrix and its list of words."""

    name: str = setting(rule=matching("[a-z][a-z0-9_-]*", "a name of a-z 0-9 _ -"))


@dataclass(frozen=True)
class EncoderFile(Declaration):
    """One of the two files of an encoder; it is called after the encoder."""

    name: str = field(default="", init=False)


@dataclass(frozen=True)
class Encoder:
    """A sentence encoder: its model in ONNX, its tokenizer.json, and how words are encoded.

    `contexts` is the number of places of the corpus over which a word is averaged, with `width`
    words on either side; `definitions` is the number of its definitions instead. A word without
    either is encoded alone, as all words are where both are 0.
    """

    name: str = setting(rule=matching("[a-z][a-z0-9_-]*", "a name of a-z 0-9 _ -"))
    model: EncoderFile = setting()
    tokenizer: EncoderFile = setting()
    contexts: int = setting(0, rule=between(0, 1000))
    definitions: int = setting(0, rule=between(0, 100))
    width: int = setting(12, rule=between(1, 100))
    seed: int = setting(0, rule=between(0))

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


@dataclass(frozen=True, kw_only=True)
class BilingualDictionary(Declaration):
    """A dictionary from or into a language whose starter bundle lends its vectors."""

    languages: list[str] = setting(rule=two_languages)


@dataclass(frozen=True)
class Lent:
    """How much the vectors of translations count beside a word's own.

    The own vector of a word that occurs n times has the weight n / (n + `occurrences`), the lent
    one has `weight`.
    """

    weight: float = setting(0.5, rule=between(0.001, 1000))
    occurrences: int = setting(100, rule=between(0))


@dataclass(frozen=True)
class Vectors:
    """Which vector measures to make, and how."""

    measures: list[VectorMeasureName] = setting([])
    concat: list[str] = setting(["svd", "fasttext"], rule=nonempty)
    glove: Glove = setting(Glove())
    word2vec: Word2vec = setting(Word2vec())
    factored: Factored = setting(Factored())
    dict2vec: Dict2vec = setting(Dict2vec())
    dictionaries: dict[str, list[Declaration]] = setting({})
    translations: dict[str, list[BilingualDictionary]] = setting({})
    lent: Lent = setting(Lent())
    imported: dict[str, list[Imported]] = setting({})
    encoders: dict[str, list[Encoder]] = setting({})

    def declarations(self, language: str) -> list[Declaration]:
        """The files that a language's measures are made from."""
        encoders = self.encoders.get(language, [])
        files = [file for encoder in encoders for file in encoder.parts()]
        dictionaries = self.dictionaries.get(language, [])
        translations = self.translations.get(language, [])
        return [*self.imported.get(language, []), *files, *dictionaries, *translations]

    def imported_names(self) -> Iterator[str]:
        """The names of the measures that are brought from elsewhere, in any language."""
        yield TRANSLATED
        for imported in self.imported.values():
            yield from (vectors.name for vectors in imported)
        for encoders in self.encoders.values():
            yield from (encoder.name for encoder in encoders)
