"""`wordkin export`: a measure in the format of another program."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from wordkin.cli import options, output
from wordkin.cli.command import Command
from wordkin.exports import FORMATS
from wordkin.files import read_words


def add_options(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_bundle_options(parser)
    formats = "; ".join(f"{name}: {format_.about}" for name, format_ in FORMATS.items())
    parser.add_argument("format", choices=list(FORMATS), metavar="format", help=formats)
    parser.add_argument("path", type=Path, help="the file or folder to write")
    parser.add_argument(
        "--words",
        type=Path,
        metavar="FILE",
        help="board words, one per line (default: our own list)",
    )
    parser.add_argument(
        "--top", type=int, help="write only the pairs of each word with this many nearest words"
    )


def run(given: Namespace) -> None:
    """Write a measure to a file or folder."""
    bundle = options.open_bundle(given)
    words = read_words(given.words) if given.words else None
    measure = bundle.measure(given.measure)
    FORMATS[given.format].write(bundle, measure, given.path, words, given.top)
    output.print_written(given, given.path)


COMMAND = Command("export", "write a measure in the format of another program", add_options, run)
