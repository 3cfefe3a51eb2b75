"""Why two words are related, for measures that are stored as matrices or vectors.

    npmi         how often the words met, and how often they would by chance (meetings)
    graph        the shortest path, edge by edge (path)
    any other    words that are close to both (near)

Measures of other kinds explain themselves: a product by the words between two words (middles), what
is made of others by its parts (`wordkin.measures.parts`). A new explanation is one new module and
one line in `EXPLAINERS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from wordkin.measures.explanations import meetings, near, path
from wordkin.measures.explanations.explanation import Explanation

if TYPE_CHECKING:
    from wordkin.measures.measure import Measure

Explainer = Callable[["Measure", int, int, Mapping[str, "Measure"]], Explanation]
"""Called as `explainer(measure, a, b, measures)` with the ids of two different words and all
measures of the bundle."""

EXPLAINERS: dict[str, Explainer] = {
    "npmi": meetings.explain,
    "graph": path.explain,
}
"""The explainers by the name of the measure."""


def explainer_of(name: str) -> Explainer:
    """The explainer of the measure called `name`."""
    return EXPLAINERS.get(name, near.explain)
