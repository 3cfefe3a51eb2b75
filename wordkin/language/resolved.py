"""Relatedness of resolved words, and why: the weighted mean over the known words they stand for.

A known word keeps the values of its measure, to the bit. A measure has the value 0 for a word and
itself, because a word does not pair with itself. That is wrong between an unknown word and a known
one that it stands for, which are as close as any two words: there, the value is the largest one of
the known word's row. Only phrases keep the plain mean of their words.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordkin.arrays import Floats, Ids, largest
from wordkin.errors import NoExplanation
from wordkin.language.resolution import Resolution, split
from wordkin.measures.explanations.explanation import TEXTS, Explanation
from wordkin.measures.measure import Among, Measure
from wordkin.texts import reasons


def resolved_rows(measure: Measure, resolutions: Sequence[Resolution]) -> Floats:
    """Relatedness of resolved words to all words of the vocabulary, one row per word."""
    return _means(measure, measure.rows, np.arange(len(measure.vocabulary)), resolutions)


def resolved_columns(among: Among, resolutions: Sequence[Resolution]) -> Floats:
    """Relatedness of resolved words to some words of the vocabulary, one row per word.

    The same as those columns of `resolved_rows`, without the rest of the rows.
    """
    return _means(among.measure, among.rows, among.places, resolutions)


def _means(
    measure: Measure,
    rows_of: Callable[[Ids], Floats],
    columns: Ids,
    resolutions: Sequence[Resolution],
) -> Floats:
    """One row per resolved word: that of a known word, or the weighted mean of several rows.

    `columns` has the column of each word of the vocabulary, -1 if it has none.
    """
    ids_of = measure.vocabulary.ids_of
    ids = [ids_of(entry.word for entry in item.words) for item in resolutions]
    rows = rows_of(np.concatenate(ids) if ids else np.zeros(0, dtype=np.int64))
    if all(item.known for item in resolutions):
        return rows
    means, start = [], 0
    for item, own in zip(resolutions, ids, strict=True):
        block = rows[start : start + len(own)]
        start += len(own)
        if not item.known and not _is_phrase(item):
            for at, word in enumerate(own.tolist()):
                if columns[word] >= 0:
                    block[at, columns[word]] = measure.rows([word]).max()
        weights = np.array([entry.weight for entry in item.words], dtype=np.float32)
        means.append(block[0] if item.known else np.einsum("i,ij->j", weights, block))
    return np.stack(means)


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


def _is_phrase(item: Resolution) -> bool:
    return len(split(item.word)) > 1


def resolved_nearest(measure: Measure, item: Resolution, k: int) -> list[tuple[str, float]]:
    """The known words that are most related to a resolved word, most related first."""
    if item.known:
        return measure.nearest(item.words[0].word, k)
    row = resolved_rows(measure, [item])[0]
    return [(measure.vocabulary.words[i], float(row[i])) for i in largest(row, k).tolist()]


@dataclass(frozen=True)
class Resolved(Explanation):
    """The explanation of two words of which the vocabulary lacks one or both.

    Attributes
    ----------
    measure, a, b, relatedness
        As in `Explanation`; the words are as they were typed.
    resolved : tuple of Resolution
        What the unknown words stand for.
    reason : Explanation
        Why the two known words are related that contribute most.
    """

    resolved: tuple[Resolution, ...]
    reason: Explanation

    def line(self, texts: Mapping[str, str] = TEXTS) -> str:
        """One readable line: what the unknown words stand for, then the reason."""
        english = reasons("en")
        sources = [item.line_in({**english, **texts}) for item in self.resolved]
        return "; ".join([*sources, self.reason.line(texts)])

    def wording(self, texts: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        """The text of the reason; `line` puts what the words stand for before it."""
        return self.reason.wording(texts)


def explain(
    measure: Measure, first: Resolution, second: Resolution, measures: Mapping[str, Measure]
) -> Explanation:
    """Explain the relatedness of two resolved words by the known words that contribute most."""
    if first.known and second.known:
        return measure.explain(first.words[0].word, second.words[0].word, measures)
    pairs = [(a, b) for a in first.words for b in second.words if a.word != b.word]
    if not pairs:
        raise NoExplanation(
            f"'{first.word}' and '{second.word}' stand for the same word: give two different words."
        )
    ids_of = measure.vocabulary.ids_of
    values = measure.pairs(ids_of(a.word for a, _ in pairs), ids_of(b.word for _, b in pairs))
    contributions = [
        a.weight * b.weight * value for (a, b), value in zip(pairs, values.tolist(), strict=True)
    ]
    a, b = pairs[contributions.index(max(contributions))]
    return Resolved(
        measure.name,
        first.word,
        second.word,
        float(resolved_pairs(measure, first, [second])[0]),
        tuple(resolution for resolution in (first, second) if not resolution.known),
        measure.explain(a.word, b.word, measures),
    )
