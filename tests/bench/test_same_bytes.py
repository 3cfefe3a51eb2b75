"""The command that builds twice and compares: on a small corpus, and on builds that differ."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import same_bytes
from pipeline.layout import Layout
from pipeline.stages import all_stages
from tests.support.project import LANGUAGE, make_project, publish_one
from wordkin.files import files_below


@pytest.mark.slow
def test_other_cores_locale_time_zone_hash_seed_and_folder_give_the_same_bytes(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    layout = make_project(tmp_path / "project")
    publish_one(layout)
    assert same_bytes.main(["--root", str(layout.root), "--keep", str(tmp_path / "builds")]) == 0
    said = capsys.readouterr().out
    for stage in all_stages():
        assert f"  {stage.name} " in said
    assert " 0 different." in said


def test_what_differs_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, second = (Layout(tmp_path / name, LANGUAGE) for name in ("first", "second"))
    for layout, text in ((first, "a"), (second, "b")):
        for stage in all_stages():
            for place in map(layout.place, stage.writes):
                place.mkdir(parents=True, exist_ok=True)
            layout.metrics(stage.name).parent.mkdir(parents=True, exist_ok=True)
            layout.metrics(stage.name).write_text("{}")
        (layout.vocabulary / "words").write_text(text)
        (layout.counts / "same").write_text("same")
        (layout.counts / text).write_text("only here")
    comparisons = list(same_bytes.compare(first.root, second.root, [LANGUAGE], all_stages()))
    assert not same_bytes.show(comparisons)
    different = {compared.stage: compared.different for compared in comparisons}
    place = f"matrices/{LANGUAGE}"
    assert different["vocabulary"] == [f"{place}/vocabulary/words"]
    assert [name.partition(" ")[0] for name in different["counts"]] == [
        f"{place}/counts/a", f"{place}/counts/b",
    ]  # fmt: skip
    assert different["npmi"] == []
    assert "3 different." in capsys.readouterr().out


def test_what_was_fetched_before_and_what_a_build_downloaded_is_shared(tmp_path: Path) -> None:
    first, second = (Layout(tmp_path / name, LANGUAGE) for name in ("first", "second"))
    for layout in (first, second):
        layout.fetched.mkdir(parents=True)
    before, new = (first.fetched / name for name in ("before", "source/new"))
    before.write_text("old")
    (second.fetched / "before").hardlink_to(before)
    new.parent.mkdir()
    new.write_text("new")
    same_bytes.share_downloads(first, second)
    assert [path.name for path in files_below(second.fetched)] == ["before", "new"]
    assert not (second.fetched / "source/new").samefile(new)


def test_nothing_built_is_no_success(capsys: pytest.CaptureFixture[str]) -> None:
    assert not same_bytes.show([])
