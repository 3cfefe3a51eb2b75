"""A small made-up language: words belong to topics, and words that share a topic are related."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

import wordkin
from tests.support.matrices import sparse
from wordkin.bundle import Bundle
from wordkin.bundle_folder import write_bundle
from wordkin.measures.files import write_matrix
from wordkin.measures.learned import LearnedMeasure, untrained, write_learned
from wordkin.vocabulary import Vocabulary

TOPICS = {
    "music": "piano keyboard violin flute orchestra melody song singer drum guitar note",
    "computer": "mouse keyboard screen server disk cable program printer button",
    "animal": "mouse bison horse cat dog lion cow sheep trunk elephant",
    "forest": "tree branch leaf trunk oak bison hunter wood",
    "sea": "ship sailor harbor wave island whale shark port anchor",
    "food": "bread cheese apple soup kitchen salt plate spoon pepper",
    "health": "nurse nursing doctor hospital pill bandage clinic",
    "ice": "antarctic antarctica penguin snow iceberg glacier",
    "city": "street tower bridge square station hotel bank market",
    "school": "teacher pupil lesson desk board note pencil book",
}
HUNGARIAN_TOPICS = {
    "zene": "zongora billentyűzet hegedű fuvola dallam dal énekes dob gitár",
    "gép": "egér billentyűzet képernyő kábel program nyomtató gomb",
    "állat": "egér bölény ló macska kutya oroszlán tehén birka",
    "udvar": "király királynő herceg korona trón palota lovag",
    "játék": "szerencse szerencsés kocka kártya nyeremény lottó",
    "konyha": "leves levegő kanál tányér só bors kenyér sajt",
    "tenger": "hajó hullám sziget kikötő matróz cápa",
}
LEMMAS = {"nursing": "nurse", "szerencsés": "szerencsés"}


def relatedness(topics: dict[str, str]) -> tuple[list[str], NDArray[np.float32]]:
    """The words of the topics, and a symmetric matrix: high for shared topics, plus noise."""
    words = list(dict.fromkeys(word for line in topics.values() for word in line.split()))
    member = np.array([[word in line.split() for line in topics.values()] for word in words])
    shared = (member.astype(np.float32) @ member.T.astype(np.float32)) > 0
    noise = np.random.default_rng(7).random((len(words), len(words)), dtype=np.float32)
    values = np.where(shared, 0.5 + 0.3 * noise, 0.15 * noise).astype(np.float32)
    values = np.triu(values, 1)
    return words, values + values.T


def make_measures(folder: Path, values: NDArray[np.float32]) -> dict[str, Path]:
    """Write the same relatedness as close pairs, as all pairs and as vectors."""
    write_matrix(
        folder / "npmi",
        "npmi",
        sparse(np.where(values > 0.1, values, 0)).arrays,
        more={"marginals": np.arange(len(values), 0, -1, dtype=np.int64) * 1000},
        facts={
            "top": "all",
            "total": 500 * len(values) * (len(values) + 1),
            "scale": 1,
            "smoothing": 1,
        },
    )
    write_matrix(folder / "graph", "graph", sparse(values).arrays)
    left, singular, _ = np.linalg.svd(values + np.eye(len(values), dtype=np.float32))
    vectors = left[:, :16] * singular[:16]
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    write_matrix(folder / "svd", "svd", vectors=vectors.astype(np.float32))
    return {name: folder / name for name in ("npmi", "graph", "svd")}


def make_bundle(
    folder: Path,
    language: str = "en",
    familiarity: Mapping[str, float] | None = None,
    more: Mapping[str, NDArray[np.float32]] | None = None,
) -> Path:
    """Write a bundle of the made-up language below `folder` and return its folder.

    With `familiarity`, words have it; those that are not named are fully familiar. Clues then need
    at least 0.85. `more` are matrices of more measures.
    """
    words, values = relatedness(TOPICS if language == "en" else HUNGARIAN_TOPICS)
    folder.mkdir(parents=True, exist_ok=True)
    counts = range(10 * len(words), 0, -10)
    scores = None if familiarity is None else [familiarity.get(word, 1.0) for word in words]
    documents = [count // 2 for count in counts]
    Vocabulary(words, counts, documents, scores).write(folder / "vocabulary.tsv")
    added = {name: folder / name for name in more or {}}
    for name, matrix in (more or {}).items():
        write_matrix(folder / name, name, sparse(matrix).arrays)
    write_bundle(
        folder / "bundle",
        language=language,
        vocabulary=folder / "vocabulary.tsv",
        measures={**make_measures(folder, values), **added},
        default="graph",
        lemmas=[LEMMAS.get(word, word) for word in words],
        facts={
            "parameters": {"counts": {"window": 10}},
            "sources": [{"name": "tales", "licence": "CC0", "tokens": 12345}],
            "tokens": 12345,
            "documents": 5 * len(words),
            "evaluation": {"MEN": {"npmi": {"spearman": 0.7}}},
            **({} if familiarity is None else {"familiarity": 0.85}),
            # Players who know the topics: their chances leave little doubt.
            "guesser": {
                name: {"temperature": 0.12, "from": "rounds"} for name in ("npmi", "graph", "svd")
            },
        },
    )
    return folder / "bundle"


WEIGHTS = np.array([1.5, 0.0, 0.8, 0.5, -0.4, 0.0, 0.3])


def make_learned_bundle(folder: Path) -> Bundle:
    """A bundle whose default measure is `human`, with the weights of `WEIGHTS`."""
    plain = wordkin.load(make_bundle(folder))
    learned = untrained("human", list(plain.measures.values())).with_weights(WEIGHTS)
    write_learned(folder / "human", learned, {"rounds": 3})
    write_bundle(
        folder / "with",
        language="en",
        vocabulary=folder / "vocabulary.tsv",
        measures={name: folder / name for name in (*plain.measures, "human")},
        default="human",
    )
    return wordkin.load(folder / "with")


def human(bundle: Bundle) -> LearnedMeasure:
    """The learned measure of the bundle."""
    measure = bundle.measures["human"]
    assert isinstance(measure, LearnedMeasure)
    return measure
