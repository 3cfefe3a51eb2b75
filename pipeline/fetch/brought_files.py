"""Files that measures are made from, beside the text: what the fetch stage leaves of them.

    corpora/<lang>/brought.json    for each declaration its files with their hashes, or why not
    corpora/<lang>/brought/        the downloads; files of this machine stay where they are

This module downloads nothing: stages that only read the files depend on it alone.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.layout import Layout
from wordkin.errors import InputError
from wordkin.files import read_json, write_text


@dataclass(frozen=True)
class Brought:
    """The files of one declaration, or the reason why they could not be fetched."""

    files: list[Path]
    skipped: str | None = None
    licence: str | None = None


def read_brought(layout: Layout, name: str) -> Brought:
    """What was fetched under a name."""
    entries: Any = read_json(layout.brought, "is no list of files: run the stage fetch again")
    try:
        entry = entries[name]
        files = [layout.root / file["path"] for file in entry["files"]]
        return Brought(files, entry["skipped"], entry["licence"])
    except (KeyError, TypeError) as error:
        raise InputError(f"{layout.brought} has no '{name}': run the stage fetch again.") from error


def write_brought(layout: Layout, entries: Mapping[str, Mapping[str, Any]]) -> None:
    """Write what `read_brought` reads: for each name its files, or why there are none."""
    text = json.dumps(entries, indent=2, ensure_ascii=False)
    write_text(layout.brought, text + "\n")
