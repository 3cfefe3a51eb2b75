"""Files as stored, plain or compressed, to pieces of raw text.

A span of a file yields first its pieces, and then those that follow it, which are marked as outside
the span: a reader takes the rest of its last document from them. Damage becomes a gap between two
pieces.
"""

import math
import mmap
import re
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from pipeline.corpus.readers import archive, bz2_blocks
from pipeline.corpus.readers.documents import LARGEST, Span, Tally
from wordkin.errors import InputError

PIECE = 1 << 20
HEAD = 1 << 16
SALVAGED = 256  # stored bytes that are decompressed at a time, near damage in a .gz

# Files that cannot be read have names, so that messages can say what to do.
_UNPACK = "unpack it first"
_CONVERT = "convert it to plain text or JSON lines first"
_FOREIGN = {
    b"7z\xbc\xaf\x27\x1c": ("a 7z archive", _UNPACK),
    b"\xfd7zXZ\x00": ("an xz file", _UNPACK),
    b"(\xb5/\xfd": ("a zstd file", _UNPACK),
    b"\x04\x22\x4d\x18": ("an lz4 file", _UNPACK),
    b"Rar!": ("a rar archive", _UNPACK),
    b"ustar": ("a tar archive", _UNPACK),
    b"PAR1": ("a Parquet file", _CONVERT),
    b"SQLite format": ("an SQLite database", _CONVERT),
    b"%PDF": ("a PDF file", _CONVERT),
}


class Place(NamedTuple):
    """The place of a byte of raw text, which does not depend on how the file is cut.

    In plain and .gz files ``block`` is 0 and ``inner`` is the offset in the text. In a .bz2 file
    ``block`` is the stored offset of the block and ``inner`` is the offset in the block's text.
    """

    block: int
    inner: int

    @property
    def offset(self) -> int:
        """The byte to name in messages: a stored byte where that is known."""
        return self.block or self.inner

    def __str__(self) -> str:
        return f"{self.block}+{self.inner}" if self.block else str(self.inner)


class Piece(NamedTuple):
    """Consecutive bytes of raw text, the first one at ``block`` and ``inner``."""

    data: bytes
    block: int
    inner: int
    in_span: bool  # false: after the end of the span
    after_gap: bool  # something was lost just before this piece

    def place(self, index: int) -> Place:
        """The place of ``data[index]``."""
        return Place(self.block, self.inner + index)


def kind(path: str | Path) -> str:
    """How the file is stored, by its first bytes: plain, gz, bz2 or zip."""
    try:
        with Path(path).open("rb") as file:
            magic = file.read(265)
    except IsADirectoryError:
        raise InputError(
            f"{path} is a folder where a file is needed: name its files, for example {path}/*."
        ) from None
    except OSError as error:
        raise InputError(
            f"{path} cannot be read ({error.strerror}): check the name and the permissions."
        ) from None
    for foreign, (what, remedy) in _FOREIGN.items():
        if magic.startswith(foreign) or (foreign == b"ustar" and magic[257:262] == foreign):
            raise InputError(f"{path} is {what}, which no reader can read: {remedy}.")
    stored = "plain"
    if magic.startswith(b"\x1f\x8b"):
        stored = "gz"
    elif re.match(rb"BZh[1-9]", magic):
        stored = "bz2"
    elif magic.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        stored = "zip"
    suffix = Path(path).suffix[1:].lower()
    if magic and stored != suffix and suffix in ("gz", "bz2", "zip"):
        raise InputError(
            f"{path} is named .{suffix} but does not begin as {suffix} data: fetch the file again."
        )
    return stored


def uncompressed(name: str) -> str:
    """The name of a file without the suffix of its compression."""
    return name.removesuffix(".gz").removesuffix(".bz2")


def size(path: str | Path) -> int:
    """The size of the file as stored, in bytes."""
    return Path(path).stat().st_size


def most_spans(path: str | Path) -> float:
    """The largest number of spans that a file may be cut into.

    A .gz is always decompressed from its start. That is ten times faster than splitting the text
    into words, so a few spans are worth it, but many are not.
    """
    return {"plain": math.inf, "bz2": math.inf, "gz": 8, "zip": 1}[kind(path)]


def head(path: str, member: str = "", length: int = HEAD) -> bytes:
    """The first bytes of the text, enough to detect its format and its encoding."""
    state = Path(path).stat()
    return _head(path, member, length, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=16)
def _head(path: str, member: str, length: int, size: int, changed: int) -> bytes:
    start = b""
    for piece in pieces(Span(path, member=member), Tally(tolerate=1.0)):
        start += piece.data
        if len(start) >= length:
            break
    return start[:length]


def tail(path: str) -> bytes | None:
    """The last bytes of the text, or None where that would take reading all of it."""
    stored = kind(path)
    with Path(path).open("rb") as file:
        if stored == "plain":
            file.seek(max(0, size(path) - HEAD))
            return file.read()
        if stored == "bz2":
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
                return bz2_blocks.last_text(data)
    return None


def pieces(span: Span, tally: Tally) -> Iterator[Piece]:
    """The raw text of the span, then the text that follows it, to the end of the file."""
    stored = kind(span.path)
    if stored == "zip" and not span.member:
        raise InputError(
            f"{span.path} is a zip archive, which may only contain subtitles: unpack it first."
        )
    if stored == "zip":
        tally.bytes += archive.member(span.path, span.member).stored
    else:
        tally.bytes += (size(span.path) if span.end is None else span.end) - span.start
    return {"plain": _plain, "gz": _gz, "bz2": _bz2, "zip": _zipped}[stored](span, tally)


