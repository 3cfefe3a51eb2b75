"""Stored matrices agree with people as well as full matrices do.

Most tests run on made-up counts and, where there is a mirror folder, on real text.
"""

from __future__ import annotations

import bz2
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
import stopwordsiso
from numpy.typing import NDArray
from scipy.sparse import csr_array
from scipy.sparse.csgraph import shortest_path
from scipy.stats import spearmanr

from bench.matrices import first_words, igraph_distances, made_up
from pipeline.count import store
from pipeline.layout import Layout
from pipeline.measures import graph, npmi, squared
from pipeline.measures.npmi import Npmi
from pipeline.measures.shortest_paths import UNIT, all_pairs, edges_of, from_words
from pipeline.measures.sparse import Sparse, read_sparse
from pipeline.settings import Graph, Squared
from tests.support.matrices import vocabulary, write_counts
from tests.support.root import ROOT
from wordkin.measures.store import open_measure
from wordkin.rated_pairs import Pair, PlacedPairs, place, read_pairs
from wordkin.vocabulary import Vocabulary

TOLERANCE = 0.005
CUT_TOLERANCE = 0.01
"""What the cut may cost in the small default corpora (docs/matrices.md has the figures)."""
GOLD_SETS = ("MEN", "WS-353-rel", "WS-353")


class Correlations(NamedTuple):
    """The correlation with people of a full matrix, and of what is stored of it."""

    full: float
    stored: float


def compare(layout: Layout, name: str, pairs: list[Pair]) -> Correlations:
    """How the full matrix of a measure and the stored one correlate with rated pairs."""
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    placed = place(pairs, vocabulary, language=layout.language)
    full = FULL_SCORES[name](read_sparse(layout.measure("npmi")), placed)
    stored = open_measure(layout.measure(name), vocabulary).pairs(placed.first, placed.second)
    people = placed.gold[placed.covered]
    return Correlations(*(float(spearmanr(scores, people).statistic) for scores in (full, stored)))


def full_squared(npmi: Sparse, placed: PlacedPairs) -> NDArray[np.float64]:
    """squared of the covered pairs, without any cut."""
    matrix = csr_array((npmi.values, npmi.indices, npmi.indptr), (npmi.words,) * 2)
    return np.asarray((matrix[placed.first] * matrix[placed.second]).sum(axis=1), np.float64)


def full_graph(npmi: Sparse, placed: PlacedPairs) -> NDArray[np.float64]:
    """graph of the covered pairs, without any cut."""
    sources, rows = np.unique(placed.first, return_inverse=True)
    distances, _ = from_words(edges_of(npmi), sources)
    return 1.0 - distances[rows, placed.second].astype(np.float64) / UNIT


FULL_SCORES = {"squared": full_squared, "graph": full_graph}


class Corpus(NamedTuple):
    """A project that has npmi, and rated pairs by the name of their gold set."""

    layout: Layout
    gold: dict[str, list[Pair]]


def made_up_corpus(folder: Path) -> Corpus:
    """Made-up counts of words with topics; pairs are rated by how often they met, with noise."""
    words = 800
    layout = Layout(folder, "en")
    layout.vocabulary.mkdir(parents=True)
    vocabulary(words).write(layout.vocabulary / "vocabulary.tsv")
    counts = made_up(words, topics=20)
    store.write_counts(layout.counts, counts)
    npmi.make_npmi(layout, Npmi())
    random = np.random.default_rng(1)
    both = csr_array((counts.values, counts.indices, counts.indptr), (words, words))
    both = (both + both.T).toarray()
    pairs = [
        Pair(str(a), str(b), float(np.log1p(both[a, b]) + random.standard_normal()))
        for a, b in random.integers(0, words, (500, 2)).tolist()
        if a != b
    ]
    return Corpus(layout, {"made up": pairs})


FILES, WORDS, WINDOW, SCALE = 3, 5_000, 10, 2520
MIRRORED = {
    "MEN": Path("gold/MEN/MEN_dataset_natural_form_full"),
    "WS-353-rel": Path("gold/WS353/EN-WS-353-REL.txt"),
}


def documents(corpus: Path) -> Iterator[list[str]]:
    stop_words = stopwordsiso.stopwords("en")
    for path in sorted(corpus.glob("*.bz2"))[:FILES]:
        text = bz2.decompress(path.read_bytes()).decode("utf-8").lower()
        for document in re.sub(r"<doc[^>]*>", "", text).split("</doc>"):
            yield [word for word in re.findall(r"[^\W\d]+", document) if word not in stop_words]


