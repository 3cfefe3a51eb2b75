"""The stage vectors: measures that are cosines of vectors, made here or brought from elsewhere.

    tokens, counts, svd, fasttext, ... ──vectors──▶ matrices/<lang>/vectors/<measure>

A new measure is one module with a maker (see `pipeline.relatedness.family`), one line in `MAKERS`,
and its name in `VectorMeasureName` of `pipeline.settings`.
"""

from __future__ import annotations

from pipeline.relatedness.family import Maker, describe_family, make_family
from pipeline.stage import Job, Metrics
from pipeline.vectors import concat

MAKERS: dict[str, Maker] = {
    "concat": concat.make,
}
"""The makers by the name of the measure, parts before what is made of them."""


def run(job: Job) -> Metrics:
    """Make the vector measures that the settings ask for."""
    return make_family(job, MAKERS, job.settings.vectors.measures)


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    return describe_family(metrics)
