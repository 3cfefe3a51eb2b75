"""A game in the terminal: a person and the machine are one team, either may be the spymaster."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Sequence

from wordkin.game.board import ASSASSIN, NEUTRAL, OURS, THEIRS, Board
from wordkin.game.guesser import Guesser
from wordkin.game.rules import Game
from wordkin.game.spymaster import Clue, Spymaster
from wordkin.texts import texts
from wordkin.words import normal

SPYMASTER, GUESSER, NOBODY = "spymaster", "guesser", "nobody"
ROLES = (SPYMASTER, GUESSER, NOBODY)
"""What the person is; with `nobody` the machine plays with itself."""

_COLUMNS = 5
_RESET = "\x1b[0m"
_PAINT = {
    OURS: "\x1b[1;97;44m",
    THEIRS: "\x1b[1;97;41m",
    NEUTRAL: "\x1b[30;47m",
    ASSASSIN: "\x1b[1;97;40m",
}
# Without colours each card says by a sign what it is.
_SIGNS = {OURS: "+", THEIRS: "-", NEUTRAL: "o", ASSASSIN: "X"}


class Quit(Exception):
    """The person wants to stop, or there is nobody to answer."""


class Terminal:
    """What the person sees and types, in their language.

    Parameters
    ----------
    read : callable
        Asks with a prompt and returns a line, as `input` does.
    write : callable
        Shows a line.
    language : str
        Of the interface.
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
        self.words = texts(language)

    def say(self, text: str, **values: object) -> None:
        """Show one of the interface's texts."""
        self.write(self.words[text].format(**values))

    def ask(self, text: str, **values: object) -> str:
        """Ask for a line; quitting words, Ctrl-C and the end of input end the game."""
        try:
            answer = self.read(self.words[text].format(**values)).strip()
        except (EOFError, KeyboardInterrupt):
            raise Quit from None
        if normal(answer, self.language) in self.words["words_quit"].split():
            raise Quit
        return answer

    def is_pass(self, answer: str) -> bool:
        """Whether the answer says to end the turn."""
        return normal(answer, self.language) in ("", *self.words["words_pass"].split())

    def draw(self, board: Board, revealed: Sequence[str], key: bool) -> None:
        """Show the board: colours of revealed cards, and of all cards to the spymaster."""
        width = max(_width(word) for word in board.words) + 8
        cells = []
        for at, (word, colour) in enumerate(zip(board.words, board.colours, strict=True), 1):
            seen = key or word in revealed
            # A card that was turned over keeps its colour and loses its number.
            number, shown = ("  ", f"({word})") if word in revealed else (f"{at:>2}", word)
            sign = "" if self.colour else f" {_SIGNS[colour] if seen else ' '}"
            text = f"{number}{sign} {shown}"
            text += " " * (width - _width(text))
            cells.append(f"{_PAINT[colour]}{text}{_RESET}" if seen and self.colour else text)
        for start in range(0, len(cells), _COLUMNS):
            self.write(" ".join(cells[start : start + _COLUMNS]).rstrip())


def _width(text: str) -> int:
    """How many columns a text takes in a terminal."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )


def play(
    board: Board, spymaster: Spymaster, guesser: Guesser, role: str, terminal: Terminal
) -> Game:
    """Play a game to its end and show its statistics."""
    game = Game(board, spymaster.bundle.language)
    terminal.say(f"welcome_{role}")
    try:
        while not game.end:
            terminal.write("")
            terminal.draw(board, game.revealed, key=role != GUESSER)
            terminal.say("turn", turn=len(game.turns) + 1, left=len(game.table.ours))
            if role == SPYMASTER:
                word, number = _ask_clue(game, spymaster, guesser, terminal)
                game.give(word, number)
            else:
                clue = spymaster.clue(game.table, said=game.said)
                game.give(clue.word, clue.number, tuple(card.word for card in clue.targets))
                terminal.say("machine_clue", word=clue.word, number=clue.number)
            if role == GUESSER:
                _ask_cards(game, terminal)
                _tell_reasons(clue, terminal)
            else:
                _guess_cards(game, guesser, terminal)
    except Quit:
        game.give_up()
    terminal.write("")
    terminal.draw(board, game.revealed, key=True)
    _tell_statistics(game, terminal)
    return game


def _ask_clue(
    game: Game, spymaster: Spymaster, guesser: Guesser, terminal: Terminal
) -> tuple[str, int]:
    """A legal clue from the person."""
    judge = spymaster.legality.judge(game.table.words, game.said)
    while True:
        word, _, number = terminal.ask("ask_clue").rpartition(" ")
        if not word or not number.isdecimal() or int(number) < 1:
            terminal.say("bad_clue")
        elif objection := judge(word):
            terminal.say(f"illegal_{objection.rule}", clue=word, word=objection.word)
        elif not guesser.knows(word):
            terminal.say("unknown_clue", clue=word)
        else:
            return word, int(number)


def _ask_cards(game: Game, terminal: Terminal) -> None:
    """The person turns cards over until the turn ends."""
    while game.guesses_left:
        answer = terminal.ask("ask_card", left=game.guesses_left)
        if terminal.is_pass(answer):
            if game.turns[-1].guessed:
                game.stop()
                return
            terminal.say("one_at_least")
        elif (card := _card(game, answer, terminal.language)) is None:
            terminal.say("no_card", answer=answer)
        else:
            terminal.say(f"found_{game.turn_over(card)}", word=card)


def _card(game: Game, answer: str, language: str) -> str | None:
    """The face-down card that the answer names, by its number or its word."""
    down = game.table.words
    if answer.isdecimal() and 1 <= int(answer) <= len(game.board.words):
        word = game.board.words[int(answer) - 1]
        return word if word in down else None
    wanted = normal(answer, language)
    return next((word for word in down if normal(word, language) == wanted), None)


def _guess_cards(game: Game, guesser: Guesser, terminal: Terminal) -> None:
    """The machine turns over as many cards as the number says, until one is not ours."""
    turn = game.turns[-1]
    for card in guesser.guess(turn.clue, turn.number, game.table.words):
        terminal.say("machine_card", word=card)
        terminal.say(f"found_{game.turn_over(card)}", word=card)
        if not game.guesses_left:
            return
    game.stop()


def _tell_reasons(clue: Clue, terminal: Terminal) -> None:
    """What the machine had in mind with its clue."""
    meant = ", ".join(f"{card.word} {card.relatedness:.2f}" for card in clue.targets)
    terminal.say("meant", meant=meant)


def _tell_statistics(game: Game, terminal: Terminal) -> None:
    facts = game.statistics()
    terminal.say("end_" + str(facts["end"]).replace(" ", "_"))
    terminal.say("stats_turns", **facts)
    terminal.say("stats_cards", **facts["turned"])
    if facts["meant"]:
        terminal.say("stats_meant", **facts)
    for at, move in enumerate(facts["moves"], 1):
        cards = ", ".join(
            f"{card['word']} ({terminal.words[card['colour']]})" for card in move["guessed"]
        )
        terminal.write(f"  {at:>2}. {move['clue']} {move['number']}: {cards or '–'}")
