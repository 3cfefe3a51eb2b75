"""A terminal: texts in the person's language, questions, and a board that fits its width."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection

from wordkin.game.board import ASSASSIN, NEUTRAL, OURS, THEIRS, Board
from wordkin.game.seats import Left
from wordkin.tables import display_width, padded
from wordkin.texts import texts
from wordkin.words import normal

WIDTH = 80
"""The number of columns of a terminal that does not say."""

_RESET = "\x1b[0m"
_PAINT = {
    OURS: "\x1b[1;97;44m",
    THEIRS: "\x1b[1;97;41m",
    NEUTRAL: "\x1b[30;47m",
    ASSASSIN: "\x1b[1;97;40m",
}
_SQUARE = 5
"""The number of columns of an ordinary board, if there is room."""


class Terminal:
    """Shows texts and asks for lines, in the person's language.

    Parameters
    ----------
    read : callable
        Takes a prompt and returns a line, as `input` does.
    write : callable
        Shows a line.
    language : str
        The language of the interface.
    colour : bool
        Whether the terminal can show colours; without them, letters stand for the colours.
    width : int
        The number of its columns.
    """

    def __init__(
        self,
        read: Callable[[str], str],
        write: Callable[[str], None],
        language: str,
        colour: bool = False,
        width: int = WIDTH,
    ) -> None:
        self.read, self.write, self.language = read, write, language
        self.colour, self.width = colour, width
        self.texts = texts(language)

    def say(self, key: str, **values: object) -> None:
        """Show one of the texts of the interface; it may begin with the name of a team."""
        line = self.texts[key].format(**values)
        self.write(line[:1].upper() + line[1:])

    def ask(self, key: str, **values: object) -> str:
        """Ask for a line; words for quitting, Ctrl-C and the end of input leave the game."""
        try:
            answer = self.read(self.texts[key].format(**values)).strip()
        except (EOFError, KeyboardInterrupt):
            raise Left from None
        if normal(answer, self.language) in self.texts["words_quit"].split():
            raise Left
        return answer

    def is_pass(self, answer: str) -> bool:
        """Whether the answer ends the turn."""
        return normal(answer, self.language) in ("", *self.texts["words_pass"].split())

    def draw(self, board: Board, revealed: Collection[str], key: bool) -> None:
        """Show a board in as many columns as fit.

        Parameters
        ----------
        board : Board
            All cards.
        revealed : collection of str
            The cards that were turned over; their colours are visible.
        key : bool
            Whether all colours are visible, as for a spymaster.
        """
        digits = len(str(len(board.words)))
        cells = [
            self._cell(position, card, card[0] in revealed, key, digits)
            for position, card in enumerate(zip(board.words, board.colours, strict=True), 1)
        ]
        # A painted word does not touch the edge of its card.
        width = max(display_width(text) for text, _ in cells) + self.colour
        most = max(_SQUARE, math.ceil(math.sqrt(len(cells))))
        columns = max(1, min(most, (self.width + 1) // (width + 1)))
        painted = [self._paint(padded(text, width), colour) for text, colour in cells]
        for start in range(0, len(cells), columns):
            self.write(" ".join(painted[start : start + columns]).rstrip())

    def _cell(
        self, position: int, card: tuple[str, str], revealed: bool, key: bool, digits: int
    ) -> tuple[str, str | None]:
        """The text of a card and its colour if it is visible."""
        word, colour = card
        visible = colour if key or revealed else None
        # A card that was turned over has no number, because it cannot be chosen any more.
        number, label = ("", f"({word})") if revealed else (str(position), word)
        sign = self.texts[f"sign_{visible}"] if visible else " "
        return f"{number:>{digits}} " + ("" if self.colour else f"{sign} ") + label, visible

    def _paint(self, text: str, colour: str | None) -> str:
        return f"{_PAINT[colour]}{text}{_RESET}" if self.colour and colour else text
