"""A hierarchy of concepts, such as WordNet's: words are as related as their closest senses.

The kind `taxonomy` stores which concepts each word may mean, and which more general concepts lie
above each of them, so that any row is computed in milliseconds. Concepts are numbered; the senses
are those concepts that are the meaning of a word.

    sense_ends        int64, words + 1       the senses of word i are those from sense_ends[i] on
    senses            int32                  places in `concepts`, ascending within a word
    shares            float32                how often the word has each of its senses; sum 1
    concepts          int32                  the concept of each sense
    above_ends        int64, senses + 1
    above             int32                  the concept itself and all concepts above it
    distances         uint8                  the steps up to each of them
    content           float32, concepts      the information content of each concept
    depths            int16, concepts        the steps of the longest way from the top, from 1
    heights           int16, concepts        the depth of the deepest concept of its hierarchy
    parents_ends      int64, concepts + 1
    parents           int32                  the concepts one step above, for explanations
    names, names_ends uint8, int64           the names of the concepts in UTF-8

`formula` in `measure.json` is one of `FORMULAS`, and `senses` says which senses count: `best` takes
the closest pair of senses, `weighted` the mean over all pairs by their shares. A measure may have
the arrays `indptr`, `indices` and `values` of the kind `matrix` too: pairs that are related by more
than the hierarchy says; the larger value counts.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from wordkin.arrays import Floats, Ids
from wordkin.errors import InputError
from wordkin.measures.explanations.explanation import Explanation
from wordkin.measures.files import MeasureFolder
from wordkin.measures.matrix import MatrixMeasure, open_matrix
from wordkin.measures.measure import Measure, Storage
from wordkin.vocabulary import Vocabulary

Array = NDArray[Any]
Formula = Callable[[Any, Any, Any, Any, Any], Any]
"""From steps (the steps from both senses to a shared concept), contents (the sum of the information
contents of both senses), and content, depth and height of the shared concept, to relatedness."""

FORMULAS: dict[str, Formula] = {
    # 1 / (nodes of the path)
    "path": lambda steps, contents, content, depth, height: 1 / (1 + steps),
    # Leacock and Chodorow: -ln(nodes of the path / (2 x height))
    "lch": lambda steps, contents, content, depth, height: -np.log((1 + steps) / (2 * height)),
    # Wu and Palmer: how deep the shared concept is
    "wup": lambda steps, contents, content, depth, height: 2 * depth / (steps + 2 * depth),
    # Resnik: the information of the shared concept
    "res": lambda steps, contents, content, depth, height: content,
    # Jiang and Conrath: the information that is not shared, as 1 / (1 + it)
    "jcn": lambda steps, contents, content, depth, height: (
        1 / (1 + np.maximum(contents - 2 * content, 0))
    ),
    # Lin: the share of the information that is shared
    "lin": lambda steps, contents, content, depth, height: np.divide(
        2 * content, contents, out=np.zeros(np.shape(contents)), where=contents > 0
    ),
}

PAIRS_AT_ONCE = 2_000


class TaxonomyMeasure(Measure):
    """Relatedness by a hierarchy of concepts; see the module for the arrays."""

    def __init__(
        self,
        name: str,
        vocabulary: Vocabulary,
        arrays: Mapping[str, Array],
        formula: str,
        weighted: bool = False,
        pairs: MatrixMeasure | None = None,
    ) -> None:
        super().__init__(name, vocabulary)
        self.arrays, self.formula, self.weighted, self.extra = arrays, formula, weighted, pairs
        self._value = FORMULAS[formula]

    @property
    def storage(self) -> Storage:
        return Storage(f"hierarchy of {len(self.arrays['depths']):,} concepts")

    @cached_property
    def _below(self) -> tuple[Array, Array, Array]:
        """For each concept, the senses below it and the steps down to them: ends, senses, steps."""
        above, ends = self.arrays["above"], self.arrays["above_ends"]
        order = np.argsort(above, kind="stable")
        senses = np.repeat(np.arange(len(ends) - 1), np.diff(ends))[order]
        steps = np.asarray(self.arrays["distances"])[order].astype(np.float64)
        concepts = len(self.arrays["depths"])
        return np.searchsorted(above[order], np.arange(concepts + 1)), senses, steps

    @cached_property
    def _sense_contents(self) -> Array:
        contents = np.asarray(self.arrays["content"], np.float64)
        return np.asarray(contents[self.arrays["concepts"]])

    def rows(self, ids: ArrayLike) -> Floats:
        word_ids = np.asarray(ids, dtype=np.int64)
        out = np.zeros((len(word_ids), len(self.vocabulary)), np.float32)
        for at, word in enumerate(word_ids.tolist()):
            out[at] = self._row(word)
        if self.extra is not None:
            np.maximum(out, self.extra.rows(word_ids), out=out)
        out[np.arange(len(word_ids)), word_ids] = 0.0
        return out

    def _row(self, word: int) -> Array:
        ends = self.arrays["sense_ends"]
        senses = self.arrays["senses"][ends[word] : ends[word + 1]]
        if not self.weighted:
            return self._by_word(self._of_senses(senses), np.maximum)
        row = np.zeros(len(self.vocabulary))
        shares = self.arrays["shares"][ends[word] : ends[word + 1]]
        for sense, share in zip(senses, shares, strict=True):
            values = self._of_senses(np.array([sense]))[self.arrays["senses"]]
            row += share * self._reduce(values * self.arrays["shares"], np.add)
        return row

    def _of_senses(self, senses: Array) -> Array:
        """The relatedness of a word with these senses to every sense."""
        arrays = self.arrays
        shared, steps, contents = self._collapsed(senses)
        ends, below, down = self._below
        out = np.zeros(len(arrays["concepts"]))
        content, depths, heights = arrays["content"], arrays["depths"], arrays["heights"]
        for concept, up, inner in zip(shared, steps, contents, strict=True):
            span = slice(ends[concept], ends[concept + 1])
            reached = below[span]
            values = self._value(
                up + down[span],
                inner + self._sense_contents[reached],
                np.float64(content[concept]),
                np.float64(depths[concept]),
                np.float64(heights[concept]),
            )
            out[reached] = np.maximum(out[reached], values)
        return out

    def _collapsed(self, senses: Array) -> tuple[Array, Array, Array]:
        """All concepts above some senses, with the fewest steps and the least content below."""
        owner, above, steps = self._expand(senses)
        if not len(above):
            return above, steps, steps
        order = np.argsort(above, kind="stable")
        above, starts = np.unique(above[order], return_index=True)
        contents = self._sense_contents[senses[owner]][order]
        return (
            above,
            np.minimum.reduceat(steps[order], starts),
            np.minimum.reduceat(contents, starts),
        )

    def _expand(self, senses: Array) -> tuple[Array, Array, Array]:
        """The concepts above each of some senses: which sense, the concept, and the steps."""
        ends = self.arrays["above_ends"]
        owner, places = spans(ends[senses], ends[senses + 1])
        steps = np.asarray(self.arrays["distances"])[places].astype(np.float64)
        return owner, np.asarray(self.arrays["above"])[places], steps

    def _by_word(self, values: Array, reduce: np.ufunc) -> Array:
        return self._reduce(values[self.arrays["senses"]], reduce)

    def _reduce(self, values: Array, reduce: np.ufunc) -> Array:
        """One value per word from the values of its senses; 0 for a word without senses."""
        ends = np.asarray(self.arrays["sense_ends"])
        out = np.zeros(len(ends) - 1)
        known = np.flatnonzero(np.diff(ends))
        if len(known):
            out[known] = reduce.reduceat(values, ends[known])
        return out

    def pairs(self, a: ArrayLike, b: ArrayLike) -> Floats:
        first, second = np.asarray(a, dtype=np.int64), np.asarray(b, dtype=np.int64)
        out = np.zeros(len(first), np.float32)
        for start in range(0, len(first), PAIRS_AT_ONCE):
            at = slice(start, start + PAIRS_AT_ONCE)
            out[at] = self._pairs(first[at], second[at])
        if self.extra is not None:
            np.maximum(out, self.extra.pairs(first, second), out=out)
        out[first == second] = 0.0
        return out

    def _pairs(self, first: Ids, second: Ids) -> Array:
        """The values of pairs of words, from all pairs of their senses."""
        ends, senses = self.arrays["sense_ends"], np.asarray(self.arrays["senses"])
        pair, left = spans(ends[first], ends[first + 1])
        inner, right = spans(ends[second[pair]], ends[second[pair] + 1])
        pair, left = pair[inner], left[inner]
        values = self._sense_pairs(senses[left], senses[right])
        out = np.zeros(len(first))
        if self.weighted:
            shares = np.asarray(self.arrays["shares"], np.float64)
            np.add.at(out, pair, values * shares[left] * shares[right])
        else:
            np.maximum.at(out, pair, values)
        return out

    def _sense_pairs(self, left: Array, right: Array) -> Array:
        """The values of pairs of senses: the best of all concepts that are above both."""
        concepts = len(self.arrays["depths"])
        owner, above, steps = self._expand(left)
        other, other_above, other_steps = self._expand(right)
        keys = other * concepts + other_above  # ascending: by pair, then by concept
        wanted = owner * concepts + above
        places = np.minimum(np.searchsorted(keys, wanted), max(len(keys) - 1, 0))
        out = np.zeros(len(left))
        if len(keys):
            both = keys[places] == wanted
            pair, shared = owner[both], above[both]
            values = self._value(
                steps[both] + other_steps[places[both]],
                self._sense_contents[left[pair]] + self._sense_contents[right[pair]],
                np.asarray(self.arrays["content"], np.float64)[shared],
                np.asarray(self.arrays["depths"], np.float64)[shared],
                np.asarray(self.arrays["heights"], np.float64)[shared],
            )
            np.maximum.at(out, pair, values)
        return out

    def reasons(self, a: int, b: int, measures: Mapping[str, Measure]) -> Hierarchy:
        return explain_hierarchy(self, a, b)

    def senses_of(self, word: int) -> Array:
        """The senses of a word."""
        ends = self.arrays["sense_ends"]
        return np.asarray(self.arrays["senses"][ends[word] : ends[word + 1]])

    def best_senses(self, a: int, b: int) -> tuple[int, int, float]:
        """The closest senses of two words and their value; -1 if they share no concept."""
        left, right = self.senses_of(a), self.senses_of(b)
        if not len(left) or not len(right):
            return -1, -1, 0.0
        first, second = np.repeat(left, len(right)), np.tile(right, len(left))
        values = self._sense_pairs(first, second)
        best = int(values.argmax())
        if values[best] <= 0:
            return -1, -1, 0.0
        return int(first[best]), int(second[best]), float(values[best])

    def concept_name(self, concept: int) -> str:
        """The name of a concept, as people write it."""
        ends = self.arrays["names_ends"]
        return bytes(self.arrays["names"][ends[concept] : ends[concept + 1]]).decode("utf-8")


def spans(starts: Array, stops: Array) -> tuple[Array, Array]:
    """All places of several spans, and for each the number of its span."""
    lengths = np.asarray(stops) - np.asarray(starts)
    owner = np.repeat(np.arange(len(lengths)), lengths)
    firsts = np.cumsum(lengths) - lengths
    return owner, np.arange(int(lengths.sum())) - firsts[owner] + np.asarray(starts)[owner]


def open_measure(folder: MeasureFolder) -> TaxonomyMeasure:
    """Open a measure of the kind `taxonomy`."""
    words = len(folder.vocabulary)
    depths = folder.array("depths", (None,), "i", low=1, high=2**15 - 1)
    concepts = len(depths)
    sense_concepts = folder.array("concepts", (None,), "i", low=0, high=max(concepts - 1, 0))
    senses = len(sense_concepts)
    names = folder.array("names", (None,), "u", low=0, high=255)
    arrays = {
        "depths": depths,
        "concepts": sense_concepts,
        "names": names,
        "heights": folder.array("heights", (concepts,), "i", low=1, high=2**15 - 1),
        "content": folder.array("content", (concepts,), low=0),
    }
    for ends, inner, count, high in (
        ("sense_ends", "senses", words, senses),
        ("above_ends", "above", senses, concepts),
        ("parents_ends", "parents", concepts, concepts),
    ):
        arrays[inner] = folder.array(inner, (None,), "i", low=0, high=max(high - 1, 0))
        arrays[ends] = folder.ends(ends, count, len(arrays[inner]))
    arrays["names_ends"] = folder.ends("names_ends", concepts, len(names))
    arrays["shares"] = folder.array("shares", (len(arrays["senses"]),), low=0, high=1)
    arrays["distances"] = folder.array("distances", (len(arrays["above"]),), "u", low=0, high=255)
    formula, counted = folder.facts.get("formula"), folder.facts.get("senses")
    if formula not in FORMULAS or counted not in ("best", "weighted"):
        raise InputError(f"{folder.path / 'measure.json'} has no valid 'formula': make it again.")
    pairs = open_matrix(folder) if folder.has_array("indptr") else None
    return TaxonomyMeasure(
        folder.name, folder.vocabulary, arrays, formula, counted == "weighted", pairs
    )


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
