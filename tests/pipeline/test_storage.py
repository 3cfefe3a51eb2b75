"""Files at an address: the same bytes as on this machine, and never half of anything."""

from __future__ import annotations

import bz2
import gzip
import os
import random
import signal
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from pipeline import read as readers
from pipeline import storage
from pipeline.count import counts
from pipeline.count.codes import Counts
from pipeline.count.store import read_counts
from pipeline.declarations import Source
from pipeline.engine import InProcessEngine
from pipeline.fetch import fetch
from pipeline.fetch.fetcher import Fetcher
from pipeline.layout import Layout
from pipeline.settings import LanguageSettings, LanguageVocabulary
from pipeline.storage import RemotePath, StorageError
from pipeline.words import tokens, vocabulary
from pipeline.words.tokens import Tokens
from pipeline.words.vocabulary import VocabularySettings
from tests.support.corpora import files
from tests.support.s3 import BUCKET, S3Server, s3_server, stored
from wordkin.errors import InputError


@pytest.fixture(scope="module")
def server() -> Iterator[S3Server]:
    with s3_server() as running:
        yield running


@pytest.fixture(params=["s3", "file"])
def address(request: pytest.FixtureRequest, tmp_path: Path, server: S3Server) -> RemotePath:
    """An empty folder at an address."""
    if request.param == "file":
        return RemotePath(f"file://{tmp_path}/stored")
    return RemotePath(f"s3://{BUCKET}/{tmp_path.name}")


def text_of(seed: int, lines: int = 400) -> str:
    chance = random.Random(seed)
    words = ["".join(chance.choices("aeiklmnoprst", k=4)) for _ in range(200)]
    return "".join(" ".join(chance.choices(words, k=12)) + "\n" for _ in range(lines))


LANGUAGE = LanguageSettings(
    lemmatize=False,
    vocabulary=LanguageVocabulary(size=100, stop_words="none"),
    sources=[
        Source(name="own", location="corpora/qq/raw/*.txt", format="text"),
        Source(name="packed", location="corpora/qq/raw/more/*", format="text"),
    ],
)


def build(layout: Layout, language: LanguageSettings = LANGUAGE) -> None:
    """The stages from fetch to counts."""
    engine = InProcessEngine(3)
    fetch.fetch_sources(layout, language.sources, Fetcher(layout.root))
    fetch.fetch_boards(layout)
    layout.gold.mkdir(parents=True, exist_ok=True)
    (layout.gold / "gold.json").write_text('{"sets": []}')
    tokens.make_tokens(layout, Tokens(unit_mib=1), language, engine)
    settings = VocabularySettings(minimum_count=1, familiarity=0.5)
    vocabulary.make_vocabulary(layout, settings, language.vocabulary, False, engine)
    counts.make_counts(layout, Counts(window=5), 64, engine)


def write_raw(layout: Layout) -> None:
    more = layout.raw / "more"
    more.mkdir(parents=True)
    (layout.raw / "a.txt").write_text(text_of(1))
    (layout.raw / "b.txt").write_text(text_of(2) + text_of(1, 3))  # with copies
    (more / "c.txt.bz2").write_bytes(bz2.compress(text_of(3).encode()))
    (more / "d.txt.gz").write_bytes(gzip.compress(text_of(4).encode()))
    with zipfile.ZipFile(more / "e.zip", "w") as archive:
        archive.writestr("inner.txt", text_of(5))


@pytest.mark.slow
def test_stages_make_the_same_bytes_at_an_address(tmp_path: Path, address: RemotePath) -> None:
    here = Layout(tmp_path / "here", "qq")
    there = Layout(tmp_path / "there", "qq", str(address))
    for layout in (here, there):
        write_raw(layout)
        build(layout)
    for name in ("tokens", "types", "counts"):
        made = stored(there.place(name))
        assert made and made == files(here.place(name)), name
        assert [path.name for path in there.place(name).iterdir()] == [storage.MANIFEST]
    assert files(here.vocabulary) == files(there.vocabulary)
    cached = {
        path.name: storage.read_bytes(path) for path in storage.entries(address / "qq/counted")
    }
    assert cached == files(here.count_cache)
    counted = read_counts(there.counts)
    assert counted.values.tolist() == read_counts(here.counts).values.tolist()
    assert storage.entries(address / "qq" / "counts.blocks") == []

    manifest = files(there.tokens)
    build(there)  # again: the same manifests, and one run of each folder
    assert files(there.tokens) == manifest
    assert len(storage.entries(address / "qq" / "tokens")) == 2  # the run and CURRENT


def test_raw_files_are_read_at_their_address(tmp_path: Path, server: S3Server) -> None:
    here = Layout(tmp_path / "here", "qq")
    write_raw(here)
    build(here)
    bucket = RemotePath(f"s3://{BUCKET}/raw-{tmp_path.name}")
    for path in here.raw.rglob("*.*"):
        storage.upload(path, bucket / path.relative_to(here.raw).as_posix())
    sources = [
        Source(name="own", location=f"{bucket}/*.txt", format="text"),
        Source(name="packed", location=f"{bucket}/more/", format="text"),
    ]
    there = Layout(tmp_path / "there", "qq")
    build(there, LanguageSettings(False, LANGUAGE.vocabulary, sources))
    assert files(there.tokens) == files(here.tokens)


