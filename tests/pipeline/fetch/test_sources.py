"""Declared files are found and verified: where they are, in a mirror, or downloaded."""

from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.declaration import Declaration
from pipeline.fetch.raw_files import RawFile
from tests.support.declared import fetch, files_below, plant, sha256
from tests.support.server import BODY, Server
from wordkin.errors import InputError

# ── local files ──────────────────────────────────────────────────────────────────────────────


def test_local_files_are_used_where_they_are(tmp_path: Path, folder: Path) -> None:
    plant(tmp_path, {"raw/b.txt": b"two", "raw/a.txt": b"one", "raw/.c": b"hidden"})
    assert fetch(Declaration("x", "raw"), folder, tmp_path) == [
        RawFile("raw/a.txt", 3, sha256(b"one")),
        RawFile("raw/b.txt", 3, sha256(b"two")),
    ]
    assert not folder.exists()


def test_a_file_outside_of_the_project_has_an_absolute_path(tmp_path: Path) -> None:
    plant(tmp_path, {"data/a.txt": b"one", "project/raw/x": b""})
    root = tmp_path / "project"
    for location in ("../data/a.txt", str(tmp_path / "data/*.txt")):
        (file,) = fetch(Declaration("x", location), root / "fetched", root)
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
    declared = sha256(b"".join(contents[name] for name in visible))
    source = Declaration("x", "raw", sha256=declared.upper())
    files = fetch(source, tmp_path, tmp_path)
    assert [file.sha256 for file in files] == [sha256(contents[name]) for name in visible]
    with pytest.raises(InputError, match="checksum"):
        fetch(replace(source, sha256=sha256(b"other")), tmp_path, tmp_path)


def test_a_wrong_checksum_is_reported_with_both_checksums(tmp_path: Path) -> None:
    plant(tmp_path, {"a.txt": b"one"})
    with pytest.raises(InputError) as refusal:
        fetch(Declaration("novels", "a.txt", sha256=sha256(b"two")), tmp_path, tmp_path)
    for fact in ("novels", "a.txt", sha256(b"two"), sha256(b"one"), "get the right file"):
        assert fact in str(refusal.value)


def test_a_missing_local_file_is_reported_with_the_name_of_the_source(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^novels: no file matches 'raw/\*\.txt'"):
        fetch(Declaration("novels", "raw/*.txt"), tmp_path, tmp_path)


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        (Declaration("..", "https://example.org/a"), "name"),
        (Declaration("a/b", "https://example.org/a"), "name"),
        (Declaration("", "https://example.org/a"), "name"),
        (Declaration("x", "https://example.org/a", sha256="abc"), "64 hexadecimal digits"),
        (Declaration("x", "https://example.org/a", mirror="../a"), "relative to the mirror folder"),
        (Declaration("x", "https://example.org/a", mirror="/a"), "relative to the mirror folder"),
        (Declaration("x", "https://example.org/fetched.json"), "record"),
        (Declaration("x", "gopher://example.org/a"), "unknown scheme"),
    ],
)
def test_bad_declarations_are_refused_before_any_request(
    tmp_path: Path, source: Declaration, complaint: str
) -> None:
    with pytest.raises(InputError, match=complaint):
        fetch(source, tmp_path / "fetched", tmp_path)
    assert files_below(tmp_path) == []


def test_a_failing_disk_is_reported_in_one_sentence(tmp_path: Path, server: Server) -> None:
    plant(tmp_path, {"fetched": b"a file where the folder should be"})
    with pytest.raises(InputError, match="check the permissions"):
        fetch(Declaration("x", server.url), tmp_path / "fetched", tmp_path)


# ── the mirror ───────────────────────────────────────────────────────────────────────────────


def test_the_mirror_is_looked_at_before_the_network(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    mirror = tmp_path / "mirror"
    plant(mirror, {"127.0.0.1/dumps/wiki.bz2": b"by host", "en/1": b"by ", "en/2": b"name"})
    by_host = fetch(Declaration("wiki", server.url), folder, tmp_path, mirror)
    assert by_host == [RawFile("mirror/127.0.0.1/dumps/wiki.bz2", 7, sha256(b"by host"))]
    for explicit in ("en", "en/*"):
        source = Declaration("wiki", server.url, sha256(b"by name"), mirror=explicit)
        files = fetch(source, folder, tmp_path, mirror)
        assert [file.path for file in files] == ["mirror/en/1", "mirror/en/2"]
    assert server.requests == []
    assert not folder.exists()


@pytest.mark.parametrize("explicit", [None, "en/nothing*"])
def test_what_the_mirror_does_not_have_is_downloaded(
    tmp_path: Path, folder: Path, server: Server, explicit: str | None
) -> None:
    mirror = tmp_path / "mirror"
    plant(mirror, {"example.org/dumps/wiki.bz2": b"of another host"})
    (file,) = fetch(Declaration("wiki", server.url, mirror=explicit), folder, tmp_path, mirror)
    assert file.sha256 == sha256(BODY)


def test_an_address_with_a_query_is_not_confused_with_one_without(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    mirror = tmp_path / "mirror"
    plant(mirror, {"127.0.0.1/dumps/wiki.bz2": b"without"})
    (file,) = fetch(Declaration("wiki", server.url + "?v=2"), folder, tmp_path, mirror)
    assert file.sha256 == sha256(BODY)


def test_a_mirrored_file_is_checked_and_never_changed(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    mirror = tmp_path / "mirror"
    plant(mirror, {"127.0.0.1/dumps/wiki.bz2": b"stale"})
    with pytest.raises(InputError, match="checksum"):
        fetch(Declaration("wiki", server.url, sha256(BODY)), folder, tmp_path, mirror)
    assert (mirror / "127.0.0.1/dumps/wiki.bz2").read_bytes() == b"stale"


def test_a_mirror_does_not_replace_local_files(tmp_path: Path, folder: Path) -> None:
    plant(tmp_path, {"raw/a": b"local", "mirror/raw/a": b"mirrored"})
    (file,) = fetch(
        Declaration("x", "raw/a", mirror="raw/a"), folder, tmp_path, tmp_path / "mirror"
    )
    assert file.path == "raw/a"


def test_a_declaration_without_a_location_needs_a_mirror(tmp_path: Path, folder: Path) -> None:
    plant(tmp_path, {"mirror/human/rounds.jsonl": b"{}"})
    declaration = Declaration("rounds", mirror="human/rounds.jsonl")
    (file,) = fetch(declaration, folder, tmp_path, tmp_path / "mirror")
    assert file.path == "mirror/human/rounds.jsonl"
    with pytest.raises(InputError, match="available from a mirror folder only"):
        fetch(declaration, folder, tmp_path)
