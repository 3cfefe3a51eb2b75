"""Safetensors: the arrays of a measure in one file, for machine-learning programs.

The format is simple enough to be written without its library:

    8 bytes    the length of the header, little-endian
    header     JSON: the type, shape and place of each array, and metadata (text only)
    arrays     one after the other, in the order of the header
"""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from wordkin.exports.format import Format, Request
from wordkin.exports.pairs import pairs_matrix
from wordkin.files import new_file
from wordkin.measures.measure import Measure
from wordkin.measures.sparse import SparseMeasure

_TYPES = {"f2": "F16", "f4": "F32", "f8": "F64", "i1": "I8", "i2": "I16", "i4": "I32", "i8": "I64"}
_TYPES |= {"u1": "U8", "u2": "U16", "u4": "U32", "u8": "U64"}
_ALIGNMENT = 8


def write_safetensors(
    measure: Measure, path: Path, top: int | None = None, language: str = ""
) -> None:
    """Write the arrays of a measure.

    The metadata has the name of the measure, the language, the relatedness `fill` of pairs that are
    not stored, and the `words` as a JSON list.

    Parameters
    ----------
    measure : Measure
        What to write. Vectors are written as `vectors`. Any other measure is written as a sparse
        matrix with both triangles: `indptr`, `indices`, `values`. A sparse measure that
        approximates the pairs it does not store also has `rest`, `signs` and `bounds`.
    path : Path
        The file to write.
    top : int, optional
        The pairs to write of a matrix; see `wordkin.exports.pairs.write_edges`.
    language : str, optional
        The code of the language.
    """
    arrays, fill = _arrays_of(measure, top)
    metadata = {
        "format": "np",
        "language": language,
        "measure": measure.name,
        "fill": f"{fill:.7g}",
        "words": json.dumps(measure.vocabulary.words, ensure_ascii=False),
    }
    with new_file(path) as temporary:
        _write(temporary, arrays, metadata)


def _arrays_of(measure: Measure, top: int | None) -> tuple[dict[str, NDArray[Any]], float]:
    """The arrays by name, and the relatedness of pairs that they do not have."""
    vectors = measure.unit_vectors()
    if vectors is not None:
        return {"vectors": vectors}, 0.0
    if not isinstance(measure, SparseMeasure) or top is not None:
        matrix = pairs_matrix(measure, top)
        indptr, indices = matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32)
        return {"indptr": indptr, "indices": indices, "values": matrix.data}, 0.0
    arrays: dict[str, NDArray[Any]] = {
        "indptr": measure.indptr,
        "indices": measure.indices,
        "values": measure.values,
    }
    if measure.low_rank:
        arrays["rest"] = measure.low_rank.rest
        arrays["signs"] = measure.low_rank.signs
        arrays["bounds"] = measure.low_rank.bounds
    return arrays, measure.fill


def _write(path: Path, arrays: Mapping[str, NDArray[Any]], metadata: Mapping[str, str]) -> None:
    # Wide types come first, so that every array starts at a multiple of the size of its numbers.
    names = sorted(arrays, key=lambda name: (-arrays[name].dtype.itemsize, name))
    header: dict[str, Any] = {"__metadata__": dict(metadata)}
    end = 0
    for name in names:
        array = arrays[name]
        start, end = end, end + array.nbytes
        header[name] = {
            "dtype": _TYPES[array.dtype.str[1:]],
            "shape": list(array.shape),
            "data_offsets": [start, end],
        }
    text = json.dumps(header, ensure_ascii=False, separators=(",", ":")).encode()
    text += b" " * (-len(text) % _ALIGNMENT)
    with path.open("wb") as file:
        file.write(struct.pack("<Q", len(text)) + text)
        for name in names:
            little_endian = arrays[name].dtype.newbyteorder("<")
            file.write(np.ascontiguousarray(arrays[name], dtype=little_endian).data)


def _safetensors(request: Request) -> None:
    write_safetensors(request.measure, request.path, request.top, request.bundle.language)


FORMATS = {
    "safetensors": Format(
        "vectors, or the arrays of a sparse matrix, with the words as metadata", _safetensors
    )
}
