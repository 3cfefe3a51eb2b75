"""Spark as an engine: a context with our settings, jobs with progress, and plain error messages.

Tasks open their files themselves, so nothing of a corpus passes through the JVM or the driver; what
tasks merge among themselves goes through a shuffle as a few large blocks.
"""

from __future__ import annotations

import atexit
import errno
import fcntl
import os
import pickle
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from tqdm import tqdm

from pipeline.engine import DeferredEngine, Engine, InProcessEngine, Item, Result
from pipeline.settings import IN_PROCESS, Spark
from wordkin.errors import InputError

if TYPE_CHECKING:
    from pyspark import RDD, Accumulator, SparkContext

ROOT = Path(__file__).resolve().parent.parent
LEAST_JAVA = 17

QUIET = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


def java_version(java: str) -> int | None:
    """The major version of the Java at `java`, None when it does not run."""
    try:
        output = subprocess.run([java, "-version"], capture_output=True, text=True, check=False)
    except OSError:
        return None
    version = re.search(r'version "(?:1\.)?(\d+)', output.stderr + output.stdout)
    return int(version[1]) if version else None


def check_java() -> None:
    """Refuse to start without a Java that Spark can use."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java") or "java"
    version = java_version(java)
    if version is None or version < LEAST_JAVA:
        fault = "none was found" if version is None else f"{java} is version {version}"
        raise InputError(
            f"Spark needs Java {LEAST_JAVA} or newer and {fault}: install the package "
            "openjdk-17-jre-headless (or set JAVA_HOME)."
        )


@contextmanager
def open_engine(title: str, settings: Spark, verbose: bool = False) -> Iterator[Engine]:
    """The engine that the settings (and the environment) ask for, for the length of the block.

    Spark starts when there is work for it.
    """
    settings = settings.with_environment()
    if settings.master == IN_PROCESS:
        yield InProcessEngine()
    else:
        with DeferredEngine(lambda: spark_engine(title, settings, verbose)) as engine:
            yield engine


@contextmanager
def spark_engine(title: str, settings: Spark, verbose: bool = False) -> Iterator[SparkEngine]:
    """Spark with an application called `title`, for the length of the block."""
    check_java()
    from pyspark import SparkConf, SparkContext

    local = settings.master.startswith("local")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    conf = SparkConf().setAppName(title).setMaster(settings.master)
    for key, value in QUIET.items():
        conf.set(key, value)
    conf.set("spark.executorEnv.PYTHONPATH", os.pathsep.join(paths))
    conf.set("spark.driver.memory", "1g")
    folder = scratch()
    if local:
        conf.set("spark.driver.host", "127.0.0.1").set("spark.driver.bindAddress", "127.0.0.1")
        conf.set("spark.local.dir", str(folder))
    # The JVM only passes work on: its optimizing compiler would only take cores from the tasks.
    options = f'-XX:-UsePerfData -XX:TieredStopAtLevel=1 "-Djava.io.tmpdir={folder}"'
    if not verbose:
        log = ROOT / "pipeline" / "log4j2.properties"
        options += f" -Dlog4j2.configurationFile=file:{log}"
    conf.set("spark.driver.extraJavaOptions", options)
    for key, value in settings.conf.items():
        conf.set(key, value)
    with _quiet_launch(verbose):
        context = SparkContext(conf=conf)
    try:
        yield SparkEngine(context)
    finally:
        context.stop()


SCRATCH = "wordkin-spark-"


@cache
def scratch() -> Path:
    """A folder for what Spark shuffles and spills, removed when this process ends.

    Folders that killed processes left behind are removed first: each is locked by its process, and
    a lock ends with its process.
    """
    for folder in Path(tempfile.gettempdir()).glob(f"{SCRATCH}*"):
        with suppress(OSError):  # another user's, or one that is in use
            handle = _lock(folder)
            shutil.rmtree(folder, ignore_errors=True)
            os.close(handle)
    folder = Path(tempfile.mkdtemp(prefix=SCRATCH))
    _lock(folder)
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def _lock(folder: Path) -> int:
    """Lock a folder until the handle is closed; an OSError when another process holds it."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        raise
    return handle


@contextmanager
def _quiet_launch(verbose: bool) -> Iterator[None]:
    """Hide what the JVM's launcher prints before logging is set up."""
    if verbose:
        yield
        return
    terminal = os.dup(2)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 2)
    try:
        yield
    finally:
        os.dup2(terminal, 2)
        os.close(terminal)
        os.close(silence)


