"""Arrays on disk: plain `.npy` files, mapped into memory when read, written whole or not at all."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordkin.errors import InputError
from wordkin.files import new_file


@dataclass(frozen=True)
class Rows:
    """An array that is too large for memory and comes in blocks of rows."""

    shape: tuple[int, int]
    dtype: np.dtype[Any]
    blocks: Iterable[NDArray[Any]]

    def __len__(self) -> int:
        return self.shape[0]


def map_array(path: Path) -> NDArray[Any]:
    """Map a `.npy` file into memory; a missing or damaged one is refused in one sentence."""
    try:
        return np.load(path, mmap_mode="r", allow_pickle=False)
    except (OSError, ValueError, EOFError) as error:
        raise InputError(f"Cannot read the array {path}: make or copy it again.") from error


def write_array(path: Path, array: NDArray[Any] | Rows) -> None:
    """Write a `.npy` file beside its place, then move it there."""
    with new_file(path) as temporary, temporary.open("wb") as file:
        if isinstance(array, Rows):
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
