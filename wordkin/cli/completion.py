"""`wordkin completion`: the script that lets a shell complete our commands and options."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from importlib import import_module, util

from wordkin.cli.command import Command
from wordkin.errors import InputError

SHELLS = ("bash", "zsh", "tcsh", "fish")


def add_options(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    parser.add_argument("shell", choices=SHELLS, help="the shell to write for")


def run(given: Namespace) -> None:
    """Print the script of a shell."""
    if not util.find_spec("shtab"):
        raise InputError("Completion needs shtab: install it with 'pip install shtab'.")
    from wordkin.cli import parser

    print(import_module("shtab").complete(parser(), given.shell))


COMMAND = Command(
    "completion",
    "print a script that completes commands and options in a shell",
    add_options,
    run,
    example="completion bash > ~/.local/share/bash-completion/completions/wordkin",
    has_json=False,
)
