"""Any measure as a few numbers per word, whose products estimate the relatedness of two words.

Vectors are such numbers already, and those of a blend are the numbers of its parts side by side.
Any other matrix is projected onto its leading directions, as in `pipeline.measures.low_rank`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]

from pipeline.measures.low_rank import POWERS as SPARSE_POWERS
from pipeline.measures.low_rank import ROWS_PER_PRODUCT, directions, in_threads, leading_columns
from pipeline.measures.sparse import Floats, Sparse
from wordkin.measures.blend import BlendMeasure
from wordkin.measures.measure import Measure
from wordkin.measures.sparse import LowRank, SparseMeasure
from wordkin.measures.vectors import VectorMeasure

PAIRS_AT_ONCE = 1 << 18
"""The number of stored pairs whose approximation is computed at the same time."""

POWERS = 2
"""How often a matrix that is not sparse is multiplied to find its directions."""

STARTED_POWERS = 1
"""The same for a matrix of which an approximation is known."""

SPARE = 2
"""How many times as many directions are searched as are kept: the last ones of a search are not yet
separated from those that are left out."""

NEGLIGIBLE = 1e-7
"""A direction with a smaller share of the largest one is left out: it is a rounding error."""

Doubles = NDArray[np.float64]


class Factors(NamedTuple):
    """Numbers for each word and direction, and a sign for each direction.

    The relatedness of two words is about the sum over all directions of sign x number of one word x
    number of the other.
    """

    numbers: Floats
    signs: Floats


def factors_of(
    measure: Measure, rank: int, of_part: Callable[[Measure], Factors] | None = None
) -> Factors:
    """The factors of a measure: `rank` directions where there is a choice.

    `of_part` returns the factors of the parts of a blend, if they are known from elsewhere.
    """
    if isinstance(measure, VectorMeasure):
        vectors = np.asarray(measure.vectors, dtype=np.float32)
        return Factors(vectors, np.ones(vectors.shape[1], np.float32))
    if isinstance(measure, BlendMeasure):
        return _blended(measure, of_part or (lambda part: factors_of(part, rank)))
    if isinstance(measure, SparseMeasure):
        if measure.low_rank:
            return _approximated(measure, measure.low_rank, rank)
        if measure.fill == 0.0:
            stored = Sparse(measure.indptr, measure.indices, measure.values)
            return _projected(stored.times, directions(stored, SPARE * rank), rank)
    words = len(measure.vocabulary)

    def times(columns: Floats) -> Floats:
        def product(top: int) -> Floats:
            ids = np.arange(top, min(top + ROWS_PER_PRODUCT, words))
            return np.asarray(measure.rows(ids) @ columns)

        return np.concatenate(in_threads(product, range(0, words, ROWS_PER_PRODUCT)))

    return _projected(times, leading_columns(times, words, SPARE * rank, POWERS), rank)


def _projected(times: Callable[[Floats], Floats], columns: Floats, rank: int) -> Factors:
    """The strongest factors of a matrix that is projected onto orthonormal columns."""
    image = times(columns)
    with threadpool_limits(1, user_api="blas"):
        inner = columns.T.astype(np.float64) @ image.astype(np.float64)
        values, rotation = np.linalg.eigh((inner + inner.T) / 2)
        strongest = np.argsort(-np.abs(values), kind="stable")[:rank]
        values, rotation = values[strongest], rotation[:, strongest]
        weights = (rotation * np.sqrt(np.abs(values))).astype(np.float32)
        return Factors(columns @ weights, np.sign(values).astype(np.float32))


def _approximated(measure: SparseMeasure, low_rank: LowRank, rank: int) -> Factors:
    """The factors of stored pairs together with the approximation of all others.

    The matrix is the approximation plus what the stored pairs differ from it, which is sparse.
    """
    numbers = np.asarray(low_rank.rest)
    weighted = numbers * low_rank.signs
    first = np.repeat(np.arange(len(numbers)), np.diff(measure.indptr))
    values = np.asarray(measure.values, dtype=np.float32).copy()
    for start in range(0, len(values), PAIRS_AT_ONCE):
        at = slice(start, start + PAIRS_AT_ONCE)
        values[at] -= np.einsum("ij,ij->i", weighted[first[at]], numbers[measure.indices[at]])
    differences = Sparse(measure.indptr, measure.indices, values)

    def times(columns: Floats) -> Floats:
        with threadpool_limits(1, user_api="blas"):
            return np.asarray(weighted @ (numbers.T @ columns) + differences.times(columns))

    # The approximation has nearly the right directions already.
    if (width := numbers.shape[1]) >= rank:
        columns = leading_columns(times, len(numbers), width, STARTED_POWERS, numbers)
    else:
        columns = leading_columns(times, len(numbers), SPARE * rank, SPARSE_POWERS)
    return _projected(times, columns, rank)


def _blended(measure: BlendMeasure, of_part: Callable[[Measure], Factors]) -> Factors:
    """The weighted factors of all parts, and one direction for the means that are taken off."""
    total = sum(term.weight for term in measure.terms)
    numbers, signs, constant = [], [], 0.0
    for term, part in zip(measure.terms, measure.measures, strict=True):
        share = term.weight / total / term.deviation
        factors = of_part(part)
        numbers.append(factors.numbers * np.float32(np.sqrt(abs(share))))
        signs.append(factors.signs * np.float32(np.sign(share)))
        constant -= share * term.mean
    words = len(measure.vocabulary)
    numbers.append(np.full((words, 1), np.sqrt(abs(constant)), np.float32))
    signs.append(np.array([np.sign(constant)], np.float32))
    return Factors(np.hstack(numbers), np.concatenate(signs))


def reduce(factors: Factors, rank: int, importance: Doubles | None = None) -> Factors:
    """The best approximation of the same matrix by `rank` directions, the strongest first.

    With the `importance` of each word, the square of an error counts as much as the importance of
    its two words, multiplied.

    With the numbers F and the signs S, the matrix F S F^T has the eigenvalues of R S R, where R is
    the root of F^T F. With importance, the rows of F are multiplied by its roots to find the
    directions.
    """
    with threadpool_limits(1, user_api="blas"):
        gram = _gram(factors.numbers, importance)
        sizes, axes = np.linalg.eigh(gram)
        roots = np.sqrt(np.maximum(sizes, 0.0))
        inverse = np.divide(
            1.0, roots, out=np.zeros_like(roots), where=roots > NEGLIGIBLE * roots.max(initial=0.0)
        )
        root = (axes * roots) @ axes.T
        values, rotation = np.linalg.eigh(root @ (factors.signs[:, None] * root))
        strongest = np.argsort(-np.abs(values), kind="stable")[:rank]
        values, rotation = values[strongest], rotation[:, strongest]
        weights = (axes * inverse) @ axes.T @ (rotation * np.sqrt(np.abs(values)))
        numbers = factors.numbers @ weights.astype(np.float32)
    return Factors(numbers, np.sign(values).astype(np.float32))


def rotate(factors: Factors) -> Factors:
    """The same matrix by other directions, which are all about equally strong.

    With few bits, the error of a number is a share of its direction's size. An error of one word
    is multiplied by the numbers of another in the same direction, so errors in a few strong
    directions would outweigh all others. A random rotation of all directions of one sign spreads
    every word evenly over them, and changes no product.
    """
    numbers, rng = factors.numbers.copy(), np.random.default_rng(0)
    for sign in (1, -1):
        at = np.flatnonzero(factors.signs == sign)
        with threadpool_limits(1, user_api="blas"):
            rotation = np.linalg.qr(rng.standard_normal((len(at), len(at))))[0]
            numbers[:, at] = factors.numbers[:, at] @ rotation.astype(np.float32)
    return Factors(numbers, factors.signs)


def _gram(numbers: Floats, importance: Doubles | None) -> Doubles:
    """The inner products of the columns, with rows weighted by their importance."""
    width = numbers.shape[1]
    gram = np.zeros((width, width))
    for top in range(0, len(numbers), ROWS_PER_PRODUCT):
        span = slice(top, top + ROWS_PER_PRODUCT)
        rows = numbers[span].astype(np.float64)
        weighted = rows if importance is None else rows * importance[span, None]
        gram += weighted.T @ rows
    return gram
