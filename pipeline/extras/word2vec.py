"""skipgram, cbow: word2vec's two models without subwords, trained on our tokens."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Annotated

import numpy as np
from pydantic.dataclasses import dataclass

from pipeline.measures.family import Extra, MeasureJob
from pipeline.measures.fasttext import Fasttext, train
from pipeline.measures.svd import unit_rows
from pipeline.measures.training_text import read_text
from pipeline.mistakes import KNOWN_KEYS, Number, Whole, between
from pipeline.settings import Section
from pipeline.stage import Metrics
from wordkin.files import scratch_folder
from wordkin.measures.files import write_matrix


@dataclass(frozen=True, config=KNOWN_KEYS)
class Word2vec(Section):
    """word2vec's skip-gram and CBOW, without subwords."""

    KEY = "extras.word2vec"

    dimensions: Annotated[Whole, between(2, 2000)] = 300
    window: Annotated[Whole, between(1, 50)] = 5
    epochs: Annotated[Whole, between(1)] = 5
    learning_rate: Annotated[Number, between(0.0001, 1)] = 0.05
    minimum_count: Annotated[Whole, between(1)] = 5
    sampling: Annotated[Number, between(0.0000001, 1)] = 0.0001
    seed: Annotated[Whole, between(0)] = 0


def _make(is_cbow: bool, measure_job: MeasureJob) -> Metrics:
    given = measure_job.settings.section(Word2vec)
    settings = Fasttext(
        dimensions=given.dimensions,
        window=given.window,
        epochs=given.epochs,
        learning_rate=given.learning_rate,
        minimum_count=given.minimum_count,
        sampling=given.sampling,
        subwords=[0, 0],
        seed=given.seed,
    )
    with scratch_folder(measure_job.layout.matrices / f"{measure_job.name}.training") as folder:
        text = read_text(measure_job.layout, folder / "tokens.bin")
        trained = train(text, settings, is_cbow)
    vectors = trained.vectors(measure_job.vocabulary.words).astype(np.float64)
    facts = {"model": "cbow" if is_cbow else "skipgram", "settings": asdict(given)}
    write_matrix(measure_job.folder, measure_job.name, vectors=unit_rows(vectors), facts=facts)
    return {
        "documents": text.documents,
        "dimensions": given.dimensions,
        "words_not_trained": sum(word not in trained.words for word in measure_job.vocabulary),
    }


EXTRA = Extra(
    {"skipgram": partial(_make, False), "cbow": partial(_make, True)}, sections=(Word2vec,)
)
