"""The counts format: what the writer writes, the reader reads."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.count.store import (
    CountMatrix,
    join_bands,
    read_counts,
    write_band,
    write_counts,
)
from tests.support.corpora import files
from tests.support.examples import at_most
from tests.support.matrices import count_matrix
from wordkin.errors import InputError


def random_counts(words: int, density: float, seed: int) -> CountMatrix:
    random = np.random.default_rng(seed)
    counts = random.integers(1, 2**50, (words, words)) * (random.random((words, words)) < density)
    return count_matrix(counts, scale=12)


matrices = st.builds(
    random_counts, st.integers(1, 12), st.sampled_from([0.0, 0.2, 1.0]), st.integers(0, 10**6)
)


def assert_equal(a: CountMatrix, b: CountMatrix) -> None:
    for name in ("indptr", "indices", "values"):
        np.testing.assert_array_equal(getattr(a, name), getattr(b, name))
        assert getattr(a, name).dtype == getattr(b, name).dtype
    assert a.facts == b.facts


@settings(max_examples=at_most(40))
@given(matrices)
def test_the_reader_reads_what_the_writer_wrote(counts: CountMatrix) -> None:
    with TemporaryDirectory() as folder:
        write_counts(Path(folder) / "counts", counts)
        assert_equal(read_counts(Path(folder) / "counts"), counts)
        assert [path.name for path in Path(folder).iterdir()] == ["counts"]


@settings(max_examples=at_most(40))
@given(matrices, st.sets(st.integers(1, 11)))
def test_bands_join_to_the_same_bytes_as_the_whole_matrix(
    counts: CountMatrix, cuts: set[int]
) -> None:
    with TemporaryDirectory() as folder:
        root = Path(folder)
        bands = []
        for low, high in pairwise(
            sorted({0, counts.words} | {c for c in cuts if c < counts.words})
        ):
            span = slice(counts.indptr[low], counts.indptr[high])
            if span.start < span.stop:  # a band without pairs is left out
                lengths = np.diff(counts.indptr[low : high + 1])
                arrays = (lengths, counts.indices[span], counts.values[span])
                bands.append(write_band(root / f"band-{low}", low, *arrays))
        described = join_bands(root / "joined", root / "joined", counts.words, bands, counts.facts)
        write_counts(root / "whole", counts)
        assert files(root / "joined") == files(root / "whole")
        assert described == json.loads((root / "joined" / "counts.json").read_text())


def test_the_example_of_the_documentation(tmp_path: Path) -> None:
    values = np.array([[0, 3, 0], [0, 0, 4], [0, 0, 0]])
    write_counts(tmp_path / "counts", count_matrix(values, scale=2))
    folder = tmp_path / "counts"
    assert np.load(folder / "indptr.npy").tolist() == [0, 1, 2, 2]
    assert np.load(folder / "indices.npy").tolist() == [1, 2]
    assert np.load(folder / "values.npy").tolist() == [3, 4]
    assert json.loads((folder / "counts.json").read_text()) == {
        "words": 3, "pairs": 2, "total": 14, "window": 4, "weighting": "harmonic", "scale": 2,
    }  # fmt: skip


@given(st.integers(1, 12), st.integers(0, 10**6))
def test_marginals_are_the_row_sums_of_the_symmetric_matrix(words: int, seed: int) -> None:
    upper = np.triu(np.random.default_rng(seed).integers(0, 9, (words, words)), 1)
    counts = count_matrix(upper)
    np.testing.assert_array_equal(counts.marginals(), (upper + upper.T).sum(axis=1))
    assert counts.total == (upper + upper.T).sum()


def change_facts(folder: Path, **changes: object) -> None:
    """Change the description; what is None is left out of it."""
    path = folder / "counts.json"
    facts = json.loads(path.read_text()) | changes
    path.write_text(json.dumps({key: value for key, value in facts.items() if value is not None}))


def halve(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


DAMAGES: dict[str, Callable[[Path], object]] = {
    "no description": lambda folder: (folder / "counts.json").unlink(),
    "half a description": lambda folder: halve(folder / "counts.json"),
    "a description without a window": lambda folder: change_facts(folder, window=None),
    "another number of words": lambda folder: change_facts(folder, words=4),
    "fewer values": lambda folder: np.save(folder / "values.npy", np.ones(9, np.int64)),
    "half an array": lambda folder: halve(folder / "indices.npy"),
    "no row starts": lambda folder: (folder / "indptr.npy").unlink(),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_damaged_counts_are_refused_in_one_sentence(tmp_path: Path, damage: str) -> None:
    folder = tmp_path / "counts"
    write_counts(folder, random_counts(5, 1.0, seed=5))
    DAMAGES[damage](folder)
    with pytest.raises(InputError, match="again"):
        read_counts(folder)
