"""`wordkin verify`: check every byte of a bundle."""

from __future__ import annotations

import sys
from argparse import Namespace

from wordkin.bundle import find, load
from wordkin.cli import options, output
from wordkin.cli.command import Command
from wordkin.manifest import damaged_files, read_manifest
from wordkin.texts import texts


def run(given: Namespace) -> int:
    """Check a bundle; the exit code is 2 if a file is damaged or missing."""
    path = find(given.bundle or given.lang)
    # An archive is unpacked first. A folder is not loaded: that would stop at the first damage.
    bundle = None if path.is_dir() else load(path)
    folder = bundle.folder if bundle else path
    damaged = damaged_files(folder)
    text = texts(given.lang)
    if given.json:
        output.print_json({"bundle": str(path), "whole": not damaged, "damaged": damaged})
    elif damaged:
        for file in damaged:
            print(text["damaged"].format(file=file), file=sys.stderr)
    else:
        print(text["verified"].format(bundle=path, files=len(read_manifest(folder)["files"])))
    return 2 if damaged else 0


COMMAND = Command(
    "verify",
    "check every byte of a bundle",
    options.add_bundle_options,
    run,
    example="verify --bundle en.zip",
)
