"""How well a guesser agrees with people: recorded rounds against the order of its cards.

Three figures, each a mean over rounds:

    precision    P@n: the share of the player's first n picks that are in the guesser's first n
    first        how often the guesser's first card is the player's first pick
    likelihood   ln of the chance of each of the n picks, in their order, under a guesser who
                 picks the cards still there with chances exp(s / temperature); the temperature
                 is the one that fits the picks best

Cards of equal relatedness share the places they are tied for. A card that the vocabulary lacks is
as related as the least related card on its table; when the clue itself is unknown, all cards are
alike, which is chance. `covered` figures leave such rounds out.

Intervals are by bootstrap over sessions, since a player's rounds are not independent. Figures of
the same rounds with the same seed draw the same sessions, so two guessers are compared draw by
draw.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize_scalar
from scipy.special import logsumexp

from wordkin.judging.intervals import Difference, Estimate, bootstrap_means, estimate
from wordkin.judging.rounds import Item
from wordkin.measures import Measure
from wordkin.vocabulary import Vocabulary
from wordkin.words import normal

Array = NDArray[np.float64]
Ids = NDArray[np.int64]
Form = Callable[[str], str]

STATISTICS = ("precision", "first", "likelihood")

SHARPEST = 1e4
"""How many deviations of relatedness a temperature may be fine; finer changes no chance."""


class Picks:
    """The first n picks of every round, as arrays.

    Attributes
    ----------
    items : sequence of Item
        What was played on.
    on_table : array of bool, (items, cards)
        Where an item has a card; boards may be of different sizes.
    item, session : array of int, (rounds,)
        Which item a round was played on, and in which session.
    picked : array of int, (rounds, most)
        The places of the picked cards on the table, first pick first; -1 after the n-th.
    """

    def __init__(self, items: Sequence[Item]) -> None:
        self.items = list(items)
        cards = max((len(item.words) for item in items), default=0)
        most = max((item.number for item in items), default=0)
        self.on_table = np.array(
            [[at < len(item.words) for at in range(cards)] for item in items], dtype=bool
        ).reshape(len(items), cards)
        played = [(at, one) for at, item in enumerate(items) for one in item.rounds]
        names = sorted({one.session for _, one in played})
        numbered = {name: at for at, name in enumerate(names)}
        self.item: Ids = np.array([at for at, _ in played], dtype=np.int64)
        self.session: Ids = np.array([numbered[one.session] for _, one in played], dtype=np.int64)
        self.picked: Ids = np.full((len(played), most), -1, dtype=np.int64)
        for row, (at, one) in zip(self.picked, played, strict=True):
            item = items[at]
            row[: item.number] = [item.words.index(card) for card in one.picks[: item.number]]

    def __len__(self) -> int:
        return len(self.item)

    @cached_property
    def number(self) -> Ids:
        """For how many cards the clue of each item is."""
        return np.array([item.number for item in self.items], dtype=np.int64)

    @cached_property
    def steps(self) -> list[tuple[Ids, Ids, NDArray[np.bool_]]]:
        """The picks by their order: the rounds that have a k-th pick, that pick, and the cards
        that were still there."""
        out, left = [], self.on_table[self.item]
        for picked in self.picked.T:
            rounds = np.flatnonzero(picked >= 0)
            out.append((rounds, picked[rounds], left[rounds]))
            left = left.copy()
            left[rounds, picked[rounds]] = False
        return out


@dataclass(frozen=True)
class Places:
    """Where the words of items are in a vocabulary.

    Attributes
    ----------
    clue : array of int, (items,)
        The clue's id, -1 when it is unknown.
    item, card, word : array of int
        One entry for each known part of each card: the item, the card's place, the part's id.
    known : array of bool, (items, cards)
        Which cards have a known part.
    """

    clue: Ids
    item: Ids
    card: Ids
    word: Ids
    known: NDArray[np.bool_]

    @classmethod
    def of(
        cls, picks: Picks, vocabulary: Vocabulary, language: str, form: Form | None = None
    ) -> Places:
        """Look the words up; `form` is a second try for those that are not there as written."""

        def parts(word: str) -> list[int]:
            found = vocabulary.card_ids(word, language)
            return found or ([vocabulary.ids[other]] if (other := base(word)) in vocabulary else [])

        def clue(word: str) -> int:
            spelt = normal(word, language)
            return vocabulary.ids.get(spelt, vocabulary.ids.get(base(word), -1))

        base = form or (lambda word: word)
        found = [
            (at, place, i)
            for at, item in enumerate(picks.items)
            for place, word in enumerate(item.words)
            for i in parts(word)
        ]
        item, card, word = np.array(found, dtype=np.int64).reshape(-1, 3).T
        known = np.zeros_like(picks.on_table)
        known[item, card] = True
        clues = np.array([clue(item.clue) for item in picks.items], dtype=np.int64)
        return cls(clues, item, card, word, known)

    @property
    def covered(self) -> NDArray[np.bool_]:
        """Which items have a known clue and a known card."""
        return (self.clue >= 0) & self.known.any(axis=1)

    def spread(self, values: NDArray[np.floating]) -> Array:
        """Values of each entry as a table of items and cards: the mean over a card's parts."""
        total, parts = np.zeros(self.known.shape), np.zeros(self.known.shape)
        np.add.at(total, (self.item, self.card), values)
        np.add.at(parts, (self.item, self.card), 1)
        return total / np.maximum(parts, 1)


