"""Sources as the settings would declare them, and what becomes of them on the disk."""

import hashlib
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Declared:
    """A source as the settings would declare it."""

    name: str
    location: str
    sha256: str | None = None
    mirror: str | None = None
    format: str | None = None
    licence: str | None = None


def sha256(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def plant(root: Path, contents: dict[str, bytes]) -> None:
    for name, content in contents.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def files_below(folder: Path) -> list[str]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return sorted(path.relative_to(folder).as_posix() for path in files)
