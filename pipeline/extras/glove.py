"""glove: GloVe vectors, trained on our counts (see `pipeline.extras.glove_training`)."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Annotated

import numpy as np
from pydantic.dataclasses import dataclass
from tqdm import trange

from pipeline.count.store import read_counts
from pipeline.extras.glove_training import schedule, start, train_epoch, word_vectors
from pipeline.measures.family import Extra, Workplace
from pipeline.measures.svd import unit_rows
from pipeline.mistakes import KNOWN_KEYS, Number, Whole, between
from pipeline.settings import Section
from pipeline.stage import Metrics
from wordkin.errors import InputError
from wordkin.measures.files import write_matrix


@dataclass(frozen=True, config=KNOWN_KEYS)
class Glove(Section):
    """GloVe, trained on our counts; the defaults are those of its authors."""

    KEY = "extras.glove"

    dimensions: Annotated[Whole, between(1, 2000)] = 100
    epochs: Annotated[Whole, between(1)] = 25
    learning_rate: Annotated[Number, between(0.0001, 1)] = 0.05
    maximum: Annotated[Number, between(0.001)] = 100.0
    exponent: Annotated[Number, between(0, 1)] = 0.75
    seed: Annotated[Whole, between(0)] = 0


def make(workplace: Workplace) -> Metrics:
    """Train vectors on the counts of the language."""
    settings = workplace.settings.section(Glove)
    counts = read_counts(workplace.layout.counts)
    pairs = schedule(counts, settings.maximum, settings.exponent, settings.seed)
    model = start(counts.words, settings.dimensions, settings.seed)
    costs = [
        train_epoch(model, pairs, settings.learning_rate)
        for _ in trange(settings.epochs, desc="glove", disable=not sys.stderr.isatty())
    ]
    if not np.isfinite(model.vectors).all():
        raise InputError(
            "GloVe's numbers grew without bound in training: lower extras.glove.learning_rate."
        )
    vectors = word_vectors(model).astype(np.float64)
    # A word without pairs was never changed: its vector is still the random start.
    lonely = counts.marginals() == 0
    vectors[lonely] = 0
    facts = {"settings": asdict(settings)}
    write_matrix(workplace.folder, workplace.name, vectors=unit_rows(vectors), facts=facts)
    return {
        "pairs": len(pairs.first),
        "dimensions": settings.dimensions,
        "words_without_vector": int(lonely.sum()),
        "first_cost": costs[0],
        "last_cost": costs[-1],
    }


EXTRA = Extra({"glove": make}, sections=(Glove,))
