"""concat: the vectors of several measures, one after the other.

Each word's vectors have unit length, so the cosine of the joined vectors is the mean of the cosines
for words that all measures know; a word without a vector in one of them is judged by the others.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Annotated

import numpy as np
from pydantic.dataclasses import dataclass

from pipeline.measures.family import WITH_KNOWLEDGE, Extra, MeasureJob, Skipped
from pipeline.measures.svd import unit_rows
from pipeline.mistakes import (
    KNOWN_KEYS,
    nonempty,
    suggestion,
)
from pipeline.settings import Check, Section
from pipeline.stage import Metrics
from wordkin.measures.files import write_matrix


@dataclass(frozen=True, config=KNOWN_KEYS)
class Concat(Section):
    """The measures whose vectors are joined."""

    KEY = "extras.concat"

    measures: Annotated[list[str], nonempty] = field(default_factory=lambda: ["svd", "fasttext"])

    def mistakes(self, check: Check) -> Iterator[str]:
        for name in self.measures:
            if "concat" in check.parts and (name not in check.parts or name == "concat"):
                yield f"measures: '{name}' has no vectors; {suggestion(name, check.parts)}"


def make(measure_job: MeasureJob) -> Metrics:
    """Join the vectors of the measures in `extras.concat.measures`."""
    parts = [measure_job.open(name) for name in measure_job.settings.section(Concat).measures]
    own = []
    for part in parts:
        vectors = part.unit_vectors()
        if vectors is None:
            raise Skipped(f"extras.concat.measures names {part.name}, which has no vectors")
        own.append(vectors)
    vectors = unit_rows(np.hstack(own).astype(np.float64))
    knowledge = any(WITH_KNOWLEDGE.items() <= part.facts.items() for part in parts)
    facts = {"of": [part.name for part in parts], **(WITH_KNOWLEDGE if knowledge else {})}
    write_matrix(measure_job.folder, measure_job.name, vectors=vectors, facts=facts)
    return {"dimensions": vectors.shape[1], "of": facts["of"]}


EXTRA = Extra({"concat": make}, sections=(Concat,), is_last=True)
