"""The declared data of a language: its files, or why a measure has to be skipped."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar, Literal

from pydantic import RootModel
from pydantic.dataclasses import dataclass

from pipeline.declarations import Declaration
from pipeline.fetched import read_resource
from pipeline.measures.family import MeasureJob, Skipped
from pipeline.mistakes import KNOWN_KEYS
from pipeline.settings import Section

DataName = Literal[
    "wordnet", "information-content", "conceptnet", "synonyms", "emoji", "places",
]  # fmt: skip
"""The data that can be read."""


@dataclass(frozen=True, config=KNOWN_KEYS)
class KnowledgeData(Declaration):
    """Data of one kind: its name says what it is."""

    name: DataName


class Knowledge(RootModel[dict[str, list[KnowledgeData]]], Section):
    """Word nets and language graphs, by language."""

    KEY: ClassVar[str] = "extras.knowledge"

    root: dict[str, list[KnowledgeData]] = {}

    def files(self, language: str) -> Sequence[Declaration]:
        return self.root.get(language, [])


def declared_names(measure_job: MeasureJob) -> set[str]:
    """The names of the data that is declared for the language."""
    declarations = measure_job.settings.section(Knowledge).files(measure_job.layout.language)
    return {declaration.name for declaration in declarations}


def data_files(measure_job: MeasureJob, name: str) -> list[Path]:
    """The files of the data called `name`; `Skipped` if there are none."""
    if name not in declared_names(measure_job):
        language = measure_job.layout.language
        raise Skipped(f"extras.knowledge.{language} in params.yaml declares no {name}")
    resource = read_resource(measure_job.layout, name)
    if resource.skipped:
        raise Skipped(resource.skipped)
    return resource.files