def joined(span: Span, raw: Iterable[Piece], tally: Tally, largest: int = LARGEST) -> bytes:
    """All bytes of a file that is one document; empty when there are more than ``largest``."""
    data: list[bytes] = []
    length = 0
    for piece in raw:
        data.append(piece.data)
        length += len(piece.data)
        if length > largest:
            what = f"document larger than {largest >> 20} MiB"
            tally.damage(span.label, piece.place(0).offset, what, length, "look at the file")
            tally.drop("too large")
            return b""
    return b"".join(data)


def file_spans(span: Span, members: Callable[[], Sequence[archive.Member]]) -> Iterator[Span]:
    """The span itself or, if its file is a zip, those of the members that the span numbers."""
    if kind(span.path) != "zip":
        yield span
        return
    for member in members()[span.start : span.end]:
        yield Span(span.path, name=f"{span.name}/{member.name}", member=member.name)


def _plain(span: Span, tally: Tally) -> Iterator[Piece]:
    with Path(span.path).open("rb") as file:
        file.seek(span.start)
        at = span.start
        while True:
            in_span = span.end is None or at < span.end
            length = PIECE if span.end is None or not in_span else min(PIECE, span.end - at)
            data = file.read(length)
            if not data:
                return
            yield Piece(data, 0, at, in_span, False)
            at += len(data)


def _gz(span: Span, tally: Tally) -> Iterator[Piece]:
    with Path(span.path).open("rb") as file:
        yield from _gunzipped(span, iter(lambda: file.read(PIECE), b""), tally)


def _zipped(span: Span, tally: Tally) -> Iterator[Piece]:
    """A member of a zip, which may be a .gz itself."""
    member = archive.member(span.path, span.member)
    chunks = archive.chunks(span.path, member, tally)
    first = next(chunks, b"")
    if first.startswith(b"\x1f\x8b"):
        yield from _gunzipped(span, chain([first], chunks), tally)
        return
    inner = 0
    for data in chain([first], chunks):
        yield Piece(data, 0, inner, True, False)
        inner += len(data)


def _gunzipped(span: Span, chunks: Iterator[bytes], tally: Tally) -> Iterator[Piece]:
    """The members of a .gz, one after the other; nothing can be read after damage.

    A piece belongs to the span with the stored byte at which its decompression began.
    """

    def in_span(at: int) -> bool:
        return at >= span.start and (span.end is None or at < span.end)

    read = 0  # stored bytes read so far
    inner = 0
    member = zlib.decompressobj(wbits=31)
    raw = b""
    while True:
        if not raw:
            raw = next(chunks, b"")
            read += len(raw)
        at = read - len(raw)
        if not raw:
            what = "end of the file inside the gzip data"
            tally.damage(span.label, at, what, 1 if in_span(at - 1) else 0)
            yield Piece(b"", 0, inner, False, True)
            return
        before = member.copy()
        try:
            text, fault = member.decompress(raw, PIECE), ""
        except zlib.error as error:
            fault = "wrong gzip checksum" if " check" in str(error) else "damaged gzip data"
            text, intact = _salvaged(before, raw)
            at += intact
        if text and at >= span.start:
            yield Piece(text, 0, inner, in_span(at), False)
        inner += len(text)
        if fault:
            rest = read - at + sum(map(len, chunks))
            tally.damage(span.label, at, fault, rest if in_span(at) else 0)
            yield Piece(b"", 0, inner, False, True)
            return
        raw = member.unused_data if member.eof else member.unconsumed_tail
        if member.eof:
            # NUL bytes may pad the data to the block size of a disk or tape.
            while not raw.strip(b"\0"):
                raw = next(chunks, b"")
                read += len(raw)
                if not raw:
                    return
            if not raw.startswith(b"\x1f\x8b"):
                at, rest = read - len(raw), len(raw) + sum(map(len, chunks))
                what = "garbage after the gzip data"
                tally.damage(span.label, at, what, rest if in_span(at) else 0)
                return
            member = zlib.decompressobj(wbits=31)


def _salvaged(member: "zlib._Decompress", raw: bytes) -> tuple[bytes, int]:
    """The text before the damage in ``raw``, and the number of intact bytes of ``raw``."""
    text = b""
    for at in range(0, len(raw), SALVAGED):
        try:
            text += member.decompress(raw[at : at + SALVAGED])
        except zlib.error:
            return text, at
    return text, len(raw)


def _bz2(span: Span, tally: Tally) -> Iterator[Piece]:
    with (
        Path(span.path).open("rb") as file,
        mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data,
    ):
        end = len(data) if span.end is None else span.end
        gap = False
        for block in bz2_blocks.blocks(data, span.start):
            in_span = block.offset < end
            if block.fault:
                # Only the span that contains the bytes counts them; others just see the gap.
                tally.damage(span.label, block.offset, block.fault, block.size if in_span else 0)
                gap = gap or not block.text
            for low in range(0, len(block.text), PIECE):
                yield Piece(block.text[low : low + PIECE], block.offset, low, in_span, gap)
                gap = False
            if not in_span and not block.text:
                yield Piece(b"", block.offset, 0, False, gap)
        if gap:
            yield Piece(b"", end, 0, False, True)
