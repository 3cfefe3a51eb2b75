"""Whatever fails at any step: one sentence, the old result, no litter, and a next run that works.

`test_killed_stages` kills stages at their steps; here the system refuses a step, a file grows too
large, handles run out, or the disk is really full or read-only.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from pipeline.__main__ import parser as pipeline_parser
from pipeline.layout import Layout
from pipeline.stage import STAGES, Stage
from tests.support.faults import litter
from tests.support.faulty_stages import other_calls
from tests.support.killed import places
from tests.support.parsers import all_options
from tests.support.project import LANGUAGE, build, make_project
from tests.support.root import ROOT
from wordkin.cli import COMMANDS

pytestmark = pytest.mark.slow

FAULTS = 10
"""Steps that fail, per stage: each of the five errors twice."""

SLOW = {"human": 2, "compact": 2, "agents": 2, "fasttext": 5, "curve": 5, "evaluate": 5}
"""Stages that take more than a moment get fewer."""

WRITES_NOTHING = {
    "wordkin": {
        "clue", "guess", "play", "related", "nearest", "why", "bundles", "info", "verify",
        "completion",
    },
    "pipeline": {"sources", "check", "together", "summary"},
}  # fmt: skip
TRIED_ELSEWHERE = {"serve", "tournament"}
"""The web's database has tests of its own; a tournament writes through the same function."""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    layout = make_project(tmp_path_factory.mktemp("built") / "project")
    build(layout)
    return layout


@pytest.fixture
def copy(built: Layout, tmp_path: Path) -> Layout:
    return Layout(shutil.copytree(built.root, tmp_path / "copy"), LANGUAGE)


def try_faults(copy: Layout, most: int, *names: str) -> int:
    """Let steps of stages and commands fail in a process of its own; the number of faults."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.faulty_stages", str(copy.root), str(most), *names],
        cwd=ROOT, text=True, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    assert [report["name"] for report in reports] == list(names)
    assert [problem for report in reports for problem in report["problems"]] == []
    assert sum(report["faults"] > report["tolerated"] for report in reports)
    return sum(report["faults"] for report in reports)


@pytest.mark.parametrize("stage", STAGES, ids=lambda stage: stage.name)
def test_a_stage_whose_steps_fail_leaves_the_old_or_the_new_result(
    stage: Stage, copy: Layout
) -> None:
    most = SLOW.get(stage.name, FAULTS)
    assert try_faults(copy, most, stage.name) == most


def test_a_command_whose_steps_fail_leaves_the_old_or_the_new_result(copy: Layout) -> None:
    names = list(other_calls(copy))
    assert try_faults(copy, FAULTS, *names) > 5 * len(names)


def test_every_command_that_writes_is_tried(copy: Layout) -> None:
    tried = {name.split()[0] for name in other_calls(copy)}
    commands = {command.name for command in COMMANDS}
    assert commands - WRITES_NOTHING["wordkin"] - TRIED_ELSEWHERE <= tried
    stages = {stage.name for stage in STAGES}
    programs = {name for name, _ in all_options(pipeline_parser())} - {""}
    assert programs - stages - WRITES_NOTHING["pipeline"] <= tried


Limits = dict[int, tuple[int, int]]


def run(copy: Layout, *arguments: str, limits: Limits | None = None) -> tuple[int, str]:
    """Run a command in a process with these limits; its exit code and what it said."""

    def limit() -> None:
        for which, value in (limits or {}).items():
            resource.setrlimit(which, value)

    done = subprocess.run(
        [sys.executable, "-m", "pipeline", "--root", str(copy.root), *arguments],
        cwd=ROOT, text=True, capture_output=True, check=False, preexec_fn=limit,
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )  # fmt: skip
    return done.returncode, done.stderr


def fails_and_recovers(
    copy: Layout, stage: Stage, attempt: Callable[[], tuple[int, str]], reason: str
) -> None:
    """A stage fails in one sentence with its old result in place, and then succeeds."""
    before = places(stage, copy)
    status, said = attempt()
    assert status == 1, said
    *progress, sentence = said.splitlines()
    assert reason in sentence and sentence.endswith(".")
    assert str(copy.root) in sentence
    assert all("…" in line for line in progress)
    assert places(stage, copy) == before
    assert litter(copy.root) == []


def test_a_file_that_may_not_grow_is_reported_by_its_name(copy: Layout) -> None:
    stage = next(stage for stage in STAGES if stage.name == "npmi")
    limits = {resource.RLIMIT_FSIZE: (2000, 2000)}
    fails_and_recovers(
        copy, stage, lambda: run(copy, "npmi", LANGUAGE, limits=limits), "File too large"
    )
    assert run(copy, "npmi", LANGUAGE)[0] == 0


@pytest.fixture
def mounted(copy: Layout) -> Iterator[Path]:
    """The project's matrices on a small disk of their own, where the test may make one."""
    folder = copy.root / "matrices"
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    aside = folder.rename(copy.root / "aside")
    folder.mkdir()
    options = f"size={size + (1 << 20)}"
    made = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(folder)], capture_output=True
    )
    if made.returncode != 0:
        pytest.skip("this user may not mount a disk")
    shutil.copytree(aside, folder, dirs_exist_ok=True)
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def test_a_really_full_and_a_really_read_only_disk(copy: Layout, mounted: Path) -> None:
    stage = next(stage for stage in STAGES if stage.name == "npmi")
    ballast = mounted / "ballast"
    free = shutil.disk_usage(mounted).free
    ballast.write_bytes(bytes(free - 8192))
    fails_and_recovers(copy, stage, lambda: run(copy, "npmi", LANGUAGE), "No space left on device")
    ballast.unlink()
    before = places(stage, copy)
    subprocess.run(["mount", "-o", "remount,ro", str(mounted)], check=True)
    fails_and_recovers(copy, stage, lambda: run(copy, "npmi", LANGUAGE), "Read-only file system")
    subprocess.run(["mount", "-o", "remount,rw", str(mounted)], check=True)
    assert run(copy, "npmi", LANGUAGE)[0] == 0
    assert places(stage, copy) == before
