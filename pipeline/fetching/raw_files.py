"""Raw files of a source as they lie on this machine: hashed, verified, and recorded.

Whatever has to travel is kept under `fetched/<source>/` beside a record, `fetched.json`:

    {"location": "https://example.org/huwiki.xml.bz2", "etag": "\\"5f-1\\"",
     "last_modified": "Sat, 01 Mar 2025 06:00:00 GMT", "length": 1054210331,
     "files": [{"path": "huwiki.xml.bz2", "bytes": 1054210331, "sha256": "9c1f..."}]}

`files` is empty until the download is complete and verified; until then its bytes are in
`huwiki.xml.bz2.part`, and the validators of the record let a later run go on from there.
"""

import hashlib
import json
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Protocol

from tqdm import tqdm

from pipeline.locations import plain_path
from wordkin.errors import InputError
from wordkin.files import write_text

RECORD = "fetched.json"
PART = ".part"
CHUNK = 1024 * 1024  # bytes that are hashed or unpacked at a time
PROGRESS_FROM = 200_000_000  # smaller files are hashed before a bar could be read


class Fetchable(Protocol):
    """What can be fetched: a source of text, a gold set."""

    @property
    def name(self) -> str: ...
    @property
    def location(self) -> str: ...
    @property
    def sha256(self) -> str | None: ...
    @property
    def mirror(self) -> str | None: ...


@dataclass(frozen=True)
class RawFile:
    """One file of a source; `path` is posix, relative to the project where below it."""

    path: str
    bytes: int
    sha256: str


@dataclass(frozen=True)
class Record:
    """What `fetched.json` holds; the paths of its files are relative to its folder."""

    location: str
    etag: str | None = None
    last_modified: str | None = None
    length: int | None = None
    files: tuple[RawFile, ...] = ()

    @property
    def validator(self) -> str | None:
        """What `If-Range` may carry: weak tags do not promise the same bytes, so they may not."""
        strong = self.etag if self.etag and not self.etag.startswith("W/") else None
        return strong or self.last_modified

    @classmethod
    def read(cls, home: Path) -> "Record | None":
        try:
            fields = json.loads((home / RECORD).read_text(encoding="utf-8"))
            return cls(**{**fields, "files": tuple(RawFile(**file) for file in fields["files"])})
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None  # no record, or none that can be trusted: the same as never fetched

    def write(self, home: Path) -> None:
        write_json(home / RECORD, asdict(self))


def write_json(path: Path, value: Any) -> None:
    """Write beside, then rename: the same value gives the same bytes, and never half of them."""
    write_text(path, json.dumps(value, indent=2, sort_keys=True) + "\n")


def hash_files(
    source: Fetchable, files: Sequence[Path], progress: bool
) -> tuple[list[tuple[int, str]], str | None]:
    """Size and SHA-256 of each file, and the SHA-256 of all of them one after the other.

    The latter only where it is declared: it is a second pass of the processor over each byte.
    """
    total = sum(file.stat().st_size for file in files)
    several = source.sha256 is not None and len(files) > 1
    together = hashlib.sha256()
    hashed = []
    buffer = memoryview(bytearray(CHUNK))
    show = progress and total > PROGRESS_FROM
    with progress_bar(f"{source.name}: checking", total, 0, show) as bar:
        for file in files:
            digest, size = hashlib.sha256(), 0
            with file.open("rb", buffering=0) as stream:
                while count := stream.readinto(buffer):
                    chunk = buffer[:count]
                    digest.update(chunk)
                    if several:
                        together.update(chunk)
                    size += count
                    bar.update(count)
            hashed.append((size, digest.hexdigest()))
    if len(files) == 1:
        return hashed, hashed[0][1]
    return hashed, together.hexdigest() if several else None


def verify(source: Fetchable, found: str | None, what: str) -> None:
    """Hold what was found against the declared checksum, where there is one."""
    if source.sha256 is not None and found != source.sha256.lower():
        raise InputError(
            f"the checksum of {what} is wrong: sha256 {source.sha256.lower()} is declared, "
            f"{found} was found; get the right file, or declare what was found if you trust it."
        )


def raw_files(
    files: Iterable[Path], hashed: Iterable[tuple[int, str]], root: Path
) -> list[RawFile]:
    """Files with their sizes and hashes, by the paths that the manifest gives them."""
    return [
        RawFile(_path_from(root, file), size, digest)
        for file, (size, digest) in zip(files, hashed, strict=True)
    ]


def _path_from(root: Path, file: Path) -> str:
    path, base = plain_path(file), plain_path(root)
    return (path.relative_to(base) if path.is_relative_to(base) else path).as_posix()


def progress_bar(label: str, total: int | None, done: int, show: bool) -> Any:
    """A bar of bytes; none where nobody watches (`disable=None` is: not on a terminal)."""
    return tqdm(
        desc=label,
        total=total,
        initial=done,
        unit="B",
        unit_scale=True,
        leave=False,
        disable=None if show else True,
    )


def refuse_record_name(names: Iterable[str]) -> None:
    """Refuse files that would lie where their own record does."""
    if RECORD in names:
        raise InputError(
            f"a file called {RECORD} would take the place of the record of its own fetch; "
            "download it by hand and give its path."
        )


def require_space(folder: Path, needed: int) -> None:
    """Refuse to begin what does not fit on the disk."""
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise InputError(
            f"{needed:,} bytes are to come, {free:,} are free on the disk of {folder}; make room."
        )
