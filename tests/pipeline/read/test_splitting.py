"""However a file is cut into units, each of its documents is read exactly once, in order."""

import bz2
import gzip
import json
import lzma
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
import zstandard
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipeline import read as readers
from pipeline.declarations import Source
from tests.support.raw import CLOSE, HEAD, page, prose, read, source

PARAGRAPHS = [prose(60 + 37 * number % 400, seed=number) for number in range(80)]


def _wikipedia() -> bytes:
    pages = (page(f"Cím {n}", text, n) for n, text in enumerate(PARAGRAPHS))
    return "".join((HEAD, *pages, CLOSE)).encode()


def _wikiextractor() -> bytes:
    return "".join(
        f'<doc id="{n}" url="http://x/{n}" title="Cím {n}">\nCím {n}\n\n{text}\n</doc>\n'
        for n, text in enumerate(PARAGRAPHS)
    ).encode()


def _lines() -> bytes:
    return "\n".join("\r\n".join(PARAGRAPHS).split("\n")).encode()


def _blank() -> bytes:
    return "".join(text + "\n" * (2 + n % 3) for n, text in enumerate(PARAGRAPHS)).encode()


def _json_lines() -> bytes:
    return "".join(json.dumps({"passage": text}) + "\n" for text in PARAGRAPHS).encode()


