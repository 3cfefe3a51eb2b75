"""The words of a bundle: their order, how often they occur, and in how many documents."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordkin.errors import InputError, UnknownWord
from wordkin.files import write_text
from wordkin.words import normal

HEADER = "word\tcount\tdocuments"
FAMILIARITY = "familiarity"
"""The column that a vocabulary may have in addition."""

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]")
"""What is in no word: tabs and line ends aside, these characters steer terminals."""


class Vocabulary:
    """Words in a fixed order with their counts; the position of a word is its id.

    Parameters
    ----------
    words : sequence of str
        The words, most frequent first.
    counts : array of int
        The number of tokens of each word in the corpus.
    documents : array of int
        The number of documents that have each word.
    familiarity : array of float, optional
        How sure it is that people know each word, from 0 to 1. It decides which words are offered
        as clues.
    """

    def __init__(
        self,
        words: Sequence[str],
        counts: Iterable[int],
        documents: Iterable[int],
        familiarity: Iterable[float] | None = None,
    ) -> None:
        self.words = list(words)
        self.counts: NDArray[np.int64] = np.asarray(counts, dtype=np.int64)
        self.documents: NDArray[np.int64] = np.asarray(documents, dtype=np.int64)
        if not len(self.words) == len(self.counts) == len(self.documents):
            raise InputError("A vocabulary needs one count and one document count per word.")
        self.familiarity: NDArray[np.float32] | None = None
        if familiarity is not None:
            self.familiarity = np.asarray(familiarity, dtype=np.float32)
            within = (self.familiarity >= 0) & (self.familiarity <= 1)
            if len(self.familiarity) != len(self.words) or not within.all():
                raise InputError("A vocabulary needs one familiarity per word, from 0 to 1.")

    @cached_property
    def ids(self) -> dict[str, int]:
        """The ids by word."""
        return {word: i for i, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self.ids

    def id(self, word: str) -> int:
        """The id of a word.

        Parameters
        ----------
        word : str
            A word in its normal form.

        Returns
        -------
        int

        Raises
        ------
        UnknownWord
            If the vocabulary does not have it; the message suggests similar spellings.
        """
        try:
            return self.ids[word]
        except KeyError:
            near = self.near_spellings(word)
            hint = f"; near spellings: {', '.join(near)}" if near else ""
            raise UnknownWord(f"'{word}' is not in the vocabulary{hint}.") from None

    def near_spellings(self, word: str, n: int = 3) -> list[str]:
        """Words that a misspelt `word` may stand for.

        Parameters
        ----------
        word : str
            What was typed.
        n : int, optional
            The largest number of words to return.

        Returns
        -------
        list of str
            First the words that differ by two swapped letters, then other similar ones.
        """
        swaps = (word[:k] + word[k + 1] + word[k] + word[k + 2 :] for k in range(len(word) - 1))
        near = difflib.get_close_matches(word, self.words, n=n, cutoff=0.6)
        return list(dict.fromkeys([swap for swap in swaps if swap in self.ids] + near))[:n]

    def ids_of(self, words: Iterable[str]) -> NDArray[np.int64]:
        """The ids of several words.

        Parameters
        ----------
        words : iterable of str
            Words in their normal form.

        Returns
        -------
        array of int64

        Raises
        ------
        UnknownWord
            At the first word that the vocabulary does not have.
        """
        return np.array([self.id(word) for word in words], dtype=np.int64)

    def card_ids(self, card: str, language: str) -> list[int]:
        """The ids that stand for a card.

        Parameters
        ----------
        card : str
            One word, or several with spaces between, as a person writes them.
        language : str
            The code of the language, for upper and lower case.

        Returns
        -------
        list of int
            The id of the card if the vocabulary has it as a whole, else the ids of its known
            words. Empty if none is known.
        """
        whole = normal(card, language)
        words = [whole] if whole in self else whole.split()
        return [self.ids[word] for word in words if word in self]

    def write(self, path: Path) -> None:
        """Write tab-separated text, one line per word in the order of the ids.

        Parameters
        ----------
        path : Path
            The file, such as `vocabulary.tsv`; an old one is replaced as a whole.
        """
        header = HEADER
        columns = [self.words, self.counts.tolist(), self.documents.tolist()]
        if self.familiarity is not None:
            header += f"\t{FAMILIARITY}"
            columns.append([f"{value:.3f}" for value in self.familiarity.tolist()])
        rows = ("\t".join(map(str, row)) for row in zip(*columns, strict=True))
        write_text(path, "".join(f"{line}\n" for line in (header, *rows)))

    @classmethod
    def read(cls, path: Path) -> Vocabulary:
        """Read what `write` wrote.

        Parameters
        ----------
        path : Path
            The file.

        Returns
        -------
        Vocabulary

        Raises
        ------
        InputError
            If the file is damaged.
        """
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"Cannot read the vocabulary {path}: {error}.") from error
        lines = text.split("\n")
        has_familiarity = lines[0] == f"{HEADER}\t{FAMILIARITY}"
        if not (lines[0] == HEADER or has_familiarity) or lines[-1] != "":
            raise InputError(f"{path} is not a whole vocabulary file: make or copy it again.")
        names = lines[0].split("\t")
        rows = [line.split("\t") for line in lines[1:-1]]
        try:
            words, *columns = zip(*rows, strict=True) if rows else ((),) * len(names)
            if len(columns) != len(names) - 1:
                raise ValueError
            numbers = np.array([list(map(int, column)) for column in columns[:2]], dtype=np.int64)
            familiarity = list(map(float, columns[2])) if has_familiarity else None
        except (ValueError, OverflowError):
            raise InputError(
                f"{path} has a line that is not {', '.join(names)}: make or copy it again."
            ) from None
        if (numbers < 0).any() or "" in words or len(set(words)) < len(words):
            raise InputError(
                f"{path} has an empty or repeated word, or a count below 0: make or copy it again."
            )
        if _CONTROL.search(text):
            raise InputError(f"{path} has control characters: make or copy it again.")
        return cls(list(words), numbers[0], numbers[1], familiarity)
