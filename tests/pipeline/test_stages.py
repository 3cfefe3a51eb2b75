"""What every stage promises, for all stages: the same bytes, whole or nothing, plain sentences."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from ruamel.yaml import YAML

from pipeline.__main__ import main
from pipeline.layout import LEARNED, SINGLE, Layout
from pipeline.settings import AnySection, LanguageSettings, Settings, load_settings
from pipeline.stage import RUN, Job, Stage
from pipeline.stages import TABLE, all_stages, stage_named
from tests.support.killed import places
from tests.support.project import LANGUAGE, output_files, run_stage
from tests.support.root import ROOT
from wordkin.errors import InputError

pytestmark = pytest.mark.slow

every_stage = pytest.mark.parametrize("stage", all_stages(), ids=lambda stage: stage.name)


@every_stage
def test_the_same_input_gives_the_same_bytes(
    stage: Stage, small_project: Layout, copy: Layout
) -> None:
    for name in stage.writes:
        remove(copy.place(name))
    shutil.rmtree(copy.count_cache)  # so that counts are made again
    run_stage(stage, copy)
    assert output_files(stage, copy) == output_files(stage, small_project)


@dataclass(frozen=True)
class Recorder(Settings):
    """Settings that note which of them are read, by their keys in `params.yaml`."""

    keys: set[str] = field(default_factory=set)

    def section(self, kind: type[AnySection]) -> AnySection:
        """A section, which is noted."""
        self.keys.add(kind.KEY)
        return super().section(kind)

    def of(self, language: str) -> LanguageSettings:
        """The settings of a language, of which the values that are read are noted."""
        return Noted(super().of(language), self.keys)  # type: ignore[return-value]


class Noted:
    """The settings of a language that note what is read of them."""

    def __init__(self, values: LanguageSettings, keys: set[str]) -> None:
        self._values, self._keys = values, keys

    def __getattr__(self, name: str) -> object:
        self._keys.add(f"languages.${{key}}.{name}")
        return getattr(self._values, name)


class Rerun(NamedTuple):
    """A stage that ran once more where everything is built, and the settings that it read."""

    layout: Layout
    keys: set[str]


@pytest.fixture(scope="module")
def rerun(
    small_project: Layout, tmp_path_factory: pytest.TempPathFactory
) -> Callable[[Stage], Rerun]:
    """Run a stage once more in a copy of the built project, once for all tests."""

    @cache
    def run(stage: Stage) -> Rerun:
        folder = tmp_path_factory.mktemp(stage.name)
        layout = Layout(shutil.copytree(small_project.root, folder / "copy"), LANGUAGE)
        settings = load_settings(layout.root / "params.yaml")
        keys: set[str] = set()
        read = Recorder(settings.languages, settings.sections, settings.storage, keys=keys)
        with pytest.MonkeyPatch.context() as patch:
            # No result depends on what the estimate of its memory reads.
            patch.setattr(Stage, "check_memory", lambda *_: 0)
            stage.run(Job(stage.name, layout, read))
        return Rerun(layout, keys)

    return run


@every_stage
def test_what_is_true_of_one_run_only_is_not_among_the_metrics(
    stage: Stage, small_project: Layout, rerun: Callable[[Stage], Rerun]
) -> None:
    layout = rerun(stage).layout  # with a cache of counts, and with all that was fetched
    assert output_files(stage, layout) == output_files(stage, small_project)
    run = json.loads(layout.run(stage.name).read_text(encoding="utf-8"))
    assert run["seconds"] >= 0 and run["core_seconds"] > 0


@pytest.mark.parametrize("name", [stage.name for stage in all_stages() if stage.name != "publish"])
def test_dvc_watches_the_settings_that_a_stage_reads(
    name: str, rerun: Callable[[Stage], Rerun]
) -> None:
    keys = rerun(stage_named(name)).keys - {"spark"}  # no result depends on it
    text = (ROOT / "dvc.yaml").read_text(encoding="utf-8")
    watched = YAML(typ="safe", pure=True).load(text)["stages"][name]["do"]["params"]
    assert keys and watched
    for key in keys:
        assert any(are_nested(param, key) for param in watched), key
    for param in watched:
        assert any(are_nested(param, key) for key in keys), param


def are_nested(one: str, other: str) -> bool:
    """Whether two keys are the same, or one is in the section that the other names."""
    return f"{one}.".startswith(f"{other}.") or f"{other}.".startswith(f"{one}.")


@every_stage
def test_a_missing_input_is_reported_in_one_sentence(
    stage: Stage, copy: Layout, capsys: pytest.CaptureFixture[str]
) -> None:
    for path in stage.inputs(copy):
        hidden = path.rename(path.with_name(path.name + "-hidden"))
        before = places(stage, copy)
        assert main(["--root", str(copy.root), stage.name, LANGUAGE]) == 2
        message = capsys.readouterr().err.strip()
        assert "\n" not in message and message.endswith(".")
        assert path.relative_to(copy.root).as_posix() in message
        assert places(stage, copy) == before
        hidden.rename(path)


@every_stage
def test_the_summary_is_one_line_with_figures(stage: Stage, small_project: Layout) -> None:
    figures, run = (
        json.loads(path.read_text(encoding="utf-8"))
        for path in (small_project.metrics(stage.name), small_project.run(stage.name))
    )
    summary = stage.describe({**figures, RUN: run})
    assert "\n" not in summary
    for fact in SUMMARIES[stage.name]:
        assert re.search(fact, summary), summary


MATRIX = (r"[1-9]\d* pairs of 252 words out", r"\d+ cut")
SUMMARIES = {
    "fetch": ("sources: 1; files: 1 with", "board words: 225", r"gold sets: 1 \(0 skipped\)"),
    "tokens": ("1 source of 18,713 bytes in", "400 documents of 2,824 tokens out", "dropped: noth"),
    "vocabulary": ("2,824 tokens of 50 types in", "252 words out", "dropped: 6 types"),
    "counts": ("2,824 tokens in", "654 word pairs out", "275 tokens not counted"),
    "npmi": ("654 pairs in", *MATRIX, "476 dropped as not positive"),
    "squared": ("npmi of 252 words in", *MATRIX),
    "graph": ("178 edges in", *MATRIX),
    "svd": ("npmi of 252 words in", "dimensions out", "208 words without a vector"),
    "fasttext": (
        "400 documents with 2,824 of 2,824 tokens in",
        "252 vectors of 8 dimensions out",
        "208 of them .* too rare",
    ),
    "extras": (r"2 measures \(wordnet-path, concat\) of 252 words out",),
    "blend": ("3 measures in", "blend .* of 252 words out", "no knowledge"),
    "human": ("12 rounds in", "0 of them with a clue outside the vocabulary", "human out: P@n"),
    "report": ("gold sets: 1 with 10 pairs", "1 of them not covered", "0 sets skipped", "49 games"),
    "publish": ("7 measures in", "default blend; compact store", r"\d+ files of .* MiB out"),
}
"""What went in, what came out and what was dropped, on the small project of these tests."""


@every_stage
def test_a_stage_that_needs_more_memory_than_there_is_is_refused(
    stage: Stage, copy: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = output_files(stage, copy)
    monkeypatch.setattr("pipeline.stage.machine_mib", lambda: 100)
    refusal = rf"The stage {stage.name} of 'en' needs about [\d,]+ MiB .*there are 100: set .*"
    with pytest.raises(InputError, match=refusal):
        run_stage(stage, copy)
    assert output_files(stage, copy) == before


def remove(place: Path) -> None:
    if place.is_dir():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)


def test_every_stage_reads_only_what_people_give_or_earlier_stages_make() -> None:
    given = {"raw", "gold_sets", "published"}
    made: set[str] = set()
    for position, stage in enumerate(all_stages()):
        assert set(stage.reads) <= given | made, stage.name
        assert set(stage.figures) <= {earlier.name for earlier in all_stages()[:position]}
        assert not made & set(stage.writes), "two stages write the same place"
        made |= set(stage.writes)


def test_a_stage_has_the_name_that_the_table_says() -> None:
    for name, stage in zip(TABLE, all_stages(), strict=True):
        assert stage.name == name
        assert stage.section is None or name == stage.section.KEY


@pytest.mark.parametrize("name", [*SINGLE, "blend", LEARNED])
def test_a_stage_that_makes_a_measure_writes_it_under_its_own_name(name: str) -> None:
    assert name in stage_named(name).writes
