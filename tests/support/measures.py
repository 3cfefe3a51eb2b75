"""Small measures of every kind, computed by brute force from made-up counts."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.extras.hierarchy import build_hierarchy, content_from_counts, sense_order
from pipeline.measures.compact import Encoded
from pipeline.measures.factors import Factors
from pipeline.measures.quantization import (
    Levels,
    Precision,
    choose_levels,
    encode_numbers,
    encode_pairs,
)
from pipeline.measures.tiling import PairList, tile_pairs
from tests.support.language_graphs import random_graph, stored_graph
from tests.support.matrices import Matrix, sparse
from tests.support.word_nets import random_net
from wordkin.extras.language_graph import LanguageGraphMeasure
from wordkin.extras.taxonomy import TaxonomyMeasure
from wordkin.measures.blend import BlendMeasure
from wordkin.measures.compact import CompactMeasure, Corrections, StoredPairs
from wordkin.measures.dense import DenseMeasure
from wordkin.measures.learned import LearnedMeasure, untrained, write_learned
from wordkin.measures.measure import Measure, spread
from wordkin.measures.parts import Term
from wordkin.measures.sparse import LowRank, SparseMeasure
from wordkin.measures.store import write_measure
from wordkin.measures.tiles import PairBits
from wordkin.measures.vectors import VectorMeasure
from wordkin.vocabulary import Vocabulary

WORDS = 12
SCALE = 4
"""Counts are in quarters."""

EVEN = Precision(0, 8, 8)
"""Eight bits for all words."""

LEVELS_OF_NONE = np.zeros(4, np.float32)
"""The levels of pairs of other than frequent words, where all words are frequent."""

LONELY = 0
"""The id of a word that meets no other."""

VOCABULARY = Vocabulary(
    [str(word) for word in range(WORDS)], range(90, 90 - WORDS, -1), range(50, 50 - WORDS, -1)
)


@dataclass(frozen=True)
class Sample:
    """A measure in memory, and how to write it into a folder."""

    kind: str
    measure: Measure
    write: Callable[[Path], None]


def counts(seed: int = 5) -> NDArray[np.int64]:
    """A symmetric matrix of counts."""
    rng = np.random.default_rng(seed)
    met = rng.random((WORDS, WORDS)) < 0.6
    upper = np.triu(rng.geometric(0.02, (WORDS, WORDS)) * met, 1)
    upper[LONELY] = 0
    return upper + upper.T


def npmi_of(both: NDArray[np.int64]) -> Matrix:
    """The square root of the positive npmi of each pair, by its definition."""
    total, marginals = both.sum(), both.sum(axis=1)
    npmi = np.zeros(both.shape, np.float32)
    for a, b in np.argwhere(both > 0):
        p = both[a, b] / total
        value = np.log(p / (marginals[a] * marginals[b] / total**2)) / -np.log(p)
        npmi[a, b] = np.sqrt(max(value, 0.0))
    return npmi


def squared_of(npmi: Matrix) -> Matrix:
    """The product of npmi with itself, with a diagonal of 0."""
    squared = npmi.astype(np.float64) @ npmi.astype(np.float64)
    np.fill_diagonal(squared, 0.0)
    return squared.astype(np.float32)


def graph_of(npmi: Matrix) -> Matrix:
    """1 - the length of the shortest path over edges of 1 - npmi; -inf where there is none."""
    lengths = np.where(npmi > 0, 1.0 - npmi.astype(np.float64), np.inf)
    np.fill_diagonal(lengths, 0.0)
    for middle in range(len(npmi)):
        lengths = np.minimum(lengths, lengths[:, middle, None] + lengths[middle])
    graph = 1.0 - lengths
    np.fill_diagonal(graph, 0.0)
    return graph.astype(np.float32)


def unit_vectors(words: int, seed: int) -> Matrix:
    """Random vectors of unit length."""
    vectors = np.random.default_rng(seed).standard_normal((words, 5))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def random_low_rank(words: int, seed: int) -> LowRank:
    """An approximation of three directions."""
    rng = np.random.default_rng(seed)
    rest = rng.standard_normal((words, 3)).astype(np.float32)
    bounds = rng.random(words).astype(np.float32)
    return LowRank(rest, np.array([1, -1, 1], np.float32), bounds, floor=-1.0)


def _sparse(
    name: str,
    matrix: Matrix,
    facts: Mapping[str, Any],
    low_rank: LowRank | None = None,
    **more: NDArray[Any],
) -> Sample:
    stored = sparse(matrix)
    arrays: dict[str, Any] = {**stored.arrays(), **more}
    if low_rank:
        arrays |= {"rest": low_rank.rest, "signs": low_rank.signs, "bounds": low_rank.bounds}
    measure = SparseMeasure(
        name,
        VOCABULARY,
        stored.indptr,
        stored.indices,
        stored.values,
        facts.get("fill", 0.0),
        low_rank,
    )
    return Sample("csr", measure, lambda at: write_measure(at, name, "csr", arrays, facts))


def _dense(name: str, matrix: Matrix, fill: float = 0.0) -> Sample:
    measure = DenseMeasure(name, VOCABULARY, matrix, fill)
    return Sample(
        "dense",
        measure,
        lambda at: write_measure(at, name, "dense", {"values": matrix}, {"fill": fill}),
    )


def _vectors(name: str, vectors: Matrix) -> Sample:
    measure = VectorMeasure(name, VOCABULARY, vectors)
    return Sample(
        "vectors", measure, lambda at: write_measure(at, name, "vectors", {"vectors": vectors})
    )


def _compact(
    name: str, matrix: Matrix, precision: Precision, facts: Mapping[str, Any], k: int = 0
) -> Sample:
    """A compact measure of a symmetric matrix; `k` stores the k nearest words of each word."""
    values, vectors = np.linalg.eigh(np.where(np.isfinite(matrix), matrix, facts.get("floor", 0)))
    signs = np.sign(values).astype(np.float32)
    factors = Factors((vectors * np.sqrt(np.abs(values))).astype(np.float32), signs)
    codes, stored = encode_numbers(factors, precision), None
    encoded = Encoded.of(codes)
    if k:
        ranks = (-matrix).argsort(axis=1, kind="stable").argsort(axis=1, kind="stable")
        near = (np.minimum(ranks, ranks.T) < k) & (matrix > 0)
        pairs = encode_pairs(sparse(np.where(near, matrix, 0)), np.where(near, 0, matrix).max(1))
        stored = StoredPairs(**pairs)
        encoded.arrays.update(pairs)
    more = {"marginals": counts().sum(axis=1)} if "total" in facts else {}
    measure = CompactMeasure(name, VOCABULARY, codes, stored, facts.get("floor"))
    return Sample(
        "compact",
        measure,
        lambda at: write_measure(
            at, name, "compact", {**encoded.arrays, **more}, {**encoded.facts, **facts}
        ),
    )


def _corrected(name: str, matrix: Matrix, precision: Precision, directions: int) -> Sample:
    """A compact measure of a matrix: numbers of so many bits, and corrections of all pairs."""
    values, vectors = np.linalg.eigh(matrix)
    signs = np.sign(values[:directions]).astype(np.float32)
    numbers = (vectors * np.sqrt(np.abs(values))).astype(np.float32)[:, :directions]
    codes = encode_numbers(Factors(numbers, signs), precision)
    bounds = np.full(WORDS, 0.3, np.float32)
    estimates = np.clip(codes.numbers() * codes.weights @ codes.numbers().T, 0, 0.3)
    later, earlier = (ids.astype(np.int32) for ids in np.nonzero(np.tril(matrix, -1)))
    errors = PairList(later, earlier, (matrix - estimates)[later, earlier].astype(np.float32))
    levels, bits = Levels(64, choose_levels(errors.values, 16), LEVELS_OF_NONE), PairBits(2, 4, 64)
    encoded = Encoded.of(codes).with_pairs(WORDS, errors, levels, bits)
    arrays, facts = {**encoded.arrays, "bounds": bounds}, {**encoded.facts, "floor": 0.0}
    tiles = tile_pairs(WORDS, later, earlier, levels.codes(errors), bits)
    corrections = Corrections(tiles, levels.all, bounds)
    return Sample(
        "compact",
        CompactMeasure(name, VOCABULARY, codes, None, 0.0, corrections),
        lambda at: write_measure(at, name, "compact", arrays, facts),
    )


def _taxonomy(name: str, weighted: bool) -> Sample:
    """A random hierarchy; the weighted one has related pairs, too. One word has no senses."""
    words = [word for word in VOCABULARY.words if word != VOCABULARY.words[LONELY]]
    net = random_net(words, seed=4)
    made = build_hierarchy(net, VOCABULARY)
    sense_order(made)
    content = content_from_counts(made, np.asarray(VOCABULARY.counts))
    arrays: dict[str, Any] = {**made.arrays, "content": content}
    pairs = None
    if weighted:
        stored = sparse(np.where(npmi_of(counts()) > 0.4, npmi_of(counts()), 0))
        arrays |= stored.arrays()
        pairs = SparseMeasure(name, VOCABULARY, stored.indptr, stored.indices, stored.values)
    facts = {"formula": "path", "senses": "weighted" if weighted else "best"}
    return Sample(
        "taxonomy",
        TaxonomyMeasure(name, VOCABULARY, arrays, "path", weighted, pairs),
        lambda at: write_measure(at, name, "taxonomy", arrays, facts),
    )


def _language_graph(name: str) -> Sample:
    """A random language graph. One word is in none of its labels."""
    words = [word for word in VOCABULARY.words if word != VOCABULARY.words[LONELY]]
    arrays, facts = stored_graph(random_graph(words, seed=3), VOCABULARY)
    return Sample(
        "language_graph",
        LanguageGraphMeasure(name, VOCABULARY, arrays, **facts),
        lambda at: write_measure(at, name, "language_graph", arrays, facts),
    )


def _blend(name: str, *parts: Measure) -> Sample:
    terms = [Term(part.name, 1.0 + at, *spread(part)) for at, part in enumerate(parts)]
    facts = {"parts": [asdict(term) for term in terms], "words": WORDS}
    return Sample(
        "blend",
        BlendMeasure(name, VOCABULARY, terms, parts),
        lambda at: write_measure(at, name, "blend", {}, facts),
    )


def _learned(name: str, *parts: Measure) -> Sample:
    weights = np.linspace(-0.5, 1.5, 2 * len(parts) + 1)
    measure: LearnedMeasure = untrained(name, parts).with_weights(weights)
    return Sample("learned", measure, lambda at: write_learned(at, measure, {"rounds": 3}))


def make_samples() -> dict[str, Sample]:
    """Measures by name, at least one of each kind; later ones may be made of earlier ones."""
    both = counts()
    npmi = npmi_of(both)
    facts = {"total": int(both.sum()), "scale": SCALE, "smoothing": 1.0}
    close = np.where(npmi > np.median(npmi[npmi > 0]), npmi, 0)
    samples = {
        "npmi": _sparse("npmi", npmi, facts, marginals=both.sum(axis=1)),
        "filled": _sparse("filled", npmi, {"fill": -0.25}),
        "approximated": _sparse("approximated", close, {"fill": -1.0}, random_low_rank(WORDS, 1)),
        "squared": _dense("squared", squared_of(npmi)),
        "graph": _dense("graph", graph_of(npmi), fill=-2.0),
        "svd": _vectors("svd", unit_vectors(WORDS, 1)),
    }
    samples["near_pairs"] = _compact("near_pairs", npmi, EVEN, {"floor": 0.0}, k=3)
    samples["few_bits"] = _compact("few_bits", squared_of(npmi), Precision(5, 5, 3), {})
    samples["corrected"] = _corrected("corrected", npmi, Precision(0, 6, 6), 3)
    samples["tiled"] = _corrected("tiled", npmi, EVEN, 0)
    parts = [samples[name].measure for name in ("npmi", "graph", "svd")]
    samples["hierarchy"] = _taxonomy("hierarchy", weighted=False)
    samples["related"] = _taxonomy("related", weighted=True)
    samples["language-graph"] = _language_graph("language-graph")
    for name in ("wordnet-opposites", "wordnet-parts"):
        samples[name] = _sparse(name, close, {})
    samples["blend"] = _blend("blend", *parts)
    samples["human"] = _learned("human", *parts)
    return samples


def write_samples(root: Path) -> dict[str, Path]:
    """Write all samples into folders below `root`."""
    samples = make_samples()
    for name, sample in samples.items():
        sample.write(root / name)
    return {name: root / name for name in samples}


def copy_sample(written: Path, root: Path, name: str) -> Path:
    """Copy a written sample, and those that it is made of, below `root`; returns its folder."""
    facts = json.loads((written / name / "measure.json").read_text())
    for part in [name, *(term["measure"] for term in facts.get("parts", ()))]:
        shutil.copytree(written / part, root / part)
    return root / name
