"""measures -> compact, light: the same measures in far fewer bytes, and the default one in fewer.

    matrices/<lang>/compact/<measure>    every published measure
    matrices/<lang>/light/<measure>      only the default measure, without its parts

What is stored of a measure depends on what it is:

    vectors                        their numbers in few bits
    a matrix that is 0 elsewhere   its pairs in few bits (npmi); if it has too many, without the
                                   lowest values of words that people hardly ask for
    nearest pairs and an estimate  the numbers of the estimate in few bits, and corrections for the
    of all others                  pairs where its errors matter most (squared); where most pairs
                                   have the values of npmi, that is named, and only exceptions are
                                   stored (graph)
    any other matrix               its nearest pairs, and numbers that estimate all other pairs
    a blend                        what its parts are
    a learned measure              its ranks in few bits; its values are those of its compact parts

If the default measure is a blend, it also gets an estimate of the whole, so that agents need not
ask all of its parts. In the light store, the default measure is such an estimate alone, whatever it
was made of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, TypeGuard

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from pipeline.layout import MEASURES, Layout
from pipeline.measures.factors import PAIRS_AT_ONCE, Factors, factors_of, reduce, rotate
from pipeline.measures.low_rank import ROWS_PER_PRODUCT, in_threads
from pipeline.measures.opening import open_built
from pipeline.measures.quantization import (
    Levels,
    Precision,
    encode_knots,
    encode_numbers,
    encode_pairs,
)
from pipeline.measures.sparse import ROWS, Floats, Longs, RowChunk, Sparse
from pipeline.measures.tiling import (
    PairList,
    inner_products,
    lower_pairs,
    tile_pairs,
    values_at,
)
from pipeline.measures.top_k import ClosestWords
from pipeline.settings import Bits, Compact, Estimate
from pipeline.stage import Job, Metrics, Stage
from wordkin.arrays import map_array
from wordkin.errors import InputError
from wordkin.files import new_folder
from wordkin.measures.blend import BlendMeasure
from wordkin.measures.codes import Codes
from wordkin.measures.compact import EARLIER_FIRST
from wordkin.measures.dense import DenseMeasure
from wordkin.measures.learned import LearnedMeasure
from wordkin.measures.measure import Measure
from wordkin.measures.registry import KINDS
from wordkin.measures.sparse import LowRank, SparseMeasure
from wordkin.measures.store import write_measure
from wordkin.measures.tiles import SIDE, PairBits
from wordkin.measures.vectors import VectorMeasure
from wordkin.vocabulary import Vocabulary

OWN_FACTS = ("measure", "kind", "arrays", "words", "fill", "top")
"""The facts of a measure that say how it is stored; the compact measure has its own."""

EXPLAINING = ("marginals",)
"""Whole numbers that explain a measure."""


def run(job: Job) -> Metrics:
    """Write the compact stores of a language."""
    publish = job.settings.publish.available(job.layout)
    names = [name for name in publish.measures if "+" not in name]
    return make_compact(job.layout, job.settings.compact, names, publish.default)


def make_compact(layout: Layout, settings: Compact, names: Sequence[str], default: str) -> Metrics:
    """Write the compact forms of the measures `names`, and the light form of the default one."""
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    measures = {name: _open(layout, name, vocabulary) for name in (*names, default)}
    maker = CompactMaker(settings)
    with new_folder(layout.compact) as temporary:
        # Parts come before what is made of them.
        for name in sorted(names, key=lambda name: _turn(measures[name])):
            maker.write_compact(temporary, measures[name], is_default=name == default)
        sizes = {name: _bytes_in(temporary / name) for name in names}
    with new_folder(layout.light) as temporary:
        maker.write_light(temporary / default, measures[default])
        light = _bytes_in(temporary / default)
    return {
        "words": len(vocabulary),
        "bytes": sizes,
        "full_bytes": {name: _bytes_in(layout.measure(name)) for name in names},
        "light": {"measure": default, "bytes": light},
    }


def _open(layout: Layout, name: str, vocabulary: Vocabulary) -> Measure:
    if not layout.has_measure(name):
        raise InputError(
            f"publish names the measure '{name}', but {layout.measure(name)} has none: run that "
            "stage first, or remove the name."
        )
    return open_built(layout, name, vocabulary)


def _turn(measure: Measure) -> int:
    """Matrices that others may name come first, what is made of others last."""
    if isinstance(measure, BlendMeasure | LearnedMeasure):
        return 2
    return 0 if _is_zero_elsewhere(measure) else 1


def _is_zero_elsewhere(measure: Measure) -> TypeGuard[SparseMeasure]:
    return isinstance(measure, SparseMeasure) and measure.fill == 0.0 and not measure.low_rank


def _bytes_in(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir())


class CompactMaker:
    """Writes measures in few bytes; what several of them need is computed once."""

    def __init__(self, settings: Compact) -> None:
        self.settings = settings
        self._bases: list[Base] = []
        self._factors: dict[str, Factors] = {}
        self._estimates: dict[tuple[str, Estimate], Encoded] = {}

    def write_compact(self, store: Path, measure: Measure, is_default: bool = False) -> None:
        """Write the compact form of a measure into its folder in the store."""
        folder = store / measure.name
        facts = {key: fact for key, fact in measure.facts.items() if key not in OWN_FACTS}
        if isinstance(measure, BlendMeasure):
            facts["words"] = len(measure.vocabulary)
            encoded = self._estimate(measure, self.settings.blend) if is_default else Encoded({})
            facts |= encoded.facts
            write_measure(folder, measure.name, "blend", encoded.arrays, facts)
        elif measure.folder and KINDS[measure.facts["kind"]].is_compact:
            names = measure.facts["arrays"]
            same = {name: map_array(measure.folder / f"{name}.npy") for name in names}
            write_measure(folder, measure.name, measure.facts["kind"], same, facts)
        elif isinstance(measure, LearnedMeasure):
            write_measure(folder, measure.name, "learned", encode_knots(measure.knots), facts)
        else:
            encoded = self._encoded(measure)
            arrays = {**encoded.arrays, **_explaining(measure)}
            write_measure(folder, measure.name, "compact", arrays, {**facts, **encoded.facts})

    def _encoded(self, measure: Measure) -> Encoded:
        """The compact form of a measure that is not made of others."""
        settings = self.settings
        numbers, pairs = self._precision(settings.bits), self._precision(settings.pair_bits)
        if isinstance(measure, VectorMeasure):
            precision = self._precision(settings.vector_bits)
            return Encoded.of(encode_numbers(rotate(self._factors_of(measure)), precision))
        if _is_zero_elsewhere(measure):
            encoded, base = encode_matrix(measure, settings.pairs, pairs)
            self._bases.append(base)
            return encoded
        if isinstance(measure, SparseMeasure) and measure.low_rank:
            rest = Factors(np.asarray(measure.low_rank.rest), measure.low_rank.signs)
            codes, low_rank = encode_numbers(rotate(rest), numbers), measure.low_rank
            return encode_corrections(measure, low_rank, codes, settings, pairs, self._bases)
        codes = encode_numbers(self._factors_of(measure), EXACT)
        return _encode(measure, codes, settings.exceptions)

    def _precision(self, bits: Bits) -> Precision:
        words = self.settings.frequent_words // SIDE * SIDE  # in whole bands of tiles
        return Precision(words, bits.frequent, bits.others)

    def write_light(self, folder: Path, measure: Measure) -> None:
        """Write any measure as one compact measure with the light settings."""
        light = self.settings.light
        size = Estimate(light.pairs, light.directions, light.bits, light.pair_bits)
        encoded = self._estimate(measure, size)
        write_measure(folder, measure.name, "compact", encoded.arrays, encoded.facts)

    def _estimate(self, measure: Measure, size: Estimate) -> Encoded:
        """An estimate of a whole measure, best for frequent words: people ask for them."""
        key = measure.name, size
        if key not in self._estimates:
            importance, pairs = np.sqrt(measure.vocabulary.counts + 1.0), None
            if isinstance(measure, BlendMeasure):
                factors = self._factors_of(measure)
                pairs = _sparse_pairs(measure) if size.pairs else None
            else:
                factors = factors_of(measure, size.directions)
            reduced = rotate(reduce(factors, size.directions, importance))
            codes = encode_numbers(reduced, self._precision(size.bits))
            if pairs is None:
                nearest = 0 if isinstance(measure, VectorMeasure) else size.pairs
                self._estimates[key] = _encode(measure, codes, nearest)
            else:
                precision = self._precision(size.pair_bits)
                self._estimates[key] = encode_estimate(measure, pairs, codes, size.pairs, precision)
        return self._estimates[key]

    def _factors_of(self, measure: Measure) -> Factors:
        if measure.name not in self._factors:
            rank = self.settings.directions
            self._factors[measure.name] = factors_of(measure, rank, self._factors_of)
        return self._factors[measure.name]


class Encoded(NamedTuple):
    """The arrays of a compact measure, and what `measure.json` says about them."""

    arrays: dict[str, Any]
    facts: Mapping[str, Any] = MappingProxyType({})

    @classmethod
    def of(cls, codes: Codes) -> Encoded:
        """A measure that has numbers only."""
        return cls(codes.arrays(), codes.facts())

    def with_pairs(self, words: int, pairs: PairList, levels: Levels, bits: PairBits) -> Encoded:
        """The same with values or corrections of some pairs."""
        tiles = tile_pairs(words, pairs.later, pairs.earlier, levels.codes(pairs), bits)
        arrays = {**self.arrays, **tiles.arrays(), "levels": levels.all}
        return Encoded(arrays, {**self.facts, **bits.facts(), "cells": EARLIER_FIRST})


EXACT = Precision(0, 8, 8)
"""Of the numbers of measures that are neither vectors nor sparse."""


class Demand(NamedTuple):
    """How likely people are to ask for a word: they ask for frequent words and for those they know.

    The demand for a word is a power of its count, times its familiarity. Words that people hardly
    know as ordinary words, such as names, still have the demand of the familiarity `least`.
    """

    power: float
    least: float

    def of(self, vocabulary: Vocabulary) -> Floats:
        """The demand for each word; without familiarities, all words are equally familiar."""
        demand = (vocabulary.counts + 1.0) ** self.power
        if vocabulary.familiarity is not None:
            demand = demand * np.maximum(vocabulary.familiarity, self.least)
        return demand.astype(np.float32)


PAIR_DEMAND = Demand(0.12, 0.6)
"""Which pairs of a matrix are kept if it has too many: those with the highest products of the value
and the demand for both words."""

ESTIMATE_DEMAND = Demand(0.15, 0.35)
"""The same for the errors of an estimate of a whole measure, or of one that repeats another."""

CORRECTION_DEMAND = Demand(-0.1, 0.5)
"""The same for the errors of any other estimate. The values of `squared` grow with the counts of
both words, and so do its errors: those of frequent words would leave no room for others."""

SAME_VALUES = 0.5
"""The share of a measure's pairs that must have the values of another one to name it as a base."""


