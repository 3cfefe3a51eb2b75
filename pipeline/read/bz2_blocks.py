"""Read any part of a .bz2 file without reading the rest.

A file consists of one or more streams. A stream is ``BZh1`` to ``BZh9``, then blocks, then an end
mark with a checksum of the blocks' checksums. A block holds up to 900 kB of text, starts at any
*bit* with a 48-bit magic number, and does not depend on other blocks. So a task that reads the
bytes [start, end) searches them for magic numbers and decodes each block as a separate stream.
"""

import bz2
import mmap
from collections import deque
from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from pipeline.read.documents import Block

BLOCK = 0x314159265359
END = 0x177245385090
MAGIC_BITS = 48
CHECKSUM_BITS = 32
HEADER_BYTES = 4

# A block of 900 kB that does not compress at all is smaller than this, including its tables.
LARGEST_BLOCK = 1 << 20
_WINDOW = 1 << 20


class Mark(NamedTuple):
    """The place where a block starts or a stream ends, in bits from the start of the file."""

    bit: int
    is_end: bool

    @property
    def byte(self) -> int:
        return self.bit >> 3


class _Needle(NamedTuple):
    """A magic number at one of the eight bit positions, as bytes to search for."""

    is_end: bool
    shift: int
    middle: bytes  # the bytes that the magic number fills
    first: int  # low bits of the byte before them
    last: int  # high bits of the byte after them


def _needle(magic: int, shift: int) -> _Needle:
    spread = (magic << (8 - shift)).to_bytes(7, "big")
    if shift == 0:
        return _Needle(magic == END, 0, spread[:6], 0, 0)
    return _Needle(magic == END, shift, spread[1:6], spread[0], spread[6])


_NEEDLES = [_needle(magic, shift) for magic in (BLOCK, END) for shift in range(8)]


def marks(data: mmap.mmap, start: int, end: int) -> Iterator[Mark]:
    """Marks whose first bit lies in the bytes [start, end), in order."""
    for low in range(start, end, _WINDOW):
        high = min(low + _WINDOW, end)
        yield from sorted(_marks_between(data, low, high))


def _marks_between(data: mmap.mmap, low: int, high: int) -> Iterator[Mark]:
    for is_end, shift, middle, first, last in _NEEDLES:
        lead = 1 if shift else 0
        stop = min(high + lead + len(middle) - 1, len(data))
        at = data.find(middle, low + lead, stop)
        while at >= 0:
            if shift == 0:
                yield Mark(at * 8, is_end)
            elif (
                data[at - 1] & (0xFF >> shift) == first
                and at + 5 < len(data)
                and data[at + 5] & (0xFF00 >> shift & 0xFF) == last
            ):
                yield Mark((at - 1) * 8 + shift, is_end)
            at = data.find(middle, at + 1, stop)


def read_bits(data: mmap.mmap, bit: int, bits: int) -> int:
    """The unsigned number in the ``bits`` bits that start at ``bit``."""
    low, high = bit >> 3, (bit + bits + 7) >> 3
    return int.from_bytes(data[low:high], "big") >> (high * 8 - bit - bits) & ((1 << bits) - 1)


