"""Relatedness measures on disk and in memory: every measure answers the same questions.

A measure is a folder of plain `.npy` arrays and a `measure.json` that says how to read them:

    kind      arrays                                        relatedness of the words i and j
    csr       indptr (int64), indices (int32), values       values[i, j] where stored, else `fill`
              rest (words x directions), signs and          or, with these, the estimate that is
              bounds (words): optional                      told of at `Estimate`
    dense     values (words x words)                        values[i, j], `fill` where -inf
    vectors   vectors (words x dimensions, unit length)     cosine: vectors[i] . vectors[j]
    blend     none; `parts` names measures that lie         the weighted mean of the parts, each
              in folders beside it                          less its `mean`, over its `deviation`
    learned   knots (words x parts x ranks); `parts` as     a weighted sum of the parts' values and
              in a blend                                    ranks, see `wordkin.measures.learned`

Matrices are whole (both triangles) and symmetric. A word does not pair with itself: its own
place is 0. Arrays are mapped into memory, so opening a measure reads next to nothing. A measure
may keep further arrays and facts for explanations.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wordkin.arrays import Rows, map_array, write_array
from wordkin.errors import InputError
from wordkin.files import write_text
from wordkin.vocabulary import Vocabulary

Floats = NDArray[np.float32]
Ids = NDArray[np.int64]

ARRAYS: dict[str, tuple[str, ...]] = {
    "csr": ("indptr", "indices", "values"),
    "dense": ("values",),
    "vectors": ("vectors",),
    "blend": (),
    "learned": ("knots",),
}


class Measure(ABC):
    """How related the words of a vocabulary are.

    Attributes
    ----------
    name : str
        The name of the measure: `npmi`, `graph`, ...
    vocabulary : Vocabulary
        The words it knows.
    folder : Path or None
        Where it was opened from; there lie the arrays and facts that explain it.
    """

    def __init__(self, name: str, vocabulary: Vocabulary) -> None:
        self.name = name
        self.vocabulary = vocabulary
        self.folder: Path | None = None

    @abstractmethod
    def rows(self, ids: ArrayLike) -> Floats:
        """Each of the words `ids` against all words: a dense (len(ids), words) array."""

    @abstractmethod
    def pairs(self, a: ArrayLike, b: ArrayLike) -> Floats:
        """The relatedness of the words a[k] and b[k], given by their ids."""

    def relatedness(self, a: str, b: str) -> float:
        """The relatedness of two words."""
        return float(self.pairs([self.vocabulary.id(a)], [self.vocabulary.id(b)])[0])

    def row(self, word: str) -> Floats:
        """One word against all words, in the order of the vocabulary."""
        return self.rows([self.vocabulary.id(word)])[0]

    def nearest(self, word: str, k: int = 10) -> list[tuple[str, float]]:
        """The `k` most related words, closest first; equals in the vocabulary's order."""
        own = self.vocabulary.id(word)
        row = self.rows([own])[0]
        order = np.argsort(-row, kind="stable")
        order = order[order != own][:k]
        return [(self.vocabulary.words[i], float(row[i])) for i in order]


@dataclass(frozen=True)
class Estimate:
    """What stands for pairs of words that were cut from a matrix.

    The sum over the directions d of signs[d] rest[a, d] rest[b, d], but no closer than either
    word's last kept pick (`bounds`; a closer one would have been kept) and no farther than `floor`.
    """

    rest: Floats
    signs: Floats
    bounds: Floats
    floor: float

    def rows(self, ids: Ids) -> Floats:
        """Each of the words `ids` against all words."""
        sums = np.asarray((self.rest[ids] * self.signs) @ self.rest.T, dtype=np.float32)
        return self._within(sums, np.minimum.outer(self.bounds[ids], self.bounds))

    def pairs(self, a: Ids, b: Ids) -> Floats:
        """The words a[k] and b[k]."""
        sums = np.einsum("ij,ij->i", self.rest[a] * self.signs, self.rest[b])
        return self._within(sums, np.minimum(self.bounds[a], self.bounds[b]))

    def _within(self, sums: Floats, bounds: Floats) -> Floats:
        return np.asarray(np.clip(sums, np.float32(self.floor), bounds, out=sums))