class Base(NamedTuple):
    """A matrix that is 0 elsewhere, as it is stored: measures after it may take its values."""

    name: str
    matrix: Sparse
    demand: Floats
    limit: float
    levels: Levels

    def values(self, pairs: PairList) -> tuple[Floats, Floats]:
        """The values of pairs, exactly and as they are stored."""
        exact = pairs._replace(values=values_at(self.matrix, pairs))
        stored = self.levels.all[self.levels.codes(exact)]
        is_stored = exact.values != 0
        is_stored &= _importance(exact.values, pairs, self.demand) >= self.limit
        return exact.values, np.where(is_stored, stored, np.float32(0))


def _importance(values: Floats, pairs: PairList, demand: Floats) -> Floats:
    return np.abs(values) * demand[pairs.later] * demand[pairs.earlier]


def _most_important(importance: Floats, most: int) -> float:
    """The least importance of those that are kept, which are `most` at most, but for equals."""
    if most >= len(importance):
        return 0.0
    return float(np.partition(importance, len(importance) - most)[len(importance) - most :].min())


def _chosen(pairs: PairList, chosen: NDArray[np.bool_]) -> PairList:
    return PairList(pairs.later[chosen], pairs.earlier[chosen], pairs.values[chosen])


def _most_asked(errors: PairList, demand: Floats, most: int) -> PairList:
    """The errors that matter most, as many as there may be."""
    importance = _importance(errors.values, errors, demand)
    limit = _most_important(importance, most)
    return _chosen(errors, (importance >= limit) & (errors.values != 0))


