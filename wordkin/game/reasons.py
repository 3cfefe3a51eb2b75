"""Why a clue stands for a card, in a sentence that people can read.

A measure's own explanation is exact: counts, paths, shares (`wordkin.measures.explanations`).
People rather want to know what the two words have in common. So a reason names a few words that
they know and that go with both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wordkin.bundle import Bundle
from wordkin.game.legality import Legality
from wordkin.language.resolved import resolved_columns
from wordkin.measures.cached import CachedAmong
from wordkin.measures.measure import Among
from wordkin.texts import texts

SHOWN = 3
"""How many words a reason names."""

CONSIDERED = 40
"""How many words are considered for them; the others are relatives of better ones."""

TOGETHER = 0.3
"""The npmi from which on two words are said to occur together."""


@dataclass(frozen=True)
class Reason:
    """What a clue and a card have in common.

    Attributes
    ----------
    together : bool
        Whether the two occur together, clearly more often than by chance.
    shared : tuple of str
        Words that go with both, best first.
    """

    together: bool
    shared: tuple[str, ...]

    def sentence(self, language: str) -> str:
        """Return the reason in a language, without the card: "both go with sea, harbor"."""
        kind = ("together" if self.together else "") + ("shared" if self.shared else "")
        return texts(language)[f"reason_{kind or 'none'}"].format(words=", ".join(self.shared))


class Reasons:
    """Finds what words have in common.

    Parameters
    ----------
    bundle : Bundle
        Its npmi shows which words go with which; without npmi, the measure of `among` does.
    among : Among
        The words that may be named, and the measure that found the clue. A word that it does not
        relate to both is never named.
    legality : Legality
        Says which words are relatives: *doctors* explains nothing about *doctor*.
    """

    def __init__(self, bundle: Bundle, among: Among, legality: Legality) -> None:
        self._bundle, self._among, self._legality = bundle, among, legality
        # Of two words that go with both equally well, people recognise the more frequent one.
        self._prominence = np.log1p(bundle.vocabulary.documents[among.ids])

    @cached_property
    def _npmi(self) -> Among | None:
        """The npmi of the words that may be named; None in a bundle without npmi."""
        if "npmi" not in self._bundle.measures:
            return None
        return CachedAmong(self._bundle.measure("npmi").among(self._among.ids))

    def of(self, clue: str, card: str) -> Reason:
        """Return what a clue and a card have in common.

        Parameters
        ----------
        clue, card : str
            Any words; see `Bundle.resolve`.

        Returns
        -------
        Reason
        """
        together = (
            self._npmi is not None and self._bundle.relatedness(clue, card, "npmi") >= TOGETHER
        )
        return Reason(together, self._shared(clue, card))

    def _shared(self, clue: str, card: str) -> tuple[str, ...]:
        """The best words that go with both and are no relatives of them or of each other."""
        scores = self._common(clue, card, self._among)
        if self._npmi is not None:
            scores = self._common(clue, card, self._npmi) * (scores > 0)
        scores *= self._prominence
        best = np.argsort(-scores, kind="stable")[:CONSIDERED]
        shared: list[str] = []
        is_relative = self._legality.checker([clue, card])
        for word_id in self._among.ids[best[scores[best] > 0]].tolist():
            word = self._bundle.vocabulary.words[word_id]
            if is_relative(word) is not None:
                continue
            shared.append(word)
            if len(shared) == SHOWN:
                break
            is_relative = self._legality.checker([clue, card, *shared])
        return tuple(shared)

    def _common(self, clue: str, card: str, among: Among) -> NDArray[np.float64]:
        """How much each word goes with both; 0 where it does not go with one of them."""
        resolutions = [self._bundle.resolve(clue), self._bundle.resolve(card)]
        to_clue, to_card = resolved_columns(among, resolutions)
        return np.maximum(to_clue, 0.0).astype(np.float64) * np.maximum(to_card, 0.0)
