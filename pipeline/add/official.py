"""Corpora that their makers publish: where they are now, how large they are, and how to read them.

`python -m pipeline add hu --from wikipedia,opensubtitles` declares them. Each function here asks a
site what it offers and returns an `Offer`; nothing is downloaded before the stage `fetch`.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from pipeline.fetch.download import DownloadFailed, read_page
from pipeline.fetch.file_lists import read_list
from pipeline.languages.table import opus_code, wikipedia_code
from pipeline.locations import ListedFiles, parse
from pipeline.settings import Source
from wordkin.errors import InputError
from wordkin.words import base

DATES_TRIED = 6
"""The newest dumps of a Wikipedia may be unfinished; so many of them are looked at."""


@dataclass(frozen=True)
class Sites:
    """Where the sites are; an organisation with a copy of its own names that instead.

    Attributes
    ----------
    wikimedia : str
        The dumps of Wikimedia, or one of their mirrors (WORDKIN_WIKIMEDIA).
    opus : str
        The catalogue of OPUS (WORDKIN_OPUS).
    webcorpus : str
        The folder of the Hungarian Webcorpus 2.0 as text (WORDKIN_WEBCORPUS).
    mirror : Path or None
        A folder that is looked at before the network.
    """

    wikimedia: str = "https://dumps.wikimedia.org"
    opus: str = "https://opus.nlpl.eu/opusapi/"
    webcorpus: str = "https://nessie.ilab.sztaki.hu/~ndavid/Webcorpus2_text/"
    mirror: Path | None = None

    @classmethod
    def of_environment(
        cls, mirror: Path | None, environment: Mapping[str, str] = os.environ
    ) -> Sites:
        """The sites that the environment names, and the usual ones otherwise."""
        names = ("wikimedia", "opus", "webcorpus")
        given = {name: environment.get(f"WORDKIN_{name.upper()}") for name in names}
        return cls(**{name: site for name, site in given.items() if site}, mirror=mirror)


@dataclass(frozen=True)
class Offer:
    """A corpus as its makers offer it today.

    Attributes
    ----------
    source : Source
        How to declare it.
    release : str
        Which release it is, for people.
    files : int
        How many files it has.
    bytes : int
        How many bytes they have together, as the site says.
    verified : str
        How a download is verified.
    """

    source: Source
    release: str
    files: int
    bytes: int
    verified: str

    def __str__(self) -> str:
        number = "1 file" if self.files == 1 else f"{self.files:,} files"
        return (
            f"{self.source.name}: {self.release}, {number}, {self.bytes / 2**20:,.1f} MiB "
            f"({self.verified})"
        )


def wikipedia(code: str, sites: Sites) -> Offer:
    """The newest complete dump of a language's Wikipedia: its parts, or one file if it is small."""
    wiki = wikipedia_code(code).replace("-", "_") + "wiki"
    home = f"{sites.wikimedia.rstrip('/')}/{wiki}"
    try:
        page = read_page(f"{home}/", sites.mirror)
    except DownloadFailed as error:
        raise InputError(
            f"wikipedia: {error} Perhaps there is no Wikipedia in '{code}'."
        ) from error
    dates = sorted(set(re.findall(r"""href=["']?(?:[^"'>]*/)?(\d{8})/""", page)), reverse=True)
    for date in dates[:DATES_TRIED]:
        if files := _articles(f"{home}/{date}/dumpstatus.json", sites):
            break
    else:
        raise InputError(
            f"wikipedia: {home}/ has no complete dump of the articles; try again in some days."
        )
    whole = f"{wiki}-{date}-pages-articles.xml.bz2"
    pattern = whole if whole in files else f"{wiki}-{date}-pages-articles[0-9]*.xml-p*.bz2"
    location = f"listed:{home}/{date}/{wiki}-{date}-sha1sums.txt!{pattern}"
    sums = parse(location)
    assert isinstance(sums, ListedFiles)
    listed = read_list(sums, sites.mirror)
    if {file.name for file in listed} != set(files):
        raise InputError(
            f"wikipedia: {sums.url} does not list the same files as the status of that dump; try "
            "again in some hours."
        )
    source = Source(name="wikipedia", format="wikipedia", location=location, licence="CC BY-SA 4.0")
    day = f"{date[:4]}-{date[4:6]}-{date[6:]}"
    size = sum(files.values())
    return Offer(source, f"{wiki}, dump of {day}", len(files), size, "verified by published sha1")


