"""A game in the terminal: a person and the machine are one team, and either is the spymaster."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

from wordkin.game.board import ASSASSIN, NEUTRAL, OURS, THEIRS, Board
from wordkin.game.clue import Clue
from wordkin.game.game import CARD, Game
from wordkin.game.guesser import Guesser
from wordkin.game.rules import SOLITAIRE
from wordkin.game.spymaster import Spymaster
from wordkin.texts import texts
from wordkin.words import normal

SPYMASTER, GUESSER, NOBODY = "spymaster", "guesser", "nobody"
ROLES = (SPYMASTER, GUESSER, NOBODY)
"""The role of the person; with `nobody` the machine has both roles."""

_COLUMNS = 5
_RESET = "\x1b[0m"
_PAINT = {
    OURS: "\x1b[1;97;44m",
    THEIRS: "\x1b[1;97;41m",
    NEUTRAL: "\x1b[30;47m",
    ASSASSIN: "\x1b[1;97;40m",
}
# A terminal without colours shows the colour of a card by a sign.
_SIGNS = {OURS: "+", THEIRS: "-", NEUTRAL: "o", ASSASSIN: "X"}


class Quit(Exception):
    """The person wants to stop, or the input has ended."""


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
        Whether the terminal can show colours.
    """

    def __init__(
        self,
        read: Callable[[str], str],
        write: Callable[[str], None],
        language: str,
        colour: bool,
    ) -> None:
        self.read, self.write, self.language, self.colour = read, write, language, colour
        self.texts = texts(language)

    def say(self, key: str, **values: object) -> None:
        """Show one of the texts of the interface."""
        self.write(self.texts[key].format(**values))

    def ask(self, key: str, **values: object) -> str:
        """Ask for a line; words for quitting, Ctrl-C and the end of input end the game."""
        try:
            answer = self.read(self.texts[key].format(**values)).strip()
        except (EOFError, KeyboardInterrupt):
            raise Quit from None
        if normal(answer, self.language) in self.texts["words_quit"].split():
            raise Quit
        return answer

    def is_pass(self, answer: str) -> bool:
        """Whether the answer ends the turn."""
        return normal(answer, self.language) in ("", *self.texts["words_pass"].split())

    def draw(self, board: Board, revealed: Sequence[str], key: bool) -> None:
        """Show the board.

        Parameters
        ----------
        board : Board
            All cards.
        revealed : sequence of str
            The cards that were turned over; their colours are visible.
        key : bool
            Whether all colours are visible, as for a spymaster.
        """
        width = max(_width(word) for word in board.words) + 8
        cells = []
        for position, (word, colour) in enumerate(zip(board.words, board.colours, strict=True), 1):
            visible = key or word in revealed
            # A card that was turned over has no number, because it cannot be chosen any more.
            number, label = ("  ", f"({word})") if word in revealed else (f"{position:>2}", word)
            sign = "" if self.colour else f" {_SIGNS[colour] if visible else ' '}"
            cell = f"{number}{sign} {label}"
            cell += " " * (width - _width(cell))
            cells.append(f"{_PAINT[colour]}{cell}{_RESET}" if visible and self.colour else cell)
        for start in range(0, len(cells), _COLUMNS):
            self.write(" ".join(cells[start : start + _COLUMNS]).rstrip())


