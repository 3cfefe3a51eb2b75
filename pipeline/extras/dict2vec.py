"""dict2vec: Dict2Vec, trained on our tokens with strong and weak pairs from definitions."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np

from pipeline.count.codes import Coder, Counts
from pipeline.extras.definitions import Definitions, read_definitions
from pipeline.extras.dict2vec_training import POWER, Weights, start, train
from pipeline.extras.dictionary_pairs import find_pairs
from pipeline.fetched import read_resource
from pipeline.languages import language
from pipeline.measures.family import WITH_KNOWLEDGE, Skipped, Workplace
from pipeline.measures.negative_sampling import keep_chances, negative_table
from pipeline.measures.svd import unit_rows
from pipeline.stage import Metrics
from pipeline.vector_settings import Vectors
from pipeline.words import token_shards
from wordkin.measures.files import write_matrix
from wordkin.words import normal


def definitions_of(workplace: Workplace) -> Definitions:
    """The definitions of the language's dictionaries; `Skipped` if it has none."""
    code = workplace.layout.language
    declared = workplace.settings.section(Vectors).dictionaries.get(code, [])
    if not declared:
        raise Skipped(f"vectors.dictionaries names no dictionary of '{code}'")
    files = []
    for dictionary in declared:
        resource = read_resource(workplace.layout, dictionary.name)
        if resource.skipped:
            raise Skipped(resource.skipped)
        files += resource.files
    return read_definitions(files, lambda word: normal(word, code))


def make(workplace: Workplace) -> Metrics:
    """Train vectors on the tokens and the definitions of the language."""
    settings, layout = workplace.settings.section(Vectors).dict2vec, workplace.layout
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
