"""Text to tokens: the words of the text, as it has them.

Tokens are in lower case; their marks (`pipeline.corpus.marks`) keep what capitals and punctuation
say about them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from pipeline.corpus.languages import language
from pipeline.corpus.marks import ALL_CAPITALS, CAPITAL, ENDS, OPENS

_ENDERS = frozenset(".!?…:;|*=•。！？।؟۔։።")
_OPENERS = frozenset("\"'“”„«»‘’‚‹([{*¿¡–—-•")
_CLOSERS = "\"'“”„«»‘’‚›)]}"
_MOST_CACHED = 1 << 19
_LONGEST_CACHED = 32  # longer runs of text hardly ever occur again


Mixed = tuple[Any, ...]
"""Tokens and their marks in turn: a token, its marks, the next token, ..."""


class MarkedTokens(NamedTuple):
    """Tokens, and one byte of marks for each of them."""

    tokens: list[str]
    marks: bytes


class Tokenizer:
    """Splits text of one language into tokens."""

    def __init__(self, code: str) -> None:
        self._spelled_words = language(code).spelled_words
        self._runs = _Runs(self._split)

    def __call__(self, text: str) -> list[str]:
        """The tokens of the text, in order."""
        return self.marked(text).tokens

    def marked(self, line: str) -> MarkedTokens:
        """The tokens of a line of text with their marks."""
        if len(self._runs) > _MOST_CACHED:
            self._runs.clear()
        # Look-ups take most of the time, so one of them has to give tokens and marks.
        mixed = list(chain.from_iterable(map(self._runs.__getitem__, line.split())))
        return MarkedTokens(mixed[0::2], bytes(mixed[1::2]))

    def _split(self, run: str) -> Mixed:
        """The tokens of text without spaces, each followed by its marks."""
        words, spellings = self._spelled_words(run)
        if not words:
            return ()
        marks = list(map(_case, spellings))
        if run[0] in _OPENERS:
            marks[0] |= OPENS
        if run.rstrip(_CLOSERS)[-1] in _ENDERS:
            marks[-1] |= ENDS
        return tuple(chain.from_iterable(zip(words, marks, strict=True)))


def _case(spelling: str) -> int:
    """The marks of a word's capitals."""
    if spelling.islower():
        return 0
    capitals = sum(map(str.isupper, spelling))
    if capitals > 1 and capitals == sum(map(str.isalpha, spelling)):
        return CAPITAL | ALL_CAPITALS
    return CAPITAL if capitals else 0


class _Runs(dict[str, Mixed]):
    """A cache of what each run of text between spaces gives: most runs occur many times."""

    def __init__(self, split: Callable[[str], Mixed]) -> None:
        super().__init__()
        self._split = split

    def __missing__(self, run: str) -> Mixed:
        mixed = self._split(run)
        if len(run) <= _LONGEST_CACHED:
            self[run] = mixed
        return mixed


@cache
def tokenizer(code: str) -> Tokenizer:
    """A tokenizer that lives as long as the process, so that all its tasks share its cache."""
    return Tokenizer(code)
