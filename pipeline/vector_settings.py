"""The section `vectors` of `params.yaml`: which vector measures to make, and how.

docs/vectors.md explains them.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from pipeline.declaration import Declaration
from pipeline.schema import between, matching, nonempty, setting

VectorMeasureName = Literal["glove", "skipgram", "cbow", "lemma_svd", "ppmi_svd", "concat"]
"""The measures that the stage vectors can make from the text of the language."""


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
    threads: int = setting(1, rule=between(1, 256))
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
class Imported(Declaration):
    """Vectors that others have trained: one file, or a matrix and its list of words."""

    name: str = setting(rule=matching("[a-z][a-z0-9_-]*", "a name of a-z 0-9 _ -"))


@dataclass(frozen=True)
class Vectors:
    """Which vector measures to make, and how."""

    measures: list[VectorMeasureName] = setting([])
    concat: list[str] = setting(["svd", "fasttext"], rule=nonempty)
    glove: Glove = setting(Glove())
    word2vec: Word2vec = setting(Word2vec())
    factored: Factored = setting(Factored())
    imported: dict[str, list[Imported]] = setting({})

    def declarations(self, language: str) -> list[Declaration]:
        """The files that a language's measures are made from."""
        return [*self.imported.get(language, [])]

    def imported_names(self) -> Iterator[str]:
        """The names of the measures that are brought from elsewhere, in any language."""
        for declarations in self.imported.values():
            yield from (declaration.name for declaration in declarations)