@pytest.mark.slow
def test_a_bzip2_file_at_an_address_is_read_in_parts(tmp_path: Path, server: S3Server) -> None:
    path = tmp_path / "long.txt.bz2"
    path.write_bytes(bz2.compress(text_of(6, 60_000).encode(), 1))
    source = Source(name="own", location="x", format="text")
    remote = RemotePath(f"s3://{BUCKET}/{tmp_path.name}/long.txt.bz2")
    storage.upload(path, remote)
    units = readers.plan([path], source, 200_000)
    remote_units = readers.plan([remote], source, 200_000)
    assert len(units) == len(remote_units) >= 4
    for unit, there in zip(units, remote_units, strict=True):
        documents = list(readers.read(unit, source, readers.Tally()))
        assert documents == list(readers.read(there, source, readers.Tally()))


def test_a_file_counts_only_with_its_marker(tmp_path: Path, address: RemotePath) -> None:
    folder = tmp_path / "folder"
    with storage.new_folder(folder, address) as run:
        assert isinstance(run, RemotePath)
        with storage.new_file(run / "a") as temporary:
            temporary.write_text("whole")
        with storage.new_file(run / "b") as temporary:
            temporary.write_text("broken off")
        run.filesystem.delete_file((run / f"b{storage.DONE}").path)
    assert stored(folder) == {"a": b"whole"}


def test_a_failure_leaves_the_old_folder(tmp_path: Path, address: RemotePath) -> None:
    folder = tmp_path / "folder"
    for content in ("old", "new"):
        try:
            with storage.new_folder(folder, address) as run:
                with storage.new_file(run / "a") as temporary:
                    temporary.write_text(content)
                if content == "new":
                    raise InputError("refused")
        except InputError:
            pass
    assert stored(folder) == {"a": b"old"}
    assert len(storage.entries(address)) == 2


def test_a_process_that_is_killed_in_mid_upload_leaves_nothing_that_counts(
    tmp_path: Path, server: S3Server
) -> None:
    folder, address = tmp_path / "folder", RemotePath(f"s3://{BUCKET}/{tmp_path.name}")

    def write(content: bytes) -> None:
        with storage.new_folder(folder, address) as run, storage.new_file(run / "a") as temporary:
            temporary.write_bytes(content)

    write(b"old")
    script = (
        "import sys; from pathlib import Path; from pipeline import storage\n"
        "with storage.new_folder(Path(sys.argv[1]), storage.RemotePath(sys.argv[2])) as run:\n"
        "    with storage.new_file(run / 'a') as temporary:\n"
        "        temporary.write_bytes(bytes(20_000_000))\n"
    )
    process = subprocess.Popen([sys.executable, "-c", script, str(folder), str(address)])
    server.break_off("/a", lambda: os.kill(process.pid, signal.SIGKILL))
    assert process.wait(60) == -signal.SIGKILL
    assert server.broken_off
    assert stored(folder) == {"a": b"old"}
    write(b"new")
    assert stored(folder) == {"a": b"new"}
    assert len(storage.entries(address)) == 2


def test_a_manifest_whose_files_have_changed_is_refused(
    tmp_path: Path, address: RemotePath
) -> None:
    for name, content in (("one", "a"), ("two", "b")):  # two projects with one storage
        with (
            storage.new_folder(tmp_path / name, address) as run,
            storage.new_file(run / "a") as temporary,
        ):
            temporary.write_text(content)
    assert stored(tmp_path / "two") == {"a": b"b"}
    with pytest.raises(StorageError, match=r"no longer has the files that .*one"):
        storage.files_in(tmp_path / "one")


@pytest.mark.parametrize(
    ("where", "reason"),
    [
        ("s3://no-such-bucket/x", "NO_SUCH_BUCKET"),
        ("hdfs://127.0.0.1:1/x", "hdfs://127.0.0.1:1/x"),
    ],
)
def test_a_broken_address_is_one_sentence(
    tmp_path: Path, server: S3Server, where: str, reason: str
) -> None:
    with (
        pytest.raises(StorageError, match=reason) as refusal,
        storage.new_folder(tmp_path / "folder", RemotePath(where)) as run,
        storage.new_file(run / "a") as temporary,
    ):
        temporary.write_text("text")
    assert "\n" not in str(refusal.value)
    assert not (tmp_path / "folder").exists()


@pytest.mark.slow
def test_a_server_that_does_not_answer_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:1")
    with pytest.raises(StorageError, match="NETWORK_CONNECTION"):
        storage.state("s3://bucket/file")


@pytest.mark.parametrize("text", ["bucket/x", "s3:", "s3://", "s3://a//b", "ftp://a/b", "s3://a b"])
def test_a_wrong_storage_is_refused(text: str) -> None:
    assert "such as s3://bucket/wordkin" in (storage.fault_of_address(text) or "")
    assert storage.fault_of_address("s3://bucket/wordkin") is None
