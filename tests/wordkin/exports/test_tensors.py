"""Safetensors, read by its own library."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from tests.support.exports import full_matrix, nearest_pairs
from wordkin.bundle import Bundle
from wordkin.exports import FORMATS, tensors
from wordkin.measures.sparse import LowRank, SparseMeasure

safetensors = pytest.importorskip("safetensors")
safetensors_numpy = pytest.importorskip("safetensors.numpy")


def metadata(path: Path) -> dict[str, str]:
    with safetensors.safe_open(path, framework="np") as file:
        return file.metadata()


def matrix(arrays: dict[str, np.ndarray]) -> np.ndarray:
    """The full matrix of the three arrays of a sparse one."""
    size = len(arrays["indptr"]) - 1
    parts = (arrays["values"], arrays["indices"], arrays["indptr"])
    return sparse.csr_matrix(parts, shape=(size, size)).toarray()


def test_vectors_and_words_are_read_back(bundle: Bundle, tmp_path: Path) -> None:
    path = tmp_path / "svd.safetensors"
    FORMATS["safetensors"].write(bundle, bundle.measure("svd"), path)
    arrays = safetensors_numpy.load_file(path)
    assert arrays.keys() == {"vectors"}
    np.testing.assert_array_equal(arrays["vectors"], bundle.measure("svd").vectors)
    facts = metadata(path)
    assert (facts["language"], facts["measure"]) == ("en", "svd")
    assert json.loads(facts["words"]) == bundle.vocabulary.words


def test_a_sparse_measure_is_written_as_its_arrays(bundle: Bundle, tmp_path: Path) -> None:
    measure = bundle.measure("npmi")
    tensors.write_safetensors(measure, tmp_path / "npmi.safetensors")
    arrays = safetensors_numpy.load_file(tmp_path / "npmi.safetensors")
    for name in ("indptr", "indices", "values"):
        stored = getattr(measure, name)
        assert arrays[name].dtype == stored.dtype
        np.testing.assert_array_equal(arrays[name], stored)
    np.testing.assert_array_equal(matrix(arrays), full_matrix(bundle, "npmi"))


@pytest.mark.parametrize("name", ["npmi", "graph"])
def test_with_top_a_matrix_has_the_nearest_pairs(bundle: Bundle, tmp_path: Path, name: str) -> None:
    tensors.write_safetensors(bundle.measure(name), tmp_path / "m.safetensors", top=3)
    values = matrix(safetensors_numpy.load_file(tmp_path / "m.safetensors"))
    np.testing.assert_array_equal(values, values.T)
    written = {(i, j): values[i, j] for i, j in zip(*np.triu(values).nonzero(), strict=True)}
    assert written == pytest.approx(nearest_pairs(full_matrix(bundle, name), 3), abs=1e-6)


def test_the_approximation_of_pairs_that_are_not_stored_is_written_too(
    bundle: Bundle, tmp_path: Path
) -> None:
    npmi = bundle.measure("npmi")
    size = len(bundle.vocabulary)
    low_rank = LowRank(
        rest=np.arange(2 * size, dtype=np.float32).reshape(size, 2),
        signs=np.array([1, -1], dtype=np.float32),
        bounds=np.ones(size, dtype=np.float32),
        floor=-1.0,
    )
    measure = SparseMeasure(
        "npmi", bundle.vocabulary, npmi.indptr, npmi.indices, npmi.values, -0.25, low_rank
    )
    tensors.write_safetensors(measure, tmp_path / "npmi.safetensors")
    arrays = safetensors_numpy.load_file(tmp_path / "npmi.safetensors")
    for name in ("rest", "signs", "bounds"):
        np.testing.assert_array_equal(arrays[name], getattr(low_rank, name))
    assert float(metadata(tmp_path / "npmi.safetensors")["fill"]) == -0.25


def test_half_precision_stays_half_precision(bundle: Bundle, tmp_path: Path) -> None:
    npmi = bundle.measure("npmi")
    half = np.asarray(npmi.values, dtype=np.float16)
    measure = SparseMeasure("npmi", bundle.vocabulary, npmi.indptr, npmi.indices, half)
    tensors.write_safetensors(measure, tmp_path / "npmi.safetensors")
    arrays = safetensors_numpy.load_file(tmp_path / "npmi.safetensors")
    assert arrays["values"].dtype == np.float16
    np.testing.assert_array_equal(arrays["values"], half)
