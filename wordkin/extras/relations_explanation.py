"""Language graphs: the path between two words, with its relations."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wordkin.measures.explanations.explanation import Explanation

if TYPE_CHECKING:
    from wordkin.extras.language_graph import LanguageGraphMeasure, Step


@dataclass(frozen=True)
class Relations(Explanation):
    """The edges of the best path.

    Attributes
    ----------
    start : str
        The word that the path starts from: `a` or `b`.
    steps : tuple of Step
        The edges; none if no path relates the words.
    """

    start: str
    steps: tuple[Step, ...]

    def wording(self, texts: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        if not self.steps:
            return "no_path", {}
        path = self.start
        for relation, forward, label in self.steps:
            name = texts.get(relation.replace(" ", "_"), relation)
            path += f" –{name}→ {label}" if forward else f" ←{name}– {label}"
        return "path", {"path": path}


def explain_relations(measure: LanguageGraphMeasure, a: int, b: int) -> Relations:
    """Explain a language graph by the better of the paths from either word to the other."""
    words, value = measure.vocabulary.words, float(measure.pairs([a], [b])[0])
    there, back = measure.path(a, b), measure.path(b, a)
    start, (_, steps) = (b, back) if back[0] > there[0] else (a, there)
    return Relations(measure.name, words[a], words[b], value, words[start], tuple(steps))
