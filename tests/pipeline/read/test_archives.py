"""Archives of anything, compressed in every way, whole and damaged."""

import gzip
import io
import json
import lzma
import tarfile
from collections.abc import Callable
from pathlib import Path

import pytest

from pipeline import read as readers
from pipeline.read import archives
from tests.support import archives as packed
from tests.support.archives import tar, zipped
from tests.support.raw import dump, numbered_captions, page, prose, read, read_as_found, source
from wordkin.errors import InputError

COMPRESSIONS: dict[str, Callable[[bytes], bytes]] = {
    "": bytes,
    **{f".{name}": compress for name, compress in packed.COMPRESSIONS.items()},
}
TEXTS = [prose(40, seed) for seed in range(5)]


@pytest.mark.parametrize("compression", COMPRESSIONS)
@pytest.mark.parametrize("inner", ["", ".gz", ".bz2", ".xz", ".zst"])
@pytest.mark.parametrize("pack", [tar, zipped])
def test_an_archive_reads_like_its_files(
    pack: Callable[[dict[str, bytes]], bytes], inner: str, compression: str, tmp_path: Path
) -> None:
    if pack is zipped and compression:
        return  # a zip is compressed by itself
    files = {
        f"a/{n}.jsonl{inner}": COMPRESSIONS[inner](json.dumps({"text": text}).encode() + b"\n")
        for n, text in enumerate(TEXTS)
    }
    path = tmp_path / f"corpus.archive{compression}"
    path.write_bytes(COMPRESSIONS[compression](pack({**files, "a/cover.jpg": bytes(999)})))
    documents, tally = read_as_found(path)
    assert [document.text for document in documents] == TEXTS
    assert tally.dropped == {"other files in an archive": 1}
    assert tally.documents == 5
    assert not tally.lost


@pytest.mark.parametrize(
    ("format", "files"),
    [
        ("wikipedia", {"wiki.xml": dump(page("A", "Egy szó."), page("B", "Két szó."))}),
        ("wikiextractor", {"AA/wiki_00": b'<doc id="1" title="T">\nT\n\nSz\xc3\xb3.\n</doc>\n'}),
        ("srt", {"film.srt": numbered_captions(["Jó.", "Napot."]).encode(), "x.nfo": b"made by"}),
        ("text", {"a.txt": b"egy\n", "b/a.txt": b"k\xc3\xa9t\n"}),
        ("text", {"a.txt": "Őrült".encode("utf-16"), "b.txt": "Ősz".encode()}),
    ],
)
def test_archives_of_every_format(format: str, files: dict[str, bytes], tmp_path: Path) -> None:
    path = tmp_path / "corpus.tar.xz"
    path.write_bytes(lzma.compress(tar(files)))
    documents, tally = read_as_found(path, format)
    assert documents
    assert tally.bytes == path.stat().st_size


def test_large_members_and_repeated_names_are_read_once_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archives, "BEGINNING", 200_000)
    monkeypatch.setattr(archives, "CHUNK", 10_000)
    lines = [prose(50_000, 1), "vége", prose(300, 2)]
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w") as archive:
        for text in lines:
            info = tarfile.TarInfo("same.txt")
            data = text.replace("\n", " ").encode()
            info.size = len(data)
            archive.addfile(info, io.BytesIO(data))
    path = tmp_path / "corpus.tar.gz"
    path.write_bytes(gzip.compress(stream.getvalue(), 1))
    documents, _ = read(path, source("text"))
    assert [document.text for document in documents] == [t.replace("\n", " ") for t in lines]
    assert [document.id for document in documents] == [
        "corpus.tar.gz/same.txt:0",
        "corpus.tar.gz/same.txt (2):0",
        "corpus.tar.gz/same.txt (3):0",
    ]


class TestDamagedTar:
    FILES = {f"{n}.txt": text.encode() for n, text in enumerate(TEXTS)}  # noqa: RUF012

    @pytest.mark.parametrize("kept", [1.0, 0.7, 0.4])
    def test_truncated(self, kept: float, tmp_path: Path) -> None:
        path = tmp_path / "a.tar"
        data = tar(self.FILES).rstrip(b"\0")
        path.write_bytes(data[: int(len(data) * kept)])
        with pytest.raises(InputError, match="tar archive"):
            read(path, source("text"))
        documents, tally = read(path, source("text", tolerate=0.9))
        assert documents
        assert sum(tally.lost.values()) > 0

    def test_damaged_compression(self, tmp_path: Path) -> None:
        path = tmp_path / "a.tar.gz"
        path.write_bytes(gzip.compress(tar(self.FILES))[:-300])
        with pytest.raises(InputError, match="inside the gzip data"):
            read(path, source("text"))

    def test_members_outside_are_refused_or_counted(self, tmp_path: Path) -> None:
        path = tmp_path / "a.tar"
        path.write_bytes(tar({"../out.txt": b"out\n", "/etc/x.txt": b"out\n", "in.txt": b"in\n"}))
        with pytest.raises(InputError, match="which points outside the archive"):
            read(path, source("text"))
        documents, tally = read(path, source("text", tolerate=0.9))
        assert [document.text for document in documents] == ["in"]
        assert sum(tally.lost.values()) >= 8

    def test_an_archive_without_anything_to_read(self, tmp_path: Path) -> None:
        path = tmp_path / "a.tar"
        path.write_bytes(tar({"a.jpg": bytes(range(256)) * 9}))
        with pytest.raises(InputError, match="an archive without a file that a reader can read"):
            readers.sniff(path)
