"""The contract of a measure: every kind answers the same questions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from wordkin.arrays import Floats, Ids, largest
from wordkin.errors import NoExplanation
from wordkin.measures.explanations import explainer_of
from wordkin.measures.explanations.explanation import Explanation
from wordkin.vocabulary import Vocabulary


class Storage(NamedTuple):
    """How a measure is stored, for people to read.

    `form` names it ("sparse matrix"). `stored` is the fraction of all pairs of different words that
    are stored, None where that has no meaning.
    """

    form: str
    stored: float | None = None


class Spread(NamedTuple):
    """The mean and the standard deviation of a measure over random pairs of words."""

    mean: float
    deviation: float


class Among:
    """The relatedness of any words to some words that are chosen once.

    Agents compare the cards of many boards with the same candidates. A kind of measure that can
    prepare for that has a subclass of its own.

    Parameters
    ----------
    measure : Measure
        The measure.
    ids : array of int
        The ids of the chosen words, each once.
    """

    def __init__(self, measure: Measure, ids: Ids) -> None:
        self.measure, self.ids = measure, ids

    def rows(self, words: ArrayLike) -> Floats:
        """Relatedness of several words to the chosen ones.

        Parameters
        ----------
        words : array of int
            The ids of the words.

        Returns
        -------
        array of float32, (len(words), len(ids))
            One row per word, which the caller may change.
        """
        return self.measure.rows(words)[:, self.ids]

    @cached_property
    def places(self) -> Ids:
        """The place of each word of the vocabulary among the chosen ones; -1 for all others."""
        places = np.full(len(self.measure.vocabulary), -1, dtype=np.int64)
        places[self.ids] = np.arange(len(self.ids))
        return places

    def set_own(self, rows: Floats, words: Ids) -> Floats:
        """Set the relatedness of each word to itself to 0, and return the rows."""
        own = self.places[words]
        at = np.flatnonzero(own >= 0)
        rows[at, own[at]] = 0.0
        return rows


class Measure(ABC):
    """How related the words of a vocabulary are.

    A measure answers five questions: the relatedness of pairs (`pairs`), one word against all
    (`rows`), the nearest words (`nearest`), why two words are related (`explain`), and which
    vectors come close to it (`embedding`). One of your own has to answer the first two.

    It is symmetric. A word does not pair with itself: its own place in its row is 0. Here words are
    those of the vocabulary, by their ids or in their normal form; `Bundle` answers for any string.

    Attributes
    ----------
    name : str
        The name of the measure: `npmi`, `graph`, ...
    vocabulary : Vocabulary
        The words it knows.
    folder : Path or None
        The folder it was opened from.
    facts : mapping
        The content of its `measure.json`; empty for a measure that was made in memory.
    """

    def __init__(self, name: str, vocabulary: Vocabulary) -> None:
        self.name = name
        self.vocabulary = vocabulary
        self.folder: Path | None = None
        self.facts: Mapping[str, Any] = {}

    @abstractmethod
    def rows(self, ids: ArrayLike) -> Floats:
        """Relatedness of several words to all words.

        Parameters
        ----------
        ids : array of int
            The ids of the words.

        Returns
        -------
        array of float32, (len(ids), words)
            One row per id; the columns are in the order of the vocabulary.
        """

    @abstractmethod
    def pairs(self, a: ArrayLike, b: ArrayLike) -> Floats:
        """Relatedness of many pairs of words.

        Parameters
        ----------
        a, b : array of int
            The ids of the first and of the second word of each pair.

        Returns
        -------
        array of float32
            The relatedness of the words a[k] and b[k].
        """

    def among(self, ids: ArrayLike) -> Among:
        """Choose some words, to compare many others with them.

        Parameters
        ----------
        ids : array of int
            The ids of the words, each once.

        Returns
        -------
        Among
            Its `rows` are those of the measure with only these columns, up to rounding.
        """
        return Among(self, np.asarray(ids, dtype=np.int64))

    @property
    def storage(self) -> Storage:
        """How the measure is stored."""
        return Storage("not stored")

    @property
    def complete(self) -> bool:
        """Whether `neighbours` gives all related words, not only those that are stored."""
        return True

    def relatedness(self, a: str, b: str) -> float:
        """Relatedness of two words.

        Parameters
        ----------
        a, b : str
            Words of the vocabulary.

        Returns
        -------
        float

        Raises
        ------
        UnknownWord
            If the vocabulary lacks one.
        """
        return float(self.pairs([self.vocabulary.id(a)], [self.vocabulary.id(b)])[0])

    def row(self, word: str) -> Floats:
        """Relatedness of one word to all words.

        Parameters
        ----------
        word : str
            A word of the vocabulary.

        Returns
        -------
        array of float32
            In the order of the vocabulary.
        """
        return self.rows([self.vocabulary.id(word)])[0]

    def nearest(self, word: str, k: int = 10) -> list[tuple[str, float]]:
        """The words most related to a word.

        Parameters
        ----------
        word : str
            A word of the vocabulary.
        k : int, optional
            How many words to return.

        Returns
        -------
        list of (str, float)
            Words and their relatedness, most related first; equals in the vocabulary's order.
        """
        ids, values = self.closest(self.vocabulary.id(word), k)
        words = self.vocabulary.words
        return [(words[i], value) for i, value in zip(ids.tolist(), values.tolist(), strict=True)]

    def closest(self, word: int, k: int) -> tuple[Ids, Floats]:
        """The words most related to a word, by ids.

        Parameters
        ----------
        word : int
            The id of the word.
        k : int
            How many words to return.

        Returns
        -------
        ids : array of int64
            As `nearest` has them.
        values : array of float32
            Their relatedness.
        """
        row = self.rows([word])[0]
        ids = largest(row, k + 1)
        # The word itself may be among them; if not, there is one too many.
        ids = ids[ids != word][:k]
        return ids, row[ids]

    def neighbours(self, word: int) -> tuple[Ids, Floats]:
        """The words with a relatedness above 0 to a word, by ids.

        Parameters
        ----------
        word : int
            The id of the word.

        Returns
        -------
        ids : array of int64
            Ascending.
        values : array of float32
            Their relatedness.
        """
        row = self.rows([word])[0]
        ids = np.flatnonzero(row > 0)
        return ids, row[ids]

    def unit_vectors(self) -> Floats | None:
        """Vectors of unit length whose dot products are the relatedness, one row per word.

        Returns
        -------
        array of float32, (words, dimensions), or None
            None if the measure is not made of vectors.
        """
        return None

    def embedding(self) -> Floats | None:
        """Vectors of unit length whose dot products come close to the relatedness.

        Returns
        -------
        array of float32, (words, dimensions), or None
            None if there are none.
        """
        return self.unit_vectors()

    def explain(self, a: str, b: str, measures: Mapping[str, Measure] | None = None) -> Explanation:
        """Explain why two words are related.

        Parameters
        ----------
        a, b : str
            Two different words of the vocabulary.
        measures : mapping of str to Measure, optional
            All measures of the bundle: npmi also explains squared and graph.

        Returns
        -------
        Explanation
            The reasons as a dataclass; `str` of it is one readable line.

        Raises
        ------
        NoExplanation
            If the words are the same, or a measure is missing that the explanation needs.
        """
        first, second = self.vocabulary.id(a), self.vocabulary.id(b)
        if first == second:
            raise NoExplanation(f"'{a}' is not related to itself: give two different words.")
        return self.reasons(first, second, {} if measures is None else measures)

    def reasons(self, a: int, b: int, measures: Mapping[str, Measure]) -> Explanation:
        """Explain why two different words are related, by ids.

        Parameters
        ----------
        a, b : int
            The ids of the words.
        measures : mapping of str to Measure
            As in `explain`.

        Returns
        -------
        Explanation
        """
        return explainer_of(self.name)(self, a, b, measures)


def spread(measure: Measure, seed: int = 0, sample: int = 20_000) -> Spread:
    """The spread of a measure over random pairs of different words."""
    words = len(measure.vocabulary)
    if words < 2:
        return Spread(0.0, 1.0)
    rng = np.random.default_rng(seed)
    a = rng.integers(0, words, sample)
    b = (a + rng.integers(1, words, sample)) % words
    values = measure.pairs(a, b).astype(np.float64)
    # A constant measure tells no words apart; a deviation of 1 keeps it constant on any scale.
    return Spread(float(values.mean()), float(values.std()) or 1.0)
