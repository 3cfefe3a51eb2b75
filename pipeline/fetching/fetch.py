"""The stage fetch: bring together what a language is made from, and say what it all is.

params.yaml's sources ──▶ corpora/<lang>/sources.json (+ corpora/<lang>/fetched/)
our board words       ──▶ corpora/<lang>/boards.txt
eval/gold.yaml        ──▶ eval/<lang>/gold/
human.rounds          ──▶ eval/<lang>/rounds/
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Protocol

from pipeline.fetching import gold, rounds, wheels
from pipeline.fetching.raw_files import RECORD, Fetchable, RawFile, write_json
from pipeline.fetching.sources import obtain
from pipeline.layout import Layout
from pipeline.locations import LocalPath, parse
from pipeline.stage import Job, Metrics
from wordkin.errors import NoBoardWords
from wordkin.files import write_text
from wordkin.game.board import board_words


class SourceLike(Fetchable, Protocol):
    """A source as the manifest describes it."""

    @property
    def format(self) -> str | None: ...
    @property
    def licence(self) -> str | None: ...


def run(job: Job) -> Metrics:
    """Bring together what a language is made from: sources, board words, gold sets and rounds."""
    layout, mirror = job.layout, job.settings.fetch.folder(job.layout.root)
    with wheels.sharing(layout.corpora):
        metrics = fetch_sources(layout, job.language.sources, mirror)
        return {
            **metrics,
            "boards": fetch_boards(layout),
            "gold": gold.fetch_gold(layout, mirror),
            "rounds": rounds.fetch_rounds(layout, job.settings.human, mirror),
        }


def fetch_boards(layout: Layout) -> int:
    """Write the board words of a language, none where we have no list; returns their number."""
    try:
        words = board_words(layout.language)
    except NoBoardWords:
        words = []
    write_text(layout.boards, "".join(f"{word}\n" for word in words))
    return len(words)


def fetch_sources(layout: Layout, sources: Sequence[SourceLike], mirror: Path | None) -> Metrics:
    """Fetch a language's sources in order and write their manifest."""
    language, root = layout.language, layout.root
    for folder in (layout.raw, layout.fetched):
        folder.mkdir(parents=True, exist_ok=True)
    for name in remove_undeclared(layout.fetched, sources):
        print(f"{name}: no longer a source to fetch, its download is removed.", file=sys.stderr)
    fetched = [obtain(source, layout.fetched, root, mirror) for source in sources]
    write_json(layout.sources, manifest(language, sources, [each.files for each in fetched]))
    by_source = {
        source.name: {
            "files": len(each.files),
            "bytes": sum(file.bytes for file in each.files),
            "downloaded_bytes": each.downloaded,
        }
        for source, each in zip(sources, fetched, strict=True)
    }
    totals = {
        key: sum(counts[key] for counts in by_source.values())
        for key in ("files", "bytes", "downloaded_bytes")
    }
    return {**totals, "sources": by_source}


def manifest(
    language: str, sources: Sequence[SourceLike], files: Sequence[Sequence[RawFile]]
) -> dict[str, Any]:
    """What the later stages read: each source with the files to open, in declared order."""
    return {
        "language": language,
        "sources": [
            {
                "name": source.name,
                "format": source.format,
                "location": source.location,
                "licence": source.licence,
                "files": [asdict(file) for file in its_files],
            }
            for source, its_files in zip(sources, files, strict=True)
        ],
    }


def remove_undeclared(folder: Path, sources: Iterable[Fetchable]) -> list[str]:
    """Remove the downloads of sources that need none any more; returns their names.

    Only folders with a record are ours to remove.
    """
    needed = {
        source.name for source in sources if not isinstance(parse(source.location), LocalPath)
    }
    homes = sorted(path.parent for path in folder.glob(f"*/{RECORD}"))
    removed = [home for home in homes if home.name not in needed]
    for home in removed:
        shutil.rmtree(home)
    return [home.name for home in removed]


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    return (
        f"{len(metrics['sources'])} sources, {metrics['files']:,} files, "
        f"{metrics['bytes'] / 2**20:,.1f} MiB; {metrics['downloaded_bytes'] / 2**20:,.1f} MiB "
        "downloaded"
    )
