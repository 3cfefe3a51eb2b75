"""dict2vec: Dict2Vec, trained on our tokens with strong and weak pairs from definitions."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

import numpy as np
from pydantic.dataclasses import dataclass

from pipeline.count.codes import Coder, Counts
from pipeline.extras.definitions import Dictionaries, definitions_of
from pipeline.extras.dict2vec_training import POWER, Weights, start, train
from pipeline.extras.dictionary_pairs import find_pairs
from pipeline.languages import language
from pipeline.measures.family import WITH_KNOWLEDGE, Extra, Workplace
from pipeline.measures.negative_sampling import keep_chances, negative_table
from pipeline.measures.svd import unit_rows
from pipeline.mistakes import KNOWN_KEYS, Number, Whole, between
from pipeline.settings import Section
from pipeline.stage import Metrics
from pipeline.words import token_shards
from wordkin.measures.files import write_matrix


@dataclass(frozen=True, config=KNOWN_KEYS)
class Dict2vec(Section):
    """Dict2Vec; the weights and draws are those of its authors."""

    KEY = "extras.dict2vec"

    dimensions: Annotated[Whole, between(2, 2000)] = 200
    window: Annotated[Whole, between(1, 50)] = 5
    epochs: Annotated[Whole, between(1)] = 1
    learning_rate: Annotated[Number, between(0.0001, 1)] = 0.025
    sampling: Annotated[Number, between(0.0000001, 1)] = 0.0001
    negatives: Annotated[Whole, between(1, 100)] = 5
    strong_draws: Annotated[Whole, between(0, 100)] = 4
    weak_draws: Annotated[Whole, between(0, 100)] = 5
    strong_weight: Annotated[Number, between(0, 10)] = 0.8
    weak_weight: Annotated[Number, between(0, 10)] = 0.45
    seed: Annotated[Whole, between(0)] = 0


def make(workplace: Workplace) -> Metrics:
    """Train vectors on the tokens and the definitions of the language."""
    settings, layout = workplace.settings.section(Dict2vec), workplace.layout
    rules, vocabulary = language(layout.language), workplace.vocabulary
    stop_words = rules.stop_words()

    def words_of(text: str) -> list[str]:
        words = (word for word in rules.words(text) if word not in stop_words)
        return rules.lemmas(words) if workplace.language.lemmatize else list(words)

    headwords = rules.lemmas(vocabulary.words)
    definitions = definitions_of(workplace)
    pairs = find_pairs(vocabulary.words, definitions, words_of, headwords)
    counts = np.asarray(vocabulary.counts, np.int64)
    chances = keep_chances(counts, int(counts.sum()), settings.sampling)
    table = negative_table(counts, POWER)
    weights = Weights(
        settings.window, settings.negatives, settings.strong_draws, settings.weak_draws,
        settings.strong_weight, settings.weak_weight,
    )  # fmt: skip
    model = start(len(vocabulary), settings.dimensions, settings.seed)
    coder = Coder(layout.vocabulary, Counts())
    shards = token_shards.shard_files(layout.tokens)
    total = settings.epochs * sum(token_shards.count_tokens(path) for path in shards)
    done = 0
    for _ in range(settings.epochs):
        for path in shards:
            for batch in token_shards.batches(path):
                codes = coder.codes(batch)
                rates = [
                    settings.learning_rate * max(1 - at / max(total, 1), 0.0001)
                    for at in (done, done + len(codes))
                ]
                train(model, codes, batch.documents, pairs, chances, table, weights, *rates)
                done += len(codes)
    vectors = unit_rows(model.words.astype(np.float64))
    facts = {"settings": asdict(settings), **WITH_KNOWLEDGE}
    write_matrix(workplace.folder, workplace.name, vectors=vectors, facts=facts)
    return {
        "dimensions": settings.dimensions,
        "defined_words": sum(
            word in definitions or headword in definitions
            for word, headword in zip(vocabulary.words, headwords, strict=True)
        ),
        "strong_pairs": len(pairs.strong.partners) // 2,
        "weak_pairs": len(pairs.weak.partners) // 2,
    }


EXTRA = Extra({"dict2vec": make}, sections=(Dict2vec, Dictionaries))
