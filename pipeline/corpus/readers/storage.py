"""Files as stored, plain or compressed, turned into pieces of raw text.

A span of a file yields its own pieces first and then, marked as not its own, those that follow:
a reader takes from them the rest of its last document. Damage becomes a gap between two pieces.
"""

import math
import mmap
import re
import zlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from pipeline.corpus.readers import archive, bz2_blocks
from pipeline.corpus.readers.documents import LARGEST, Span, Tally
from wordkin.errors import InputError

PIECE = 1 << 20
HEAD = 1 << 16
SALVAGED = 256  # stored bytes at a time, near damage in a .gz

# What cannot be read is named, so that the message can say what to do.
_UNPACK = "unpack it first"
_CONVERT = "make plain text or JSON lines of it first"
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
    """Where a byte of raw text is: the same for every way to split the file.

    In plain and .gz files ``inner`` counts the text from its start and ``block`` is 0; in a .bz2
    ``block`` is the stored offset of the block and ``inner`` counts the text inside it.
    """

    block: int
    inner: int

    @property
    def offset(self) -> int:
        """The byte to name in a message: stored where that can be known."""
        return self.block or self.inner

    def __str__(self) -> str:
        return f"{self.block}+{self.inner}" if self.block else str(self.inner)


class Piece(NamedTuple):
    """Some bytes of raw text, the first of them at ``block``, ``inner``."""

    data: bytes
    block: int
    inner: int
    own: bool
    gap: bool  # something was lost just before this piece

    def place(self, index: int) -> Place:
        """Where ``data[index]`` is."""
        return Place(self.block, self.inner + index)


def kind(path: str | Path) -> str:
    """How the file is stored, told by its first bytes: plain, gz, bz2 or zip."""
    try:
        with Path(path).open("rb") as file:
            magic = file.read(265)
    except IsADirectoryError:
        raise InputError(
            f"{path} is a directory where a file is needed; name its files, say {path}/*."
        ) from None
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from None
    for foreign, (what, remedy) in _FOREIGN.items():
        if magic.startswith(foreign) or (foreign == b"ustar" and magic[257:262] == foreign):
            raise InputError(f"{path} is {what}, which no reader takes; {remedy}.")
    found = "plain"
    if magic.startswith(b"\x1f\x8b"):
        found = "gz"
    elif re.match(rb"BZh[1-9]", magic):
        found = "bz2"
    elif magic.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        found = "zip"
    named = Path(path).suffix[1:].lower()
    if magic and found != named and named in ("gz", "bz2", "zip"):
        raise InputError(
            f"{path} is named .{named} but does not begin as {named} data; fetch the file again."
        )
    return found


def uncompressed(name: str) -> str:
    """The name of a file without what tells its compression."""
    return name.removesuffix(".gz").removesuffix(".bz2")


def size(path: str | Path) -> int:
    """Bytes of the file as stored."""
    return Path(path).stat().st_size


def most_spans(path: str | Path) -> float:
    """Into how many spans the file may be cut.

    A .gz is decompressed from its start to the end of the span, ten times faster than words are
    made of the text: a few spans are worth it, many are not.
    """
    return {"plain": math.inf, "bz2": math.inf, "gz": 8, "zip": 1}[kind(path)]


def head(path: str, member: str = "", length: int = HEAD) -> bytes:
    """The first bytes of the text, enough to tell its format and its encoding."""
    state = Path(path).stat()
    return _head(path, member, length, state.st_size, state.st_mtime_ns)


@lru_cache(maxsize=16)
def _head(path: str, member: str, length: int, size: int, changed: int) -> bytes:
    taken = b""
    for piece in pieces(Span(path, member=member), Tally(tolerate=1.0)):
        taken += piece.data
        if len(taken) >= length:
            break
    return taken[:length]


def tail(path: str) -> bytes | None:
    """The last bytes of the text, or None where they cannot be had without reading it all."""
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
    """The raw text of the span, then of what follows it to the end of the file."""
    stored = kind(span.path)
    if stored == "zip" and not span.member:
        raise InputError(
            f"{span.path} is a zip archive, which only subtitles are read from; unpack it first."
        )
    if stored == "zip":
        tally.bytes += archive.member(span.path, span.member).stored
    else:
        tally.bytes += (size(span.path) if span.end is None else span.end) - span.start
    return {"plain": _plain, "gz": _gz, "bz2": _bz2, "zip": _zipped}[stored](span, tally)


