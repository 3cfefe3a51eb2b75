"""The command line of the pipeline, but the first task to finish kills its executor.

    python -m tests.support.killed_executor <witness> <stage> <language>

The task has done its work then, and nobody hears of it: Spark runs it again elsewhere. The file
`witness` is there when an executor has been killed.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from unittest.mock import patch

import psutil
from pyspark import Accumulator

from pipeline import spark
from pipeline.__main__ import main

Item = TypeVar("Item")
Result = TypeVar("Result")

EXECUTOR = "org.apache.spark.executor.CoarseGrainedExecutorBackend"
"""The class that the processes of executors run."""


def run(witness: Path) -> int:
    """Run the command line of this process, and kill one executor of the job."""
    plain = spark.guarded

    def deadly(
        function: Callable[[Item], Result], failures: Accumulator[tuple[Exception, ...]]
    ) -> Callable[[Item], Result | None]:
        def task(item: Item) -> Result | None:
            result = plain(function, failures)(item)
            kill_executor(witness)
            return result

        return task

    with patch.object(spark, "guarded", deadly):
        return main()


def kill_executor(witness: Path) -> None:
    """Kill the executor of this task and the task itself, unless one has been killed."""
    try:
        witness.touch(exist_ok=False)
    except FileExistsError:
        return
    (executor,) = (process for process in psutil.Process().parents() if is_executor(process))
    executor.kill()
    os.kill(os.getpid(), signal.SIGKILL)


def is_executor(process: psutil.Process) -> bool:
    """Whether a process is an executor of a cluster."""
    try:
        return EXECUTOR in process.cmdline()
    except psutil.Error:
        return False


if __name__ == "__main__":
    sys.exit(run(Path(sys.argv.pop(1))))
