"""The counts of a language on disk: reader and writer of matrices/<language>/counts.

    counts.json    words, pairs, total (over ordered pairs), window, weighting, scale
    indptr.npy     int64: where the pairs of each word start, and where those of the last one end
    indices.npy    int32: the second word of each pair, ascending within a row
    values.npy     int64: the weight of each pair, times `scale`

The matrix is symmetric and its diagonal is empty, so only pairs above the diagonal are stored: the
first word of a pair is the one that comes first in the vocabulary. The pairs (a, b) and (b, c) of
the vocabulary a, b, c, with the weights 1.5 and 2 and the scale 2, are

    indptr 0 1 2 2     indices 1 2     values 3 4     total 14
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipeline import storage
from pipeline.storage import AnyPath
from wordkin.arrays import map_array
from wordkin.errors import InputError
from wordkin.files import scratch_folder


class WindowFacts(NamedTuple):
    """What kind of windows were counted."""

    window: int
    weighting: str
    scale: int
    """Stored values are the true weights times this number."""


@dataclass(frozen=True)
class CountMatrix:
    """Co-occurrence counts: the strict upper triangle as CSR, columns ascending.

    Values are integers, `facts.scale` times the true weight, so that sums are exact.
    """

    indptr: NDArray[np.int64]
    indices: NDArray[np.int32]
    values: NDArray[np.int64]
    facts: WindowFacts

    @property
    def words(self) -> int:
        return len(self.indptr) - 1

    @property
    def scale(self) -> int:
        return self.facts.scale

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
    folder = storage.local_copy(folder)
    path = folder / "counts.json"
    try:
        described = json.loads(path.read_text(encoding="utf-8"))
        words, pairs, window, scale = (
            int(described[key]) for key in ("words", "pairs", "window", "scale")
        )
        facts = WindowFacts(window, str(described["weighting"]), scale)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} does not describe counts: make the counts again.") from error
    indptr, indices, values = (
        map_array(folder / f"{name}.npy") for name in ("indptr", "indices", "values")
    )
    if len(indptr) != words + 1 or not len(indices) == len(values) == indptr[-1] == pairs:
        raise InputError(f"The files in {folder} do not fit together: make the counts again.")
    return CountMatrix(indptr, indices, values, facts)


def write_counts(folder: Path, counts: CountMatrix) -> None:
    """Write what `read_counts` reads, from a matrix that fits in memory."""
    with scratch_folder(folder.with_name(f"{folder.name}.band")) as scratch:
        lengths = np.diff(counts.indptr)
        band = write_band(scratch / "band", 0, lengths, counts.indices, counts.values)
        join_bands(folder, folder, counts.words, [band], counts.facts)


class BandFile(NamedTuple):
    """Consecutive rows of the matrix in a file, on their way to the whole matrix."""

    path: AnyPath
    first_row: int
    rows: int
    pairs: int
    total: int
    """The sum of the values, each pair once."""


def write_band(
    path: Path,
    first_row: int,
    lengths: NDArray[np.int64],
    indices: NDArray[np.int32],
    values: NDArray[np.int64],
) -> BandFile:
    """Write consecutive rows: the number of pairs in each, and all pairs in order."""
    with path.open("wb") as file:
        for array in (lengths, indices, values):
            np.save(file, array)
    return BandFile(path, first_row, len(lengths), len(indices), int(values.sum()))


def join_bands(
    folder: Path, shared: AnyPath, words: int, bands: Sequence[BandFile], facts: WindowFacts
) -> dict[str, Any]:
    """Write the counts of a language from bands in the order of their rows.

    The files live at `shared`, which may be the folder itself. Rows without a band have no pairs.
    Returns what `counts.json` says.
    """
    pairs, total = sum(band.pairs for band in bands), sum(band.total for band in bands)
    described = {"words": words, "pairs": pairs, "total": 2 * total, **facts._asdict()}
    lengths = np.zeros(words + 1, np.int64)
    with storage.new_folder(folder, shared) as target:
        with (
            _array_file(target / "indices.npy", np.dtype(np.int32), pairs) as indices,
            _array_file(target / "values.npy", np.dtype(np.int64), pairs) as values,
        ):
            for band in bands:
                with storage.opened(band.path) as file:
                    lengths[band.first_row + 1 : band.first_row + band.rows + 1] = np.load(file)
                    indices.write(np.load(file).data)
                    values.write(np.load(file).data)
        with storage.new_file(target / "indptr.npy") as path, path.open("wb") as file:
            np.save(file, np.cumsum(lengths))
        with storage.new_file(target / "counts.json") as path:
            path.write_text(json.dumps(described, indent=2, sort_keys=True) + "\n")
    return described


@contextmanager
def _array_file(place: AnyPath, dtype: np.dtype[Any], length: int) -> Iterator[IO[bytes]]:
    """A `.npy` file for `length` numbers, open after its header; the numbers are for the caller."""
    header = np.lib.format.header_data_from_array_1_0(np.empty(0, dtype))
    with storage.new_file(place) as path, path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, {**header, "shape": (length,)})
        yield file
