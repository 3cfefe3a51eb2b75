"""`wordkin nearest`: the words most related to a word."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from wordkin.cli import options, output
from wordkin.cli.command import Command
from wordkin.ranges import Whole
from wordkin.texts import texts
from wordkin.words import normal


def add_options(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_bundle_options(parser)
    parser.add_argument("word", help="the word")
    parser.add_argument("-k", type=Whole(1), default=10, help="the number of words (default: 10)")


def run(given: Namespace) -> None:
    """Print the words most related to a word, closest first."""
    bundle = options.open_bundle(given)
    query = bundle.resolve(normal(given.word, bundle.language))
    neighbours = bundle.nearest(query.word, given.k, given.measure)
    unknown = [] if query.known else [query]
    if given.json:
        entries = [{"word": word, "relatedness": value} for word, value in neighbours]
        output.print_json([{**entry, **output.resolved(unknown)} for entry in entries])
        return
    # A measure of few pairs has no relatedness to most words; those would be any words.
    rows = [(word, f"{value:.3f}") for word, value in neighbours if value]
    if rows:
        output.print_table(output.header(given, "word", "relatedness"), rows)
    if len(rows) < len(neighbours):
        print(texts(given.lang)["no_other_related"].format(word=query.word))
    output.print_resolved(given, unknown)


COMMAND = Command(
    "nearest",
    "list the words that are most related to a word",
    add_options,
    run,
    example="nearest piano -k 5 --json",
)
