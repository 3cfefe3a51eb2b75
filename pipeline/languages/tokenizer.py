"""Text to tokens: the words of the text in lower case, each with a byte of flags.

The flags keep what capitals and punctuation say about a token, to tell names from words. Most of
the distinct runs in a text, the pieces between spaces, are one word of a script whose letters ICU
never separates, perhaps between signs, or a number. A compiled kernel finds their words by tables
with one entry per character; every run that the tables do not decide is left to `Language`, which
asks ICU.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from functools import cache, cached_property, lru_cache
from itertools import chain
from typing import Any, NamedTuple

import numba
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.languages import language
from pipeline.languages.rules import CACHED, LONGEST_CACHED, Language

CAPITAL = 1
"""The flag of a token that the text writes with a capital letter."""
ALL_CAPITALS = 2
"""The flag of a token of two or more letters that are all capitals."""
ENDS = 4
"""The flag of a token after which a sentence may end."""
OPENS = 8
"""The flag of a token that opens a quotation or a bracket, and perhaps a sentence."""

ENDERS = frozenset(".!?…:;|*=•。！？।؟۔։።")
"""Signs after which a sentence may end."""
OPENERS = frozenset("\"'“”„«»‘’‚‹([{*¿¡–—-•")
"""Signs that open a quotation or a bracket."""
CLOSERS = "\"'“”„«»‘’‚›)]}"
"""Signs that close one, and may follow the end of a sentence."""

SPACES = np.array([chr(point).isspace() for point in range(0x3001)])
"""Which characters are spaces; none after these is."""

Mixed = tuple[Any, ...]
"""Tokens and their flags in turn: a token, its flags, the next token, ..."""


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
        self._remembered = lru_cache(CACHED)(self.split)

    @cached_property
    def _tables(self) -> Tables:
        return Tables.of(self._language)

    def lines(self, lines: Sequence[str]) -> TokenizedLines:
        """The tokens of lines of text with their flags: each distinct run is looked up once."""
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
        return [
            self._remembered(run) if len(run) <= LONGEST_CACHED else self.split(run) for run in runs
        ]

    def split(self, run: str) -> Mixed:
        """The tokens of text without spaces, each followed by its flags."""
        spelled = self._language.spelled_words(run)
        if not spelled:
            return ()
        flags = [_case(spelling) for _, spelling in spelled]
        if run[0] in OPENERS:
            flags[0] |= OPENS
        if run.rstrip(CLOSERS)[-1] in ENDERS:
            flags[-1] |= ENDS
        return tuple(chain.from_iterable(zip([word for word, _ in spelled], flags, strict=True)))


def _case(spelling: str) -> int:
    """The flags of a word's capitals."""
    capitals = sum(map(str.isupper, spelling))
    if capitals > 1 and capitals == sum(map(str.isalpha, spelling)):
        return CAPITAL | ALL_CAPITALS
    return CAPITAL if capitals else 0


@cache
def tokenizer(code: str) -> Tokenizer:
    """A tokenizer that lives as long as the process, so that all its tasks share its cache."""
    return Tokenizer(code)


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


# ── runs ──────────────────────────────────────────────────────────────────────────────────────


class Runs(NamedTuple):
    """The runs of several lines."""

    texts: pa.StringArray
    bounds: NDArray[np.int64]
    """The first run of each line, then the number of all runs."""


