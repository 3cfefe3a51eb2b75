"""Measures of resolved words: the weighted mean over the known words that they stand for.

A known word keeps the values of its measure, to the bit. A measure has the value 0 for a word and
itself, because a word does not pair with itself. That is wrong between an unknown word and a known
one that it stands for, which are as close as any two words: there, the value is the largest one of
the known word's row. Only phrases keep the plain mean of their words.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from wordkin.arrays import Floats, Ids
from wordkin.measures import Measure
from wordkin.resolving.parts import split
from wordkin.resolving.resolution import Resolution


def resolved_rows(measure: Measure, resolutions: Sequence[Resolution]) -> Floats:
    """Relatedness of resolved words to all words of the vocabulary, one row per word."""
    vocabulary = measure.vocabulary
    ids = [vocabulary.ids_of(entry.word for entry in item.words) for item in resolutions]
    rows = measure.rows(np.concatenate(ids)) if ids else _no_rows(measure)
    if all(item.known for item in resolutions):
        return rows
    means, start = [], 0
    for item, own in zip(resolutions, ids, strict=True):
        block = rows[start : start + len(own)]
        start += len(own)
        means.append(block[0] if item.known else _weighted_row(block, own, item))
    return np.stack(means)


def _no_rows(measure: Measure) -> Floats:
    return np.zeros((0, len(measure.vocabulary)), dtype=np.float32)


def _weighted_row(block: Floats, ids: Ids, item: Resolution) -> Floats:
    """The weighted mean of the rows of the words that an unknown one stands for."""
    block = block.copy()
    if not _is_phrase(item):
        block[np.arange(len(ids)), ids] = block.max(axis=1)
    weights = np.array([entry.weight for entry in item.words], dtype=np.float32)
    return np.einsum("i,ij->j", weights, block)


def resolved_pairs(
    measure: Measure, first: Resolution, others: Sequence[Resolution]
) -> NDArray[np.float64]:
    """Relatedness of one resolved word to several."""
    ids_of = measure.vocabulary.ids_of
    first_ids = ids_of(entry.word for entry in first.words)
    first_weights = np.array([entry.weight for entry in first.words])
    other_ids = [ids_of(entry.word for entry in other.words) for other in others]
    if not other_ids:
        return np.zeros(0)
    b = np.concatenate([np.tile(ids, len(first_ids)) for ids in other_ids])
    a = np.concatenate([np.repeat(first_ids, len(ids)) for ids in other_ids])
    values = measure.pairs(a, b).astype(np.float64)
    means, start = np.zeros(len(others)), 0
    for at, (other, ids) in enumerate(zip(others, other_ids, strict=True)):
        block = values[start : start + len(first_ids) * len(ids)].reshape(len(first_ids), len(ids))
        start += block.size
        if any(not item.known and not _is_phrase(item) for item in (first, other)):
            for row, column in np.argwhere(first_ids[:, None] == ids[None, :]).tolist():
                block[row, column] = measure.rows([int(ids[column])]).max()
        weights = np.array([entry.weight for entry in other.words])
        means[at] = first_weights @ block @ weights
    return means


def resolved_columns(
    measure: Measure, resolutions: Sequence[Resolution], ids: Sequence[int]
) -> Floats:
    """Relatedness of resolved words to a few words of the vocabulary, by their ids.

    The same as those columns of `resolved_rows`, without the rest of the rows.
    """
    words = np.asarray(ids, dtype=np.int64)
    ids_of = measure.vocabulary.ids_of
    columns = np.empty((len(resolutions), len(words)), dtype=np.float32)
    own = [ids_of(entry.word for entry in item.words) for item in resolutions]
    entries = np.concatenate(own) if own else words[:0]
    pairs = measure.pairs(np.repeat(entries, len(words)), np.tile(words, len(entries)))
    values, start = pairs.reshape(len(entries), len(words)), 0
    for row, item, part in zip(columns, resolutions, own, strict=True):
        block = values[start : start + len(part)].astype(np.float32)
        start += len(part)
        if not item.known and not _is_phrase(item):
            for at, column in np.argwhere(part[:, None] == words[None, :]).tolist():
                block[at, column] = measure.rows([int(part[at])]).max()
        weights = np.array([entry.weight for entry in item.words], dtype=np.float32)
        row[:] = block[0] if item.known else np.einsum("i,ij->j", weights, block)
    return columns


def _is_phrase(item: Resolution) -> bool:
    return len(split(item.word)) > 1


def resolved_nearest(measure: Measure, item: Resolution, k: int) -> list[tuple[str, float]]:
    """The known words that are most related to a resolved word, most related first."""
    row = resolved_rows(measure, [item])[0]
    order = np.argsort(-row, kind="stable")
    if item.known:
        order = order[order != measure.vocabulary.id(item.words[0].word)]
    return [(measure.vocabulary.words[i], float(row[i])) for i in order[:k].tolist()]
