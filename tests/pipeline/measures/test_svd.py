"""svd and blend: vectors from npmi, and several measures as one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from pipeline.measures import blend, svd
from pipeline.measures.blend import Blend
from pipeline.measures.svd import Svd
from tests.support.examples import at_most
from tests.support.matrices import Matrix, npmis, project, random_npmi, sparse, vocabulary
from wordkin.errors import InputError
from wordkin.measures.blend import BlendMeasure, named
from wordkin.measures.files import describe, write_measure
from wordkin.measures.measure import spread
from wordkin.measures.store import open_measure


def positive(words: int, seed: int) -> Matrix:
    """A matrix without negative eigenvalues: there the singular values are the eigenvalues."""
    features = np.abs(np.random.default_rng(seed).standard_normal((words, 20)))
    return (features @ features.T / 100).astype(np.float32)


@settings(max_examples=at_most(30), deadline=None)
@given(npmis)
def test_all_dimensions_together_are_the_positive_part_of_the_matrix(matrix: Matrix) -> None:
    values, vectors = svd.decompose(sparse(matrix), 10**6, seed=0)
    exact, directions = np.linalg.eigh(matrix.astype(np.float64))
    part = directions @ np.diag(np.maximum(exact, 0.0)) @ directions.T
    np.testing.assert_allclose(vectors @ np.diag(values) @ vectors.T, part, atol=1e-4)


def test_the_dimensions_are_those_of_scikit_learn() -> None:
    from sklearn.decomposition import TruncatedSVD  # slow to import, so not in every process

    matrix = positive(80, seed=1)
    values, vectors = svd.decompose(sparse(matrix), 10, seed=0)
    theirs = TruncatedSVD(10, algorithm="arpack", random_state=0).fit(matrix)
    np.testing.assert_allclose(values, theirs.singular_values_, rtol=1e-3)
    # An eigenvector has no definite sign.
    agreement = np.abs(np.einsum("wd,dw->d", vectors, theirs.components_))
    np.testing.assert_allclose(agreement, 1.0, atol=1e-2)


@pytest.mark.parametrize("matrix", [random_npmi(400, 0.3, seed=8), positive(400, seed=9)])
def test_the_leading_dimensions_of_a_larger_matrix_are_its_eigenvectors(matrix: Matrix) -> None:
    values, vectors = svd.decompose(sparse(matrix), 20, seed=0)
    exact = np.sort(np.linalg.eigvalsh(matrix.astype(np.float64)))[::-1][:20]
    np.testing.assert_allclose(values, exact, rtol=0.01)
    np.testing.assert_allclose(vectors.T @ vectors, np.eye(20), atol=1e-4)


def test_dimensions_come_largest_first_with_a_fixed_sign() -> None:
    values, vectors = svd.decompose(sparse(random_npmi(80, 0.3, seed=2)), 12, seed=0)
    assert (np.diff(values) <= 0).all()
    assert values.min() > 0
    assert (vectors[np.abs(vectors).argmax(axis=0), np.arange(12)] > 0).all()


@pytest.mark.parametrize("exponent", [0.0, 0.25, 1.0])
def test_relatedness_is_the_cosine_of_weighted_dimensions(tmp_path: Path, exponent: float) -> None:
    matrix = random_npmi(60, 0.4, seed=4)
    layout = project(tmp_path, matrix)
    metrics = svd.make_svd(layout, Svd(dimensions=8, exponent=exponent))
    values, vectors = svd.decompose(sparse(matrix), 8, seed=0)
    weighted = vectors * values**exponent
    weighted /= np.linalg.norm(weighted, axis=1, keepdims=True)
    expected = weighted @ weighted.T
    np.fill_diagonal(expected, 0.0)
    measure = open_measure(layout.measure("svd"), vocabulary(60))
    np.testing.assert_allclose(measure.rows(range(60)), expected, atol=1e-5)
    assert metrics["dimensions"] == describe(layout.measure("svd"))["dimensions"] == 8
    assert metrics["share_kept"] == pytest.approx((values**2).sum() / (matrix**2).sum(), rel=1e-5)


def test_a_word_without_pairs_has_a_zero_vector(tmp_path: Path) -> None:
    matrix = random_npmi(60, 0.4, seed=5)
    matrix[7] = matrix[:, 7] = 0
    layout = project(tmp_path, matrix)
    assert svd.make_svd(layout, Svd(dimensions=8))["words_without_vector"] == 1
    assert not open_measure(layout.measure("svd"), vocabulary(60)).row("7").any()


def test_a_corpus_without_pairs_has_no_dimensions(tmp_path: Path) -> None:
    layout = project(tmp_path, np.zeros((5, 5), np.float32))
    assert svd.make_svd(layout, Svd())["dimensions"] == 0
    assert not open_measure(layout.measure("svd"), vocabulary(5)).rows(range(5)).any()


def test_a_stored_blend_is_the_blend_that_its_weights_spell(tmp_path: Path) -> None:
    layout = project(tmp_path, random_npmi(60, 0.4, seed=6))
    svd.make_svd(layout, Svd(dimensions=8))
    layout.vocabulary.mkdir()
    vocabulary(60).write(layout.vocabulary / "vocabulary.tsv")
    metrics = blend.make_blend(layout, Blend(weights={"npmi": 1.0, "svd": 2.0}))
    measure = open_measure(layout.measure("blend"), vocabulary(60))
    assert isinstance(measure, BlendMeasure)
    assert [part.weight for part in measure.terms] == [1.0, 2.0]
    for part, of in zip(measure.terms, measure.measures, strict=True):
        assert (part.mean, part.deviation) == spread(of)
        assert metrics["parts"][part.measure]["mean"] == part.mean
    assert spread(measure)[0] == pytest.approx(0.0, abs=1e-5)
    opened = {part.measure: of for part, of in zip(measure.terms, measure.measures, strict=True)}
    for spelled in ("npmi+svd:2", "svd + npmi + svd", "npmi:5+svd:10"):
        same = named(spelled, opened)
        assert same.name == spelled
        np.testing.assert_allclose(same.rows([3, 7]), measure.rows([3, 7]), rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("name", ["graph", "blend"])
def test_a_blend_of_a_missing_measure_or_of_a_blend_is_refused(tmp_path: Path, name: str) -> None:
    layout = project(tmp_path, random_npmi(5, 0.9, seed=7))
    layout.vocabulary.mkdir()
    vocabulary(5).write(layout.vocabulary / "vocabulary.tsv")
    write_measure(layout.measure("blend"), "blend", "blend", 5, facts={"parts": []})
    with pytest.raises(InputError, match="take the name out"):
        blend.make_blend(layout, Blend(weights={name: 1.0}))
