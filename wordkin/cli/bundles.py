"""`wordkin bundles`: the bundles that are there, from where, how large and how good."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from wordkin.cli import output
from wordkin.cli.command import Command
from wordkin.errors import InputError
from wordkin.manifest import read_manifest
from wordkin.pack import read_packed_manifest
from wordkin.places import (
    INSTALLED,
    Place,
    bundles_on_disk,
    installed_offers,
    package_folder,
    starter_bundles,
)

GOLD_SETS = ("MEN", "WS-353")
"""The gold sets whose scores are shown."""


def add_options(parser: ArgumentParser) -> None:
    """The command has no options but --json."""


def run(given: Namespace) -> None:
    """List all bundles, by language and in the order in which `load` looks for them."""
    bundles = sorted(_bundles(), key=lambda bundle: bundle["language"])
    if given.json:
        output.print_json(bundles)
    elif not bundles:
        print("There are no bundles: build one, install a wheel, or set WORDKIN_BUNDLES.")
    else:
        header = ("language", "words", "from", "store", "size", *GOLD_SETS, "path")
        output.print_table(header, [_cells(bundle) for bundle in bundles])


def _bundles() -> Iterator[dict[str, Any]]:
    for place in bundles_on_disk():
        yield _describe(place, place.code)
    for offer in sorted(set(installed_offers())):
        try:
            place = Place(package_folder(offer), INSTALLED)
        except InputError as error:
            yield _damaged(offer.language, INSTALLED, offer.package, error)
        else:
            yield _describe(place, offer.language)
    for place in starter_bundles():
        yield _describe(place, place.code)


def _describe(place: Place, code: str) -> dict[str, Any]:
    """What a bundle is; `code` stands for its language when it cannot be read."""
    path, origin = place
    try:
        manifest = read_manifest(path) if path.is_dir() else read_packed_manifest(path)
    except InputError as error:
        return _damaged(code, origin, str(path), error)
    return {
        "language": manifest["language"],
        "words": manifest["words"],
        "from": origin,
        "store": manifest.get("store", "full"),
        "bytes": _size(path),
        "default": manifest["default"],
        "scores": {name: gold_score(manifest, name) for name in GOLD_SETS},
        "path": str(path),
    }


def _damaged(code: str, origin: str, path: str, error: InputError) -> dict[str, Any]:
    return {"language": code, "from": origin, "path": path, "problem": str(error)}


def _size(path: Path) -> int:
    """The size on disk of a folder or an archive."""
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file())


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


COMMAND = Command(
    "bundles",
    "list the bundles that are there",
    add_options,
    run,
    example="bundles",
)
