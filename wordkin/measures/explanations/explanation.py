"""What an explanation is: data, and one readable line."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

SHOWN = 10
"""How many words an explanation lists at most."""

NAMED = 5
"""How many of them its line names."""

TEXTS = {
    "met": "{a} and {b} met {count:,.1f} times, {expected:,.1f} expected by chance: {value:.3f}",
    "not_met": "{a} and {b} met no more often than by chance ({expected:,.1f} times): {value:.3f}",
    "met_about": "{a} and {b} met about {count:,.0f} times, {expected:,.1f} expected by chance: "
    "{value:.3f}",
    "met_unknown": "{a} and {b} did not meet often enough for this bundle to say: {value:.3f}",
    "between": "{a} and {b} share {number:,} neighbours: {words}: {value:.3f}",
    "nothing_between": "{a} and {b} share no neighbour: {value:.3f}",
    "path": "{path}: {value:.3f}",
    "step": " -({npmi:.2f})- {word}",
    "step_counted": " -({npmi:.2f}, {count:.1f}×)- {word}",
    "no_path": "no path leads from {a} to {b}: {value:.3f}",
    "path_unknown": "this bundle cannot show the path from {a} to {b}: {value:.3f}",
    "near": "{a} and {b} are both close to {words}: {value:.3f}",
    "is_a": "is a",
    "instance_of": "is an instance of",
    "has_part": "has the part",
    "opposite": "is the opposite of",
    "synonym": "can mean the same as",
    "same_emoji": "shares an emoji with",
    "same_place": "names the same kind of place as",
    "hierarchy": "{way_up}, and {way_down}: {value:.3f}",
    "hierarchy_up": "{way}: {value:.3f}",
    "synonyms": "{a} and {b} can mean the same ({concept}): {value:.3f}",
    "no_concept": "{a} and {b} have no concept in common: {value:.3f}",
    "direct": "{a} and {b} are opposites, or one is a part of the other: {value:.3f}",
    "opposites": "{a} and {b} are opposites: {value:.3f}",
    "not_opposites": "{a} and {b} are no opposites: {value:.3f}",
    "part_of": "{a} or {b} is a part of the other: {value:.3f}",
    "not_part_of": "neither {a} nor {b} is a part of the other: {value:.3f}",
    "blend": "{parts}: {value:.3f}",
    "share": "{measure} {share:+.2f}",
    "frequency": "frequency {share:+.2f}",
}
"""The English lines. `Explanation.line` takes those of another language."""


@dataclass(frozen=True)
class Explanation(ABC):
    """Why two words are related by a measure.

    `dataclasses.asdict` gives its data, `str` gives one English line.

    Attributes
    ----------
    measure : str
        The name of the measure.
    a, b : str
        The two words.
    relatedness : float
        Their relatedness, as the explanation accounts for it.
    """

    measure: str
    a: str
    b: str
    relatedness: float

    def line(self, texts: Mapping[str, str] = TEXTS) -> str:
        """One readable line.

        Parameters
        ----------
        texts : mapping of str to str, optional
            The texts to use, with the keys of `TEXTS`.
        """
        key, fields = self.wording(texts)
        return texts[key].format(a=self.a, b=self.b, value=self.relatedness, **fields)

    @abstractmethod
    def wording(self, texts: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        """The key of the text that fits, and the values of its fields."""

    def __str__(self) -> str:
        return self.line()


def first_words(words: Sequence[str]) -> str:
    """The first few words, with an ellipsis when there are more."""
    return ", ".join([*words[:NAMED], *(["…"] if len(words) > NAMED else [])])
