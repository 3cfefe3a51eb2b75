"""What an agent sees: the relatedness of the whole vocabulary to the cards on the table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from wordkin.game.board import Board
from wordkin.game.scoring import View
from wordkin.measures import Floats, Measure


def card_rows(measure: Measure, cards: Sequence[str], language: str) -> Floats:
    """Each card, of which at least a part must be known, against all words.

    A card of several words is as related as its known parts are on average.
    """
    parts = [measure.vocabulary.card_ids(card, language) for card in cards]
    rows = measure.rows([i for ids in parts for i in ids])
    if len(rows) == len(cards):
        return rows
    ends = np.cumsum([len(ids) for ids in parts])
    return np.stack([piece.mean(axis=0) for piece in np.split(rows, ends[:-1])])


def look(measure: Measure, board: Board, language: str) -> tuple[Board, View]:
    """The cards that the vocabulary knows, and their relatedness to all words."""
    unknown = [card for card in board.words if not measure.vocabulary.card_ids(card, language)]
    known = board.without(unknown)
    if not known.words:
        return known, View(np.zeros((0, len(measure.vocabulary)), dtype=np.float32), ())
    return known, View(card_rows(measure, known.words, language), known.colours)
