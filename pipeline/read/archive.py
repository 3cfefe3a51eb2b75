"""Members of zip archives, read in place: nothing is unpacked to disk."""

import errno
import lzma
import struct
import zipfile
import zlib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import PurePosixPath
from typing import NamedTuple

from pipeline import storage
from pipeline.read.documents import Tally
from wordkin.errors import InputError

# Text shrinks to between a third and a tenth. Only zip bombs shrink to a hundredth.
MOST_UNPACKED = 100
SMALL_ENOUGH = 1 << 20  # bytes that may be unpacked whatever the ratio
CHUNK = 1 << 20

# What reading a damaged archive raises, besides an OSError for a place outside the file.
_DAMAGES = (
    zipfile.BadZipFile, zlib.error, lzma.LZMAError, struct.error, EOFError, NotImplementedError,
    RuntimeError, ValueError,
)  # fmt: skip


class Member(NamedTuple):
    """A file inside an archive, with its sizes in bytes."""

    name: str
    offset: int
    stored: int
    unpacked: int
    encrypted: bool

    @property
    def fault(self) -> str:
        """Why the member must not be read; empty when it may be."""
        name = PurePosixPath(self.name.replace("\\", "/"))
        if name.is_absolute() or ".." in name.parts or ":" in name.parts[0]:
            return f"member {self.name!r}, which points outside the archive,"
        if self.encrypted:
            return f"encrypted member {self.name!r}"
        if self.unpacked > max(self.stored * MOST_UNPACKED, SMALL_ENOUGH):
            return f"member {self.name!r}, which unpacks to {self.unpacked >> 20} MiB,"
        return ""


def members(path: str) -> list[Member]:
    """The files in the archive, sorted by name, so that the order is the same everywhere."""
    return sorted(_member(info) for info in _opened(path).infolist() if not info.is_dir())


def member(path: str, name: str) -> Member:
    """The file with this name in the archive."""
    return _member(_opened(path).getinfo(name))


def chunks(path: str, wanted: Member, tally: Tally) -> Iterator[bytes]:
    """The bytes of a member, never more than it declares."""
    if wanted.fault:
        tally.damage(path, wanted.offset, wanted.fault, wanted.stored, "take it out of the archive")
        return
    try:
        with _opened(path).open(wanted.name) as file:
            while data := file.read(CHUNK):
                yield data
    except (OSError, *_DAMAGES) as error:
        if isinstance(error, OSError) and error.errno != errno.EINVAL:
            raise  # the disk failed; a place outside the file is the archive's own mistake
        what = f"damaged member {wanted.name!r} ({error})"
        tally.damage(path, wanted.offset, what, wanted.stored)


def _member(info: zipfile.ZipInfo) -> Member:
    return Member(
        name=info.filename,
        offset=info.header_offset,
        stored=info.compress_size,
        unpacked=info.file_size,
        encrypted=bool(info.flag_bits & 1),
    )


def _opened(path: str) -> zipfile.ZipFile:
    return _opened_once(path, *storage.state(path))


@lru_cache(maxsize=2)
def _opened_once(path: str, size: int, changed: int) -> zipfile.ZipFile:
    """The archive stays open between units: reading the list of members can take seconds."""
    try:
        archive = zipfile.ZipFile(storage.opened(path) if storage.is_address(path) else path)
    except (OSError, *_DAMAGES) as error:
        raise InputError(
            f"{path} is not a complete zip archive ({error}): fetch the file again."
        ) from None
    if sum(info.compress_size for info in archive.infolist()) > size:
        raise InputError(
            f"{path} is not read because its members overlap, as in a zip bomb: "
            f"fetch the file from its source."
        )
    return archive
