"""Writing and opening measures: never half-written, and refused when they do not fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.matrices import random_npmi, vocabulary
from tests.support.measures import VOCABULARY, WORDS, write_samples
from wordkin.arrays import StreamedArray
from wordkin.errors import InputError
from wordkin.measures.store import describe, open_measure, write_measure


def test_writing_again_leaves_no_arrays_of_another_kind(tmp_path: Path) -> None:
    folder = write_samples(tmp_path)["approximated"]
    write_measure(folder, "m", "dense", {"values": np.eye(WORDS, dtype=np.float32)})
    assert {path.name for path in folder.iterdir()} == {"measure.json", "values.npy"}
    assert describe(folder)["arrays"] == ["values"]


def test_an_array_can_be_written_block_by_block(tmp_path: Path) -> None:
    matrix = random_npmi(WORDS, 0.5, seed=4)
    blocks = (matrix[i : i + 5] for i in (0, 5, 10))
    streamed = StreamedArray(matrix.shape, np.dtype(np.float32), blocks)
    write_measure(tmp_path / "blocks", "m", "dense", {"values": streamed}, lambda: {"fill": 3.0})
    write_measure(tmp_path / "whole", "m", "dense", {"values": matrix}, {"fill": 3.0})
    for name in ("values.npy", "measure.json"):
        assert (tmp_path / "blocks" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_an_interrupted_write_keeps_the_old_measure(tmp_path: Path) -> None:
    folder = write_samples(tmp_path)["squared"]
    before = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*"))
    values = open_measure(folder, VOCABULARY).rows([0, 1])

    def interrupted() -> Any:
        yield np.zeros((5, WORDS), np.float32)
        raise KeyboardInterrupt

    streamed = StreamedArray((WORDS, WORDS), np.dtype(np.float32), interrupted())
    with pytest.raises(KeyboardInterrupt):
        write_measure(folder, "squared", "dense", {"values": streamed})
    assert sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*")) == before
    np.testing.assert_array_equal(open_measure(folder, VOCABULARY).rows([0, 1]), values)


def test_a_measure_without_the_arrays_of_its_kind_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"needs the arrays \['indices', 'indptr'\]"):
        write_measure(tmp_path / "m", "m", "csr", {"values": np.zeros(3)})
    assert not (tmp_path / "m").exists()


def test_a_measure_of_another_vocabulary_is_refused(tmp_path: Path) -> None:
    folder = write_samples(tmp_path)["npmi"]
    with pytest.raises(InputError, match="has 12 words and the vocabulary 5"):
        open_measure(folder, vocabulary(5))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is not a measure's description"),
        ("[1]", "is not a measure's description"),
        ('{"kind": ["csr"], "measure": "npmi", "words": 12}', "is not a measure's description"),
        ('{"kind": "rows", "measure": "npmi", "words": 12}', "unknown kind 'rows': update wordkin"),
    ],
)
def test_another_file_than_a_description_is_refused(
    tmp_path: Path, text: str, sentence: str
) -> None:
    (tmp_path / "measure.json").write_text(text)
    with pytest.raises(InputError, match=sentence):
        describe(tmp_path)


def test_arrays_of_a_sparse_matrix_must_fit_together(tmp_path: Path) -> None:
    folder = write_samples(tmp_path)["npmi"]
    indptr = np.load(folder / "indptr.npy")
    indptr[3] = indptr[-1] + 1
    np.save(folder / "indptr.npy", indptr)
    with pytest.raises(InputError, match="do not fit together"):
        open_measure(folder, VOCABULARY)
