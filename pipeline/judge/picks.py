"""Recorded rounds as arrays: what people picked, and where the words are in a vocabulary."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordkin.words import normal

if TYPE_CHECKING:
    from wordkin.game.rounds import Item
    from wordkin.language.resolution import Resolution
    from wordkin.measures.measure import Measure
    from wordkin.vocabulary import Vocabulary

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
Ids = NDArray[np.int64]
Form = Callable[[str], str]
Resolve = Callable[[str], "Resolution | None"]


class NthPicks(NamedTuple):
    """The n-th picks of all rounds that have one: the round, the picked card, the cards left."""

    rounds: Ids
    picked: Ids
    left: Flags


class Picks:
    """The first n picks of every round.

    `on_table` (items, cards) says where an item has a card, since boards differ in size. `item` and
    `session` are those of each round. `picked` (rounds, most) has the places of the picked cards on
    the table, first pick first, and -1 after the n-th.
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
    def in_order(self) -> list[NthPicks]:
        """The first picks of all rounds, then the second picks, and so on."""
        picks, left = [], self.on_table[self.item]
        for picked in self.picked.T:
            rounds = np.flatnonzero(picked >= 0)
            picks.append(NthPicks(rounds, picked[rounds], left[rounds]))
            left = left.copy()
            left[rounds, picked[rounds]] = False
        return picks


@dataclass(frozen=True)
class Lookup:
    """The clues and cards of items in a vocabulary.

    A clue or card stands for one known word or for several with weights, so there is one entry per
    known word of the clue and known word of the card: the item, the place of the card, the ids of
    the two words, and a weight. The weights of a card sum to 1.
    """

    known_clue: Flags
    """Which clues stand for known words."""
    known: Flags
    """(items, cards): which cards stand for known words."""
    resolved_clue: Flags
    resolved: Flags
    """Which of these clues and cards are not in the vocabulary themselves."""
    item: Ids
    card: Ids
    clue_word: Ids
    card_word: Ids
    weight: Array

    @classmethod
    def of(
        cls,
        picks: Picks,
        vocabulary: Vocabulary,
        language: str,
        form: Form | None = None,
        resolve: Resolve | None = None,
    ) -> Lookup:
        """Look the words up by the spelling rules of a language.

        A word that is not there as written is tried in its `form`, such as its lemma, and then
        stands for the known words that it resolves to (`wordkin.bundle.Bundle.try_resolve`).
        """

        def known_as(word: str, ids: Sequence[int]) -> _Known:
            if not ids and form and form(word) in vocabulary:
                ids = [vocabulary.ids[form(word)]]
            resolution = None if ids or resolve is None else resolve(word)
            if resolution is None:
                return _Known([(i, 1 / len(ids)) for i in ids], resolved=False)
            words = [(vocabulary.ids[entry.word], entry.weight) for entry in resolution.words]
            return _Known(words, resolved=True)

        @cache
        def clue_of(word: str) -> _Known:
            at = vocabulary.ids.get(normal(word, language))
            return known_as(word, [] if at is None else [at])

        @cache
        def card_of(word: str) -> _Known:
            return known_as(word, vocabulary.card_ids(word, language))

        clues = [clue_of(item.clue) for item in picks.items]
        known, resolved = np.zeros_like(picks.on_table), np.zeros_like(picks.on_table)
        entries: list[tuple[int, int, int, int, float]] = []
        for at, (item, clue) in enumerate(zip(picks.items, clues, strict=True)):
            for place, card in enumerate(map(card_of, item.words)):
                known[at, place], resolved[at, place] = bool(card.words), card.resolved
                entries += [(at, place, i, j, v * w) for i, v in clue.words for j, w in card.words]
        columns = list(zip(*entries, strict=True)) or [()] * 5
        items, cards, clue_words, card_words = (np.array(c, dtype=np.int64) for c in columns[:4])
        return cls(
            known_clue=np.array([bool(clue.words) for clue in clues], dtype=bool),
            known=known,
            resolved_clue=np.array([clue.resolved for clue in clues], dtype=bool),
            resolved=resolved,
            item=items,
            card=cards,
            clue_word=clue_words,
            card_word=card_words,
            weight=np.array(columns[4], dtype=np.float64),
        )

    @property
    def covered(self) -> Flags:
        """Which items have a clue and a card that stand for known words."""
        return self.known_clue & self.known.any(axis=1)

    @property
    def in_vocabulary(self) -> Flags:
        """Which items have a clue and a card that the vocabulary has, without resolving."""
        cards = self.known & ~self.resolved
        return self.known_clue & ~self.resolved_clue & cards.any(axis=1)

    def card_means(self, values: NDArray[np.floating]) -> Array:
        """The values of the entries as a table of items and cards, averaged by weight."""
        total = np.zeros(self.known.shape)
        np.add.at(total, (self.item, self.card), self.weight * values)
        return total

    def fill_unknown(self, table: Array) -> Array:
        """A table of items and cards in which an unknown card has the least value of its item.

        When the clue is unknown, all cards of the item have the value 0.
        """
        known = self.known & self.covered[:, None]
        least = np.where(known, table, np.inf).min(axis=1, initial=np.inf)
        least[~self.covered] = 0.0
        return np.where(known, table, least[:, None])


class _Known(NamedTuple):
    """The ids and weights of what a word stands for; none when it is unknown."""

    words: list[tuple[int, float]]
    resolved: bool


def relatedness_table(measure: Measure, lookup: Lookup) -> Array:
    """The relatedness of each item's clue to its cards, (items, cards)."""
    values = measure.pairs(lookup.clue_word, lookup.card_word).astype(np.float64)
    # As in wordkin.language.resolved: a word is close to what it stands for.
    resolved = lookup.resolved_clue[lookup.item] | lookup.resolved[lookup.item, lookup.card]
    for at in np.flatnonzero(resolved & (lookup.clue_word == lookup.card_word)).tolist():
        values[at] = measure.rows([int(lookup.card_word[at])]).max()
    return lookup.fill_unknown(lookup.card_means(values))


def coverage(picks: Picks, lookup: Lookup) -> dict[str, tuple[int, int]]:
    """How many clues, cards, boards and rounds a vocabulary knows without resolving, of how many.

    A board is known when all its cards are, a round when its clue and one of its cards are.
    """
    flags = (lookup.known_clue & ~lookup.resolved_clue).tolist()
    clues = {item.clue: known for item, known in zip(picks.items, flags, strict=True)}
    cards, boards = dict[str, bool](), dict[str, bool]()
    for item, known in zip(picks.items, lookup.known & ~lookup.resolved, strict=True):
        cards.update(zip(item.words, known.tolist(), strict=False))
        boards[item.board] = bool(known[: len(item.words)].all())
    known_of = {
        "clues": clues.values(),
        "cards": cards.values(),
        "boards": boards.values(),
        "rounds": lookup.in_vocabulary[picks.item].tolist(),
    }
    return {kind: (sum(known), len(known)) for kind, known in known_of.items()}
