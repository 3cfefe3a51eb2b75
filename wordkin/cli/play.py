"""`wordkin play`: a game in the terminal."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace
from typing import TextIO

from wordkin.bundle import load
from wordkin.cli import options, output
from wordkin.cli.command import Command
from wordkin.errors import InputError
from wordkin.game.board import Board
from wordkin.game.guesser import Guesser
from wordkin.game.play import GUESSER, NOBODY, ROLES, Terminal, play


def add_options(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_bundle_options(parser)
    parser.add_argument(
        "--role", choices=ROLES, default=GUESSER, help="your role (default: guesser)"
    )
    options.add_board_file_option(parser)
    options.add_dealing_options(parser, seed="which board to deal")
    parser.add_argument(
        "--no-colour", action="store_true", help="show signs instead of colours on the cards"
    )
    parser.add_argument("--guesser-bundle", help="another bundle for the machine when it guesses")
    parser.add_argument("--guesser-measure", help="another measure for the machine when it guesses")
    options.add_spymaster_options(parser)
    options.add_guesser_options(parser)


def run(given: Namespace) -> None:
    """Play a game; with --json its statistics are the answer."""
    if given.board == options.STANDARD_INPUT and given.role != NOBODY:
        raise InputError(
            "--board - reads the board from standard input, where your answers are expected too: "
            "give a file, or --role nobody."
        )
    bundle = options.open_bundle(given)
    spymaster = options.make_spymaster(given, bundle)
    guesser_bundle = load(given.guesser_bundle) if given.guesser_bundle else bundle
    measure = given.guesser_measure or (given.measure if guesser_bundle is bundle else None)
    guesser = Guesser(guesser_bundle, measure, given.model, seed=given.chance)
    if given.board:
        board = options.board_of_file(given.board)
    else:
        board = Board.deal(options.known_board_words(given, bundle), given.seed)
    # With --json, stdout has nothing but the answer.
    screen = sys.stderr if given.json else sys.stdout
    game = play(board, spymaster, guesser, given.role, _terminal(given, screen))
    if given.json:
        output.print_json(game.statistics())


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
    return Terminal(read, write, given.lang, colour)


COMMAND = Command(
    "play",
    "play in the terminal, with the machine as your partner",
    add_options,
    run,
    example="play --lang hu --seed 7",
)
