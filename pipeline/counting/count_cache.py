"""What was counted before: a file a source, so that only what is new has to be counted.

Counts add, so the matrix of a language is the sum of its sources' counts, and those of a source
stay true as long as its tokens, the vocabulary and the settings are the same. A file is

    one line of JSON     what the counts depend on, how long each block is, a hash of all blocks
    blocks               those of all bands, one after the other (`pipeline.counting.bands`)

and lies in matrices/<lang>/counted/, which DVC does not know: it may be deleted at any time, and
the next run counts everything.
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wordkin.files import new_file


@dataclass(frozen=True)
class Basis:
    """All that the counts of a source depend on, the most far-reaching first."""

    program: str
    settings: dict[str, Any]
    vocabulary: str
    text: str

    def change_since(self, before: Basis) -> str | None:
        """The first thing that is not as it was; None: the counts still hold."""
        for field in dataclasses.fields(self):
            if getattr(self, field.name) != getattr(before, field.name):
                return field.name
        return None


@dataclass(frozen=True)
class CachedCounts:
    """The counts of one source."""

    path: Path
    basis: Basis
    lengths: list[int]
    start: int

    def block(self, band: int) -> bytes | None:
        """The block of a band; None where no pair of the band was seen."""
        if not self.lengths[band]:
            return None
        with self.path.open("rb") as file:
            file.seek(self.start + sum(self.lengths[:band]))
            return file.read(self.lengths[band])


def read(path: Path) -> CachedCounts | None:
    """The counts in a file; None when there are none, or not whole ones."""
    try:
        with path.open("rb") as file:
            line = file.readline()
            about = json.loads(line)
            counted = CachedCounts(path, Basis(**about["basis"]), about["lengths"], len(line))
            digest = hashlib.sha256()
            while piece := file.read(1 << 20):
                digest.update(piece)
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return counted if digest.hexdigest() == about["sha256"] else None


def place(folder: Path, source: str) -> Path:
    """Where the counts of a source are kept."""
    return folder / f"{source}.blocks"


def write(path: Path, basis: Basis, blocks: Sequence[Path | None]) -> CachedCounts:
    """Join the blocks of all bands into the file of a source."""
    lengths = [block.stat().st_size if block else 0 for block in blocks]
    digest = hashlib.sha256()
    for block in filter(None, blocks):
        digest.update(block.read_bytes())
    about = {
        "basis": dataclasses.asdict(basis),
        "lengths": lengths,
        "sha256": digest.hexdigest(),
    }
    line = json.dumps(about, sort_keys=True).encode() + b"\n"
    with new_file(path) as temporary, temporary.open("wb") as file:
        file.write(line)
        for block in filter(None, blocks):
            file.write(block.read_bytes())
    return CachedCounts(path, basis, lengths, len(line))


def keep_only(folder: Path, kept: Collection[CachedCounts]) -> None:
    """Remove the counts of sources that are no more, and what a killed run left."""
    for path in set(folder.iterdir()) - {counted.path for counted in kept}:
        path.unlink()