def relate(measure: Measure, places: Places) -> Array:
    """The relatedness of each item's clue to its cards, by the rules of this module."""
    asked = places.covered[places.item]
    values = np.zeros(len(places.item))
    values[asked] = measure.pairs(places.clue[places.item[asked]], places.word[asked])
    return fill_unknown(places.spread(values), places)


def fill_unknown(table: Array, places: Places) -> Array:
    """A table (items, cards) in which unknown cards are as the least known one of their item."""
    known = places.known & places.covered[:, None]
    least = np.where(known, table, np.inf).min(axis=1, initial=np.inf)
    least[~places.covered] = 0.0
    return np.where(known, table, least[:, None])


def first_cards(table: Array, number: Ids, on_table: NDArray[np.bool_]) -> Array:
    """The share of each card in the guesser's first n: 1, 0, or a part where cards are tied."""
    values = np.where(on_table, table, -np.inf)
    bound = -np.sort(-values, axis=1)[np.arange(len(values)), number - 1][:, None]
    above, level = values > bound, (values == bound) & on_table
    left = number - above.sum(axis=1)
    return np.where(above, 1.0, level * (left / np.maximum(level.sum(axis=1), 1))[:, None])


def log_chances(table: Array, picks: Picks, temperature: float) -> Array:
    """ln of the chance of each round's picks in their order, a pick."""
    total = np.zeros(len(picks))
    for rounds, chosen, left in picks.steps:
        exponents = table[picks.item[rounds]] / temperature
        total[rounds] += exponents[np.arange(len(rounds)), chosen]
        total[rounds] -= logsumexp(np.where(left, exponents, -np.inf), axis=1)
    return total / picks.number[picks.item]


def fit_temperature(table: Array, picks: Picks) -> float:
    """The temperature under which the picks are likeliest."""
    scale = float(table[picks.on_table].std())
    if scale == 0.0:
        return 1.0
    limit = np.log(SHARPEST)
    found = minimize_scalar(
        lambda log: -log_chances(table, picks, scale * float(np.exp(log))).mean(),
        bounds=(-limit, limit),
        method="bounded",
        options={"xatol": 1e-4},
    )
    return scale * float(np.exp(found.x))


@dataclass(frozen=True)
class Coverage:
    """What a vocabulary knows of recorded rounds: how many of how many."""

    clues: tuple[int, int]
    cards: tuple[int, int]
    boards: tuple[int, int]
    rounds: tuple[int, int]


@dataclass(frozen=True)
class Agreement:
    """How well a guesser agrees with people.

    Attributes
    ----------
    name : str
        Whose figures these are.
    rounds, covered : int
        How many rounds there are, and how many of them have a known clue.
    all, known : mapping of str to Estimate
        Each of `STATISTICS` over all rounds, and over the covered ones.
    temperature : float or None
        The fitted one.
    draws : mapping of str to array
        Each statistic over all rounds in each resample.
    """

    name: str
    rounds: int
    covered: int
    all: Mapping[str, Estimate]
    known: Mapping[str, Estimate]
    temperature: float | None
    draws: Mapping[str, Array]


def agreement(
    measure: Measure,
    items: Sequence[Item],
    language: str,
    *,
    form: Form | None = None,
    resamples: int = 1000,
    seed: int = 0,
) -> Agreement:
    """Compare a measure with recorded rounds.

    Parameters
    ----------
    measure : Measure
        Whose order of the cards is judged.
    items : sequence of Item
        See `wordkin.judging.rounds.read_rounds`.
    language : str
        By whose rules words are spelt.
    form : callable, optional
        The form in which the vocabulary has a word that it lacks as written, such as its lemma.
    resamples, seed : int
        How many times the sessions are drawn anew for the intervals, and the seed of the draws.
    """
    picks = Picks(items)
    places = Places.of(picks, measure.vocabulary, language, form)
    table = relate(measure, places)
    return judge(measure.name, table, picks, places.covered, resamples=resamples, seed=seed)


