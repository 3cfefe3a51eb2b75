"""How a stage is run: inputs checked first, figures written, one line at the end."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.engine import DeferredEngine, InProcessEngine
from pipeline.memory import PROCESS_MIB
from pipeline.settings import IN_PROCESS, load_settings
from pipeline.stage import RUN, Job, Stage
from tests.support.project import LANGUAGE, make_project
from wordkin.errors import InputError


@pytest.fixture
def job(tmp_path: Path) -> Job:
    layout = make_project(tmp_path / "project")
    return Job("made_up", layout, load_settings(layout.root / "params.yaml"))


@pytest.fixture
def ran() -> list[Job]:
    """The jobs that the stage has done."""
    return []


@pytest.fixture
def stage(ran: list[Job]) -> Stage:
    """A stage that only notes that it ran."""

    def work(job: Job) -> dict[str, object]:
        ran.append(job)
        return {"words": 3, RUN: {"downloaded": 5}}

    return Stage(
        "made_up",
        work,
        lambda metrics: f"{metrics['words']} words, {metrics[RUN]['downloaded']} new",
        reads=("raw",),
        writes=("tokens",),
        figures=("fetch",),
    )


def test_figures_of_the_result_and_of_the_run_are_written_apart(
    job: Job, stage: Stage, capsys: pytest.CaptureFixture[str]
) -> None:
    job.layout.metrics("fetch").write_text("{}")
    stage.run(job)
    assert json.loads(job.layout.metrics(stage.name).read_text()) == {"words": 3}
    run = json.loads(job.layout.run(stage.name).read_text())
    assert run["downloaded"] == 5 and run["seconds"] >= 0
    first, last = capsys.readouterr().err.splitlines()
    assert first == f"made_up {LANGUAGE} … (about {PROCESS_MIB} MiB of memory)"
    assert last.startswith(f"made_up {LANGUAGE}: 3 words, 5 new; ") and last.endswith(" s")


def test_a_missing_input_is_refused_before_the_stage_starts(
    job: Job, stage: Stage, ran: list[Job]
) -> None:
    with pytest.raises(InputError, match=r"needs .*fetch.json, which is not there: run dvc repro"):
        stage.run(job)
    assert not ran
    assert not job.layout.metrics(stage.name).exists()


def test_a_job_has_the_settings_of_its_language_and_the_engine_that_they_ask_for(job: Job) -> None:
    assert job.settings.spark.master == IN_PROCESS
    assert job.language == job.settings.of(LANGUAGE)
    with job.engine() as engine:
        assert engine.each(len, ["a", "bc"], "lengths") == [1, 2]


@pytest.mark.parametrize("master", ["local[2]", "spark://somewhere:7077"])
def test_small_work_does_not_start_spark_on_this_machine(job: Job, master: str) -> None:
    spark = replace(job.settings.spark, master=master)
    job = replace(job, settings=job.settings.having(spark))
    with job.engine(is_small=True) as small, job.engine() as large:
        assert isinstance(small, InProcessEngine) == (master == "local[2]")
        assert isinstance(large, DeferredEngine)
