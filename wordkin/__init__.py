"""Wordkin: word-relatedness matrices for agents that play with words.

The names in `__all__` are the public interface. Each is imported on first use, so a program loads
only what it needs: numpy for a clue, SciPy for `evaluate`.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from wordkin.bundle import Bundle, load
    from wordkin.errors import (
        InputError,
        NoBoardWords,
        NoClue,
        NoExplanation,
        UnknownMeasure,
        UnknownWord,
    )
    from wordkin.evaluation import evaluate
    from wordkin.game.board import Board
    from wordkin.game.clue import Clue
    from wordkin.game.game import Game
    from wordkin.game.guesser import Guesser
    from wordkin.game.legality import is_legal
    from wordkin.game.play import play
    from wordkin.game.rules import Rules
    from wordkin.game.spymaster import Spymaster
    from wordkin.language.resolution import Resolution
    from wordkin.measures.measure import Measure
    from wordkin.vocabulary import Vocabulary

_HOMES = {
    "Board": "wordkin.game.board",
    "Bundle": "wordkin.bundle",
    "Clue": "wordkin.game.clue",
    "Game": "wordkin.game.game",
    "Guesser": "wordkin.game.guesser",
    "InputError": "wordkin.errors",
    "Measure": "wordkin.measures.measure",
    "NoBoardWords": "wordkin.errors",
    "NoClue": "wordkin.errors",
    "NoExplanation": "wordkin.errors",
    "Resolution": "wordkin.language.resolution",
    "Rules": "wordkin.game.rules",
    "Spymaster": "wordkin.game.spymaster",
    "UnknownMeasure": "wordkin.errors",
    "UnknownWord": "wordkin.errors",
    "Vocabulary": "wordkin.vocabulary",
    "evaluate": "wordkin.evaluation",
    "is_legal": "wordkin.game.legality",
    "load": "wordkin.bundle",
    "play": "wordkin.game.play",
}

__all__ = [
    "Board",
    "Bundle",
    "Clue",
    "Game",
    "Guesser",
    "InputError",
    "Measure",
    "NoBoardWords",
    "NoClue",
    "NoExplanation",
    "Resolution",
    "Rules",
    "Spymaster",
    "UnknownMeasure",
    "UnknownWord",
    "Vocabulary",
    "evaluate",
    "is_legal",
    "load",
    "play",
]


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'wordkin' has no attribute '{name}'")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    return __all__