def encode_matrix(measure: SparseMeasure, most: int, precision: Precision) -> tuple[Encoded, Base]:
    """A matrix that is 0 elsewhere, with so many pairs at most."""
    matrix = Sparse(measure.indptr, measure.indices, measure.values)
    words, pairs, demand = matrix.words, lower_pairs(matrix), PAIR_DEMAND.of(measure.vocabulary)
    limit = 0.0
    if len(pairs.values) > most:
        importance = _importance(pairs.values, pairs, demand)
        limit = _most_important(importance, most)
        pairs = _chosen(pairs, importance >= limit)
        del importance
    levels = Levels.of(pairs, precision)
    nothing = Factors(np.zeros((words, 0), np.float32), np.zeros(0, np.float32))
    encoded = Encoded.of(encode_numbers(nothing, EXACT))
    encoded = encoded.with_pairs(words, pairs, levels, precision.pair_bits)
    return encoded, Base(measure.name, matrix, demand, limit, levels)


def encode_corrections(
    measure: SparseMeasure,
    low_rank: LowRank,
    codes: Codes,
    settings: Compact,
    precision: Precision,
    bases: Sequence[Base],
) -> Encoded:
    """Nearest pairs and an estimate of all others: the estimate, and where it is far off."""
    pairs = lower_pairs(Sparse(measure.indptr, measure.indices, measure.values))
    bounds = np.asarray(low_rank.bounds, dtype=np.float32)
    encoded = Encoded.of(codes)
    facts: dict[str, Any] = {**encoded.facts, "floor": low_rank.floor}
    lower_bounds = np.minimum(bounds[pairs.later], bounds[pairs.earlier])
    estimates = np.clip(_estimates(codes, pairs), np.float32(low_rank.floor), lower_bounds)
    most, demand = settings.corrections, CORRECTION_DEMAND
    for base in bases:
        exact, stored = base.values(pairs)
        if np.isclose(exact, pairs.values, atol=1e-4).mean() > SAME_VALUES:
            is_taken = (stored > 0) & (stored >= lower_bounds)
            estimates = np.where(is_taken, stored, estimates)
            facts["base"], most, demand = base.name, settings.exceptions, ESTIMATE_DEMAND
            break
    errors = pairs._replace(values=pairs.values - estimates)
    errors = _most_asked(errors, demand.of(measure.vocabulary), most)
    levels = Levels.of(errors, precision)
    encoded = Encoded({**encoded.arrays, "bounds": bounds}, facts)
    return encoded.with_pairs(len(measure.vocabulary), errors, levels, precision.pair_bits)


