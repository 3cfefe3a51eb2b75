"""Stored matrices agree with people as well as full matrices do."""

from __future__ import annotations

import bz2
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import stopwordsiso
from scipy.sparse import csr_array
from scipy.sparse.csgraph import shortest_path

from bench.cutting import compare
from bench.matrices import first_words, igraph_distances
from pipeline.layout import Layout
from pipeline.relatedness import graph, npmi, squared
from pipeline.relatedness.shortest_paths import UNIT, all_pairs, edges_of
from pipeline.relatedness.sparse import read_sparse
from pipeline.settings import Graph, Npmi, Squared
from tests.conftest import ROOT
from tests.support.matrices import write_counts
from wordkin.judging.pairs import Pair, read_pairs
from wordkin.vocabulary import Vocabulary

TOLERANCE = 0.005
GOLD = ("MEN", "WS-353-rel", "WS-353")


def assert_like_full_matrix(layout: Layout, gold: dict[str, list[Pair]], name: str) -> None:
    """The stored measure correlates with each gold set as the full matrix does."""
    for pairs in gold.values():
        correlations = compare(layout, name, pairs)
        assert correlations.stored == pytest.approx(correlations.full, abs=TOLERANCE)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["squared", "graph"])
def test_the_matrices_of_this_build_agree_like_full_ones(name: str) -> None:
    layout = Layout(ROOT, "en")
    if not (layout.measure(name) / "measure.json").is_file():
        pytest.skip("the English matrices are not built here (make run)")
    gold = {name: read_pairs(layout.gold / f"{name}.tsv") for name in GOLD}
    assert_like_full_matrix(layout, gold, name)


FILES, WORDS, WINDOW, SCALE = 3, 5_000, 10, 2520
MIRRORED = {
    "MEN": Path("gold/MEN/MEN_dataset_natural_form_full"),
    "WS-353-rel": Path("gold/WS353/EN-WS-353-REL.txt"),
}


def documents(corpus: Path) -> Iterator[list[str]]:
    stop = stopwordsiso.stopwords("en")
    for path in sorted(corpus.glob("*.bz2"))[:FILES]:
        text = bz2.decompress(path.read_bytes()).decode("utf-8").lower()
        for document in re.sub(r"<doc[^>]*>", "", text).split("</doc>"):
            yield [word for word in re.findall(r"[^\W\d]+", document) if word not in stop]


@pytest.fixture(scope="module")
def wikipedia(
    mirror: Path, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Layout, dict[str, list[Pair]]]:
    """npmi of a small part of English Wikipedia: frequent words, and those of the gold sets."""
    texts = list(documents(mirror / "corpora" / "en" / "enwiki-2015-extracted"))
    counts = Counter(word for text in texts for word in text)
    gold = {name: read_pairs(mirror / path, separator=" ") for name, path in MIRRORED.items()}
    rated = {word.lower() for pairs in gold.values() for pair in pairs for word in pair[:2]}
    words = [word for word, _ in counts.most_common(WORDS)]
    words += sorted(word for word in rated - set(words) if counts[word] > 4)
    ids = {word: i for i, word in enumerate(words)}
    # Gaps as long as the window keep the documents apart.
    places = np.array([ids.get(w, -1) for text in texts for w in [*text, *[""] * WINDOW]])
    both = csr_array((len(words), len(words)), dtype=np.int64)
    for distance in range(1, WINDOW + 1):
        a, b = places[:-distance], places[distance:]
        met = (a >= 0) & (b >= 0) & (a != b)
        ends = np.minimum(a, b)[met], np.maximum(a, b)[met]
        both += csr_array((np.full(met.sum(), SCALE // distance), ends), both.shape)
    layout = Layout(tmp_path_factory.mktemp("project"), "en")
    layout.vocabulary.mkdir(parents=True)
    number = [counts[word] for word in words]
    Vocabulary(words, number, number).write(layout.vocabulary / "vocabulary.tsv")
    write_counts(layout.counts, both.toarray(), SCALE)
    npmi.make_npmi(layout, Npmi())
    return layout, gold


@pytest.mark.slow
def test_matrices_of_the_default_settings_agree_like_full_ones(
    wikipedia: tuple[Layout, dict[str, list[Pair]]],
) -> None:
    layout, gold = wikipedia
    squared.make_squared(layout, Squared())
    graph.make_graph(layout, Graph())
    assert_like_full_matrix(layout, gold, "squared")
    assert_like_full_matrix(layout, gold, "graph")


@pytest.mark.slow
def test_a_graph_that_is_cut_loses_little(
    wikipedia: tuple[Layout, dict[str, list[Pair]]],
) -> None:
    # Only the graph: in so little text, squared has too few middle words to be approximated well.
    layout, gold = wikipedia
    graph.make_graph(layout, Graph(top=500, store="sparse"))
    for pairs in gold.values():
        correlations = compare(layout, "graph", pairs)
        assert correlations.stored > correlations.full - TOLERANCE


@pytest.mark.slow
def test_paths_in_real_text_are_those_of_igraph_and_scipy(
    wikipedia: tuple[Layout, dict[str, list[Pair]]],
) -> None:
    layout, _ = wikipedia
    matrix = first_words(read_sparse(layout.measure("npmi")), 500)
    distances = all_pairs(edges_of(matrix))[0] / UNIT
    near = csr_array((matrix.values, matrix.indices, matrix.indptr), (500, 500))
    far = csr_array((1.0 - near.data.astype(np.float64), near.indices, near.indptr))
    np.testing.assert_allclose(distances, shortest_path(far, directed=False), atol=1e-5)
    np.testing.assert_allclose(distances, igraph_distances(far), atol=1e-5)
