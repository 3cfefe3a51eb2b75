"""The plan of a tournament: who plays, on which boards, by which rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from wordkin.errors import InputError
from wordkin.game import rules as settings
from wordkin.game.board import Board
from wordkin.game.guesser import MODELS
from wordkin.game.scoring import SCORINGS

SOLITAIRE, TEAMS = "solitaire", "teams"
RULES = {SOLITAIRE: settings.SOLITAIRE, TEAMS: settings.Rules()}
"""The rules of a tournament by name."""


class Player(NamedTuple):
    """A player: a measure, and a spymaster's scoring function or a guesser's model.

    `str(player)` is the name that people write, such as `svd/expected`.
    """

    measure: str
    style: str

    def __str__(self) -> str:
        return f"{self.measure}/{self.style}"


def parse_spymaster(text: str) -> Player:
    """Parse a spymaster: a measure, and after a slash a scoring function unless the default."""
    return _parse_player(text, list(SCORINGS), "harmonic")


def parse_guesser(text: str) -> Player:
    """Parse a guesser: a measure, and after a slash a model unless it is the default."""
    return _parse_player(text, list(MODELS), "closest")


def _parse_player(text: str, styles: Sequence[str], default: str) -> Player:
    measure, slash, style = text.partition("/")
    if not measure or (slash and style not in styles):
        raise InputError(
            f"'{text}' is not a player: write a measure and, after a slash, one of "
            f"{', '.join(styles)}."
        )
    return Player(measure, style if slash else default)


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
