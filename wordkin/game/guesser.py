"""The guesser: which cards a clue stands for, and whether to go on.

A clue for n cards means n of our cards. By the model of `wordkin.game.chances`, a card is one of
them with the chance that it is among the first n picks for the clue. Clues are read independently
of each other, and those of earlier turns count as long as cards of theirs are left to find. A clue
for 0 cards says that the cards related to it are not ours. Our cards that no clue points at may be
any of the others.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordkin.bundle import Bundle
from wordkin.errors import InputError
from wordkin.game.board import ASSASSIN, NEUTRAL, OURS, THEIRS
from wordkin.game.board_view import resolve_cards
from wordkin.game.chances import among_first, pick_weights
from wordkin.game.views import GuesserView, open_clues
from wordkin.game.worth import Stakes
from wordkin.language.resolved import resolved_pairs
from wordkin.measures.measure import Measure

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


PEOPLE = 0.2
"""The temperature of people after scaling: relatedness is scaled so that they have it with every
measure (`wordkin.bundle.Bundle.temperature`). The cosines of fastText need little scaling, and the
sigmoid of the fastText report was made for them."""


CONSIDERED, SLOPE, MIDDLE = 0.2, 20.0, 0.3
"""Of the fastText report: the share of the cards that its guesser considers, and a and b of the
sigmoid 1 / (1 + exp(−a (s − b)))."""

REMEMBERED_CLUES = 64
"""The number of clues whose relatedness to the cards a guesser remembers: each pick of a game looks
at all earlier clues again."""


@dataclass(frozen=True)
class Habits:
    """The parameters of the models of a guesser. Relatedness is scaled first, see `PEOPLE`.

    Attributes
    ----------
    temperature : float
        The temperature of the softmax: the lower, the surer the guesser. 0.2 is that of people.
    risk : float
        Losses count one over this number as much as gains when the guesser decides whether to go
        on; `wordkin.game.worth.RISKS` has names for it.
    """

    temperature: float = PEOPLE
    risk: float = 1.0


def closest(values: Array, habits: Habits) -> Array:
    """Give the closest card a chance of 1."""
    chances = np.zeros(len(values))
    chances[int(np.argmax(values))] = 1
    return chances


def softmax(values: Array, habits: Habits) -> Array:
    """Give each card a chance in proportion to exp(s / temperature)."""
    weights = pick_weights(values, habits.temperature)
    return weights / weights.sum()


def sigmoid(values: Array, habits: Habits) -> Array:
    """The probabilistic guesser of the fastText project report.

    Each of the closest 20 % of the cards has a chance in proportion to a sigmoid of its
    relatedness; the others have none.
    """
    count = max(1, int(np.ceil(CONSIDERED * len(values))))
    considered = np.argsort(-values, kind="stable")[:count]
    exponents = -SLOPE * (values[considered] - MIDDLE)
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
        self._remembered: dict[str, dict[str, float]] = {}

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
            chances[known] = self.model(values[known] * (PEOPLE / self._temperature), self.habits)
        order = np.argsort(-values, kind="stable").tolist()
        return [
            Guess(cards[i], float(values[i]) if known[i] else 0.0, float(chances[i])) for i in order
        ]

    def pick(self, view: GuesserView) -> str | None:
        """Return the next card to turn over.

        Until as many cards were found as the last clue says, the guesser picks for that clue; then
        for earlier ones of its team of which cards are left to find. It goes on as long as a pick
        is worth its risk, so it uses the extra guess when an earlier clue is clear enough, and
        stops early when the cards left are not.

        Parameters
        ----------
        view : GuesserView
            What the guesser sees.

        Returns
        -------
        str or None
            None to end the turn. `closest` picks the closest card for the last clue, or the card
            that is most likely ours; the other models draw one. Clues that stand for no known word
            say nothing; if none says anything and a card has to be picked, it is the first one.
        """
        last, hints = self._last_hint(view), self._earlier_hints(view)
        hints = [last, *hints] if last else hints
        chances = ours_chances(hints, len(view.cards), view.ours_left)
        meant = [hint.weights for hint in hints if hint.number]
        if self.model is not closest and meant:
            # ln of a weight is relatedness over people's temperature.
            drawn = self.model(PEOPLE * np.log(np.maximum(meant[0], 1e-30)), self.habits)
            card = int(self._generator.choice(len(drawn), p=drawn / drawn.sum()))
        else:
            card = int(np.argmax(last.weights if last and last.number else chances))
        # The decision to stop looks at the best card: a random draw is no reason to stop.
        promised = float(chances[card] if self.model is closest else chances.max())
        if view.may_stop and gain_of_pick(promised, view, self.habits.risk) <= 0:
            return None
        return view.cards[card]

    def _last_hint(self, view: GuesserView) -> Hint | None:
        """What the last clue says, if it is understood and has cards left to find or to avoid."""
        clue = view.clue
        found = sum(pick.colour == OURS for pick in clue.picks)
        number = clue.number
        if number is None:
            number = max(UNLIMITED_NUMBER, found + 1)
        if (number and found >= number) or not self.understands(clue.word):
            return None
        return Hint(self._weights(clue.word, view.cards), max(number - found, 0))

    def _earlier_hints(self, view: GuesserView) -> list[Hint]:
        """What earlier clues with cards left to find say, as far as they are understood."""
        return [
            Hint(self._weights(clue.word, view.cards), clue.left)
            for clue in open_clues(view.clues[:-1], view.team)
            if self.understands(clue.word)
        ]

    def _weights(self, clue: str, cards: Sequence[str]) -> Array:
        """The weights of the cards for a clue; an unknown card has the smallest one."""
        values = self.relatedness(clue, cards)
        values = np.maximum(values, values[np.isfinite(values)].min(initial=np.inf))
        if not np.isfinite(values).all():  # no card is known
            return np.ones(len(cards))
        return pick_weights(values, self._temperature)

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
        by_card = self._remembered.get(clue)
        if by_card is None or not by_card.keys() >= set(cards):
            resolutions = resolve_cards(self.bundle, cards)
            values = resolved_pairs(self.measure, self.bundle.resolve(clue), resolutions)
            by_card = dict.fromkeys(cards, -np.inf)
            by_card.update(zip((item.word for item in resolutions), values.tolist(), strict=True))
            if len(self._remembered) >= REMEMBERED_CLUES:
                self._remembered.clear()
            self._remembered[clue] = by_card
        return np.array([by_card[card] for card in cards])

    @cached_property
    def _temperature(self) -> float:
        """The temperature of people with this measure."""
        return self.bundle.temperature(self.measure)


CARE = 2.0
"""How many times as sharp clues are read as people pick cards: a spymaster chooses a clue so that
its cards stand out on this board."""

AVOIDED = 2
"""The number of cards that a clue for 0 cards is taken to warn of."""

UNLIMITED_NUMBER = 2
"""The number of cards that an unlimited clue is taken to be for: the usual one."""


class Hint(NamedTuple):
    """A clue as a guesser reads it.

    Attributes
    ----------
    weights : array, (cards,)
        The weight of each card that lies face down.
    number : int
        How many of its cards are left to find; 0 if the clue is about cards that are not ours.
    """

    weights: Array
    number: int


def ours_chances(hints: Sequence[Hint], cards: int, ours_left: int) -> Array:
    """The chance of each of the cards that lie face down to be one of the `ours_left`."""
    meant, avoided = np.zeros(cards), np.zeros(cards)
    numbers = [hint.number or AVOIDED for hint in hints]
    weights = np.array([hint.weights for hint in hints]) ** CARE
    read = among_first(weights, numbers) if hints else ()
    for hint, chances in zip(hints, read, strict=True):
        if hint.number:
            meant = 1 - (1 - meant) * (1 - chances)
        else:
            avoided = 1 - (1 - avoided) * (1 - chances)
    meant *= 1 - avoided
    # Cards of ours that no clue points at are any of the cards that are neither meant nor avoided.
    others = (1 - meant) * (1 - avoided)
    rest = np.clip((ours_left - meant.sum()) / max(others.sum(), 1e-9), 0, 1)
    return meant + others * rest


def gain_of_pick(chance: float, view: GuesserView, risk: float = 1.0) -> float:
    """What it is worth to turn over a card that is ours with this chance, compared to stopping."""
    stakes = Stakes.of(view.ours_left, view.theirs_left, 1, view.teams, risk)
    bad = max(len(view.cards) - view.ours_left, 0)
    if not bad:
        return float(stakes.stop[1])
    theirs = min(view.theirs_left / bad, 1)
    assassins = not any(pick.colour == ASSASSIN for pick in view.turned)
    assassin = min(assassins / bad, 1 - theirs)
    shares = {THEIRS: theirs, ASSASSIN: assassin, NEUTRAL: 1 - theirs - assassin}
    loss = sum(share * float(stakes.bad[colour][0]) for colour, share in shares.items())
    return chance * float(stakes.stop[1]) + (1 - chance) * loss
