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

json_option = click.option("--json", "as_json", is_flag=True, help="Print the answer as JSON.")


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


def bundle_options(command: Command) -> Command:
    """Add the options that choose a bundle; the command gets them as `chosen`."""

    @click.option("--lang", default="en", help="The language.")
    @click.option(
        "--bundle",
        metavar="PATH",
        help="The folder or archive of a bundle. [default: the bundle of --lang]",
    )
    @click.option(
        "--measure",
        metavar="NAME",
        help="The measure of relatedness, or a blend such as npmi+svd. [default: the bundle's]",
    )
    @wraps(command)
    def call(lang: str, bundle: str | None, measure: str | None, **others: Any) -> Any:
        return command(chosen=Chosen(lang, bundle, measure), **others)

    return call
