"""Hierarchies of concepts: the way from one word up to a shared concept and down to the other."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from wordkin.measures.explanations.explanation import Explanation

if TYPE_CHECKING:
    from wordkin.extras.taxonomy import TaxonomyMeasure


@dataclass(frozen=True)
class Hierarchy(Explanation):
    """How the closest senses of two words meet.

    Attributes
    ----------
    up, down : tuple of str
        The concepts from each word's sense up to the shared one, which is the last of both; empty
        if the words share no concept.
    direct : float
        The relatedness of the pair by another relation than the hierarchy; 0 without one.
    """

    up: tuple[str, ...]
    down: tuple[str, ...]
    direct: float = 0.0

    def wording(self, texts: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        if self.direct >= self.relatedness and self.direct > 0:
            return "direct", {}
        if not self.up:
            return "no_concept", {}
        if len(self.up) == len(self.down) == 1:
            return "synonyms", {"concept": self.up[0]}
        is_a = f" –{texts['is_a']}→ "
        way_up = is_a.join((self.a, *_after(self.a, self.up)))
        way_down = is_a.join((self.b, *_after(self.b, self.down)))
        if len(self.down) == 1:  # the second word is the shared concept
            return "hierarchy_up", {"way": way_up}
        if len(self.up) == 1:
            return "hierarchy_up", {"way": way_down}
        return "hierarchy", {"way_up": way_up, "way_down": way_down, "concept": self.up[-1]}


def _after(word: str, way: tuple[str, ...]) -> tuple[str, ...]:
    """The concepts above the one that the word names itself."""
    return way[1:] if len(way) > 1 else way


def explain_hierarchy(measure: TaxonomyMeasure, a: int, b: int) -> Hierarchy:
    """Explain a taxonomy by the way between the closest senses."""
    words, value = measure.vocabulary.words, float(measure.pairs([a], [b])[0])
    direct = float(measure.extra.pairs([a], [b])[0]) if measure.extra is not None else 0.0
    first, second, _ = measure.best_senses(a, b)
    if first < 0:
        return Hierarchy(measure.name, words[a], words[b], value, (), (), direct)
    concepts = measure.arrays["concepts"]
    ups, downs = (_ways(measure, int(concepts[sense])) for sense in (first, second))
    both = ups.keys() & downs.keys()
    if not both:  # they only share the top of all verbs
        return Hierarchy(measure.name, words[a], words[b], value, (), (), direct)
    shared = min(both, key=lambda concept: (len(ups[concept]) + len(downs[concept]), concept))
    names = measure.concept_name
    up, down = (tuple(map(names, ways[shared])) for ways in (ups, downs))
    return Hierarchy(measure.name, words[a], words[b], value, up, down, direct)


def _ways(measure: TaxonomyMeasure, concept: int) -> dict[int, tuple[int, ...]]:
    """The shortest way from a concept to each concept above it."""
    ends, parents = measure.arrays["parents_ends"], measure.arrays["parents"]
    ways: dict[int, tuple[int, ...]] = {concept: (concept,)}
    waiting = deque([concept])
    while waiting:
        current = waiting.popleft()
        for parent in parents[ends[current] : ends[current + 1]].tolist():
            if parent not in ways:
                ways[parent] = (*ways[current], parent)
                waiting.append(parent)
    return ways
