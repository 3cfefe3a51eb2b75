"""Any part of a .bz2 can be read without the rest, and no damage goes unnoticed."""

import bz2
import mmap
import random
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import pairwise, takewhile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.read import bz2_blocks
from tests.support.examples import at_most
from tests.support.raw import prose

# Level 1 has the smallest blocks, 100 kB: this text fills four.
TEXT = prose(50_000).encode()[:350_000]
SINGLE = bz2.compress(TEXT, 1)
MULTI = b"".join(bz2.compress(TEXT[i : i + 60_000], 1) for i in range(0, len(TEXT), 60_000))
FILES = {"one stream": SINGLE, "many streams": MULTI}


@contextmanager
def mapped(data: bytes) -> Iterator[mmap.mmap]:
    with mmap.mmap(-1, len(data)) as memory:
        memory[:] = data
        yield memory


def blocks(data: bytes, start: int = 0) -> list[bz2_blocks.Block]:
    with mapped(data) as memory:
        return list(bz2_blocks.blocks(memory, start))


def text(data: bytes) -> bytes:
    return b"".join(block.text for block in blocks(data))


def faults(data: bytes) -> list[str]:
    return [block.fault for block in blocks(data) if block.fault]


@pytest.mark.parametrize("name", FILES)
def test_blocks_hold_the_text(name: str) -> None:
    assert text(FILES[name]) == TEXT
    assert faults(FILES[name]) == []


def test_the_marks_are_those_of_a_search_bit_by_bit() -> None:
    patterns = {f"{bz2_blocks.BLOCK:048b}": False, f"{bz2_blocks.END:048b}": True}
    bits = "".join(f"{byte:08b}" for byte in MULTI)
    expected = [
        bz2_blocks.Mark(bit, is_end)
        for bit in range(len(bits))
        for pattern, is_end in patterns.items()
        if bits.startswith(pattern, bit)
    ]
    with mapped(MULTI) as memory:
        assert list(bz2_blocks.marks(memory, 0, len(MULTI))) == expected


@pytest.mark.parametrize("name", FILES)
@settings(max_examples=at_most(30))
@given(cuts=st.lists(st.integers(1, 10_000), max_size=4).map(sorted))
def test_each_block_is_read_by_one_part_of_the_file(name: str, cuts: list[int]) -> None:
    data = FILES[name]
    bounds = [0, *(cut * len(data) // 10_001 for cut in cuts), len(data)]
    texts = []
    with mapped(data) as memory:
        for start, end in pairwise(bounds):
            in_part = takewhile(
                lambda block: block.offset < end,  # noqa: B023
                bz2_blocks.blocks(memory, start),
            )
            texts += [block.text for block in in_part]
    assert b"".join(texts) == TEXT


@pytest.mark.parametrize("name", FILES)
def test_a_part_that_starts_later_finds_nothing_wrong(name: str) -> None:
    data = FILES[name]
    for start in range(1, len(data), len(data) // 20):
        assert [block for block in blocks(data, start) if block.fault] == []


@pytest.mark.parametrize("name", FILES)
def test_a_changed_bit_is_noticed_or_harmless(name: str) -> None:
    """A few bits do not matter: the level and checksum of a stream, and padding at its end."""
    chance = random.Random(7)
    bits = [chance.randrange(len(FILES[name]) * 8) for _ in range(40)]
    for bit in [*bits, 8 * len(FILES[name]) - 20, 33, 70, 100]:
        data = bytearray(FILES[name])
        data[bit >> 3] ^= 0x80 >> (bit & 7)
        assert faults(bytes(data)) or text(bytes(data)) == TEXT


def test_a_damaged_block_loses_only_that_block() -> None:
    intact = blocks(SINGLE)
    data = bytearray(SINGLE)
    data[intact[1].offset + 100] ^= 1
    damaged = blocks(bytes(data))
    assert [block.fault for block in damaged] == ["", "damaged bzip2 block", "", ""]
    assert damaged[1].offset == intact[1].offset
    texts = [block.text for block in damaged]
    assert texts == [intact[0].text, b"", intact[2].text, intact[3].text]


@pytest.mark.parametrize("name", FILES)
def test_a_file_cut_inside_a_stream_is_noticed(name: str) -> None:
    data = FILES[name]
    with mapped(data) as memory:
        ends = [(m.bit + 87) >> 3 for m in bz2_blocks.marks(memory, 0, len(data)) if m.is_end]
    for size in range(20, len(data), len(data) // 50):
        if size not in ends:
            assert faults(data[:size]), size


def test_garbage_after_or_between_streams_is_noticed() -> None:
    whole = bz2.compress(b"one")
    garbage = ["bytes that are not bzip2 data"]
    assert faults(whole + b"garbage") == garbage
    assert faults(whole + b"garbage" + whole) == garbage
    assert text(whole + b"garbage" + whole) == b"oneone"


def test_empty_streams_are_not_a_fault() -> None:
    data = bz2.compress(b"") + bz2.compress(b"one") + bz2.compress(b"")
    assert text(data) == b"one"
    assert faults(data) == []


@pytest.mark.parametrize("is_end", [False, True])
def test_a_pattern_inside_a_block_is_not_a_mark(
    is_end: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One place in 2**48 looks like a mark by chance; the checksum of the block decides."""
    intact = blocks(SINGLE)
    chance = bz2_blocks.Mark(intact[1].offset * 8 + 4_001, is_end)
    marks = bz2_blocks.marks

    def with_chance(data: mmap.mmap, start: int, end: int) -> Iterator[bz2_blocks.Mark]:
        extra = [chance] if start <= chance.byte < end else []
        return iter(sorted([*marks(data, start, end), *extra]))

    monkeypatch.setattr(bz2_blocks, "marks", with_chance)
    assert text(SINGLE) == TEXT
    assert faults(SINGLE) == []


def test_the_last_text_is_found_without_reading_the_rest() -> None:
    for data in FILES.values():
        with mapped(data) as memory:
            assert TEXT.endswith(bz2_blocks.last_text(memory))
    with mapped(SINGLE[:-1000]) as memory:
        assert not TEXT.endswith(bz2_blocks.last_text(memory) or b"?")
