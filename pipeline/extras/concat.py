"""concat: the vectors of several measures, one after the other.

Each word's vectors have unit length, so the cosine of the joined vectors is the mean of the cosines
for words that all measures know; a word without a vector in one of them is judged by the others.
"""

from __future__ import annotations

import numpy as np

from pipeline.measures.family import WITH_KNOWLEDGE, Skipped, Workplace
from pipeline.measures.svd import unit_rows
from pipeline.stage import Metrics
from pipeline.vector_settings import Vectors
from wordkin.measures.store import write_measure
from wordkin.measures.vectors import VectorMeasure


def make(workplace: Workplace) -> Metrics:
    """Join the vectors of the measures in `vectors.concat`."""
    parts = [workplace.open(name) for name in workplace.settings.section(Vectors).concat]
    for part in parts:
        if not isinstance(part, VectorMeasure):
            raise Skipped(f"vectors.concat names {part.name}, which has no vectors")
    joined = np.hstack([np.asarray(part.unit_vectors(), np.float64) for part in parts])
    vectors = unit_rows(joined)
    knowledge = any(WITH_KNOWLEDGE.items() <= part.facts.items() for part in parts)
    facts = {"of": [part.name for part in parts], **(WITH_KNOWLEDGE if knowledge else {})}
    write_measure(workplace.folder, workplace.name, "vectors", {"vectors": vectors}, facts)
    return {"dimensions": vectors.shape[1], "of": facts["of"]}
