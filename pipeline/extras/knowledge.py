"""The stage knowledge: measures from dictionaries, word nets and language graphs.

    vocabulary, corpora/<lang>/resources ──knowledge──▶ matrices/<lang>/knowledge/<measure>

A new measure is one module with a maker (see `pipeline.measures.family`), one line in `makers`,
and its name in `KnowledgeMeasureName` of `pipeline.knowledge_settings`.
"""

from __future__ import annotations

from pipeline.extras.language_graph import make_language_graph
from pipeline.extras.wordnet import WordNetMakers
from pipeline.knowledge_settings import Knowledge
from pipeline.measures.family import Maker, describe_family, make_family
from pipeline.stage import Job, Metrics, Stage


def makers() -> dict[str, Maker]:
    """The makers by the name of the measure, parts before what is made of them."""
    return {
        **WordNetMakers().makers(),
        "language-graph": make_language_graph,
    }


def run(job: Job) -> Metrics:
    """Make the knowledge measures that the settings ask for."""
    return make_family(job, makers(), job.settings.section(Knowledge).measures)


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    return describe_family(metrics)


STAGE = Stage(
    "knowledge",
    run,
    describe,
    reads=("resource_downloads", "resources", "vocabulary"),
    writes=("knowledge",),
    section=Knowledge,
    memory=lambda sizes, settings: 300 * 2.0**20 if settings.section(Knowledge).measures else 0,
)
