"""Options that several commands have, and what is made of them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

import click

from wordkin.bundle import Bundle, load
from wordkin.lookup import STARTER
from wordkin.program import say

Command = Callable[..., Any]

FILE = click.Path(path_type=Path)
"""The path of a file that may be there or not; whoever reads it says so."""


def option(
    names: str,
    about: str,
    kind: Any = None,
    default: Any = None,
    show_default: bool = True,
    **more: Any,
) -> Any:
    """An option by its names, such as `-n --number`; the help ends with its default."""
    shown = show_default and default is not None
    return click.option(
        *names.split(), help=about, type=kind, default=default, show_default=shown, **more
    )


json_option = option("--json as_json", "Print the answer as JSON.", is_flag=True)


def packed(name: str, kind: Any, *options: Callable[[Command], Command]) -> Any:
    """Make a decorator that adds options, and passes their values as one argument.

    Parameters
    ----------
    name : str
        The name of the argument.
    kind : class
        A named tuple, with a field per option.
    options : decorators
        What `option` made.
    """

    def decorate(command: Command) -> Command:
        @wraps(command)
        def call(**given: Any) -> Any:
            values = {field: given.pop(field) for field in kind._fields}
            return command(**{name: kind(**values)}, **given)

        decorated: Command = call
        for add in reversed(options):
            decorated = add(decorated)
        return decorated

    return decorate


class Chosen(NamedTuple):
    """Which bundle and measure to use, and the language of the interface."""

    lang: str
    bundle: str | None
    measure: str | None

    def open(self) -> Bundle:
        """Open the bundle; say so if it is only the starter bundle."""
        bundle = load(self.bundle or self.lang)
        if bundle.origin == STARTER:
            words = len(bundle.vocabulary)
            say(f"using the starter bundle of '{bundle.language}' ({words:,} words)")
        return bundle

    def measures(self, bundle: Bundle) -> list[str]:
        """The measure that was named, or all measures of the bundle."""
        return [self.measure] if self.measure else list(bundle.measures)


bundle_options = packed(
    "chosen",
    Chosen,
    option("--lang", "The language.", default="en"),
    option(
        "--bundle",
        "The folder or archive of a bundle. [default: the bundle of --lang]",
        metavar="PATH",
    ),
    option(
        "--measure",
        "The measure of relatedness, or a blend such as npmi+svd. [default: the bundle's]",
        metavar="NAME",
    ),
)