def wikipedia_corpus(mirror: Path, folder: Path) -> Corpus:
    """A small part of English Wikipedia: frequent words, and those of the gold sets."""
    texts = list(documents(mirror / "corpora" / "en" / "enwiki-2015-extracted"))
    counts = Counter(word for text in texts for word in text)
    gold = {name: read_pairs(mirror / path, separator=" ") for name, path in MIRRORED.items()}
    rated = {word.lower() for pairs in gold.values() for pair in pairs for word in pair[:2]}
    words = [word for word, _ in counts.most_common(WORDS)]
    words += sorted(word for word in rated - set(words) if counts[word] > 4)
    ids = {word: i for i, word in enumerate(words)}
    # Gaps as long as the window keep the documents apart.
    text_ids = np.array([ids.get(w, -1) for text in texts for w in [*text, *[""] * WINDOW]])
    both = csr_array((len(words), len(words)), dtype=np.int64)
    for distance in range(1, WINDOW + 1):
        a, b = text_ids[:-distance], text_ids[distance:]
        met = (a >= 0) & (b >= 0) & (a != b)
        ends = np.minimum(a, b)[met], np.maximum(a, b)[met]
        both += csr_array((np.full(met.sum(), SCALE // distance), ends), both.shape)
    layout = Layout(folder, "en")
    layout.vocabulary.mkdir(parents=True)
    frequencies = [counts[word] for word in words]
    Vocabulary(words, frequencies, frequencies).write(layout.vocabulary / "vocabulary.tsv")
    write_counts(layout.counts, both.toarray(), SCALE)
    npmi.make_npmi(layout, Npmi())
    return Corpus(layout, gold)


@pytest.fixture(
    scope="module", params=["made up", pytest.param("Wikipedia", marks=pytest.mark.slow)]
)
def corpus(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("project")
    if request.param == "made up":
        return made_up_corpus(folder)
    return wikipedia_corpus(request.getfixturevalue("mirror"), folder)


def assert_like_full_matrix(corpus: Corpus, name: str) -> None:
    """The stored measure correlates with each gold set as the full matrix does."""
    for pairs in corpus.gold.values():
        correlations = compare(corpus.layout, name, pairs)
        assert correlations.stored == pytest.approx(correlations.full, abs=TOLERANCE)


@pytest.mark.slow
def test_whole_matrices_agree_like_full_ones(corpus: Corpus) -> None:
    squared.make_squared(corpus.layout, Squared(top="all", store="float16"))
    graph.make_graph(corpus.layout, Graph(top="all", store="float16"))
    assert_like_full_matrix(corpus, "squared")
    assert_like_full_matrix(corpus, "graph")


@pytest.mark.slow
@pytest.mark.parametrize("corpus", ["Wikipedia"], indirect=True)  # a fact about real text
def test_a_graph_that_is_cut_loses_little(corpus: Corpus) -> None:
    # Only the graph: in so little text, squared has too few middle words to be approximated well.
    metrics = graph.make_graph(corpus.layout, Graph())
    assert metrics["pairs_cut"] > 0
    for pairs in corpus.gold.values():
        correlations = compare(corpus.layout, "graph", pairs)
        assert correlations.stored > correlations.full - TOLERANCE


def test_shortest_paths_are_those_of_igraph_and_scipy(corpus: Corpus) -> None:
    matrix = first_words(read_sparse(corpus.layout.measure("npmi")), 500)
    distances = all_pairs(edges_of(matrix))[0] / UNIT
    near = csr_array((matrix.values, matrix.indices, matrix.indptr), (500, 500))
    far = csr_array((1.0 - near.data.astype(np.float64), near.indices, near.indptr))
    np.testing.assert_allclose(distances, shortest_path(far, directed=False), atol=1e-5)
    np.testing.assert_allclose(distances, igraph_distances(far), atol=1e-5)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["squared", "graph"])
def test_the_matrices_of_this_build_lose_little(name: str) -> None:
    layout = Layout(ROOT, "en")
    if not (layout.measure(name) / "measure.json").is_file():
        pytest.skip("the English matrices are not built here (make run)")
    for gold_set in GOLD_SETS:
        correlations = compare(layout, name, read_pairs(layout.gold / f"{gold_set}.tsv"))
        assert correlations.stored > correlations.full - CUT_TOLERANCE
