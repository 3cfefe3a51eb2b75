"""`wordkin clue`: find a clue for a board."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from wordkin.cli import options, output
from wordkin.cli.command import Command
from wordkin.game.board import split_words
from wordkin.game.clue_text import clue_lines
from wordkin.ranges import Whole


def add_options(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_bundle_options(parser)
    options.add_board_options(parser)
    options.add_spymaster_options(parser)
    parser.add_argument(
        "-n", "--number", type=Whole(1), help="the number of cards to connect (default: the best)"
    )
    parser.add_argument(
        "--count", type=Whole(1), default=1, help="the number of clues to show (default: 1)"
    )
    parser.add_argument(
        "--said", default="", metavar="WORDS", help="earlier clues, which may not be repeated"
    )
    parser.add_argument(
        "--why", action="store_true", help="show the numbers behind the reasons, and the scores"
    )


def run(given: Namespace) -> None:
    """Print the best clues with their reasons."""
    bundle = options.open_bundle(given)
    board = options.given_board(given)
    spymaster = options.make_spymaster(given, bundle)
    clues = [
        spymaster.explained(clue, given.lang)
        for clue in spymaster.clues(board, given.count, given.number, split_words(given.said))
    ]
    if given.json:
        output.print_json([clue.as_dict() for clue in clues])
    else:
        print("\n".join(line for clue in clues for line in clue_lines(clue, given.lang, given.why)))


COMMAND = Command(
    "clue",
    "find a clue for a board, with reasons",
    add_options,
    run,
    example='clue --ours "piano river" --theirs mouse --assassin bank',
)
