"""On a disk that is really full or read-only: one sentence, the old result, and a next run.

`test_faults` lets single steps fail; here the system itself refuses, also in the middle of a file
and inside SQLite.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager

import pytest

from pipeline.stages import stage_named
from tests.support.faults import Call, Disk, litter
from tests.support.faulty_stages import all_calls
from tests.support.project import make_project, run_stage
from tests.support.small_disk import SmallDisk, small_disk

pytestmark = pytest.mark.slow

STAGES = ("fetch", "tokens", "vocabulary", "counts", "npmi", "svd")
COMMANDS = ("add", "counts mtx", "study new", "study export", "study delete")
LEFT = (0, 6000)
"""The bytes that are left on a full disk: nothing, or room for the beginning of a file."""


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallDisk]:
    with small_disk(tmp_path_factory.mktemp("disks") / "small", mebibytes=24) as mounted:
        yield mounted


@pytest.fixture(scope="module")
def calls(disk: SmallDisk) -> dict[str, Call]:
    """Stages and commands of a project on the small disk, whose outputs are there."""
    layout = make_project(disk.folder / "project")
    for name in STAGES:
        run_stage(stage_named(name), layout)
    return all_calls(layout)


def conditions(disk: SmallDisk) -> Iterator[tuple[str, AbstractContextManager[None]]]:
    for left in LEFT:
        yield f"{left} bytes left", disk.full(left)
    yield "read-only", disk.read_only()


@pytest.mark.parametrize("name", STAGES + COMMANDS)
def test_a_sentence_the_old_result_and_a_next_run(
    name: str, disk: SmallDisk, calls: dict[str, Call], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(disk.folder))
    call, runner = calls[name], Disk(disk.folder)
    call.reset()
    assert runner.run(call.command).status == 0
    new, failures = call.state(), 0
    for what, condition in conditions(disk):
        call.reset()
        old = call.state()
        with condition:
            result = runner.run(call.command)
            after = call.state() if what != "read-only" else old
            left = litter(disk.folder)
        last = result.said.splitlines()[-1:]
        assert result.status in (0, 1), (what, result)
        if result.status:
            failures += 1
            assert last and last[0].endswith("."), (what, result)
            assert "Traceback" not in result.said
            assert str(disk.folder) in last[0], (what, last)
            assert left == [], what
            assert all(is_ in (old.get(path), new.get(path)) for path, is_ in after.items()), what
            assert runner.run(call.command).status == 0
        assert call.state() == new, what
    assert failures
