"""Lines of text to runs: the pieces between spaces, found by a compiled kernel."""

from __future__ import annotations

from typing import Any, NamedTuple

import numba
import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

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
    runs = _split(places, np.frombuffer(data or b"", np.uint8), SPACES, letters, ends, bounds)
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
def _split(
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
