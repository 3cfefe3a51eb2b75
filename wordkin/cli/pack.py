"""`wordkin pack`: a bundle as one file."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from wordkin.cli import options, output
from wordkin.cli.command import Command
from wordkin.errors import InputError


def add_options(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_bundle_options(parser)
    parser.add_argument(
        "archive",
        type=Path,
        help="the file to write, .zip or .tar.zst; with --wheel a folder or a .whl",
    )
    parser.add_argument("--wheel", action="store_true", help="write a wheel that pip installs")
    parser.add_argument(
        "--version",
        help="the version of the wheel (default: that in its name, or one made from the content)",
    )


def run(given: Namespace) -> None:
    """Pack a bundle into an archive."""
    from wordkin.pack import pack
    from wordkin.wheel import write_wheel

    if given.version is not None and not given.wheel:
        raise InputError("--version is for wheels: give --wheel too, or leave it out.")
    bundle = options.open_bundle(given)
    path = given.archive
    with output.writing(path):
        if given.wheel:
            path = write_wheel(bundle.folder, path, given.version)
        else:
            pack(bundle.folder, path)
    output.print_written(given, path)


COMMAND = Command(
    "pack",
    "pack a bundle into one file",
    add_options,
    run,
    example="pack en.zip",
)
