"""What measures made of other measures share: weighted terms, and explanations by their parts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wordkin.arrays import LARGEST
from wordkin.errors import InputError
from wordkin.measures.explanations.explanation import TEXTS, Explanation
from wordkin.measures.files import MeasureFolder


@dataclass(frozen=True)
class Term:
    """One term of a weighted sum of standardised values.

    Attributes
    ----------
    measure : str
        The measure whose values these are.
    weight : float
        How much the term counts.
    mean, deviation : float
        The spread of the values over random pairs of words: a value x enters the sum as
        (x - mean) / deviation.
    """

    measure: str
    weight: float
    mean: float
    deviation: float


def read_terms(folder: MeasureFolder, key: str) -> list[Term]:
    """The terms that `measure.json` lists under `key`."""
    try:
        return [_term(**term) for term in folder.facts[key]]
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise _invalid(folder, key) from error


def read_term(folder: MeasureFolder, key: str) -> Term:
    """The one term that `measure.json` has under `key`."""
    try:
        return _term(**folder.facts[key])
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise _invalid(folder, key) from error


def _term(measure: str, weight: float, mean: float, deviation: float) -> Term:
    term = Term(str(measure), float(weight), float(mean), float(deviation))
    if not all(-LARGEST <= value <= LARGEST for value in (term.weight, term.mean)):
        raise ValueError(f"a weight of {weight} and a mean of {mean}")
    if not 1 / LARGEST <= term.deviation <= LARGEST:
        raise ValueError(f"a deviation of {deviation}")
    return term


def _invalid(folder: MeasureFolder, key: str) -> InputError:
    return InputError(f"{folder.path / 'measure.json'} has no valid '{key}': make it again.")


@dataclass(frozen=True)
class Blended(Explanation):
    """What each part of a measure adds to the relatedness, and its own explanation.

    Attributes
    ----------
    parts : tuple of Explanation
        The explanation by each part.
    shares : tuple of float
        What each part adds; a blend's relatedness is their sum.
    """

    parts: tuple[Explanation, ...]
    shares: tuple[float, ...]

    def sum(self, texts: Mapping[str, str] = TEXTS) -> str:
        """What each part adds, without its reasons."""
        return ", ".join(self._shares_in(texts))

    def wording(self, texts: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        return "blend", {"parts": "; ".join(self.part_lines(texts))}

    def part_lines(self, texts: Mapping[str, str] = TEXTS) -> list[str]:
        """What each part adds and says."""
        shares = self._shares_in(texts)
        return [
            f"{share} ({part.line(texts)})" for part, share in zip(self.parts, shares, strict=True)
        ]

    def _shares_in(self, texts: Mapping[str, str]) -> list[str]:
        return [
            texts["share"].format(measure=part.measure, share=share)
            for part, share in zip(self.parts, self.shares, strict=True)
        ]