def _width(text: str) -> int:
    """The number of columns that a text takes in a terminal."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def play(
    board: Board, spymaster: Spymaster, guesser: Guesser, role: str, terminal: Terminal
) -> Game:
    """Play a game to its end and show its statistics.

    Parameters
    ----------
    board : Board
        The cards.
    spymaster : Spymaster
        Gives the clues unless the person does; also knows which clues are legal.
    guesser : Guesser
        Turns the cards over unless the person does.
    role : str
        The person's role, one of `ROLES`.
    terminal : Terminal
        Where the person sees and types.

    Returns
    -------
    Game
        The finished game.
    """
    game = Game(board, SOLITAIRE, spymaster.bundle.language)
    terminal.say(f"welcome_{role}")
    try:
        while not game.end:
            terminal.write("")
            terminal.draw(board, game.revealed, key=role != GUESSER)
            terminal.say("turn", turn=len(game.turns) + 1, left=game.cards_left(0))
            if role == SPYMASTER:
                word, number = _ask_clue(game, spymaster, guesser, terminal)
                game.give(word, number)
            else:
                clue = spymaster.give(game.spymaster_view(0))
                game.give(clue.word, clue.number, tuple(card.word for card in clue.targets))
                terminal.say("machine_clue", word=clue.word, number=clue.number)
            if role == GUESSER:
                _ask_cards(game, terminal)
                _show_targets(clue, terminal)
            else:
                _guess_cards(game, guesser, terminal)
    except Quit:
        game.give_up()
    terminal.write("")
    terminal.draw(board, game.revealed, key=True)
    _show_statistics(game, terminal)
    return game


def _ask_clue(
    game: Game, spymaster: Spymaster, guesser: Guesser, terminal: Terminal
) -> tuple[str, int]:
    """Ask the person for a clue until it is legal."""
    check = spymaster.legality.checker(game.face_down, game.said)
    while True:
        word, _, number = terminal.ask("ask_clue").rpartition(" ")
        if not word or not number.isdecimal() or int(number) < 1:
            terminal.say("bad_clue")
        elif objection := check(word):
            terminal.say(f"illegal_{objection.rule}", clue=word, word=objection.word)
        elif not guesser.understands(word):
            terminal.say("unknown_clue", clue=word)
        else:
            return word, int(number)


def _ask_cards(game: Game, terminal: Terminal) -> None:
    """Let the person turn cards over until the turn ends."""
    while game.awaits == CARD:
        answer = terminal.ask("ask_card", left=game.picks_left)
        if terminal.is_pass(answer):
            if game.may_stop:
                game.stop()
                return
            terminal.say("one_at_least")
        elif (card := _find_card(game, answer, terminal.language)) is None:
            terminal.say("no_card", answer=answer)
        else:
            terminal.say(f"found_{game.turn_over(card)}", word=card)


def _find_card(game: Game, answer: str, language: str) -> str | None:
    """The face-down card that the answer names by its number or its word."""
    face_down = game.face_down
    if answer.isdecimal() and 1 <= int(answer) <= len(game.board.words):
        word = game.board.words[int(answer) - 1]
        return word if word in face_down else None
    wanted = normal(answer, language)
    return next((word for word in face_down if normal(word, language) == wanted), None)


def _guess_cards(game: Game, guesser: Guesser, terminal: Terminal) -> None:
    """Let the machine turn over the number of cards that the clue says, until one is not ours."""
    while game.awaits == CARD:
        card = guesser.pick(game.guesser_view(0))
        if card is None:
            game.stop()
        else:
            terminal.say("machine_card", word=card)
            terminal.say(f"found_{game.turn_over(card)}", word=card)


def _show_targets(clue: Clue, terminal: Terminal) -> None:
    """Show the cards that the machine meant with its clue."""
    targets = ", ".join(f"{card.word} {card.relatedness:.2f}" for card in clue.targets)
    terminal.say("meant", meant=targets)


def _show_statistics(game: Game, terminal: Terminal) -> None:
    statistics = game.statistics()
    terminal.say("end_" + str(statistics["end"]).replace(" ", "_"))
    terminal.say("stats_turns", **statistics)
    terminal.say("stats_cards", **statistics["turned"])
    if statistics["meant"]:
        terminal.say("stats_meant", **statistics)
    for number, move in enumerate(statistics["history"], 1):
        cards = ", ".join(
            f"{card['word']} ({terminal.texts[card['colour']]})" for card in move["guessed"]
        )
        terminal.write(f"  {number:>2}. {move['clue']} {move['number']}: {cards or '–'}")
