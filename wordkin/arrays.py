"""Arrays on disk: plain `.npy` files, mapped into memory when read, never left half-written."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordkin.errors import InputError
from wordkin.files import new_file

Floats = NDArray[np.float32]
Ids = NDArray[np.int64]


@dataclass(frozen=True)
class StreamedArray:
    """An array that is too large for memory: its rows are computed block by block."""

    shape: tuple[int, int]
    dtype: np.dtype[Any]
    blocks: Iterable[NDArray[Any]]

    def __len__(self) -> int:
        return self.shape[0]


def map_array(path: Path) -> NDArray[Any]:
    """Map a `.npy` file into memory; refuse a missing or damaged one."""
    try:
        return np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise InputError(f"Cannot read the array {path}: make or copy it again.") from error


def write_array(path: Path, array: NDArray[Any] | StreamedArray) -> None:
    """Write a `.npy` file; an old one stays until the new one is complete."""
    with new_file(path) as temporary, temporary.open("wb") as file:
        if isinstance(array, StreamedArray):
            header = {
                "descr": np.lib.format.dtype_to_descr(array.dtype),
                "fortran_order": False,
                "shape": array.shape,
            }
            np.lib.format.write_array_header_1_0(file, header)
            for block in array.blocks:
                file.write(np.ascontiguousarray(block, dtype=array.dtype).data)
        else:
            np.save(file, array, allow_pickle=False)
