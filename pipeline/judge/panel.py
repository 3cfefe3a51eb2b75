"""Judging spymasters without asking new people.

A spymaster gives a clue for n cards on a recorded board. If people have played that clue on that
board, their picks judge it. Otherwise a guesser model that was fitted to people's picks does, and
the figure is marked as estimated. With A the board's good cards, I the cards that the clue stands
for and U the player's first n picks (the method paper's section 5):

    P@all      |A ∩ U| / n
    P@targets  |I ∩ U| / n

An estimate is the expected value of the same figure over the picks of a softmax guesser.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from wordkin.game.board import Board
from wordkin.game.chances import among_first
from wordkin.game.clue import Clue
from wordkin.game.guesser import Guesser
from wordkin.game.rounds import Item, Round
from wordkin.game.spymaster import Spymaster
from wordkin.words import normal

Array = NDArray[np.float64]


@dataclass(frozen=True)
class JudgedClue:
    """A clue on a board, and how well people understand it, by their picks or by an estimate.

    Attributes
    ----------
    board : str
        The board's name.
    clue : Clue
        The clue.
    rounds : int
        The number of people who played it; 0 if the figures are estimated.
    all, targets : float
        P@all and P@targets.
    taken : tuple of str
        The cards that are picked most often, as many as the clue stands for.
    """

    board: str
    clue: Clue
    rounds: int
    all: float
    targets: float
    taken: tuple[str, ...]

    @property
    def estimated(self) -> bool:
        """Whether a model judged the clue, because nobody played it."""
        return self.rounds == 0


class Panel:
    """The people and the guesser model that judge clues.

    Parameters
    ----------
    items : sequence of Item
        Recorded rounds.
    model : Guesser
        The guesser whose relatedness judges clues that nobody played.
    temperature : float
        The temperature of its softmax, fitted to people's picks.
    """

    def __init__(self, items: Sequence[Item], model: Guesser, temperature: float) -> None:
        self.model, self.temperature = model, temperature
        self.language = model.bundle.language
        self._rounds: Mapping[tuple[str, str, int], tuple[Round, ...]] = {
            (item.board, normal(item.clue, self.language), item.number): item.rounds
            for item in items
        }

    def judge(self, name: str, board: Board, clue: Clue) -> JudgedClue:
        """Judge a clue for the good cards of a board.

        Parameters
        ----------
        name : str
            The name of the board in the recorded rounds.
        board : Board
            The board; the good cards are ours.
        clue : Clue
            The clue.

        Returns
        -------
        JudgedClue
        """
        rounds = self._rounds.get((name, normal(clue.word, self.language), clue.number), ())
        if rounds:
            chances = _pick_shares(board.words, [round_.picks[: clue.number] for round_ in rounds])
        else:
            weights = self._weights(clue.word, board.words)
            chances = among_first(weights[None], [clue.number])[0]
        chance_of = dict(zip(board.words, chances.tolist(), strict=True))
        targets = {card.word for card in clue.targets}
        most_picked = np.argsort(-chances, kind="stable")[: clue.number].tolist()
        return JudgedClue(
            board=name,
            clue=clue,
            rounds=len(rounds),
            all=sum(chance_of[word] for word in board.ours) / clue.number,
            targets=sum(chance_of[word] for word in targets) / clue.number,
            taken=tuple(board.words[i] for i in most_picked),
        )

    def _weights(self, clue: str, cards: Sequence[str]) -> Array:
        """The model's weight of each card; an unknown card has the smallest one."""
        values = self.model.relatedness(clue, cards)
        values = np.maximum(values, values[np.isfinite(values)].min(initial=np.inf))
        return np.exp((values - values.max()) / self.temperature)


def recorded_boards(items: Iterable[Item]) -> dict[str, Board]:
    """Return the boards of recorded rounds by name: blue cards are ours, all others theirs."""
    return {
        item.board: Board.of(item.blue, [word for word in item.words if word not in item.blue])
        for item in items
    }


def judge_spymaster(
    spymaster: Spymaster, boards: Mapping[str, Board], number: int, panel: Panel
) -> list[JudgedClue]:
    """Judge the clues of a spymaster for `number` cards, one per board."""
    return [
        panel.judge(name, board, spymaster.clue(board, number)) for name, board in boards.items()
    ]


def _pick_shares(words: Sequence[str], picks: Sequence[Sequence[str]]) -> Array:
    """The share of the players who picked each word."""
    return np.array([sum(word in picked for picked in picks) for word in words]) / len(picks)
