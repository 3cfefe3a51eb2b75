"""The options of a command line, for tests that look at all of them."""

from __future__ import annotations

import argparse
from collections.abc import Iterator


def all_options(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.Action]]:
    """Each option and argument with the name of its command; "" for those before a command."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for name, command in action.choices.items():
                yield from ((name, option) for option in command._actions)
        else:
            yield "", action
