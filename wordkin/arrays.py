"""Arrays on disk: plain `.npy` files, mapped into memory when read, never left half-written.

An array may come from anywhere, so nothing in it is believed. Its shape and type are checked when
it is opened, and so is a sample of its numbers; `thorough` looks at all of them.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Iterator
from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordkin.errors import InputError
from wordkin.files import new_file

Floats = NDArray[np.float32]
Ids = NDArray[np.int64]


def largest(values: NDArray[np.floating[Any]], k: int) -> Ids:
    """The places of the k largest values, the largest first; equals in the order of the array.

    The same as `np.argsort(-values, kind="stable")[:k]`, without sorting everything.
    """
    if not 0 < k < len(values):
        return np.argsort(-values, kind="stable")[: max(k, 0)]
    least = np.partition(values, len(values) - k)[len(values) - k]
    places = np.flatnonzero(values >= least)
    return places[np.argsort(-values[places], kind="stable")[:k]]


LARGEST = 1e9
"""The largest number that an array may have: products of three are still finite in 32 bits."""

_SAMPLES, _SAMPLE_SIZE, _CHUNK = 16, 256, 1 << 20
_SMALL = 1 << 16
"""Up to this size, looking at all numbers of an array takes no time."""

_UNREADABLE = (
    OSError, ValueError, TypeError, KeyError, MemoryError, RecursionError, SyntaxError, TokenError,
)  # fmt: skip
"""What numpy raises for a damaged file."""

_LONGEST_HEADER = 1000
"""The bytes of the longest header that is read; ours have about a hundred."""


def map_array(path: Path) -> NDArray[Any]:
    """Map a `.npy` file into memory; refuse a missing or damaged one."""
    try:
        if not path.is_file():  # reading a pipe or a device may never end
            raise FileNotFoundError(path)
        with path.open("rb") as file:
            if np.lib.format.read_magic(file) != (1, 0):
                raise ValueError("of another version")
            with warnings.catch_warnings(action="ignore"):  # of headers that nobody writes
                header = np.lib.format.read_array_header_1_0(file, _LONGEST_HEADER)
            shape, is_fortran, dtype = header
            offset = file.tell()
        size = math.prod(shape) * dtype.itemsize
        if dtype.hasobject or path.stat().st_size != offset + size:
            raise ValueError("of another size")
        if not dtype.isnative:
            raise ValueError("with bytes in a foreign order")
        if not size:
            return np.empty(shape, dtype)  # an empty piece of a file cannot be mapped
        return np.memmap(path, dtype, "r", offset, shape, "F" if is_fortran else "C")
    except _UNREADABLE as error:
        raise InputError(f"Cannot read the array {path}: make or copy it again.") from error


def open_array(
    path: Path,
    shape: tuple[int | None, ...],
    types: str = "f",
    low: float = -LARGEST,
    high: float = LARGEST,
    thorough: bool = False,
) -> NDArray[Any]:
    """Map an array into memory; refuse one of another shape or type, or with wrong numbers.

    Parameters
    ----------
    path : Path
        The `.npy` file.
    shape : tuple of int or None
        The sizes it must have; None allows any size.
    types : str, optional
        The numpy type codes that are allowed: `f` for floats, `iu` for integers.
    low, high : float, optional
        The range of the numbers. NaN is never allowed.
    thorough : bool, optional
        Whether to look at all numbers, and not only at a sample.
    """
    array = map_array(path)
    fits = len(array.shape) == len(shape) and all(
        wanted in (None, size) for wanted, size in zip(shape, array.shape, strict=True)
    )
    if not fits:
        raise InputError(f"{path} has a wrong size: make or copy it again.")
    if array.dtype.kind not in types or array.dtype.itemsize > 8:
        raise InputError(f"{path} has numbers of a wrong type: make or copy it again.")
    for numbers in _pieces(array.reshape(-1, order="A"), thorough):
        # Written so that NaN, which is neither lower nor higher, is refused.
        if not (float(numbers.min()) >= low and float(numbers.max()) <= high):
            raise InputError(f"{path} has numbers out of their range: make or copy it again.")
    return array


def _pieces(numbers: NDArray[Any], thorough: bool) -> Iterator[NDArray[Any]]:
    """All numbers in pieces, or a few pieces at equal distances, the first and the last too."""
    size = len(numbers)
    if thorough or size <= _SMALL:
        starts, length = list(range(0, size, _CHUNK)), _CHUNK
    else:
        last = size - _SAMPLE_SIZE
        starts = [last * place // (_SAMPLES - 1) for place in range(_SAMPLES)]
        length = _SAMPLE_SIZE
    for start in starts:
        yield np.asarray(numbers[start : start + length])


def write_array(path: Path, array: NDArray[Any]) -> None:
    """Write a `.npy` file; an old one stays until the new one is complete."""
    with new_file(path) as temporary, temporary.open("wb") as file:
        np.save(file, array, allow_pickle=False)