def judge(
    name: str,
    table: Array,
    picks: Picks,
    covered: NDArray[np.bool_],
    *,
    resamples: int,
    seed: int,
    temperature: float | None = None,
) -> Agreement:
    """The agreement of a table of values (items, cards) with the picks.

    A `temperature` of its own is for tables that come with one, such as a fitted model's.
    """
    warmth = fit_temperature(table, picks) if temperature is None else temperature
    scores = round_scores(table, picks, warmth)
    return _agreement(name, scores, picks, covered[picks.item], warmth, resamples, seed)


def round_scores(table: Array, picks: Picks, temperature: float) -> dict[str, Array]:
    """The statistics of each round."""
    tops = first_cards(table, picks.number, picks.on_table)[picks.item]
    firsts = first_cards(table, np.ones_like(picks.number), picks.on_table)[picks.item]
    rows = np.arange(len(picks))
    taken = np.take_along_axis(tops, np.maximum(picks.picked, 0), axis=1)
    taken = np.where(picks.picked >= 0, taken, 0.0)
    return {
        "precision": taken.sum(axis=1) / picks.number[picks.item],
        "first": firsts[rows, picks.picked[:, 0]],
        "likelihood": log_chances(table, picks, temperature),
    }


def chance(items: Sequence[Item], *, resamples: int = 1000, seed: int = 0) -> Agreement:
    """The agreement of a guesser to whom all cards are alike."""
    picks = Picks(items)
    table = np.zeros(picks.on_table.shape)
    everything = np.ones(len(items), dtype=bool)
    return judge("chance", table, picks, everything, resamples=resamples, seed=seed, temperature=1)


def reference(items: Sequence[Item], *, resamples: int = 1000, seed: int = 0) -> Agreement:
    """How people agree with each other: each round beside the other players' of the same item.

    Rounds that nobody else played are not covered; chances of single picks are not defined.
    """
    picks = Picks(items)
    chosen = np.zeros((len(picks), picks.on_table.shape[1]))
    rows, columns = np.nonzero(picks.picked >= 0)
    chosen[rows, picks.picked[rows, columns]] = 1.0
    firsts = np.zeros_like(chosen)
    firsts[np.arange(len(picks)), picks.picked[:, 0]] = 1.0
    others = np.bincount(picks.item, minlength=len(items))[picks.item] - 1

    def shared(marks: Array) -> Array:
        together = np.zeros((len(items), marks.shape[1]))
        np.add.at(together, picks.item, marks)
        met = (marks * (together[picks.item] - marks)).sum(axis=1)
        return met / np.maximum(others, 1)

    scores = {"precision": shared(chosen) / picks.number[picks.item], "first": shared(firsts)}
    return _agreement("other people", scores, picks, others > 0, None, resamples, seed)


def difference(a: Agreement, b: Agreement, statistic: str = "precision") -> Difference:
    """How much better `a` agrees with people than `b` over all rounds, by paired bootstrap."""
    if (a.rounds, len(a.draws[statistic])) != (b.rounds, len(b.draws[statistic])):
        raise ValueError("only agreements with the same rounds and resamples can be compared")
    value = a.all[statistic].value - b.all[statistic].value
    return Difference(*estimate(value, a.draws[statistic] - b.draws[statistic]))


def coverage(picks: Picks, places: Places) -> Coverage:
    """How many clues, cards, boards and rounds a vocabulary knows; a board when all its cards."""
    clues = {item.clue: bool(i >= 0) for item, i in zip(picks.items, places.clue, strict=True)}
    cards, boards = dict[str, bool](), dict[str, bool]()
    for item, there in zip(picks.items, places.known, strict=True):
        cards.update(zip(item.words, there.tolist(), strict=False))
        boards[item.board] = bool(there[: len(item.words)].all())
    rounds = dict(enumerate(places.covered[picks.item].tolist()))
    return Coverage(
        *((sum(known.values()), len(known)) for known in (clues, cards, boards, rounds))
    )


def _agreement(
    name: str,
    scores: Mapping[str, Array],
    picks: Picks,
    covered: NDArray[np.bool_],
    temperature: float | None,
    resamples: int,
    seed: int,
) -> Agreement:
    def estimates(kept: NDArray[np.bool_]) -> tuple[dict[str, Estimate], dict[str, Array]]:
        if not kept.any():
            return {}, {}
        draws = {
            key: bootstrap_means(values[kept], picks.session[kept], resamples=resamples, seed=seed)
            for key, values in scores.items()
        }
        found = {
            key: estimate(float(scores[key][kept].mean()), drawn) for key, drawn in draws.items()
        }
        return found, draws

    everything, draws = estimates(np.ones(len(picks), dtype=bool))
    known, _ = estimates(covered)
    return Agreement(name, len(picks), int(covered.sum()), everything, known, temperature, draws)
