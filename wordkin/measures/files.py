"""Measures on disk: one folder per measure, with plain `.npy` arrays and a `measure.json`.

Every measure that is not made of others is a *matrix* (the kind `matrix`). It is stored as pairs of
words, or as vectors whose products estimate the relatedness, or as both:

    indptr     int64, words + 1             the pairs of word i are those from indptr[i] to
                                            indptr[i + 1]
    indices    uint16 or int32              the other word of each pair, ascending within a word
    values     float32, or uint8            the relatedness of each pair, or its number in `levels`
    levels     float32, 256                 the relatedness that each number stands for

    vectors    float32 or int8, words x dimensions
    scales     float32, words               a vector of whole numbers is multiplied by its scale
    weights    float32, dimensions          of the products of two vectors' numbers; 1 without it
    bounds     float32, words               no product is above the bound of either of its words:
                                            the relatedness of the last pair that it stores as one
                                            of its closest; inf for a word that stores all

A pair is stored twice, as ab and as ba. The relatedness of two words is that of their stored pair
if there is one, else the weighted product of their vectors if there are vectors, else 0. A build
has exact pairs and vectors in float32, a bundle has `levels` and `scales`. This reads the
relatedness of the words 3 and 5 from a bundle that has all of these arrays:

    import numpy as np
    a, b = 3, 5
    names = "indptr indices values levels vectors scales weights bounds".split()
    arrays = [np.load(f"{folder}/{name}.npy", mmap_mode="r") for name in names]
    indptr, indices, values, levels, vectors, scales, weights, bounds = arrays
    row = slice(indptr[a], indptr[a + 1])
    stored = levels[values[row]][indices[row] == b]
    product = scales[a] * scales[b] * np.sum(weights * vectors[a] * vectors[b])
    relatedness = stored[0] if len(stored) else min(product, bounds[a], bounds[b])

A measure may have more arrays and facts, for its explanations. This module writes measures and
describes them; the modules of the kinds open them (`wordkin.measures.store`).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from wordkin.arrays import LARGEST, open_array, write_array
from wordkin.errors import InputError
from wordkin.files import is_name, new_folder, read_json, write_text

if TYPE_CHECKING:
    from wordkin.measures.measure import Measure
    from wordkin.vocabulary import Vocabulary

Array = NDArray[Any]

DESCRIPTION = "measure.json"

MATRIX = "matrix"
"""The name of the one kind that is stored as arrays of its own; others are made of measures."""

SMALL_IDS = 1 << 16
"""With up to so many words, ids are stored in 16 bits."""

_NO_DESCRIPTION = "is not a measure's description: make it again"


def write_measure(
    folder: Path,
    name: str,
    kind: str,
    words: int,
    arrays: Mapping[str, Array] | None = None,
    facts: Mapping[str, Any] | None = None,
) -> None:
    """Write a measure: its arrays and its `measure.json`, all of them or none.

    Parameters
    ----------
    folder : Path
        Where to write; what is there is replaced as a whole.
    name : str
        The name of the measure.
    kind : str
        The name of its kind.
    words : int
        The number of words of its vocabulary.
    arrays : mapping of str to array, optional
        Its arrays.
    facts : mapping, optional
        More content for `measure.json`: how it was made.
    """
    arrays = arrays or {}
    with new_folder(folder) as temporary:
        for array_name, array in arrays.items():
            write_array(temporary / f"{array_name}.npy", array)
        own = {"measure": name, "kind": kind, "words": words, "arrays": sorted(arrays)}
        text = json.dumps({**(facts or {}), **own}, indent=2, sort_keys=True)
        write_text(temporary / DESCRIPTION, text + "\n")


def write_matrix(
    folder: Path,
    name: str,
    pairs: tuple[Array, Array, Array] | None = None,
    vectors: Array | None = None,
    weights: Array | None = None,
    bounds: Array | None = None,
    facts: Mapping[str, Any] | None = None,
    more: Mapping[str, Array] | None = None,
    kind: str = MATRIX,
) -> None:
    """Write a matrix with the numbers as they are given; see the module for the arrays.

    Parameters
    ----------
    folder, name, facts
        See `write_measure`.
    pairs : tuple of arrays, optional
        `indptr`, `indices` and `values`: both triangles, ascending within a word, no diagonal.
    vectors, weights, bounds : array, optional
        What estimates the pairs that are not stored.
    more : mapping of str to array, optional
        Other arrays: `levels`, `scales`, and those that explain the measure.
    kind : str, optional
        The name of the kind, if it is another one that has these arrays.
    """
    arrays = dict(more or {})
    if pairs is not None:
        indptr, indices, values = pairs
        words = len(indptr) - 1
        ids = np.uint16 if words <= SMALL_IDS else np.int32
        arrays |= {"indptr": indptr, "indices": indices.astype(ids, copy=False), "values": values}
    if vectors is not None:
        words = len(vectors)
        arrays["vectors"] = vectors
    if pairs is None and vectors is None:
        raise ValueError("a matrix has pairs or vectors")
    if weights is not None:
        arrays["weights"] = weights
    if bounds is not None:
        arrays["bounds"] = bounds
    write_measure(folder, name, kind, words, arrays, facts)


def describe(folder: Path) -> dict[str, Any]:
    """The content of the `measure.json` in a folder."""
    path = folder / DESCRIPTION
    facts = read_json(path, _NO_DESCRIPTION)
    types = {"kind": str, "measure": str, "words": int, "arrays": list}
    if not isinstance(facts, dict) or not all(
        isinstance(facts.get(key), type_) for key, type_ in types.items()
    ):
        raise InputError(f"{path} {_NO_DESCRIPTION}.")
    if not (is_name(facts["kind"]) and is_name(facts["measure"])):
        raise InputError(f"{path} {_NO_DESCRIPTION}.")
    return facts


def has_vectors(folder: Path) -> bool:
    """Whether the measure in a folder is made of vectors alone, so that relatedness is a cosine."""
    facts = describe(folder)
    arrays = facts["arrays"]
    return facts["kind"] == MATRIX and "vectors" in arrays and not {"indptr", "weights"} & {*arrays}


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
        Whether to check all numbers, and not only a sample.
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

    def has_array(self, name: str) -> bool:
        """Whether `measure.json` lists an array that not all measures of the kind have."""
        return name in self.facts["arrays"]

    def array(
        self,
        name: str,
        shape: tuple[int | None, ...],
        types: str = "f",
        low: float = -LARGEST,
        high: float = LARGEST,
    ) -> Array:
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

    def ends(self, name: str, count: int, size: int) -> Array:
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
        if ends[0] != 0 or ends[-1] != size or (np.diff(ends.astype(np.int64)) < 0).any():
            raise InputError(
                f"The arrays in {self.path} do not fit together: make or copy them again."
            )
        return ends
