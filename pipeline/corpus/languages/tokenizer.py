"""Text to tokens: words, or their lemmas where a language is counted by lemma."""

from __future__ import annotations

from functools import cache

from pipeline.corpus.languages import language


class Tokenizer:
    """Splits text of one language into tokens; each distinct word is lemmatized once."""

    def __init__(self, code: str, lemmatize: bool) -> None:
        self._words = language(code).words
        self._lemma = cache(language(code).lemma) if lemmatize else None

    def __call__(self, text: str) -> list[str]:
        """The tokens of the text, in order."""
        words = self._words(text)
        return words if self._lemma is None else [self._lemma(word) for word in words]


@cache
def tokenizer(code: str, lemmatize: bool) -> Tokenizer:
    """A tokenizer that lives as long as the process, so that all its tasks share the lemmas."""
    return Tokenizer(code, lemmatize)
