"""Corpora that their makers publish: `python -m pipeline add hu --from wikipedia,opensubtitles`.

Each function in `CORPORA` asks a site what it offers today: where the files are, how large they
are, and how to read them. Nothing is downloaded before the stage fetch.
"""

from __future__ import annotations

import dataclasses
import json
import os
import re
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlencode

from pipeline.declarations import Source
from pipeline.fetch.discovery import free_name
from pipeline.fetch.download import DownloadFailed, read_list, read_page
from pipeline.fetch.params_file import write_sources
from pipeline.languages.table import opus_code, wikipedia_code
from pipeline.layout import Layout
from pipeline.locations import ListedFiles
from pipeline.mistakes import suggestion
from pipeline.settings import language_code, load_settings
from wordkin.errors import InputError
from wordkin.words import base

SITES = {
    "wikimedia": "https://dumps.wikimedia.org",
    "opus": "https://opus.nlpl.eu/opusapi/",
    "webcorpus": "https://nessie.ilab.sztaki.hu/~ndavid/Webcorpus2_text/",
}
"""The dumps of Wikimedia, the catalogue of OPUS, and the Hungarian Webcorpus 2.0 as text. An
organisation with a copy of its own names it in WORDKIN_WIKIMEDIA, WORDKIN_OPUS, ..."""

DATES_TRIED = 6
"""The newest dumps of a Wikipedia may be unfinished; so many of them are looked at."""

WEBCORPUS_BYTES = 25 * 10**9
"""What its makers say; the page of the folder does not add up sizes."""


class Offer(NamedTuple):
    """A corpus as its makers offer it today: how to declare it, and how large it is."""

    source: Source
    release: str
    files: int
    bytes: int
    verified: str  # how a download is verified

    def __str__(self) -> str:
        number = "1 file" if self.files == 1 else f"{self.files:,} files"
        return (
            f"{self.source.name}: {self.release}, {number}, {self.bytes / 2**20:,.1f} MiB "
            f"({self.verified})"
        )


def site(name: str) -> str:
    """The address of a site, without a slash at its end."""
    return (os.environ.get(f"WORDKIN_{name.upper()}") or SITES[name]).rstrip("/")


# ── what sites offer ─────────────────────────────────────────────────────────────────────────


def wikipedia(code: str, mirror: Path | None) -> Offer:
    """The newest complete dump of a language's Wikipedia: its parts, or one file if it is small."""
    wiki = wikipedia_code(code).replace("-", "_") + "wiki"
    home = f"{site('wikimedia')}/{wiki}"
    try:
        page = read_page(f"{home}/", mirror)
    except DownloadFailed as error:
        raise InputError(
            f"wikipedia: {error} Perhaps there is no Wikipedia in '{code}'."
        ) from error
    dates = sorted(set(re.findall(r"""href=["']?(?:[^"'>]*/)?(\d{8})/""", page)), reverse=True)
    for date in dates[:DATES_TRIED]:
        if sizes := _articles(f"{home}/{date}/dumpstatus.json", mirror):
            break
    else:
        raise InputError(
            f"wikipedia: {home}/ has no complete dump of the articles; try again in some days."
        )
    whole = f"{wiki}-{date}-pages-articles.xml.bz2"
    pattern = whole if whole in sizes else f"{wiki}-{date}-pages-articles[0-9]*.xml-p*.bz2"
    sums = f"{home}/{date}/{wiki}-{date}-sha1sums.txt"
    if {file.name for file in read_list(ListedFiles(sums, pattern), mirror)} != set(sizes):
        raise InputError(
            f"wikipedia: {sums} does not list the same files as the status of that dump; try "
            "again in some hours."
        )
    source = Source(
        name="wikipedia",
        format="wikipedia",
        location=f"listed:{sums}!{pattern}",
        licence="CC BY-SA 4.0",
    )
    release = f"{wiki}, dump of {date[:4]}-{date[4:6]}-{date[6:]}"
    return Offer(source, release, len(sizes), sum(sizes.values()), "verified by published sha1")


def _articles(address: str, mirror: Path | None) -> dict[str, int]:
    """The files with articles in the status of a dump, and their sizes; none if it is not ready."""
    try:
        job = json.loads(read_page(address, mirror))["jobs"]["articlesdump"]
        if job["status"] != "done":
            return {}
        return {str(name): int(file["size"]) for name, file in job["files"].items()}
    except (DownloadFailed, ValueError, KeyError, TypeError, AttributeError):
        return {}


def opensubtitles(code: str, mirror: Path | None) -> Offer:
    """The newest release of OpenSubtitles in OPUS: all sentences of a language, one per line."""
    language = opus_code(code)
    query = {"corpus": "OpenSubtitles", "source": language, "preprocessing": "mono"}
    address = f"{site('opus')}/?{urlencode({**query, 'version': 'latest'})}"
    try:
        entries: list[dict[str, Any]] = json.loads(read_page(address, mirror))["corpora"]
        entries = [entry for entry in entries if entry.get("source") == language]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise InputError(
            f"opensubtitles: {address} does not answer as the catalogue of OPUS does; try again "
            "later."
        ) from error
    for entry in entries:
        url = str(entry.get("url", ""))
        if url.endswith(".txt.gz"):
            source = Source(
                name="opensubtitles",
                format="opensubtitles",
                location=url,
                licence="see https://opus.nlpl.eu/",
            )
            release = f"OpenSubtitles {entry.get('version', '')} of OPUS"
            size = int(entry.get("size") or 0) * 1024
            return Offer(source, release, 1, size, "OPUS publishes no checksums")
    raise InputError(f"opensubtitles: OPUS has no subtitles in '{code}' ({address}).")


