"""Text to tokens: the words of the text, as it has them.

Tokens are in lower case; one byte of flags (`pipeline.languages.runs`) keeps what capitals and
punctuation say about each of them, to tell names from words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from itertools import chain
from typing import Any, NamedTuple

import numba
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.languages import language
from pipeline.languages.runs import (
    ALL_CAPITALS,
    CAPITAL,
    CLOSERS,
    ENDERS,
    ENDS,
    LEFT,
    OPENERS,
    OPENS,
    PlainTables,
    split_plain_runs,
    split_runs,
)

_MOST_CACHED = 1 << 19
_LONGEST_CACHED = 32  # longer runs of text hardly ever occur again


Mixed = tuple[Any, ...]
"""Tokens and their flags in turn: a token, its flags, the next token, ..."""


class TokenizedLine(NamedTuple):
    """Tokens, and one byte of flags for each of them."""

    tokens: list[str]
    flags: bytes


class TokenizedLines(NamedTuple):
    """The tokens of several lines of text."""

    tokens: pa.StringArray
    flags: NDArray[np.uint8]
    """The flags of each token."""
    lengths: NDArray[np.int64]
    """The number of tokens in each line."""


class Tokenizer:
    """Splits text of one language into tokens."""

    def __init__(self, code: str) -> None:
        self._language = language(code)
        self._spelled_words = self._language.spelled_words
        self._runs = _Runs(self._split)

    @cached_property
    def _tables(self) -> PlainTables:
        return PlainTables.of(self._language)

    def __call__(self, text: str) -> list[str]:
        """The tokens of the text, in order."""
        return self.line(text).tokens

    def line(self, line: str) -> TokenizedLine:
        """The tokens of a line of text with their flags."""
        mixed = list(chain.from_iterable(self._mixed(line.split())))
        return TokenizedLine(mixed[0::2], bytes(mixed[1::2]))

    def lines(self, lines: Sequence[str]) -> TokenizedLines:
        """The same for many lines: each distinct run of text between spaces is looked up once."""
        texts, bounds = split_runs(pa.array(lines, pa.string()))
        runs = texts.dictionary_encode()
        plain = split_plain_runs(runs.dictionary, self._tables)
        left = plain.numbers == LEFT
        mixed = self._mixed(runs.dictionary.filter(pa.array(left)).to_pylist())
        flat = list(chain.from_iterable(mixed))
        tokens = pa.concat_arrays([plain.words, pa.array(flat[0::2], pa.string())])
        flags = np.concatenate([plain.flags, np.frombuffer(bytes(flat[1::2]), np.uint8)])
        # For each distinct run: how many tokens it has, and where they begin in `tokens`.
        numbers = plain.numbers
        begins = np.cumsum(numbers == 1) - 1
        numbers[left] = numbers_left = np.fromiter(map(len, mixed), np.int64, len(mixed)) // 2
        begins[left] = len(plain.words) + np.cumsum(numbers_left) - numbers_left
        of_distinct, lengths = _tokens_of_lines(runs.indices.to_numpy(), bounds, numbers, begins)
        return TokenizedLines(tokens.take(pa.array(of_distinct)), flags[of_distinct], lengths)

    def _mixed(self, runs: Sequence[str]) -> list[Mixed]:
        """What each run gives; one look-up has to give tokens and flags, since it takes long."""
        if len(self._runs) > _MOST_CACHED:
            self._runs.clear()
        return list(map(self._runs.__getitem__, runs))

    def _split(self, run: str) -> Mixed:
        """The tokens of text without spaces, each followed by its flags."""
        words, spellings = self._spelled_words(run)
        if not words:
            return ()
        flags = list(map(_case, spellings))
        if run[0] in OPENERS:
            flags[0] |= OPENS
        if run.rstrip(CLOSERS)[-1] in ENDERS:
            flags[-1] |= ENDS
        return tuple(chain.from_iterable(zip(words, flags, strict=True)))


@numba.njit(cache=True, boundscheck=False)
def _tokens_of_lines(
    runs: NDArray[np.int32],
    bounds: NDArray[np.int64],
    numbers: NDArray[np.int64],
    begins: NDArray[np.int64],
) -> tuple[NDArray[np.int32], NDArray[np.int64]]:
    """Which token of the distinct runs each token of the text is, and the tokens in each line.

    `bounds` says which runs each line has; `numbers` and `begins` say which tokens each distinct
    run has.
    """
    total = 0
    for run in runs:
        total += numbers[run]
    tokens = np.empty(total, np.int32)
    lengths = np.empty(len(bounds) - 1, np.int64)
    at = 0
    for line in range(len(lengths)):
        start = at
        for place in range(bounds[line], bounds[line + 1]):
            run = runs[place]
            for token in range(begins[run], begins[run] + numbers[run]):
                tokens[at] = token
                at += 1
        lengths[line] = at - start
    return tokens, lengths


def _case(spelling: str) -> int:
    """The flags of a word's capitals."""
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
