"""Places of the corpus where words occur: up to k of each word, chosen by a hash of the place.

The hash makes the choice look random and yet the same every time: of all places of a word, the k
with the lowest hashes are taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipeline.count.codes import Coder, Counts
from pipeline.layout import Layout
from pipeline.words import token_shards

Places = NDArray[np.int64]


class Context(NamedTuple):
    """A word of the vocabulary among the words around it."""

    id: int
    words: tuple[str, ...]
    place: int
    """Where in `words` the word is."""


class _Chosen(NamedTuple):
    """Places in the corpus, ordered by word and then by hash."""

    ids: NDArray[np.int64]
    hashes: NDArray[np.uint64]
    places: Places

    def lowest(self, k: int) -> _Chosen:
        """The k places of each word with the lowest hashes."""
        order = np.lexsort((self.hashes, self.ids))
        ids = self.ids[order]
        starts = np.concatenate([[True], ids[1:] != ids[:-1]]) if len(ids) else np.zeros(0, bool)
        first = np.maximum.accumulate(np.where(starts, np.arange(len(ids)), 0))
        kept = order[np.arange(len(ids)) - first < k]
        return _Chosen(self.ids[kept], self.hashes[kept], self.places[kept])


def sample_contexts(layout: Layout, k: int, width: int, seed: int) -> list[Context]:
    """Up to k contexts of each word, of up to `width` words on either side, in text order."""
    coder = Coder(layout.vocabulary, Counts())
    chosen = _Chosen(np.empty(0, np.int64), np.empty(0, np.uint64), np.empty(0, np.int64))
    for start, batch in _numbered(layout):
        codes = coder.codes(batch)
        known = np.flatnonzero(codes >= 0)
        places = known + start
        more = _Chosen(codes[known].astype(np.int64), _hash(places, seed), places)
        merged = (np.concatenate(pair) for pair in zip(chosen, more, strict=True))
        chosen = _Chosen(*merged).lowest(k)
    by_place = np.argsort(chosen.places)
    ids, places = chosen.ids[by_place], chosen.places[by_place]
    contexts: list[Context] = []
    for start, batch in _numbered(layout):
        inside = slice(*np.searchsorted(places, [start, start + len(batch.tokens)]))
        contexts += _cut(batch, ids[inside], places[inside] - start, width)
    return contexts


def _numbered(layout: Layout) -> Iterator[tuple[int, token_shards.Batch]]:
    """All batches of tokens, each with the number of the tokens before it."""
    start = 0
    for path in token_shards.shard_files(layout.tokens):
        for batch in token_shards.batches(path):
            yield start, batch
            start += len(batch.tokens)


def _cut(batch: token_shards.Batch, ids: Places, places: Places, width: int) -> list[Context]:
    documents = np.searchsorted(batch.documents, places, side="right") - 1
    types = batch.types.to_pylist() if len(places) else []
    contexts = []
    for id_, place, document in zip(ids.tolist(), places.tolist(), documents.tolist(), strict=True):
        low = max(place - width, int(batch.documents[document]))
        high = min(place + width + 1, int(batch.documents[document + 1]))
        words = tuple(types[token] for token in batch.tokens[low:high].tolist())
        contexts.append(Context(id_, words, place - low))
    return contexts


def _hash(places: Places, seed: int) -> NDArray[np.uint64]:
    """A 64-bit hash of each number (SplitMix64)."""
    with np.errstate(over="ignore"):
        mixed = (places.astype(np.uint64) + np.uint64(seed + 1)) * np.uint64(0x9E3779B97F4A7C15)
        mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))
