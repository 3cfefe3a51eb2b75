"""Compressed streams (.gz, .xz, .zst, and .bz2 inside archives) to text, up to the first damage.

Such a stream is always decompressed from its start.
"""

import bz2
import lzma
import zlib
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import zstandard

from pipeline.read.documents import Block

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


def codec_of(start: bytes) -> Codec | None:
    """The compression of data that begins in this way."""
    return next((codec for codec in CODECS.values() if start.startswith(codec.magic)), None)


def blocks(codec: Codec, chunks: Iterator[bytes]) -> Iterator[Block]:
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
        except codec.errors as error:
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