class SparseMeasure(Measure):
    """A measure kept as a compressed sparse matrix.

    Pairs that are not stored answer `fill`, or the estimate where the measure has one.
    """

    def __init__(
        self,
        name: str,
        vocabulary: Vocabulary,
        indptr: NDArray[np.int64],
        indices: NDArray[np.int32],
        values: NDArray[np.floating],
        fill: float = 0.0,
        estimate: Estimate | None = None,
    ) -> None:
        super().__init__(name, vocabulary)
        self.indptr, self.indices, self.values = indptr, indices, values
        self.fill, self.estimate = fill, estimate

    def rows(self, ids: ArrayLike) -> Floats:
        """Each of the words `ids` against all words."""
        wanted = np.asarray(ids, dtype=np.int64)
        if self.estimate:
            out = self.estimate.rows(wanted)
        else:
            out = np.full((len(wanted), len(self.vocabulary)), self.fill, dtype=np.float32)
        for at, i in enumerate(wanted):
            span = slice(self.indptr[i], self.indptr[i + 1])
            out[at, self.indices[span]] = self.values[span]
        out[np.arange(len(wanted)), wanted] = 0.0
        return out

    def pairs(self, a: ArrayLike, b: ArrayLike) -> Floats:
        """The relatedness of the words a[k] and b[k]."""
        first, second = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
        if self.estimate:
            out = self.estimate.pairs(first, second)
        else:
            out = np.full(len(first), self.fill, dtype=np.float32)
        places = self.find(first, second)
        stored = places >= 0
        out[stored] = self.values[places[stored]]
        out[first == second] = 0.0
        return out

    def find(self, a: Ids, b: Ids) -> Ids:
        """Where the pairs (a[k], b[k]) are stored; -1 for those that are not."""
        # One binary search for all pairs, a step at a time.
        low, high = self.indptr[a].copy(), self.indptr[a + 1].copy()
        end = self.indptr[a + 1]
        for _ in range(int((high - low).max(initial=0)).bit_length()):
            open_ = low < high
            middle = np.where(open_, (low + high) // 2, 0)
            before = open_ & (self.indices[middle] < b)
            low = np.where(before, middle + 1, low)
            high = np.where(open_ & ~before, middle, high)
        stored = low < end
        stored[stored] = self.indices[low[stored]] == b[stored]
        return np.where(stored, low, -1)


class DenseMeasure(Measure):
    """A measure kept as a full matrix; pairs without any relation (-inf) answer `fill`."""

    def __init__(
        self,
        name: str,
        vocabulary: Vocabulary,
        values: NDArray[np.floating],
        fill: float = 0.0,
    ) -> None:
        super().__init__(name, vocabulary)
        self.values, self.fill = values, fill

    def rows(self, ids: ArrayLike) -> Floats:
        """Each of the words `ids` against all words."""
        return self._filled(self.values[np.asarray(ids, dtype=np.int64)])

    def pairs(self, a: ArrayLike, b: ArrayLike) -> Floats:
        """The relatedness of the words a[k] and b[k]."""
        first, second = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
        return self._filled(self.values[first, second])

    def _filled(self, values: NDArray[np.floating]) -> Floats:
        out = values.astype(np.float32)
        out[np.isneginf(out)] = self.fill
        return out


class VectorMeasure(Measure):
    """The cosine of unit vectors."""

    def __init__(self, name: str, vocabulary: Vocabulary, vectors: Floats) -> None:
        super().__init__(name, vocabulary)
        self.vectors = vectors

    def rows(self, ids: ArrayLike) -> Floats:
        wanted = np.asarray(ids, dtype=np.int64)
        out = np.asarray(self.vectors[wanted] @ self.vectors.T, dtype=np.float32)
        out[np.arange(len(wanted)), wanted] = 0.0
        return out

    def pairs(self, a: ArrayLike, b: ArrayLike) -> Floats:
        first, second = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
        out = np.einsum("ij,ij->i", self.vectors[first], self.vectors[second])
        out[first == second] = 0.0
        return np.asarray(out, dtype=np.float32)


@dataclass(frozen=True)
class Part:
    """A measure's share in a blend, and what brings its values to the common scale.

    `mean` and `deviation` are those of the measure over random pairs of words.
    """

    measure: str
    weight: float
    mean: float
    deviation: float


class BlendMeasure(Measure):
    """The weighted mean of standardised measures: 0 for words taken at random, 1 a deviation up."""

    def __init__(
        self,
        name: str,
        vocabulary: Vocabulary,
        parts: Sequence[Part],
        measures: Sequence[Measure],
    ) -> None:
        super().__init__(name, vocabulary)
        self.parts, self.measures = list(parts), list(measures)

    def rows(self, ids: ArrayLike) -> Floats:
        """Each of the words `ids` against all words."""
        wanted = np.asarray(ids, dtype=np.int64)
        out = self._sum(measure.rows(wanted) for measure in self.measures)
        out[np.arange(len(wanted)), wanted] = 0.0
        return out

    def pairs(self, a: ArrayLike, b: ArrayLike) -> Floats:
        """The relatedness of the words a[k] and b[k]."""
        first, second = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
        out = self._sum(measure.pairs(first, second) for measure in self.measures)
        out[first == second] = 0.0
        return out

    def shares(self, a: ArrayLike, b: ArrayLike) -> list[Floats]:
        """What each part adds to the relatedness of the words a[k] and b[k]."""
        return list(self._weighted(measure.pairs(a, b) for measure in self.measures))

    def _sum(self, values: Iterable[Floats]) -> Floats:
        weighted = self._weighted(values)
        out = next(weighted)
        for of_part in weighted:
            out += of_part
        return out

    def _weighted(self, values: Iterable[Floats]) -> Iterator[Floats]:
        total = sum(part.weight for part in self.parts)
        for part, of_part in zip(self.parts, values, strict=True):
            share = np.float32(part.weight / total / part.deviation)
            yield share * (of_part - np.float32(part.mean))


def spread(measure: Measure, seed: int = 0, sample: int = 20_000) -> tuple[float, float]:
    """The mean and the standard deviation of a measure over random pairs of different words."""
    words = len(measure.vocabulary)
    if words < 2:
        return 0.0, 1.0
    rng = np.random.default_rng(seed)
    a = rng.integers(0, words, sample)
    b = (a + rng.integers(1, words, sample)) % words
    values = measure.pairs(a, b).astype(np.float64)
    # A measure of one value only has nothing to tell words apart by, on any scale.
    return float(values.mean()), float(values.std()) or 1.0


def log_shares(marginals: Ids, total: int, smoothing: float = 1.0) -> NDArray[np.float64]:
    """ln p(a) of each word as npmi weighs it, -inf for a word without pairs.

    A `smoothing` s below 1 raises the share of rare contexts, p'(a) = n_a^s / sum n^s, which tames
    the PMI of rare words. As either word of a pair can be the context, a word's share becomes the
    geometric mean of p and p', and the matrix stays symmetric.
    """
    with np.errstate(divide="ignore"):
        logs = np.log(marginals)
    plain = logs - np.log(max(total, 1))
    if smoothing == 1.0:
        return np.asarray(plain)
    smoothed = smoothing * logs
    return np.asarray((plain + smoothed - np.log(max(np.exp(smoothed).sum(), 1.0))) / 2)


def write_measure(
    folder: Path,
    name: str,
    kind: str,
    arrays: Mapping[str, NDArray[Any] | Rows],
    facts: Mapping[str, Any] | Callable[[], Mapping[str, Any]] | None = None,
) -> None:
    """Write a measure's arrays and, last of all, its `measure.json`.

    Parameters
    ----------
    folder : Path
        Where to; made when missing. A folder without `measure.json` is not a measure, so an
        interrupted write is never taken for a whole one.
    name, kind : str
        The measure's name and one of the kinds of this module.
    arrays : mapping of str to array
        The kind's arrays, and any further ones a measure wants to keep (`marginals`, ...).
    facts : mapping or function, optional
        What else to say in `measure.json`: `fill`, what was cut, how it was made. A function is
        asked once the arrays are written, for facts that are only known then.
    """
    missing = set(ARRAYS[kind]) - set(arrays)
    if missing:
        raise ValueError(f"a {kind} measure needs the arrays {sorted(missing)}")
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "measure.json").unlink(missing_ok=True)
    for stale in sorted(folder.glob("*.npy")):
        if stale.stem not in arrays:
            stale.unlink()
    for array_name, array in arrays.items():
        write_array(folder / f"{array_name}.npy", array)
    description = {
        "measure": name,
        "kind": kind,
        "arrays": sorted(arrays),
        **(facts() if callable(facts) else facts or {}),
    }
    if ARRAYS[kind]:
        description["words"] = len(arrays[ARRAYS[kind][0]]) - (kind == "csr")
    write_text(folder / "measure.json", json.dumps(description, indent=2, sort_keys=True) + "\n")


