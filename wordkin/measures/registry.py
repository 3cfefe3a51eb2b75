"""The one list of the kinds of measures. A new kind is one new module and one line here."""

from __future__ import annotations

from wordkin.extras import language_graph, taxonomy
from wordkin.measures import blend, compact, dense, learned, matrix, sparse, vectors
from wordkin.measures.kind import Kind

KINDS: dict[str, Kind] = {
    kind.name: kind
    for kind in (
        Kind("matrix", (), matrix.open_matrix),
        sparse.KIND,
        dense.KIND,
        vectors.KIND,
        compact.KIND,
        blend.KIND,
        learned.KIND,
        taxonomy.KIND,
        language_graph.KIND,
    )
}
"""The kinds by the name that `measure.json` has."""
