"""Definitions, words that define each other, and Dict2Vec's kernel against a plain loop."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from pipeline.extras.definitions import read_definitions
from pipeline.extras.dict2vec import (
    POWER,
    DictionaryPairs,
    Model,
    Weights,
    find_pairs,
    start,
    train,
)
from pipeline.measures import negative_sampling
from pipeline.measures.negative_sampling import keep_chances, negative_table
from tests.support.plain_random import PlainRandom
from tests.support.word_nets import write_database
from wordkin.errors import InputError

WORDNET = """  1 This is a licence.
00001740 03 n 02 car 0 motor_car 0 000 | a vehicle with four wheels; "he needs a car"
00002000 03 n 01 vehicle(p) 0 000 | a car or another thing that carries people
"""


def test_glosses_texts_and_lines_are_definitions(tmp_path: Path) -> None:
    (tmp_path / "data.noun").write_text(WORDNET)
    entry = {"pos": [{"etymology": "[Old.]", "definitions": [{"text": "A wheeled thing."}]}]}
    (tmp_path / "words.json").write_text(json.dumps({"Car": entry, "bus": ["a long car"]}))
    (tmp_path / "own.tsv").write_text("wheel\tround part of a car\n")
    paths = [tmp_path / name for name in ("data.noun", "words.json", "own.tsv")]
    assert read_definitions(paths, str.lower) == {
        "car": ["a vehicle with four wheels", "A wheeled thing."],
        "vehicle": ["a car or another thing that carries people"],
        "bus": ["a long car"],
        "wheel": ["round part of a car"],
    }


def test_of_a_whole_word_net_the_most_frequent_sense_is_first(tmp_path: Path) -> None:
    files = write_database(tmp_path / "net")
    noun = tmp_path / "net" / "data.noun"
    lines = noun.read_text().splitlines()
    # The file has the animal first, and the other sense is made the more frequent one.
    texts = {"00000004": 'an animal; "a cat"', "00000006": "a man"}
    noun.write_text(
        "".join(
            f"{line.partition(' | ')[0]} | {texts.get(line[:8], 'a thing')}\n" for line in lines
        )
    )
    assert read_definitions(files)["cat"] == ["an animal", "a man"]
    senses = tmp_path / "net" / "index.sense"
    senses.write_text(senses.read_text().replace("00000006 1 1", "00000006 1 9"))
    (tmp_path / "own.tsv").write_text("cat\tmiaows\n")
    definitions = read_definitions([*files, tmp_path / "own.tsv"])
    assert definitions["cat"] == ["a man", "an animal", "miaows"]
    assert definitions["race"] == ["what it means; more"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("data.noun", "no wordnet\n"), ("a.json", "{"), ("a.json", "[1]"), ("a.json", "{}"),
        ("a.tsv", "word\n"), ("a.pdf", "x"),
    ],
)  # fmt: skip
def test_a_bad_dictionary_is_refused(name: str, content: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(InputError, match=name):
        read_definitions([tmp_path / name])


def test_pairs_are_strong_if_each_word_defines_the_other() -> None:
    words = ["car", "cars", "vehicle", "wheel", "road"]
    definitions = {
        "car": ["a vehicle with a wheel", "made for a road"],
        "vehicle": ["a car or the like"],
        "wheel": ["round"],
    }
    headwords = ["car", "car", "vehicle", "wheel", "road"]
    pairs = find_pairs(words, definitions, str.split, headwords)
    assert [pairs.strong.of(at) for at in range(5)] == [[2], [], [0], [], []]
    # The plural has the definitions of its lemma, and nobody defines anything by it.
    assert [pairs.weak.of(at) for at in range(5)] == [[3, 4], [2, 3, 4], [1], [0, 1], [0, 1]]


def plain_train(
    model: Model, documents: list[list[int]], pairs: DictionaryPairs, chances: np.ndarray,
    table: np.ndarray, weights: Weights, rates: tuple[float, float],
) -> tuple[np.ndarray, np.ndarray]:  # fmt: skip
    random = PlainRandom(int(model.state[0]))
    words, contexts = model.words.astype(float), model.contexts.astype(float)
    total, before = sum(map(len, documents)), 0
    for document in documents:
        kept = [c for c in document if c >= 0 and random.share() < chances[c]]
        rate = rates[0] + (rates[1] - rates[0]) * before / total
        before += len(document)
        for at, word in enumerate(kept):
            reach = 1 + random.below(weights.window)
            near = [n for n in range(at - reach, at + reach + 1) if 0 <= n < len(kept) and n != at]
            for place in near:
                pulls = [(kept[place], 1, 1.0)]
                strong, weak = pairs.strong.of(word), pairs.weak.of(word)
                for _ in range(weights.negatives):
                    other = int(table[random.below(len(table))])
                    if other not in {word, kept[place], *strong, *weak}:
                        pulls.append((other, 0, 1.0))
                for draws, partners, weight in (
                    (weights.strong_draws, strong, weights.strong),
                    (weights.weak_draws, weak, weights.weak),
                ):
                    for _ in range(draws if partners else 0):
                        pulls.append((partners[random.below(len(partners))], 1, weight))
                gradient = np.zeros(words.shape[1])
                for other, label, weight in pulls:
                    chance = 1 / (1 + math.exp(-words[word] @ contexts[other]))
                    step = rate * weight * (label - chance)
                    gradient += step * contexts[other]
                    contexts[other] += step * words[word]
                words[word] += gradient
    return words, contexts


def test_the_kernel_is_the_plain_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(negative_sampling, "TABLE", 64)
    rng = np.random.default_rng(1)
    names = [f"w{at}" for at in range(9)]
    definitions = {name: [" ".join(rng.choice(names, 3))] for name in names[:6]}
    pairs = find_pairs(names, definitions, str.split, names)
    documents = [rng.integers(-2, 9, size).tolist() for size in (12, 0, 7, 20)]
    counts = np.arange(20, 2, -2)
    chances, table = keep_chances(counts, int(counts.sum()), 0.05), negative_table(counts, POWER)
    weights = Weights(3, 4, 2, 3, 0.8, 0.45)
    model = start(9, 6, seed=3)
    model.contexts[:] = rng.standard_normal((9, 6)) / 3
    words, contexts = plain_train(model, documents, pairs, chances, table, weights, (0.3, 0.1))
    codes = np.array([code for document in documents for code in document], np.int32)
    bounds = np.cumsum([0, *map(len, documents)]).astype(np.int64)
    train(model, codes, bounds, pairs, chances, table, weights, 0.3, 0.1)
    np.testing.assert_allclose(model.words, words, rtol=1e-3, atol=1e-5)
    np.testing.assert_allclose(model.contexts, contexts, rtol=1e-3, atol=1e-5)
