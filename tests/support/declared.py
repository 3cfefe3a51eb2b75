"""Declared files, written, fetched and looked at on the disk, and projects that declare them."""

import hashlib
from pathlib import Path
from typing import NamedTuple

import pytest

from pipeline.__main__ import main
from pipeline.declarations import Declaration
from pipeline.fetch.fetcher import Fetched, Fetcher
from pipeline.fetch.raw_files import RawFile
from pipeline.settings import LanguageSettings, load_settings
from tests.support.server import Server


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


class Wiki(NamedTuple):
    """A file that a server has, and a project that downloads it into a folder."""

    server: Server
    root: Path
    folder: Path

    def obtain(self, sha256: str | None = None) -> Fetched:
        """Download the file, which has this checksum if one is given."""
        return obtain(declared("wiki", self.server.url, sha256), self.folder, self.root)

    def fetch(self, sha256: str | None = None) -> list[RawFile]:
        return self.obtain(sha256).files

    @property
    def path(self) -> Path:
        """Where the file is when it is complete."""
        return self.folder / "wiki/wiki.bz2"

    def files(self) -> list[str]:
        return files_below(self.folder)


class Project(NamedTuple):
    """A project whose settings commands change."""

    root: Path
    capsys: pytest.CaptureFixture[str]

    @property
    def params(self) -> Path:
        return self.root / "params.yaml"

    def of(self, code: str) -> LanguageSettings:
        """The settings of a language."""
        return load_settings(self.params).of(code)

    def call(self, *command: str) -> int:
        """Run a command of the pipeline; returns its exit code."""
        self.capsys.readouterr()
        return main(["--root", str(self.root), *command])

    def run(self, *command: str) -> str:
        """What a command prints, which must succeed."""
        assert self.call(*command) == 0
        return self.printed()

    def printed(self) -> str:
        """What the last command printed."""
        return self.capsys.readouterr().out

    def refuse(self, *command: str) -> str:
        """The sentence with which a command is refused, which must change nothing."""
        before = self.files()
        assert self.call(*command) == 2
        assert self.files() == before
        return self.capsys.readouterr().err

    def files(self) -> dict[str, bytes | None]:
        """All files with their content, and all folders."""
        return {
            path.relative_to(self.root).as_posix(): path.read_bytes() if path.is_file() else None
            for path in self.root.rglob("*")
        }
