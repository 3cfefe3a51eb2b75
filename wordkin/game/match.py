"""The rules of a match of two teams."""

from __future__ import annotations

from wordkin.errors import InputError
from wordkin.game.board import ASSASSIN, OURS, Board
from wordkin.game.rules import ASSASSIN_FOUND, GIVEN_UP, THEIRS_FOUND, WON, Referee, Turn


class Match(Referee):
    """A match of two teams that take turns on one board; team 0 begins.

    Parameters
    ----------
    board : Board
        All cards as team 0 sees them; each team must have at least one.
    language : str
        The language code of the words.

    Attributes
    ----------
    boards : tuple of Board
        The board as each team sees it.
    turns : tuple of list of Turn
        The turns of each team so far.
    moving : int
        The team whose turn it is.
    winner : int or None
        The team that won; None while the match goes on.
    """

    def __init__(self, board: Board, language: str = "en") -> None:
        if not board.ours or not board.theirs:
            raise InputError("A match needs cards of both teams to find.")
        super().__init__(language)
        self.boards = (board, board.for_opponent())
        self.turns: tuple[list[Turn], list[Turn]] = ([], [])
        self.moving = 0
        self.winner: int | None = None

    @property
    def table(self) -> Board:
        """The cards that still lie face down, as the moving team sees them."""
        return self.boards[self.moving].without(self.revealed)

    @property
    def said(self) -> list[str]:
        """The clues of both teams so far: none may be repeated."""
        return [turn.clue for turns in self.turns for turn in turns]

    def give(self, clue: str, number: int) -> None:
        """Begin the moving team's turn with a clue.

        Parameters
        ----------
        clue : str
            The clue.
        number : int
            The number of cards that it stands for, at least 1.

        Raises
        ------
        InputError
            If the clue may not be given now.
        """
        turn = Turn(clue, number)
        self._begin(turn)
        self.turns[self.moving].append(turn)

    def turn_over(self, word: str) -> str:
        """Turn a card over.

        The assassin loses the match. The last card of a team wins the match for that team, whoever
        turns it over. A card of another colour than the moving team's ends its turn.

        Parameters
        ----------
        word : str
            The word on the card.

        Returns
        -------
        str
            The card's colour as the moving team sees it.

        Raises
        ------
        InputError
            If the card may not be turned over now.
        """
        colour = self._reveal(word)
        if colour == ASSASSIN:
            self._finish(1 - self.moving, ASSASSIN_FOUND)
        elif not self.table.ours:
            self._finish(self.moving, WON)
        elif not self.table.theirs:
            self._finish(1 - self.moving, THEIRS_FOUND)
        elif colour != OURS or not self.guesses_left:
            self.stop()
        return colour

    def stop(self) -> None:
        """End the turn; at least one card must have been turned over."""
        self._check_stop()
        self._open_turn = None
        self.moving = 1 - self.moving

    def give_up(self) -> None:
        """End the match: the moving team has no clue to give and loses."""
        self._finish(1 - self.moving, GIVEN_UP)

    def _finish(self, winner: int, end: str) -> None:
        self.winner, self.end, self._open_turn = winner, end, None
