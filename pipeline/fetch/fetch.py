"""The stage fetch: bring together what a language is made from, and write down what it is.

sources of params.yaml      ──▶ corpora/<lang>/sources.json (+ corpora/<lang>/fetched/)
board words of the library  ──▶ corpora/<lang>/boards.txt
eval/gold.yaml              ──▶ eval/<lang>/gold/
human.rounds of params.yaml ──▶ eval/<lang>/rounds/
data of measures, dictionary──▶ corpora/<lang>/resources.json (+ corpora/<lang>/resources/)

What is needed must be there. Gold sets, rounds and the data of measures are a bonus: what cannot be
downloaded now is skipped, and a line says why.
"""

from __future__ import annotations

import shutil
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from pipeline.declarations import Declaration, Source
from pipeline.fetch.fetcher import Fetcher, Unavailable
from pipeline.fetch.gold import declared_sets, fetch_gold
from pipeline.fetch.packages import downloaded_packages
from pipeline.fetch.raw_files import RECORD, write_json
from pipeline.fetched import write_recorded, write_resources
from pipeline.layout import Layout
from pipeline.locations import LocalPath, parse
from pipeline.settings import Human, Section
from pipeline.stage import RUN, Job, Metrics, Stage
from pipeline.stages import section_kinds
from wordkin.errors import NoBoardWords
from wordkin.files import write_text
from wordkin.game.board import board_words
from wordkin.game.rounds import read_rounds
from wordkin.program import say


def run(job: Job) -> Metrics:
    """Bring together what a language is made from: sources, board words, gold sets and rounds."""
    layout, mirror = job.layout, job.settings.fetch.mirror_folder(job.layout.root)
    sources, resources = job.language.sources, _resources(job)
    with downloaded_packages(layout.corpora, mirror, show=True) as packages:
        fetcher = Fetcher(layout.root, mirror, packages)
        fetcher.prefetch(sources, layout.fetched)
        fetcher.prefetch(resources, layout.resource_downloads)
        fetcher.prefetch(declared_sets(layout.gold_sets, layout.language), layout.gold_downloads)
        return {
            **fetch_sources(layout, sources, fetcher),
            "boards": fetch_boards(layout),
            "gold": fetch_gold(layout, fetcher),
            "rounds": fetch_rounds(layout, job.settings.human, fetcher),
            "resources": fetch_resources(layout, resources, fetcher),
        }


def _resources(job: Job) -> list[Declaration]:
    """What is fetched beside the text: files for measures, and the dictionary for lemmas."""
    kinds = [kind for kind in section_kinds().values() if kind.files is not Section.files]
    sections = map(job.settings.section, kinds)
    return [file for section in sections for file in section.files(job.layout.language)]


def fetch_sources(layout: Layout, sources: Sequence[Source], fetcher: Fetcher) -> Metrics:
    """Fetch a language's sources in order, and write their manifest."""
    for folder in (layout.raw, layout.fetched):
        folder.mkdir(parents=True, exist_ok=True)
    for name in _remove_undeclared(layout.fetched, sources):
        say(f"{name}: no longer needed, so its download is removed.")
    fetched = [fetcher.fetch(source, layout.fetched) for source in sources]
    described = [
        {
            "name": source.name,
            "format": source.format,
            "location": source.location,
            "licence": source.licence,
            "files": [asdict(file) for file in outcome.files],
        }
        for source, outcome in zip(sources, fetched, strict=True)
    ]
    write_json(layout.sources, {"language": layout.language, "sources": described})
    figures = {
        source.name: {
            "files": len(outcome.files),
            "bytes": sum(file.bytes for file in outcome.files),
        }
        for source, outcome in zip(sources, fetched, strict=True)
    }
    return {
        "files": sum(one["files"] for one in figures.values()),
        "bytes": sum(one["bytes"] for one in figures.values()),
        "sources": figures,
        RUN: {"downloaded_bytes": sum(outcome.downloaded for outcome in fetched)},
    }


def _remove_undeclared(folder: Path, sources: Sequence[Declaration]) -> list[str]:
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


def fetch_rounds(layout: Layout, settings: Human, fetcher: Fetcher) -> dict[str, Any]:
    """Fetch and check a language's recorded rounds.

    Returns the number of rounds, and the reason why they were skipped (None if they were not).
    """
    path, count, skipped = None, 0, None
    declaration = settings.rounds.get(layout.language)
    if declaration is None:
        skipped = "human.rounds in params.yaml names none"
    else:
        try:
            path = fetcher.fetch_one(declaration, layout.gold_downloads)
            count = sum(len(item.rounds) for item in read_rounds(path))
        except Unavailable as error:
            skipped = str(error)
            say(f"rounds of {layout.language} skipped: {skipped}")
    write_recorded(layout, path, count, skipped)
    return {"rounds": count, "skipped": skipped}


def fetch_resources(
    layout: Layout, declarations: Sequence[Declaration], fetcher: Fetcher
) -> dict[str, Any]:
    """Fetch the files of measures and dictionaries, and write down what there is of them."""
    layout.resource_downloads.mkdir(parents=True, exist_ok=True)
    entries: dict[str, Any] = {}
    for declaration in declarations:
        files, skipped = [], None
        try:
            files = fetcher.fetch_optional(declaration, layout.resource_downloads)
        except Unavailable as error:
            skipped = str(error)
            say(f"{declaration.name} skipped: {skipped}")
        entries[declaration.name] = {
            "location": declaration.location,
            "licence": declaration.licence,
            "files": [asdict(file) for file in files],
            "skipped": skipped,
        }
    write_resources(layout, entries)
    return {
        "files": sum(len(entry["files"]) for entry in entries.values()),
        "skipped": {name: entry["skipped"] for name, entry in entries.items() if entry["skipped"]},
    }


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    gold, rounds = metrics["gold"], metrics["rounds"]
    downloaded = metrics[RUN]["downloaded_bytes"]
    return (
        f"sources: {len(metrics['sources'])}; files: {metrics['files']:,} with "
        f"{metrics['bytes'] / 2**20:,.1f} MiB ({downloaded / 2**20:,.1f} MiB downloaded); "
        f"board words: {metrics['boards']:,}; gold sets: {len(gold['pairs'])} "
        f"({len(gold['skipped'])} skipped); recorded rounds: {rounds['rounds']:,}"
        + (" (skipped)" if rounds["skipped"] else "")
    )


STAGE = Stage(
    "fetch",
    run,
    describe,
    reads=("raw", "gold_sets"),
    writes=("fetched", "sources", "resource_downloads", "resources", "boards", "gold", "rounds"),
    params=(
        "languages.${key}.sources", "lemmas", "fetch", "human.rounds", "translated", "extras",
    ),
    kept=("fetched", "resource_downloads"),
)  # fmt: skip
