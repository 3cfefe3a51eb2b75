"""A game in the terminal: people and agents in any seats, and the statistics at the end."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import click

from wordkin.game.board import ASSASSIN, NEUTRAL, OURS, THEIRS
from wordkin.game.game import CARD, CLUE, GIVE, STOP, TURN_OVER, Game
from wordkin.game.legality import Legality
from wordkin.game.play import Left, Seats, play_game
from wordkin.game.views import CardPicker, ClueGiver, GuesserView, SpymasterView
from wordkin.tables import display_width, padded
from wordkin.texts import texts
from wordkin.words import normal

SPYMASTER, GUESSER, NOBODY = "spymaster", "guesser", "nobody"
ROLES = (SPYMASTER, GUESSER, NOBODY)
"""The role of the person in the first team; with `nobody` agents play, and the person watches."""

WIDTH = 80
"""The number of columns of a terminal that does not say."""

_PAINT: dict[str | None, dict[str, Any]] = {
    OURS: {"fg": "bright_white", "bg": "blue", "bold": True},
    THEIRS: {"fg": "bright_white", "bg": "red", "bold": True},
    NEUTRAL: {"fg": "black", "bg": "white"},
    ASSASSIN: {"fg": "bright_white", "bg": "black", "bold": True},
}
_SQUARE = 5
"""The number of columns of an ordinary board, if there is room."""

UNLIMITED = "∞"


class SpokenClue(NamedTuple):
    """A clue of a person: a word and a number; None stands for unlimited."""

    word: str
    number: int | None


def parse_clue(text: str, language: str) -> SpokenClue | None:
    """Parse a clue as people type it; None if it does not have both a word and a number.

    The language has its own word for unlimited; ∞ means the same.

    >>> parse_clue("ocean 2", "en")
    SpokenClue(word='ocean', number=2)
    >>> parse_clue("óceán korlátlan", "hu")
    SpokenClue(word='óceán', number=None)
    """
    words = text.split()
    if len(words) < 2:
        return None
    *clue, number = words
    word = " ".join(clue).rstrip(",:")
    unlimited = [UNLIMITED, *texts(language)["words_unlimited"].split()]
    if normal(number, language) in unlimited:
        return SpokenClue(word, None)
    # Longer numbers fit no board, and Python refuses to read very long ones.
    if not number.isdecimal() or len(number) > 9:
        return None
    return SpokenClue(word, int(number))


def number_text(number: int | None) -> str:
    """Return the number of a clue as it is shown."""
    return UNLIMITED if number is None else str(number)


class Table:
    """A game that is shown in a terminal: team 0 is blue and team 1 is red, for everybody.

    Parameters
    ----------
    game : Game
        The game.
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
        game: Game,
        read: Callable[[str], str],
        write: Callable[[str], None],
        language: str,
        colour: bool = False,
        width: int = WIDTH,
    ) -> None:
        self.game, self.read, self.write, self.language = game, read, write, language
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

    def draw(self, key: bool) -> None:
        """Show the board in as many columns as fit; with the key, all colours are visible."""
        board = self.game.board
        digits = len(str(len(board.words)))
        cells = [
            self._cell(f"{at:>{digits}}", word, colour, key)
            for at, (word, colour) in enumerate(zip(board.words, board.colours, strict=True), 1)
        ]
        # A painted word does not touch the edge of its card.
        width = max(display_width(text) for text, _ in cells) + self.colour
        most = max(_SQUARE, math.ceil(math.sqrt(len(cells))))
        columns = max(1, min(most, (self.width + 1) // (width + 1)))
        painted = [
            click.style(padded(text, width), **_PAINT[colour])
            if self.colour and colour
            else padded(text, width)
            for text, colour in cells
        ]
        for start in range(0, len(cells), columns):
            self.write(" ".join(painted[start : start + columns]).rstrip())

    def _cell(self, number: str, word: str, colour: str, key: bool) -> tuple[str, str | None]:
        """The text of a card and its colour if it is visible."""
        turned = word in self.game.revealed
        visible = colour if key or turned else None
        sign = self.texts[f"sign_{visible}"] if visible else " "
        # A card that was turned over has no number, because it cannot be chosen any more.
        number, label = (" " * len(number), f"({word})") if turned else (number, word)
        return f"{number} " + ("" if self.colour else f"{sign} ") + label, visible

    def show_turn(self, key: bool) -> None:
        """Show the board and whose turn it is."""
        game = self.game
        self.write("")
        self.draw(key)
        turn = len(game.turns) + (game.awaits == CLUE)
        left = {"blue": game.cards_left(0), "red": game.cards_left(1)}
        if game.rules.teams == 1:
            self.say("turn_alone", turn=turn, **left)
        else:
            self.say("turn", turn=turn, team=self.team(game.moving), **left)

    def show_clue(self) -> None:
        """Say the clue of the last turn."""
        turn = self.game.turns[-1]
        number = number_text(turn.number)
        self.say("said", team=self.team(turn.team), word=turn.clue, number=number)

    def show_move(self) -> None:
        """Say what the last move was."""
        move = self.game.moves[-1]
        if move.kind == GIVE:
            self.show_clue()
        elif move.kind == TURN_OVER:
            word = str(move.word)
            colour = self.texts[f"card_{self.game.board.colour(word)}"]
            team = self.team(self.game.turns[-1].team)
            self.say("turned", team=team, word=word, colour=colour)
        elif move.kind == STOP:
            self.say("stopped", team=self.team(self.game.turns[-1].team))

    def show_end(self) -> None:
        """Show all colours, how the game ended, and its statistics."""
        game = self.game
        self.write("")
        self.draw(key=True)
        end = str(game.end).replace(" ", "_")
        if game.rules.teams == 1:
            self.say(f"alone_{end}")
        elif game.winner is None:
            self.say(f"end_{end}")
        else:
            winner, loser = self.team(game.winner), self.team(1 - game.winner)
            self.say(f"end_{end}", winner=winner, loser=loser)
        for team in range(game.rules.teams):
            statistics = game.statistics(team)
            self.say("stats_team", team=self.team(team), **statistics, **statistics["turned"])
            if statistics["meant"]:
                self.say("stats_meant", team=self.team(team), **statistics)
        for number, turn in enumerate(game.statistics(0)["history"], 1):
            cards = ", ".join(
                f"{card['word']} ({self.texts['card_' + card['colour']]})"
                for card in turn["guessed"]
            )
            clue = f"{turn['clue']} {number_text(turn['number'])}"
            line = f"  {number:>2}. {self.team(turn['team'])}, {clue}: {cards or '–'}"
            if turn["meant"]:
                line += self.texts["history_meant"].format(meant=", ".join(turn["meant"]))
            self.write(line)

    def team(self, team: int) -> str:
        """The name of a team."""
        return self.texts[f"team_{team}"]


class SpymasterAtTerminal:
    """A person in the terminal who gives clues.

    Parameters
    ----------
    table : Table
        The game, with all colours.
    legality : Legality
        The rules for clues: one that breaks them is refused with the reason.
    understands : callable, optional
        Says whether the guesser knows a word; another clue is asked for if not.
    """

    def __init__(
        self, table: Table, legality: Legality, understands: Callable[[str], bool] | None = None
    ) -> None:
        self.table, self.legality, self.understands = table, legality, understands

    def give(self, view: SpymasterView) -> SpokenClue:
        """Ask for a clue until it is legal."""
        table = self.table
        table.show_turn(key=True)
        check = self.legality.checker(view.board.words, view.said, cautious=False)
        most = len(view.board.words)
        while True:
            clue = parse_clue(table.ask("ask_clue"), table.language)
            if clue is None:
                table.say("bad_clue")
            elif clue.number is not None and clue.number > most:
                table.say("bad_number", most=most)
            elif objection := check(clue.word):
                table.write(objection.sentence(clue.word, table.language))
            elif self.understands and not self.understands(clue.word):
                table.say("unknown_clue", clue=clue.word)
            else:
                return clue


class GuesserAtTerminal:
    """A person in the terminal who turns over cards, whose colours are not shown before."""

    def __init__(self, table: Table) -> None:
        self.table = table

    def pick(self, view: GuesserView) -> str | None:
        """Ask for a card until there is such a card, or the person passes."""
        table = self.table
        if not view.clue.picks:
            table.show_turn(key=False)
            table.show_clue()
        while True:
            key = "ask_card_any" if view.picks_left is None else "ask_card"
            answer = table.ask(key, left=view.picks_left)
            if table.is_pass(answer):
                if view.may_stop:
                    return None
                table.say("one_at_least")
            elif card := self._card(answer, view):
                return card
            else:
                table.say("no_card", answer=answer)

    def _card(self, answer: str, view: GuesserView) -> str | None:
        """The face-down card that the answer names by its word or its number on the table."""
        language, words = self.table.language, self.table.game.board.words
        for word in view.cards:
            if normal(word, language) == normal(answer, language):
                return word
        at = int(answer) - 1 if answer.isdecimal() and len(answer) < 4 else -1
        return words[at] if at in range(len(words)) and words[at] in view.cards else None


def play_in_terminal(table: Table, seats: Sequence[Seats]) -> None:
    """Play a game to its end and show its statistics, even if an agent fails.

    `SpymasterAtTerminal` and `GuesserAtTerminal` in the seats are people.
    """
    people = [seat for team in seats for seat in team if is_person(seat)]

    def watch(game: Game) -> None:
        # A person who turns over the cards sees the clue below the board.
        picks = game.awaits == CARD and is_person(seats[game.moving].guesser)
        if not (picks and game.moves[-1].kind == GIVE):
            table.show_move()
        if not people and game.awaits == CLUE:
            table.show_turn(key=True)

    _welcome(table, seats)
    try:
        if not people:
            table.show_turn(key=True)
        play_game(table.game, seats, watch)
    finally:
        # Whatever happened, the game so far is not lost.
        table.game.give_up()
        table.show_end()


def is_person(seat: ClueGiver | CardPicker) -> bool:
    """Whether a person at the terminal sits in a seat."""
    return isinstance(seat, SpymasterAtTerminal | GuesserAtTerminal)


def _welcome(table: Table, seats: Sequence[Seats]) -> None:
    """Say who plays, and what a person can type."""
    names = {True: table.texts["seat_person"], False: table.texts["seat_agent"]}
    for team, (spymaster, guesser) in enumerate(seats):
        table.say(
            "seats",
            team=table.team(team),
            spymaster=names[is_person(spymaster)],
            guesser=names[is_person(guesser)],
        )
    if any(is_person(team.spymaster) for team in seats):
        table.say("help_spymaster")
    if any(is_person(team.guesser) for team in seats):
        table.say("help_guesser")
