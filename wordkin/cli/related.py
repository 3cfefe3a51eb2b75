"""`wordkin related`: the relatedness of two words."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from wordkin.cli import options, output
from wordkin.cli.command import Command
from wordkin.words import normal


def add_options(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_bundle_options(parser)
    parser.add_argument("words", nargs=2, metavar="word", help="the two words")


def run(given: Namespace) -> None:
    """Print the relatedness of two words by one measure or by all."""
    bundle = options.open_bundle(given)
    a, b = (normal(word, bundle.language) for word in given.words)
    names = options.chosen_measures(given, bundle)
    values = {name: bundle.relatedness(a, b, name) for name in names}
    if given.json:
        output.print_json({"a": a, "b": b, "relatedness": values})
        return
    rows = [(name, f"{value:.3f}") for name, value in values.items()]
    output.print_table(output.header(given, "measure", "relatedness"), rows)


COMMAND = Command("related", "show how related two words are", add_options, run)