CORPORA: dict[str, tuple[Source, Callable[[], bytes]]] = {
    "wikipedia": (source("wikipedia"), _wikipedia),
    "wikiextractor": (source("wikiextractor"), _wikiextractor),
    "lines": (source("text"), _lines),
    "blank": (source("text", document="blank"), _blank),
    "json lines": (source("json", text="passage"), _json_lines),
    "counted lines": (source("opensubtitles", lines=7), _lines),
    "films between blank lines": (source("opensubtitles"), _blank),
}
STORED: dict[str, Callable[[bytes], bytes]] = {
    "plain": lambda data: data,
    "gz": gzip.compress,
    "xz": lzma.compress,
    "zst": zstandard.compress,
    "bz2": lambda data: bz2.compress(data, 1),
    "multistream bz2": lambda data: b"".join(
        bz2.compress(data[i : i + 20_000], 1) for i in range(0, len(data), 20_000)
    ),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("corpora")


@pytest.mark.parametrize(
    ("corpus", "stored"),
    [
        pytest.param(corpus, stored, marks=[pytest.mark.slow] if stored != "plain" else [])
        for corpus in CORPORA
        for stored in STORED
        # Lines are counted from the start of the file: a .bz2 of them is not cut.
        if corpus != "counted lines" or "bz2" not in stored
    ],
)
@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(shares=st.lists(st.integers(1, 999), max_size=5).map(sorted))
def test_any_cut_gives_the_same_documents(
    corpus: str, stored: str, folder: Path, monkeypatch: pytest.MonkeyPatch, shares: list[int]
) -> None:
    declared, raw = CORPORA[corpus]
    monkeypatch.setattr("pipeline.read.stored.PIECE", 5_000)  # so that documents also cross pieces
    path = folder / f"{corpus}.{stored.split()[-1]}".replace(" ", "-")
    if not path.exists():
        path.write_bytes(STORED[stored](raw()))
    whole, tally = read(path, declared)
    assert len(whole) > 40
    size = path.stat().st_size
    parts, sum_of_parts = read(path, declared, [size * share // 1000 for share in shares])
    assert parts == whole
    assert len({document.id for document in whole}) == len(whole)
    assert sum_of_parts == tally
    assert tally.bytes == size


def test_a_document_is_found_where_a_tag_lies_across_two_units(tmp_path: Path) -> None:
    path = tmp_path / "wiki.xml"
    path.write_bytes(_wikipedia()[:6_000].rpartition(b"  <page>")[0] + CLOSE.encode())
    whole, _ = read(path, source("wikipedia"))
    start = path.read_bytes().index(b"<page>", 2_000)
    for cut in range(start - 3, start + 9):
        assert read(path, source("wikipedia"), [cut])[0] == whole
    end = path.read_bytes().index(b"</page>", 2_000)
    for cut in range(end - 3, end + 9):
        assert read(path, source("wikipedia"), [cut])[0] == whole


def test_lines_are_found_where_a_unit_starts_at_any_byte(tmp_path: Path) -> None:
    path = tmp_path / "lines.txt"
    path.write_bytes(b"one\r\ntwo\n\nthree\nfour")
    for declared in (
        source("text"),
        source("text", document="blank"),
        source("opensubtitles", lines=2),
    ):
        whole, _ = read(path, declared)
        for cut in range(1, path.stat().st_size):
            assert read(path, declared, [cut])[0] == whole


class TestPlan:
    @pytest.fixture(autouse=True)
    def small_units(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(readers, "SMALLEST_UNIT", 1_000)
        monkeypatch.setattr(readers, "FEWEST_UNITS", 1)

    def test_large_files_are_cut_and_small_ones_share_a_unit(self, tmp_path: Path) -> None:
        sizes = {"a.txt": 10, "b.txt": 20, "big.txt": 40_000, "c.txt": 30, "d.txt": 40}
        for name, size in sizes.items():
            (tmp_path / name).write_bytes(b"word\n" * (size // 5))
        files = [tmp_path / name for name in sizes]
        units = readers.plan(files, source("text"), unit_bytes=10_000)
        assert [[Path(path).name for path in unit.paths] for unit in units] == [
            ["a.txt", "b.txt"],
            *[["big.txt"]] * 4,
            ["c.txt", "d.txt"],
        ]
        assert {unit.end for unit in (units[0], units[-1])} == {None}

    @pytest.mark.parametrize("stored", STORED)
    def test_every_stored_byte_is_in_one_unit(self, stored: str, tmp_path: Path) -> None:
        path = tmp_path / f"lines.txt.{stored.split()[-1]}"
        path.write_bytes(STORED[stored](_lines()))
        units = readers.plan([path], source("text"), unit_bytes=7_000)
        assert len(units) > 1
        assert units[0].start == 0
        assert units[-1].end is None
        assert all(left.end == right.start for left, right in pairwise(units))

    def test_a_small_source_is_cut_into_smaller_units(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(readers, "FEWEST_UNITS", 8)
        path = tmp_path / "lines.txt"
        path.write_bytes(b"word\n" * 4_000)
        assert len(readers.plan([path], source("text"), unit_bytes=10_000)) == 8

    def test_a_file_that_is_one_document_is_not_cut(self, tmp_path: Path) -> None:
        novel = tmp_path / "novel.txt"
        novel.write_bytes(b"word " * 2_000)
        assert len(readers.plan([novel], source("text", document="file"), 1_000)) == 1
        value = tmp_path / "value.json"
        value.write_bytes(b'["' + b"word " * 2_000 + b'"]')
        assert len(readers.plan([value], source("json"), 1_000)) == 1
        wide = tmp_path / "wide.txt"
        wide.write_bytes(("word\n" * 2_000).encode("utf-16"))
        assert len(readers.plan([wide], source("text"), 1_000)) == 1

    def test_ids_are_the_same_wherever_the_files_are(self, tmp_path: Path) -> None:
        ids = []
        for place in ("here", "far/away"):
            for name in ("a/hu.json", "b/hu.json"):
                path = tmp_path / place / name
                path.parent.mkdir(parents=True)
                path.write_text('{"text": "szöveg"}', encoding="utf-8")
            declared = source("json")
            files = sorted((tmp_path / place).rglob("*.json"))
            units = readers.plan(files, declared)
            ids.append(
                [d.id for unit in units for d in readers.read(unit, declared, readers.Tally())]
            )
        assert ids == [["a/hu.json", "b/hu.json"]] * 2
