"""The counts of each source from earlier runs, so that only a new source has to be counted.

Counts add up: the matrix of a language is the sum of the counts of its sources. The counts of a
source stay valid as long as its tokens, the vocabulary, the settings and the counting program are
the same. Each source has one file in matrices/<language>/counted/:

    one line of JSON     what the counts depend on, the length of each block, a hash of all blocks
    blocks               those of all bands, one after the other (`pipeline.count.bands`)

DVC does not know this folder. It may be deleted at any time; the next run counts everything.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Mapping, Sequence
from typing import Any, NamedTuple

from pipeline import storage
from pipeline.storage import AnyPath

NEW = "new"
"""The reason to count a source that has no valid file in the cache."""

Basis = dict[str, Any]
"""Everything that the counts of a source depend on: program, settings, vocabulary, text.

The keys are in order of reach: a change of the program concerns all sources, a change of the text
only one.
"""


class CachedCounts(NamedTuple):
    """The counts of one source, in a file."""

    path: AnyPath
    lengths: list[int]
    """The number of bytes of each band's block."""
    start: int
    """Where the first block starts in the file."""

    def block(self, band: int) -> bytes | None:
        """The block of a band; None if the source has no pair in the band."""
        if not self.lengths[band]:
            return None
        with storage.opened(self.path) as file:
            file.seek(self.start + sum(self.lengths[:band]))
            return file.read(self.lengths[band])


class Recalled(NamedTuple):
    """What the cache knows about the sources of a language."""

    valid: dict[str, CachedCounts]
    """The counts that are still valid, by source."""
    reasons: dict[str, str]
    """Why each other source has to be counted: `NEW`, or the key of `Basis` that changed."""


class CountCache:
    """The folder with the counts of all sources of a language."""

    def __init__(self, folder: AnyPath) -> None:
        self.folder = folder

    def path(self, source: str) -> AnyPath:
        """The file of a source."""
        return self.folder / f"{source}.blocks"

    def recall(self, bases: Mapping[str, Basis]) -> Recalled:
        """Find out which sources have valid counts."""
        recalled = Recalled({}, {})
        for source, basis in bases.items():
            found = self._read(source)
            if found is None:
                recalled.reasons[source] = NEW
                continue
            earlier, cached = found
            changed = next((key for key in basis if basis[key] != earlier.get(key)), None)
            if changed:
                recalled.reasons[source] = changed
            else:
                recalled.valid[source] = cached
        return recalled

    def _read(self, source: str) -> tuple[Basis, CachedCounts] | None:
        """The counts of a source and their basis; None if there is no whole file."""
        path = self.path(source)
        try:
            with storage.opened(path) as file:
                line = file.readline()
                header = json.loads(line)
                if hashlib.file_digest(file, "sha256").hexdigest() != header["sha256"]:
                    return None
                cached = CachedCounts(path, list(header["lengths"]), len(line))
                return dict(header["basis"]), cached
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def write(self, source: str, basis: Basis, blocks: Sequence[AnyPath | None]) -> CachedCounts:
        """Join the blocks of all bands into the file of a source; None is a band without pairs."""
        path = self.path(source)
        lengths = [storage.state(block).size if block else 0 for block in blocks]
        digest = hashlib.sha256()
        whole = [block for block in blocks if block]
        for block in whole:
            digest.update(storage.read_bytes(block))
        header = {"basis": basis, "lengths": lengths, "sha256": digest.hexdigest()}
        line = json.dumps(header, sort_keys=True).encode() + b"\n"
        with storage.new_file(path) as temporary, temporary.open("wb") as file:
            file.write(line)
            for block in whole:
                file.write(storage.read_bytes(block))
        return CachedCounts(path, lengths, len(line))

    def remove_all_but(self, sources: Collection[str]) -> None:
        """Remove the counts of sources that are gone, and what killed runs left behind."""
        for path in set(storage.entries(self.folder)) - {self.path(source) for source in sources}:
            storage.remove(path)