def gathered(span: Span, parts: Iterable[Piece], tally: Tally, largest: int = LARGEST) -> bytes:
    """All bytes of a file that is one document; nothing when they are too many."""
    taken: list[bytes] = []
    length = 0
    for piece in parts:
        taken.append(piece.data)
        length += len(piece.data)
        if length > largest:
            what = f"document larger than {largest >> 20} MiB"
            tally.damage(span.label, piece.place(0).offset, what, length, "look what it is")
            tally.drop("too large")
            return b""
    return b"".join(taken)


def member_span(span: Span, member: archive.Member) -> Span:
    """The span of a member of the archive at ``span``."""
    return Span(span.path, name=f"{span.name}/{member.name}", member=member.name)


def _plain(span: Span, tally: Tally) -> Iterator[Piece]:
    with Path(span.path).open("rb") as file:
        file.seek(span.start)
        at = span.start
        while True:
            own = span.end is None or at < span.end
            room = PIECE if span.end is None or not own else min(PIECE, span.end - at)
            data = file.read(room)
            if not data:
                return
            yield Piece(data, 0, at, own, False)
            at += len(data)


def _gz(span: Span, tally: Tally) -> Iterator[Piece]:
    with Path(span.path).open("rb") as file:
        yield from _gunzipped(span, iter(lambda: file.read(PIECE), b""), tally)


def _zipped(span: Span, tally: Tally) -> Iterator[Piece]:
    """A member of a zip, which may be a .gz itself."""
    found = archive.member(span.path, span.member)
    chunks = archive.chunks(span.path, found, tally)
    first = next(chunks, b"")
    if first.startswith(b"\x1f\x8b"):
        yield from _gunzipped(span, chain([first], chunks), tally)
        return
    inner = 0
    for data in chain([first], chunks):
        yield Piece(data, 0, inner, True, False)
        inner += len(data)


def _gunzipped(span: Span, chunks: Iterator[bytes], tally: Tally) -> Iterator[Piece]:
    """Members of a .gz one after the other; what follows damage in one cannot be read.

    A piece belongs to the span that holds the stored byte at which its decompression went on.
    """

    def own(at: int) -> bool:
        return at >= span.start and (span.end is None or at < span.end)

    read = 0  # stored bytes taken so far
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
            tally.damage(span.label, at, what, 1 if own(at - 1) else 0)
            yield Piece(b"", 0, inner, False, True)
            return
        before = member.copy()
        try:
            text, fault = member.decompress(raw, PIECE), ""
        except zlib.error as error:
            fault = "wrong gzip checksum" if " check" in str(error) else "damaged gzip data"
            text, sound = _salvaged(before, raw)
            at += sound
        if text and at >= span.start:
            yield Piece(text, 0, inner, own(at), False)
        inner += len(text)
        if fault:
            rest = read - at + sum(map(len, chunks))
            tally.damage(span.label, at, fault, rest if own(at) else 0)
            yield Piece(b"", 0, inner, False, True)
            return
        raw = member.unused_data if member.eof else member.unconsumed_tail
        if member.eof:
            # Padding with NUL bytes up to a disk's or tape's block is allowed.
            while not raw.strip(b"\0"):
                raw = next(chunks, b"")
                read += len(raw)
                if not raw:
                    return
            if not raw.startswith(b"\x1f\x8b"):
                at, rest = read - len(raw), len(raw) + sum(map(len, chunks))
                what = "garbage after the gzip data"
                tally.damage(span.label, at, what, rest if own(at) else 0)
                return
            member = zlib.decompressobj(wbits=31)


def _salvaged(member: "zlib._Decompress", raw: bytes) -> tuple[bytes, int]:
    """The text before the damage in ``raw``, and how many bytes of ``raw`` are sound."""
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
        for part in bz2_blocks.parts(data, span.start):
            own = part.offset < end
            if part.fault:
                # The span that the bytes belong to counts them; others only meet the gap.
                tally.damage(span.label, part.offset, part.fault, part.size if own else 0)
                gap = gap or not part.text
            for low in range(0, len(part.text), PIECE):
                yield Piece(part.text[low : low + PIECE], part.offset, low, own, gap)
                gap = False
            if not own and not part.text:
                yield Piece(b"", part.offset, 0, False, gap)
        if gap:
            yield Piece(b"", end, 0, False, True)
