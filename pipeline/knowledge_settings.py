"""The section `knowledge` of `params.yaml`: which knowledge measures to make, and their data.

docs/how-to/more-measures.md explains them.
"""

from __future__ import annotations

from dataclasses import field
from typing import Literal

from pydantic.dataclasses import dataclass

from pipeline.mistakes import KNOWN_KEYS
from pipeline.settings import Declaration, Section

KnowledgeMeasureName = Literal[
    "wordnet-path", "wordnet-lch", "wordnet-wup", "wordnet-res", "wordnet-jcn", "wordnet-lin",
    "wordnet-kinds", "wordnet-parts", "wordnet-opposites", "wordnet-relations",
    "language-graph",
]  # fmt: skip
"""The measures that the stage knowledge can make."""

DataName = Literal[
    "wordnet", "information-content", "conceptnet", "synonyms", "emoji", "places",
]  # fmt: skip
"""The data that it can read."""


@dataclass(frozen=True, config=KNOWN_KEYS)
class KnowledgeData(Declaration):
    """Data of one kind: its name says what it is."""

    name: DataName


@dataclass(frozen=True, config=KNOWN_KEYS)
class Knowledge(Section):
    """Which knowledge measures to make, and where their data is, per language."""

    KEY = "knowledge"

    measures: list[KnowledgeMeasureName] = field(default_factory=list)
    data: dict[str, list[KnowledgeData]] = field(default_factory=dict)

    def names(self) -> list[str]:
        """The measures that are asked for."""
        return [*self.measures]

    def files(self, language: str) -> list[Declaration]:
        return [*self.data.get(language, [])]
