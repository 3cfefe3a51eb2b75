"""`wordkin bundles`, `info`, `verify`, `pack` and `export`: bundles as files."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from wordkin.bundle import load
from wordkin.bundle_folder import check_numbers
from wordkin.cli import output
from wordkin.cli.options import FILE, Chosen, bundle_options, json_option
from wordkin.errors import InputError
from wordkin.exports import FORMATS
from wordkin.files import read_words
from wordkin.lookup import (
    INSTALLED,
    BundlePath,
    bundles_on_disk,
    find_bundle,
    installed_offers,
    package_folder,
    starter_bundles,
)
from wordkin.manifest import damaged_files, read_manifest
from wordkin.program import one_line, say
from wordkin.ranges import Whole
from wordkin.texts import texts

GOLD_SETS = ("MEN", "WS-353")
"""The gold sets whose scores are shown."""


@click.command()
@json_option
def bundles(as_json: bool) -> None:
    """List the bundles that are there, from where, how large and how good.

    They are listed by language, and in the order in which a language is looked up.
    """
    listed = sorted(_bundles(), key=lambda bundle: bundle["language"])
    if as_json:
        output.print_json(listed)
    elif not listed:
        output.print_lines(
            "There are no bundles: build one, install a wheel, or set WORDKIN_BUNDLES."
        )
    else:
        header = ("language", "words", "from", "store", "size", *GOLD_SETS, "path")
        output.print_table(header, [_cells(bundle) for bundle in listed])


def _bundles() -> Iterator[dict[str, Any]]:
    for bundle in bundles_on_disk():
        yield _describe(bundle, bundle.code)
    for offer in sorted(set(installed_offers())):
        try:
            bundle = BundlePath(package_folder(offer), INSTALLED)
        except InputError as error:
            yield _damaged(offer.language, INSTALLED, offer.package, error)
        else:
            yield _describe(bundle, offer.language)
    for bundle in starter_bundles():
        yield _describe(bundle, bundle.code)


def _describe(bundle: BundlePath, code: str) -> dict[str, Any]:
    """What a bundle is; `code` stands for its language when it cannot be read."""
    from wordkin.pack import read_packed_manifest

    path, origin = bundle
    try:
        manifest = read_manifest(path) if path.is_dir() else read_packed_manifest(path)
    except InputError as error:
        return _damaged(code, origin, str(path), error)
    files = path.rglob("*") if path.is_dir() else [path]
    return {
        "language": manifest["language"],
        "words": manifest["words"],
        "from": origin,
        "store": manifest.get("store", "full"),
        "bytes": sum(file.stat().st_size for file in files if file.is_file()),
        "default": manifest["default"],
        "scores": {name: gold_score(manifest, name) for name in GOLD_SETS},
        "path": str(path),
    }


def _damaged(code: str, origin: str, path: str, error: InputError) -> dict[str, Any]:
    return {"language": code, "from": origin, "path": path, "problem": str(error)}


def gold_score(manifest: dict[str, Any], gold: str) -> float | None:
    """Spearman's correlation of the default measure over all pairs of a gold set, if known."""
    value: Any = manifest.get("evaluation")
    for key in (gold, manifest["default"], "spearman_all"):
        value = value.get(key) if isinstance(value, dict) else None
    return float(value) if isinstance(value, int | float) else None


def _cells(bundle: dict[str, Any]) -> list[str]:
    if "problem" in bundle:
        blanks = ["-"] * (2 + len(GOLD_SETS))
        return [bundle["language"], "-", bundle["from"], *blanks, bundle["problem"]]
    scores = [bundle["scores"][name] for name in GOLD_SETS]
    return [
        bundle["language"],
        f"{bundle['words']:,}",
        bundle["from"],
        bundle["store"],
        f"{bundle['bytes'] / 1e6:,.1f} MB",
        *("-" if score is None else f"{score:.3f}" for score in scores),
        bundle["path"],
    ]


