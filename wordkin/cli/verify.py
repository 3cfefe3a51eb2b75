"""`wordkin verify`: check every byte and every number of a bundle."""

from __future__ import annotations

from argparse import Namespace

from wordkin.bundle import check_numbers, find, load
from wordkin.cli import options, output
from wordkin.cli.command import Command
from wordkin.manifest import damaged_files, read_manifest
from wordkin.program import one_line, say
from wordkin.texts import texts


def run(given: Namespace) -> int:
    """Check a bundle; the exit code is 2 if a file is damaged or missing, or has wrong numbers."""
    path = find(given.bundle or given.lang)
    # An archive is unpacked first. A folder is not loaded: that would stop at the first damage.
    bundle = None if path.is_dir() else load(path)
    folder = bundle.folder if bundle else path
    damaged = damaged_files(folder)
    problems = [] if damaged else check_numbers(folder)
    whole = not damaged and not problems
    text = texts(given.lang)
    if given.json:
        answer = {"bundle": str(path), "whole": whole, "damaged": damaged, "problems": problems}
        output.print_json(answer)
    elif whole:
        print(text["verified"].format(bundle=path, files=len(read_manifest(folder)["files"])))
    for line in [*(text["damaged"].format(file=file) for file in damaged), *problems]:
        if not given.json:
            say(one_line(line))
    return 0 if whole else 2


COMMAND = Command(
    "verify",
    "check every byte and every number of a bundle",
    options.add_bundle_options,
    run,
    example="verify --bundle en.zip",
)
