"""Why a clue stands for a card, in a sentence that people can read.

A measure's own explanation is exact: counts, paths, shares (`wordkin.measures.explanations`).
People rather want to know what the two words have in common. So a reason names a few words that
they know and that go with both.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordkin.bundle import Bundle
from wordkin.game.legality import Legality
from wordkin.measures import Measure
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
        Its npmi shows which words go with which; without npmi, `measure` does.
    measure : Measure
        The measure that found the clue. A word that it does not relate to both is never named.
    legality : Legality
        Says which words are relatives: *doctors* explains nothing about *doctor*.
    familiar : array of bool
        Which words of the vocabulary may be named.
    """

    def __init__(
        self, bundle: Bundle, measure: Measure, legality: Legality, familiar: NDArray[np.bool_]
    ) -> None:
        self._bundle, self._legality, self._familiar = bundle, legality, familiar
        self._has_npmi = "npmi" in bundle.measures
        self._measure = measure.name

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
        together = self._has_npmi and self._bundle.relatedness(clue, card, "npmi") >= TOGETHER
        return Reason(together, self._shared(clue, card))

    def _shared(self, clue: str, card: str) -> tuple[str, ...]:
        """The best words that go with both and are no relatives of them or of each other."""
        vocabulary = self._bundle.vocabulary
        scores = self._common(clue, card, self._measure)
        if self._has_npmi:
            scores = self._common(clue, card, "npmi") * (scores > 0)
        # Of two words that go with both equally well, people recognise the more frequent one.
        scores *= np.log1p(vocabulary.documents) * self._familiar
        shared: list[str] = []
        for k in np.argsort(-scores, kind="stable")[:CONSIDERED]:
            word = vocabulary.words[k]
            if scores[k] <= 0 or len(shared) == SHOWN:
                break
            if self._legality.checker([clue, card, *shared])(word) is None:
                shared.append(word)
        return tuple(shared)

    def _common(self, clue: str, card: str, measure: str) -> NDArray[np.float64]:
        """How much each word goes with both; 0 where it does not go with one of them."""
        to_clue, to_card = (self._bundle.row(word, measure) for word in (clue, card))
        return np.maximum(to_clue, 0.0).astype(np.float64) * np.maximum(to_card, 0.0)
