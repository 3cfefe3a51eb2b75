"""The command line: clues, guesses, games, relatedness, and bundles.

Every command is a module with a `COMMAND`: its name, its help text, its options and the function
that runs it. A command imports what it needs when it runs, so that the others start fast.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

from wordkin.cli import (
    bundles,
    clue,
    export,
    guess,
    info,
    nearest,
    pack,
    play,
    related,
    tournament,
    verify,
    why,
)
from wordkin.errors import InputError

COMMANDS = (
    clue.COMMAND,
    guess.COMMAND,
    play.COMMAND,
    tournament.COMMAND,
    related.COMMAND,
    nearest.COMMAND,
    why.COMMAND,
    bundles.COMMAND,
    info.COMMAND,
    verify.COMMAND,
    pack.COMMAND,
    export.COMMAND,
)
"""All commands, in the order of `wordkin --help`."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; a mistake in the input is one sentence and 2."""
    given = parser().parse_args(arguments)
    try:
        status: int | None = given.run(given)
    except InputError as error:
        print(error, file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader, such as `head`, has seen enough. Python's flush at exit must not fail either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    return status or 0


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    main_parser = argparse.ArgumentParser(
        prog="wordkin",
        description="How words are related, and clues for games with words.",
        epilog="'wordkin COMMAND --help' explains the options of a command.",
    )
    subparsers = main_parser.add_subparsers(dest="command", required=True, metavar="command")
    for command in COMMANDS:
        subparser = subparsers.add_parser(
            command.name,
            help=command.summary,
            description=f"{command.summary[0].upper()}{command.summary[1:]}.",
        )
        subparser.set_defaults(run=command.run)
        subparser.add_argument("--json", action="store_true", help="print the answer as JSON")
        command.add_options(subparser)
    return main_parser
