"""Small corpora of made-up words, cut into tokens already, for tests of what is counted."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from pipeline.corpus import token_shards
from pipeline.layout import Layout
from wordkin.vocabulary import Vocabulary

WORDS = list("abcdefg")
STOP_WORDS = ["x", "y"]
Documents = list[list[list[str]]]
"""Documents of lines of words."""


def random_documents(seed: int, number: int = 60) -> Documents:
    random = np.random.default_rng(seed)
    letters = [*WORDS, *STOP_WORDS, "z"]
    return [
        [
            random.choice(letters, random.integers(1, 9)).tolist()
            for _ in range(random.integers(1, 5))
        ]
        for _ in range(number)
    ]


def write_source(layout: Layout, source: str, documents: Documents, number: int = 1) -> None:
    """The tokens of a source, in `number` parts."""
    for part in range(number):
        rows = [
            token_shards.Row(
                str(i), bytes(16), [w for line in d for w in line], [len(line) for line in d]
            )
            for i, d in enumerate(documents[part::number])
        ]
        token_shards.write_shard(layout.tokens / source / f"part-{part:05d}.parquet", rows)


def write_vocabulary(layout: Layout, words: list[str]) -> None:
    layout.vocabulary.mkdir(parents=True, exist_ok=True)
    numbers = [1] * len(words)
    Vocabulary(words, numbers, numbers).write(layout.vocabulary / "vocabulary.tsv")
    (layout.vocabulary / "stop_words.txt").write_text("".join(f"{w}\n" for w in STOP_WORDS))


def files(folder: Path) -> dict[str, bytes]:
    """What lies in a folder, by name."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