def _estimates(codes: Codes, pairs: PairList) -> Floats:
    """What encoded numbers estimate for some pairs."""
    numbers = codes.numbers()
    return inner_products(numbers * codes.weights, numbers, pairs)


def _sparse_pairs(measure: Measure) -> PairList | None:
    """The pairs that a matrix stores, or those of a blend's parts; None if there is no matrix.

    Everywhere else a measure is made of a few numbers per word, and easy to estimate.
    """
    if isinstance(measure, BlendMeasure):
        found = [_sparse_pairs(part) for part in measure.measures]
        lists = [pairs for pairs in found if pairs is not None]
        if any(isinstance(part, DenseMeasure) for part in measure.measures) or not lists:
            return None
        if len(lists) == 1:
            return lists[0]
        words = len(measure.vocabulary)
        keys = [pairs.later.astype(np.int64) * words + pairs.earlier for pairs in lists]
        later, earlier = np.divmod(np.unique(np.concatenate(keys)), words)
        values = np.zeros(len(later), np.float32)
        return PairList(later.astype(np.int32), earlier.astype(np.int32), values)
    if isinstance(measure, SparseMeasure) and (measure.low_rank or measure.fill == 0.0):
        return lower_pairs(Sparse(measure.indptr, measure.indices, measure.values))
    return None


def _relatedness(measure: Measure, pairs: PairList) -> Floats:
    """The relatedness of some pairs, among them all that a matrix stores."""
    if isinstance(measure, BlendMeasure):
        return measure.weighted_sum(_relatedness(part, pairs) for part in measure.measures)
    if isinstance(measure, VectorMeasure):
        vectors = np.asarray(measure.vectors, dtype=np.float32)
        return inner_products(vectors, vectors, pairs)
    if isinstance(measure, SparseMeasure):
        stored = Sparse(measure.indptr, measure.indices, measure.values)
        if len(pairs.later) == stored.pairs:
            return values_at(stored, pairs)
    starts = range(0, len(pairs.later), PAIRS_AT_ONCE)
    parts = [
        (pairs.later[at : at + PAIRS_AT_ONCE], pairs.earlier[at : at + PAIRS_AT_ONCE])
        for at in starts
    ]
    return np.concatenate([measure.pairs(*part) for part in parts])


def encode_estimate(
    measure: Measure, pairs: PairList, codes: Codes, most: int, precision: Precision
) -> Encoded:
    """An estimate of a whole measure, and so many corrections where its errors matter most."""
    pairs = pairs._replace(values=_relatedness(measure, pairs))
    errors = pairs._replace(values=pairs.values - _estimates(codes, pairs))
    errors = _most_asked(errors, ESTIMATE_DEMAND.of(measure.vocabulary), most)
    levels = Levels.of(errors, precision)
    words = len(measure.vocabulary)
    return Encoded.of(codes).with_pairs(words, errors, levels, precision.pair_bits)


