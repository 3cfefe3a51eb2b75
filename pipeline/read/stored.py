"""Files as stored, plain or compressed (.gz, .bz2, .xz, .zst), to pieces of raw text.

A span of a file yields first its pieces, and then those that follow it, which are marked as outside
the span: a reader takes the rest of its last document from them. Damage becomes a gap between two
pieces.
"""

import bz2
import lzma
import math
import re
import tarfile
import zlib
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from itertools import chain
from pathlib import PurePath
from typing import Any, NamedTuple

import zstandard

from pipeline import storage
from pipeline.read import bz2_blocks
from pipeline.read.documents import LARGEST, Block, Span, Tally
from wordkin.errors import InputError

PIECE = 1 << 20
STEP = 512
"""Stored bytes that are decompressed at a time: all text before damage is kept, and even the
densest stream gives only a few megabytes for so few bytes."""
MOST_MEMORY = 256 << 20  # bytes that an .xz or .zst may ask for
HEAD = 1 << 16
_STREAMS = ("gz", "xz", "zst")  # read from their start
_SUFFIXES = (*_STREAMS, "bz2", "zip")
_TAR_MAGIC_AT = 257

# Files that cannot be read have names, so that messages can say what to do.
_UNPACK = "unpack it first"
_CONVERT = "convert it to plain text or JSON lines first"
_FOREIGN = {
    b"7z\xbc\xaf\x27\x1c": ("a 7z archive", _UNPACK),
    b"\x04\x22\x4d\x18": ("an lz4 file", _UNPACK),
    b"Rar!": ("a rar archive", _UNPACK),
    b"PAR1": ("a Parquet file", _CONVERT),
    b"SQLite format": ("an SQLite database", _CONVERT),
    b"%PDF": ("a PDF file", _CONVERT),
    b"%!PS": ("a PostScript file", _CONVERT),
    b"{\\rtf": ("an RTF document", _CONVERT),
}


class Codec(NamedTuple):
    """A compression: the bytes that it begins with, and how to undo it."""

    name: str
    magic: bytes
    new: Callable[[], Any]


CODECS = {
    "gz": Codec("gzip", b"\x1f\x8b", lambda: zlib.decompressobj(wbits=31)),
    "xz": Codec(
        "xz", b"\xfd7zXZ\x00", lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MOST_MEMORY)
    ),
    "zst": Codec(
        "zstd",
        b"\x28\xb5\x2f\xfd",
        lambda: zstandard.ZstdDecompressor(max_window_size=MOST_MEMORY).decompressobj(),
    ),
    "bz2": Codec("bzip2", b"BZh", bz2.BZ2Decompressor),
}
_DAMAGES = (zlib.error, lzma.LZMAError, zstandard.ZstdError, OSError, ValueError, EOFError)


