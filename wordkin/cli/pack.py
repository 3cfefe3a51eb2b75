"""`wordkin pack`: a bundle as one file."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from wordkin.cli import options, output
from wordkin.cli.command import Command


def add_options(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_bundle_options(parser)
    parser.add_argument("archive", type=Path, help="the file to write, .zip or .tar.zst")


def run(given: Namespace) -> None:
    """Pack a bundle into an archive."""
    from wordkin.pack import pack

    pack(options.open_bundle(given).folder, given.archive)
    output.print_written(given, given.archive)


COMMAND = Command("pack", "pack a bundle into one file", add_options, run)
