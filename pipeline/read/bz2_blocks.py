"""Read any part of a .bz2 file without reading the rest.

A file consists of one or more streams. A stream is ``BZh1`` to ``BZh9``, then blocks, then an end
mark with a checksum of the blocks' checksums. A block holds up to 900 kB of text, starts at any
*bit* with a 48-bit magic number, and does not depend on other blocks. So a task that reads the
bytes [start, end) searches them for magic numbers and decodes each block as a separate stream.
"""

import bz2
import mmap
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from pipeline.read.documents import Block

BLOCK = 0x314159265359
END = 0x177245385090
MAGIC_BITS = 48
CHECKSUM_BITS = 32
HEADER_BYTES = 4

# A block of 900 kB that does not compress at all is smaller than this, including its tables. The
# start of a block is at most this many bytes back.
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


def _rotated(checksum: int, bits: int) -> int:
    bits %= CHECKSUM_BITS
    return (checksum << bits | checksum >> (CHECKSUM_BITS - bits)) & 0xFFFFFFFF


def stream_checksum(checksums: Iterable[int]) -> int:
    """The checksum of a stream, from those of its blocks."""
    total = 0
    for checksum in checksums:
        total = _rotated(total, 1) ^ checksum
    return total


def checksums_without_one(checksums: list[int]) -> Iterator[int]:
    """The checksum of a stream without its first block, without its second block, and so on."""
    total = stream_checksum(checksums)
    before = 0
    for following, checksum in zip(range(len(checksums))[::-1], checksums, strict=True):
        after = _rotated(before, 1) ^ checksum
        yield total ^ _rotated(before ^ after, following)
        before = after


def blocks(data: mmap.mmap, start: int) -> Iterator[Block]:
    """The blocks that start at or after the byte ``start``, in order, to the end of the file."""
    yield from _Scan(data, start).blocks()


class _Scan:
    """One pass over the marks of a file, looking at most two marks ahead."""

    def __init__(self, data: mmap.mmap, start: int) -> None:
        self.data = data
        self.start = start
        self.marks = marks(data, start, len(data))
        self.ahead: deque[Mark] = deque()
        self.checksums: list[int] = []  # of the blocks of the current stream
        self.entire = start == 0  # the scan began before the first block of the current stream
        self.intact = True  # no fault in the current stream so far
        self.first = start > 0  # the next mark may be a pattern inside an earlier block

    def peek(self, index: int) -> Mark:
        """The mark ``index`` places ahead; after the last one, a mark at the end of the file."""
        while len(self.ahead) <= index:
            self.ahead.append(next(self.marks, Mark(len(self.data) * 8, True)))
        return self.ahead[index]

    def at_end_of_file(self, mark: Mark) -> bool:
        """Whether the mark stands for the end of the file."""
        return mark.byte >= len(self.data)

    def blocks(self) -> Iterator[Block]:
        """The blocks and faults, in the order of the file."""
        if self.start == 0:
            yield from self.opening(0)
        while not self.at_end_of_file(self.peek(0)):
            if self.peek(0).is_end:
                yield from self.stream_end()
            else:
                yield from self.block()
            self.first = False

    def opening(self, byte: int) -> Iterator[Block]:
        """Check that a stream opens at this byte, or that the file ends there."""
        self.checksums, self.entire, self.intact = [], True, True
        mark = self.peek(0)
        opens = self.data[byte : byte + 3] == b"BZh" and mark.bit == (byte + HEADER_BYTES) * 8
        if not opens and byte < len(self.data):
            yield Block(byte, mark.byte - byte, b"", "bytes that are not bzip2 data")

    def block(self) -> Iterator[Block]:
        """Decode the block at the next mark."""
        mark, following = self.peek(0), self.peek(1)
        text = decode_block(self.data, mark.bit, following.bit)
        if text is None and not self.at_end_of_file(following):
            # The bits of a mark can occur inside a block by chance: then the block goes on.
            text = decode_block(self.data, mark.bit, self.peek(2).bit)
            if text is not None:
                del self.ahead[1]
                following = self.peek(1)
        self.ahead.popleft()
        if text is None and self.is_by_chance(following):
            return
        self.checksums.append(read_bits(self.data, mark.bit + MAGIC_BITS, CHECKSUM_BITS))
        fault = ""
        if self.at_end_of_file(following):
            fault = "end of the file inside the bzip2 data"
        elif text is None:
            fault = "damaged bzip2 block"
        self.intact = self.intact and not fault
        yield Block(mark.byte, (following.bit - mark.bit + 7) >> 3, text or b"", fault)

    def stream_end(self) -> Iterator[Block]:
        """Check the end of a stream at the next mark, and what follows it."""
        mark = self.ahead.popleft()
        stop = (mark.bit + MAGIC_BITS + CHECKSUM_BITS + 7) >> 3
        if stop > len(self.data):
            fault = "end of the file inside the bzip2 data"
            yield Block(mark.byte, len(self.data) - mark.byte, b"", fault)
            return
        if self.intact and not self.checksum_fits(mark):
            if self.is_by_chance(self.peek(0)):
                return
            yield Block(mark.byte, stop - mark.byte, b"", "wrong bzip2 stream checksum")
        yield from self.opening(stop)

    def checksum_fits(self, mark: Mark) -> bool:
        """Whether the checksum of the stream matches those of its blocks."""
        declared = read_bits(self.data, mark.bit + MAGIC_BITS, CHECKSUM_BITS)
        if self.entire:
            return stream_checksum(self.checksums) == declared
        # Of the blocks before the scan only the marks are known, and one may be there by chance.
        checksums = checksums_before(self.data, mark)
        return stream_checksum(checksums) == declared or declared in checksums_without_one(
            checksums
        )

    def is_by_chance(self, following: Mark) -> bool:
        """Whether the mark before ``following`` is inside a block that began before the scan."""
        if not self.first:
            return False
        low = max(0, self.start - LARGEST_BLOCK)
        earlier = list(marks(self.data, low, self.start))
        if not earlier or earlier[-1].is_end:
            return False
        return decode_block(self.data, earlier[-1].bit, following.bit) is not None


def last_text(data: mmap.mmap) -> bytes:
    """The text of the last complete block of the file; empty when the file ends inside it."""
    last_marks = list(marks(data, max(0, len(data) - 2 * LARGEST_BLOCK), len(data)))
    for mark, following in reversed(list(pairwise(last_marks))):
        if not mark.is_end:
            return decode_block(data, mark.bit, following.bit) or b""
    return b""


def _opens_after(data: mmap.mmap, end: Mark) -> bool:
    """Whether a stream opens right after the one that ends here."""
    stop = (end.bit + MAGIC_BITS + CHECKSUM_BITS + 7) >> 3
    return data[stop : stop + 3] == b"BZh"


def checksums_before(data: mmap.mmap, end: Mark) -> list[int]:
    """The checksums of the blocks of the stream that ends here, found by searching backwards."""
    runs: list[list[Mark]] = []
    high = end.byte
    opened = False
    while high > 0 and not opened:
        low = max(0, high - 4 * LARGEST_BLOCK)
        run = list(marks(data, low, high))
        ends = [index for index, mark in enumerate(run) if mark.is_end and _opens_after(data, mark)]
        opened = bool(ends)
        runs.append(run[ends[-1] + 1 :] if ends else run)
        high = low
    return [
        read_bits(data, mark.bit + MAGIC_BITS, CHECKSUM_BITS)
        for run in reversed(runs)
        for mark in run
        if not mark.is_end
    ]
