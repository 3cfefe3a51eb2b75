"""The counts stage, killed at each of its steps in the file system, one after the other.

    python -m tests.support.killed <template> <work>

Each step gets a fresh copy of the template project, in which a process runs the stage and is
killed right before the step, and another one runs it to its end. A line of JSON tells what each
of them left. Spark is left out: it has no part in what is written when.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import shutil
import signal
import sys
from pathlib import Path
from typing import Any

from pipeline.counting import counts
from pipeline.engine import InProcessEngine
from pipeline.layout import Layout
from pipeline.settings import Counts
from tests.support.corpora import files

STEPS = {"open", "os.mkdir", "os.rename", "os.remove", "os.rmdir"}


def run(layout: Layout, steps: float) -> bool:
    """Run the stage in a process of its own that has so many steps to live; whether it lived."""
    child = os.fork()
    if child == 0:
        left = steps

        def step(event: str, arguments: tuple[Any, ...]) -> None:
            nonlocal left
            reading = event == "open" and not arguments[2] & (os.O_WRONLY | os.O_RDWR)
            if event in STEPS and not reading:
                if left == 0:
                    os.kill(os.getpid(), signal.SIGKILL)
                left -= 1

        sys.addaudithook(step)
        counts.make_counts(layout, Counts(), 64, InProcessEngine(2))
        os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFEXITED(status) and os.WEXITSTATUS(status) == 0


def state(layout: Layout) -> dict[str, str]:
    """All that the stage left, as hashes."""
    found = files(layout.matrices).items()
    return {name: hashlib.sha256(data).hexdigest() for name, data in found}


def main(template: Path, work: Path) -> None:
    warm = Layout(shutil.copytree(template, work / "warm"), "xx")
    counts.make_counts(
        warm, Counts(), 64, InProcessEngine(2)
    )  # kernels are loaded before the forks
    for steps in itertools.count():
        layout = Layout(shutil.copytree(template, work / str(steps)), "xx")
        lived = run(layout, steps)
        after_kill = state(layout)
        assert run(layout, float("inf"))
        print(json.dumps({"lived": lived, "left": after_kill, "finished": state(layout)}))
        shutil.rmtree(layout.root)
        if lived:
            break


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
