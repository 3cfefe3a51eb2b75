"""Writing and opening measures: never half-written, and refused when they do not fit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.support.matrices import vocabulary
from tests.support.measures import VOCABULARY, WORDS, write_samples
from wordkin.errors import InputError
from wordkin.measures.files import describe, write_matrix
from wordkin.measures.store import open_measure


def test_writing_again_leaves_no_arrays_of_another_form(tmp_path: Path) -> None:
    folder = write_samples(tmp_path)["estimated"]
    write_matrix(folder, "m", vectors=np.eye(WORDS, dtype=np.float32))
    assert {path.name for path in folder.iterdir()} == {"measure.json", "vectors.npy"}
    assert describe(folder)["arrays"] == ["vectors"]


def test_an_interrupted_write_keeps_the_old_measure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = write_samples(tmp_path)["npmi"]
    before = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*"))
    values = open_measure(folder, VOCABULARY).rows([0, 1])

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("wordkin.measures.files.write_text", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_matrix(folder, "npmi", vectors=np.eye(WORDS, dtype=np.float32))
    assert sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*")) == before
    np.testing.assert_array_equal(open_measure(folder, VOCABULARY).rows([0, 1]), values)


def test_a_measure_of_another_vocabulary_is_refused(tmp_path: Path) -> None:
    folder = write_samples(tmp_path)["npmi"]
    with pytest.raises(InputError, match="has 12 words and the vocabulary 5"):
        open_measure(folder, vocabulary(5))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "is not a measure's description"),
        ("[1]", "is not a measure's description"),
        ('{"kind": ["matrix"], "measure": "npmi", "words": 12}', "is not a measure's description"),
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
    indptr[3] = indptr[-1]
    np.save(folder / "indptr.npy", indptr)
    with pytest.raises(InputError, match="do not fit together"):
        open_measure(folder, VOCABULARY)
