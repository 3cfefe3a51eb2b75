"""The counts of a language on disk: reader and writer of `matrices/<lang>/counts`.

    counts.json    words, pairs, window, weighting, scale, and the total over ordered pairs
    indptr.npy     int64: where the pairs of each word start, and where the last ones end
    indices.npy    int32: the second word of each pair, ascending within a row
    values.npy     int64: the weight of each pair, `scale` times the true one

The matrix is symmetric and its diagonal is empty, so only the pairs above the diagonal are stored:
the first word of a pair is the more frequent one.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordkin.arrays import map_array
from wordkin.errors import InputError
from wordkin.files import new_folder, write_text

ARRAYS = ("indptr", "indices", "values")


@dataclass(frozen=True)
class CountMatrix:
    """Co-occurrence counts: the strict upper triangle as CSR, columns ascending.

    Values are integers, `scale` times the true weight, so that sums are exact.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    values: NDArray[np.int64]
    scale: int

    @property
    def words(self) -> int:
        return len(self.indptr) - 1

    @property
    def total(self) -> int:
        """The sum over ordered pairs: each pair counts twice."""
        return 2 * int(self.values.sum())

    def marginals(self) -> NDArray[np.int64]:
        """The sum of each word's counts with all other words."""
        sums = np.zeros(self.words, np.int64)
        np.add.at(sums, self.first_words(), self.values)
        np.add.at(sums, self.indices, self.values)
        return sums

    def first_words(self) -> NDArray[np.int32]:
        """The first word of each pair; `indices` has the second."""
        return np.repeat(np.arange(self.words, dtype=np.int32), np.diff(self.indptr))


def read_counts(folder: Path) -> CountMatrix:
    """Read the counts of a language; files that do not fit together are refused."""
    path = folder / "counts.json"
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
        words, pairs, scale = (int(facts[key]) for key in ("words", "pairs", "scale"))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} does not describe counts: make the counts again.") from error
    indptr, indices, values = (map_array(folder / f"{name}.npy") for name in ARRAYS)
    counts = CountMatrix(indptr, indices, values, scale)
    if counts.words != words or not (
        len(counts.indices) == len(counts.values) == counts.indptr[-1] == pairs
    ):
        raise InputError(f"The files in {folder} do not fit together: make the counts again.")
    return counts


class BandFile(NamedTuple):
    """A band of rows of the matrix, written by a task: where it is and what it holds."""

    path: Path
    first_row: int
    rows: int
    pairs: int
    total: int


def write_band(
    path: Path,
    first_row: int,
    lengths: NDArray[np.int64],
    indices: NDArray[np.int32],
    values: NDArray[np.int64],
) -> BandFile:
    """Write the rows of a band: how many pairs each has, and the pairs of one after the other."""
    with path.open("wb") as file:
        for array in (lengths, indices, values):
            np.save(file, array)
    return BandFile(path, first_row, len(lengths), len(indices), int(values.sum()))


def write_counts(
    folder: Path, words: int, bands: Sequence[BandFile], facts: dict[str, Any]
) -> dict[str, Any]:
    """Join bands, in the order of their rows, into the counts of a language.

    `facts` are told in `counts.json` beside words, pairs and total; returns what it says.
    """
    pairs = sum(band.pairs for band in bands)
    told = {"words": words, "pairs": pairs, "total": 2 * sum(band.total for band in bands), **facts}
    indptr = np.zeros(words + 1, np.int64)
    with new_folder(folder) as temporary:
        with (
            _growing(temporary / "indices.npy", np.dtype(np.int32), pairs) as indices,
            _growing(temporary / "values.npy", np.dtype(np.int64), pairs) as values,
        ):
            for band in bands:
                with band.path.open("rb") as file:
                    indptr[band.first_row + 1 : band.first_row + band.rows + 1] = np.load(file)
                    indices.write(np.load(file).data)
                    values.write(np.load(file).data)
        np.save(temporary / "indptr.npy", np.cumsum(indptr))
        text = json.dumps(told, indent=2, sort_keys=True)
        write_text(temporary / "counts.json", text + "\n")
    return told


@contextmanager
def _growing(path: Path, dtype: np.dtype[Any], length: int) -> Iterator[Any]:
    """A `.npy` file whose header is written and whose `length` numbers come one by one."""
    header = np.lib.format.header_data_from_array_1_0(np.empty(0, dtype))
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, {**header, "shape": (length,)})
        yield file
