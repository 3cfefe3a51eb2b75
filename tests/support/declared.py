"""Declared files: written, fetched, and looked at on the disk."""

import hashlib
from pathlib import Path

from pipeline.declarations import Declaration
from pipeline.fetch.fetcher import Fetched, Fetcher
from pipeline.fetch.raw_files import RawFile


def declared(
    name: str, location: str | None = None, sha256: str | None = None, mirror: str | None = None
) -> Declaration:
    """A declaration of files."""
    return Declaration(name=name, location=location, sha256=sha256, mirror=mirror)


def obtain(
    declaration: Declaration, downloads: Path, root: Path, mirror: Path | None = None
) -> Fetched:
    """What a fetcher in `root` makes of a declaration."""
    return Fetcher(root, mirror).fetch(declaration, downloads)


def fetch(
    declaration: Declaration, downloads: Path, root: Path, mirror: Path | None = None
) -> list[RawFile]:
    """The files of a declaration after fetching it in `root`."""
    return obtain(declaration, downloads, root, mirror).files


def sha256(data: bytes) -> str:
    """The checksum that a declaration of these bytes would have."""
    return hashlib.sha256(data).hexdigest()


def plant(root: Path, contents: dict[str, bytes]) -> None:
    """Write files below `root`, with their folders."""
    for name, content in contents.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def files_below(folder: Path) -> list[str]:
    """The paths of all files below a folder, relative to it and sorted."""
    files = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path.relative_to(folder).as_posix() for path in files)
