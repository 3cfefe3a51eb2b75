"""A game in the terminal: people and agents in any seats, and the statistics at the end."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from wordkin.game.game import CARD, CLUE, Game
from wordkin.game.legality import Legality
from wordkin.game.moves import GIVE, STOP, TURN_OVER
from wordkin.game.seats import Seats, play_game
from wordkin.game.spoken import SpokenClue, number_text, parse_clue
from wordkin.game.terminal import Terminal
from wordkin.game.views import CardPicker, ClueGiver, GuesserView, SpymasterView
from wordkin.words import normal

SPYMASTER, GUESSER, NOBODY = "spymaster", "guesser", "nobody"
ROLES = (SPYMASTER, GUESSER, NOBODY)
"""The role of the person in the first team; with `nobody` agents play, and the person watches."""


class Table:
    """A game that is shown in a terminal.

    Team 0 is blue and team 1 is red, for everybody who looks at the terminal.

    Parameters
    ----------
    game : Game
        The game.
    terminal : Terminal
        Where it is shown.
    """

    def __init__(self, game: Game, terminal: Terminal) -> None:
        self.game, self.terminal = game, terminal

    def show_turn(self, key: bool) -> None:
        """Show the board and whose turn it is."""
        game, terminal = self.game, self.terminal
        terminal.write("")
        terminal.draw(game.board, game.revealed, key)
        turn = len(game.turns) + (game.awaits == CLUE)
        left = {"blue": game.cards_left(0), "red": game.cards_left(1)}
        if game.rules.teams == 1:
            terminal.say("turn_alone", turn=turn, **left)
        else:
            terminal.say("turn", turn=turn, team=self.team(game.moving), **left)

    def show_clue(self) -> None:
        """Say the clue of the last turn."""
        turn = self.game.turns[-1]
        team, number = self.team(turn.team), number_text(turn.number)
        self.terminal.say("said", team=team, word=turn.clue, number=number)

    def show_move(self) -> None:
        """Say what the last move was."""
        move = self.game.moves[-1]
        if move.kind == GIVE:
            self.show_clue()
        elif move.kind == TURN_OVER:
            word = str(move.word)
            colour = self.terminal.texts[f"card_{self.game.board.colour(word)}"]
            team = self.team(self.game.turns[-1].team)
            self.terminal.say("turned", team=team, word=word, colour=colour)
        elif move.kind == STOP:
            self.terminal.say("stopped", team=self.team(self.game.turns[-1].team))

    def show_end(self) -> None:
        """Show all colours, how the game ended, and its statistics."""
        game, terminal = self.game, self.terminal
        terminal.write("")
        terminal.draw(game.board, game.revealed, key=True)
        end = str(game.end).replace(" ", "_")
        if game.rules.teams == 1:
            terminal.say(f"alone_{end}")
        elif game.winner is None:
            terminal.say(f"end_{end}")
        else:
            winner, loser = self.team(game.winner), self.team(1 - game.winner)
            terminal.say(f"end_{end}", winner=winner, loser=loser)
        for team in range(game.rules.teams):
            statistics = game.statistics(team)
            name = self.team(team)
            terminal.say("stats_team", team=name, **statistics, **statistics["turned"])
            if statistics["meant"]:
                terminal.say("stats_meant", team=name, **statistics)
        for number, turn in enumerate(game.statistics(0)["history"], 1):
            cards = ", ".join(
                f"{card['word']} ({terminal.texts['card_' + card['colour']]})"
                for card in turn["guessed"]
            )
            clue = f"{turn['clue']} {number_text(turn['number'])}"
            line = f"  {number:>2}. {self.team(turn['team'])}, {clue}: {cards or '–'}"
            if turn["meant"]:
                line += terminal.texts["history_meant"].format(meant=", ".join(turn["meant"]))
            terminal.write(line)

    def team(self, team: int) -> str:
        """The name of a team."""
        return self.terminal.texts[f"team_{team}"]


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
        self,
        table: Table,
        legality: Legality,
        understands: Callable[[str], bool] | None = None,
    ) -> None:
        self.table, self.legality, self.understands = table, legality, understands

    def give(self, view: SpymasterView) -> SpokenClue:
        """Ask for a clue until it is legal."""
        terminal = self.table.terminal
        self.table.show_turn(key=True)
        check = self.legality.checker(view.board.words, view.said, cautious=False)
        most = len(view.board.words)
        while True:
            clue = parse_clue(terminal.ask("ask_clue"), terminal.language)
            if clue is None:
                terminal.say("bad_clue")
            elif clue.number is not None and clue.number > most:
                terminal.say("bad_number", most=most)
            elif objection := check(clue.word):
                terminal.say(f"illegal_{objection.rule}", clue=clue.word, word=objection.word)
            elif self.understands and not self.understands(clue.word):
                terminal.say("unknown_clue", clue=clue.word)
            else:
                return clue


class GuesserAtTerminal:
    """A person in the terminal who turns over cards.

    Parameters
    ----------
    table : Table
        The game; the colours of cards that lie face down are not shown.
    """

    def __init__(self, table: Table) -> None:
        self.table = table

    def pick(self, view: GuesserView) -> str | None:
        """Ask for a card until there is such a card, or the person passes."""
        terminal = self.table.terminal
        if not view.clue.picks:
            self.table.show_turn(key=False)
            self.table.show_clue()
        while True:
            key = "ask_card_any" if view.picks_left is None else "ask_card"
            answer = terminal.ask(key, left=view.picks_left)
            if terminal.is_pass(answer):
                if view.may_stop:
                    return None
                terminal.say("one_at_least")
            elif card := self._card(answer, view):
                return card
            else:
                terminal.say("no_card", answer=answer)

    def _card(self, answer: str, view: GuesserView) -> str | None:
        """The face-down card that the answer names by its word or its number on the table."""
        language, words = self.table.terminal.language, self.table.game.board.words
        wanted = normal(answer, language)
        named = next((word for word in view.cards if normal(word, language) == wanted), None)
        if named is None and answer.isdecimal() and len(answer) < 4:
            at = int(answer) - 1
            if at in range(len(words)) and words[at] in view.cards:
                return words[at]
        return named


def play_in_terminal(table: Table, seats: Sequence[Seats]) -> None:
    """Play a game to its end and show its statistics, even if an agent fails.

    Parameters
    ----------
    table : Table
        The game and its terminal.
    seats : sequence of Seats
        The players of each team; `SpymasterAtTerminal` and `GuesserAtTerminal` are people.
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
    terminal = table.terminal
    names = {True: terminal.texts["seat_person"], False: terminal.texts["seat_agent"]}
    for team, (spymaster, guesser) in enumerate(seats):
        terminal.say(
            "seats",
            team=table.team(team),
            spymaster=names[is_person(spymaster)],
            guesser=names[is_person(guesser)],
        )
    if any(is_person(team.spymaster) for team in seats):
        terminal.say("help_spymaster")
    if any(is_person(team.guesser) for team in seats):
        terminal.say("help_guesser")
