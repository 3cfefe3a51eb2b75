"""The words of a vocabulary as candidates for a clue."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wordkin.arrays import Ids
from wordkin.game.legality import is_plain_word
from wordkin.game.scoring import Scores, frequency
from wordkin.vocabulary import Vocabulary

FORM_SHARE = 0.5
"""An inflected form is offered if it is at least this share as frequent as its most frequent
relative: *married* and *meeting* are, *elevations* and *tsunamis* are not."""


@dataclass(frozen=True)
class ClueWords:
    """What holds for words as clues on any board, with any scoring function.

    Attributes
    ----------
    vocabulary : Vocabulary
        The words.
    unwanted : frozenset of str
        Words never to offer.
    rarity : float
        The weight of FREQ (see `wordkin.game.scoring.frequency`).
    documents : int or None
        The number of documents; if None, the largest number that a word occurs in.
    limit : float
        Words that people are less familiar with are not offered, 0 to 1. With 0 all words are, in
        all forms.
    lemmas : sequence of str or None
        The lemma of each word; None if every form is as good as any other.
    """

    vocabulary: Vocabulary
    unwanted: frozenset[str]
    rarity: float
    documents: int | None
    limit: float = 0.0
    lemmas: Sequence[str] | None = None

    @cached_property
    def ids(self) -> Ids:
        """The ids of the words that may be clues: the candidates, in the vocabulary's order."""
        return np.flatnonzero(self.sayable)

    @cached_property
    def sayable(self) -> NDArray[np.bool_]:
        """Whether each word may be a clue on any board."""
        familiarity, words = self.vocabulary.familiarity, self.vocabulary.words
        plain = [is_plain_word(word) and word not in self.unwanted for word in words]
        sayable = np.array(plain, dtype=bool)
        if familiarity is not None:
            sayable &= familiarity >= np.float32(self.limit)
        if self.lemmas is not None and self.limit > 0:
            sayable &= usual_forms(self.vocabulary, self.lemmas)
        return sayable

    @cached_property
    def without_limit(self) -> ClueWords:
        """The same words, however unfamiliar: for a board that leaves no other clue."""
        return replace(self, limit=0.0)

    @cached_property
    def frequency(self) -> NDArray[np.float64] | float:
        """The weighted FREQ of each candidate, which is added to its score."""
        if not self.rarity:
            return 0.0
        documents = self.vocabulary.documents
        return self.rarity * frequency(documents, self.documents or int(documents.max()))[self.ids]


def usual_forms(vocabulary: Vocabulary, lemmas: Sequence[str]) -> NDArray[np.bool_]:
    """Whether each word is a dictionary form, or a form that is used about as much as any other."""
    words, counts = vocabulary.words, vocabulary.counts.tolist()
    most: dict[str, int] = {}
    for lemma, count in zip(lemmas, counts, strict=True):
        most[lemma] = max(count, most.get(lemma, 0))
    usual = [
        word == lemma or count >= FORM_SHARE * most[lemma]
        for word, lemma, count in zip(words, lemmas, counts, strict=True)
    ]
    return np.array(usual, dtype=bool)


def descending(scores: Scores, candidates: NDArray[np.int64]) -> Iterator[int]:
    """Yield the candidates from the highest score to the lowest, ties in the vocabulary's order.

    Sorts a few at a time: a legal clue is nearly always among the first.
    """
    remaining, first = candidates, 64
    while len(remaining):
        values = scores[remaining]
        bound = np.partition(values, -first)[-first] if len(remaining) > first else values.min()
        batch = remaining[values >= bound]
        yield from batch[np.argsort(-scores[batch], kind="stable")].tolist()
        remaining, first = remaining[values < bound], first * 8
