"""Vectors that others have trained, cut to our vocabulary; `extras.imported` names the files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, ClassVar

import numpy as np
from pydantic import RootModel
from pydantic.dataclasses import dataclass

from pipeline.declarations import Declaration, wrong_declarations
from pipeline.extras.vector_files import select
from pipeline.fetched import read_resource
from pipeline.measures.family import WITH_KNOWLEDGE, Extra, Maker, MeasureJob, Skipped, taken_names
from pipeline.measures.svd import unit_rows
from pipeline.mistakes import KNOWN_KEYS, matching
from pipeline.settings import Check, Section
from pipeline.stage import Job, Metrics
from wordkin.measures.files import write_matrix
from wordkin.words import normal


@dataclass(frozen=True, config=KNOWN_KEYS)
class Imported(Declaration):
    """Vectors that others have trained: one file, or a matrix and its list of words."""

    name: Annotated[str, matching("[a-z][a-z0-9_-]*", "a name of a-z 0-9 _ -")]


class ImportedVectors(RootModel[dict[str, list[Imported]]], Section):
    """Vectors that others have trained, by language."""

    KEY: ClassVar[str] = "extras.imported"

    root: dict[str, list[Imported]] = {}

    def mistakes(self, check: Check) -> Iterator[str]:
        for code, declared in self.root.items():
            yield from wrong_declarations(declared, code, check.root)
            yield from taken_names([entry.name for entry in declared], code)

    def files(self, language: str) -> Sequence[Declaration]:
        return self.root.get(language, [])

    def names(self) -> Sequence[str]:
        return [entry.name for declared in self.root.values() for entry in declared]


def make(measure_job: MeasureJob) -> Metrics:
    """Make a measure from declared files of the measure's name."""
    resource = read_resource(measure_job.layout, measure_job.name)
    if resource.skipped:
        raise Skipped(resource.skipped)
    language = measure_job.layout.language
    selected = select(
        resource.files, measure_job.vocabulary.words, lambda word: normal(word, language)
    )
    vectors = unit_rows(selected.vectors.astype(np.float64))
    facts = {"licence": resource.licence, **WITH_KNOWLEDGE}
    write_matrix(measure_job.folder, measure_job.name, vectors=vectors, facts=facts)
    return {
        "dimensions": vectors.shape[1],
        "vectors_read": selected.entries,
        "words_without_vector": int((~vectors.any(axis=1)).sum()),
    }


def declared(job: Job) -> dict[str, Maker]:
    """The measures that are declared for a language."""
    files = job.settings.section(ImportedVectors).files(job.layout.language)
    return {file.name: make for file in files}


EXTRA = Extra(sections=(ImportedVectors,), declared=declared)
