"""Players for the Codenames AI competition's Python framework, and for its two-team successor.

The first framework calls `Codemaster(**kwargs)` and always plays red; the second one calls
`Codemaster("Red" or "Blue", **kwargs)` and reports the moves so far. The same classes serve both.
They do not need the base classes of the frameworks. Start a game with, for instance,

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
    bundle : Bundle, path or str
        What the player knows about words: see `wordkin.load`.
    **others
        The word vectors of the frameworks, which are not used.
    """

    def __init__(self, team: str = "Red", *, bundle: Any = "en", **others: Any) -> None:
        self.team = team
        self.bundle = bundle if isinstance(bundle, Bundle) else load(bundle)
        self.move_history: list[Move] = []

    def set_move_history(self, move_history: list[Move]) -> None:
        """Take the moves so far; the two-team framework calls this before each move."""
        self.move_history = move_history

    def get_move_history(self) -> list[Move]:
        """Return the moves that the framework reported last."""
        return self.move_history


class Codemaster(Player):
    """Gives the clues of a team.

    Parameters
    ----------
    team, bundle, **others
        As for `Player`.
    measure, scoring, rarity
        As for `wordkin.game.spymaster.Spymaster`.
    sharpness : float
        How sure the guesser is expected to be: σ of the expected card difference.
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
        """Take the board before a clue.

        Parameters
        ----------
        words_on_board : sequence of str
            The word of each card; a colour such as `*Red*` where the card was turned over.
        key_grid : sequence of str
            The colour of each card.
        """
        opponent = TEAMS[1 - TEAMS.index(self.team)]
        colours = {self.team: OURS, opponent: THEIRS, "Civilian": NEUTRAL, "Assassin": ASSASSIN}
        cards = [
            (normal(word, self.bundle.language), colours[key.strip("*")])
            for word, key in zip(words_on_board, key_grid, strict=True)
            if not is_revealed(word)
        ]
        self.board = Board(tuple(word for word, _ in cards), tuple(colour for _, colour in cards))

    def get_clue(self) -> tuple[str, int]:
        """Return a clue and its number; known earlier clues of either team are not repeated."""
        assert self.board is not None, "the framework calls set_game_state first"
        reported = [move[1] for move in self.move_history if "Codemaster" in move[0]]
        clue = self.spymaster.clue(self.board, said=[*self.said, *reported])
        self.said.append(clue.word)
        return clue.word, clue.number


class Guesser(Player):
    """Turns over the cards of a team.

    Parameters
    ----------
    team, bundle, **others
        As for `Player`.
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
        """Take the word of each card; a colour such as `*Red*` where it was turned over."""
        self.words = list(words)

    def set_clue(self, clue: str, num: int) -> None:
        """Take the clue and its number."""
        self.clue, self.left = clue, max(1, int(num))

    def keep_guessing(self) -> bool:
        """Whether to turn over another card: the number of the clue is the limit."""
        return self.left > 0

    def get_answer(self) -> str:
        """Return the next card to turn over.

        A clue that stands for no known word says nothing about the cards. Both frameworks still
        expect an answer, so the first card is taken.
        """
        cards = [word for word in self.words if not is_revealed(word)]
        self.left -= 1
        if not self.guesser.understands(self.clue):
            return cards[0]
        return self.guesser.guess(self.clue, 1, cards)[0]


def is_revealed(word: str) -> bool:
    """Whether a place on the board shows a colour instead of a word."""
    return word.startswith("*")