class Position(NamedTuple):
    """The place of a byte of raw text, which does not depend on how the file is cut.

    In all files but .bz2 ``block`` is 0 and ``inner`` is the offset in the text. In a .bz2 file
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

    def position(self, index: int) -> Position:
        """The place of ``data[index]``."""
        return Position(self.block, self.inner + index)


def kind(path: str | storage.AnyPath) -> str:
    """How the file is stored, by its first bytes: plain, gz, bz2, xz, zst or zip."""
    try:
        with storage.opened(path) as file:
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
        if magic.startswith(foreign):
            raise InputError(f"{path} is {what}, which no reader can read: {remedy}.")
    stored = "plain"
    if codec := next((name for name in _STREAMS if magic.startswith(CODECS[name].magic)), None):
        stored = codec
    elif re.match(rb"BZh[1-9]", magic):
        stored = "bz2"
    elif magic.startswith((b"PK\x03\x04", b"PK\x05\x06")):
        stored = "zip"
    suffix = PurePath(str(path)).suffix[1:].lower()
    if magic and stored != suffix and suffix in _SUFFIXES:
        raise InputError(
            f"{path} is named .{suffix} but does not begin as {suffix} data: fetch the file again."
        )
    return stored


def uncompressed(name: str) -> str:
    """The name of a file without the suffix of its compression."""
    stem, dot, suffix = name.rpartition(".")
    return stem if dot and suffix in CODECS else name


def size(path: str | storage.AnyPath) -> int:
    """The size of the file as stored, in bytes."""
    return storage.state(path).size


def most_spans(path: str | storage.AnyPath) -> float:
    """The largest number of spans that a file may be cut into.

    A .gz, .xz or .zst is always decompressed from its start. That is ten times faster than
    splitting the text into words, so a few spans are worth it, but many are not.
    """
    if container(path):
        return 1
    return {"plain": math.inf, "bz2": math.inf, "gz": 8, "zst": 8, "xz": 4}[kind(path)]


def container(path: str | storage.AnyPath) -> str:
    """Which archive the file is, perhaps below its compression: zip, tar, deb, or "" for none."""
    return _container(str(path), *storage.state(path))


@lru_cache(maxsize=256)
def _container(path: str, size: int, changed: int) -> str:
    if kind(path) == "zip":
        return "zip"
    start = b""
    for piece in pieces_of_file(Span(path), Tally(tolerate=1.0)):
        start += piece.data
        if len(start) >= tarfile.BLOCKSIZE:
            break
    if start[_TAR_MAGIC_AT:].startswith(b"ustar"):
        return "tar"
    return "deb" if start.startswith(b"!<arch>\ndebian-binary") else ""


def head(span: Span, length: int = HEAD) -> bytes:
    """The first bytes of the text, enough to detect its format and its encoding."""
    return _head(Span(span.path, member=span.member), length, *storage.state(span.path))


@lru_cache(maxsize=16)
def _head(span: Span, length: int, size: int, changed: int) -> bytes:
    start = b""
    for piece in pieces(span, Tally(tolerate=1.0)):
        start += piece.data
        if len(start) >= length:
            break
    return start[:length]


def tail(path: str) -> bytes | None:
    """The last bytes of the text, or None where that would take reading all of it."""
    stored = kind(path)
    if container(path):
        return None
    if stored == "plain":
        with storage.opened(path) as file:
            file.seek(max(0, size(path) - HEAD))
            return file.read()
    if stored == "bz2":
        with storage.mapped(path) as data:
            return bz2_blocks.last_text(data)
    return None


def pieces(span: Span, tally: Tally) -> Iterator[Piece]:
    """The raw text of the span, then the text that follows it, to the end of the file."""
    if span.member:
        return unpacked(span, span.member.chunks(tally), tally)
    if archived := container(span.path):
        raise InputError(
            f"{span.path} is a {archived} archive, and no file in it was chosen: unpack it first."
        )
    tally.bytes += (size(span.path) if span.end is None else span.end) - span.start
    return pieces_of_file(span, tally)


def pieces_of_file(span: Span, tally: Tally) -> Iterator[Piece]:
    """The same for any file, without its compression; an archive is no text."""
    match kind(span.path):
        case "bz2":
            return _bz2(span, tally)
        case "gz" | "xz" | "zst" as stored:
            return _stream(span, CODECS[stored], tally)
        case _:
            return _plain(span, tally)


def unpacked(span: Span, chunks: Iterator[bytes], tally: Tally) -> Iterator[Piece]:
    """The text of bytes that may be compressed, as in an archive."""
    first = next(chunks, b"")
    chunks = chain([first], chunks)
    codec = next((codec for codec in CODECS.values() if first.startswith(codec.magic)), None)
    if codec:
        yield from _decompressed(span, _blocks(codec, chunks), tally)
        return
    inner = 0
    for data in chunks:
        yield Piece(data, 0, inner, True, False)
        inner += len(data)


def joined(span: Span, raw: Iterable[Piece], tally: Tally, largest: int = LARGEST) -> bytes:
    """All bytes of a file that is one document; empty when there are more than ``largest``."""
    data: list[bytes] = []
    length = 0
    for piece in raw:
        data.append(piece.data)
        length += len(piece.data)
        if length > largest:
            what = f"document larger than {largest >> 20} MiB"
            tally.damage(span.label, piece.position(0).offset, what, length, "look at the file")
            tally.drop("too large")
            return b""
    return b"".join(data)


def _plain(span: Span, tally: Tally) -> Iterator[Piece]:
    with storage.opened(span.path) as file:
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


def _stream(span: Span, codec: Codec, tally: Tally) -> Iterator[Piece]:
    with storage.opened(span.path) as file:
        chunks = iter(lambda: file.read(PIECE), b"")
        yield from _decompressed(span, _blocks(codec, chunks), tally)


def _decompressed(span: Span, stream: Iterable[Block], tally: Tally) -> Iterator[Piece]:
    """Pieces of text that is decompressed from its start: only those of the span, and later ones.

    A piece belongs to the span with the stored byte at which its decompression began.
    """

    def in_span(offset: int) -> bool:
        return offset >= span.start and (span.end is None or offset < span.end)

    inner = size = at = 0  # bytes before the collected texts, bytes in them, where they are stored
    texts: list[bytes] = []
    for block in chain(stream, [_END]):
        ends = block.fault or not block.text
        if size and (ends or size >= PIECE or in_span(block.offset) != in_span(at)):
            if at >= span.start:
                yield Piece(b"".join(texts), 0, inner, in_span(at), False)
            inner, size, texts = inner + size, 0, []
        if block.fault:
            lost = block.size * in_span(block.offset)
            tally.damage(span.label, block.offset, block.fault, lost)
            yield Piece(b"", 0, inner, False, True)
        if not texts:
            at = block.offset
        texts.append(block.text)
        size += len(block.text)


_END = Block(0, 0, b"")


def _bz2(span: Span, tally: Tally) -> Iterator[Piece]:
    with storage.mapped(span.path) as data:
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


def _blocks(codec: Codec, chunks: Iterator[bytes]) -> Iterator[Block]:
    """The text of all streams in the data in small blocks; damage ends it."""
    stream = codec.new()
    read = 0  # stored bytes
    raw = b""
    while True:
        if not raw:
            raw = next(chunks, b"")
            read += len(raw)
        at = read - len(raw)
        if not raw:
            yield Block(max(at - 1, 0), 1, b"", f"end of the file inside the {codec.name} data")
            return
        try:
            text = stream.decompress(raw[:STEP])
        except _DAMAGES as error:
            kind = "wrong {} checksum" if "check" in str(error).lower() else "damaged {} data"
            rest = len(raw) + sum(map(len, chunks))
            yield Block(at, rest, b"", kind.format(codec.name))
            return
        if text:
            yield Block(at, len(raw[:STEP]), text)
        raw = raw[STEP:]
        if not stream.eof:
            continue
        raw = stream.unused_data + raw
        # NUL bytes may pad the data to the block size of a disk or tape.
        while not raw.strip(b"\0"):
            raw = next(chunks, b"")
            read += len(raw)
            if not raw:
                return
        if not raw.startswith(codec.magic):
            at, rest = read - len(raw), len(raw) + sum(map(len, chunks))
            yield Block(at, rest, b"", f"garbage after the {codec.name} data")
            return
        stream = codec.new()
