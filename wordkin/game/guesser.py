"""The guesser: which cards a clue stands for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from wordkin.bundle import Bundle
from wordkin.errors import InputError
from wordkin.game.board_view import resolve_cards
from wordkin.game.views import GuesserView
from wordkin.measures import Measure
from wordkin.resolving import resolved_pairs

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Guess:
    """A card as a guesser sees it.

    Attributes
    ----------
    word : str
        The word on the card.
    relatedness : float
        Its relatedness to the clue.
    chance : float
        The chance that the guesser picks it first.
    """

    word: str
    relatedness: float
    chance: float


@dataclass(frozen=True)
class Habits:
    """The parameters of the models of a guesser.

    Attributes
    ----------
    temperature : float
        The temperature of the softmax: the lower, the surer the guesser. 0.2 corresponds to σ = 5
        of the expected card difference.
    considered : float
        The share of the cards that the sigmoid model considers at all.
    slope, middle : float
        a and b of its sigmoid 1 / (1 + exp(−a (s − b))).
    """

    temperature: float = 0.2
    considered: float = 0.2
    slope: float = 20.0
    middle: float = 0.3


def closest(values: Array, habits: Habits) -> Array:
    """Give the closest card a chance of 1."""
    chances = np.zeros(len(values))
    chances[int(np.argmax(values))] = 1
    return chances


def softmax(values: Array, habits: Habits) -> Array:
    """Give each card a chance in proportion to exp(s / temperature)."""
    weights = np.exp((values - values.max()) / habits.temperature)
    return weights / weights.sum()


def sigmoid(values: Array, habits: Habits) -> Array:
    """The probabilistic guesser of the fastText project report.

    Each of the closest 20 % of the cards has a chance in proportion to a sigmoid of its
    relatedness; the others have none.
    """
    count = max(1, int(np.ceil(habits.considered * len(values))))
    considered = np.argsort(-values, kind="stable")[:count]
    exponents = -habits.slope * (values[considered] - habits.middle)
    weights = np.exp(-np.logaddexp(0, exponents))
    chances = np.zeros(len(values))
    chances[considered] = weights / weights.sum() if weights.sum() > 0 else 1 / count
    return chances


MODELS: dict[str, Callable[[Array, Habits], Array]] = {
    "closest": closest,
    "softmax": softmax,
    "sigmoid": sigmoid,
}
"""The models by name: they turn the relatedness of the cards into chances."""


class Guesser:
    """Guesses the cards that a clue stands for.

    Parameters
    ----------
    bundle : Bundle
        What the guesser knows about words; it may differ from the spymaster's.
    measure : str or Measure, optional
        The relatedness to use; the bundle's default if not given.
    model : str
        `closest` always picks the closest card; `softmax` and `sigmoid` pick at random, as people
        seem to do.
    habits : Habits, optional
        The parameters of the models.
    seed : int
        For the models that pick at random: the same seed makes the same guesses.

    Attributes
    ----------
    bundle, measure, habits
        As given, or their defaults.
    model : callable
        The function of `MODELS` that has this name.

    Examples
    --------
    >>> guesser = wordkin.Guesser(wordkin.load("en"))
    >>> guesser.guess("keyboard", 2, ["bison", "piano", "mouse"])
    ['mouse', 'piano']
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
        self._generator = np.random.default_rng(seed)

    def understands(self, clue: str) -> bool:
        """Whether the clue stands for known words; with subwords in the bundle, any word does."""
        return bool(resolve_cards(self.bundle, [clue]))

    def rank(self, clue: str, cards: Sequence[str]) -> list[Guess]:
        """Rank the cards by their relatedness to a clue.

        Parameters
        ----------
        clue : str
            The clue.
        cards : sequence of str
            The cards that lie face down.

        Returns
        -------
        list of Guess
            All cards, closest first; cards that stand for no known word come last.

        Raises
        ------
        UnknownWord
            If the clue stands for no known word.
        """
        values = self.relatedness(clue, cards)
        known = np.isfinite(values)
        chances = np.zeros(len(cards))
        if known.any():
            chances[known] = self.model(values[known], self._scaled_habits(values[known]))
        order = np.argsort(-values, kind="stable").tolist()
        return [
            Guess(cards[i], float(values[i]) if known[i] else 0.0, float(chances[i])) for i in order
        ]

    def pick(self, view: GuesserView) -> str | None:
        """Return the next card to turn over.

        Parameters
        ----------
        view : GuesserView
            What the guesser sees.

        Returns
        -------
        str or None
            None to end the turn: as many cards were turned over as the clue said, one for a clue
            without such a number. The first card if the clue stands for no known word.
        """
        clue = view.clue
        if view.may_stop and len(clue.picks) >= (clue.number or 1):
            return None
        if not self.understands(clue.word):
            return view.cards[0]
        return self.guess(clue.word, 1, view.cards)[0]

    def guess(self, clue: str, number: int, cards: Sequence[str]) -> list[str]:
        """Pick the cards to turn over.

        Parameters
        ----------
        clue : str
            The clue.
        number : int
            The number of cards to pick; fewer are returned if there are not as many.
        cards : sequence of str
            The cards that lie face down.

        Returns
        -------
        list of str
            The first guess first. Cards are drawn by the model's chances without replacement; when
            no other card has a chance, the closest ones follow.

        Raises
        ------
        UnknownWord
            If the clue stands for no known word.
        """
        remaining = self.rank(clue, cards)
        picked: list[str] = []
        while remaining and len(picked) < number:
            chances = np.array([guess.chance for guess in remaining])
            total = chances.sum()
            at = 0
            if total > 0:
                at = int(self._generator.choice(len(remaining), p=chances / total))
            picked.append(remaining.pop(at).word)
        return picked

    def relatedness(self, clue: str, cards: Sequence[str]) -> Array:
        """Return the relatedness of a clue to each card.

        Parameters
        ----------
        clue : str
            The clue.
        cards : sequence of str
            The cards; one that is not in the vocabulary gets the weighted mean of the known words
            that it stands for (see `wordkin.bundle.Bundle.resolve`).

        Returns
        -------
        array of float
            −∞ for a card that stands for no known word.

        Raises
        ------
        UnknownWord
            If the clue stands for no known word.
        """
        resolutions = resolve_cards(self.bundle, cards)
        values = resolved_pairs(self.measure, self.bundle.resolve(clue), resolutions)
        by_card = dict(zip((item.word for item in resolutions), values.tolist(), strict=True))
        return np.array([by_card.get(card, -np.inf) for card in cards])

    def _scaled_habits(self, values: Array) -> Habits:
        """The habits scaled to the measure's range: sums of paths go far beyond 1."""
        scale = max(1.0, float(values.max()))
        if scale == 1.0:
            return self.habits
        return replace(
            self.habits,
            temperature=self.habits.temperature * scale,
            slope=self.habits.slope / scale,
            middle=self.habits.middle * scale,
        )
