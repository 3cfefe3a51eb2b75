"""Lines of text to runs: the pieces between spaces, found by a compiled kernel."""

from __future__ import annotations

from typing import NamedTuple

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
            first = np.int64(text[at])
            if first < 0x80:
                point, size = first, 1
            elif first < 0xE0:
                point, size = (first & 0x1F) << 6 | (text[at + 1] & 0x3F), 2
            elif first < 0xF0:
                point = (first & 0x0F) << 12 | np.int64(text[at + 1] & 0x3F) << 6
                point, size = point | (text[at + 2] & 0x3F), 3
            else:
                point, size = np.int64(len(spaces)), 4
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