class SparkEngine(Engine):
    """Runs tasks on Spark, wherever its master is."""

    def __init__(self, context: SparkContext) -> None:
        self.context = context
        self.cores = context.defaultParallelism

    def each(
        self,
        function: Callable[[Item], Result],
        items: Sequence[Item],
        what: str,
        light: bool = False,
    ) -> list[Result]:
        """One task per item, or, for light work, no more than 16 tasks per core."""
        if not items:
            return []
        tasks = min(len(items), 16 * self.cores) if light else len(items)
        failures = self.context.accumulator((), cast(Any, Failures()))
        rdd = self.context.parallelize(list(items), tasks).map(guarded(function, failures))
        return cast(list[Result], collect(rdd, what, failures))

    def gather(
        self,
        scatter: Callable[[Item], Iterator[tuple[int, bytes]]],
        items: Sequence[Item],
        merge: Callable[[int, Iterator[bytes]], Result],
        blocks: int,
        what: str,
    ) -> list[tuple[int, Result]]:
        """Blocks of one number meet in a shuffle."""
        if not items:
            return []
        # A task sees all blocks of its numbers at once, so where there are many it gets a few.
        tasks = min(blocks, max(4 * self.cores, blocks // 8))
        failures = self.context.accumulator((), cast(Any, Failures()))

        def blocks_of(item: Item) -> Iterator[tuple[int, bytes]]:
            try:
                yield from scatter(item)
            except (InputError, OSError) as error:
                failures.add((portable(error),))

        def merged(block: tuple[int, Iterable[bytes]]) -> tuple[int, Result]:
            return block[0], merge(block[0], iter(block[1]))

        scattered = self.context.parallelize(list(items), len(items)).flatMap(blocks_of)
        rdd = scattered.groupByKey(tasks).map(guarded(merged, failures))
        results = cast(list[tuple[int, Result]], collect(rdd, what, failures))
        return sorted(results, key=lambda block: block[0])


def collect(
    rdd: RDD[Result], what: str, failures: Accumulator[tuple[Exception, ...]]
) -> list[Result]:
    """The results of a job, with a bar that shows how many of its tasks are done.

    The first of the failures ends the job.
    """
    context = rdd.context
    group = f"wordkin {what}"
    results: list[Result] = []
    failure: list[BaseException] = []

    def job() -> None:
        context.setJobGroup(group, what, interruptOnCancel=True)
        try:
            results.extend(rdd.collect())
        except BaseException as error:
            failure.append(error)

    from pyspark import InheritableThread

    worker = InheritableThread(target=job)
    worker.start()
    with tqdm(desc=what, unit=" tasks", leave=False, disable=None) as bar:
        try:
            while worker.is_alive():
                worker.join(0.2)
                _show_progress(context, group, bar)
                if failures.value:
                    context.cancelJobGroup(group)
        except KeyboardInterrupt:
            context.cancelJobGroup(group)
            raise
    if failures.value:
        raise failures.value[0]
    if failure:
        raise _of_java(failure[0])
    return results


def _show_progress(context: SparkContext, group: str, bar: tqdm[Any]) -> None:
    tracker = context.statusTracker()
    total = done = 0
    for job in tracker.getJobIdsForGroup(group):
        information = tracker.getJobInfo(job)
        for stage in information.stageIds if information else ():
            facts = tracker.getStageInfo(int(stage))
            if facts:
                total += facts.numTasks
                done += facts.numCompletedTasks
    if total:
        bar.total = total
        bar.n = done
        bar.refresh()


class Failures:
    """What tasks were refused, added up by Spark's own channel from tasks to the driver.

    It is an `AccumulatorParam`, but deriving from that would import PySpark in every stage.
    """

    def zero(self, value: tuple[Exception, ...]) -> tuple[Exception, ...]:
        """No failure."""
        return ()

    def addInPlace(
        self, value1: tuple[Exception, ...], value2: tuple[Exception, ...]
    ) -> tuple[Exception, ...]:
        """The failures of two tasks."""
        return value1 + value2


def guarded(
    function: Callable[[Item], Result], failures: Accumulator[tuple[Exception, ...]]
) -> Callable[[Item], Result | None]:
    """`function` for use in a task: what it is refused, by us or by the system, is noted."""

    def task(item: Item) -> Result | None:
        try:
            return function(item)
        except (InputError, OSError) as error:
            failures.add((portable(error),))
            return None

    return task


def portable(error: InputError | OSError) -> Exception:
    """An error that can be sent to another process and made there again."""
    if isinstance(error, OSError) and error.errno is None:  # Arrow's, of a file at an address
        reason = " ".join(str(error).splitlines()[:1])
        return InputError(f"A task failed ({reason}): check the storage, and run it again.")
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # it is made of more than its sentence
        return InputError(str(error))
    return error


def _of_java(error: BaseException) -> BaseException:
    """The error of the system that Java met in its own files, such as those of a shuffle.

    Other errors are returned as they are.
    """
    for number in (errno.ENOSPC, errno.EROFS, errno.EMFILE, errno.EACCES, errno.EIO):
        if re.search(rf"java\.[\w.]*Exception: .*{re.escape(os.strerror(number))}", str(error)):
            return OSError(number, os.strerror(number), str(scratch()))
    return error
