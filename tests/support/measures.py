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
from pipeline.measures.sparse import PAIR_ARRAYS
from tests.support.language_graphs import random_graph, stored_graph
from tests.support.matrices import Matrix, sparse, stored_pairs
from tests.support.word_nets import random_net
from wordkin.extras.language_graph import LanguageGraphMeasure
from wordkin.extras.taxonomy import TaxonomyMeasure
from wordkin.extras.word_net import WordNetMeasure
from wordkin.measures.blend import BlendMeasure
from wordkin.measures.files import write_matrix, write_measure
from wordkin.measures.learned import LearnedMeasure, untrained, write_learned
from wordkin.measures.matrix import MatrixMeasure, Pairs, Vectors
from wordkin.measures.measure import Measure, spread
from wordkin.measures.parts import Term
from wordkin.measures.product import ProductMeasure
from wordkin.vocabulary import Vocabulary

WORDS = 12
SCALE = 4
"""Counts are in quarters."""

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


def graph_of(npmi: Matrix) -> Matrix:
    """1 - the length of the shortest path over edges of 1 - npmi; 0 where there is none."""
    lengths = np.where(npmi > 0, 1.0 - npmi.astype(np.float64), np.inf)
    np.fill_diagonal(lengths, 0.0)
    for middle in range(len(npmi)):
        lengths = np.minimum(lengths, lengths[:, middle, None] + lengths[middle])
    graph = np.where(np.isinf(lengths), 0.0, 1.0 - lengths)
    np.fill_diagonal(graph, 0.0)
    return graph.astype(np.float32)


def unit_vectors(words: int, seed: int) -> Matrix:
    """Random vectors of unit length."""
    vectors = np.random.default_rng(seed).standard_normal((words, 5))
    return (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)


def random_vectors(words: int, seed: int, small: bool = False) -> Vectors:
    """Vectors of three directions that estimate pairs, in whole numbers if they are small."""
    rng = np.random.default_rng(seed)
    weights, bounds = np.array([1, -1, 1], np.float32), rng.random(words).astype(np.float32)
    if small:
        numbers = rng.integers(-127, 128, (words, 3)).astype(np.int8)
        return Vectors(numbers, np.full(words, 0.01, np.float32), weights, bounds)
    numbers = rng.standard_normal((words, 3)).astype(np.float32)
    return Vectors(numbers, None, weights, bounds)


def _matrix(
    name: str,
    pairs: Matrix | None,
    vectors: Vectors | None = None,
    facts: Mapping[str, Any] | None = None,
    levels: Matrix | None = None,
    **more: NDArray[Any],
) -> Sample:
    """A matrix; its pairs are the numbers of levels if there are levels."""
    stored = None if pairs is None else stored_pairs(pairs)
    if stored and levels is not None:
        numbers = stored.values.astype(np.uint8)
        stored, more["levels"] = Pairs(stored.indptr, stored.indices, numbers, levels), levels
    if vectors and vectors.scales is not None:
        more["scales"] = vectors.scales
    arrays = (stored.indptr, stored.indices, stored.values) if stored else None
    numbers, weights, bounds = (
        (vectors.numbers, vectors.weights, vectors.bounds) if vectors else (None, None, None)
    )
    return Sample(
        "matrix",
        MatrixMeasure(name, VOCABULARY, stored, vectors),
        lambda at: write_matrix(at, name, arrays, numbers, weights, bounds, facts, more),
    )


def _product(name: str, npmi: Matrix, k: int) -> Sample:
    """The product of rows cut to the k closest words, made of the pairs of npmi."""
    least = np.sort(npmi, axis=1)[:, -k]
    measure = ProductMeasure(name, VOCABULARY, stored_pairs(npmi), least)
    return Sample(
        "product",
        measure,
        lambda at: write_measure(at, name, "product", WORDS, {"least": least}, {"of": "npmi"}),
    )


def _word_net(name: str, matrix: Matrix, relation: str) -> Sample:
    return Sample(
        "word_net",
        WordNetMeasure(name, VOCABULARY, stored_pairs(matrix), relation),
        lambda at: write_matrix(
            at, name, sparse(matrix).arrays, facts={"relation": relation}, kind="word_net"
        ),
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
        close = np.where(npmi_of(counts()) > 0.4, npmi_of(counts()), 0)
        arrays |= dict(zip(PAIR_ARRAYS, sparse(close).arrays, strict=True))
        pairs = MatrixMeasure(name, VOCABULARY, stored_pairs(close))
    facts = {"formula": "path", "senses": "weighted" if weighted else "best"}
    return Sample(
        "taxonomy",
        TaxonomyMeasure(name, VOCABULARY, arrays, "path", weighted, pairs),
        lambda at: write_measure(at, name, "taxonomy", WORDS, arrays, facts),
    )


def _language_graph(name: str) -> Sample:
    """A random language graph. One word is in none of its labels."""
    words = [word for word in VOCABULARY.words if word != VOCABULARY.words[LONELY]]
    arrays, facts = stored_graph(random_graph(words, seed=3), VOCABULARY)
    pairs = Pairs(*(arrays[array] for array in PAIR_ARRAYS))
    return Sample(
        "language_graph",
        LanguageGraphMeasure(name, VOCABULARY, pairs, arrays, **facts),
        lambda at: write_measure(at, name, "language_graph", WORDS, arrays, facts),
    )


def _blend(name: str, *parts: Measure) -> Sample:
    terms = [Term(part.name, 1.0 + at, *spread(part)) for at, part in enumerate(parts)]
    facts = {"parts": [asdict(term) for term in terms]}
    return Sample(
        "blend",
        BlendMeasure(name, VOCABULARY, terms, parts),
        lambda at: write_measure(at, name, "blend", WORDS, facts=facts),
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
    levels = np.linspace(-1, 1, 256).astype(np.float32)
    samples = {
        "npmi": _matrix("npmi", npmi, facts=facts, marginals=both.sum(axis=1)),
        "estimated": _matrix("estimated", close, random_vectors(WORDS, 1)),
        "small": _matrix(
            "small", np.ceil(close * 255), random_vectors(WORDS, 2, True), None, levels
        ),
        "squared": _product("squared", npmi, WORDS - 1),
        "cut": _product("cut", npmi, 3),
        "graph": _matrix("graph", graph_of(npmi)),
        "svd": _matrix("svd", None, Vectors(unit_vectors(WORDS, 1))),
    }
    parts = [samples[name].measure for name in ("npmi", "graph", "svd")]
    samples["hierarchy"] = _taxonomy("hierarchy", weighted=False)
    samples["related"] = _taxonomy("related", weighted=True)
    samples["language-graph"] = _language_graph("language-graph")
    samples["wordnet-opposites"] = _word_net("wordnet-opposites", close, "opposites")
    samples["wordnet-parts"] = _word_net("wordnet-parts", close, "part_of")
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
    parts = [term["measure"] for term in facts.get("parts", ())]
    for part in [name, *parts, *([facts["of"]] if "of" in facts else [])]:
        shutil.copytree(written / part, root / part)
    return root / name
