"""Published figures: the file that the project has, and broken ones."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.judge.published import read_published
from tests.support.small_language import ROOT
from wordkin.errors import InputError


def test_the_published_figures_of_the_project_can_be_read() -> None:
    published = read_published(ROOT / "eval" / "published.yaml")
    assert published["method"]["between_measures"][0]["measures"] == ["npmi", "squared"]
    spearman = [
        scores["spearman"]
        for system in published["systems"]
        for scores in system["scores"].values()
    ]
    assert spearman and all(0 < value < 1 for value in spearman)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("method: {}\nsystems:\n  - {system: X}\n", "a system has no 'language'; add it"),
        ("method: {}\n", "is not a list of published figures: 'systems'"),
        ("[", "is not a list of published figures"),
        ("", "is not a list of published figures"),
    ],
)
def test_a_broken_file_is_refused(tmp_path: Path, content: str, sentence: str) -> None:
    path = tmp_path / "published.yaml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=sentence):
        read_published(path)


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Cannot read"):
        read_published(tmp_path / "none.yaml")
