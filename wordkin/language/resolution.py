"""What a typed word stands for: known words with weights, and how they were found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

from wordkin.texts import reasons


@dataclass(frozen=True)
class Step:
    """One step from a typed word to known words.

    Attributes
    ----------
    how : str
        `form`, `variant`, `lemma`, `spelling`, `parts` or `subwords`.
    source : str
        The word before the step.
    targets : tuple of str
        The words after it.
    """

    how: str
    source: str
    targets: tuple[str, ...]


@dataclass(frozen=True)
class WeightedWord:
    """A word of the vocabulary, and how much it counts."""

    word: str
    weight: float


@dataclass(frozen=True)
class Resolution:
    """The known words that a typed word stands for.

    Attributes
    ----------
    word : str
        The word as it was typed.
    known : bool
        Whether the vocabulary has it, in its normal form.
    via : tuple of Step
        How the known words were found. Empty if the word was typed as the vocabulary has it.
    words : tuple of WeightedWord
        The known words. Their weights are positive and sum to 1.
    """

    word: str
    known: bool
    via: tuple[Step, ...]
    words: tuple[WeightedWord, ...]

    @property
    def is_same_word(self) -> bool:
        """Whether the known word is the typed one in another form or spelling."""
        return all(step.how in {"form", "variant", "lemma", "spelling"} for step in self.via)

    def as_dict(self) -> dict[str, Any]:
        """Return the resolution as plain data, for JSON.

        Returns
        -------
        dict
        """
        return asdict(self)

    def line(self, language: str = "en") -> str:
        """Say in one line what the word was taken for.

        Parameters
        ----------
        language : str
            The language of the line; English if there are no texts in it.

        Returns
        -------
        str
            For example `kávéfőző: from kávé + főző`.
        """
        return self.line_in(reasons(language))

    def line_in(self, wording: Mapping[str, str]) -> str:
        """The same with given texts.

        Parameters
        ----------
        wording : mapping of str to str
            Texts with the keys `via_<how>`, as in `wordkin.texts`.

        Returns
        -------
        str
        """
        how = self.via[0].how if self.via else "form"
        joint = ", " if how == "subwords" else " + "
        # Parts are named in their order in the word, all others by their weight.
        named = self.via[0].targets if how == "parts" else [entry.word for entry in self.words]
        return wording[f"via_{how}"].format(word=self.word, words=joint.join(named))


@dataclass(frozen=True)
class Match:
    """The answer of one rung of the ladder: the steps taken, and the known words."""

    via: tuple[Step, ...]
    words: tuple[WeightedWord, ...]


def single(how: str, source: str, target: str) -> Match:
    """A match with one known word."""
    return Match((Step(how, source, (target,)),), (WeightedWord(target, 1.0),))


def weighted(pairs: Iterable[tuple[str, float]]) -> tuple[WeightedWord, ...]:
    """Words with weights that sum to 1, heaviest first; a repeated word gets its total."""
    totals: dict[str, float] = {}
    for word, weight in pairs:
        totals[word] = totals.get(word, 0.0) + weight
    whole = sum(totals.values())
    ranked = sorted(totals.items(), key=lambda entry: -entry[1])
    return tuple(WeightedWord(word, weight / whole) for word, weight in ranked)


_BETWEEN = re.compile(r"[\s\-‐‑–/·.]+")


def split(word: str) -> list[str]:
    """The parts of a word between spaces and hyphens."""
    return [part for part in _BETWEEN.split(word) if part]