def as_stream(data: mmap.mmap, bit: int, end_bit: int) -> bytes:
    """The block in these bits as a complete bzip2 stream: aligned to a byte and closed."""
    shift = bit & 7
    raw = np.frombuffer(data[bit >> 3 : (end_bit >> 3) + 1], dtype=np.uint8)
    if shift:
        aligned = raw << np.uint8(shift)
        aligned[:-1] |= raw[1:] >> np.uint8(8 - shift)
    else:
        aligned = raw
    whole, rest = divmod(end_bit - bit, 8)
    # The checksum of a stream of one block is that of the block. Level 9 reads all levels.
    closing = END << CHECKSUM_BITS | read_bits(data, bit + MAGIC_BITS, CHECKSUM_BITS)
    closing_bits = MAGIC_BITS + CHECKSUM_BITS
    if rest:
        closing |= (int(aligned[whole]) >> (8 - rest)) << closing_bits
    closing <<= 8 - rest
    return b"BZh9" + aligned[:whole].tobytes() + closing.to_bytes(closing_bits // 8 + 1, "big")


def decode_block(data: mmap.mmap, bit: int, end_bit: int) -> bytes | None:
    """The text of the block in these bits, or None when it is not a complete, intact block."""
    if end_bit - bit < MAGIC_BITS + CHECKSUM_BITS:
        return None
    decompressor = bz2.BZ2Decompressor()
    try:
        text = decompressor.decompress(as_stream(data, bit, end_bit))
    except OSError:
        return None
    return text if decompressor.eof else None


def blocks(data: mmap.mmap, start: int) -> Iterator[Block]:
    """The blocks that start at or after the byte ``start``, in order, to the end of the file.

    Each block has a checksum of its own. The checksums of streams say nothing more: a block whose
    magic number is damaged, or that is missing, leaves bytes that are no block.
    """
    ahead = _Ahead(data, start)
    if start == 0:
        yield from _opening(data, 0, ahead.peek(0))
    while (mark := ahead.peek(0)).byte < len(data):
        if mark.is_end:
            ahead.drop()
            yield from _stream_end(data, mark, ahead.peek(0))
            continue
        following = ahead.peek(1)
        text = decode_block(data, mark.bit, following.bit)
        if text is None and following.byte < len(data):
            # The bits of a mark can occur inside a block by chance: then the block goes on.
            text = decode_block(data, mark.bit, ahead.peek(2).bit)
            if text is not None:
                following = ahead.peek(2)
                ahead.drop()
        ahead.drop()
        fault = ""
        if following.byte >= len(data):
            fault = "end of the file inside the bzip2 data"
        elif text is None:
            fault = "damaged bzip2 block"
        yield Block(mark.byte, (following.bit - mark.bit + 7) >> 3, text or b"", fault)


class _Ahead:
    """The marks of a file from some byte on, as many ahead as are looked at."""

    def __init__(self, data: mmap.mmap, start: int) -> None:
        self._marks = marks(data, start, len(data))
        self._seen: deque[Mark] = deque()
        self._end = Mark(len(data) * 8, True)

    def peek(self, index: int) -> Mark:
        """The mark ``index`` places ahead; after the last one, a mark at the end of the file."""
        while len(self._seen) <= index:
            self._seen.append(next(self._marks, self._end))
        return self._seen[index]

    def drop(self) -> None:
        """Go on to the next mark."""
        self._seen.popleft()


def _opening(data: mmap.mmap, byte: int, mark: Mark) -> Iterator[Block]:
    """Check that a stream opens at this byte, before a mark, or that the file ends there."""
    opens = data[byte : byte + 3] == b"BZh" and mark.bit == (byte + HEADER_BYTES) * 8
    if not opens and byte < len(data):
        yield Block(byte, mark.byte - byte, b"", "bytes that are not bzip2 data")


def _stream_end(data: mmap.mmap, mark: Mark, following: Mark) -> Iterator[Block]:
    """Check the end of a stream, and what follows it."""
    stop = (mark.bit + MAGIC_BITS + CHECKSUM_BITS + 7) >> 3
    if stop > len(data):
        fault = "end of the file inside the bzip2 data"
        yield Block(mark.byte, len(data) - mark.byte, b"", fault)
    else:
        yield from _opening(data, stop, following)


def last_text(data: mmap.mmap) -> bytes:
    """The text of the last complete block of the file; empty when the file ends inside it."""
    last_marks = list(marks(data, max(0, len(data) - 2 * LARGEST_BLOCK), len(data)))
    for mark, following in reversed(list(pairwise(last_marks))):
        if not mark.is_end:
            return decode_block(data, mark.bit, following.bit) or b""
    return b""
