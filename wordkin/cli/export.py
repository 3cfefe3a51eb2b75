"""`wordkin export`: a measure in the format of another program."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from wordkin.cli import options, output
from wordkin.cli.command import Command
from wordkin.errors import InputError
from wordkin.exports import FORMATS
from wordkin.files import read_words
from wordkin.ranges import Whole
from wordkin.texts import texts


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
        help="write only these words, one per line (default: all words; our own board words for "
        "board-csv and board-bundle)",
    )
    parser.add_argument(
        "--top",
        type=Whole(1),
        help="write only the pairs of each word with this many nearest words (formats of pairs)",
    )


def run(given: Namespace) -> None:
    """Write a measure to a file or folder."""
    bundle = options.open_bundle(given)
    words = None
    if given.words and not (words := read_words(given.words)):
        raise InputError(f"{given.words} has no words: put one on each line, or leave out --words.")
    measure = bundle.measure(given.measure) if given.measure else None
    with output.writing(given.path):
        skipped = FORMATS[given.format].write(bundle, measure, given.path, words, given.top)
    if skipped:
        note = texts(given.lang)["note_unknown"].format(words=", ".join(skipped))
        print(note, file=sys.stderr)
    output.print_written(given, given.path)


COMMAND = Command(
    "export",
    "write a measure in the format of another program",
    add_options,
    run,
    example="export board-csv board.csv --words words.txt",
)
