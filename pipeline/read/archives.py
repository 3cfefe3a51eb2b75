"""Members of archives, read in place: zip, tar in any compression, and Debian packages.

    for member in members(path, Tally()):
        if member.name.endswith(".txt"):
            text = b"".join(member.chunks())

Only regular files are members: links, folders and devices are no data, and nothing is unpacked to
disk. Those of a zip come sorted by name and can be read at any time. A tar has no list of its
members, and a compressed one can only be read from its start: its members come as they are stored,
and each can be read once, before the next one is asked for.
"""

import errno
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from pathlib import PurePosixPath
from typing import IO

from pipeline import storage
from pipeline.read import stored
from pipeline.read.documents import Member, Span, Tally
from wordkin.errors import InputError

# Text shrinks to between a third and a tenth. Only zip bombs shrink to a hundredth.
MOST_UNPACKED = 100
SMALL_ENOUGH = 1 << 20  # bytes that may be unpacked whatever the ratio
CHUNK = 1 << 20
BEGINNING = 5 << 20
"""Bytes of a tar's member that are kept: more than any reader looks at before it reads."""
AR_MAGIC, AR_HEADER = b"!<arch>\n", 60

# What reading a damaged archive raises, besides an OSError for a place outside the file.
_ZIP_DAMAGES = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, NotImplementedError,
    RuntimeError, ValueError,
)  # fmt: skip
_TAR_DAMAGES = (tarfile.TarError, ValueError, OverflowError, EOFError)


def members(path: str, tally: Tally) -> Iterator[Member]:
    """The files in an archive; damage to the archive itself is reported to the tally."""
    match stored.container(path):
        case "zip":
            yield from zip_members(path)
        case "tar":
            pieces = stored.pieces_of_file(Span(path), tally)
            yield from _tar_members(path, (piece.data for piece in pieces), tally)
        case "deb":
            yield from _tar_members(path, _data_of_deb(path, tally), tally)
        case _:
            raise InputError(f"{path} is not an archive: name a zip, a tar or a Debian package.")


def zip_members(path: str) -> list[Member]:
    """The files in a zip, sorted by name, so that the order is the same everywhere."""
    listed = [info for info in _opened_zip(path).infolist() if not info.is_dir()]
    return [_zip_member(path, info) for info in sorted(listed, key=lambda info: info.filename)]


def _zip_member(path: str, info: zipfile.ZipInfo) -> Member:
    fault = _fault_of_name(info.filename)
    if not fault and info.flag_bits & 1:
        fault = f"encrypted member {info.filename!r}"
    if not fault and info.file_size > max(info.compress_size * MOST_UNPACKED, SMALL_ENOUGH):
        fault = f"member {info.filename!r}, which unpacks to {info.file_size >> 20} MiB,"

    def chunks(tally: Tally) -> Iterator[bytes]:
        try:
            # No more than the member declares, and with its checksum.
            with _opened_zip(path).open(info) as file:
                while data := file.read(CHUNK):
                    yield data
        except (OSError, *_ZIP_DAMAGES) as error:
            if isinstance(error, OSError) and error.errno != errno.EINVAL:
                raise  # the disk failed; a place outside the file is the archive's own mistake
            what = f"damaged member {info.filename!r} ({error})"
            tally.damage(path, info.header_offset, what, info.compress_size)

    sizes = info.compress_size, info.file_size
    return Member(info.filename, path, info.header_offset, *sizes, chunks, fault)


def _fault_of_name(name: str) -> str:
    """Why a name is that of no file inside an archive; empty when it is one."""
    path = PurePosixPath(name.replace("\\", "/"))
    is_outside = path.is_absolute() or ".." in path.parts or ":" in "".join(path.parts[:1])
    return f"member {name!r}, which points outside the archive," if is_outside else ""


def _opened_zip(path: str) -> zipfile.ZipFile:
    return _opened_once(path, *storage.state(path))


@lru_cache(maxsize=2)
def _opened_once(path: str, size: int, changed: int) -> zipfile.ZipFile:
    """The archive stays open between units: reading the list of members can take seconds."""
    try:
        archive = zipfile.ZipFile(storage.opened(path) if storage.is_address(path) else path)
    except (OSError, *_ZIP_DAMAGES) as error:
        raise InputError(
            f"{path} is not a complete zip archive ({error}): fetch the file again."
        ) from None
    if sum(info.compress_size for info in archive.infolist()) > size:
        raise InputError(
            f"{path} is not read because its members overlap, as in a zip bomb: "
            f"fetch the file from its source."
        )
    return archive


def _tar_members(path: str, chunks: Iterator[bytes], tally: Tally) -> Iterator[Member]:
    stream = _Stream(chunks)
    seen: Counter[str] = Counter()
    try:
        with tarfile.open(fileobj=stream, mode="r|", bufsize=CHUNK) as archive:  # type: ignore[call-overload]
            while info := archive.next():
                archive.members.clear()  # else it keeps all of them
                file = archive.extractfile(info) if info.isreg() else None
                if file is None:
                    continue
                name = info.name.removeprefix("./")
                seen[name] += 1
                unique = name if seen[name] == 1 else f"{name} ({seen[name]})"
                passing = _Passing(file)
                fault, offset = _fault_of_name(name), stream.read_bytes
                yield Member(unique, path, offset, info.size, info.size, passing.chunks, fault)
                if passing.damage:
                    raise passing.damage
        if not stream.has_end_mark():
            what = "end of the file inside the tar archive"
            tally.damage(path, stored.size(path), what, 1)
    except _TAR_DAMAGES as error:
        what = f"damaged tar archive ({error})"
        tally.damage(path, stream.read_bytes, what, max(stored.size(path) // 100, 1))


class _Passing:
    """A member of a tar while it passes; its beginning stays, for it is looked at before."""

    def __init__(self, file: IO[bytes]) -> None:
        self.damage: Exception | None = None
        self._file = file
        self._beginning: list[bytes] = []
        self._passed = 0

    def chunks(self, tally: Tally) -> Iterator[bytes]:
        """The bytes as far as they are there; the archive itself reports its damage."""
        yield from self._beginning
        try:
            while data := self._file.read(CHUNK):
                if self._passed < BEGINNING:
                    self._beginning.append(data)
                self._passed += len(data)
                yield data
        except _TAR_DAMAGES as error:
            self.damage = error


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
        self._last = (self._last + whole)[-tarfile.BLOCKSIZE :]
        return whole

    def has_end_mark(self) -> bool:
        """Whether the archive ends with a block of zeros, as a complete one does."""
        while self.read(CHUNK):
            pass
        return len(self._last) == tarfile.BLOCKSIZE and not self._last.strip(b"\0")


def _data_of_deb(path: str, tally: Tally) -> Iterator[bytes]:
    """The tar with the files of a Debian package, which is one of the three members of an `ar`."""
    with storage.opened(path) as file:
        at = len(AR_MAGIC)
        while True:
            file.seek(at)
            header = file.read(AR_HEADER)
            if len(header) < AR_HEADER or header[58:] != b"`\n":
                tally.damage(path, at, "package without its data.tar", 1)
                return
            name, size = header[:16].strip().rstrip(b"/"), int(header[48:58])
            if name.startswith(b"data.tar"):
                break
            at += AR_HEADER + size + size % 2

        def chunks() -> Iterator[bytes]:
            left = size
            while data := file.read(min(left, CHUNK)):
                left -= len(data)
                yield data

        yield from (piece.data for piece in stored.unpacked(Span(path), chunks(), tally))
