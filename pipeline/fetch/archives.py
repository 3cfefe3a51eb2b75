"""Archives as mappings from members to bytes: zip, tar in any compression, and Debian packages.

Nothing is extracted by the libraries, whose ways with links, owners and odd paths differ: members
are listed, and the contents of regular files are read in a stream.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, Protocol, cast

import zstandard

from wordkin.errors import InputError

DAMAGED = (
    zipfile.BadZipFile, tarfile.TarError, zlib.error, lzma.LZMAError, zstandard.ZstdError,
    EOFError, RuntimeError, OSError, ValueError,
)  # fmt: skip
"""What the libraries raise for archives that are damaged or are none."""

_AR_MAGIC, _AR_HEADER = b"!<arch>\n", 60
_CHUNK = 1 << 20


class Archive(Protocol):
    """An archive that is open for reading."""

    def sizes(self, most: int) -> dict[str, int]:
        """The size of each regular file by its path.

        Stops with `TooLarge` once they add up to more than `most` bytes.
        """

    def contents(self, members: Sequence[str]) -> Iterator[tuple[str, IO[bytes]]]:
        """The members with their contents, in the order of the archive."""


class TooLarge(Exception):
    """An archive that unpacks to more bytes than its size lets expect."""


@contextmanager
def open_archive(path: Path) -> Iterator[Archive]:
    """The archive in a file, whatever it is called; what it is shows in its first bytes."""
    with path.open("rb") as file:
        magic = file.read(len(_AR_MAGIC))
        file.seek(0)
        if magic.startswith(b"PK"):
            with zipfile.ZipFile(file) as archive:
                yield _Zip(archive)
        elif magic == _AR_MAGIC:
            yield _Tar(_data_of_deb(file), strip=False)
        else:
            yield _Tar(file, strip=True)


class _Zip:
    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._entries = {e.filename: e for e in archive.infolist() if not e.is_dir()}

    def sizes(self, most: int) -> dict[str, int]:
        return {name: entry.file_size for name, entry in self._entries.items()}

    def contents(self, members: Sequence[str]) -> Iterator[tuple[str, IO[bytes]]]:
        for member in members:
            # zipfile stops at the size that the entry declares and checks its CRC.
            with self._archive.open(self._entries[member]) as content:
                yield member, content


class _Tar:
    """A tar file in any compression, read from the beginning each time.

    With `strip`, paths begin below the one folder that holds everything.
    """

    def __init__(self, file: IO[bytes], strip: bool) -> None:
        self._file, self._strip = file, strip
        self._first = ""

    def sizes(self, most: int) -> dict[str, int]:
        sizes: dict[str, int] = {}
        total = 0
        for entry, _ in self._entries():
            sizes[entry.name] = entry.size
            total += entry.size
            if total > most:
                raise TooLarge
        firsts = {name.partition("/")[0] for name in sizes if "/" in name}
        if self._strip and len(firsts) == 1 and all("/" in name for name in sizes):
            self._first = firsts.pop() + "/"
        return {self._shown(name): size for name, size in sizes.items()}

    def contents(self, members: Sequence[str]) -> Iterator[tuple[str, IO[bytes]]]:
        wanted = set(members)
        for entry, archive in self._entries():
            if self._shown(entry.name) in wanted:
                content = archive.extractfile(entry)
                assert content is not None  # a regular file has content
                yield self._shown(entry.name), content

    def _shown(self, name: str) -> str:
        return name.removeprefix("./").removeprefix(self._first)

    def _entries(self) -> Iterator[tuple[tarfile.TarInfo, tarfile.TarFile]]:
        """The regular files; links and devices are no data."""
        self._file.seek(0)
        with (
            _unpacked(self._file) as stream,
            tarfile.open(fileobj=stream, mode="r|") as archive,
        ):
            yield from ((entry, archive) for entry in archive if entry.isreg())
            # The end holds the checksum. tarfile takes damage for the end of the archive.
            while stream.read(_CHUNK):
                pass


def _unpacked(file: IO[bytes]) -> IO[bytes]:
    """The stream below the compression that the first bytes show."""
    magic = file.read(6)
    file.seek(0)
    if magic.startswith(b"\x1f\x8b"):
        return cast(IO[bytes], gzip.GzipFile(fileobj=file))
    if magic.startswith(b"BZh"):
        return bz2.BZ2File(file)
    if magic.startswith(b"\xfd7zXZ\0"):
        return lzma.LZMAFile(file)
    if magic.startswith(b"(\xb5/\xfd"):
        return cast(IO[bytes], zstandard.ZstdDecompressor().stream_reader(file, closefd=False))
    return cast(IO[bytes], io.BytesIO(file.read()))


class _Slice(io.RawIOBase):
    """A part of a file as a file."""

    def __init__(self, file: IO[bytes], start: int, size: int) -> None:
        self._file, self._start, self._size, self._at = file, start, size, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at, io.SEEK_END: self._size}[whence]
        self._at = max(base + offset, 0)
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        self._file.seek(self._start + self._at)
        data = self._file.read(max(min(len(buffer), self._size - self._at), 0))
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)


def _data_of_deb(file: IO[bytes]) -> IO[bytes]:
    """The tar file with the data of a Debian package, which is an ar archive of three members."""
    at = len(_AR_MAGIC)
    while True:
        file.seek(at)
        header = file.read(_AR_HEADER)
        if len(header) < _AR_HEADER or header[58:] != b"`\n":
            raise InputError("it has no data.tar; download it again.")
        name, size = header[:16].strip().rstrip(b"/"), int(header[48:58])
        if name.startswith(b"data.tar"):
            return io.BufferedReader(cast(Any, _Slice(file, at + _AR_HEADER, size)))
        at += _AR_HEADER + size + size % 2
