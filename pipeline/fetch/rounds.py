"""Fetch the recorded rounds of people: `human.rounds` of params.yaml → `eval/<lang>/rounds/`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from pipeline.fetch.optional import Reach, Unavailable, fetch_one
from pipeline.fetch.packages import PackageCache
from pipeline.fetch.recorded_rounds import write_recorded
from pipeline.fetch.sources import Fetcher
from pipeline.layout import Layout
from pipeline.settings import Human
from wordkin.game.rounds import read_rounds
from wordkin.program import say


def fetch_rounds(
    layout: Layout, settings: Human, mirror: Path | None, packages: PackageCache | None = None
) -> dict[str, Any]:
    """Fetch and check a language's rounds; if they are unavailable, print one line that says why.

    Returns the number of rounds, and the reason why they were skipped (None if they were not).
    """
    path, count, skipped = None, 0, None
    declaration = settings.rounds.get(layout.language)
    if declaration is None:
        skipped = "human.rounds in params.yaml names none"
    else:
        fetcher = Fetcher(layout.root, mirror, packages, progress=False)
        try:
            path = fetch_one(declaration, layout, fetcher, Reach())
            count = sum(len(item.rounds) for item in read_rounds(path))
        except Unavailable as error:
            skipped = str(error)
            say(f"rounds of {layout.language} skipped: {skipped}")
    write_recorded(layout, path, count, skipped)
    return {"rounds": count, "skipped": skipped}
