"""Fetch the recorded rounds of people: `human.rounds` of params.yaml → `eval/<lang>/rounds/`."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.fetching.optional import Reach, Unavailable, local_file
from pipeline.fetching.recorded_rounds import write_recorded
from pipeline.layout import Layout
from pipeline.settings import Human
from wordkin.judging.rounds import read_rounds


@dataclass(frozen=True)
class _Wanted:
    """The rounds of a language as `local_file` asks for them."""

    name: str
    location: str | None
    sha256: str | None
    mirror: str | None


def fetch_rounds(layout: Layout, settings: Human, mirror: Path | None) -> dict[str, Any]:
    """Fetch and check a language's rounds; if they are unavailable, print one line that says why.

    Returns the number of rounds, and the reason why they were skipped (None if they were not).
    """
    skipped, count, path = None, 0, None
    declared = settings.rounds.get(layout.language)
    if declared is None:
        skipped = "human.rounds in params.yaml names none"
    else:
        wanted = _Wanted("rounds", declared.location, declared.sha256, declared.mirror)
        try:
            path = local_file(wanted, layout, mirror, Reach())
            count = sum(len(item.rounds) for item in read_rounds(path))
        except Unavailable as error:
            skipped = str(error)
            print(f"rounds of {layout.language} skipped: {skipped}", file=sys.stderr)
    write_recorded(layout, path, count, skipped)
    return {"rounds": count, "skipped": skipped}