def _encode(measure: Measure, codes: Codes, most: int) -> Encoded:
    """The numbers of a measure, and about so many of its nearest pairs."""
    encoded = Encoded.of(codes)
    if not most:
        return encoded
    pairs = nearest_pairs(measure, -(-most // len(measure.vocabulary)))
    facts = encoded.facts if pairs.floor is None else {**encoded.facts, "floor": pairs.floor}
    return Encoded({**encoded.arrays, **encode_pairs(pairs.stored, pairs.bounds)}, facts)


def _explaining(measure: Measure) -> dict[str, Any]:
    """The arrays that explain a measure, in four bytes per number if they fit."""
    paths = [measure.folder / f"{name}.npy" for name in EXPLAINING] if measure.folder else []
    arrays = {path.stem: map_array(path) for path in paths if path.is_file()}
    most = np.iinfo(np.uint32).max
    return {
        name: array.astype(np.uint32) if array.max(initial=0) <= most else array
        for name, array in arrays.items()
    }


class NearestPairs(NamedTuple):
    """The nearest pairs of a measure.

    No other pair of a word is above its bound, and none is below the floor, if there is one.
    """

    stored: Sparse
    bounds: Floats
    floor: float | None


FEWEST, MOST = 0.2, 40.0
"""How few and how many nearest words a word may have, in shares of their mean number."""


def nearest_counts(vocabulary: Vocabulary, mean: int) -> Longs:
    """How many nearest words each word stores: in proportion to its frequency, within limits.

    People ask for frequent words, and a frequent word is related to many others.
    """
    frequencies = vocabulary.counts + 1.0
    shares = np.clip(frequencies / frequencies.mean(), FEWEST, MOST)
    return np.ceil(shares * (mean / shares.mean())).astype(np.int64)


def nearest_pairs(measure: Measure, mean: int) -> NearestPairs:
    """The pairs in which one word is among the nearest of the other; see `nearest_counts`."""
    floor, limits, chunks = None, None, _rows_of(measure)
    absent = np.nan
    if isinstance(measure, SparseMeasure | DenseMeasure):
        floor = absent = measure.fill
    if isinstance(measure, SparseMeasure) and (measure.low_rank or measure.fill == 0.0):
        # Only what is stored: the nearest pairs are among it.
        stored = Sparse(measure.indptr, measure.indices, measure.values)
        starts = range(0, stored.words, ROWS)
        chunks = (RowChunk(start, stored.dense(start, start + ROWS)) for start in starts)
        absent = 0.0
        limits = measure.low_rank.bounds if measure.low_rank else None
    words = len(measure.vocabulary)
    closest = ClosestWords(words, nearest_counts(measure.vocabulary, mean), absent)
    total = -(-words // ROWS)
    for start, rows in tqdm(chunks, measure.name, total, leave=False, disable=None):
        closest.add(start, rows)
    bounds = closest.bounds
    if limits is not None:
        # A row that stores all that the matrix stores keeps the bound of the matrix.
        bounds = np.where(np.isinf(bounds), limits, bounds)
    if floor is not None:
        # A row that stores all its related words has only unrelated ones beyond.
        bounds = np.where(np.isinf(bounds), np.float32(floor), bounds)
    return NearestPairs(closest.symmetrized(), bounds, floor)


def _rows_of(measure: Measure) -> Iterator[RowChunk]:
    """All rows of a measure, the same bytes for any number of threads."""
    words = len(measure.vocabulary)
    for start in range(0, words, ROWS):
        stop = min(start + ROWS, words)

        def rows(top: int, stop: int = stop) -> Floats:
            return measure.rows(np.arange(top, min(top + ROWS_PER_PRODUCT, stop)))

        yield RowChunk(
            start, np.concatenate(in_threads(rows, range(start, stop, ROWS_PER_PRODUCT)))
        )


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    before, after = (sum(metrics[key].values()) for key in ("full_bytes", "bytes"))
    light = metrics["light"]
    return (
        f"{len(metrics['bytes'])} measures of {before / 2**20:,.1f} MiB in, "
        f"{after / 2**20:,.1f} MiB out; light: {light['measure']} in "
        f"{light['bytes'] / 2**20:,.1f} MiB"
    )


STAGE = Stage(
    "compact",
    run,
    describe,
    reads=("vocabulary", *MEASURES, "human"),
    writes=("compact", "light"),
    section=Compact,
    params=("publish.measures", "publish.default"),
    memory=lambda sizes, settings: 3 * sizes.npmi + 16.0 * sizes.words * 1000,
)