def open_measure(folder: Path, vocabulary: Vocabulary) -> Measure:
    """Open a measure's folder; damage is refused in one sentence."""
    description = describe(folder)
    name, kind = description["measure"], description["kind"]
    if description["words"] != len(vocabulary):
        raise InputError(
            f"The measure in {folder} has {description['words']} words and the vocabulary "
            f"{len(vocabulary)}: they are not of one build, make them again."
        )
    measure = _open_kind(folder, kind, name, vocabulary, description)
    measure.folder = folder
    return measure


def _open_kind(
    folder: Path, kind: str, name: str, vocabulary: Vocabulary, description: Mapping[str, Any]
) -> Measure:
    beside: list[Measure] = []
    if kind in ("blend", "learned"):
        try:
            parts = [Part(**part) for part in description["parts"]]
        except (KeyError, TypeError) as error:
            raise InputError(f"{folder / 'measure.json'} names no parts: make it again.") from error
        beside = [open_measure(folder.parent / part.measure, vocabulary) for part in parts]
        if kind == "blend":
            return BlendMeasure(name, vocabulary, parts, beside)
    arrays = [map_array(folder / f"{array}.npy") for array in ARRAYS[kind]]
    if len(arrays[0]) != len(vocabulary) + (kind == "csr"):
        raise InputError(f"{folder / ARRAYS[kind][0]}.npy has a wrong size: make or copy it again.")
    if kind == "csr":
        indptr, indices, values = arrays
        if not len(indices) == len(values) == indptr[-1]:
            raise InputError(
                f"The arrays in {folder} do not fit together: make or copy them again."
            )
        fill = description.get("fill", 0.0)
        estimate = _open_estimate(folder, fill) if "rest" in description.get("arrays", ()) else None
        return SparseMeasure(name, vocabulary, indptr, indices, values, fill, estimate)
    if kind == "learned":
        from wordkin.measures.learned import open_learned  # which is built on this module

        return open_learned(name, vocabulary, beside, arrays[0], description)
    if kind == "dense":
        return DenseMeasure(name, vocabulary, arrays[0], description.get("fill", 0.0))
    return VectorMeasure(name, vocabulary, arrays[0])


def _open_estimate(folder: Path, floor: float) -> Estimate:
    rest, signs, bounds = (map_array(folder / f"{n}.npy") for n in ("rest", "signs", "bounds"))
    words = describe(folder)["words"]
    if rest.shape != (words, len(signs)) or bounds.shape != (words,):
        raise InputError(f"The estimate in {folder} has a wrong size: make or copy it again.")
    return Estimate(rest, signs, bounds, floor)


def describe(folder: Path) -> dict[str, Any]:
    """What `measure.json` says of the measure in `folder`."""
    path = folder / "measure.json"
    try:
        description: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        known = description["kind"] in ARRAYS and {"measure", "words"} <= set(description)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{path} is not a measure's description: make it again.") from error
    if not known:
        raise InputError(f"{path} has an unknown kind '{description['kind']}': update wordkin.")
    return description
