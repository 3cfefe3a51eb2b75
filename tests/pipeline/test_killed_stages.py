"""Killed at any step, a stage leaves its old result, the new one or none, and no litter."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.layout import Layout
from pipeline.stage import Stage
from pipeline.stages import all_stages
from tests.support.killed import places
from tests.support.project import publish_one, run_stage
from tests.support.root import ROOT

pytestmark = pytest.mark.slow

KILLS, KILLS_OF_COUNTS = 4, 40
"""Steps at which a stage is killed; counts, which keeps a cache, at nearly all of its steps."""

DOWNLOADS = {"fetched", "resource_downloads"}
"""What a stage adds to and never replaces."""


@pytest.mark.parametrize("stage", all_stages(), ids=lambda stage: stage.name)
def test_killed_at_any_step_a_stage_leaves_the_old_the_new_or_nothing(
    stage: Stage, copy: Layout, tmp_path: Path
) -> None:
    most = KILLS
    if stage.name == "report":
        publish_one(copy)
        run_stage(stage, copy)
    if stage.name == "counts":
        shutil.rmtree(copy.count_cache)  # so that there is something to count
        most = KILLS_OF_COUNTS
    new = places(stage, copy)
    for name in set(stage.writes) - DOWNLOADS:
        make_old(copy.place(name))
    old = places(stage, copy)
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.killed",
         str(copy.root), str(tmp_path / "work"), stage.name, str(most)],
        cwd=ROOT, text=True, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    runs = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(runs) >= 2
    for run in runs:
        assert not run["lived"] and run["finished"]
        for name, left in run["left"].items():
            assert left in (old[name], new[name], None), f"{name} is half-written"
        assert run["made"] == new
        assert run["leftovers"] == []


def make_old(place: Path) -> None:
    """Make an output differ from what the stage will make."""
    (place / "old" if place.is_dir() else place).write_text("old")
