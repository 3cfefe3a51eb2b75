"""Sources become verified raw files: local, mirrored, and as the stage lists them."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.fetching.fetch import fetch, run
from pipeline.fetching.raw_files import RawFile
from tests.support.declared import Declared, files_below, plant, sha256
from tests.support.server import BODY, Server
from wordkin.errors import InputError

# ── local files ──────────────────────────────────────────────────────────────────────────────


def test_local_files_are_used_where_they_are(tmp_path: Path, folder: Path) -> None:
    plant(tmp_path, {"raw/b.txt": b"two", "raw/a.txt": b"one", "raw/.c": b"hidden"})
    assert fetch(Declared("x", "raw"), folder, tmp_path, None) == [
        RawFile("raw/a.txt", 3, sha256(b"one")),
        RawFile("raw/b.txt", 3, sha256(b"two")),
    ]
    assert not folder.exists()


def test_a_file_outside_of_the_project_has_an_absolute_path(tmp_path: Path) -> None:
    plant(tmp_path, {"data/a.txt": b"one", "project/raw/x": b""})
    root = tmp_path / "project"
    for location in ("../data/a.txt", str(tmp_path / "data/*.txt")):
        (file,) = fetch(Declared("x", location), root / "fetched", root, None)
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
def test_the_checksum_is_that_of_the_files_one_after_the_other(
    tmp_path: Path, contents: dict[str, bytes]
) -> None:
    plant(tmp_path / "raw", contents)
    visible = sorted(name for name in contents if not name.startswith("."))
    declared = sha256(b"".join(contents[name] for name in visible))
    source = Declared("x", "raw", sha256=declared.upper())
    files = fetch(source, tmp_path, tmp_path, None)
    assert [file.sha256 for file in files] == [sha256(contents[name]) for name in visible]
    with pytest.raises(InputError, match="checksum"):
        fetch(replace(source, sha256=sha256(b"other")), tmp_path, tmp_path, None)


def test_a_wrong_checksum_names_the_source_the_expected_and_the_found(tmp_path: Path) -> None:
    plant(tmp_path, {"a.txt": b"one"})
    with pytest.raises(InputError) as refusal:
        fetch(Declared("novels", "a.txt", sha256=sha256(b"two")), tmp_path, tmp_path, None)
    for fact in ("novels", "a.txt", sha256(b"two"), sha256(b"one"), "get the right file"):
        assert fact in str(refusal.value)


def test_no_local_file_is_refused_by_the_name_of_the_source(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^novels: no file matches 'raw/\*\.txt'"):
        fetch(Declared("novels", "raw/*.txt"), tmp_path, tmp_path, None)


@pytest.mark.parametrize(
    ("source", "complaint"),
    [
        (Declared("..", "https://example.org/a"), "name"),
        (Declared("a/b", "https://example.org/a"), "name"),
        (Declared("", "https://example.org/a"), "name"),
        (Declared("x", "https://example.org/a", sha256="abc"), "64 hexadecimal digits"),
        (Declared("x", "https://example.org/a", mirror="../a"), "leads out of the mirror"),
        (Declared("x", "https://example.org/a", mirror="/a"), "leads out of the mirror"),
        (Declared("x", "https://example.org/fetched.json"), "record"),
        (Declared("x", "gopher://example.org/a"), "unknown scheme"),
    ],
)
def test_bad_declarations_are_refused_before_any_request(
    tmp_path: Path, source: Declared, complaint: str
) -> None:
    with pytest.raises(InputError, match=complaint):
        fetch(source, tmp_path / "fetched", tmp_path, None)
    assert files_below(tmp_path) == []


def test_a_disk_that_fails_is_told_in_a_sentence(tmp_path: Path, server: Server) -> None:
    plant(tmp_path, {"fetched": b"a file where the folder should be"})
    with pytest.raises(InputError, match="check the permissions"):
        fetch(Declared("x", server.url), tmp_path / "fetched", tmp_path, None)


# ── the mirror ───────────────────────────────────────────────────────────────────────────────


def test_the_mirror_is_looked_at_before_the_network(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    mirror = tmp_path / "mirror"
    plant(mirror, {"127.0.0.1/dumps/wiki.bz2": b"by host", "en/1": b"by ", "en/2": b"name"})
    by_host = fetch(Declared("wiki", server.url), folder, tmp_path, mirror)
    assert by_host == [RawFile("mirror/127.0.0.1/dumps/wiki.bz2", 7, sha256(b"by host"))]
    for explicit in ("en", "en/*"):
        source = Declared("wiki", server.url, sha256(b"by name"), mirror=explicit)
        files = fetch(source, folder, tmp_path, mirror)
        assert [file.path for file in files] == ["mirror/en/1", "mirror/en/2"]
    assert server.requests == []
    assert not folder.exists()


@pytest.mark.parametrize("explicit", [None, "en/nothing*"])
def test_what_the_mirror_lacks_is_downloaded(
    tmp_path: Path, folder: Path, server: Server, explicit: str | None
) -> None:
    mirror = tmp_path / "mirror"
    plant(mirror, {"example.org/dumps/wiki.bz2": b"of another host"})
    (file,) = fetch(Declared("wiki", server.url, mirror=explicit), folder, tmp_path, mirror)
    assert file.sha256 == sha256(BODY)


def test_an_address_with_a_query_is_not_confused_with_one_without(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    mirror = tmp_path / "mirror"
    plant(mirror, {"127.0.0.1/dumps/wiki.bz2": b"without"})
    (file,) = fetch(Declared("wiki", server.url + "?v=2"), folder, tmp_path, mirror)
    assert file.sha256 == sha256(BODY)


def test_a_mirror_is_held_to_the_checksum_and_left_alone(
    tmp_path: Path, folder: Path, server: Server
) -> None:
    mirror = tmp_path / "mirror"
    plant(mirror, {"127.0.0.1/dumps/wiki.bz2": b"stale"})
    with pytest.raises(InputError, match="checksum"):
        fetch(Declared("wiki", server.url, sha256(BODY)), folder, tmp_path, mirror)
    assert (mirror / "127.0.0.1/dumps/wiki.bz2").read_bytes() == b"stale"


def test_a_mirror_does_not_replace_local_files(tmp_path: Path, folder: Path) -> None:
    plant(tmp_path, {"raw/a": b"local", "mirror/raw/a": b"mirrored"})
    (file,) = fetch(Declared("x", "raw/a", mirror="raw/a"), folder, tmp_path, tmp_path / "mirror")
    assert file.path == "raw/a"


# ── the stage ────────────────────────────────────────────────────────────────────────────────


def test_the_manifest_says_what_each_source_is_and_which_files_to_open(
    tmp_path: Path, server: Server
) -> None:
    plant(tmp_path, {"corpora/en/raw/b.srt": b"two", "corpora/en/raw/a.srt": b"one"})
    sources = [
        Declared("wiki", server.url, format="wikipedia", licence="CC BY-SA 4.0"),
        Declared("films", "corpora/en/raw/*.srt"),
    ]
    metrics = run("en", sources, tmp_path, None)
    manifest = tmp_path / "corpora/en/sources.json"
    assert json.loads(manifest.read_text()) == {
        "language": "en",
        "sources": [
            {
                "name": "wiki",
                "format": "wikipedia",
                "location": server.url,
                "licence": "CC BY-SA 4.0",
                "files": [
                    {
                        "path": "corpora/en/fetched/wiki/wiki.bz2",
                        "bytes": len(BODY),
                        "sha256": sha256(BODY),
                    }
                ],
            },
            {
                "name": "films",
                "format": None,
                "location": "corpora/en/raw/*.srt",
                "licence": None,
                "files": [
                    {"path": "corpora/en/raw/a.srt", "bytes": 3, "sha256": sha256(b"one")},
                    {"path": "corpora/en/raw/b.srt", "bytes": 3, "sha256": sha256(b"two")},
                ],
            },
        ],
    }
    assert metrics == {
        "files": 3,
        "bytes": len(BODY) + 6,
        "downloaded_bytes": len(BODY),
        "sources": {
            "wiki": {"files": 1, "bytes": len(BODY), "downloaded_bytes": len(BODY)},
            "films": {"files": 2, "bytes": 6, "downloaded_bytes": 0},
        },
    }
    first = manifest.read_bytes()
    assert run("en", sources, tmp_path, None)["downloaded_bytes"] == 0
    assert manifest.read_bytes() == first
    assert first.index(b'"files"') < first.index(b'"format"') < first.index(b'"name"')


def test_the_folders_of_a_language_exist_even_if_nothing_is_fetched(tmp_path: Path) -> None:
    plant(tmp_path, {"a.txt": b"one"})
    run("hu", [Declared("x", "a.txt")], tmp_path, None)
    assert (tmp_path / "corpora/hu/raw").is_dir()
    assert (tmp_path / "corpora/hu/fetched").is_dir()


def test_the_download_of_a_source_that_is_gone_is_removed_and_that_is_said(
    tmp_path: Path, folder: Path, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(tmp_path, {"a.txt": b"one", "corpora/en/fetched/mine/notes.txt": b"not a download"})
    sources = [Declared(name, server.url) for name in ("kept", "dropped", "local-now")]
    run("en", sources, tmp_path, None)
    capsys.readouterr()
    run("en", [sources[0], Declared("local-now", "a.txt")], tmp_path, None)
    assert files_below(folder) == ["kept/fetched.json", "kept/wiki.bz2", "mine/notes.txt"]
    said = capsys.readouterr().err.splitlines()
    assert [line.split(":")[0] for line in said] == ["dropped", "local-now"]
    assert all("removed" in line for line in said)


def test_a_source_that_fails_leaves_the_manifest_as_it_was(tmp_path: Path, server: Server) -> None:
    plant(tmp_path, {"a.txt": b"one"})
    run("en", [Declared("x", "a.txt")], tmp_path, None)
    before = (tmp_path / "corpora/en/sources.json").read_bytes()
    server.plan = [404]
    with pytest.raises(InputError):
        run("en", [Declared("x", "a.txt"), Declared("wiki", server.url)], tmp_path, None)
    assert (tmp_path / "corpora/en/sources.json").read_bytes() == before
    assert not list(tmp_path.rglob("sources.json.part"))
