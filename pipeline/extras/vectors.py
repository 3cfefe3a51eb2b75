"""The stage vectors: measures that are cosines of vectors, made here or brought from elsewhere.

    tokens, counts, svd, fasttext, ... ──vectors──▶ matrices/<lang>/vectors/<measure>

A new measure is one module with a maker (see `pipeline.measures.family`), one line in `MAKERS`,
and its name in `VectorMeasureName` of `pipeline.vector_settings`.
"""

from __future__ import annotations

from pipeline.extras import (
    concat,
    dict2vec,
    encoder,
    factored,
    glove,
    imported,
    lemma_npmi,
    word2vec,
)
from pipeline.measures import translated
from pipeline.measures.family import Maker, describe_family, make_family
from pipeline.memory import Sizes
from pipeline.settings import Settings
from pipeline.stage import Job, Metrics, Stage
from pipeline.vector_settings import TRANSLATED, Vectors

MAKERS: dict[str, Maker] = {
    "glove": glove.make,
    "skipgram": word2vec.make_skipgram,
    "cbow": word2vec.make_cbow,
    "lemma_npmi": lemma_npmi.make,
    "lemma_svd": factored.make_lemma_svd,
    "ppmi_svd": factored.make_ppmi_svd,
    "dict2vec": dict2vec.make,
    "concat": concat.make,
}
"""The makers by the name of the measure, parts before what is made of them."""


def run(job: Job) -> Metrics:
    """Make the vector measures that the settings ask for."""
    settings, language = job.settings.section(Vectors), job.layout.language
    brought: dict[str, Maker] = {
        **{declaration.name: imported.make for declaration in settings.imported.get(language, [])},
        **{entry.name: encoder.make for entry in settings.encoders.get(language, [])},
        **({TRANSLATED: translated.make} if settings.translations.get(language) else {}),
    }
    return make_family(job, {**brought, **MAKERS}, [*brought, *settings.measures])


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    return describe_family(metrics)


def memory(sizes: Sizes, settings: Settings) -> float:
    """The counts, or a matrix of them and the directions that are searched."""
    if not settings.section(Vectors).measures:
        return 0.0
    return 40.0 * sizes.counted + 96.0 * sizes.words * 600


STAGE = Stage(
    "vectors",
    run,
    describe,
    reads=("resource_downloads", "resources", "tokens", "vocabulary", "counts", "svd", "fasttext"),
    writes=("vectors",),
    section=Vectors,
    memory=memory,
)
