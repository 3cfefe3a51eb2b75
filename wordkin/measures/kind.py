"""A kind of measure: its name and arrays on disk, and how it is opened and checked."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordkin.arrays import LARGEST, StreamedArray, open_array, write_array
from wordkin.errors import InputError
from wordkin.files import new_folder, write_text
from wordkin.measures.measure import Measure
from wordkin.vocabulary import Vocabulary

Arrays = Mapping[str, NDArray[Any] | StreamedArray]
Facts = Mapping[str, Any]

DESCRIPTION = "measure.json"


@dataclass(frozen=True)
class MeasureFolder:
    """A measure on disk, as a kind sees it when it opens one.

    Attributes
    ----------
    path : Path
        The folder.
    facts : mapping
        The content of its `measure.json`.
    vocabulary : Vocabulary
        The words of the measure.
    open_part : function
        Opens another measure of the same build by its name.
    thorough : bool
        Whether to check all numbers, and not only a sample; then a kind also checks what it
        otherwise trusts.
    """

    path: Path
    facts: Mapping[str, Any]
    vocabulary: Vocabulary
    open_part: Callable[[str], Measure]
    thorough: bool = False

    @property
    def name(self) -> str:
        """The name of the measure."""
        return str(self.facts["measure"])

    @property
    def fill(self) -> float:
        """The relatedness of pairs that are not stored."""
        value = self.facts.get("fill", 0.0)
        if not isinstance(value, int | float) or not -LARGEST <= value <= LARGEST:
            raise InputError(f"{self.path / DESCRIPTION} has no valid 'fill': make it again.")
        return float(value)

    def has_array(self, name: str) -> bool:
        """Whether `measure.json` lists an array that not all measures of the kind have."""
        arrays = self.facts.get("arrays", ())
        return isinstance(arrays, list) and name in arrays

    def array(
        self,
        name: str,
        shape: tuple[int | None, ...],
        types: str = "f",
        low: float = -LARGEST,
        high: float = LARGEST,
    ) -> NDArray[Any]:
        """Map an array into memory; refuse one of another shape, type or range.

        Parameters
        ----------
        name : str
            The name of the file without `.npy`.
        shape : tuple of int or None
            The sizes it must have; None allows any size.
        types : str, optional
            The numpy type codes that are allowed: `f` for floats, `iu` for integers.
        low, high : float, optional
            The range of its numbers; see `wordkin.arrays.open_array`.
        """
        path = self.path / f"{name}.npy"
        return open_array(path, shape, types, low, high, self.thorough)

    def ends(self, name: str, count: int, size: int) -> NDArray[Any]:
        """Map the ends of lists that lie one after the other in another array.

        Parameters
        ----------
        name : str
            The name of the file without `.npy`.
        count : int
            The number of lists; the array has one number more, the first is 0.
        size : int
            The length of the array that the lists are in.
        """
        ends = self.array(name, (count + 1,), "i", low=0, high=size)
        if ends[0] != 0 or ends[-1] != size or (np.diff(ends) < 0).any():
            raise InputError(
                f"The arrays in {self.path} do not fit together: make or copy them again."
            )
        return ends


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
