"""The recorded rounds of a language, as the fetch stage leaves them for later stages.

    eval/<lang>/rounds/rounds.jsonl   the rounds; absent when there are none
    eval/<lang>/rounds/rounds.json    how many there are, or why there are none

This module downloads nothing: stages that only read rounds depend on it alone.
"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from pipeline.layout import Layout
from wordkin.files import new_folder, write_text
from wordkin.game.rounds import Item, read_rounds

ROUNDS, DESCRIPTION = "rounds.jsonl", "rounds.json"


def read_recorded(layout: Layout) -> list[Item]:
    """The recorded rounds of a language; an empty list when there are none."""
    path = layout.rounds / ROUNDS
    return read_rounds(path) if path.is_file() else []


def write_recorded(layout: Layout, path: Path | None, rounds: int, skipped: str | None) -> None:
    """Replace the folder of a language's rounds by a copy of `path` and its description."""
    content = {"rounds": rounds, "skipped": skipped}
    with new_folder(layout.rounds) as temporary:
        if path is not None:
            shutil.copyfile(path, temporary / ROUNDS)
        write_text(temporary / DESCRIPTION, json.dumps(content, indent=2, sort_keys=True) + "\n")
