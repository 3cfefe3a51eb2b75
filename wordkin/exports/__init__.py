"""Measures in the formats of other programs.

Each module holds a family of formats and lists them in its own `FORMATS`. A new format is one entry
there; a new family is one new module and one line below.
"""

from __future__ import annotations

from wordkin.exports import boards, graph, pairs, sqlite, tensors, vectors
from wordkin.exports.format import Format

FORMATS: dict[str, Format] = {
    **boards.FORMATS,
    **vectors.FORMATS,
    **tensors.FORMATS,
    **pairs.FORMATS,
    **graph.FORMATS,
    **sqlite.FORMATS,
}
"""All formats by name, in the order in which they are shown."""

__all__ = ["FORMATS", "Format"]
