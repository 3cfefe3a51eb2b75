"""A word net as the arrays of a taxonomy: the senses of our words, and all that is above them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.extras.word_net import WordNet
from wordkin.vocabulary import Vocabulary

Arrays = dict[str, NDArray[Any]]

TOP = "*top*"
"""The name of the concept above all verbs, which have many most general ones."""


@dataclass(frozen=True)
class Hierarchy:
    """The arrays of the kind `taxonomy` without information content, and what they are about.

    `keys` are the keys of the concepts in the word net, and `known` is the number of words that
    have senses.
    """

    arrays: Arrays
    keys: list[str]
    known: int


def build_hierarchy(net: WordNet, vocabulary: Vocabulary) -> Hierarchy:
    """The part of a word net that concerns the words of a vocabulary."""
    by_word = [net.senses_of(word) for word in vocabulary.words]
    above = _Above(net)
    concepts = sorted({sense.concept for senses in by_word for sense in senses})
    place = {concept: at for at, concept in enumerate(concepts)}
    keys = sorted({key for concept in concepts for key in above.steps(concept)})
    number = {key: at for at, key in enumerate(keys)}
    depths = [above.depth(key) for key in keys]
    heights = _heights(net, above)
    arrays: Arrays = {
        "concepts": np.array([number[c] for c in concepts], np.int32),
        "depths": np.array(depths, np.int16),
        "heights": np.array([heights[key[0]] for key in keys], np.int16),
    }
    arrays |= flat_lists(
        "sense_ends",
        {
            "senses": (np.int32, [[place[s.concept] for s in senses] for senses in by_word]),
            "shares": (
                np.float32,
                [sense_shares([s.frequency for s in senses]) for senses in by_word],
            ),
        },
    )
    ways = [sorted((number[k], steps) for k, steps in above.steps(c).items()) for c in concepts]
    arrays |= flat_lists(
        "above_ends",
        {
            "above": (np.int32, [[concept for concept, _ in way] for way in ways]),
            "distances": (np.uint8, [[steps for _, steps in way] for way in ways]),
        },
    )
    parents = [[number[p] for p in above.parents(key) if p in number] for key in keys]
    arrays |= flat_lists("parents_ends", {"parents": (np.int32, parents)})
    names = [list(above.name(key).encode("utf-8")) for key in keys]
    arrays |= flat_lists("names_ends", {"names": (np.uint8, names)})
    return Hierarchy(arrays, keys, sum(bool(senses) for senses in by_word))


class _Above:
    """The concepts above a concept, with the steps to each.

    Verbs have many most general concepts. Above them we put one more, as many steps away as the
    farthest concept above a verb and one more: this is where NLTK puts it, too.
    """

    def __init__(self, net: WordNet) -> None:
        self._concepts = net.concepts
        self._steps: dict[str, dict[str, int]] = {}
        self._depths: dict[str, int] = {}

    def parents(self, key: str) -> list[str]:
        if key not in self._concepts:
            return []
        return [parent for parent in self._concepts[key].above if parent in self._concepts]

    def name(self, key: str) -> str:
        return self._concepts[key].name if key in self._concepts else TOP

    def steps(self, key: str) -> dict[str, int]:
        steps = dict(self._own_steps(key))
        if key[0] == "v":
            steps["v" + TOP] = max(steps.values()) + 1
        return steps

    def _own_steps(self, key: str) -> dict[str, int]:
        if key not in self._steps:
            steps = {key: 0}
            frontier = [key]
            while frontier:  # breadth first: the first visit has the fewest steps
                following = []
                for current in frontier:
                    for parent in self.parents(current):
                        if parent not in steps:
                            steps[parent] = steps[current] + 1
                            following.append(parent)
                frontier = following
            self._steps[key] = steps
        return self._steps[key]

    def depth(self, key: str) -> int:
        """The concepts on the longest way from the top to this one."""
        if key not in self._depths:
            self._depths[key] = 1  # in case of a circle
            parents = self.parents(key)
            self._depths[key] = 1 + max(map(self.depth, parents), default=0)
        return self._depths[key]


def _heights(net: WordNet, above: _Above) -> dict[str, int]:
    """For each part of speech, the greatest depth, counted as Leacock and Chodorow do."""
    heights: dict[str, int] = {}
    for key in net.concepts:
        heights[key[0]] = max(heights.get(key[0], 1), above.depth(key) - 1)
    if "v" in heights:
        heights["v"] += 1  # the concept above all verbs
    return {part: max(height, 1) for part, height in heights.items()}


def sense_shares(frequencies: list[int]) -> list[float]:
    """How often each sense is meant; all equally often where no frequency is known."""
    total = sum(frequencies)
    if not total:
        return [1 / len(frequencies) for _ in frequencies]
    return [frequency / total for frequency in frequencies]


def flat_lists(ends: str, columns: Mapping[str, tuple[type, list[list[Any]]]]) -> Arrays:
    """Lists of different lengths as flat arrays and the ends of each."""
    arrays: Arrays = {}
    for name, (kind, lists) in columns.items():
        lengths = [len(items) for items in lists]
        arrays[ends] = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
        arrays[name] = np.array([item for items in lists for item in items], kind)
    return arrays


def sense_order(hierarchy: Hierarchy) -> None:
    """Sort the senses of each word, as the kind `taxonomy` wants them."""
    arrays = hierarchy.arrays
    ends = arrays["sense_ends"]
    word = np.repeat(np.arange(len(ends) - 1), np.diff(ends))
    order = np.lexsort((arrays["senses"], word))
    for name in ("senses", "shares"):
        arrays[name] = arrays[name][order]


def content_from_counts(hierarchy: Hierarchy, counts: NDArray[np.int64]) -> NDArray[np.float32]:
    """The information content of each concept, from how often our words occur.

    An occurrence counts for all senses of the word in equal shares, and for every concept above
    them; each sense has one occurrence more, so that none is impossible.
    """
    arrays = hierarchy.arrays
    ends = arrays["sense_ends"]
    lengths = np.diff(ends)
    word = np.repeat(np.arange(len(lengths)), lengths)
    each = counts[word] / np.maximum(lengths, 1)[word]
    senses = np.bincount(arrays["senses"], each, minlength=len(arrays["concepts"])) + 1.0
    owner = np.repeat(np.arange(len(senses)), np.diff(arrays["above_ends"]))
    masses = np.bincount(arrays["above"], senses[owner], minlength=len(hierarchy.keys))
    return content(hierarchy, masses)


def content_from_file(hierarchy: Hierarchy, lines: list[str]) -> NDArray[np.float32]:
    """The information content from lines such as `1740n 1915712 ROOT`: offset, mass, top."""
    masses = np.zeros(len(hierarchy.keys))
    number = {key: at for at, key in enumerate(hierarchy.keys)}
    tops: dict[str, float] = {}
    for line in lines:
        fields = line.split()
        if len(fields) < 2 or not fields[0][:-1].isdecimal():
            continue  # the head of the file
        part, mass = fields[0][-1], float(fields[1])
        key = f"{part}{int(fields[0][:-1]):08d}"
        if key in number:
            masses[number[key]] = mass
        if fields[-1] == "ROOT":
            tops[part] = tops.get(part, 0.0) + mass
    return content(hierarchy, masses, tops)


def content(
    hierarchy: Hierarchy, masses: NDArray[Any], tops: Mapping[str, float] | None = None
) -> NDArray[np.float32]:
    """−ln of each concept's share of the mass of its part of speech; unseen ones have the most."""
    parts = np.array([key[0] for key in hierarchy.keys])
    out = np.zeros(len(parts))
    is_top = np.array([key.endswith(TOP) for key in hierarchy.keys], bool)
    has_parents = np.diff(hierarchy.arrays["parents_ends"]) > 0
    for part in sorted(set(parts.tolist())):
        own = (parts == part) & ~is_top
        total = (tops or {}).get(part) or masses[own & ~has_parents].sum()
        with np.errstate(divide="ignore"):
            values = -np.log(np.minimum(masses[own] / total, 1.0)) if total else np.zeros(own.sum())
        finite = values[np.isfinite(values)]
        out[own] = np.where(np.isfinite(values), values, finite.max(initial=0.0))
    return np.maximum(out, 0.0).astype(np.float32)
