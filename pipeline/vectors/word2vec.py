"""skipgram, cbow: word2vec's two models without subwords, trained by the fasttext library."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from typing import Literal

import numpy as np

from pipeline.relatedness.family import Maker, Workplace
from pipeline.relatedness.fasttext import train, write_documents
from pipeline.relatedness.svd import unit_rows
from pipeline.settings import Fasttext
from pipeline.stage import Metrics
from wordkin.files import scratch_folder
from wordkin.measures import write_measure


def _make(model: Literal["skipgram", "cbow"], workplace: Workplace) -> Metrics:
    given = workplace.settings.vectors.word2vec
    settings = Fasttext(
        dimensions=given.dimensions,
        window=given.window,
        epochs=given.epochs,
        learning_rate=given.learning_rate,
        minimum_count=given.minimum_count,
        sampling=given.sampling,
        subwords=[0, 0],
        threads=given.threads,
        seed=given.seed,
    )
    with scratch_folder(workplace.layout.matrices / f"{workplace.name}.training") as folder:
        text = write_documents(workplace.layout, folder / "tokens.txt")
        trained = train(folder / "tokens.txt", settings, model)
    known = set(trained.get_words())
    vectors = np.zeros((len(workplace.vocabulary), given.dimensions))
    for at, word in enumerate(workplace.vocabulary):
        if word in known:
            vectors[at] = trained.get_word_vector(word)
    facts = {"model": model, "settings": asdict(given)}
    arrays = {"vectors": unit_rows(vectors)}
    write_measure(workplace.folder, workplace.name, "vectors", arrays, facts)
    return {
        "documents": text.documents,
        "dimensions": given.dimensions,
        "words_not_trained": sum(word not in known for word in workplace.vocabulary),
    }


make_skipgram: Maker = partial(_make, "skipgram")
make_cbow: Maker = partial(_make, "cbow")
