"""Read any part of a .bz2 file on its own.

A bzip2 stream is ``BZh1``…``BZh9``, then blocks, then an end mark with a checksum over the blocks'
checksums; a file is one stream or several. Blocks hold up to 900 kB of text, start at any *bit*
with a 48-bit magic number and do not depend on each other. So a task that is given the bytes
[start, end) looks for the magic numbers in them and decodes each block as a stream of its own.
"""

import bz2
import mmap
from collections import deque
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

import numpy as np

BLOCK = 0x314159265359
END = 0x177245385090
MAGIC_BITS = 48
CHECKSUM_BITS = 32
HEADER_BYTES = 4

# A block of 900 kB that does not compress at all, with its tables, stays below this size: so far
# back one has to look for the start of a block.
LARGEST_BLOCK = 1 << 20
_WINDOW = 1 << 20


class Mark(NamedTuple):
    """A place where a block starts or a stream ends, in bits from the start of the file."""

    bit: int
    is_end: bool

    @property
    def byte(self) -> int:
        return self.bit >> 3


class _Needle(NamedTuple):
    """One magic number at one of the eight bit positions, seen as bytes."""

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
        found = data.find(middle, low + lead, stop)
        while found >= 0:
            if shift == 0:
                yield Mark(found * 8, is_end)
            elif (
                data[found - 1] & (0xFF >> shift) == first
                and found + 5 < len(data)
                and data[found + 5] & (0xFF00 >> shift & 0xFF) == last
            ):
                yield Mark((found - 1) * 8 + shift, is_end)
            found = data.find(middle, found + 1, stop)


def number(data: mmap.mmap, bit: int, bits: int) -> int:
    """The unsigned number in ``bits`` bits from ``bit``."""
    low, high = bit >> 3, (bit + bits + 7) >> 3
    return int.from_bytes(data[low:high], "big") >> (high * 8 - bit - bits) & ((1 << bits) - 1)


