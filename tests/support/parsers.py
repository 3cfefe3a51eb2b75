"""The options of a command line, for tests that look at all of them."""

from __future__ import annotations

from collections.abc import Iterator

import click


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
