"""What a command of the command line is."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable
from typing import NamedTuple


class Command(NamedTuple):
    """A command: `run` takes the parsed options and returns the exit code; None means 0.

    `example` is a call without the program's name.
    """

    name: str
    summary: str
    add_options: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int | None]
    example: str
    has_json: bool = True
