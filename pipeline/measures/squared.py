"""npmi -> squared: S·Sᵀ with a zero diagonal, the sum over all two-step paths between two words.

S keeps, in the row of each word, its `neighbours` closest words by npmi, and those that are equally
close as the last of them; with `all`, S is npmi, as in the paper. S need not be symmetric: a word
may be among the closest of another and not the other way round. S·Sᵀ is symmetric anyway. Its rows
follow from those of S at once (`wordkin.measures.product`), so the stage only has to cut S.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
from pydantic.dataclasses import dataclass

from pipeline.layout import Layout
from pipeline.measures.sparse import read_sparse
from pipeline.measures.top_k import cut, describe_matrix, matrix_metrics
from pipeline.mistakes import KNOWN_KEYS, between
from pipeline.settings import Section, TopK
from pipeline.stage import Job, Metrics, Stage
from wordkin.measures.files import write_matrix


@dataclass(frozen=True, config=KNOWN_KEYS)
class Squared(Section):
    """All two-step paths over the closest words of each word."""

    KEY = "squared"

    neighbours: Annotated[TopK, between(1)] = 300


def run(job: Job) -> Metrics:
    """Make the measure `squared` of a language from its `npmi`."""
    return make_squared(job.layout, job.settings.section(Squared))


def make_squared(layout: Layout, settings: Squared) -> Metrics:
    """Read npmi, and write the pairs that S keeps in either row."""
    npmi = read_sparse(layout.measure("npmi"))
    stored, bounds = cut(npmi, settings.neighbours)
    # A word without a bound keeps all of its pairs, which are above 0.
    least = np.where(np.isinf(bounds), np.float32(0), bounds)
    write_matrix(
        layout.measure("squared"),
        "squared",
        stored.arrays,
        more={"least": least},
        facts={"neighbours": settings.neighbours},
        kind="product",
    )
    return matrix_metrics(stored, npmi.pairs)


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    return f"npmi of {metrics['words']:,} words in, {describe_matrix(metrics)}"


STAGE = Stage(
    "squared",
    run,
    describe,
    reads=("npmi",),
    writes=("squared",),
    section=Squared,
    memory=lambda sizes, settings: 2 * sizes.npmi,
)
