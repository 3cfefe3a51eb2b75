"""npmi: how often two words met, and how often they would have met by chance."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from wordkin.arrays import Ids, open_array
from wordkin.errors import NoExplanation
from wordkin.measures.explanations.explanation import Explanation
from wordkin.measures.npmi import log_probabilities

if TYPE_CHECKING:
    from wordkin.measures.measure import Measure

LARGEST_COUNT = 2**62
"""No corpus has more pairs."""


@dataclass(frozen=True)
class Met(Explanation):
    """How often two words met.

    Attributes
    ----------
    count : float or None
        The weighted number of meetings; None when they met no more often than by chance, or too
        rarely for a compact bundle to keep.
    expected : float
        The number expected by chance.
    exact : bool
        Whether `count` is exact; a compact bundle only knows about how often words met.
    """

    count: float | None
    expected: float
    exact: bool = True

    def wording(self, texts: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        if self.count is None:
            return "not_met" if self.exact else "met_unknown", {"expected": self.expected}
        fields = {"count": self.count, "expected": self.expected}
        return "met" if self.exact else "met_about", fields


def explain(measure: Measure, a: int, b: int, measures: Mapping[str, Measure]) -> Met:
    """Explain npmi by the number of meetings."""
    meetings = Meetings(npmi_for("npmi", measures))
    count, expected = meetings.of(a, b)
    words, value = measure.vocabulary.words, float(measure.pairs([a], [b])[0])
    return Met(measure.name, words[a], words[b], value, count, expected, meetings.npmi.complete)


def npmi_for(name: str, measures: Mapping[str, Measure]) -> Measure:
    """The npmi that explains the measure called `name`; it must have been opened from disk."""
    npmi = measures.get("npmi")
    if npmi is None or npmi.folder is None:
        raise NoExplanation(f"Only npmi can explain {name}: publish npmi with it.")
    return npmi


class MeetingCount(NamedTuple):
    """How often two words met, in weights of one adjacent meeting.

    `times` is None when they met no more often than `expected` by chance, or when npmi only
    estimates this pair.
    """

    times: float | None
    expected: float


class Counts(NamedTuple):
    """What was counted for an npmi.

    `marginals` and `total` are in units of 1 / scale, `logs` are the logarithms of the words'
    probabilities.
    """

    total: int
    scale: int
    marginals: Ids
    logs: NDArray[np.float64]


_COUNTS: WeakKeyDictionary[Measure, Counts] = WeakKeyDictionary()
"""The counts of each npmi that is open: many pairs are explained by the same ones."""


def counts_of(npmi: Measure) -> Counts:
    """Read what was counted for an npmi, on first use."""
    counts = _COUNTS.get(npmi)
    if counts is None:
        counts = _COUNTS[npmi] = _read_counts(npmi)
    return counts


def _read_counts(npmi: Measure) -> Counts:
    facts = npmi.facts
    if npmi.folder is None or not {"total", "scale", "smoothing"} <= facts.keys():
        raise NoExplanation(f"{npmi.folder} does not say what was counted: make it again.")
    numbers = total, scale, smoothing = facts["total"], facts["scale"], facts["smoothing"]
    if not (
        all(isinstance(number, int | float) and number >= 0 for number in numbers)
        and total <= LARGEST_COUNT
        and 1 <= scale <= LARGEST_COUNT
        and smoothing <= 1
    ):
        raise NoExplanation(f"{npmi.folder} has no valid counts: make it again.")
    path, size = npmi.folder / "marginals.npy", len(npmi.vocabulary)
    marginals = open_array(path, (size,), "iu", low=0, high=LARGEST_COUNT)
    logs = log_probabilities(marginals, int(total), float(smoothing))
    return Counts(int(total), int(scale), marginals, logs)


class Meetings:
    """How often words met, computed back from their npmi.

    With x = npmi² and the probabilities q of the words, x = ln(p / (q_a q_b)) / -ln p, so
    ln p = ln(q_a q_b) / (1 + x).
    """

    def __init__(self, npmi: Measure) -> None:
        self.npmi = npmi
        self.total, self.scale, self.marginals, self.logs = counts_of(npmi)

    def of(self, a: int, b: int) -> MeetingCount:
        """The meetings of the words with the ids `a` and `b`."""
        together = float(self.marginals[a]) * float(self.marginals[b])
        expected = together / self.total / self.scale if self.total else 0.0
        x = float(self.npmi.pairs([a], [b])[0]) ** 2
        if x == 0.0 or not (self.npmi.complete or b in self.npmi.neighbours(a)[0]):
            return MeetingCount(None, expected)
        count = self.total * np.exp((self.logs[a] + self.logs[b]) / (1.0 + x))
        # Counts are whole multiples of 1 / scale.
        return MeetingCount(round(count) / self.scale, expected)
