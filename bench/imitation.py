"""Bundles of any size that imitate a real one: only sizes and shapes matter, and close words.

Words are added to a light bundle. Each copies the numbers of a word at random, with noise, so
that a clue has as many close candidates as in a real vocabulary of that size.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pipeline.measures.compact import Encoded
from pipeline.measures.quantization import Levels
from pipeline.measures.tiling import PairList
from wordkin.arrays import Floats, Ids
from wordkin.bundle import Bundle, write_bundle
from wordkin.measures.codes import Codes, Packed
from wordkin.measures.compact import CompactMeasure
from wordkin.measures.store import write_measure
from wordkin.measures.tiles import PairBits
from wordkin.vocabulary import Vocabulary

PARTS = {"svd": (300, 0), "graph": (128, 50), "fasttext": (300, 0)}
"""The numbers and the stored pairs per word of each part of the blend in the compact store."""
ESTIMATE = (352, 188)
"""The same for the estimate of the whole blend, in both stores."""
NOISE = 0.3
"""The length of the noise, as a share of that of a word's numbers."""


def imitate(bundle: Bundle, words: int, folder: Path) -> dict[str, Path]:
    """Write a compact and a light bundle with so many words, and return them by their store."""
    measure, generator = bundle.measure(None), np.random.default_rng(0)
    if not isinstance(measure, CompactMeasure):
        raise SystemExit("Only a light bundle can be imitated.")
    known = len(bundle.vocabulary)
    copied = np.concatenate([np.arange(known), generator.integers(0, known, words - known)])
    _imitate_words(bundle.vocabulary, copied, folder / "vocabulary.tsv")
    numbers = measure.codes.numbers() * np.sqrt(np.abs(measure.codes.weights))
    written = {}
    for name, (directions, nearest) in {**PARTS, "light": ESTIMATE}.items():
        width = numbers.shape[1]
        rotation = np.linalg.qr(generator.standard_normal((max(directions, width), width)))[0]
        values = (numbers @ rotation[:directions].T.astype(np.float32))[copied]
        noise = generator.standard_normal(values.shape, dtype=np.float32)
        lengths = np.linalg.norm(values, axis=1, keepdims=True)
        values += noise * lengths * np.float32(NOISE / directions**0.5)
        if not nearest:
            values /= np.linalg.norm(values, axis=1, keepdims=True)
        written[name] = _write(folder / name, values, nearest, generator)
    parts = [
        {"measure": name, "weight": weight, "mean": 0.0, "deviation": deviation}
        for name, weight, deviation in (("svd", 2, 0.1), ("graph", 1, 0.6), ("fasttext", 1, 0.1))
    ]
    light = written["light"]
    facts = {**light.facts, "parts": parts, "words": words}
    write_measure(folder / "blend", "blend", "blend", light.arrays, facts)
    stores = {"compact": {name: folder / name for name in (*PARTS, "blend")}}
    stores["light"] = {"light": folder / "light"}
    for store, measures in stores.items():
        write_bundle(
            folder / "bundles" / store,
            language=bundle.language,
            vocabulary=folder / "vocabulary.tsv",
            measures=measures,
            default=list(measures)[-1],
            facts={"familiarity": bundle.familiarity_limit},
        )
    return {store: folder / "bundles" / store for store in stores}


def _imitate_words(vocabulary: Vocabulary, copied: Ids, path: Path) -> None:
    added = [f"{vocabulary.words[at]}{_letters(new)}" for new, at in enumerate(copied.tolist())]
    words = [*vocabulary.words, *added[len(vocabulary) :]]
    counts, documents = (
        np.minimum.accumulate(array[copied]) for array in (vocabulary.counts, vocabulary.documents)
    )
    familiarity = vocabulary.familiarity
    familiar = None if familiarity is None else familiarity[copied]
    Vocabulary(words, counts, documents, familiar).write(path)


def _letters(number: int) -> str:
    return "".join(chr(ord("a") + int(digit)) for digit in f"{number:05}")


def _write(folder: Path, values: Floats, nearest: int, generator: np.random.Generator) -> Encoded:
    """Write a compact measure with the products of the values."""
    words, directions = values.shape
    scales = np.maximum(np.abs(values).max(axis=1), 1e-9).astype(np.float32) / 127
    numbers = np.rint(values / scales[:, None]).astype(np.int8)
    encoded = Encoded.of(Codes(Packed(numbers, 8), scales, np.ones(directions, dtype=np.float32)))
    if nearest:
        first = np.repeat(np.arange(words), nearest)
        second = (first + generator.integers(1, words, len(first))) % words
        keys = np.unique(np.maximum(first, second) * words + np.minimum(first, second))
        later, earlier = (ids.astype(np.int32) for ids in np.divmod(keys, words))
        some = np.array([-0.5, 0.5, 1, 2], np.float32) * values.std()
        levels = Levels(0, some, some)
        pairs = PairList(later, earlier, generator.choice(some, len(keys)))
        encoded = encoded.with_pairs(words, pairs, levels, PairBits(2, 2))
    write_measure(folder, folder.name, "compact", encoded.arrays, encoded.facts)
    return encoded
