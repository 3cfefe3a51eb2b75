"""The result of a game in a tournament."""

from __future__ import annotations

from typing import NamedTuple


class Result(NamedTuple):
    """How one game went for a pair of a spymaster and a guesser.

    Attributes
    ----------
    board : int
        The number of the board.
    spymaster, guesser : str
        The pair.
    opponent : str or None
        The other team's pair; None in solitaire.
    began : bool
        Whether the pair had the first turn.
    won : bool
        Whether the pair won.
    end : str
        How the game ended.
    turns : int
        The number of turns; 25 for a lost game of solitaire.
    ours, theirs, neutral, assassin : int
        The number of cards of each colour that the pair turned over.
    clues : int
        The number of clues that the pair gave, also in a lost game.
    numbers : int
        The sum of the numbers of these clues.
    """

    board: int
    spymaster: str
    guesser: str
    opponent: str | None
    began: bool
    won: bool
    end: str
    turns: int
    ours: int
    theirs: int
    neutral: int
    assassin: int
    clues: int
    numbers: int

    @property
    def wrong(self) -> int:
        """The number of cards turned over that were not the pair's own."""
        return self.theirs + self.neutral + self.assassin
