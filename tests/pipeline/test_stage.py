"""How a stage is run: inputs checked first, figures written, one line at the end."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from pipeline.engine import DeferredEngine, InProcessEngine
from pipeline.memory import ESTIMATES, PROCESS_MIB
from pipeline.params import load_settings
from pipeline.settings import IN_PROCESS
from pipeline.stage import RUN, Job, Stage
from pipeline.stages import STAGES, stage_named
from tests.support.project import LANGUAGE, make_project
from wordkin.errors import InputError

STAGE = Stage("made_up", "fetching", reads=("raw",), writes=("tokens",), figures=("fetch",))


@pytest.fixture
def job(tmp_path: Path) -> Job:
    layout = make_project(tmp_path / "project")
    return Job(STAGE.name, layout, load_settings(layout.root / "params.yaml"))


@pytest.fixture
def module(monkeypatch: pytest.MonkeyPatch) -> SimpleNamespace:
    """The module of a stage that only counts how often it ran."""
    module = SimpleNamespace(ran=0)

    def run(job: Job) -> dict[str, object]:
        module.ran += 1
        return {"words": 3, RUN: {"downloaded": 5}}

    module.run = run
    module.describe = lambda metrics: f"{metrics['words']} words, {metrics[RUN]['downloaded']} new"
    monkeypatch.setitem(sys.modules, f"pipeline.{STAGE.room}.{STAGE.name}", module)
    monkeypatch.setitem(ESTIMATES, STAGE.name, lambda sizes, settings: 0)
    return module


def test_figures_of_the_result_and_of_the_run_are_written_apart(
    job: Job, module: SimpleNamespace, capsys: pytest.CaptureFixture[str]
) -> None:
    job.layout.metrics("fetch").write_text("{}")
    STAGE.run(job)
    assert json.loads(job.layout.metrics(STAGE.name).read_text()) == {"words": 3}
    run = json.loads(job.layout.run(STAGE.name).read_text())
    assert run["downloaded"] == 5 and run["seconds"] >= 0
    first, last = capsys.readouterr().err.splitlines()
    assert first == f"made_up {LANGUAGE} … (about {PROCESS_MIB} MiB of memory)"
    assert last.startswith(f"made_up {LANGUAGE}: 3 words, 5 new; ") and last.endswith(" s")


def test_a_missing_input_is_refused_before_the_stage_starts(
    job: Job, module: SimpleNamespace
) -> None:
    with pytest.raises(InputError, match=r"needs .*fetch.json, which is not there: run dvc repro"):
        STAGE.run(job)
    assert not module.ran
    assert not job.layout.metrics(STAGE.name).exists()


def test_a_folder_without_files_gets_a_note(job: Job, module: SimpleNamespace) -> None:
    job.layout.metrics("fetch").write_text("{}")
    (job.layout.tokens / "films").mkdir(parents=True)
    STAGE.run(job)
    assert [path.name for path in job.layout.tokens.glob("*.txt")] == ["nothing.txt"]


def test_a_job_has_the_settings_of_its_language_and_the_engine_that_they_ask_for(job: Job) -> None:
    assert job.settings.spark.master == IN_PROCESS
    assert job.language == job.settings.of(LANGUAGE)
    with job.engine() as engine:
        assert engine.each(len, ["a", "bc"], "lengths") == [1, 2]


@pytest.mark.parametrize("master", ["local[2]", "spark://somewhere:7077"])
def test_small_work_does_not_start_spark_on_this_machine(job: Job, master: str) -> None:
    spark = replace(job.settings.spark, master=master)
    job = replace(job, settings=replace(job.settings, spark=spark))
    with job.engine(is_small=True) as small, job.engine() as large:
        assert isinstance(small, InProcessEngine) == (master == "local[2]")
        assert isinstance(large, DeferredEngine)


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.name)
def test_every_stage_is_found_by_name_with_both_functions(stage: Stage) -> None:
    assert stage_named(stage.name) is stage
    assert callable(stage.module.run) and callable(stage.module.describe)
