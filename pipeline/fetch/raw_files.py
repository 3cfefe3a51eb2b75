"""Files on this machine: hashed, verified, and, if they were downloaded, recorded.

A download is kept in `fetched/<name>/` together with its record, `fetched.json`:

    {"location": "https://example.org/huwiki.xml.bz2", "etag": "\\"5f-1\\"",
     "last_modified": "Sat, 01 Mar 2025 06:00:00 GMT", "length": 1054210331,
     "files": [{"path": "huwiki.xml.bz2", "bytes": 1054210331, "sha256": "9c1f..."}]}

`files` is empty until the download is complete and verified. Until then the bytes are in
`huwiki.xml.bz2.part`, and the record's validators (`etag`, `last_modified`) let a later run resume.
"""

import hashlib
import json
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from tqdm import tqdm

from pipeline import storage
from pipeline.declarations import Declaration
from pipeline.locations import absolute_path
from pipeline.storage import AnyPath, RemotePath
from wordkin.errors import InputError
from wordkin.files import write_text

RECORD = "fetched.json"
CHUNK = 1024 * 1024  # how many bytes are hashed or unpacked at a time
PROGRESS_FROM = 200_000_000  # fewer bytes are hashed before anyone could read a bar


@dataclass(frozen=True)
class RawFile:
    """One file; `path` is a POSIX path, relative to the project if the file is inside it."""

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
        """What `If-Range` may carry: a strong tag or a date, as a weak tag allows other bytes."""
        strong = self.etag if self.etag and not self.etag.startswith("W/") else None
        return strong or self.last_modified

    @classmethod
    def read(cls, home: Path) -> "Record | None":
        """The record in the folder `home`; None if there is none, or a damaged one."""
        try:
            fields = json.loads((home / RECORD).read_text(encoding="utf-8"))
            return cls(**{**fields, "files": tuple(RawFile(**file) for file in fields["files"])})
        except (FileNotFoundError, ValueError, KeyError, TypeError):
            return None  # the same as never fetched

    def write(self, home: Path) -> None:
        """Write the record into the folder `home`."""
        write_json(home / RECORD, asdict(self))


def write_json(path: Path, value: Any) -> None:
    """Write a value as JSON; equal values give equal bytes."""
    write_text(path, json.dumps(value, indent=2, sort_keys=True) + "\n")


def hash_files(
    declaration: Declaration, files: Sequence[AnyPath], root: Path, show: bool
) -> tuple[list[RawFile], str]:
    """The files with their sizes and checksums, under the paths that the manifest gives them.

    And the checksum of all bytes, one file after the other, if one is declared; of several files
    this means hashing every byte a second time.
    """
    several = declaration.sha256 is not None and len(files) > 1
    together = hashlib.sha256()
    hashed: list[RawFile] = []
    buffer = memoryview(bytearray(CHUNK))
    total = sum(storage.state(file).size for file in files)
    show = show and total > PROGRESS_FROM
    with progress_bar(f"{declaration.name}: checking", total, 0, show) as bar:
        for file in files:
            digest, size = hashlib.sha256(), 0
            with storage.opened(file) as stream:
                while count := stream.readinto(buffer):
                    digest.update(buffer[:count])
                    if several:
                        together.update(buffer[:count])
                    size += count
                    bar.update(count)
            hashed.append(RawFile(path_from(root, file), size, digest.hexdigest()))
    return hashed, together.hexdigest() if several or not hashed else hashed[0].sha256


class WrongChecksum(InputError):
    """A file that is not the declared one."""


def verify(declaration: Declaration, sha256: str, what: str) -> None:
    """Refuse bytes whose checksum is not the declared one."""
    if declaration.sha256 is not None and sha256 != declaration.sha256.lower():
        raise WrongChecksum(
            f"the checksum of {what} is wrong: sha256 {declaration.sha256.lower()} is declared, "
            f"{sha256} was found; get the right file, or declare what was found if you trust it."
        )


def path_from(folder: Path, file: AnyPath) -> str:
    """A path for a record: relative to the folder, or absolute if the file is elsewhere."""
    if isinstance(file, RemotePath):
        return str(file)
    path, base = absolute_path(file), absolute_path(folder)
    return (path.relative_to(base) if path.is_relative_to(base) else path).as_posix()


def progress_bar(label: str, total: int | None, done: int, show: bool) -> Any:
    """A bar that counts bytes, on a terminal only (this is what `disable=None` means)."""
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
    """Refuse files that would overwrite the record of their own download."""
    if RECORD in names:
        raise InputError(
            f"a file called {RECORD} would overwrite the record of its own download; "
            "download it by hand and declare its path."
        )


def require_space(folder: Path, needed: int) -> None:
    """Refuse a download that does not fit on the disk."""
    free = shutil.disk_usage(folder).free
    if needed > free:
        raise InputError(
            f"{needed:,} bytes are needed and {free:,} are free on the disk of {folder}; make room."
        )
