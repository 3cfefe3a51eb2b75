"""The stage fetch: sources with their manifest, board words, gold sets and rounds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from pipeline.__main__ import main
from pipeline.declarations import Source
from pipeline.fetch.fetch import fetch_boards, fetch_sources
from pipeline.fetch.fetcher import Fetcher
from pipeline.layout import Layout
from pipeline.stage import RUN
from tests.support.declared import files_below, plant, sha256
from tests.support.project import make_project
from tests.support.server import BODY, Server
from wordkin.errors import InputError
from wordkin.files import read_words
from wordkin.game.board import board_words


def file(path: str, content: bytes) -> dict[str, object]:
    """A file of English in a manifest."""
    return {"path": f"corpora/en/{path}", "bytes": len(content), "sha256": sha256(content)}


def test_the_manifest_says_what_each_source_is_and_which_files_to_open(
    tmp_path: Path, server: Server
) -> None:
    plant(tmp_path, {"corpora/en/raw/b.srt": b"two", "corpora/en/raw/a.srt": b"one"})
    sources = [
        Source(name="wiki", location=server.url, format="wikipedia", licence="CC BY-SA 4.0"),
        Source(name="films", location="corpora/en/raw/*.srt"),
    ]
    metrics = fetch_sources(Layout(tmp_path, "en"), sources, Fetcher(tmp_path))
    manifest = tmp_path / "corpora/en/sources.json"
    assert json.loads(manifest.read_text()) == {
        "language": "en",
        "sources": [
            {
                "name": "wiki", "format": "wikipedia", "location": server.url,
                "licence": "CC BY-SA 4.0", "files": [file("fetched/wiki/wiki.bz2", BODY)],
            },
            {
                "name": "films", "format": None, "location": "corpora/en/raw/*.srt",
                "licence": None, "files": [file("raw/a.srt", b"one"), file("raw/b.srt", b"two")],
            },
        ],
    }  # fmt: skip
    assert metrics == {
        "files": 3,
        "bytes": len(BODY) + 6,
        "sources": {"wiki": {"files": 1, "bytes": len(BODY)}, "films": {"files": 2, "bytes": 6}},
        RUN: {"downloaded_bytes": len(BODY)},
    }
    first = manifest.read_bytes()
    again = fetch_sources(Layout(tmp_path, "en"), sources, Fetcher(tmp_path))
    assert again[RUN] == {"downloaded_bytes": 0}
    assert manifest.read_bytes() == first
    assert first.index(b'"files"') < first.index(b'"format"') < first.index(b'"name"')


def test_the_folders_of_a_language_exist_even_if_nothing_is_fetched(tmp_path: Path) -> None:
    plant(tmp_path, {"a.txt": b"one"})
    fetch_sources(Layout(tmp_path, "hu"), [Source(name="x", location="a.txt")], Fetcher(tmp_path))
    assert (tmp_path / "corpora/hu/raw").is_dir()
    assert (tmp_path / "corpora/hu/fetched").is_dir()


def test_the_download_of_a_removed_source_is_deleted_with_a_line_that_says_so(
    tmp_path: Path, folder: Path, server: Server, capsys: pytest.CaptureFixture[str]
) -> None:
    plant(tmp_path, {"a.txt": b"one", "corpora/en/fetched/mine/notes.txt": b"not a download"})
    sources = [Source(name=name, location=server.url) for name in ("kept", "dropped", "local-now")]
    fetch_sources(Layout(tmp_path, "en"), sources, Fetcher(tmp_path))
    capsys.readouterr()
    now = [sources[0], Source(name="local-now", location="a.txt")]
    fetch_sources(Layout(tmp_path, "en"), now, Fetcher(tmp_path))
    assert files_below(folder) == ["kept/fetched.json", "kept/wiki.bz2", "mine/notes.txt"]
    lines = capsys.readouterr().err.splitlines()
    assert [line.split(":")[0] for line in lines] == ["dropped", "local-now"]
    assert all("removed" in line for line in lines)


def test_a_source_that_fails_leaves_the_manifest_as_it_was(tmp_path: Path, server: Server) -> None:
    plant(tmp_path, {"a.txt": b"one"})
    local = Source(name="x", location="a.txt")
    fetch_sources(Layout(tmp_path, "en"), [local], Fetcher(tmp_path))
    before = (tmp_path / "corpora/en/sources.json").read_bytes()
    server.file.plan = [404]
    with pytest.raises(InputError):
        missing = Source(name="wiki", location=server.url)
        fetch_sources(Layout(tmp_path, "en"), [local, missing], Fetcher(tmp_path))
    assert (tmp_path / "corpora/en/sources.json").read_bytes() == before
    assert not list(tmp_path.rglob("sources.json.part"))


@pytest.mark.parametrize("language", ["en", "hu"])
def test_board_words_are_copied_from_the_library(tmp_path: Path, language: str) -> None:
    layout = Layout(tmp_path, language)
    assert fetch_boards(layout) == len(board_words(language)) > 100
    assert read_words(layout.boards) == board_words(language)


def test_a_language_without_board_words_gets_an_empty_list(tmp_path: Path) -> None:
    layout = Layout(tmp_path, "qq")
    assert fetch_boards(layout) == 0
    assert layout.boards.read_bytes() == b""


def test_the_stage_fetches_everything_and_says_what_it_skipped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("WORDKIN_MIRROR", raising=False)
    layout = make_project(tmp_path)
    with layout.gold_sets.open("a") as file:
        file.write("  - {name: far, language: en, kind: relatedness, mirror: gold/far.tsv}\n")
    assert main(["--root", str(tmp_path), "fetch", "en"]) == 0
    metrics = json.loads(layout.metrics("fetch").read_text())
    assert metrics["boards"] == len(board_words("en"))
    assert metrics["gold"]["pairs"] == {"own": 10}
    assert list(metrics["gold"]["skipped"]) == ["far"]
    assert metrics["rounds"] == {"rounds": 12, "skipped": None}
    assert files_below(tmp_path / "eval/en") == [
        "gold/gold.json", "gold/own.tsv", "rounds/rounds.json", "rounds/rounds.jsonl",
    ]  # fmt: skip
    assert "gold sets: 1 (1 skipped); recorded rounds: 12;" in capsys.readouterr().err
    settings = tmp_path / "params.yaml"
    far = settings.read_text().replace("location: corpora/en/raw/rounds.jsonl", "mirror: x.jsonl")
    settings.write_text(far)
    assert main(["--root", str(tmp_path), "fetch", "en"]) == 0
    assert "recorded rounds: 0 (skipped);" in capsys.readouterr().err
