"""Strong and weak pairs of words, by their definitions (Tissier et al. 2017, section 3.1).

Two words are a strong pair if each is in a definition of the other, and a weak pair if only one is.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from pipeline.measures.sparse import Ints, Longs


class Partners(NamedTuple):
    """For each word its partners, ascending."""

    starts: Longs
    partners: Ints

    def of(self, word: int) -> list[int]:
        """The partners of a word."""
        return self.partners[self.starts[word] : self.starts[word + 1]].tolist()


class DictionaryPairs(NamedTuple):
    """Which words are strong partners of each word, and which are weak ones."""

    strong: Partners
    weak: Partners


def find_pairs(
    words: Sequence[str],
    definitions: Mapping[str, Sequence[str]],
    words_of: Callable[[str], Sequence[str]],
    headwords: Sequence[str],
) -> DictionaryPairs:
    """The pairs among the words of a vocabulary.

    `words_of` splits a definition into words; `headwords` names under which word each word of the
    vocabulary is defined if it has no definition of its own, its lemma.
    """
    ids = {word: at for at, word in enumerate(words)}
    defined: list[set[int]] = []
    for at, (word, headword) in enumerate(zip(words, headwords, strict=True)):
        texts = definitions.get(word) or definitions.get(headword) or ()
        used = {ids[part] for text in texts for part in words_of(text) if part in ids}
        defined.append(used - {at})
    strong: list[set[int]] = [set() for _ in words]
    weak: list[set[int]] = [set() for _ in words]
    for at, used in enumerate(defined):
        for other in used:
            kind = strong if at in defined[other] else weak
            kind[at].add(other)
            kind[other].add(at)
    return DictionaryPairs(_partners(strong), _partners(weak))


def _partners(sets: Sequence[set[int]]) -> Partners:
    starts = np.concatenate([[0], np.cumsum([len(partners) for partners in sets])])
    listed = [partner for partners in sets for partner in sorted(partners)]
    return Partners(starts.astype(np.int64), np.array(listed, np.int32))
