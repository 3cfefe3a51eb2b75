"""A board through the eyes of an agent: the relatedness of every word to the cards on it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from wordkin.arrays import Floats
from wordkin.game.board import ASSASSIN, NEUTRAL, OURS, THEIRS, Board
from wordkin.measures import Measure


@dataclass(frozen=True)
class BoardView:
    """The relatedness of the cards of a board to the candidates for a clue.

    Attributes
    ----------
    rows : array of float
        One row per card, one column per candidate.
    colours : tuple of str
        The colour of each card, as in `wordkin.game.board`.
    """

    rows: Floats
    colours: tuple[str, ...]

    def rows_of(self, *colours: str) -> Floats:
        """Return the rows of the cards of these colours."""
        return self.rows[[colour in colours for colour in self.colours]]

    @cached_property
    def ours(self) -> Floats:
        """The rows of our cards."""
        return self.rows_of(OURS)

    @cached_property
    def closest_bad(self) -> Floats:
        """For each candidate, the relatedness of the closest card that is not ours."""
        return self.closest_of(THEIRS, NEUTRAL, ASSASSIN)

    def closest_of(self, *colours: str) -> Floats:
        """For each candidate, the relatedness of the closest card of these colours.

        It is 0 when there are no such cards.
        """
        rows = self.rows_of(*colours)
        return rows.max(axis=0) if len(rows) else np.zeros(self.rows.shape[1], dtype=np.float32)

    def closest_ours(self, most: int) -> Floats:
        """For each candidate, the relatedness of the `most` closest of our cards.

        Returns
        -------
        array of shape (most, candidates)
            The closest card is in the first row.
        """
        # An insertion network over whole rows: sorting each column is ten times slower.
        best = np.full((most, self.rows.shape[1]), -np.inf, dtype=np.float32)
        for row in self.ours:
            rest = row
            for slot in best:
                rest, slot[:] = np.minimum(slot, rest), np.maximum(slot, rest)
        return best

    def select(self, candidates: slice | Sequence[int] | NDArray[np.int64]) -> BoardView:
        """Return the view of some of the candidates."""
        return BoardView(self.rows[:, candidates], self.colours)


def card_rows(measure: Measure, cards: Sequence[str], language: str) -> Floats:
    """Return the relatedness of each card to every word of the vocabulary.

    A card of several words gets the mean of its known words. Each card must have at least one.
    """
    ids_by_card = [measure.vocabulary.card_ids(card, language) for card in cards]
    rows = measure.rows([i for ids in ids_by_card for i in ids])
    if len(rows) == len(cards):
        return rows
    ends = np.cumsum([len(ids) for ids in ids_by_card])
    return np.stack([block.mean(axis=0) for block in np.split(rows, ends[:-1])])


def view_board(measure: Measure, board: Board, language: str) -> tuple[Board, BoardView]:
    """Return the cards that the vocabulary knows, and their relatedness to every word."""
    unknown = [card for card in board.words if not measure.vocabulary.card_ids(card, language)]
    known = board.without(unknown)
    if not known.words:
        return known, BoardView(np.zeros((0, len(measure.vocabulary)), dtype=np.float32), ())
    return known, BoardView(card_rows(measure, known.words, language), known.colours)
