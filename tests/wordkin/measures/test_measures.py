"""Measures: the same questions to every kind, on disk and in memory."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.support.matrices import Matrix, npmis, random_npmi, sparse, vocabulary
from wordkin.arrays import Rows
from wordkin.errors import InputError
from wordkin.measures import (
    BlendMeasure,
    DenseMeasure,
    Estimate,
    Measure,
    Part,
    SparseMeasure,
    VectorMeasure,
    describe,
    open_measure,
    spread,
    write_measure,
)

WORDS = 12


def sparse_measure(
    matrix: Matrix, fill: float = 0.0, estimate: Estimate | None = None
) -> SparseMeasure:
    arrays = sparse(matrix)
    words = vocabulary(len(matrix))
    return SparseMeasure("m", words, arrays.indptr, arrays.indices, arrays.values, fill, estimate)


def random_estimate(words: int, seed: int) -> Estimate:
    rng = np.random.default_rng(seed)
    rest = rng.standard_normal((words, 3)).astype(np.float32)
    bounds = rng.random(words).astype(np.float32)
    return Estimate(rest, np.array([1, -1, 1], np.float32), bounds, floor=-1.0)


def unit_vectors(words: int, seed: int) -> Matrix:
    vectors = np.random.default_rng(seed).standard_normal((words, 5))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def blend_of(*measures: Measure) -> BlendMeasure:
    parts = [Part(m.name, 1.0 + at, *spread(m)) for at, m in enumerate(measures)]
    return BlendMeasure("blend", measures[0].vocabulary, parts, measures)


def all_kinds() -> list[Measure]:
    matrix, words = random_npmi(WORDS, 0.5, seed=1), vocabulary(WORDS)
    lonely = np.where((matrix == 0) & ~np.eye(WORDS, dtype=bool), -np.inf, matrix)
    stored, vectors = sparse_measure(matrix), VectorMeasure("v", words, unit_vectors(WORDS, 1))
    return [
        stored,
        sparse_measure(matrix, fill=-0.25),
        sparse_measure(matrix, estimate=random_estimate(WORDS, seed=1)),
        DenseMeasure("d", words, lonely.astype(np.float16), fill=-2.0),
        vectors,
        blend_of(stored, vectors),
    ]


kinds = pytest.mark.parametrize(
    "measure", all_kinds(), ids=["sparse", "fill", "estimate", "dense", "vectors", "blend"]
)


@kinds
def test_every_question_has_the_same_answer(measure: Measure) -> None:
    rows = measure.rows(range(WORDS))
    assert rows.dtype == np.float32
    np.testing.assert_allclose(rows, rows.T, atol=1e-6)
    assert (rows.diagonal() == 0).all()
    a, b = np.divmod(np.arange(WORDS**2), WORDS)
    np.testing.assert_allclose(measure.pairs(a, b), rows.ravel(), atol=1e-6)
    assert measure.relatedness("3", "7") == pytest.approx(rows[3, 7], abs=1e-6)
    np.testing.assert_allclose(measure.row("3"), rows[3], atol=1e-6)


@kinds
def test_nearest_words_come_closest_first_without_the_word_itself(measure: Measure) -> None:
    row = measure.row("4")
    expected = sorted((i for i in range(WORDS) if i != 4), key=lambda i: (-row[i], i))
    assert [word for word, _ in measure.nearest("4", 5)] == [str(i) for i in expected[:5]]
    assert len(measure.nearest("4", 100)) == WORDS - 1


@kinds
def test_no_words_are_a_question_too(measure: Measure) -> None:
    assert measure.rows([]).shape == (0, WORDS)
    assert measure.pairs([], []).shape == (0,)


@settings(max_examples=60, deadline=None)
@given(npmis, st.integers(0, 10**6))
def test_pairs_are_found_where_they_are_stored(matrix: Matrix, seed: int) -> None:
    a, b = np.random.default_rng(seed).integers(0, len(matrix), (2, 100))
    found = sparse_measure(matrix, fill=-1.0).pairs(a, b)
    expected = np.where(matrix[a, b] > 0, matrix[a, b], -1.0)
    np.testing.assert_array_equal(found, np.where(a == b, 0.0, expected))


def test_pairs_that_were_cut_are_estimated_within_what_is_known() -> None:
    rest, signs = np.array([[1, 0], [2, 1], [3, 1], [-9, 0]]), np.array([1, -1])
    bounds = np.array([np.inf, 4, 9, 9])
    estimate = Estimate(*(a.astype(np.float32) for a in (rest, signs, bounds)), floor=-7.0)
    matrix = np.zeros((4, 4), np.float32)
    matrix[0, 1] = matrix[1, 0] = 8
    measure = sparse_measure(matrix, estimate=estimate)
    # 1 * 3 - 0 * 1 is the sum; 2 * 3 - 1 * 1 is more than word 1 can have had; 3 * -9 too little.
    assert measure.row("2").tolist() == [3, 4, 0, -7]
    assert measure.relatedness("0", "1") == 8


def test_a_blend_is_the_weighted_mean_of_standardised_measures() -> None:
    words = vocabulary(3)
    first = DenseMeasure("a", words, np.array([[0, 1, 2], [1, 0, 3], [2, 3, 0]], np.float32))
    second = DenseMeasure("b", words, np.array([[0, 10, 0], [10, 0, 0], [0, 0, 0]], np.float32))
    parts = [Part("a", 3.0, 2.0, 0.5), Part("b", 1.0, 5.0, 5.0)]
    blend = BlendMeasure("blend", words, parts, [first, second])
    assert blend.relatedness("0", "1") == pytest.approx((3 * (1 - 2) / 0.5 + (10 - 5) / 5) / 4)
    assert blend.relatedness("1", "2") == pytest.approx((3 * (3 - 2) / 0.5 + (0 - 5) / 5) / 4)


def test_the_spread_of_a_measure_is_that_of_its_pairs() -> None:
    matrix = random_npmi(40, 0.5, seed=3)
    others = matrix[~np.eye(40, dtype=bool)]
    mean, deviation = spread(sparse_measure(matrix))
    assert mean == pytest.approx(others.mean(), abs=0.01)
    assert deviation == pytest.approx(others.std(), abs=0.01)
    assert spread(sparse_measure(matrix), seed=0) == (mean, deviation)
    assert spread(sparse_measure(matrix), seed=1) != (mean, deviation)


def test_a_measure_that_tells_nothing_has_a_spread_that_can_be_divided_by() -> None:
    assert spread(sparse_measure(np.zeros((5, 5), np.float32))) == (0.0, 1.0)
    assert spread(sparse_measure(np.zeros((1, 1), np.float32))) == (0.0, 1.0)


def write_all(root: Path) -> None:
    matrix = random_npmi(WORDS, 0.5, seed=2)
    found = random_estimate(WORDS, seed=2)
    estimate = {"rest": found.rest, "signs": found.signs, "bounds": found.bounds}
    write_measure(root / "cut", "cut", "csr", {**sparse(matrix).arrays(), **estimate})
    write_measure(root / "full", "full", "dense", {"values": matrix}, {"fill": -1.0})
    write_measure(root / "near", "near", "vectors", {"vectors": unit_vectors(WORDS, 2)})
    parts = [
        {"measure": name, "weight": 1, "mean": 0.1, "deviation": 2} for name in ("full", "cut")
    ]
    write_measure(root / "mix", "mix", "blend", {}, {"parts": parts, "words": WORDS})


@pytest.mark.parametrize("name", ["cut", "full", "near", "mix"])
def test_what_is_written_is_opened_mapped_into_memory(tmp_path: Path, name: str) -> None:
    write_all(tmp_path)
    measure = open_measure(tmp_path / name, vocabulary(WORDS))
    assert measure.name == describe(tmp_path / name)["measure"] == name
    assert measure.folder == tmp_path / name
    assert measure.rows([1]).shape == (1, WORDS)
    for array in [*vars(measure).values(), *vars(getattr(measure, "estimate", measure)).values()]:
        assert not isinstance(array, np.ndarray) or isinstance(array, np.memmap)


def test_the_same_measure_is_written_with_the_same_bytes(tmp_path: Path) -> None:
    for run in ("one", "two"):
        write_all(tmp_path / run)
    for path in sorted((tmp_path / "one").rglob("*.*")):
        other = tmp_path / "two" / path.relative_to(tmp_path / "one")
        assert path.read_bytes() == other.read_bytes()


def test_writing_again_leaves_nothing_of_another_kind_behind(tmp_path: Path) -> None:
    write_all(tmp_path)
    write_measure(tmp_path / "cut", "cut", "dense", {"values": np.eye(WORDS, dtype=np.float32)})
    assert {path.name for path in (tmp_path / "cut").iterdir()} == {"measure.json", "values.npy"}


def test_an_array_may_come_in_blocks_of_rows(tmp_path: Path) -> None:
    matrix = random_npmi(WORDS, 0.5, seed=4)
    blocks = Rows(matrix.shape, np.dtype(np.float32), (matrix[i : i + 5] for i in (0, 5, 10)))
    write_measure(tmp_path / "blocks", "m", "dense", {"values": blocks}, lambda: {"fill": 3.0})
    write_measure(tmp_path / "whole", "m", "dense", {"values": matrix}, {"fill": 3.0})
    for name in ("values.npy", "measure.json"):
        assert (tmp_path / "blocks" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


def test_a_write_that_breaks_off_leaves_no_measure(tmp_path: Path) -> None:
    write_all(tmp_path)

    def broken() -> Any:
        yield np.zeros((5, WORDS), np.float32)
        raise KeyboardInterrupt

    rows = Rows((WORDS, WORDS), np.dtype(np.float32), broken())
    with pytest.raises(KeyboardInterrupt):
        write_measure(tmp_path / "full", "full", "dense", {"values": rows})
    with pytest.raises(InputError, match="is not a measure's description"):
        open_measure(tmp_path / "full", vocabulary(WORDS))


def test_a_kind_without_its_arrays_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="needs the arrays"):
        write_measure(tmp_path / "m", "m", "csr", {"values": np.zeros(3)})


def change(path: Path, **facts: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **facts}))


def halve(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


Break = Callable[[Path], Any]
BREAKS: dict[str, tuple[str, Break]] = {
    "is not a measure's description": ("cut", lambda f: (f / "measure.json").unlink()),
    "measure.json is not": ("cut", lambda f: halve(f / "measure.json")),
    "has an unknown kind 'rows'": ("cut", lambda f: change(f / "measure.json", kind="rows")),
    "has 5 words and the vocabulary 12": ("cut", lambda f: change(f / "measure.json", words=5)),
    "Cannot read the array": ("cut", lambda f: halve(f / "indices.npy")),
    "rest.npy: make or copy": ("cut", lambda f: (f / "rest.npy").unlink()),
    "estimate in .* wrong size": ("cut", lambda f: np.save(f / "signs.npy", np.ones(5))),
    "has a wrong size": ("full", lambda f: np.save(f / "values.npy", np.zeros((3, 3)))),
    "do not fit together": ("cut", lambda f: np.save(f / "values.npy", np.zeros(3, np.float32))),
    "names no parts": ("mix", lambda f: change(f / "measure.json", parts=[{"measure": "cut"}])),
    "full/measure.json": ("mix", lambda f: (f.parent / "full" / "measure.json").unlink()),
}


@pytest.mark.parametrize("said", BREAKS)
def test_a_damaged_measure_is_refused_in_a_sentence(tmp_path: Path, said: str) -> None:
    write_all(tmp_path)
    name, damage = BREAKS[said]
    damage(tmp_path / name)
    with pytest.raises(InputError, match=said):
        open_measure(tmp_path / name, vocabulary(WORDS))


def test_an_unknown_word_is_told_with_near_spellings() -> None:
    measure = sparse_measure(random_npmi(WORDS, 0.5, seed=1))
    with pytest.raises(InputError, match=r"'111' is not in the vocabulary; near spellings: 11"):
        measure.relatedness("111", "2")
