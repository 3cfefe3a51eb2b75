"""skipgram, cbow: word2vec's two models without subwords, trained on our tokens."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial

import numpy as np

from pipeline.measures.family import Maker, Workplace
from pipeline.measures.fasttext import Fasttext, train
from pipeline.measures.svd import unit_rows
from pipeline.measures.training_text import read_text
from pipeline.stage import Metrics
from pipeline.vector_settings import Vectors
from wordkin.files import scratch_folder
from wordkin.measures.files import write_matrix


def _make(is_cbow: bool, workplace: Workplace) -> Metrics:
    given = workplace.settings.section(Vectors).word2vec
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
    with scratch_folder(workplace.layout.matrices / f"{workplace.name}.training") as folder:
        text = read_text(workplace.layout, folder / "tokens.bin")
        trained = train(text, settings, is_cbow)
    vectors = trained.vectors(workplace.vocabulary.words).astype(np.float64)
    facts = {"model": "cbow" if is_cbow else "skipgram", "settings": asdict(given)}
    write_matrix(workplace.folder, workplace.name, vectors=unit_rows(vectors), facts=facts)
    return {
        "documents": text.documents,
        "dimensions": given.dimensions,
        "words_not_trained": sum(word not in trained.words for word in workplace.vocabulary),
    }


make_skipgram: Maker = partial(_make, False)
make_cbow: Maker = partial(_make, True)
