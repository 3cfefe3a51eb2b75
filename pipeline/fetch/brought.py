"""Fetch the files that measures are made from: `vectors` of params.yaml → corpora/<lang>/brought.

What this machine should have must be there. Anything else is a bonus: if it cannot be downloaded
now, its measures are skipped and a line says why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pipeline.declaration import Declaration
from pipeline.fetch.brought_files import write_brought
from pipeline.fetch.clients import Unreachable
from pipeline.fetch.download import DownloadFailed
from pipeline.fetch.optional import Reach
from pipeline.fetch.packages import PackageCache
from pipeline.fetch.raw_files import RawFile, WrongChecksum
from pipeline.fetch.sources import Fetcher
from pipeline.layout import Layout
from pipeline.locations import Address, parse
from wordkin.program import say


def fetch_brought(
    layout: Layout,
    declarations: Sequence[Declaration],
    mirror: Path | None,
    packages: PackageCache | None = None,
) -> dict[str, Any]:
    """Fetch each declaration, and write what there is of it."""
    layout.brought_downloads.mkdir(parents=True, exist_ok=True)
    fetcher = Fetcher(layout.root, mirror, packages)
    reach = Reach()
    entries: dict[str, Any] = {}
    for declaration in declarations:
        files, skipped = _fetch(declaration, layout, fetcher, reach)
        if skipped:
            say(f"{declaration.name} skipped: {skipped}")
        entries[declaration.name] = {
            "location": declaration.location,
            "licence": declaration.licence,
            "files": [asdict(file) for file in files],
            "skipped": skipped,
        }
    write_brought(layout, entries)
    return {
        "files": sum(len(entry["files"]) for entry in entries.values()),
        "skipped": {name: entry["skipped"] for name, entry in entries.items() if entry["skipped"]},
    }


def _fetch(
    declaration: Declaration, layout: Layout, fetcher: Fetcher, reach: Reach
) -> tuple[list[RawFile], str | None]:
    """The files of a declaration, or why there are none."""
    location = parse(declaration.location) if declaration.location else None
    remote = isinstance(location, Address)
    if not fetcher.mirrored_files(declaration):
        if location is None:
            return [], "it is available from a mirror folder only, and none has it"
        downloaded = (layout.brought_downloads / declaration.folder_name).is_dir()
        if isinstance(location, Address) and not downloaded and not reach(location):
            return [], f"{location.url} cannot be reached and no mirror folder has it"
    try:
        return fetcher.fetch(declaration, layout.brought_downloads).files, None
    except (DownloadFailed, WrongChecksum) as error:
        if not remote:
            raise
        return [], str(error)
    except Unreachable as error:
        return [], str(error)
