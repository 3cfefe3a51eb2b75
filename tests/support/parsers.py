"""The options of a command line, for tests that look at all of them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

import click


def all_options(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.Action]]:
    """Each option and argument with the name of its command; "" for those before a command."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                yield from ((name, option) for option in command._actions)
        else:
            yield "", action


def all_parameters(group: click.Group, name: str = "") -> Iterator[tuple[str, click.Parameter]]:
    """Each option and argument of a program of click, with the name of its command."""
    context = click.Context(group)
    for command_name in group.list_commands(context):
        command = group.get_command(context, command_name)
        assert command is not None
        full = f"{name} {command_name}".strip()
        if isinstance(command, click.Group):
            yield from all_parameters(command, full)
        else:
            yield from ((full, parameter) for parameter in command.params)
