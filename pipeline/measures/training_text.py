"""Tokens as a text to train vectors on: numbers of types, document by document.

The numbers are in a file, so that the memory grows with the number of distinct words alone.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipeline.layout import Layout
from pipeline.words import token_shards
from pipeline.words.lemmas import LemmaTable


class TrainingText(NamedTuple):
    """A text as numbers."""

    types: list[str]
    """The distinct words, in the order in which they first occur."""
    tokens: NDArray[np.int32]
    """The type of each token."""
    bounds: NDArray[np.int64]
    """The start of each document in `tokens`, then the end of the last one."""
    all_tokens: int
    """The tokens of the whole corpus, of which the text may be a sample."""

    @property
    def documents(self) -> int:
        return len(self.bounds) - 1


def read_text(layout: Layout, path: Path, most_tokens: int | None = None) -> TrainingText:
    """The tokens of a language, all or about `most_tokens` of them; their numbers go to `path`.

    Words are lemmas where the vocabulary has a table of them. If there are too many tokens, the
    documents are an even sample of all (`pipeline.words.token_shards.in_sample`).
    """
    lemmas = LemmaTable.of_vocabulary(layout.vocabulary)
    shards = token_shards.shard_files(layout.tokens)
    all_tokens = sum(map(token_shards.count_tokens, shards))
    share = min(1.0, most_tokens / max(all_tokens, 1)) if most_tokens else 1.0
    numbers: dict[str, int] = {}
    lengths = [np.zeros(1, np.int64)]
    with path.open("wb") as file:
        for shard in shards:
            chosen = token_shards.in_sample(shard, share)
            for batch in token_shards.batches(shard):
                types = lemmas.map(batch.types) if lemmas else batch.types
                sizes = np.diff(batch.documents)
                of_batch, chosen = chosen[: len(sizes)], chosen[len(sizes) :]
                sample = batch.tokens[np.repeat(of_batch, sizes)]
                occurring = np.unique(sample)
                number_of = np.zeros(len(types), np.int32)
                number_of[occurring] = [
                    numbers.setdefault(types[int(at)].as_py(), len(numbers)) for at in occurring
                ]
                file.write(number_of[sample].data)
                lengths.append(sizes[of_batch])
    bounds = np.cumsum(np.concatenate(lengths))
    # Opened for writing, though nobody writes: numba compiles anew for arrays that are read-only.
    tokens = np.memmap(path, np.int32, "r+") if bounds[-1] else np.empty(0, np.int32)
    return TrainingText(list(numbers), np.asarray(tokens), bounds, all_tokens)
