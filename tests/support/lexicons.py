"""Small lexicons for tests of resolving: known words, the first the most frequent."""

from __future__ import annotations

from collections.abc import Mapping

from wordkin.language.resolving import Lexicon, Resolver
from wordkin.language.subwords import Subwords
from wordkin.vocabulary import Vocabulary


def make_vocabulary(words: str) -> Vocabulary:
    """A vocabulary of the words in a string, from the most frequent to the rarest."""
    known = words.split()
    counts = [10 * (len(known) - at) for at in range(len(known))]
    return Vocabulary(known, counts, counts)


def make_resolver(
    words: str,
    language: str,
    lemmas: Mapping[str, str] | None = None,
    subwords: Subwords | None = None,
) -> Resolver:
    """A resolver for the words in a string."""
    vocabulary = make_vocabulary(words)
    table = [(lemmas or {}).get(word, word) for word in vocabulary]
    return Resolver(Lexicon(vocabulary, language, lambda: table), lambda: subwords)
