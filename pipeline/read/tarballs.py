"""Members of tar archives, compressed or not, in the order in which they are stored.

A tar has no list of its members, and a compressed one can only be read from its start. So an
archive is one tape: it is wound forward from member to member, and each member is read while it
passes. The beginning of the current member is kept, because readers look at it before they read it.
"""

import tarfile
from collections import Counter
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import PurePosixPath
from typing import BinaryIO, cast

from pipeline import storage
from pipeline.read.documents import Tally

CHUNK = 1 << 20
BEGINNING = 5 << 20  # bytes of a member that are kept: more than any reader looks at
BLOCK = 512
_DAMAGES = (tarfile.TarError, ValueError, OverflowError, EOFError)
MAGIC = b"ustar"
MAGIC_OFFSET = 257

Opened = Callable[[str, Tally], Iterator[bytes]]
"""Begins to read an archive, without its compression."""


def is_tar(start: bytes) -> bool:
    """Whether data that begins in this way is a tar archive."""
    return start[MAGIC_OFFSET : MAGIC_OFFSET + len(MAGIC)] == MAGIC


class Tape:
    """A tar archive that is read from member to member."""

    def __init__(self, path: str, opened: Opened, tally: Tally) -> None:
        self._path = path
        self._opened = opened
        self._tally = tally
        self.rewind()

    def rewind(self) -> None:
        """Go back to the start of the archive."""
        self._stream = _Stream(self._opened(self._path, self._tally))
        self._archive: tarfile.TarFile | None = None
        self._seen: Counter[str] = Counter()
        self._member = ""
        self._file: BinaryIO | None = None
        self._beginning = b""
        self._passed = 0  # bytes of the member that were read

    def names(self) -> Iterator[str]:
        """The name of each file; a number makes a repeated one unique."""
        try:
            while (name := self._next()) is not None:
                if name:
                    yield name
            if not self._stream.has_end_mark():
                self._tally.damage(self._path, storage.state(self._path).size, _CUT, 1)
        except _DAMAGES as error:
            what = f"damaged tar archive ({error})"
            rest = max(storage.state(self._path).size // 100, 1)
            self._tally.damage(self._path, self._stream.read_bytes, what, rest)

    def chunks(self, name: str) -> Iterator[bytes]:
        """The bytes of a file of the archive, as far as they are there."""
        try:
            is_here = name == self._member and self._passed == len(self._beginning)
            if not is_here and not self._wind_to(name):
                self.rewind()
                if not self._wind_to(name):
                    return
            yield self._beginning
            assert self._file is not None
            while data := self._file.read(CHUNK):
                self._passed += len(data)
                yield data
        except _DAMAGES:
            return  # `names` tells it

    def _wind_to(self, name: str) -> bool:
        while (passing := self._next()) is not None:
            if passing == name:
                return True
        return False

    def _next(self) -> str | None:
        """Wind to the next file: its name, "" for a member that is no file, None at the end."""
        if self._archive is None:
            self._archive = tarfile.open(  # noqa: SIM115 - it stays open between members
                fileobj=cast(BinaryIO, self._stream), mode="r|", bufsize=CHUNK
            )
        info = self._archive.next()
        vars(self._archive)["members"] = []  # else it remembers all of them
        if info is None:
            self._member, self._file = "", None
            return None
        if not info.isreg() or _is_outside(info.name):
            return ""
        self._seen[info.name] += 1
        repeated = self._seen[info.name]
        self._member = info.name if repeated == 1 else f"{info.name} ({repeated})"
        self._file = cast(BinaryIO, self._archive.extractfile(info))
        self._beginning = self._file.read(BEGINNING)
        self._passed = len(self._beginning)
        return self._member


_CUT = "end of the file inside the tar archive"


def _is_outside(name: str) -> bool:
    """Whether a name points outside the archive; nothing is written, but such files are hostile."""
    path = PurePosixPath(name)
    return path.is_absolute() or ".." in path.parts


class _Stream:
    """What `tarfile` reads from: the archive without its compression, from start to end."""

    def __init__(self, chunks: Iterator[bytes]) -> None:
        self._chunks = chunks
        self._rest = b""
        self._last = b""
        self.read_bytes = 0

    def read(self, size: int) -> bytes:
        """The next bytes, fewer only at the end."""
        data = [self._rest]
        length = len(self._rest)
        while length < size and (chunk := next(self._chunks, b"")):
            data.append(chunk)
            length += len(chunk)
        whole = b"".join(data)
        self._rest = whole[size:]
        whole = whole[:size]
        self.read_bytes += len(whole)
        self._last = (self._last + whole)[-BLOCK:]
        return whole

    def has_end_mark(self) -> bool:
        """Whether the archive ends with a block of zeros, as a complete one does."""
        while self.read(CHUNK):
            pass
        return len(self._last) == BLOCK and not self._last.strip(b"\0")


@lru_cache(maxsize=2)
def tape(path: str, size: int, changed: int, opened: Opened) -> Tape:
    """The tape of an archive, which stays where it is between calls."""
    return Tape(path, opened, Tally(tolerate=1.0))
