"""Whatever fails at any step: one sentence, the old result, no litter, and a next run that works.

`test_killed_stages` kills stages at their steps; here the system refuses a step: the disk is full
or read-only, permissions are missing, a disk fails, or no handles are left.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from pipeline.__main__ import parser as pipeline_parser
from pipeline.layout import Layout
from pipeline.stage import STAGES
from tests.support.faulty_stages import PLAYERS, other_calls
from tests.support.parsers import all_options
from tests.support.project import publish_one
from tests.support.root import ROOT
from wordkin.cli import COMMANDS

pytestmark = pytest.mark.slow

FAULTS = 10
"""Steps that fail, per stage: each of the five errors twice."""

SLOW = {"human": 2, "compact": 2, "fasttext": 5, "curve": 5, "evaluate": 5, "agents": 2, PLAYERS: 2}
"""Stages that take more than a moment get fewer."""

WRITES_NOTHING = {
    "wordkin": {
        "clue", "guess", "play", "related", "nearest", "why", "bundles", "info", "verify",
        "completion",
    },
    "pipeline": {"sources", "check", "together", "summary"},
}  # fmt: skip
TRIED_ELSEWHERE = {"serve", "tournament", "boards", "starter", "run"}
"""The site has tests of its own; a tournament and boards are written through the same functions as
others, and `starter` and `run` run the stages."""


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


@pytest.mark.parametrize("name", [*(stage.name for stage in STAGES), PLAYERS])
def test_a_stage_whose_steps_fail_leaves_the_old_or_the_new_result(name: str, copy: Layout) -> None:
    most = SLOW.get(name, FAULTS)
    if name in ("agents", PLAYERS):
        publish_one(copy)
    assert try_faults(copy, most, name) == most


def test_a_command_whose_steps_fail_leaves_the_old_or_the_new_result(copy: Layout) -> None:
    names = list(other_calls(copy))
    assert try_faults(copy, FAULTS, *names) > 5 * len(names)


def test_every_command_that_writes_is_tried(copy: Layout) -> None:
    tried = {name.split()[0] for name in other_calls(copy)}
    commands = {command.name for command in COMMANDS}
    assert commands - WRITES_NOTHING["wordkin"] - TRIED_ELSEWHERE <= tried
    stages = {stage.name for stage in STAGES}
    programs = {name for name, _ in all_options(pipeline_parser())} - {""}
    assert programs - stages - WRITES_NOTHING["pipeline"] - TRIED_ELSEWHERE <= tried
