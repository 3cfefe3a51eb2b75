"""Commands whose steps in the file system fail one after the other.

A step is what a program asks of the file system below a folder: open, make, move, link, remove or
list. In each trial one step fails with an error of the system; the errors take turns. After it the
command runs once more, undisturbed. `try_faults` yields what each trial has left.
"""

from __future__ import annotations

import errno
import io
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from tests.support.killed import digest, is_below, kill_points

ERRORS = (errno.ENOSPC, errno.EACCES, errno.EROFS, errno.EIO, errno.EMFILE)
CHANGES = {"os.mkdir", "os.rename", "os.remove", "os.rmdir", "os.link", "os.symlink"}
REMOVALS = {"os.remove", "os.rmdir"}
LOOKS = {"os.listdir", "os.scandir", "sqlite3.connect"}
FAULT = "FAULT_IN_PROCESSES"
STEPS_OF_A_PROCESS = 10
"""The first steps of a process that may fail: by then, it has opened most of a bundle."""
LEFTOVERS = (".part", ".old", ".building")


@dataclass
class Disk:
    """The file system below a folder: counts the steps there, and lets one of them fail.

    A full disk stays full: after ENOSPC, everything that takes room fails too.
    """

    folder: Path
    steps: int = 0
    fail_at: float = float("inf")
    error: int = 0
    failed: list[str] = field(default_factory=list)
    active: bool = False

    def watch(self, event: str, arguments: tuple[Any, ...]) -> None:
        """The audit hook."""
        if not self.active or (event != "open" and event not in CHANGES | LOOKS):
            return
        path = arguments[0]
        if not is_below(self.folder, path):
            return
        takes_room = event == "os.mkdir" or (
            event == "open" and bool(arguments[2] & (os.O_WRONLY | os.O_RDWR))
        )
        still_full = self.failed and self.error == errno.ENOSPC and takes_room
        if self.steps == self.fail_at or still_full:
            if not self.failed:
                self.failed.append(event)
            self.steps += 1
            raise OSError(self.error, os.strerror(self.error), os.fsdecode(path))
        self.steps += 1

    def run(
        self, command: Callable[[], int], fail_at: float = float("inf"), error: int = 0
    ) -> Result:
        """Run a command on this disk, with a fault at a step."""
        self.steps, self.fail_at, self.error, self.failed = 0, fail_at, error, []
        out, err = io.StringIO(), io.StringIO()
        self.active = True
        try:
            with redirect_stdout(out), redirect_stderr(err):
                status: int | str = command()
        except BaseException as failure:  # what a person would see as a traceback
            status = repr(failure)
        finally:
            self.active = False
        return Result(status, err.getvalue(), self.steps, self.failed[0] if self.failed else None)


@dataclass(frozen=True)
class Result:
    """How a run ended: its exit code or its exception, what it said, its steps, and the fault."""

    status: int | str
    said: str
    steps: int
    failed: str | None


@dataclass(frozen=True)
class Call:
    """A call of a program: `reset` makes its outputs differ from what it will make.

    An output is whole or not there; a folder that is not `swapped` in as one may have some of its
    files, each of them whole. `look` says what is in an output, where bytes may differ.
    """

    name: str
    command: Callable[[], int]
    outputs: Sequence[Path]
    reset: Callable[[], None] = lambda: None
    repeatable: bool = True
    swapped: bool = True
    look: Callable[[Path], str | None] = digest

    def state(self) -> dict[Path, str | None]:
        """A hash of each output, or of each of its files."""
        if self.swapped:
            return {path: self.look(path) for path in self.outputs}
        files = (file for path in self.outputs for file in path.rglob("*") if file.is_file())
        return {file: digest(file) for file in files}


@dataclass(frozen=True)
class Trial:
    """What a command left after a fault, and after the next run."""

    name: str
    step: int
    error: str
    result: Result
    intact: bool
    litter: list[str]
    rerun: Result
    remade: bool
    litter_after: list[str]

    def problems(self) -> Iterator[str]:
        """What is wrong with it; nothing if all is well."""
        what = f"{self.name}, step {self.step}, {self.error} at {self.result.failed}"
        if self.result.status not in (0, 1, 2):
            yield f"{what}: {self.result.status}"
        elif self.result.status and not _is_sentence(self.result.said):
            yield f"{what}: said {self.result.said!r}"
        if not self.intact:
            yield f"{what}: an output is neither the old nor the new one"
        # A file that cannot be removed stays until the next run.
        if self.litter and self.result.status and self.result.failed not in REMOVALS:
            yield f"{what}: left {self.litter}"
        if self.rerun.status != 0 or not self.remade:
            yield f"{what}: the next run ended with {self.rerun.status}, {self.rerun.said!r}"
        if self.litter_after:
            yield f"{what}: the next run left {self.litter_after}"


def _is_sentence(said: str) -> bool:
    """Whether the last line is a sentence, after lines on what is being done or was skipped."""
    lines = said.splitlines()
    progress = all(" …" in line or "skipped" in line or ": " in line for line in lines[:-1])
    return bool(lines) and lines[-1].endswith(".") and progress and "Traceback" not in said


def litter(folder: Path) -> list[str]:
    """The unfinished and outdated files and folders below a folder."""
    return sorted(str(path) for path in folder.rglob("*") if path.suffix in LEFTOVERS)


def try_faults(disk: Disk, call: Call, most: int) -> Iterator[Trial]:
    """Let at most `most` steps of a call fail, each with the next error in turn."""
    call.reset()
    whole = disk.run(call.command)
    assert whole.status == 0, (call.name, whole)
    new = call.state()
    for number, step in enumerate(kill_points(whole.steps, most)):
        error = ERRORS[number % len(ERRORS)]
        call.reset()
        old = call.state()
        result = disk.run(call.command, step, error)
        after = call.state()
        left_litter = litter(disk.folder)
        if result.status == 0 and not call.repeatable:
            call.reset()
        rerun = disk.run(call.command)
        yield Trial(
            call.name,
            step,
            errno.errorcode[error],
            result,
            all(is_ in (old.get(path), new.get(path)) for path, is_ in after.items()),
            left_litter,
            rerun,
            call.state() == new,
            litter(disk.folder),
        )


def watched(folder: Path) -> Disk:
    """A disk whose faults this process can feel; the hook stays until the process ends."""
    disk = Disk(folder)
    sys.addaudithook(disk.watch)
    return disk


class ProcessDisk(Disk):
    """The same folder as the processes see it that a command starts: one of their steps fails.

    They are told by an environment variable, and call `feel_faults` when they start.
    """

    def run(
        self, command: Callable[[], int], fail_at: float = float("inf"), error: int = 0
    ) -> Result:
        """Run a command; `fail_at` is a step of each of its processes."""
        if fail_at < float("inf"):
            os.environ[FAULT] = f"{fail_at} {error} {self.folder}"
        result = Disk(self.folder).run(command)
        failed = "a process" if os.environ.pop(FAULT, None) else None
        return replace(result, steps=STEPS_OF_A_PROCESS, failed=failed)


def feel_faults() -> None:
    """Let a step of this process fail as `ProcessDisk` says."""
    if FAULT in os.environ:
        step, error, folder = os.environ[FAULT].split(" ", 2)
        disk = watched(Path(folder))
        disk.fail_at, disk.error, disk.active = int(step), int(error), True
