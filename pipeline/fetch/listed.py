"""Files that a list at an address names, fetched side by side and verified by its checksums.

A list is a file of checksums, as `sha1sum` writes it, or the page that a web server shows for a
folder. Each file is a download of its own, in a folder of its own: what is complete stays, and a
later run resumes the rest.
"""

from __future__ import annotations

import hashlib
import html
import re
import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path
from threading import Event
from typing import NamedTuple
from urllib.parse import quote, unquote, urljoin

from pipeline.declaration import Declaration
from pipeline.fetch.download import Stopped
from pipeline.fetch.pages import read_page
from pipeline.fetch.raw_files import CHUNK, RawFile, WrongChecksum
from pipeline.locations import ListedFiles
from wordkin.errors import InputError

CONNECTIONS = 2
"""How many files are downloaded at once: Wikimedia asks everybody to use no more."""

_ALGORITHMS = {32: "md5", 40: "sha1", 64: "sha256", 128: "sha512"}
_CHECKSUM = re.compile(
    r"([0-9A-Fa-f]{32}|[0-9A-Fa-f]{40}|[0-9A-Fa-f]{64}|[0-9A-Fa-f]{128})"
    r"[ \t]+\*?(?:\./)?([^/\s]+)"
)
_LINK = re.compile(r"""href\s*=\s*["']([^"'?#]+)["']""", re.IGNORECASE)
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._+=-]*")


@dataclass(frozen=True)
class ListedFile:
    """One file of a list: its name, its address and its published checksum, if there is one."""

    name: str
    url: str
    checksum: str | None

    def refusal(self, path: Path) -> str | None:
        """Why the file at `path` is not the one whose checksum was published; None if it is."""
        if self.checksum is None:
            return None
        algorithm = _ALGORITHMS[len(self.checksum)]
        digest = hashlib.new(algorithm, usedforsecurity=False)
        with path.open("rb", buffering=0) as stream:
            while chunk := stream.read(CHUNK):
                digest.update(chunk)
        if digest.hexdigest() == self.checksum:
            return None
        return (
            f"{self.url} has the {algorithm} {digest.hexdigest()}, and {self.checksum} is "
            "published for it; run it again later, or choose a newer release."
        )


def read_list(location: ListedFiles, mirror: Path | None) -> list[ListedFile]:
    """The files of a list that match its pattern, sorted by name."""
    checksums = parse_list(read_page(location.url, mirror))
    names = sorted(name for name in checksums if fnmatchcase(name, location.pattern))
    if not names:
        raise InputError(
            f"{location.url} names {len(checksums):,} files and none of them matches "
            f"'{location.pattern}'; correct the location."
        )
    return [ListedFile(name, urljoin(location.url, quote(name)), checksums[name]) for name in names]


def parse_list(text: str) -> dict[str, str | None]:
    """The names in a list, each with its checksum; a page of links has none.

    Names that could lead out of a folder, and links to other places, are left out.
    """
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    matches = [_CHECKSUM.fullmatch(line) for line in lines]
    if lines and all(matches):
        named: dict[str, str | None] = {m[2]: m[1].lower() for m in matches if m}
    else:
        named = dict.fromkeys(unquote(html.unescape(link)) for link in _LINK.findall(text))
    return {name: checksum for name, checksum in named.items() if _NAME.fullmatch(name)}


class OneFetched(NamedTuple):
    """One file of a list on this machine."""

    file: RawFile
    path: Path
    downloaded: int


FetchOne = Callable[[Declaration, Path, Callable[[], bool]], OneFetched]
"""Fetches one file into a folder; the function that it gets says whether to stop."""


def fetch_listed(
    location: ListedFiles, home: Path, mirror: Path | None, fetch_one: FetchOne
) -> list[OneFetched]:
    """All files of a list, each in a folder of its own below `home`, in the order of their names.

    If a file was replaced on the server while we were downloading, its checksum is wrong by the
    list that we have; then the list is read again, and what it says now decides.
    """
    files = read_list(location, mirror)
    try:
        fetched = _fetch_all(files, home, fetch_one)
    except WrongChecksum:
        newer = read_list(location, mirror)
        if newer == files:
            raise
        files, fetched = newer, _fetch_all(newer, home, fetch_one)
    for folder in home.iterdir():
        if folder.is_dir() and folder.name not in {file.name.lower() for file in files}:
            shutil.rmtree(folder)  # of an older list
    return fetched


def _fetch_all(files: Sequence[ListedFile], home: Path, fetch_one: FetchOne) -> list[OneFetched]:
    """Fetch a few files at a time.

    When one fails, the others stop: what is complete stays, and a later run resumes the rest.
    """
    stopped = Event()
    with ThreadPoolExecutor(CONNECTIONS) as pool:
        futures = [
            pool.submit(_fetch_verified, file, home, fetch_one, stopped.is_set) for file in files
        ]
        try:
            wait(futures, return_when=FIRST_EXCEPTION)
        finally:
            stopped.set()
            for future in futures:
                future.cancel()
    for future in futures:
        _raise_failure(future)
    return [future.result() for future in futures]


def _fetch_verified(
    file: ListedFile, home: Path, fetch_one: FetchOne, is_stopped: Callable[[], bool]
) -> OneFetched:
    if is_stopped():
        raise Stopped
    declaration = Declaration(file.name, file.url)
    fetched = fetch_one(declaration, home, is_stopped)
    refusal = file.refusal(fetched.path)
    if refusal and not fetched.downloaded and fetched.path.is_relative_to(home):
        # An earlier run's file, from before the list changed.
        shutil.rmtree(home / declaration.folder_name)
        fetched = fetch_one(declaration, home, is_stopped)
        refusal = file.refusal(fetched.path)
    if refusal:
        raise WrongChecksum(refusal)
    return fetched


def _raise_failure(future: Future[OneFetched]) -> None:
    """Raise why a file failed, unless it only stopped because of another one."""
    if future.cancelled():
        return
    error = future.exception()
    if error is not None and not isinstance(error, Stopped):
        raise error
