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
from wordkin.measures.files import write_matrix


def make(workplace: Workplace) -> Metrics:
    """Join the vectors of the measures in `vectors.concat`."""
    parts = [workplace.open(name) for name in workplace.settings.section(Vectors).concat]
    own = [part.unit_vectors() for part in parts]
    for part, vectors in zip(parts, own, strict=True):
        if vectors is None:
            raise Skipped(f"vectors.concat names {part.name}, which has no vectors")
    vectors = unit_rows(np.hstack(own).astype(np.float64))
    knowledge = any(WITH_KNOWLEDGE.items() <= part.facts.items() for part in parts)
    facts = {"of": [part.name for part in parts], **(WITH_KNOWLEDGE if knowledge else {})}
    write_matrix(workplace.folder, workplace.name, vectors=vectors, facts=facts)
    return {"dimensions": vectors.shape[1], "of": facts["of"]}
