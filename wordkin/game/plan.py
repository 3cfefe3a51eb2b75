"""The plan of a tournament: who plays, on which boards, by which rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from wordkin.errors import InputError
from wordkin.game import rules as settings
from wordkin.game.agents import Player
from wordkin.game.board import Board

SOLITAIRE, TEAMS = "solitaire", "teams"
RULES = {SOLITAIRE: settings.SOLITAIRE, TEAMS: settings.Rules()}
"""The rules of a tournament by name."""


@dataclass(frozen=True)
class Plan:
    """A tournament before it is played.

    Attributes
    ----------
    spymasters, guessers : tuple of Player
        The players: each spymaster plays with each guesser.
    boards : tuple of Board
        The boards to play on.
    rules : str
        `solitaire` or `teams`.
    seed : int
        For guessers that pick at random.
    """

    spymasters: tuple[Player, ...]
    guessers: tuple[Player, ...]
    boards: tuple[Board, ...]
    rules: str = SOLITAIRE
    seed: int = 0

    def __post_init__(self) -> None:
        if self.rules not in RULES:
            raise InputError(f"There are no rules '{self.rules}': use {' or '.join(RULES)}.")
        for role, players in (("spymaster", self.spymasters), ("guesser", self.guessers)):
            if not players:
                raise InputError(f"A tournament needs at least one {role}.")
            repeated = next((p for at, p in enumerate(players) if p in players[:at]), None)
            if repeated:
                raise InputError(f"The {role} '{repeated}' is named twice: name it once.")
        if self.rules == TEAMS and len(self.spymasters) * len(self.guessers) < 2:
            raise InputError("A tournament of teams needs at least two: name more players.")


def deal_boards(words: Sequence[str], count: int, seed: int, rules: str) -> tuple[Board, ...]:
    """Deal boards from a list of words, each with its own seed.

    Parameters
    ----------
    words : sequence of str
        The words to draw from.
    count : int
        The number of boards.
    seed : int
        The same seed deals the same boards.
    rules : str
        `solitaire` or `teams`, which differ in the number of cards of each colour.

    Returns
    -------
    tuple of Board

    Raises
    ------
    NoBoardWords
        If the list has fewer words than a board has cards.
    """
    if count < 1:
        raise InputError(f"A tournament on {count} boards is not possible: ask for 1 or more.")
    seeds = np.random.SeedSequence(seed).generate_state(count).tolist()
    return tuple(RULES[rules].deal_board(words, board_seed) for board_seed in seeds)
