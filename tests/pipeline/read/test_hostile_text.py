"""Text from anywhere: documents or one sentence, in time and memory bounded by its size."""

from __future__ import annotations

import time
from collections import Counter
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest

from pipeline.read import FORMATS
from tests.support.hostile_text import MARKS, SAMPLES, endless, fuzz_text, read_all
from tests.support.limits import in_little_memory, refusal
from tests.support.raw import CLOSE, HEAD, dump, page

MUTATIONS = 40 * 140
SIZE = 30_000
SECONDS_PER_MEGABYTE = 20
"""Far more than any file takes; quadratic time takes minutes."""


def test_every_format_has_samples_that_are_read(tmp_path: Path) -> None:
    assert set(SAMPLES) == set(FORMATS)
    for format, files in SAMPLES.items():
        for name, content in files.items():
            (tmp_path / name).write_bytes(content)
            assert read_all(tmp_path / name, format, tolerate=0.0) > 0, name


@pytest.mark.slow
def test_any_damage_to_a_file_gives_documents_or_a_sentence(tmp_path: Path) -> None:
    with in_little_memory():
        rounds = (fuzz_text(tmp_path, seed, times=140) for seed in range(1000, 1040))
        ends = sum(rounds, Counter())
    assert ends.total() == MUTATIONS
    assert min(ends["read"], ends["refused"]) > MUTATIONS / 20


@pytest.mark.slow
@pytest.mark.parametrize("format", FORMATS)
def test_time_grows_with_the_size_of_the_text(format: str, tmp_path: Path) -> None:
    for number, mark in enumerate(MARKS):
        path = tmp_path / f"{number}"
        path.write_bytes(endless(mark, format, SIZE))
        began = time.process_time()
        refusal(partial(read_all, path, format), seconds=60)
        seconds = time.process_time() - began
        assert seconds < 1 + SECONDS_PER_MEGABYTE * SIZE / 1e6, f"{mark!r}: {seconds:.1f} s"


ENTITIES = "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">' for a, b in pairwise("abcdefghi"))
BOMBS = {
    "entities.xml": (
        "wikipedia",
        f'<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa">{ENTITIES}]>\n{HEAD}'
        + page("Zongora", "egy &i; szó").replace("&amp;i;", "&i;")
        + CLOSE,
    ),
    "million.xml": ("wikipedia", dump(page("Zongora", "&lt;&#65;" * 200_000)).decode()),
    "deep.json": ("json", '{"a":' * 200_000),
    "deep.xml": ("tei", f"<TEI><text>{'<p>' * 100_000}x"),
    "deep.tmx": ("tmx", f"<tu><tuv xml:lang='hu'><seg>{'<hi>' * 100_000}x"),
    "deep.jsonl": ("json", ("[" * 50_000 + "]" * 50_000 + "\n") * 3),
    "templates.xml": ("wikipedia", dump(page("Zongora", "{{a|" * 100_000)).decode()),
    "line.txt": ("text", "szó " * 500_000),
    "timing.srt": ("srt", f"1\n00:00:01,000 --> 00:00:02,000\n{'1:' + '1' * 100_000}\n"),
    "address.srt": ("srt", f"1\n00:00:01,000 --> 00:00:02,000\n{'a-' * 100_000}\n"),
    "drawing.ass": ("srt", f"Dialogue: 0,0:00:01.00,0:00:02.00,a,b,0,0,0,,{'{' * 100_000}\n"),
    "sync.smi": ("srt", "<SAMI>" + "<sync start=" * 30_000),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_read_or_refused_in_little_memory(name: str, tmp_path: Path) -> None:
    format, text = BOMBS[name]
    (tmp_path / name).write_text(text, encoding="utf-8")
    with in_little_memory():
        refusal(lambda: read_all(tmp_path / name, format), seconds=60)
