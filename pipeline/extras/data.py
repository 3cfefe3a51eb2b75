"""The declared data of a language: its files, or why a measure has to be skipped."""

from __future__ import annotations

from pathlib import Path

from pipeline.fetch.brought_files import read_brought
from pipeline.measures.family import Skipped, Workplace


def declared_names(workplace: Workplace) -> set[str]:
    """The names of the data that is declared for the language."""
    declarations = workplace.settings.knowledge.declarations(workplace.layout.language)
    return {declaration.name for declaration in declarations}


def data_files(workplace: Workplace, name: str) -> list[Path]:
    """The files of the data called `name`; `Skipped` if there are none."""
    if name not in declared_names(workplace):
        language = workplace.layout.language
        raise Skipped(f"knowledge.data.{language} in params.yaml declares no {name}")
    brought = read_brought(workplace.layout, name)
    if brought.skipped:
        raise Skipped(brought.skipped)
    return brought.files
