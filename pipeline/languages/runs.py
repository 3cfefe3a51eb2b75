"""Lines of text to runs, the pieces between spaces, and plain runs to words, by compiled kernels.

Most of the distinct runs in a text are one word of an alphabet, perhaps between signs, or a number.
The kernel finds their words and flags by tables with one entry per character. `Language` decides
what the tables say; every run that they do not decide is left to it.
"""

from __future__ import annotations

import unicodedata
from typing import Any, NamedTuple

import numba
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from pipeline.languages.rules import IS_LETTER, LEADING_SIGNS, TRAILING_SIGNS, Language

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

LIMIT = 0x3000
"""Characters from here on are left to `Language`."""

# Bits of a character in a table.
_LETTER, _ALPHA, _LEADING, _TRAILING, _UPPER, _OPENER, _CLOSER, _ENDER, _ALONE = (
    1 << bit for bit in range(9)
)

LEFT = -1
"""The number of words of a run that the kernel does not decide."""


class PlainRuns(NamedTuple):
    """The words of distinct runs."""

    numbers: NDArray[np.int64]
    """The number of words of each run: 0, 1 or `LEFT`."""
    words: pa.StringArray
    """The words of all runs that have one."""
    flags: NDArray[np.uint8]
    """The flags of each word."""


class PlainTables(NamedTuple):
    """What the kernel knows about characters: their bits, and their lower case."""

    bits: NDArray[np.uint16]
    lower: NDArray[np.uint16]

    @classmethod
    def of(cls, language: Language) -> PlainTables:
        """The tables of a language; without letters if it has rules of its own for words."""
        bits = np.zeros(LIMIT, np.uint16)
        lower = np.arange(LIMIT, dtype=np.uint16)
        for point in range(LIMIT):
            character = chr(point)
            bits[point] = (
                _ALPHA * character.isalpha()
                | _LEADING * (character in LEADING_SIGNS)
                | _TRAILING * (character in TRAILING_SIGNS)
                | _UPPER * character.isupper()
                | _OPENER * (character in OPENERS)
                | _CLOSER * (character in CLOSERS)
                | _ENDER * (character in ENDERS)
            )
            if language.has_plain_words and character.isalpha() and IS_LETTER.match(character):
                form = unicodedata.normalize("NFC", character.lower())
                if len(form) == 1 and len(form.encode()) == len(character.encode()):
                    bits[point] |= _LETTER | _ALONE * language.may_be_word(form)
                    lower[point] = ord(form)
        return cls(bits, lower)


def split_plain_runs(runs: pa.StringArray, tables: PlainTables) -> PlainRuns:
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
        letters, capitals, opens, is_end = 0, 0, 0, 0
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
            if kind & _LETTER and (in_signs or in_word):
                in_signs, in_word = False, True
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
