"""A stage that is killed at a step in the file system, and then run to its end.

    python -m tests.support.killed <project> <work> <stage> <most>

Each of at most `most` steps, spread over the run, gets a fresh copy of the project. In it a process
runs the stage and is killed right before the step, and another one runs the stage to its end. One
line of JSON per step says what each of them left. Before it forks, this process only loads what
every run loads, so no thread of a library is running that a fork would lose.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import sys
from contextlib import suppress
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from pipeline.layout import Layout
from pipeline.settings import load_settings
from pipeline.stage import Stage
from pipeline.stages import stage_named
from tests.support.project import LANGUAGE, run_stage

STEPS = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir"}


def is_below(folder: Path, path: object) -> bool:
    """Whether a step's path is below a folder; one without a folder is, as in shutil.rmtree."""
    if not isinstance(path, str | bytes | os.PathLike):
        return False
    name = os.fsdecode(path)
    return name.startswith(str(folder)) or not Path(name).is_absolute()


class Whole(NamedTuple):
    """A run that reached its end: its number of steps, and the modules that it had loaded."""

    steps: int
    modules: list[str]


def run(stage: Stage, layout: Layout, steps: float = float("inf")) -> Whole | None:
    """Run a stage in a process that is killed after `steps` steps; None if it did not live."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        owner, done = os.getpid(), 0

        def count_step(event: str, arguments: tuple[Any, ...]) -> None:
            nonlocal done
            if event not in STEPS or os.getpid() != owner:
                return
            reads = event == "open" and not arguments[2] & (os.O_WRONLY | os.O_RDWR)
            if not reads and is_below(layout.root, arguments[0]):
                if done == steps:
                    os.kill(owner, signal.SIGKILL)
                done += 1

        sys.addaudithook(count_step)
        try:
            run_stage(stage, layout)
            os.write(writer, json.dumps([done, list(sys.modules)]).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        reported = pipe.read()
    _, status = os.waitpid(child, 0)
    return Whole(*json.loads(reported)) if reported and not os.WIFSIGNALED(status) else None


def load(modules: list[str], layout: Layout) -> None:
    """Load modules, settings and numba's types, so that processes forked from this one need not."""
    for name in modules:
        with suppress(ImportError):  # made up by a library while it ran
            import_module(name)
    load_settings(layout.root / "params.yaml")
    if "numba" in modules:
        from numba.core.registry import cpu_target

        cpu_target.typing_context.refresh()
        cpu_target.target_context.refresh()


def places(stage: Stage, layout: Layout) -> dict[str, str | None]:
    """A hash of each output of a stage; None for an output that does not exist."""
    return {name: digest(layout.place(name)) for name in stage.writes}


def digest(place: Path) -> str | None:
    """A hash of a file, or of the names and contents of a folder's files."""
    if not place.exists():
        return None
    paths = [place] if place.is_file() else sorted(p for p in place.rglob("*") if p.is_file())
    total = hashlib.sha256()
    for path in paths:
        total.update(path.relative_to(place.parent).as_posix().encode())
        total.update(path.read_bytes())
    return total.hexdigest()


def leftovers(layout: Layout) -> list[str]:
    """The unfinished and outdated files and folders of the project."""
    paths = layout.root.rglob("*")
    return sorted(str(path) for path in paths if path.suffix in (".part", ".old"))


def kill_points(total: int, most: int) -> list[int]:
    """At most `most` of `total` steps, the first and the last among them."""
    if total <= most:
        return list(range(total))
    return sorted({round(number * (total - 1) / (most - 1)) for number in range(most)})


def main(template: Path, work: Path, name: str, most: int) -> None:
    stage = stage_named(name)
    whole = run(stage, copy_of(template, work / "whole"))
    assert whole and whole.steps
    load(whole.modules, Layout(template, LANGUAGE))
    for step in kill_points(whole.steps, most):
        layout = copy_of(template, work / str(step))
        lived = run(stage, layout, step)
        after_kill = places(stage, layout)
        finished = run(stage, layout)
        print(
            json.dumps(
                {
                    "step": step, "lived": bool(lived), "left": after_kill,
                    "finished": bool(finished),
                    "made": places(stage, layout), "leftovers": leftovers(layout),
                }
            )
        )  # fmt: skip
        shutil.rmtree(layout.root)


def copy_of(template: Path, root: Path) -> Layout:
    return Layout(shutil.copytree(template, root, symlinks=True), LANGUAGE)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4]))
