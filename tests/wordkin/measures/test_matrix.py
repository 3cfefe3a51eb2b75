"""The one store of matrices: what is written is what is read, by the class and by plain numpy."""

from __future__ import annotations

import re
import textwrap
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from tests.support.matrices import sparse
from wordkin.errors import InputError
from wordkin.measures import files
from wordkin.measures.files import write_matrix
from wordkin.measures.matrix import MatrixMeasure, Pairs, Vectors, products
from wordkin.measures.store import open_measure
from wordkin.vocabulary import Vocabulary

WORDS = 9
VOCABULARY = Vocabulary([str(word) for word in range(WORDS)], range(WORDS, 0, -1), [1] * WORDS)


def random_parts(seed: int) -> tuple[Pairs, Vectors]:
    """Some stored pairs, and vectors, as a bundle has them."""
    rng = np.random.default_rng(seed)
    upper = np.triu(rng.integers(1, 256, (WORDS, WORDS)) * (rng.random((WORDS, WORDS)) < 0.4), 1)
    stored = sparse((upper + upper.T).astype(np.float32))
    pairs = Pairs(
        stored.indptr,
        stored.indices.astype(np.uint16),
        stored.values.astype(np.uint8),
        np.sort(rng.standard_normal(256)).astype(np.float32),
    )
    vectors = Vectors(
        rng.integers(-127, 128, (WORDS, 4)).astype(np.int8),
        rng.random(WORDS).astype(np.float32),
        rng.choice([-1.0, 1.0], 4).astype(np.float32),
        rng.random(WORDS).astype(np.float32),
    )
    return pairs, vectors


def by_definition(pairs: Pairs | None, vectors: Vectors | None, a: int, b: int) -> float:
    """The relatedness of two words: the stored pair, else the product of vectors, else 0."""
    if a == b:
        return 0.0
    if pairs is not None:
        for place in range(pairs.indptr[a], pairs.indptr[a + 1]):
            if pairs.indices[place] == b:
                value = pairs.values[place]
                return float(value if pairs.levels is None else pairs.levels[value])
    if vectors is None:
        return 0.0
    left, right = vectors.floats([a])[0], vectors.floats([b])[0]  # type: ignore[arg-type]
    weights = 1 if vectors.weights is None else vectors.weights
    product = float((left * right * weights).sum())
    return product if vectors.bounds is None else min(product, *vectors.bounds[[a, b]])


@given(st.integers(0, 2**16), st.sampled_from(["pairs", "vectors", "both"]))
def test_rows_pairs_and_chosen_words_are_the_definition(seed: int, form: str) -> None:
    pairs, vectors = random_parts(seed)
    measure = MatrixMeasure(
        "m",
        VOCABULARY,
        pairs if form != "vectors" else None,
        vectors if form != "pairs" else None,
    )
    expected = np.array(
        [
            [by_definition(measure.stored, measure.vectors, a, b) for b in range(WORDS)]
            for a in range(WORDS)
        ]
    )
    close = partial(assert_allclose, rtol=1e-4, atol=1e-4 + 1e-6 * abs(expected).max())
    a, b = np.indices((WORDS, WORDS)).reshape(2, -1)
    chosen = np.array([5, 2, 7])
    close(measure.rows(range(WORDS)), expected)
    close(measure.pairs(a, b), np.ravel(expected))
    close(measure.among(chosen).rows([2, 0]), expected[[2, 0]][:, chosen])


def example() -> str:
    """The ten lines in the description of the format."""
    text = str(files.__doc__).partition("that has all of these arrays:\n\n")[2]
    return textwrap.dedent(text.partition("\n\nA measure may")[0])


@pytest.mark.parametrize("seed", range(8))
def test_the_example_reads_what_is_written(tmp_path: Path, seed: int) -> None:
    pairs, vectors = random_parts(seed)
    more = {"levels": pairs.levels, "scales": vectors.scales}
    write_matrix(
        tmp_path / "m",
        "m",
        (pairs.indptr, pairs.indices, pairs.values),
        vectors.numbers,
        vectors.weights,
        vectors.bounds,
        more=more,  # type: ignore[arg-type]
    )
    variables: dict[str, Any] = {"folder": tmp_path / "m"}
    exec(example(), variables)
    expected = open_measure(tmp_path / "m", VOCABULARY, thorough=True).pairs([3], [5])[0]
    assert variables["relatedness"] == pytest.approx(expected, rel=1e-5)
    assert len(example().splitlines()) <= 10


def test_ids_take_two_bytes_in_a_usual_vocabulary(tmp_path: Path) -> None:
    stored = sparse(np.ones((3, 3), np.float32) - np.eye(3, dtype=np.float32))
    write_matrix(tmp_path / "m", "m", (stored.indptr, stored.indices, stored.values))
    assert np.load(tmp_path / "m" / "indices.npy").dtype == np.uint16


def test_a_row_of_products_does_not_depend_on_the_others() -> None:
    rng = np.random.default_rng(0)
    left = rng.standard_normal((50, 30)).astype(np.float32)
    right = rng.standard_normal((700, 30)).astype(np.float32)
    whole = products(left, right)
    np.testing.assert_allclose(whole, left @ right.T, rtol=1e-4, atol=1e-4)
    for rows in ([3], [3, 40], list(range(20, 50))):
        np.testing.assert_array_equal(products(left[rows], right), whole[rows])


def test_writing_needs_no_kind_of_measure_and_no_explanation() -> None:
    source = Path(str(files.__file__)).read_text(encoding="utf-8")
    imported = set(re.findall(r"^from (wordkin\S*)", source, re.MULTILINE))
    assert imported == {"wordkin.arrays", "wordkin.errors", "wordkin.files"}


def test_a_measure_without_arrays_is_refused(tmp_path: Path) -> None:
    files.write_measure(tmp_path / "m", "m", "matrix", WORDS)
    with pytest.raises(InputError, match="has no arrays"):
        open_measure(tmp_path / "m", VOCABULARY)
