"""The strongest pairs as a graph, for programs that draw and analyse networks."""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import escape

from wordkin.exports.format import Format, Request
from wordkin.exports.pairs import related_pairs
from wordkin.files import new_file
from wordkin.measures.measure import Measure

NEAREST = 10
"""How many nearest words each word is linked to by default; more are hard to draw."""

# `name` and `weight` are the attributes that igraph, networkx and Gephi look for.
_HEAD = """\
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
<key id="name" for="node" attr.name="name" attr.type="string"/>
<key id="count" for="node" attr.name="count" attr.type="long"/>
<key id="weight" for="edge" attr.name="weight" attr.type="double"/>
<graph edgedefault="undirected">
"""
_TAIL = "</graph>\n</graphml>\n"


def write_graphml(measure: Measure, path: Path, top: int | None = None) -> int:
    """Write all words as nodes and their strongest pairs as edges; returns the number of edges.

    Parameters
    ----------
    measure : Measure
        What to write.
    path : Path
        The file to write.
    top : int, optional
        Link two words when one is among the other's `top` nearest, or as near as the last of them.
        Default: 10.
    """
    vocabulary = measure.vocabulary
    edges = 0
    with (
        new_file(path) as temporary,
        temporary.open("w", encoding="utf-8", newline="\n") as file,
    ):
        file.write(_HEAD)
        for i, (word, count) in enumerate(zip(vocabulary, vocabulary.counts.tolist(), strict=True)):
            file.write(
                f'<node id="n{i}"><data key="name">{escape(word)}</data>'
                f'<data key="count">{count}</data></node>\n'
            )
        for a, b, relatedness in related_pairs(measure, NEAREST if top is None else top):
            for i, j, value in zip(a.tolist(), b.tolist(), relatedness.tolist(), strict=True):
                file.write(
                    f'<edge source="n{i}" target="n{j}">'
                    f'<data key="weight">{value:.7g}</data></edge>\n'
                )
            edges += len(a)
        file.write(_TAIL)
    return edges


def _graphml(request: Request) -> None:
    write_graphml(request.measure, request.path, request.top)


FORMATS = {
    "graphml": Format("the strongest pairs as a graph, for igraph, networkx and Gephi", _graphml)
}
