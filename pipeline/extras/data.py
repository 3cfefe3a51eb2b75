"""The declared data of a language: its files, or why a measure has to be skipped."""

from __future__ import annotations

from pathlib import Path

from pipeline.fetched import read_resource
from pipeline.knowledge_settings import Knowledge
from pipeline.measures.family import Skipped, Workplace


def declared_names(workplace: Workplace) -> set[str]:
    """The names of the data that is declared for the language."""
    declarations = workplace.settings.section(Knowledge).files(workplace.layout.language)
    return {declaration.name for declaration in declarations}


def data_files(workplace: Workplace, name: str) -> list[Path]:
    """The files of the data called `name`; `Skipped` if there are none."""
    if name not in declared_names(workplace):
        language = workplace.layout.language
        raise Skipped(f"knowledge.data.{language} in params.yaml declares no {name}")
    resource = read_resource(workplace.layout, name)
    if resource.skipped:
        raise Skipped(resource.skipped)
    return resource.files
