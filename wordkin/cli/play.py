"""`wordkin play`: a game in the terminal."""

from __future__ import annotations

import os
import shutil
import sys
from argparse import ArgumentParser, Namespace
from dataclasses import replace
from typing import TextIO

from wordkin.bundle import Bundle, load
from wordkin.cli import options, output
from wordkin.cli.command import Command
from wordkin.errors import InputError
from wordkin.game.agents import make_guesser, make_spymaster, parse_guesser, parse_spymaster
from wordkin.game.board import Board
from wordkin.game.game import Game
from wordkin.game.guesser import Guesser
from wordkin.game.legality import Legality
from wordkin.game.play import (
    GUESSER,
    NOBODY,
    ROLES,
    SPYMASTER,
    GuesserAtTerminal,
    SpymasterAtTerminal,
    Table,
    play_in_terminal,
)
from wordkin.game.rules import SOLITAIRE, Rules, deal_text, parse_deal
from wordkin.game.seats import Seats
from wordkin.game.terminal import WIDTH, Terminal
from wordkin.game.views import CardPicker, ClueGiver
from wordkin.ranges import Whole

ME, AGENT = "me", "agent"
SEATS = {SPYMASTER: [ME, AGENT], GUESSER: [AGENT, ME], NOBODY: [AGENT, AGENT]}
"""Who is spymaster and guesser of the first team, by the person's role."""

TEAMS = ("blue", "red")


def add_options(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_bundle_options(parser)
    who = parser.add_mutually_exclusive_group()
    who.add_argument(
        "--role",
        choices=ROLES,
        default=GUESSER,
        help="your role in the blue team; agents have the other seats (default: guesser)",
    )
    who.add_argument(
        "--seats",
        nargs="+",
        metavar="PLAYER",
        help="spymaster and guesser of blue, then of red: 'me', 'agent', or an agent such as "
        "svd/expected",
    )
    parser.add_argument(
        "--solitaire", action="store_true", help="one team alone, by the competition's rules"
    )
    parser.add_argument("--begins", choices=TEAMS, help="the team that begins (default: blue)")
    parser.add_argument(
        "--turns",
        type=Whole(1),
        help="the most turns of each team (default: no limit; solitaire: 25)",
    )
    parser.add_argument(
        "--deal",
        help="cards of the team that begins, of the other team, neutral and assassins (default: "
        f"{deal_text(Rules.deal)}; solitaire: {deal_text(SOLITAIRE.deal)})",
    )
    options.add_board_file_option(parser)
    options.add_dealing_options(parser, seed="which board to deal")
    parser.add_argument(
        "--no-colour", action="store_true", help="show letters instead of colours on the cards"
    )
    parser.add_argument("--guesser-bundle", help="another bundle for agents that guess")
    parser.add_argument("--guesser-measure", help="another measure for agents that guess")
    options.add_spymaster_options(parser)
    options.add_guesser_options(parser)


def run(given: Namespace) -> None:
    """Play a game; with --json its statistics are the answer."""
    rules, names = _rules(given), _seat_names(given)
    if given.board == options.STANDARD_INPUT and ME in names:
        raise InputError(
            "--board - reads the board from standard input, where your answers are expected too: "
            "give a file, or --role nobody."
        )
    bundle = options.open_bundle(given)
    game = Game(_board(given, bundle, rules), rules, bundle.language)
    # With --json, stdout has nothing but the answer.
    screen = sys.stderr if given.json else sys.stdout
    table = Table(game, _terminal(given, screen))
    seats = _seats(given, bundle, names, table)
    try:
        play_in_terminal(table, seats)
    finally:
        if given.json:
            output.print_json(game.statistics())


def _rules(given: Namespace) -> Rules:
    """The rules that the options describe."""
    rules = SOLITAIRE if given.solitaire else Rules()
    if given.deal and given.board:
        raise InputError("A board has its own cards: give --board or --deal, not both.")
    return replace(
        rules,
        deal=parse_deal(given.deal) if given.deal else rules.deal,
        begins=TEAMS.index(given.begins) if given.begins else rules.begins,
        most_turns=rules.most_turns if given.turns is None else given.turns,
    )


def _seat_names(given: Namespace) -> list[str]:
    """Who sits where: spymaster and guesser of each team."""
    names = given.seats or [*SEATS[given.role], *([] if given.solitaire else SEATS[NOBODY])]
    expected = 2 if given.solitaire else 4
    if len(names) != expected:
        raise InputError(
            f"--seats has {len(names)} players: name {expected}, a spymaster and a guesser for "
            "each team."
        )
    return list(names)


def _board(given: Namespace, bundle: Bundle, rules: Rules) -> Board:
    """The board of the file, or one dealt by the rules."""
    if given.board:
        return options.board_of_file(given.board)
    return rules.deal_board(options.known_board_words(given, bundle), given.seed)


def _seats(given: Namespace, bundle: Bundle, names: list[str], table: Table) -> list[Seats]:
    """The players of each team."""
    teams = []
    for team in range(len(names) // 2):
        guesser = _guesser(given, bundle, names[2 * team + 1], table, given.chance + team)
        teams.append(Seats(_spymaster(given, bundle, names[2 * team], table, guesser), guesser))
    return teams


def _spymaster(
    given: Namespace, bundle: Bundle, name: str, table: Table, guesser: CardPicker
) -> ClueGiver:
    if name == ME:
        understands = guesser.understands if isinstance(guesser, Guesser) else None
        return SpymasterAtTerminal(table, Legality.of(bundle), understands)
    if name == AGENT:
        return options.make_spymaster(given, bundle)
    return make_spymaster(bundle, parse_spymaster(name))


def _guesser(given: Namespace, bundle: Bundle, name: str, table: Table, seed: int) -> CardPicker:
    if name == ME:
        return GuesserAtTerminal(table)
    other = load(given.guesser_bundle) if given.guesser_bundle else bundle
    if name == AGENT:
        measure = given.guesser_measure or (given.measure if other is bundle else None)
        return Guesser(other, measure, given.model, seed=seed)
    return make_guesser(other, parse_guesser(name), seed=seed)


def _terminal(given: Namespace, screen: TextIO) -> Terminal:
    def write(line: str) -> None:
        print(line, file=screen, flush=True)

    def read(prompt: str) -> str:
        print(prompt, end="", file=screen, flush=True)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        if not sys.stdin.isatty():
            # Piped answers are printed, so that the transcript is complete.
            print(line.rstrip("\n"), file=screen)
        return line

    colour = screen.isatty() and not given.no_colour and "NO_COLOR" not in os.environ
    width = shutil.get_terminal_size((WIDTH, 24)).columns
    return Terminal(read, write, given.lang, colour, width)


COMMAND = Command(
    "play",
    "play in the terminal, with agents as your partner and opponents",
    add_options,
    run,
    example="play --lang hu --seed 7",
)
