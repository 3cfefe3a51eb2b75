"""Vectors that others have trained, cut to our vocabulary; `vectors.imported` names the files."""

from __future__ import annotations

import numpy as np

from pipeline.extras.vector_files import select
from pipeline.fetched import read_resource
from pipeline.measures.family import WITH_KNOWLEDGE, Skipped, Workplace
from pipeline.measures.svd import unit_rows
from pipeline.stage import Metrics
from wordkin.measures.files import write_matrix
from wordkin.words import normal


def make(workplace: Workplace) -> Metrics:
    """Make a measure from declared files of the measure's name."""
    resource = read_resource(workplace.layout, workplace.name)
    if resource.skipped:
        raise Skipped(resource.skipped)
    language = workplace.layout.language
    selected = select(
        resource.files, workplace.vocabulary.words, lambda word: normal(word, language)
    )
    vectors = unit_rows(selected.vectors.astype(np.float64))
    facts = {"licence": resource.licence, **WITH_KNOWLEDGE}
    write_matrix(workplace.folder, workplace.name, vectors=vectors, facts=facts)
    return {
        "dimensions": vectors.shape[1],
        "vectors_read": selected.entries,
        "words_without_vector": int((~vectors.any(axis=1)).sum()),
    }
