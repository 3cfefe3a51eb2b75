"""measures -> compact, light: the same measures in far fewer bytes, and the default one in fewer.

    matrices/<lang>/compact/<measure>    every published measure
    matrices/<lang>/light/<measure>      only the default measure, without its parts

A matrix becomes its nearest pairs and a few numbers per word that estimate all other pairs. Vectors
are rounded to 8 bits. A blend stays a blend of its parts, and a learned measure gets the ranks of
its compact parts. If the default measure is a blend, it also gets an estimate of the whole, so that
agents need not ask all of its parts. In the light store, the default measure is such an estimate
alone, whatever it was made of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
from threadpoolctl import threadpool_limits  # type: ignore[import-untyped]
from tqdm import tqdm

from pipeline.layout import Layout
from pipeline.relatedness.factors import Factors, factors_of, reduce
from pipeline.relatedness.low_rank import ROWS_PER_PRODUCT, in_threads
from pipeline.relatedness.opening import open_built
from pipeline.relatedness.quantization import encode_numbers, encode_pairs
from pipeline.relatedness.sparse import ROWS, Floats, Longs, RowChunk, Sparse
from pipeline.relatedness.top_k import ClosestWords
from pipeline.settings import Compact, Estimate
from pipeline.stage import Job, Metrics
from wordkin.arrays import map_array
from wordkin.errors import InputError
from wordkin.files import new_folder
from wordkin.measures import (
    KINDS,
    BlendMeasure,
    DenseMeasure,
    LearnedMeasure,
    Measure,
    SparseMeasure,
    VectorMeasure,
    open_measure,
    write_measure,
)
from wordkin.measures.learned import rank_knots
from wordkin.vocabulary import Vocabulary

OWN_FACTS = ("measure", "kind", "arrays", "words", "fill", "top")
"""The facts of a measure that say how it is stored; the compact measure has its own."""

EXPLAINING = ("marginals",)
"""Arrays that explain a measure and are copied as they are."""


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
        # Parts come before what is made of them: a learned measure ranks its compact parts.
        for name in sorted(names, key=lambda name: _is_made_of_others(measures[name])):
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


def _is_made_of_others(measure: Measure) -> bool:
    return isinstance(measure, BlendMeasure | LearnedMeasure)


def _bytes_in(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.iterdir())


class CompactMaker:
    """Writes measures in few bytes; what several of them need is computed once."""

    def __init__(self, settings: Compact) -> None:
        self.settings = settings
        self._factors: dict[str, Factors] = {}
        self._estimates: dict[tuple[str, Estimate, int], Encoded] = {}

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
            parts = [open_measure(store / part.name, part.vocabulary) for part in measure.measures]
            with threadpool_limits(1, user_api="blas"):
                knots = np.stack([rank_knots(part) for part in parts], axis=1)
            arrays: dict[str, Any] = {"knots": knots.astype(np.float16)}
            write_measure(folder, measure.name, "learned", arrays, facts)
        else:
            nearest = 0 if isinstance(measure, VectorMeasure) else self.settings.nearest
            encoded = _encode(measure, self._factors_of(measure), 8, nearest)
            arrays = {**encoded.arrays, **_explaining(measure)}
            write_measure(folder, measure.name, "compact", arrays, {**facts, **encoded.facts})

    def write_light(self, folder: Path, measure: Measure) -> None:
        """Write any measure as one compact measure with the light settings."""
        light = self.settings.light
        encoded = self._estimate(measure, Estimate(light.nearest, light.directions), light.bits)
        write_measure(folder, measure.name, "compact", encoded.arrays, encoded.facts)

    def _estimate(self, measure: Measure, size: Estimate, bits: int = 8) -> Encoded:
        """An estimate of a whole measure, best for frequent words: people ask for them."""
        key = measure.name, size, bits
        if key not in self._estimates:
            importance = np.sqrt(measure.vocabulary.counts + 1.0)
            if isinstance(measure, BlendMeasure):
                factors = self._factors_of(measure)
            else:
                factors = factors_of(measure, size.directions)
            reduced = reduce(factors, size.directions, importance)
            self._estimates[key] = _encode(measure, reduced, bits, size.nearest)
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


def _encode(measure: Measure, factors: Factors, bits: int, nearest: int) -> Encoded:
    arrays: dict[str, Any] = encode_numbers(factors, bits)
    if not nearest:
        return Encoded(arrays)
    pairs = nearest_pairs(measure, nearest)
    arrays |= encode_pairs(pairs.stored, pairs.bounds)
    return Encoded(arrays, {} if pairs.floor is None else {"floor": pairs.floor})


def _explaining(measure: Measure) -> dict[str, Any]:
    """The arrays that explain a measure."""
    paths = [measure.folder / f"{name}.npy" for name in EXPLAINING] if measure.folder else []
    return {path.stem: map_array(path) for path in paths if path.is_file()}


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