def _articles(address: str, sites: Sites) -> dict[str, int]:
    """The files with articles in the status of a dump, and their sizes; none if it is not ready."""
    try:
        status = json.loads(read_page(address, sites.mirror))
        job = status["jobs"]["articlesdump"]
        if job["status"] != "done":
            return {}
        return {str(name): int(file["size"]) for name, file in job["files"].items()}
    except (DownloadFailed, ValueError, KeyError, TypeError, AttributeError):
        return {}


def opensubtitles(code: str, sites: Sites) -> Offer:
    """The newest release of OpenSubtitles in OPUS: all sentences of a language, one per line."""
    query = {
        "corpus": "OpenSubtitles",
        "source": opus_code(code),
        "preprocessing": "mono",
        "version": "latest",
    }
    address = f"{sites.opus.rstrip('/')}/?{urlencode(query)}"
    for entry in _catalogue(address, sites):
        url = str(entry.get("url", ""))
        if entry.get("source") == query["source"] and url.endswith(".txt.gz"):
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


def _catalogue(address: str, sites: Sites) -> list[dict[str, Any]]:
    try:
        corpora = json.loads(read_page(address, sites.mirror))["corpora"]
        return [entry for entry in corpora if isinstance(entry, dict)]
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(
            f"opensubtitles: {address} does not answer as the catalogue of OPUS does; try again "
            "later."
        ) from error


WEBCORPUS_BYTES = 25 * 10**9
"""What its makers say; the page of the folder does not add up sizes."""


def webcorpus(code: str, sites: Sites) -> Offer:
    """The Hungarian Webcorpus 2.0 (Nemeskey 2020) as text, which contains Hungarian Wikipedia."""
    if base(code) != "hu":
        raise InputError(f"webcorpus: it is Hungarian; there is none in '{code}'.")
    location = f"listed:{sites.webcorpus.rstrip('/')}/!*.txt.gz"
    listed = parse(location)
    assert isinstance(listed, ListedFiles)
    files = read_list(listed, sites.mirror)
    source = Source(
        name="webcorpus",
        format="text",
        location=location,
        document="blank",
        licence="CC BY-SA 4.0 (Wikipedia) and Common Crawl's terms of use",
    )
    release = "Hungarian Webcorpus 2.0"
    return Offer(source, release, len(files), WEBCORPUS_BYTES, "no checksums are published")


CORPORA: Mapping[str, Callable[[str, Sites], Offer]] = {
    "wikipedia": wikipedia,
    "opensubtitles": opensubtitles,
    "webcorpus": webcorpus,
}


@dataclass(frozen=True)
class Profile:
    """What a study used in one language: its corpora, and how many words."""

    corpora: tuple[str, ...]
    words: int


PROFILES: Mapping[str, Mapping[str, Profile]] = {
    # The method paper, section 4.1: 5,692 M tokens of English, 1,414 M of Hungarian. Its Webcorpus
    # was lemmatized by its makers; we take the text and lemmatize it ourselves.
    "paper": {
        "en": Profile(("wikipedia", "opensubtitles"), 15_000),
        "hu": Profile(("webcorpus",), 10_000),
    },
}


def profile(name: str, code: str) -> Profile:
    """What the study `name` used in a language."""
    languages = PROFILES[name]
    if code not in languages:
        known = " and ".join(sorted(languages))
        raise InputError(
            f"The profile '{name}' has {known}, not '{code}'; use --from wikipedia,opensubtitles."
        )
    return languages[code]
