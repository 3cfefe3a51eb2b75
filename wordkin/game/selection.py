"""Selecting clues for a board: the candidates, and the best of them by a scoring function."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from wordkin.arrays import Ids
from wordkin.game.board_view import BoardView
from wordkin.game.clue import Note
from wordkin.game.legality import Objection, is_plain_word
from wordkin.game.scoring import Options, Scorer, Scores, expected, frequency
from wordkin.game.worth import Turn
from wordkin.vocabulary import Vocabulary

Check = Callable[[str], Objection | None]
Judge = Callable[[Ids], BoardView]
"""The relatedness of the cards to some words of the vocabulary, by the measure that judges."""

MOST = 4
"""The largest number of cards to try when no number is given."""

SHORTLIST = 200
"""The number of words that a judge compares."""

FORM_SHARE = 0.5
"""An inflected form is offered if it is at least this share as frequent as its most frequent
relative: *married* and *meeting* are, *elevations* and *tsunamis* are not."""

DICTIONARY = "dict2vec"
"""The measure with dictionary vectors."""


@dataclass(frozen=True)
class ClueWords:
    """What holds for words as clues on any board, with any scoring function.

    Attributes
    ----------
    vocabulary : Vocabulary
        The words.
    unwanted : frozenset of str
        Words never to offer.
    rarity : float
        The weight of FREQ (see `wordkin.game.scoring.frequency`).
    documents : int or None
        The number of documents; if None, the largest number that a word occurs in.
    limit : float
        Words that people are less familiar with are not offered, 0 to 1. With 0 all words are, in
        all forms.
    lemmas : sequence of str or None
        The lemma of each word; None if every form is as good as any other.
    """

    vocabulary: Vocabulary
    unwanted: frozenset[str]
    rarity: float
    documents: int | None
    limit: float = 0.0
    lemmas: Sequence[str] | None = None

    @cached_property
    def ids(self) -> Ids:
        """The ids of the words that may be clues: the candidates, in the vocabulary's order."""
        return np.flatnonzero(self.sayable)

    @cached_property
    def sayable(self) -> NDArray[np.bool_]:
        """Whether each word may be a clue on any board."""
        familiarity, words = self.vocabulary.familiarity, self.vocabulary.words
        plain = [is_plain_word(word) and word not in self.unwanted for word in words]
        sayable = np.array(plain, dtype=bool)
        if familiarity is not None:
            sayable &= familiarity >= np.float32(self.limit)
        if self.lemmas is not None and self.limit > 0:
            sayable &= usual_forms(self.vocabulary, self.lemmas)
        return sayable

    @cached_property
    def without_limit(self) -> ClueWords:
        """The same words, however unfamiliar: for a board that leaves no other clue."""
        return replace(self, limit=0.0)

    @cached_property
    def frequency(self) -> NDArray[np.float64] | float:
        """The weighted FREQ of each candidate, which is added to its score."""
        if not self.rarity:
            return 0.0
        documents = self.vocabulary.documents
        return self.rarity * frequency(documents, self.documents or int(documents.max()))[self.ids]


def usual_forms(vocabulary: Vocabulary, lemmas: Sequence[str]) -> NDArray[np.bool_]:
    """Whether each word is a dictionary form, or a form that is used about as much as any other."""
    words, counts = vocabulary.words, vocabulary.counts.tolist()
    most: dict[str, int] = {}
    for lemma, count in zip(lemmas, counts, strict=True):
        most[lemma] = max(count, most.get(lemma, 0))
    usual = [
        word == lemma or count >= FORM_SHARE * most[lemma]
        for word, lemma, count in zip(words, lemmas, counts, strict=True)
    ]
    return np.array(usual, dtype=bool)


def dictionary_terms(view: BoardView, dictionary: BoardView, most: int) -> Scores:
    """What dictionary vectors say about clues: one row per number of cards from 1 to `most`.

    The DETECT paper adds to a clue's score λ_F FREQ + λ_D (Σ over the targets of its closeness to
    them minus its closeness to the closest bad card), where closeness is the cosine of dictionary
    vectors (its eq. 3 and 4). FREQ is `wordkin.game.scoring.frequency`; this is the other term,
    without its weight. The view, of any measure, chooses the targets: the closest of our cards.
    """
    targets = np.argsort(-view.ours, axis=0, kind="stable")[:most]
    closeness = np.take_along_axis(dictionary.ours, targets, axis=0)
    return np.asarray(np.cumsum(closeness, axis=0) - dictionary.closest_bad)


@dataclass(frozen=True)
class SelectedClue:
    """The id of a word, a number of cards, its score, and the relatedness of the cards to it."""

    id: int
    number: int
    score: float
    view: BoardView


