"""Compressed streams (.gz, .xz, .zst) to text, up to the first damage.

Such a stream is always decompressed from its start. A piece of text belongs to the span with the
stored byte at which its decompression began.
"""

import bz2
import lzma
import zlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import zstandard

from pipeline.read.documents import Span, Tally

STEP = 512
"""Stored bytes that are decompressed at a time: all text before damage is kept, and even the
densest stream gives only a few megabytes for so few bytes."""
MOST_MEMORY = 256 << 20  # bytes that an .xz or .zst may ask for


class Codec(NamedTuple):
    """A compression: the bytes that it begins with, and how to undo it."""

    name: str
    magic: bytes
    new: Callable[[], Any]
    errors: tuple[type[Exception], ...]


CODECS = {
    "gz": Codec("gzip", b"\x1f\x8b", lambda: zlib.decompressobj(wbits=31), (zlib.error,)),
    "xz": Codec(
        "xz",
        b"\xfd7zXZ\x00",
        lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=MOST_MEMORY),
        (lzma.LZMAError, EOFError),
    ),
    "zst": Codec(
        "zstd",
        b"\x28\xb5\x2f\xfd",
        lambda: zstandard.ZstdDecompressor(max_window_size=MOST_MEMORY).decompressobj(),
        (zstandard.ZstdError,),
    ),
    "bz2": Codec("bzip2", b"BZh", bz2.BZ2Decompressor, (OSError, ValueError, EOFError)),
}
"""The compressions of a stream; a .bz2 file is read block by block elsewhere, a member here."""


class Text(NamedTuple):
    """Some text of a stream; without a place in it when nothing can be read any more."""

    data: bytes
    inner: int  # its offset in the text
    in_span: bool
    is_broken: bool = False


def codec_of(start: bytes) -> Codec | None:
    """The compression of data that begins in this way."""
    return next((codec for codec in CODECS.values() if start.startswith(codec.magic)), None)


def decompressed(
    codec: Codec, span: Span, chunks: Iterator[bytes], tally: Tally, piece: int
) -> Iterator[Text]:
    """The text of all streams in the data, in pieces of about this size; damage ends it."""
    text = _Buffer(span, piece)
    stream = codec.new()
    read = 0  # stored bytes
    raw = b""
    while True:
        if not raw:
            raw = next(chunks, b"")
            read += len(raw)
        at = read - len(raw)
        if not raw:
            yield from text.flush()
            what = f"end of the file inside the {codec.name} data"
            tally.damage(span.label, at, what, int(text.in_span(at - 1)))
            yield Text(b"", text.inner, False, is_broken=True)
            return
        try:
            yield from text.add(stream.decompress(raw[:STEP]), at)
        except codec.errors as error:
            yield from text.flush()
            kind = "wrong {} checksum" if "check" in str(error).lower() else "damaged {} data"
            rest = len(raw) + sum(map(len, chunks))
            tally.damage(span.label, at, kind.format(codec.name), rest * text.in_span(at))
            yield Text(b"", text.inner, False, is_broken=True)
            return
        raw = raw[STEP:]
        if not stream.eof:
            continue
        raw = stream.unused_data + raw
        # NUL bytes may pad the data to the block size of a disk or tape.
        while not raw.strip(b"\0"):
            raw = next(chunks, b"")
            read += len(raw)
            if not raw:
                yield from text.flush()
                return
        if not raw.startswith(codec.magic):
            yield from text.flush()
            at, rest = read - len(raw), len(raw) + sum(map(len, chunks))
            what = f"garbage after the {codec.name} data"
            tally.damage(span.label, at, what, rest * text.in_span(at))
            return
        stream = codec.new()


class _Buffer:
    """Collects text until there is a piece of it, and leaves out what is before the span."""

    def __init__(self, span: Span, piece: int) -> None:
        self.inner = 0  # bytes of text before the buffer
        self._span = span
        self._piece = piece
        self._texts: list[bytes] = []
        self._size = 0
        self._at = 0  # the stored byte at which the first text of the buffer began

    def in_span(self, at: int) -> bool:
        """Whether a stored byte belongs to the span."""
        return at >= self._span.start and (self._span.end is None or at < self._span.end)

    def add(self, text: bytes, at: int) -> Iterator[Text]:
        """Add text that comes from the stored byte `at`."""
        if self._size >= self._piece or self.in_span(at) != self.in_span(self._at):
            yield from self.flush()
        if not self._texts:
            self._at = at
        self._texts.append(text)
        self._size += len(text)

    def flush(self) -> Iterator[Text]:
        """What is in the buffer."""
        if self._size and self._at >= self._span.start:
            yield Text(b"".join(self._texts), self.inner, self.in_span(self._at))
        self.inner += self._size
        self._texts, self._size = [], 0
