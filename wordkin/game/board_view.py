"""A board through the eyes of an agent: the relatedness of every word to the cards on it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from wordkin.arrays import Floats
from wordkin.bundle import Bundle
from wordkin.game.board import ASSASSIN, NEUTRAL, OURS, THEIRS, Board
from wordkin.game.chances import pick_weights
from wordkin.language.resolution import Resolution
from wordkin.language.resolved import resolved_columns
from wordkin.measures.measure import Among


@dataclass(frozen=True)
class BoardView:
    """The relatedness of the cards of a board to the candidates for a clue.

    Attributes
    ----------
    rows : array of float
        One row per card, one column per candidate.
    colours : tuple of str
        The colour of each card, as in `wordkin.game.board`.
    temperature : float
        How sure people are when they choose by this relatedness, see
        `wordkin.measures.temperature`.
    """

    rows: Floats
    colours: tuple[str, ...]
    temperature: float = 1.0

    def rows_of(self, *colours: str) -> Floats:
        """Return the rows of the cards of these colours, to be read only."""
        positions = self._positions(colours)
        if positions and positions[-1] - positions[0] == len(positions) - 1:
            return self.rows[positions[0] : positions[-1] + 1]  # needs no copy
        return self.rows[positions]

    def _positions(self, colours: Collection[str]) -> list[int]:
        return [at for at, colour in enumerate(self.colours) if colour in colours]

    @cached_property
    def ours(self) -> Floats:
        """The rows of our cards."""
        return self.rows_of(OURS)

    @cached_property
    def closest_bad(self) -> Floats:
        """For each candidate, the relatedness of the closest card that is not ours."""
        return self.closest_of(THEIRS, NEUTRAL, ASSASSIN)

    def closest_of(self, *colours: str) -> Floats:
        """For each candidate, the relatedness of the closest card of these colours; 0 if none."""
        positions = self._positions(colours)
        if not positions:
            return np.zeros(self.rows.shape[1], dtype=np.float32)
        closest = self.rows[positions[0]].copy()
        for at in positions[1:]:
            np.maximum(closest, self.rows[at], out=closest)
        return closest

    def closest_ours(self, most: int) -> Floats:
        """For each candidate, the relatedness of the `most` closest of our cards, closest first."""
        # An insertion network over whole rows: sorting each column is ten times slower.
        best = np.full((most, self.rows.shape[1]), -np.inf, dtype=np.float32)
        for row in self.ours:
            rest = row
            for slot in best:
                rest, slot[:] = np.minimum(slot, rest), np.maximum(slot, rest)
        return best

    def weights(self, sharpness: float) -> BoardView:
        """Return the view with the weights of picks instead of relatedness.

        The guesser is `sharpness` times as sure as people are; see `wordkin.game.chances`.
        """
        return BoardView(pick_weights(self.rows, self.temperature / sharpness), self.colours)

    def select(self, candidates: slice | Sequence[int] | NDArray[np.int64]) -> BoardView:
        """Return the view of some of the candidates."""
        return BoardView(self.rows[:, candidates], self.colours, self.temperature)


def resolve_cards(bundle: Bundle, cards: Sequence[str]) -> list[Resolution]:
    """Return what the cards stand for, without those that stand for no known word."""
    return [item for item in map(bundle.try_resolve, cards) if item is not None]


class ViewedBoard(NamedTuple):
    """The cards of a board that stand for known words, and their relatedness to every word."""

    board: Board
    view: BoardView
    resolutions: tuple[Resolution, ...]


def view_board(
    bundle: Bundle, among: Among, board: Board, temperature: float | None = None
) -> ViewedBoard:
    """Return the view of the cards that can be resolved to known words.

    The candidates are the words of `among`. The temperature is the bundle's for its measure if not
    given.
    """
    resolutions = resolve_cards(bundle, board.words)
    resolved = {resolution.word for resolution in resolutions}
    known = board.without([card for card in board.words if card not in resolved])
    rows = resolved_columns(among, resolutions)
    if temperature is None:
        temperature = bundle.temperature(among.measure)
    view = BoardView(rows, known.colours, temperature)
    return ViewedBoard(known, view, tuple(resolutions))
