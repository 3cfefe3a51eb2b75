"""Why words are related when one of them is not in the vocabulary."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from wordkin.errors import NoExplanation
from wordkin.language.resolving.relatedness import resolved_pairs
from wordkin.language.resolving.resolution import Resolution
from wordkin.measures.explanations.explanation import TEXTS, Explanation
from wordkin.measures.measure import Measure
from wordkin.texts import reasons


@dataclass(frozen=True)
class Resolved(Explanation):
    """The explanation of two words of which the vocabulary lacks one or both.

    Attributes
    ----------
    measure, a, b, relatedness
        As in `Explanation`; the words are as they were typed.
    resolved : tuple of Resolution
        What the unknown words stand for.
    reason : Explanation
        Why the two known words are related that contribute most.
    """

    resolved: tuple[Resolution, ...]
    reason: Explanation

    def line(self, texts: Mapping[str, str] = TEXTS) -> str:
        """One readable line: what the unknown words stand for, then the reason."""
        english = reasons("en")
        sources = [item.line_in({**english, **texts}) for item in self.resolved]
        return "; ".join([*sources, self.reason.line(texts)])

    def wording(self, texts: Mapping[str, str]) -> tuple[str, dict[str, Any]]:
        """The text of the reason; `line` puts what the words stand for before it."""
        return self.reason.wording(texts)


def explain(
    measure: Measure, first: Resolution, second: Resolution, measures: Mapping[str, Measure]
) -> Explanation:
    """Explain the relatedness of two resolved words by the known words that contribute most."""
    if first.known and second.known:
        return measure.explain(first.words[0].word, second.words[0].word, measures)
    pairs = [(a, b) for a in first.words for b in second.words if a.word != b.word]
    if not pairs:
        raise NoExplanation(
            f"'{first.word}' and '{second.word}' stand for the same word: give two different words."
        )
    ids_of = measure.vocabulary.ids_of
    values = measure.pairs(ids_of(a.word for a, _ in pairs), ids_of(b.word for _, b in pairs))
    contributions = [
        a.weight * b.weight * value for (a, b), value in zip(pairs, values.tolist(), strict=True)
    ]
    a, b = pairs[contributions.index(max(contributions))]
    return Resolved(
        measure.name,
        first.word,
        second.word,
        float(resolved_pairs(measure, first, [second])[0]),
        tuple(resolution for resolution in (first, second) if not resolution.known),
        measure.explain(a.word, b.word, measures),
    )