def as_stream(data: mmap.mmap, bit: int, end_bit: int) -> bytes:
    """The block in these bits as a whole bzip2 stream: moved to a byte's edge and closed."""
    shift = bit & 7
    raw = np.frombuffer(data[bit >> 3 : (end_bit >> 3) + 1], dtype=np.uint8)
    if shift:
        moved = raw << np.uint8(shift)
        moved[:-1] |= raw[1:] >> np.uint8(8 - shift)
    else:
        moved = raw
    whole, rest = divmod(end_bit - bit, 8)
    # A stream of one block has that block's checksum. Level 9 reads blocks of any level.
    closing = END << CHECKSUM_BITS | number(data, bit + MAGIC_BITS, CHECKSUM_BITS)
    closing_bits = MAGIC_BITS + CHECKSUM_BITS
    if rest:
        closing |= (int(moved[whole]) >> (8 - rest)) << closing_bits
    closing <<= 8 - rest
    return b"BZh9" + moved[:whole].tobytes() + closing.to_bytes(closing_bits // 8 + 1, "big")


def decoded(data: mmap.mmap, bit: int, end_bit: int) -> bytes | None:
    """The text of the block in these bits, or None when it is not a whole and sound block."""
    if end_bit - bit < MAGIC_BITS + CHECKSUM_BITS:
        return None
    decompressor = bz2.BZ2Decompressor()
    try:
        text = decompressor.decompress(as_stream(data, bit, end_bit))
    except OSError:
        return None
    return text if decompressor.eof else None


def _turned(checksum: int, bits: int) -> int:
    bits %= CHECKSUM_BITS
    return (checksum << bits | checksum >> (CHECKSUM_BITS - bits)) & 0xFFFFFFFF


def combined(checksums: Iterable[int]) -> int:
    """A stream's checksum out of those of its blocks."""
    total = 0
    for checksum in checksums:
        total = _turned(total, 1) ^ checksum
    return total


def combined_without_one(checksums: list[int]) -> Iterator[int]:
    """A stream's checksum when its first, second … block is left out."""
    total = combined(checksums)
    before = 0
    for following, checksum in zip(range(len(checksums))[::-1], checksums, strict=True):
        after = _turned(before, 1) ^ checksum
        yield total ^ _turned(before ^ after, following)
        before = after


class Part(NamedTuple):
    """What one block holds, or (``fault`` not empty) what is wrong with these stored bytes."""

    offset: int
    size: int
    text: bytes
    fault: str = ""


def parts(data: mmap.mmap, start: int) -> Iterator[Part]:
    """The blocks that start at or after the byte ``start``, in order, to the end of the file."""
    yield from _Pass(data, start).parts()


class _Pass:
    """One pass over the marks of a file, looking at most two marks ahead."""

    def __init__(self, data: mmap.mmap, start: int) -> None:
        self.data = data
        self.start = start
        self.found = marks(data, start, len(data))
        self.ahead: deque[Mark] = deque()
        self.checksums: list[int] = []  # of the blocks of the current stream
        self.entire = start == 0  # the current stream has been seen from its first block on
        self.first = start > 0  # the next mark may be a pattern inside an earlier block
        self.sound = True  # and nothing was wrong in it

    def peek(self, index: int) -> Mark:
        """The mark so many places ahead; past the last one, a mark at the end of the file."""
        while len(self.ahead) <= index:
            self.ahead.append(next(self.found, Mark(len(self.data) * 8, True)))
        return self.ahead[index]

    def over(self, mark: Mark) -> bool:
        """Whether the mark stands for the end of the file."""
        return mark.byte >= len(self.data)

    def parts(self) -> Iterator[Part]:
        if self.start == 0:
            yield from self.opening(0)
        while not self.over(self.peek(0)):
            if self.peek(0).is_end:
                yield from self.stream_end()
            else:
                yield from self.block()
            self.first = False

    def opening(self, byte: int) -> Iterator[Part]:
        """Check that a stream opens at this byte, or else that the file ends there."""
        self.checksums, self.entire, self.sound = [], True, True
        mark = self.peek(0)
        opens = self.data[byte : byte + 3] == b"BZh" and mark.bit == (byte + HEADER_BYTES) * 8
        if not opens and byte < len(self.data):
            yield Part(byte, mark.byte - byte, b"", "bytes that are not bzip2 data")

    def block(self) -> Iterator[Part]:
        mark, following = self.peek(0), self.peek(1)
        text = decoded(self.data, mark.bit, following.bit)
        if text is None and not self.over(following):
            # A mark's pattern can stand inside a block by chance: then the block goes on past it.
            text = decoded(self.data, mark.bit, self.peek(2).bit)
            if text is not None:
                del self.ahead[1]
                following = self.peek(1)
        self.ahead.popleft()
        if text is None and self.by_chance(following):
            return
        self.checksums.append(number(self.data, mark.bit + MAGIC_BITS, CHECKSUM_BITS))
        fault = ""
        if self.over(following):
            fault = "end of the file inside the bzip2 data"
        elif text is None:
            fault = "damaged bzip2 block"
        self.sound = self.sound and not fault
        yield Part(mark.byte, (following.bit - mark.bit + 7) >> 3, text or b"", fault)

    def stream_end(self) -> Iterator[Part]:
        mark = self.ahead.popleft()
        stop = (mark.bit + MAGIC_BITS + CHECKSUM_BITS + 7) >> 3
        if stop > len(self.data):
            fault = "end of the file inside the bzip2 data"
            yield Part(mark.byte, len(self.data) - mark.byte, b"", fault)
            return
        if self.sound and not self.fits(mark):
            if self.by_chance(self.peek(0)):
                return
            yield Part(mark.byte, stop - mark.byte, b"", "wrong bzip2 stream checksum")
        yield from self.opening(stop)

    def fits(self, mark: Mark) -> bool:
        """Whether the stream's checksum is that of its blocks."""
        declared = number(self.data, mark.bit + MAGIC_BITS, CHECKSUM_BITS)
        if self.entire:
            return combined(self.checksums) == declared
        # Of blocks before the span only the marks are known, of which one may be there by chance.
        checksums = checksums_before(self.data, mark)
        return combined(checksums) == declared or declared in combined_without_one(checksums)

    def by_chance(self, following: Mark) -> bool:
        """Whether the mark before ``following`` is a pattern inside a block begun before."""
        if not self.first:
            return False
        low = max(0, self.start - LARGEST_BLOCK)
        earlier = list(marks(self.data, low, self.start))
        if not earlier or earlier[-1].is_end:
            return False
        return decoded(self.data, earlier[-1].bit, following.bit) is not None


def last_text(data: mmap.mmap) -> bytes:
    """What the last whole block of the file holds; nothing when the file ends inside it."""
    found = list(marks(data, max(0, len(data) - 2 * LARGEST_BLOCK), len(data)))
    for mark, following in reversed(list(pairwise(found))):
        if not mark.is_end:
            return decoded(data, mark.bit, following.bit) or b""
    return b""


def _opens_after(data: mmap.mmap, end: Mark) -> bool:
    """Whether a stream opens where the one that ends here is over."""
    stop = (end.bit + MAGIC_BITS + CHECKSUM_BITS + 7) >> 3
    return data[stop : stop + 3] == b"BZh"


def checksums_before(data: mmap.mmap, end: Mark) -> list[int]:
    """Checksums of the blocks of the stream that this mark ends, searched for backwards."""
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
        number(data, mark.bit + MAGIC_BITS, CHECKSUM_BITS)
        for run in reversed(runs)
        for mark in run
        if not mark.is_end
    ]