def split_runs(lines: pa.StringArray) -> Runs:
    """The runs of each line, as `str.split` finds them."""
    _, offsets, data = lines.buffers()
    places = np.frombuffer(offsets, np.int32)[lines.offset : lines.offset + len(lines) + 1]
    size = int(places[-1] - places[0])
    letters = np.empty(size, np.uint8)
    ends = np.empty(size // 2 + len(lines) + 1, np.int32)  # all but a line's last run have a space
    bounds = np.empty(len(lines) + 1, np.int64)
    runs = _split_lines(places, np.frombuffer(data or b"", np.uint8), SPACES, letters, ends, bounds)
    buffers = (pa.py_buffer(ends[: runs + 1]), pa.py_buffer(letters))
    return Runs(pa.StringArray.from_buffers(runs, *buffers), bounds)


@numba.njit(cache=True, boundscheck=False)
def character_at(text: NDArray[np.uint8], at: np.integer[Any]) -> tuple[np.int64, int]:
    """The code point of the character that starts at a place in UTF-8, and its number of bytes.

    Of the characters with four bytes, none is a space or a plain letter: they are all the same one.
    """
    first = np.int64(text[at])
    if first < 0x80:
        return first, 1
    if first < 0xE0:
        return (first & 0x1F) << 6 | np.int64(text[at + 1] & 0x3F), 2
    if first < 0xF0:
        high = (first & 0x0F) << 12 | np.int64(text[at + 1] & 0x3F) << 6
        return high | np.int64(text[at + 2] & 0x3F), 3
    return np.int64(0x10000), 4


@numba.njit(cache=True, boundscheck=False)
def _split_lines(
    places: NDArray[np.int32],
    text: NDArray[np.uint8],
    spaces: NDArray[np.bool_],
    letters: NDArray[np.uint8],
    ends: NDArray[np.int32],
    bounds: NDArray[np.int64],
) -> int:
    """Copy the letters of all runs, note where each run ends, and count the runs."""
    runs = 0
    written = 0
    ends[0] = 0
    bounds[0] = 0
    for line in range(len(places) - 1):
        at = np.int64(places[line])
        end = np.int64(places[line + 1])
        while at < end:
            point, size = character_at(text, at)
            if point < len(spaces) and spaces[point]:
                if written > ends[runs]:
                    runs += 1
                    ends[runs] = written
            else:
                for byte in range(at, at + size):
                    letters[written] = text[byte]
                    written += 1
            at += size
        if written > ends[runs]:
            runs += 1
            ends[runs] = written
        bounds[line + 1] = runs
    return runs


# ── plain runs ────────────────────────────────────────────────────────────────────────────────

LEFT = -1
"""The number of words of a run that the kernel does not decide."""

SYLLABLES = slice(0xAC00, 0xD7A4)
"""The Korean syllables."""

LIMIT = SYLLABLES.stop
"""Characters from here on are left to `Language`, as are those between `CHINESE` and Korean."""

CHINESE = 0x3000

# Letters that ICU never separates from other letters of the same line, and which are all in normal
# form: Latin, Greek, Cyrillic, Armenian, Georgian, Arabic without its stroke and vowel signs; the
# letters of Devanagari and the signs that follow them.
_ALPHABETS = re.compile(
    "[A-Za-zÀ-ÖØ-öø-ɏΆΈ-Ίΰ-ώЀ-ҁҊ-ӿԱ-Ֆա-ֆა-ჰ\u0620-\u063f\u0641-\u064a\u0671-\u06d3]"
)
_DEVANAGARI = re.compile("[\u0904-\u0939\u0960-\u0961]")
_DEVANAGARI_SIGN = re.compile("[\u0900-\u0903\u093a-\u093b\u093d-\u0950\u0955-\u0957\u0962-\u0963]")

# Signs at which ICU always separates; an apostrophe may come before a word or after it, too.
_SIGNS = re.compile(r"[ !-&(-/:-@\[-`{-~«»–—“”„…،؛؟।]")

# Bits of a character in a table.
_STARTS, _LETTER, _ALPHA, _LEADING, _TRAILING, _UPPER, _OPENER, _CLOSER, _ENDER, _ALONE = (
    1 << bit for bit in range(10)
)
_INDIC, _KOREAN = 1 << 10, 2 << 10
_SCRIPTS = _INDIC | _KOREAN
"""The bits of a letter's script; an alphabet has none. A word has letters of one script."""


class PlainRuns(NamedTuple):
    """The words of distinct runs."""

    numbers: NDArray[np.int64]
    """The number of words of each run: 0, 1 or `LEFT`."""
    words: pa.StringArray
    """The words of all runs that have one."""
    flags: NDArray[np.uint8]
    """The flags of each word."""


class Tables(NamedTuple):
    """What the kernel knows about characters: their bits, and their lower case."""

    bits: NDArray[np.uint16]
    lower: NDArray[np.uint16]

    @classmethod
    def of(cls, language: Language) -> Tables:
        """The tables of a language; without letters if it has rules of its own for words."""
        bits = np.full(LIMIT, _ALPHA, np.uint16)
        lower = np.arange(LIMIT, dtype=np.uint16)
        is_plain = (
            language.form.by_letter and not language.analyser and not language.marks_end_words
        )
        if is_plain:
            bits[SYLLABLES] |= _STARTS | _LETTER | _ALONE | _KOREAN
        for point in range(CHINESE):
            character = chr(point)
            is_sign = _SIGNS.match(character) is not None
            bits[point] = (
                _ALPHA * character.isalpha()
                | _LEADING * (is_sign or character == "'")
                | _TRAILING * (is_sign or character in "'’")
                | _UPPER * character.isupper()
                | _OPENER * (character in OPENERS)
                | _CLOSER * (character in CLOSERS)
                | _ENDER * (character in ENDERS)
            )
            if is_plain and (kind := _kind_of_letter(character)):
                form = unicodedata.normalize("NFC", language.form.lower(character))
                if len(form) == 1 and len(form.encode()) == len(character.encode()):
                    bits[point] |= kind | _ALONE * language.may_be_word(form)
                    lower[point] = ord(form)
        return cls(bits, lower)


def _kind_of_letter(character: str) -> int:
    """The bits of a letter of a script whose words are plain; 0 for all other characters."""
    if _ALPHABETS.match(character) and character.isalpha():
        return _STARTS | _LETTER
    if _DEVANAGARI.match(character):
        return _STARTS | _LETTER | _INDIC
    if _DEVANAGARI_SIGN.match(character):
        return _LETTER | _INDIC
    return 0


def split_plain_runs(runs: pa.StringArray, tables: Tables) -> PlainRuns:
    """The words of all runs that are plain."""
    _, offsets, data = runs.buffers()
    places = np.frombuffer(offsets, np.int32)[runs.offset : runs.offset + len(runs) + 1]
    text = np.frombuffer(data or b"", np.uint8)
    numbers, ends, words, flags = _split_plain(places, text, *tables)
    offset_buffer, word_buffer = pa.py_buffer(ends), pa.py_buffer(words)
    array = pa.StringArray.from_buffers(len(flags), offset_buffer, word_buffer)
    return PlainRuns(numbers, array, flags)


@numba.njit(cache=True, boundscheck=False)
def _split_plain(
    places: NDArray[np.int32],
    text: NDArray[np.uint8],
    bits: NDArray[np.uint16],
    lower: NDArray[np.uint16],
) -> tuple[NDArray[np.int64], NDArray[np.int32], NDArray[np.uint8], NDArray[np.uint8]]:
    """The number of words of each run; the offsets, letters and flags of all words."""
    runs = len(places) - 1
    numbers = np.empty(runs, np.int64)
    ends = np.zeros(runs + 1, np.int32)
    words = np.empty(places[runs] - places[0], np.uint8)
    flags = np.empty(runs, np.uint8)
    found = 0
    written = 0
    for run in range(runs):
        at = places[run]
        place = written  # where the next letter goes
        is_known, is_plain, has_alpha, is_alone = True, True, False, False
        in_signs, in_word = True, False  # before the word, inside it
        letters, capitals, opens, is_end, script = 0, 0, 0, 0, 0
        while at < places[run + 1]:
            point, size = character_at(text, at)
            if point >= LIMIT:
                is_known = False
                break
            kind = bits[point]
            has_alpha |= kind & _ALPHA != 0
            if at == places[run] and kind & _OPENER:
                opens = OPENS
            if not kind & _CLOSER:
                is_end = kind & _ENDER
            starts = in_signs and kind & _STARTS
            if starts or (in_word and kind & _LETTER and kind & _SCRIPTS == script):
                in_signs, in_word = False, True
                script = kind & _SCRIPTS
                letters += 1
                capitals += kind & _UPPER != 0
                is_alone = kind & _ALONE != 0
                form = np.int64(lower[point])
                if size == 1:
                    words[place] = form
                elif size == 2:
                    words[place] = 0xC0 | form >> 6
                    words[place + 1] = 0x80 | form & 0x3F
                else:
                    words[place] = 0xE0 | form >> 12
                    words[place + 1] = 0x80 | form >> 6 & 0x3F
                    words[place + 2] = 0x80 | form & 0x3F
                place += size
            elif in_signs:
                is_plain &= kind & _LEADING != 0
            else:
                in_word = False
                is_plain &= kind & _TRAILING != 0
            at += size
        if not is_known:
            numbers[run] = LEFT
        elif not has_alpha:
            numbers[run] = 0
        elif not is_plain or letters == 0:
            numbers[run] = LEFT
        elif letters == 1 and not is_alone:
            numbers[run] = 0
        else:
            numbers[run] = 1
            flag = opens
            if capitals:
                flag |= CAPITAL
            if capitals > 1 and capitals == letters:
                flag |= ALL_CAPITALS
            if is_end:
                flag |= ENDS
            flags[found] = flag
            written = place
            found += 1
            ends[found] = written
    return numbers, ends[: found + 1], words[:written], flags[:found]
