"""The command line: clues, guesses, games, relatedness, and bundles.

Every command is a module with a `COMMAND`: its name, its help text, its options, the function that
runs it and an example. A command imports what it needs when it runs, so that the others start fast.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from wordkin.cli import (
    bundles,
    clue,
    completion,
    export,
    guess,
    info,
    nearest,
    pack,
    play,
    related,
    serve,
    study,
    tournament,
    verify,
    why,
)
from wordkin.cli.command import Command
from wordkin.program import run

GROUPS: dict[str, tuple[Command, ...]] = {
    "Clues and games": (
        clue.COMMAND,
        guess.COMMAND,
        play.COMMAND,
        serve.COMMAND,
        study.COMMAND,
        tournament.COMMAND,
    ),
    "Words": (related.COMMAND, nearest.COMMAND, why.COMMAND),
    "Bundles": (
        bundles.COMMAND,
        info.COMMAND,
        verify.COMMAND,
        pack.COMMAND,
        export.COMMAND,
    ),
    "The program": (completion.COMMAND,),
}
"""All commands, in the order of `wordkin --help`."""

COMMANDS = tuple(command for group in GROUPS.values() for command in group)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; see `wordkin.program`."""

    def command() -> int | None:
        given = parser().parse_args(arguments)
        status: int | None = given.run(given)
        return status

    return run(command)


class _Parser(argparse.ArgumentParser):
    """The parser of the program: its help shows the commands by group, with one example each."""

    def format_help(self) -> str:
        lines = [self.format_usage(), f"{self.description}\n"]
        for title, commands in GROUPS.items():
            lines.append(f"{title}:")
            for command in commands:
                lines += [f"    {command.name:<12}{command.summary}"]
                lines += [f"{'':16}$ wordkin {command.example}"]
            lines.append("")
        return "\n".join([*lines, f"{self.epilog}\n"])


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands."""
    main_parser = _Parser(
        prog="wordkin",
        usage="wordkin COMMAND [OPTIONS]",
        description="How words are related, and clues for games with words.",
        epilog="'wordkin COMMAND --help' explains the options of a command.",
    )
    subparsers = main_parser.add_subparsers(
        dest="command", required=True, metavar="COMMAND", parser_class=argparse.ArgumentParser
    )
    for command in COMMANDS:
        subparser = subparsers.add_parser(
            command.name,
            prog=f"wordkin {command.name}",
            help=command.summary,
            description=f"{command.summary[0].upper()}{command.summary[1:]}.",
            epilog=f"Example: wordkin {command.example}",
        )
        subparser.set_defaults(run=command.run)
        if command.has_json:
            subparser.add_argument("--json", action="store_true", help="print the answer as JSON")
        command.add_options(subparser)
    return main_parser
