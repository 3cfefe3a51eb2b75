"""Spymasters judged without asking new people.

A spymaster gives a clue for n cards on a recorded board. Where people have played that very clue on
that board, their picks judge it; else a guesser model that was fitted to people does, and the
figure is marked as estimated. With A the board's good cards, I the cards that the clue is meant
for and U the player's first n picks (the method paper's section 5):

    P@all      |A ∩ U| / n
    P@targets  |I ∩ U| / n

An estimate is the expected value of the same over the picks of a softmax guesser.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordkin.game.board import Board
from wordkin.game.guesser import Guesser
from wordkin.game.spymaster import Clue, Spymaster
from wordkin.judging.rounds import Item, Round
from wordkin.words import normal

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Judged:
    """A clue on a board, and how well people take it, or would.

    Attributes
    ----------
    board : str
        The board's name.
    clue : Clue
        What the spymaster says.
    rounds : int
        How many people played it; 0 when the figures are estimated.
    all, targets : float
        P@all and P@targets.
    taken : tuple of str
        The cards that people took most, as many as the clue is for.
    """

    board: str
    clue: Clue
    rounds: int
    all: float
    targets: float
    taken: tuple[str, ...]

    @property
    def estimated(self) -> bool:
        return self.rounds == 0


class Panel:
    """The people and the guesser model that judge clues.

    Parameters
    ----------
    items : sequence of Item
        Recorded rounds.
    model : Guesser
        Whose relatedness judges where no people did.
    temperature : float
        Of its softmax, as it was fitted to people.
    """

    def __init__(self, items: Sequence[Item], model: Guesser, temperature: float) -> None:
        self.model, self.temperature = model, temperature
        self.language = model.bundle.language
        self._rounds: Mapping[tuple[str, str, int], tuple[Round, ...]] = {
            (item.board, normal(item.clue, self.language), item.number): item.rounds
            for item in items
        }

    def judge(self, name: str, board: Board, clue: Clue) -> Judged:
        """Judge a clue for the good cards of a board."""
        meant = {card.word for card in clue.targets}
        played = self._rounds.get((name, normal(clue.word, self.language), clue.number), ())
        if played:
            chances = _shares(board.words, [one.picks[: clue.number] for one in played])
        else:
            chances = inclusion_chances(self._weights(clue.word, board.words), clue.number)
        of = dict(zip(board.words, chances.tolist(), strict=True))
        good = sum(of[word] for word in board.ours) / clue.number
        right = sum(of[word] for word in meant) / clue.number
        order = np.argsort(-chances, kind="stable")[: clue.number].tolist()
        taken = tuple(board.words[at] for at in order)
        return Judged(name, clue, len(played), good, right, taken)

    def _weights(self, clue: str, cards: Sequence[str]) -> Array:
        """How much the model is drawn to each card; to an unknown one as to the least."""
        values = self.model.relatedness(clue, cards)
        values = np.maximum(values, values[np.isfinite(values)].min(initial=np.inf))
        return np.exp((values - values.max()) / self.temperature)


def recorded_boards(items: Iterable[Item]) -> dict[str, Board]:
    """The boards of recorded rounds by name: blue cards are ours, all others theirs."""
    return {
        item.board: Board.of(item.blue, [word for word in item.words if word not in item.blue])
        for item in items
    }


def judge_spymaster(
    spymaster: Spymaster, boards: Mapping[str, Board], number: int, panel: Panel
) -> list[Judged]:
    """The clues of a spymaster for `number` cards on each board, judged."""
    return [
        panel.judge(name, board, spymaster.clue(board, number)) for name, board in boards.items()
    ]


def inclusion_chances(weights: Array, number: int) -> Array:
    """The chance of each card to be among the first `number` picks of a guesser who takes the
    cards still there with chances in proportion to their weights."""
    size = len(weights)
    out = np.zeros(size)
    ways, taken = np.ones(1), np.zeros((1, size), dtype=bool)
    for _ in range(min(number, size)):
        left = np.where(taken, 0.0, weights)
        total = left.sum(axis=1, keepdims=True)
        # When only cards without weight are left, they are all alike.
        shares = np.where(total > 0, left / np.where(total > 0, total, 1.0), 0.0)
        even = ~taken / np.maximum((~taken).sum(axis=1, keepdims=True), 1)
        chances = ways[:, None] * np.where(total > 0, shares, even)
        out += chances.sum(axis=0)
        way, card = np.nonzero(chances)
        ways, taken = chances[way, card], taken[way]
        taken[np.arange(len(card)), card] = True
    return out


def _shares(words: Sequence[str], picks: Sequence[Sequence[str]]) -> Array:
    """How often each word was picked, a player."""
    return np.array([sum(word in taken for taken in picks) for word in words]) / len(picks)
