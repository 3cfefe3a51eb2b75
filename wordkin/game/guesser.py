"""The guesser: which cards a clue stands for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordkin.bundle import Bundle
from wordkin.errors import InputError
from wordkin.measures import Measure
from wordkin.words import normal

Chances = NDArray[np.float64]


@dataclass(frozen=True)
class Guess:
    """A card, how related it is to the clue, and the chance that it would be picked first."""

    word: str
    relatedness: float
    chance: float


@dataclass(frozen=True)
class Habits:
    """What can be tuned in the models of a guesser.

    Attributes
    ----------
    temperature : float
        Of the softmax: the lower, the surer. 0.2 is the σ = 5 of the expected card difference.
    kept : float
        The share of the cards that the sigmoid model thinks of at all.
    slope, middle : float
        a and b of its sigmoid 1 / (1 + exp(−a (s − b))).
    """

    temperature: float = 0.2
    kept: float = 0.2
    slope: float = 20.0
    middle: float = 0.3


def closest(values: Chances, habits: Habits) -> Chances:
    """Sure of itself: all the chance is on the closest card."""
    chances = np.zeros(len(values))
    chances[int(np.argmax(values))] = 1
    return chances


def softmax(values: Chances, habits: Habits) -> Chances:
    """A card's chance grows with exp(s / temperature)."""
    weights = np.exp((values - values.max()) / habits.temperature)
    return weights / weights.sum()


def sigmoid(values: Chances, habits: Habits) -> Chances:
    """The probabilistic guesser of the fastText project report: of the closest 20 % of the cards
    each has a chance in proportion to a sigmoid of its relatedness, the others have none."""
    count = max(1, int(np.ceil(habits.kept * len(values))))
    chosen = np.argsort(-values, kind="stable")[:count]
    exponents = -habits.slope * (values[chosen] - habits.middle)
    weights = np.exp(-np.logaddexp(0, exponents))
    chances = np.zeros(len(values))
    chances[chosen] = weights / weights.sum() if weights.sum() > 0 else 1 / count
    return chances


MODELS: dict[str, Callable[[Chances, Habits], Chances]] = {
    "closest": closest,
    "softmax": softmax,
    "sigmoid": sigmoid,
}


class Guesser:
    """Guesses cards from a bundle, which need not be the spymaster's.

    Parameters
    ----------
    bundle : Bundle
        What it knows of words.
    measure : str or Measure, optional
        Which relatedness to use; the bundle's default when not given.
    model : str
        `closest` always picks the closest card; `softmax` and `sigmoid` pick by chance, as people
        do.
    habits : Habits, optional
        What can be tuned in the models.
    seed : int
        For the models that pick by chance: the same seed makes the same guesses.
    """

    def __init__(
        self,
        bundle: Bundle,
        measure: str | Measure | None = None,
        model: str = "closest",
        habits: Habits | None = None,
        seed: int = 0,
    ) -> None:
        if model not in MODELS:
            raise InputError(f"There is no guesser '{model}': use {', '.join(MODELS)}.")
        self.bundle = bundle
        self.measure = measure if isinstance(measure, Measure) else bundle.measure(measure)
        self.model = MODELS[model]
        self.habits = habits or Habits()
        self._chance = np.random.default_rng(seed)

    def knows(self, clue: str) -> bool:
        """Whether the clue is in the vocabulary."""
        return normal(clue, self.bundle.language) in self.measure.vocabulary

    def rank(self, clue: str, cards: Sequence[str]) -> list[Guess]:
        """All cards, closest first; cards that the vocabulary does not know come last."""
        values = self.relatedness(clue, cards)
        known = np.isfinite(values)
        chances = np.zeros(len(cards))
        if known.any():
            chances[known] = self.model(values[known], self._fitted(values[known]))
        order = np.argsort(-values, kind="stable").tolist()
        return [
            Guess(cards[i], float(values[i]) if known[i] else 0.0, float(chances[i])) for i in order
        ]

    def guess(self, clue: str, number: int, cards: Sequence[str]) -> list[str]:
        """The cards to turn over, first guess first: as many as the number says.

        The model draws them without putting back; when it has nothing more to draw, the closest
        ones follow.
        """
        left = self.rank(clue, cards)
        picked: list[str] = []
        while left and len(picked) < number:
            chances = np.array([guess.chance for guess in left])
            total = chances.sum()
            at = int(self._chance.choice(len(left), p=chances / total)) if total > 0 else 0
            picked.append(left.pop(at).word)
        return picked

    def relatedness(self, clue: str, cards: Sequence[str]) -> Chances:
        """The clue against each card; −∞ for a card that the vocabulary does not know."""
        own = self.measure.vocabulary.id(normal(clue, self.bundle.language))
        parts = [self.measure.vocabulary.card_ids(card, self.bundle.language) for card in cards]
        values = self.measure.pairs(
            [own] * sum(map(len, parts)), [i for ids in parts for i in ids]
        ).astype(np.float64)
        ends = np.cumsum([len(ids) for ids in parts])
        return np.array(
            [
                values[end - len(ids) : end].mean() if ids else -np.inf
                for ids, end in zip(parts, ends.tolist(), strict=True)
            ]
        )

    def _fitted(self, values: Chances) -> Habits:
        """The habits brought to the measure's range: sums of paths go far beyond 1."""
        scale = max(1.0, float(values.max()))
        if scale == 1.0:
            return self.habits
        return Habits(
            self.habits.temperature * scale,
            self.habits.kept,
            self.habits.slope / scale,
            self.habits.middle * scale,
        )