@dataclass(frozen=True)
class Selection:
    """What every way to select clues needs.

    `check` says what is against a word on this board, and `count` is the number of clues to select;
    there may be fewer. For DETECT, `dictionary` has the cosines of dictionary vectors, and
    `definitions` is their weight, λ_D.
    """

    words: ClueWords
    check: Check
    count: int
    dictionary: BoardView | None = None
    definitions: float = 0.0

    def by_worth(self, turn: Turn, judge: Judge | None = None) -> list[SelectedClue]:
        """Select the clues that are worth most, best first.

        With a judge, the best words are judged again by its relatedness, which decides.
        """
        bonus = self._bonus(turn.view, 1)[0]
        candidates = turn.best_first(bonus)
        proposals: Iterable[SelectedClue] = (
            self._selected(clue.candidate, clue.number, clue.worth, turn.view)
            for clue in candidates
        )
        if judge is not None:
            best = islice(candidates, max(SHORTLIST, self.count))
            shortlist = np.array([clue.candidate for clue in best], dtype=np.int64)
            judged = self._judged(turn, shortlist, judge, bonus) if len(shortlist) else []
            proposals = chain(judged, proposals)
        names = self.words.vocabulary.words
        return list(islice((p for p in proposals if self.check(names[p.id]) is None), self.count))

    def _judged(
        self, turn: Turn, candidates: Ids, judge: Judge, bonus: NDArray[np.float64] | float
    ) -> list[SelectedClue]:
        ids = self.words.ids[candidates]
        view = judge(ids)
        worths = replace(turn, view=view).worths(np.arange(len(ids)))
        totals = worths.max(axis=0) + (bonus if isinstance(bonus, float) else bonus[candidates])
        totals -= turn.detours(view)
        best = worths.argmax(axis=0).tolist()
        return [
            SelectedClue(
                int(ids[at]), turn.numbers[best[at]], float(worths[best[at], at]), view.select([at])
            )
            for at in np.argsort(-totals, kind="stable").tolist()
        ]

    def by_score(
        self, view: BoardView, scorer: Scorer, options: Options, number: int | None
    ) -> tuple[list[SelectedClue], Note | None]:
        """Select the clues with the best scores, and say what had to be given up.

        Try what was asked for, then fewer cards, and in the end any word. Without a number, it is
        the one whose best clue has the largest expected card difference, or the largest one that
        any word passes for, if the scoring function says so (`Scorer.most_cards`).
        """
        most = min(number or scorer.most_cards or MOST, len(view.ours))
        scores = scorer(view, most, options)
        bonus = self._bonus(view, most)
        if number is None and not scorer.most_cards:
            by_number = [self._passing(view, scores, bonus, n) for n in range(1, most + 1)]
            by_number = [clues for clues in by_number if clues]
            if by_number:
                differences = [_difference(clues[0], options) for clues in by_number]
                return by_number[int(np.argmax(differences))], None
        else:
            for n in range(most, 0, -1):
                clues = self._passing(view, scores, bonus, n)
                if clues:
                    return clues, Note("fewer", number=number) if number and n < number else None
        return self._safest(view), Note("unrestricted")

    def blind(self, view: BoardView) -> list[SelectedClue]:
        """Select words when none of our cards is known: those least related to the other cards.

        If no card is known at all, the most frequent words.
        """
        safety: Scores = -np.arange(len(self.words.ids), dtype=np.float64)
        if len(view.rows):
            safety = -view.closest_bad
        legal = self._first_legal(safety, np.ones(len(safety), dtype=bool))
        return [self._selected(at, 1, safety[at], view) for at in legal]

    def _selected(self, at: int, number: int, score: float, view: BoardView) -> SelectedClue:
        """The candidate in a column of the view."""
        return SelectedClue(int(self.words.ids[at]), number, float(score), view.select([at]))

    def _bonus(self, view: BoardView, most: int) -> list[NDArray[np.float64] | float]:
        """What DETECT adds to the score of each candidate, for each number of cards from 1."""
        frequency = self.words.frequency
        if self.dictionary is None or not self.definitions or not len(view.ours):
            return [frequency] * most
        terms = self.definitions * dictionary_terms(view, self.dictionary, most)
        return [frequency + term.astype(np.float64) for term in terms]

    def _passing(
        self,
        view: BoardView,
        scores: Scores,
        bonus: Sequence[NDArray[np.float64] | float],
        n: int,
    ) -> list[SelectedClue]:
        """The best legal words for n cards that pass the scoring function."""
        row = scores[n - 1]
        legal = self._first_legal(row + bonus[n - 1], row > 0)
        return [self._selected(at, n, row[at], view) for at in legal]

    def _safest(self, view: BoardView) -> list[SelectedClue]:
        """The legal words whose target the closest bad card outdoes by the least."""
        margins = view.closest_ours(1)[0] - view.closest_bad
        legal = self._first_legal(margins, np.ones(len(margins), dtype=bool))
        return [self._selected(at, 1, margins[at], view) for at in legal]

    def _first_legal(self, scores: Scores, passing: NDArray[np.bool_]) -> list[int]:
        """The columns of the first legal words, best score first and ties as in the vocabulary."""
        columns = np.flatnonzero(passing)
        best_first = columns[np.argsort(-scores[columns], kind="stable")].tolist()
        names = self.words.vocabulary.words
        legal = (at for at in best_first if self.check(names[self.words.ids[at]]) is None)
        return list(islice(legal, self.count))


def _difference(clue: SelectedClue, options: Options) -> float:
    """The expected card difference of a clue."""
    return float(expected(clue.view, clue.number, options)[clue.number - 1, 0])
