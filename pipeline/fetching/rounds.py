"""Recorded rounds of people: fetched where they can be had.

params.yaml's human.rounds ──fetch──▶ eval/<lang>/rounds/rounds.jsonl
                                      eval/<lang>/rounds/rounds.json  (how many, or why none)
"""

from __future__ import annotations

import shutil
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.layout import Layout
from pipeline.settings import Human
from wordkin.files import new_folder
from wordkin.judging.rounds import Item, read_rounds

ROUNDS, DESCRIPTION = "rounds.jsonl", "rounds.json"


@dataclass(frozen=True)
class _Wanted:
    """The rounds of a language as `gold.local_file` asks for them."""

    name: str
    location: str | None
    sha256: str | None
    mirror: str | None


def fetch_rounds(layout: Layout, settings: Human, mirror: Path | None) -> dict[str, Any]:
    """Get a language's rounds and check them; when they cannot be had, one line says why."""
    # Imported here: stages that only read the rounds need not wait for all that fetching needs.
    from pipeline.fetching import gold, raw_files

    declared = settings.rounds.get(layout.language)
    skipped, count, path = None, 0, None
    if declared is None:
        skipped = "human.rounds in params.yaml names none"
    else:
        wanted = _Wanted("rounds", declared.location, declared.sha256, declared.mirror)
        try:
            path = gold.local_file(wanted, layout, mirror, gold.Reach())
            count = sum(len(item.rounds) for item in read_rounds(path))
        except gold.Unavailable as error:
            skipped = str(error)
            print(f"rounds of {layout.language} skipped: {skipped}", file=sys.stderr)
    with new_folder(layout.rounds) as folder:
        if path:
            shutil.copyfile(path, folder / ROUNDS)
        raw_files.write_json(folder / DESCRIPTION, {"rounds": count, "skipped": skipped})
    return {"rounds": count, "skipped": skipped}


def recorded(layout: Layout) -> list[Item]:
    """The rounds that `fetch_rounds` got; none when it got none."""
    path = layout.rounds / ROUNDS
    return read_rounds(path) if path.is_file() else []
