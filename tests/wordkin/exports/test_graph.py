"""GraphML, read by igraph."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.exports import MEASURES, full_matrix, nearest_pairs
from wordkin.bundle import Bundle
from wordkin.exports import graph
from wordkin.measures.dense import DenseMeasure
from wordkin.vocabulary import Vocabulary


@pytest.mark.parametrize("name", MEASURES)
@pytest.mark.parametrize("top", [None, 3])
def test_igraph_reads_the_strongest_pairs(
    bundle: Bundle, tmp_path: Path, name: str, top: int | None
) -> None:
    igraph = pytest.importorskip("igraph")
    count = graph.write_graphml(bundle.measure(name), tmp_path / "words.graphml", top)
    read = igraph.Graph.Read_GraphML(str(tmp_path / "words.graphml"))
    assert not read.is_directed()
    assert read.vs["name"] == bundle.vocabulary.words
    assert read.vs["count"] == bundle.vocabulary.counts.tolist()
    edges = {tuple(sorted(edge.tuple)): edge["weight"] for edge in read.es}
    assert len(edges) == read.ecount() == count
    assert edges == pytest.approx(nearest_pairs(full_matrix(bundle, name), top or 10), abs=1e-6)


def test_words_with_characters_of_xml_survive(bundle: Bundle, tmp_path: Path) -> None:
    igraph = pytest.importorskip("igraph")
    words = ["r&d", "<b>", "l'été"]
    vocabulary = Vocabulary(words, [3, 2, 1], [1, 1, 1])
    measure = DenseMeasure("graph", vocabulary, full_matrix(bundle, "graph")[:3, :3])
    graph.write_graphml(measure, tmp_path / "words.graphml")
    assert igraph.Graph.Read_GraphML(str(tmp_path / "words.graphml")).vs["name"] == words
