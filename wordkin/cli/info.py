"""`wordkin info`: the content of a bundle, and where it was found."""

from __future__ import annotations

from argparse import Namespace

from wordkin.cli import options, output
from wordkin.cli.command import Command


def run(given: Namespace) -> None:
    """Print what a bundle has and where it came from."""
    bundle = options.open_bundle(given)
    manifest = bundle.manifest
    path, origin = bundle.place
    if given.json:
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


COMMAND = Command(
    "info",
    "show what a bundle has and where it came from",
    options.add_bundle_options,
    run,
    example="info --lang hu",
)
