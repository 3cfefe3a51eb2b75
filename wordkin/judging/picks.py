"""Recorded rounds as arrays: what people picked, and where the words are in a vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordkin.words import normal

if TYPE_CHECKING:
    from wordkin.judging.rounds import Item
    from wordkin.measures import Measure
    from wordkin.vocabulary import Vocabulary

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
Ids = NDArray[np.int64]
Form = Callable[[str], str]


class Step(NamedTuple):
    """The k-th picks of all rounds that have one: the round, the picked card, the cards left."""

    rounds: Ids
    picked: Ids
    left: Flags


class Picks:
    """The first n picks of every round.

    Parameters
    ----------
    items : sequence of Item
        The boards and clues, each with its rounds; see `wordkin.judging.rounds.read_rounds`.

    Attributes
    ----------
    items : list of Item
        The same.
    on_table : array of bool, (items, cards)
        Where an item has a card; boards may differ in size.
    item, session : array of int, (rounds,)
        The item of each round, and its session.
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
        rounds = [(at, played) for at, item in enumerate(items) for played in item.rounds]
        sessions = sorted({played.session for _, played in rounds})
        number_of = {session: number for number, session in enumerate(sessions)}
        self.item: Ids = np.array([at for at, _ in rounds], dtype=np.int64)
        self.session: Ids = np.array(
            [number_of[played.session] for _, played in rounds], dtype=np.int64
        )
        self.picked: Ids = np.full((len(rounds), most), -1, dtype=np.int64)
        for row, (at, played) in zip(self.picked, rounds, strict=True):
            item = items[at]
            row[: item.number] = [item.words.index(card) for card in played.picks[: item.number]]

    def __len__(self) -> int:
        """The number of rounds."""
        return len(self.item)

    @cached_property
    def number(self) -> Ids:
        """The number of cards that the clue of each item is for."""
        return np.array([item.number for item in self.items], dtype=np.int64)

    @cached_property
    def steps(self) -> list[Step]:
        """The first picks of all rounds, then the second picks, and so on."""
        steps, left = [], self.on_table[self.item]
        for picked in self.picked.T:
            rounds = np.flatnonzero(picked >= 0)
            steps.append(Step(rounds, picked[rounds], left[rounds]))
            left = left.copy()
            left[rounds, picked[rounds]] = False
        return steps


@dataclass(frozen=True)
class Lookup:
    """The clues and cards of items in a vocabulary.

    Attributes
    ----------
    clue : array of int, (items,)
        The id of the clue, or -1 when it is unknown.
    item, card, word : array of int
        One entry per known part of a card: the item, the place of the card, the id of the part.
    known : array of bool, (items, cards)
        Which cards have a known part.
    """

    clue: Ids
    item: Ids
    card: Ids
    word: Ids
    known: Flags

    @classmethod
    def of(
        cls, picks: Picks, vocabulary: Vocabulary, language: str, form: Form | None = None
    ) -> Lookup:
        """Look the words up.

        Parameters
        ----------
        picks : Picks
            Whose clues and cards to look up.
        vocabulary : Vocabulary
            Where to look.
        language : str
            The language whose spelling rules apply.
        form : callable, optional
            The form to try for a word that is not there as written, such as its lemma.
        """

        def other_form(word: str) -> int:
            return vocabulary.ids.get(form(word) if form else word, -1)

        def parts(word: str) -> list[int]:
            ids = vocabulary.card_ids(word, language) or [other_form(word)]
            return [i for i in ids if i >= 0]

        entries = [
            (at, place, i)
            for at, item in enumerate(picks.items)
            for place, word in enumerate(item.words)
            for i in parts(word)
        ]
        item, card, word = np.array(entries, dtype=np.int64).reshape(-1, 3).T
        known = np.zeros_like(picks.on_table)
        known[item, card] = True
        clues = [
            vocabulary.ids.get(normal(item.clue, language), other_form(item.clue))
            for item in picks.items
        ]
        return cls(np.array(clues, dtype=np.int64), item, card, word, known)

    @property
    def covered(self) -> Flags:
        """Which items have a known clue and a known card."""
        return (self.clue >= 0) & self.known.any(axis=1)

    def card_means(self, values: NDArray[np.floating]) -> Array:
        """The values of the entries as a table of items and cards, averaged over a card's parts."""
        total, parts = np.zeros(self.known.shape), np.zeros(self.known.shape)
        np.add.at(total, (self.item, self.card), values)
        np.add.at(parts, (self.item, self.card), 1)
        return total / np.maximum(parts, 1)

    def fill_unknown(self, table: Array) -> Array:
        """A table of items and cards in which an unknown card has the least value of its item.

        When the clue is unknown, all cards of the item have the value 0.
        """
        known = self.known & self.covered[:, None]
        least = np.where(known, table, np.inf).min(axis=1, initial=np.inf)
        least[~self.covered] = 0.0
        return np.where(known, table, least[:, None])


def relatedness_table(measure: Measure, lookup: Lookup) -> Array:
    """The relatedness of each item's clue to its cards, (items, cards)."""
    asked = lookup.covered[lookup.item]
    values = np.zeros(len(lookup.item))
    values[asked] = measure.pairs(lookup.clue[lookup.item[asked]], lookup.word[asked])
    return lookup.fill_unknown(lookup.card_means(values))


@dataclass(frozen=True)
class Coverage:
    """How much of the recorded rounds a vocabulary knows: (known, all) of each kind.

    A board is known when all its cards are, a round when its clue and one of its cards are.
    """

    clues: tuple[int, int]
    cards: tuple[int, int]
    boards: tuple[int, int]
    rounds: tuple[int, int]


def coverage(picks: Picks, lookup: Lookup) -> Coverage:
    """Count the clues, cards, boards and rounds that a vocabulary knows."""
    clues = {item.clue: bool(i >= 0) for item, i in zip(picks.items, lookup.clue, strict=True)}
    cards, boards = dict[str, bool](), dict[str, bool]()
    for item, known in zip(picks.items, lookup.known, strict=True):
        cards.update(zip(item.words, known.tolist(), strict=False))
        boards[item.board] = bool(known[: len(item.words)].all())
    rounds = dict(enumerate(lookup.covered[picks.item].tolist()))
    return Coverage(
        *((sum(known.values()), len(known)) for known in (clues, cards, boards, rounds))
    )