def webcorpus(code: str, mirror: Path | None) -> Offer:
    """The Hungarian Webcorpus 2.0 (Nemeskey 2020) as text, which contains Hungarian Wikipedia."""
    if base(code) != "hu":
        raise InputError(f"webcorpus: it is Hungarian; there is none in '{code}'.")
    folder = f"{site('webcorpus')}/"
    files = read_list(ListedFiles(folder, "*.txt.gz"), mirror)
    source = Source(
        name="webcorpus",
        format="text",
        location=f"listed:{folder}!*.txt.gz",
        document="blank",
        licence="CC BY-SA 4.0 (Wikipedia) and Common Crawl's terms of use",
    )
    verified = "no checksums are published"
    return Offer(source, "Hungarian Webcorpus 2.0", len(files), WEBCORPUS_BYTES, verified)


CORPORA: Mapping[str, Callable[[str, Path | None], Offer]] = {
    "wikipedia": wikipedia,
    "opensubtitles": opensubtitles,
    "webcorpus": webcorpus,
}


PROFILES: Mapping[str, Mapping[str, tuple[list[str], int]]] = {
    # The method paper, section 4.1: 5,692 M tokens of English, 1,414 M of Hungarian. Its Webcorpus
    # was lemmatized by its makers; we take the text and lemmatize it ourselves.
    "paper": {
        "en": (["wikipedia", "opensubtitles"], 15_000),
        "hu": (["webcorpus"], 10_000),
    },
}
"""What studies used in each language: their corpora, and how many words."""


# ── declaring them ───────────────────────────────────────────────────────────────────────────


def add_published(
    root: Path,
    code: str,
    names: Sequence[str],
    mirror: Path | None = None,
    profile: str | None = None,
    replace: bool = False,
) -> list[str]:
    """Declare corpora by name, or those of a study, as sources of the language `code`.

    Returns lines for a person: what each corpus is, how large, and what to do next. Nothing is
    downloaded; if anything is refused, nothing is declared.
    """
    if fault := language_code(code):
        raise InputError(f"The language {fault}, not '{code}'.")
    study = PROFILES[profile] if profile else {}
    if profile and code not in study:
        raise InputError(
            f"The profile '{profile}' has {' and '.join(sorted(study))}, not '{code}'; use --from "
            "wikipedia,opensubtitles."
        )
    corpora, words = study.get(code, ([], None))
    wanted = list(dict.fromkeys([*names, *corpora]))
    for name in wanted:
        if name not in CORPORA:
            raise InputError(f"--from: there is no corpus '{name}'; {suggestion(name, CORPORA)}")
    params, layout = root / "params.yaml", Layout(root, code)
    language = load_settings(params).languages.get(code)
    declared = language.sources if language and not replace else []
    offers = [CORPORA[name](code, mirror) for name in wanted]
    for offer in offers:
        if any(offer.source.location == source.location for source in declared):
            raise InputError(f"languages.{code}.sources has {offer.source.location} already.")
    total, free = sum(offer.bytes for offer in offers), _free_bytes(layout.corpora)
    if total > free:
        raise InputError(
            f"{total / 2**30:,.1f} GiB have to be downloaded and {free / 2**30:,.1f} GiB are free "
            f"on the disk of {layout.corpora}; make room."
        )
    taken = [source.name for source in declared]
    sources = [
        # A newer dump beside an older one is wikipedia-2.
        dataclasses.replace(offer.source, name=free_name(offer.source.name, taken))
        for offer in offers
    ]
    layout.raw.mkdir(parents=True, exist_ok=True)  # DVC watches it
    write_sources(params, code, sources, replace, words)
    lines = [str(offer) for offer in offers]
    lines.append(f"to download: {total / 2**20:,.1f} MiB; free: {free / 2**20:,.1f} MiB")
    if declared:
        kept = ", ".join(source.name for source in declared)
        lines.append(f"declared before and kept: {kept} (--replace removes them)")
    added = ", ".join(source.name for source in sources)
    return [
        *lines,
        "",
        f"added to params.yaml below languages.{code}: {added}; nothing is downloaded yet. "
        f"Now run: dvc repro (or, to download only: dvc repro fetch@{code})",
    ]


def _free_bytes(folder: Path) -> int:
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    return shutil.disk_usage(existing).free


def known_sources(code: str) -> list[str]:
    """A language's Wikipedia and OpenSubtitles, as lines to paste into params.yaml."""
    wiki = wikipedia_code(code).replace("-", "_") + "wiki"
    opus = f"https://object.pouta.csc.fi/OPUS-OpenSubtitles/v2018/mono/{opus_code(code)}.txt.gz"
    return [
        f"# raw text of '{code}': paste below languages.{code}.sources in params.yaml, or let",
        f"# python -m pipeline add {code} --from wikipedia,opensubtitles declare the newest ones",
        "- name: wikipedia",
        "  format: wikipedia",
        f"  location: {SITES['wikimedia']}/{wiki}/latest/{wiki}-latest-pages-articles.xml.bz2",
        "  licence: CC BY-SA 4.0",
        "- name: opensubtitles # sentences, without the borders of films",
        "  format: opensubtitles",
        f"  location: {opus}",
        "  licence: see https://opus.nlpl.eu/",
        "- name: opensubtitles-films # the same, with the borders of films: take one of the two",
        "  format: opensubtitles",
        f"  location: {opus.replace('/mono/', '/raw/').replace('.txt.gz', '.zip')}",
        "  licence: see https://opus.nlpl.eu/",
    ]
