"""The words of a bundle: their order, how often they occur, and in how many documents."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from wordkin.errors import InputError, UnknownWord
from wordkin.files import write_text
from wordkin.words import normal

HEADER = "word\tcount\tdocuments"


class Vocabulary:
    """Words in a fixed order with their counts; the position of a word is its id.

    Parameters
    ----------
    words : sequence of str
        The words, most frequent first.
    counts : array of int
        How many tokens of the corpus each word has.
    documents : array of int
        In how many documents each word occurs.
    """

    def __init__(
        self, words: Sequence[str], counts: Iterable[int], documents: Iterable[int]
    ) -> None:
        self.words = list(words)
        self.counts: NDArray[np.int64] = np.asarray(counts, dtype=np.int64)
        self.documents: NDArray[np.int64] = np.asarray(documents, dtype=np.int64)
        if not len(self.words) == len(self.counts) == len(self.documents):
            raise InputError("A vocabulary needs one count and one document count for each word.")

    @cached_property
    def ids(self) -> dict[str, int]:
        """The id of each word."""
        return {word: i for i, word in enumerate(self.words)}

    def __len__(self) -> int:
        return len(self.words)

    def __iter__(self) -> Iterator[str]:
        return iter(self.words)

    def __contains__(self, word: object) -> bool:
        return word in self.ids

    def id(self, word: str) -> int:
        """The id of `word`; an unknown word is refused with the nearest spellings."""
        try:
            return self.ids[word]
        except KeyError:
            near = self.near_spellings(word)
            hint = f"; near spellings: {', '.join(near)}" if near else ""
            raise UnknownWord(f"'{word}' is not in the vocabulary{hint}.") from None

    def near_spellings(self, word: str, n: int = 3) -> list[str]:
        """Words that `word` may have been meant for: first those with two neighbours swapped."""
        swaps = (word[:k] + word[k + 1] + word[k] + word[k + 2 :] for k in range(len(word) - 1))
        near = difflib.get_close_matches(word, self.words, n=n, cutoff=0.6)
        return list(dict.fromkeys([swap for swap in swaps if swap in self.ids] + near))[:n]

    def ids_of(self, words: Iterable[str]) -> NDArray[np.int64]:
        """The ids of several words; the first unknown one is refused."""
        return np.array([self.id(word) for word in words], dtype=np.int64)

    def write(self, path: Path) -> None:
        """Write the vocabulary as tab-separated text, the most frequent word first."""
        columns = (self.words, self.counts.tolist(), self.documents.tolist())
        rows = ("\t".join(map(str, row)) for row in zip(*columns, strict=True))
        write_text(path, "".join(f"{line}\n" for line in (HEADER, *rows)))

    @classmethod
    def read(cls, path: Path) -> Vocabulary:
        """Read what `write` wrote; damage is refused with the line where it is."""
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"Cannot read the vocabulary {path}: {error}.") from error
        lines = text.split("\n")
        if lines[0] != HEADER or lines[-1] != "":
            raise InputError(f"{path} is not a whole vocabulary file: make or copy it again.")
        rows = [line.split("\t") for line in lines[1:-1]]
        try:
            counts = [int(row[1]) for row in rows]
            documents = [int(row[2]) for row in rows]
        except (IndexError, ValueError):
            raise InputError(
                f"{path} has a line that is not word, count, documents: make or copy it again."
            ) from None
        return cls([row[0] for row in rows], counts, documents)


def part_ids(vocabulary: Vocabulary, card: str, language: str) -> list[int]:
    """The ids that a card stands for: of its word, or of the known parts of several words."""
    spelt = normal(card, language)
    parts = [spelt] if spelt in vocabulary else spelt.split()
    return [vocabulary.ids[part] for part in parts if part in vocabulary]
