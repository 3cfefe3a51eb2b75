"""Declared files are found and verified: where they are, in a mirror, or downloaded."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from pipeline.declarations import Declaration
from pipeline.fetch import fetcher, raw_files
from pipeline.fetch.fetcher import Fetcher, Unavailable
from pipeline.fetch.raw_files import RawFile
from tests.support.declared import declared, fetch, files_below, plant, sha256
from tests.support.server import BODY, Server
from wordkin.errors import InputError

# ── local files ──────────────────────────────────────────────────────────────────────────────


def test_local_files_are_used_where_they_are(tmp_path: Path, folder: Path) -> None:
    plant(tmp_path, {"raw/b.txt": b"two", "raw/a.txt": b"one", "raw/.c": b"hidden"})
    assert fetch(declared("x", "raw"), folder, tmp_path) == [
        RawFile("raw/a.txt", 3, sha256(b"one")),
        RawFile("raw/b.txt", 3, sha256(b"two")),
    ]
    assert not folder.exists()


def test_a_file_outside_of_the_project_has_an_absolute_path(tmp_path: Path) -> None:
    plant(tmp_path, {"data/a.txt": b"one", "project/raw/x": b""})
    root = tmp_path / "project"
    for location in ("../data/a.txt", str(tmp_path / "data/*.txt")):
        (file,) = fetch(declared("x", location), root / "fetched", root)
        assert file.path == (tmp_path / "data/a.txt").as_posix()


@pytest.mark.parametrize(
    "contents",
    [
        {"a.txt": b"just one"},
        {"a.txt": b"first ", "b.txt": b"second"},
        {"b/c": b"2", "a": b"0", "b-": b"1", "á": b"3", ".hidden": b"no"},
        {"empty": b"", "large": BODY * 5},
    ],
)
def test_the_checksum_covers_the_files_one_after_the_other(
    tmp_path: Path, contents: dict[str, bytes]
) -> None:
    plant(tmp_path / "raw", contents)
    visible = sorted(name for name in contents if not name.startswith("."))
    checksum = sha256(b"".join(contents[name] for name in visible))
    source = declared("x", "raw", sha256=checksum.upper())
    files = fetch(source, tmp_path, tmp_path)
    assert [file.sha256 for file in files] == [sha256(contents[name]) for name in visible]
    with pytest.raises(InputError, match="checksum"):
        fetch(declared("x", "raw", sha256(b"other")), tmp_path, tmp_path)


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        (declared("x", "https://example.org/fetched.json"), "record"),
        (declared("x", "gopher://example.org/a"), "unknown scheme"),
    ],
)
def test_bad_addresses_are_refused_before_any_request(
    tmp_path: Path, source: Declaration, complaint: str
) -> None:
    with pytest.raises(InputError, match=complaint):
        fetch(source, tmp_path / "fetched", tmp_path)
    assert files_below(tmp_path) == []


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        ({"name": ".."}, "name"),
        ({"name": "a/b"}, "name"),
        ({"name": ""}, "name"),
        ({"sha256": "abc"}, "64 hexadecimal digits"),
        ({"mirror": "../a"}, "relative to the mirror folder"),
        ({"mirror": "/a"}, "relative to the mirror folder"),
    ],
)
def test_a_wrong_declaration_cannot_be_made(wrong: dict[str, str], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        Declaration(**{"name": "x", "location": "https://example.org/a", **wrong})


def test_a_failing_disk_is_reported_in_one_sentence(tmp_path: Path, server: Server) -> None:
    plant(tmp_path, {"fetched": b"a file where the folder should be"})
    with pytest.raises(InputError, match="check the permissions"):
        fetch(declared("x", server.url), tmp_path / "fetched", tmp_path)


# ── the mirror ───────────────────────────────────────────────────────────────────────────────


def test_the_mirror_is_looked_at_before_the_network(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    mirror = tmp_path / "mirror"
    plant(mirror, {"127.0.0.1/dumps/wiki.bz2": b"by host", "en/1": b"by ", "en/2": b"name"})
    by_host = fetch(declared("wiki", server.url), folder, tmp_path, mirror)
    assert by_host == [RawFile("mirror/127.0.0.1/dumps/wiki.bz2", 7, sha256(b"by host"))]
    for explicit in ("en", "en/*"):
        source = declared("wiki", server.url, sha256(b"by name"), mirror=explicit)
        files = fetch(source, folder, tmp_path, mirror)
        assert [file.path for file in files] == ["mirror/en/1", "mirror/en/2"]
    assert server.requests == []
    assert not folder.exists()


def test_an_address_with_a_query_is_not_confused_with_one_without(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    mirror = tmp_path / "mirror"
    plant(mirror, {"127.0.0.1/dumps/wiki.bz2": b"without"})
    (file,) = fetch(declared("wiki", server.url + "?v=2"), folder, tmp_path, mirror)
    assert file.sha256 == sha256(BODY), "what the mirror does not have is downloaded"


def test_a_mirror_does_not_replace_local_files(tmp_path: Path, folder: Path) -> None:
    plant(tmp_path, {"raw/a": b"local", "mirror/raw/a": b"mirrored"})
    (file,) = fetch(declared("x", "raw/a", mirror="raw/a"), folder, tmp_path, tmp_path / "mirror")
    assert file.path == "raw/a"


def test_a_declaration_without_a_location_needs_a_mirror(tmp_path: Path, folder: Path) -> None:
    plant(tmp_path, {"mirror/human/rounds.jsonl": b"{}"})
    declaration = declared("rounds", mirror="human/rounds.jsonl")
    (file,) = fetch(declaration, folder, tmp_path, tmp_path / "mirror")
    assert file.path == "mirror/human/rounds.jsonl"
    with pytest.raises(InputError, match="available from a mirror folder only"):
        fetch(declaration, folder, tmp_path)


# ── files that a build can do without ────────────────────────────────────────────────────────


def optional(declaration: Declaration, root: Path, mirror: Path | None = None) -> Path:
    return Fetcher(root, mirror, progress=False).fetch_one(declaration, root / "gold")


@pytest.fixture
def server_that_answers_head(server: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    answer = SimpleNamespace(status_code=200)
    monkeypatch.setattr(fetcher.requests, "head", lambda url, timeout: answer)
    return server


def test_a_host_is_asked_only_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    requests = []

    def head(url: str, timeout: float) -> None:
        requests.append(url)
        raise fetcher.requests.ConnectionError

    monkeypatch.setattr(fetcher.requests, "head", head)
    fetching = Fetcher(tmp_path)
    for name in "ab":
        with pytest.raises(Unavailable, match=r"example\.org cannot be reached"):
            fetching.fetch_one(declared(name, f"https://example.org/{name}"), tmp_path)
    assert requests == ["https://example.org/a"]


def test_an_optional_file_is_downloaded_once_and_then_read_without_network(
    tmp_path: Path, server_that_answers_head: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    declaration = declared("Far", server_that_answers_head.url)
    path = optional(declaration, tmp_path)
    assert path == tmp_path / "gold/far/wiki.bz2"
    monkeypatch.setattr(fetcher.requests, "head", None)
    assert optional(declaration, tmp_path) == path
    assert len(server_that_answers_head.requests) == 1


def test_a_failed_download_makes_the_file_unavailable(
    tmp_path: Path, server_that_answers_head: Server
) -> None:
    server_that_answers_head.file.plan = [404]
    with pytest.raises(Unavailable, match="404"):
        optional(declared("far", server_that_answers_head.url), tmp_path)


def test_a_full_disk_is_not_a_reason_to_go_on_without_the_file(
    tmp_path: Path, server_that_answers_head: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(raw_files.shutil, "disk_usage", lambda folder: SimpleNamespace(free=0))
    with pytest.raises(InputError, match=r"far: .* bytes are needed and 0 are free"):
        optional(declared("far", server_that_answers_head.url), tmp_path)


def test_a_mistake_in_the_declaration_is_not_a_reason_either(tmp_path: Path) -> None:
    plant(tmp_path / "mirror", {"gold/a.tsv": b"a\tb\t1\n", "gold/b.tsv": b"a\tb\t2\n"})
    with pytest.raises(InputError, match=r"far: gold/.* names 2 files, and it must be one"):
        optional(declared("far", mirror="gold/*.tsv"), tmp_path, tmp_path / "mirror")


@pytest.mark.parametrize("mirror_path", ["gold/far.tsv", None])
def test_the_mirror_is_enough_offline(tmp_path: Path, mirror_path: str | None) -> None:
    plant(tmp_path / "mirror", {mirror_path or "127.0.0.1/far.tsv": b"a\tb\t1\n"})
    declaration = declared("far", "http://127.0.0.1:9/far.tsv", mirror=mirror_path)
    path = optional(declaration, tmp_path, tmp_path / "mirror")
    assert path.read_bytes() == b"a\tb\t1\n"
    with pytest.raises(Unavailable, match="cannot be reached"):
        optional(declaration, tmp_path)
