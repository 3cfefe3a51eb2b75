"""Measures in few bytes, in the one format of measures (`wordkin.measures.files`).

What is written of a measure depends on what it is:

    vectors                 8 bits per number
    a matrix of pairs       the pairs of close words with one of 256 levels each, and vectors of
                            8 bits whose products estimate all other pairs (npmi, graph)
    a product (squared)     where its pairs end; the pairs are those of npmi
    a learned measure       its ranks in 16 bits; its values are those of its parts
    anything else           as it is

A light bundle has one measure: vectors that estimate the default measure as a whole, whatever it is
made of, and the pairs at which the errors of the estimate matter most.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.measures.low_rank import (
    Estimate,
    estimate_from_rows,
    leading_eigenvectors,
    reduce,
    sample_of,
)
from pipeline.measures.sparse import Floats, Longs, Sparse, symmetrize
from pipeline.measures.top_k import cut
from pipeline.settings import Compact, Light, TopK
from wordkin.arrays import largest, map_array
from wordkin.measures.blend import BlendMeasure
from wordkin.measures.files import write_matrix, write_measure
from wordkin.measures.learned import LearnedMeasure
from wordkin.measures.matrix import MatrixMeasure, Pairs, Vectors
from wordkin.measures.measure import Measure
from wordkin.measures.product import ProductMeasure

LEVELS = 256
"""The number of values that a stored pair can have."""

FREQUENT = 16_384
"""So many of the most frequent words keep twice as many close words as others would get on average,
and all others half as many: people ask for frequent words. In a vocabulary of 50,000 words that
takes the same bytes as equal shares, and of what `graph` loses on WS-353 two thirds are gone."""

ROUNDS = 1
"""How precisely the estimate of a matrix of pairs is searched."""

CANDIDATES = 100
"""The closest words of each word in each part of a measure, at which its estimate is corrected."""

LIGHT_STEPS = 15
"""The numbers of a light measure are whole ones from -15 to 15: so few that they take half of their
bytes in an archive, and so many that no correlation loses more than .002."""

DEMAND = 0.15
"""People ask for frequent words: the demand for a word is its count to this power."""

_OWN_FACTS = ("measure", "kind", "arrays", "words")

_PAIRS_AT_ONCE = 1 << 20

Arrays = dict[str, NDArray[Any]]


def write_compact(
    folder: Path, measures: Sequence[Measure], settings: Compact, neighbours: TopK
) -> None:
    """Write measures in few bytes, each into a folder of its name below `folder`.

    `neighbours` is how many pairs of each word a product needs: npmi keeps them for it.
    """
    levels = None
    for measure in sorted(measures, key=lambda measure: measure.name != "npmi"):
        into, facts = folder / measure.name, _facts(measure)
        if type(measure) is MatrixMeasure:
            k: Longs | TopK = closest_of_each(len(measure.vocabulary), settings.closest)
            if measure.name == "npmi":
                k = "all" if neighbours == "all" else max(settings.closest, neighbours)
            of_pairs = _write_matrix(into, measure, k, settings.dimensions, facts)
            levels = of_pairs if measure.name == "npmi" else levels
        elif isinstance(measure, ProductMeasure):
            _write_product(into, measure, levels, facts)
        elif isinstance(measure, LearnedMeasure):
            knots = {"knots": measure.knots.astype(np.float16)}
            write_measure(into, measure.name, "learned", len(measure.vocabulary), knots, facts)
        else:
            names = measure.facts["arrays"]
            same = {name: map_array(_file(measure, name)) for name in names}
            kind, words = measure.facts["kind"], len(measure.vocabulary)
            write_measure(into, measure.name, kind, words, same, facts)


def closest_of_each(words: int, mean: int) -> Longs:
    """How many close words each word keeps; the words of a vocabulary are sorted by frequency."""
    return np.where(np.arange(words) < FREQUENT, 2 * mean, max(mean // 2, 1))


def _facts(measure: Measure) -> dict[str, Any]:
    return {key: fact for key, fact in measure.facts.items() if key not in _OWN_FACTS}


def _file(measure: Measure, array: str) -> Path:
    assert measure.folder is not None
    return measure.folder / f"{array}.npy"


def _write_matrix(
    folder: Path, measure: MatrixMeasure, k: Longs | TopK, dimensions: int, facts: dict[str, Any]
) -> Floats | None:
    """Write a matrix; returns the levels of its pairs, if it has any."""
    if measure.stored is None:
        assert measure.vectors is not None
        small, scales = small_vectors(measure.vectors.floats(slice(None)))
        write_matrix(
            folder,
            measure.name,
            None,
            small,
            measure.vectors.weights,
            facts=facts,
            more={"scales": scales},
        )
        return None
    whole = _sparse(measure.stored)
    stored, bounds = cut(whole, k)
    estimate = None
    if measure.vectors is not None:
        estimate, limits = _own_estimate(measure.vectors), measure.vectors.bounds
        if limits is not None:  # a word that lost no pair here keeps the bound of the matrix
            bounds = np.where(np.isinf(bounds), limits, bounds)
    elif len(stored.values) < len(whole.values):
        values, eigenvectors = leading_eigenvectors(
            whole.times, whole.words, dimensions, rounds=ROUNDS
        )
        estimate = Estimate(eigenvectors, values.astype(np.float32))
    levels = levels_of(stored.values)
    more: Arrays = {"levels": levels}
    if "marginals" in measure.facts.get("arrays", ()):
        more["marginals"] = map_array(_file(measure, "marginals"))
    pairs = (stored.indptr, stored.indices, nearest_levels(stored.values, levels))
    if estimate is None:
        write_matrix(folder, measure.name, pairs, facts=facts, more=more)
    else:
        small, more["scales"], weights = small_estimate(estimate)
        write_matrix(folder, measure.name, pairs, small, weights, bounds, facts, more)
    return levels


def _most_wrong(
    measure: Measure, values: Floats, estimate: Vectors, first: Longs, second: Longs, most: int
) -> Longs:
    """Which pairs have errors that matter most: people ask for frequent words."""
    demand = ((measure.vocabulary.counts + 1.0) ** DEMAND).astype(np.float32)
    errors = np.abs(values - estimate.pairs(first, second)) * demand[first] * demand[second]
    return np.sort(largest(errors, most))


def _write_product(
    folder: Path, measure: ProductMeasure, levels: Floats | None, facts: dict[str, Any]
) -> None:
    """Write where the pairs of a product end, and the pairs themselves if npmi is not there."""
    if levels is not None:
        least = levels[nearest_levels(measure.least, levels)]
        facts = {**facts, "of": "npmi"}
        words = len(measure.vocabulary)
        write_measure(folder, measure.name, "product", words, {"least": least}, facts)
        return
    stored = _sparse(measure.stored)
    levels = levels_of(stored.values)
    least = levels[nearest_levels(measure.least, levels)]
    pairs = (stored.indptr, stored.indices, nearest_levels(stored.values, levels))
    more = {"least": least, "levels": levels}
    write_matrix(folder, measure.name, pairs, facts=facts, more=more, kind="product")


def write_light(folder: Path, measure: Measure, settings: Light) -> None:
    """Write any measure as vectors, and the pairs at which their errors matter most."""
    importance = np.sqrt(measure.vocabulary.counts + 1.0)  # people ask for frequent words
    whole = _estimate(measure, 2 * settings.dimensions)
    few = reduce(whole, settings.dimensions, importance)
    small, scales, weights = small_estimate(few, LIGHT_STEPS)
    first, second = _candidates(measure)
    values = np.concatenate(
        [np.empty(0, np.float32)]
        + [
            measure.pairs(first[at : at + _PAIRS_AT_ONCE], second[at : at + _PAIRS_AT_ONCE])
            for at in range(0, len(first), _PAIRS_AT_ONCE)
        ]
    )
    estimate = Vectors(small, scales, weights)
    chosen = _most_wrong(measure, values, estimate, first, second, settings.pairs)
    stored = _symmetric(len(measure.vocabulary), first[chosen], second[chosen], values[chosen])
    levels = levels_of(stored.values)
    pairs = (stored.indptr, stored.indices, nearest_levels(stored.values, levels))
    more = {"levels": levels, "scales": scales}
    write_matrix(folder, measure.name, pairs, small, weights, more=more)


def _estimate(measure: Measure, rank: int) -> Estimate:
    """Vectors for a whole measure, as many as it has or `rank`."""
    if isinstance(measure, BlendMeasure):
        return _blended(measure, rank)
    if isinstance(measure, MatrixMeasure) and measure.vectors is not None:
        return _own_estimate(measure.vectors)
    if isinstance(measure, MatrixMeasure) and measure.stored is not None:
        stored = _sparse(measure.stored)
        values, vectors = leading_eigenvectors(stored.times, stored.words, rank, rounds=ROUNDS)
        return Estimate(vectors, values.astype(np.float32))
    sample = sample_of(len(measure.vocabulary))
    return estimate_from_rows(measure.rows(sample), sample, rank)


def _own_estimate(vectors: Vectors) -> Estimate:
    numbers = vectors.floats(slice(None))
    weights = vectors.weights
    return Estimate(numbers, np.ones(numbers.shape[1], np.float32) if weights is None else weights)


def _blended(measure: BlendMeasure, rank: int) -> Estimate:
    """The weighted vectors of all parts, and one direction for the means that are taken off."""
    total = sum(term.weight for term in measure.terms)
    words, constant = len(measure.vocabulary), 0.0
    vectors, weights = [], []
    for term, part in zip(measure.terms, measure.measures, strict=True):
        share = term.weight / total / term.deviation
        estimate = _estimate(part, rank)
        vectors.append(estimate.vectors)
        weights.append(estimate.weights * np.float32(share))
        constant -= share * term.mean
    vectors.append(np.ones((words, 1), np.float32))
    weights.append(np.array([constant], np.float32))
    return Estimate(np.hstack(vectors), np.concatenate(weights))


def _candidates(measure: Measure) -> tuple[Longs, Longs]:
    """The pairs at which an estimate may be corrected, each once: close words in any part."""
    words = len(measure.vocabulary)
    keys = [np.empty(0, np.int64)]
    for part in getattr(measure, "measures", [measure]):
        stored = getattr(part, "stored", None)
        if stored is not None:
            close, _ = cut(_sparse(stored), CANDIDATES)
            upper = close.rows < close.indices
            keys.append(close.rows[upper].astype(np.int64) * words + close.indices[upper])
    first, second = np.divmod(np.unique(np.concatenate(keys)), words)
    return first, second


def _symmetric(words: int, first: Longs, second: Longs, values: Floats) -> Sparse:
    """The matrix that has these values at pairs, each given once and in order."""
    indptr = np.searchsorted(first, np.arange(words + 1))
    return symmetrize(indptr, second.astype(np.int32), values)


def _sparse(pairs: Pairs) -> Sparse:
    return Sparse(
        np.asarray(pairs.indptr, np.int64),
        np.asarray(pairs.indices, np.int32),
        pairs.float_values(),
    )


def levels_of(values: Floats) -> Floats:
    """The values that stand for all values: at equal steps from the lowest to the highest."""
    low, high = (values.min(), values.max()) if len(values) else (0.0, 0.0)
    return np.linspace(low, high, LEVELS).astype(np.float32)


def nearest_levels(values: Floats, levels: Floats) -> NDArray[np.uint8]:
    """The number of the level that is nearest to each value."""
    middles = (levels[1:].astype(np.float64) + levels[:-1]) / 2
    return np.searchsorted(middles, values).astype(np.uint8)


def small_vectors(vectors: Floats, most: int = 127) -> tuple[NDArray[np.int8], Floats]:
    """Vectors in 8 bits per number: whole numbers up to `most`, and the scale of each word."""
    scales = np.abs(vectors).max(axis=1, initial=0.0) / most
    steps = np.where(scales > 0, scales, 1)[:, None]
    return np.rint(vectors / steps).astype(np.int8), scales.astype(np.float32)


def small_estimate(estimate: Estimate, most: int = 127) -> tuple[NDArray[np.int8], Floats, Floats]:
    """The same of an estimate: whole numbers, scales and weights.

    Each direction is scaled to the same mean square, so that none of them drowns in the steps of a
    stronger one.
    """
    sizes = np.sqrt(np.square(estimate.vectors, dtype=np.float64).mean(axis=0))
    sizes = np.where(sizes > 0, sizes, 1).astype(np.float32)
    small, scales = small_vectors(estimate.vectors / sizes, most)
    return small, scales, estimate.weights * sizes**2
