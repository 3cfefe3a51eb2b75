"""Players for the Codenames AI competition's Python framework, and for its two-team successor.

The first framework makes `Codemaster(**kwargs)` and always plays red; the second makes
`Codemaster("Red" or "Blue", **kwargs)` and tells the moves so far. The same classes serve both.
They ask nothing of the framework's own base classes; start a game with, for instance,

    python run_game.py wordkin.players.competition.Codemaster wordkin.players.competition.Guesser
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from wordkin.bundle import Bundle, load
from wordkin.game import guesser, spymaster
from wordkin.game.board import ASSASSIN, NEUTRAL, OURS, THEIRS, Board
from wordkin.game.scoring import Options
from wordkin.words import normal

TEAMS = ("Red", "Blue")

Move = Sequence[Any]


class Player:
    """What both roles share: a team, a bundle, and the moves so far.

    Parameters
    ----------
    team : str
        `Red` or `Blue`.
    bundle : Bundle, path or str, optional
        What it knows of words: see `wordkin.load`.
    **others
        The frameworks hand every player their own word vectors; they are not needed here.
    """

    def __init__(self, team: str = "Red", *, bundle: Any = "en", **others: Any) -> None:
        self.team = team
        self.bundle = bundle if isinstance(bundle, Bundle) else load(bundle)
        self.move_history: list[Move] = []

    def set_move_history(self, move_history: list[Move]) -> None:
        """Told by the two-team framework before each move."""
        self.move_history = move_history

    def get_move_history(self) -> list[Move]:
        """The moves as they were last told."""
        return self.move_history


class Codemaster(Player):
    """Gives the clues of a team.

    Parameters
    ----------
    measure, scoring, rarity
        As for `wordkin.game.spymaster.Spymaster`.
    sharpness : float
        How sure its guesser is thought to be: σ of the expected card difference.
    """

    def __init__(
        self,
        team: str = "Red",
        *,
        bundle: Any = "en",
        measure: str | None = None,
        scoring: str = "harmonic",
        rarity: float = 0.0,
        sharpness: float = Options.sharpness,
        **others: Any,
    ) -> None:
        super().__init__(team, bundle=bundle, **others)
        options = Options(sharpness=sharpness)
        self.spymaster = spymaster.Spymaster(self.bundle, measure, scoring, options, rarity)
        self.said: list[str] = []
        self.board: Board | None = None

    def set_game_state(self, words_on_board: Sequence[str], key_grid: Sequence[str]) -> None:
        """The cards, `*Red*` and the like where one was turned over, and everyone's colours."""
        other = TEAMS[1 - TEAMS.index(self.team)]
        colours = {self.team: OURS, other: THEIRS, "Civilian": NEUTRAL, "Assassin": ASSASSIN}
        cards = [
            (normal(word, self.bundle.language), colours[key.strip("*")])
            for word, key in zip(words_on_board, key_grid, strict=True)
            if not is_revealed(word)
        ]
        self.board = Board(tuple(word for word, _ in cards), tuple(colour for _, colour in cards))

    def get_clue(self) -> tuple[str, int]:
        """A clue and its number; a clue that either team is known to have said is not repeated."""
        assert self.board is not None, "the framework calls set_game_state first"
        told = [move[1] for move in self.move_history if "Codemaster" in move[0]]
        clue = self.spymaster.clue(self.board, said=[*self.said, *told])
        self.said.append(clue.word)
        return clue.word, clue.number


class Guesser(Player):
    """Turns the cards of a team over.

    Parameters
    ----------
    measure, model, seed
        As for `wordkin.game.guesser.Guesser`.
    """

    def __init__(
        self,
        team: str = "Red",
        *,
        bundle: Any = "en",
        measure: str | None = None,
        model: str = "closest",
        seed: int = 0,
        **others: Any,
    ) -> None:
        super().__init__(team, bundle=bundle, **others)
        self.guesser = guesser.Guesser(self.bundle, measure, model, seed=seed)
        self.clue, self.left = "", 0
        self.words: list[str] = []

    def set_board(self, words: Sequence[str]) -> None:
        """The cards, `*Red*` and the like where one was turned over."""
        self.words = list(words)

    def set_clue(self, clue: str, num: int) -> None:
        """The clue and its number."""
        self.clue, self.left = clue, max(1, int(num))

    def keep_guessing(self) -> bool:
        """Whether to turn over another card: as many as the number says."""
        return self.left > 0

    def get_answer(self) -> str:
        """The next card. A clue that is no word of ours tells nothing: the first card is taken,
        as both frameworks wait for one."""
        cards = [word for word in self.words if not is_revealed(word)]
        self.left -= 1
        if not self.guesser.knows(self.clue):
            return cards[0]
        return self.guesser.guess(self.clue, 1, cards)[0]


def is_revealed(word: str) -> bool:
    """Whether a place on the board shows a colour instead of a word."""
    return word.startswith("*")
