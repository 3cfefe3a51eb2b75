"""The command line: clues, guesses, games, relatedness, and bundles.

A command is loaded when it is called, and imports what it needs when it runs.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple

import click
from click.shell_completion import CompletionItem, get_completion_class, shell_complete

from wordkin.program import run

COMPLETION = "_WORDKIN_COMPLETE"
"""The variable by which the script of `wordkin completion` asks what fits."""


class Entry(NamedTuple):
    """A command in the help: its module, if it has one, what it does, and a call of it."""

    module: str
    summary: str
    example: str


GROUPS: dict[str, dict[str, Entry]] = {
    "Clues and games": {
        "clue": Entry(
            "clues",
            "find a clue for a board, with reasons",
            'clue --ours "piano river" --theirs mouse --assassin bank',
        ),
        "guess": Entry(
            "clues",
            "rank the cards of a board for a clue",
            "guess keyboard piano mouse river -n 2",
        ),
        "play": Entry(
            "play",
            "play in the terminal, with agents as your partner and opponents",
            "play --lang hu --seed 7",
        ),
        "serve": Entry("site", "play in the browser, with people and agents", "serve --port 8080"),
        "study": Entry(
            "site",
            "start studies with people, and export what they chose",
            "study status",
        ),
        "tournament": Entry(
            "tournament",
            "let every spymaster play with every guesser",
            "tournament --boards 2",
        ),
    },
    "Words": {
        "related": Entry("words", "show how related two words are", "related cat dog"),
        "nearest": Entry(
            "words", "list the words that are most related to a word", "nearest piano -k 5 --json"
        ),
        "why": Entry("words", "show why two words are related", "why piano guitar"),
    },
    "Bundles": {
        "bundles": Entry("bundles", "list the bundles that are there", "bundles"),
        "info": Entry("bundles", "show what a bundle has and where it came from", "info --lang hu"),
        "verify": Entry("bundles", "check every byte and every number of a bundle", "verify"),
        "pack": Entry("bundles", "pack a bundle into one file", "pack en.zip"),
        "export": Entry(
            "bundles",
            "write a measure in the format of another program",
            "export tsv pairs.tsv --top 10",
        ),
    },
    "The program": {
        "completion": Entry(
            "",
            "print a script that completes commands and options in a shell",
            "completion bash > ~/.local/share/bash-completion/completions/wordkin",
        ),
    },
}
"""All commands, in the order of `wordkin --help`."""

COMMANDS = {name: entry for group in GROUPS.values() for name, entry in group.items()}


class Program(click.Group):
    """The program: its help shows the commands by group, with one example each."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """The names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Load a command; None if there is none of this name."""
        if cmd_name not in COMMANDS:
            return None
        entry = COMMANDS[cmd_name]
        command = self.commands.get(cmd_name)
        if command is None:
            command = getattr(import_module(f"wordkin.cli.{entry.module}"), cmd_name)
        command.epilog = f"Example: wordkin {entry.example}"
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands that begin so; none of them is loaded."""
        return [
            CompletionItem(name, help=entry.summary)
            for name, entry in COMMANDS.items()
            if name.startswith(incomplete)
        ]

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help."""
        lines = ["Usage: wordkin COMMAND [OPTIONS]", "", f"{self.help}", ""]
        for title, commands in GROUPS.items():
            lines.append(f"{title}:")
            for name, entry in commands.items():
                lines += [f"    {name:<12}{entry.summary}", f"{'':16}$ wordkin {entry.example}"]
            lines.append("")
        lines.append("'wordkin COMMAND --help' explains the options of a command.")
        formatter.write("\n".join([*lines, ""]))


program = Program(
    "wordkin",
    help="How words are related, and clues for games with words.",
    no_args_is_help=False,
    context_settings={"max_content_width": 100, "show_default": True},
)


@program.command()
@click.argument("shell", type=click.Choice(("bash", "zsh", "fish")))
def completion(shell: str) -> None:
    """Print a script that completes commands and options in a shell."""
    kind = get_completion_class(shell)
    assert kind is not None
    click.echo(kind(program, {}, "wordkin", COMPLETION).source())


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; see `wordkin.program`."""

    def command() -> int | None:
        if wanted := os.environ.get(COMPLETION):
            return shell_complete(program, {}, "wordkin", COMPLETION, wanted)
        given = sys.argv[1:] if arguments is None else arguments
        with program.make_context("wordkin", list(given)) as context:
            status: int | None = program.invoke(context)
            return status

    return run(command)
