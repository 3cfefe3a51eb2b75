"""A kind of measure: its name and arrays on disk, and how it is opened and checked."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from wordkin.arrays import LARGEST, StreamedArray, write_array
from wordkin.errors import InputError
from wordkin.files import new_folder, write_text
from wordkin.measures import files
from wordkin.measures.measure import Measure

Arrays = Mapping[str, NDArray[Any] | StreamedArray]
Facts = Mapping[str, Any]

DESCRIPTION = "measure.json"


class MeasureFolder(files.MeasureFolder):
    """A measure on disk that may have a value for all pairs that it does not store."""

    @property
    def fill(self) -> float:
        """The relatedness of pairs that are not stored."""
        value = self.facts.get("fill", 0.0)
        if not isinstance(value, int | float) or not -LARGEST <= value <= LARGEST:
            raise InputError(f"{self.path / DESCRIPTION} has no valid 'fill': make it again.")
        return float(value)


@dataclass(frozen=True)
class Kind:
    """A kind of measure.

    Attributes
    ----------
    name : str
        Its name in `measure.json`.
    arrays : tuple of str
        The arrays that every measure of this kind has.
    open : function
        Opens a measure of this kind; raises `InputError` if it is damaged.
    count_words : function, optional
        The number of words, from the arrays. A kind without arrays has none: whoever writes such a
        measure says how many words it has.
    is_compact : bool, optional
        Whether its arrays have few bytes anyway, so that the compact store keeps them as they are.
    """

    name: str
    arrays: tuple[str, ...]
    open: Callable[[MeasureFolder], Measure]
    count_words: Callable[[Arrays], int] | None = None
    is_compact: bool = False

    def write(
        self, folder: Path, name: str, arrays: Arrays, facts: Facts | Callable[[], Facts] | None
    ) -> None:
        """Write a measure of this kind; see `wordkin.measures.store.write_measure`."""
        missing = set(self.arrays) - set(arrays)
        if missing:
            raise ValueError(f"a {self.name} measure needs the arrays {sorted(missing)}")
        with new_folder(folder) as temporary:
            for array_name, array in arrays.items():
                write_array(temporary / f"{array_name}.npy", array)
            description = {
                "measure": name,
                "kind": self.name,
                "arrays": sorted(arrays),
                **(facts() if callable(facts) else facts or {}),
            }
            if self.count_words:
                description["words"] = self.count_words(arrays)
            text = json.dumps(description, indent=2, sort_keys=True)
            write_text(temporary / DESCRIPTION, text + "\n")
