"""Whatever fails at any step: one sentence, the old result, no litter, and a next run that works.

`test_killed_stages` kills stages at their steps; here the system refuses a step: the disk is full
or read-only, permissions are missing, a disk fails, or no handles are left.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from typing import Any

import pytest

from pipeline.__main__ import program
from pipeline.layout import Layout
from pipeline.stages import all_stages
from tests.support.faulty_stages import PLAYERS, other_calls
from tests.support.project import publish_one
from tests.support.root import ROOT
from wordkin.cli import COMMANDS

pytestmark = pytest.mark.slow

FAULTS = 10
"""Steps that fail, per stage: each of the five errors twice."""

SLOW = {"human": 2, "fasttext": 5, "report": 2, PLAYERS: 2}
"""Stages that take more than a moment get fewer."""

WRITES_NOTHING = {
    "wordkin": {
        "clue", "guess", "play", "related", "nearest", "why", "bundles", "info", "verify",
        "completion",
    },
    "pipeline": {"sources", "check", "summary"},
}  # fmt: skip
TRIED_ELSEWHERE = {"serve", "tournament", "boards", "starter", "run", "code", "dvc"}
"""The site has tests of its own; a tournament, boards, fingerprints and `dvc.yaml` are written
through the same functions as others, and `starter` and `run` run the stages."""


GROUPS = 4
"""Stages share processes, which load as much as most stages do in all their trials."""

STAGE_NAMES = [stage.name for stage in all_stages() if stage.name != "report"]


def try_faults(copy: Layout, most: Mapping[str, int]) -> list[dict[str, Any]]:
    """Let at most so many steps of stages and commands fail, in a process of its own."""
    names = [f"{name}={number}" for name, number in most.items()]
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.faulty_stages", str(copy.root), str(FAULTS), *names],
        cwd=ROOT, text=True, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    reports: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    assert [report["name"] for report in reports] == list(most)
    assert [problem for report in reports for problem in report["problems"]] == []
    return reports


@pytest.mark.parametrize(
    "names",
    [*(STAGE_NAMES[at::GROUPS] for at in range(GROUPS)), ["report", PLAYERS]],
    ids=", ".join,
)
def test_a_stage_whose_steps_fail_leaves_the_old_or_the_new_result(
    names: list[str], copy: Layout
) -> None:
    if "report" in names:
        publish_one(copy)
    most = {name: SLOW.get(name, FAULTS) for name in names}
    for report in try_faults(copy, most):
        assert report["faults"] == most[report["name"]]
        assert report["faults"] > report["tolerated"]


def test_a_command_whose_steps_fail_leaves_the_old_or_the_new_result(copy: Layout) -> None:
    reports = try_faults(copy, dict.fromkeys(other_calls(copy), FAULTS))
    assert any(report["faults"] > report["tolerated"] for report in reports)
    assert sum(report["faults"] for report in reports) > 5 * len(reports)


def test_every_command_that_writes_is_tried(copy: Layout) -> None:
    tried = {name.split()[0] for name in other_calls(copy)}
    assert set(COMMANDS) - WRITES_NOTHING["wordkin"] - TRIED_ELSEWHERE <= tried
    stages = {stage.name for stage in all_stages()}
    assert set(program.commands) - stages - WRITES_NOTHING["pipeline"] - TRIED_ELSEWHERE <= tried
