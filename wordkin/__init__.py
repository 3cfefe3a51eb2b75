"""Wordkin: word-relatedness matrices for agents that play with words."""

from typing import TYPE_CHECKING, Any

from wordkin.board import Board
from wordkin.bundle import Bundle, load
from wordkin.errors import InputError
from wordkin.guesser import Guesser
from wordkin.measures import Measure
from wordkin.spymaster import Clue, Spymaster
from wordkin.vocabulary import Vocabulary

if TYPE_CHECKING:
    from wordkin.evaluation import evaluate

__all__ = [
    "Board",
    "Bundle",
    "Clue",
    "Guesser",
    "InputError",
    "Measure",
    "Spymaster",
    "Vocabulary",
    "evaluate",
    "load",
]


def __getattr__(name: str) -> Any:
    # Statistics are for those who evaluate: importing SciPy's takes longer than opening a bundle.
    if name == "evaluate":
        from wordkin.evaluation import evaluate

        return evaluate
    raise AttributeError(f"module 'wordkin' has no attribute '{name}'")
