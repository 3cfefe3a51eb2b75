"""Small corpora of made-up words, already cut into tokens, for tests of counting."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from pipeline.layout import Layout
from pipeline.words import token_shards
from pipeline.words.type_counts import WordStatistics
from wordkin.vocabulary import Vocabulary

WORDS = list("abcdefg")
STOP_WORDS = ["x", "y"]
Documents = list[list[list[str]]]
"""Documents, each a list of lines, each a list of words."""


def random_documents(seed: int, number: int = 60) -> Documents:
    """Documents of random words: those of the vocabulary, stop words, and one outside both."""
    random = np.random.default_rng(seed)
    letters = [*WORDS, *STOP_WORDS, "z"]
    return [
        [
            random.choice(letters, random.integers(1, 9)).tolist()
            for _ in range(random.integers(1, 5))
        ]
        for _ in range(number)
    ]


def write_source(layout: Layout, source: str, documents: Documents, shards: int = 1) -> None:
    """Write the tokens of a source, in this number of shards."""
    for shard in range(shards):
        rows = [
            token_shards.Row(
                document=str(number),
                digest=bytes(16),
                tokens=[word for line in document for word in line],
                lines=[len(line) for line in document],
            )
            for number, document in enumerate(documents[shard::shards])
        ]
        token_shards.write_shard(layout.tokens / source / f"part-{shard:05d}.parquet", rows)


def write_vocabulary(layout: Layout, words: list[str]) -> None:
    """Write a vocabulary in which each word has the count 1, and the stop words."""
    layout.vocabulary.mkdir(parents=True, exist_ok=True)
    ones = [1] * len(words)
    Vocabulary(words, ones, ones).write(layout.vocabulary / "vocabulary.tsv")
    (layout.vocabulary / "stop_words.txt").write_text("".join(f"{w}\n" for w in STOP_WORDS))


def files(folder: Path) -> dict[str, bytes]:
    """The contents of all files in a folder, by their relative names."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def word_statistics(words: Sequence[str], columns: Mapping[str, Sequence[int]]) -> WordStatistics:
    """Statistics from columns of numbers; one that is not there is 0 for every word."""
    zeros = [0] * len(words)
    numbers = (columns.get(name, zeros) for name in WordStatistics._fields[1:])
    return WordStatistics(list(words), *(np.array(column, np.int64) for column in numbers))
