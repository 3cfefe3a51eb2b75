"""Bringing a language in: what is shown of it, and what params.yaml becomes."""

from __future__ import annotations

import gzip
import shutil
from pathlib import Path

import pytest

from pipeline import settings
from pipeline.__main__ import main
from pipeline.add import with_language
from tests.conftest import ROOT
from wordkin.errors import InputError


@pytest.fixture
def project(tmp_path: Path) -> Path:
    shutil.copy(ROOT / "params.yaml", tmp_path)
    raw = tmp_path / "corpora" / "fi" / "raw"
    raw.mkdir(parents=True)
    lines = "Kissa istuu katolla.\nKoira ja kissa juoksevat.\nKissa nukkuu.\n" * 50
    (raw / "OpenSubtitles.fi.txt.gz").write_bytes(gzip.compress(lines.encode()))
    return tmp_path


def test_a_language_is_shown_and_declared(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (project / "params.yaml").read_text()
    code = main(["--root", str(project), "add", "fi", "corpora/fi/raw/OpenSubtitles.fi.txt.gz"])
    said = capsys.readouterr()
    assert code == 0, said.err
    assert "450 tokens" in said.out
    assert "most frequent words: kissa" in said.out
    assert "dvc repro" in said.out
    read = settings.load(project / "params.yaml").of("fi")
    assert [source.name for source in read.sources] == ["opensubtitles"]
    assert read.vocabulary.size == 10_000
    comments = [line for line in before.splitlines() if line.startswith("#")]
    after = (project / "params.yaml").read_text()
    assert all(comment in after for comment in comments)
    assert "# dialogues of two people" in after


def test_a_second_source_gets_a_name_of_its_own(project: Path) -> None:
    text = (project / "params.yaml").read_text()
    one = settings.Source(name="text", location="a/text.txt", format="text")
    two = settings.Source(name="text", location="b/text.txt", format="text")
    made = with_language(text, "xx", [one, two])
    assert "name: text-2" in made
    with pytest.raises(InputError, match="already"):
        with_language(made, "xx", [one])


def test_a_file_that_is_not_there_changes_nothing(
    project: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = (project / "params.yaml").read_bytes()
    assert main(["--root", str(project), "add", "fi", "nowhere.txt"]) == 2
    assert "nowhere.txt" in capsys.readouterr().err
    assert (project / "params.yaml").read_bytes() == before


def test_addresses_of_real_corpora(project: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--root", str(project), "sources", "fi"]) == 0
    said = capsys.readouterr().out
    assert "/fiwiki/latest/fiwiki-latest-pages-articles.xml.bz2" in said
    assert "/mono/fi.txt.gz" in said