@click.command()
@json_option
@bundle_options
def info(chosen: Chosen, as_json: bool) -> None:
    """Show what a bundle has and where it came from."""
    bundle = chosen.open()
    manifest = bundle.manifest
    path, origin = bundle.path, bundle.origin
    if as_json:
        output.print_json({**manifest, "path": str(path), "from": origin})
        return
    size = sum(file["bytes"] for file in manifest["files"].values())
    rows = [
        ("bundle", f"{path} ({origin})"),
        ("language", manifest["language"]),
        ("words", f"{manifest['words']:,}"),
        ("tokens", _count(manifest.get("tokens"))),
        ("size", f"{size / 1e6:,.1f} MB in {len(manifest['files'])} files"),
        ("store", manifest.get("store", "full")),
        ("default", manifest["default"]),
    ]
    rows += [("measure", f"{m['measure']} ({m['kind']})") for m in manifest["measures"]]
    sources = manifest.get("sources")
    for source in sources if isinstance(sources, list) else ():
        if isinstance(source, dict):
            licence = source.get("licence", "licence unknown")
            tokens = _count(source.get("tokens"))
            rows.append(("source", f"{source.get('name')}, {tokens} tokens, {licence}"))
    output.print_table(None, rows)


def _count(value: object) -> str:
    """A number of the manifest; what only informs may be missing or wrong."""
    return f"{value:,}" if isinstance(value, int) else "0"


@click.command()
@json_option
@bundle_options
def verify(chosen: Chosen, as_json: bool) -> int:
    """Check every byte and every number of a bundle.

    The exit code is 2 if a file is damaged or missing, or has wrong numbers.
    """
    path = find_bundle(chosen.bundle or chosen.lang).path
    # An archive is unpacked first. A folder is not loaded: that would stop at the first damage.
    bundle = None if path.is_dir() else load(path)
    folder = bundle.folder if bundle else path
    damaged = damaged_files(folder)
    problems = [] if damaged else check_numbers(folder)
    whole = not damaged and not problems
    text = texts(chosen.lang)
    if as_json:
        output.print_json(
            {"bundle": str(path), "whole": whole, "damaged": damaged, "problems": problems}
        )
    elif whole:
        files = len(read_manifest(folder)["files"])
        output.print_lines(text["verified"].format(bundle=path, files=files))
    else:
        for line in [*(text["damaged"].format(file=file) for file in damaged), *problems]:
            say(one_line(line))
    return 0 if whole else 2


@click.command()
@json_option
@bundle_options
@click.argument("archive", type=FILE)
@click.option("--wheel", is_flag=True, help="Write a wheel that pip installs.")
@click.option("--version", help="The version of the wheel. [default: one made from the content]")
def pack(chosen: Chosen, archive: Path, wheel: bool, version: str | None, as_json: bool) -> None:
    """Pack a bundle into one file.

    ARCHIVE is the file to write, a .zip; with --wheel the folder to write to.
    """
    from wordkin.pack import pack
    from wordkin.wheel import write_wheel

    if version is not None and not wheel:
        raise InputError("--version is for wheels: give --wheel too, or leave it out.")
    bundle = chosen.open()
    with output.writing(archive):
        if wheel:
            archive = write_wheel(bundle.folder, archive, version)
        else:
            pack(bundle.folder, archive)
    output.print_written(chosen.lang, archive, as_json)


FORMAT_HELP = "\n".join(f"  {name}: {format_.about}" for name, format_ in FORMATS.items())


@click.command(
    help="Write a measure in the format of another program.\n\nPATH is the file or folder to "
    f"write, and FORMAT one of these:\n\n\b\n{FORMAT_HELP}"
)
@json_option
@bundle_options
@click.argument("format", type=click.Choice(list(FORMATS)), metavar="FORMAT")
@click.argument("path", type=FILE)
@click.option(
    "--words",
    type=FILE,
    metavar="FILE",
    help="Write only these words, one per line. [default: all words; our own board words for "
    "board-csv]",
)
@click.option(
    "--top",
    type=Whole(1),
    help="Write only the pairs of each word with this many nearest words (formats of pairs).",
)
def export(
    chosen: Chosen, format: str, path: Path, words: Path | None, top: int | None, as_json: bool
) -> None:
    """Write a measure to a file or folder."""
    bundle = chosen.open()
    listed = None
    if words and not (listed := read_words(words)):
        raise InputError(f"{words} has no words: put one on each line, or leave out --words.")
    measure = bundle.measure(chosen.measure) if chosen.measure else None
    with output.writing(path):
        skipped = FORMATS[format].write(bundle, measure, path, listed, top)
    if skipped:
        say(one_line(texts(chosen.lang)["note_unknown"].format(words=", ".join(skipped))))
    output.print_written(chosen.lang, path, as_json)
