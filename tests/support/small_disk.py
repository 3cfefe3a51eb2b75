"""A real small disk: a file system in memory that can be full or read-only."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest


class SmallDisk:
    """A mounted file system with little room.

    Parameters
    ----------
    folder : Path
        Where it is mounted.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @contextmanager
    def full(self, left: int = 0) -> Iterator[None]:
        """Fill the disk for the length of the block; `left` bytes stay free."""
        ballast = self.folder / "ballast"
        with ballast.open("wb", buffering=0) as file:
            with suppress(OSError):
                while True:
                    file.write(bytes(4096))
            file.truncate(max(0, file.tell() - left))
        try:
            yield
        finally:
            ballast.unlink()

    @contextmanager
    def read_only(self) -> Iterator[None]:
        """Mount the disk read-only for the length of the block."""
        _mount("-o", "remount,ro", str(self.folder))
        try:
            yield
        finally:
            _mount("-o", "remount,rw", str(self.folder))


@contextmanager
def small_disk(folder: Path, mebibytes: int) -> Iterator[SmallDisk]:
    """Mount a disk for the length of the block; skip the test where that is not allowed."""
    folder.mkdir()
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small disk")
    try:
        _mount("-t", "tmpfs", "-o", f"size={mebibytes}m", "wordkin-test", str(folder))
    except (OSError, subprocess.CalledProcessError) as error:
        pytest.skip(f"a small disk cannot be mounted here: {error}")
    try:
        yield SmallDisk(folder)
    finally:
        subprocess.run(["umount", "--lazy", str(folder)], check=True)


def _mount(*options: str) -> None:
    subprocess.run(["mount", *options], check=True, capture_output=True)
