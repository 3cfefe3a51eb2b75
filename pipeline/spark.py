"""The Spark session and how a stage runs its tasks on it.

Stages hand Spark small descriptions of work (which files, which part), and tasks open the files
themselves with Arrow: nothing of a corpus passes through the JVM or the driver. What tasks merge
among themselves goes through a shuffle as a few large blocks.
"""

from __future__ import annotations

import atexit
import fcntl
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import psutil
from tqdm import tqdm

from pipeline.settings import Spark
from wordkin.errors import InputError

if TYPE_CHECKING:
    from pyspark import RDD, SparkContext

Item = TypeVar("Item")
Result = TypeVar("Result")

ROOT = Path(__file__).resolve().parent.parent
LEAST_JAVA = 17

QUIET = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
}


def java_version(java: str) -> int | None:
    """The major version of the Java at `java`, None when it does not run."""
    try:
        told = subprocess.run([java, "-version"], capture_output=True, text=True, check=False)
    except OSError:
        return None
    found = re.search(r'version "(?:1\.)?(\d+)', told.stderr + told.stdout)
    return int(found.group(1)) if found else None


def check_java() -> None:
    """Refuse to start without a Java that Spark can use."""
    home = os.environ.get("JAVA_HOME")
    java = str(Path(home) / "bin" / "java") if home else shutil.which("java") or "java"
    version = java_version(java)
    if version is None or version < LEAST_JAVA:
        found = "none was found" if version is None else f"{java} is version {version}"
        raise InputError(
            f"Spark needs Java {LEAST_JAVA} or newer and {found}: install the package "
            "openjdk-17-jre-headless (or set JAVA_HOME)."
        )


@contextmanager
def spark_context(name: str, settings: Spark, verbose: bool = False) -> Iterator[SparkContext]:
    """A Spark context named `name` for the length of the block."""
    check_java()
    from pyspark import SparkConf, SparkContext

    settings = settings.with_environment()
    local = settings.master.startswith("local")
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    conf = SparkConf().setAppName(name).setMaster(settings.master)
    for key, value in QUIET.items():
        conf.set(key, value)
    conf.set("spark.executorEnv.PYTHONPATH", os.pathsep.join(paths))
    conf.set("spark.driver.memory", "1g")
    folder = scratch()
    if local:
        conf.set("spark.driver.host", "127.0.0.1").set("spark.driver.bindAddress", "127.0.0.1")
        conf.set("spark.local.dir", str(folder))
    # The JVM only passes work on: its best compiler would take cores from the tasks, for nothing.
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
        yield context
    finally:
        context.stop()


SCRATCH = "wordkin-spark-"


@cache
def scratch() -> Path:
    """A folder of this process for what Spark shuffles and spills; those of killed ones go first.

    Each is locked by the process it belongs to, and a lock ends with its process.
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


def local_memory_mib(context: SparkContext) -> int | None:
    """The memory that all tasks share; None on a cluster, where executors have their own."""
    if not (context.master or "").startswith("local"):
        return None
    limits = [psutil.virtual_memory().total]
    for name in ("memory.max", "memory/memory.limit_in_bytes"):  # a container's, of cgroups 2 or 1
        path = Path("/sys/fs/cgroup") / name
        if path.is_file() and (limit := path.read_text().strip()).isdecimal():
            limits.append(int(limit))
    return min(limits) >> 20


@contextmanager
def _quiet_launch(verbose: bool) -> Iterator[None]:
    """Keep what the JVM's launcher says before logging is set up from a person's terminal."""
    if verbose:
        yield
        return
    kept = os.dup(2)
    silence = os.open(os.devnull, os.O_WRONLY)
    os.dup2(silence, 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)
        os.close(silence)


def collect(rdd: RDD[Result], what: str) -> list[Result]:
    """The results of a job, with a bar that shows how many of its tasks are done."""
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
        except KeyboardInterrupt:
            context.cancelJobGroup(group)
            raise
    if failure:
        raise _plain(failure[0])
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


MARK = "wordkin-input-error:"
"""Goes before the sentence of an InputError on its way through Spark's own error messages."""


def _plain(error: BaseException) -> BaseException:
    """The InputError that a task raised, taken out of Spark's wrapping; else the error itself."""
    found = re.search(rf"{MARK}(.*?):end", str(error), flags=re.DOTALL)
    return InputError(found.group(1)) if found else error


class NoPandas:
    """Hides pandas from a worker: Arrow imports it, where there is one, before its first numpy
    array, which takes more than a second of each worker for something that no task uses."""

    @staticmethod
    def find_spec(name: str, *_: Any) -> None:
        if name == "pandas":
            raise ModuleNotFoundError("pandas is hidden from Spark's workers", name=name)


def telling(function: Callable[[Item], Result]) -> Callable[[Item], Result]:
    """`function` for use in a task: what it says of bad input survives the way to the driver."""

    def task(item: Item) -> Result:
        if NoPandas not in sys.meta_path:
            sys.meta_path.insert(0, NoPandas)
        try:
            return function(item)
        except InputError as error:
            raise RuntimeError(f"{MARK}{error}:end") from None

    return task


def each(
    context: SparkContext,
    function: Callable[[Item], Result],
    items: Sequence[Item],
    what: str,
    light: bool = False,
) -> list[Result]:
    """`function` of each item, in the order of the items; a task an item, or, for light work,
    no more than 16 tasks a core."""
    if not items:
        return []
    tasks = min(len(items), 16 * context.defaultParallelism) if light else len(items)
    rdd = context.parallelize(list(items), tasks)
    return collect(rdd.map(telling(function)), what)


def gather(
    context: SparkContext,
    scatter: Callable[[Item], Iterator[tuple[int, bytes]]],
    items: Sequence[Item],
    merge: Callable[[int, Iterator[bytes]], Result],
    blocks: int,
    what: str,
) -> list[tuple[int, Result]]:
    """Tasks scatter numbered blocks of bytes; blocks of one number are merged in one place.

    The order in which a merge sees its blocks is not fixed: merges must not depend on it.
    """
    if not items:
        return []
    # A task sees all blocks of its numbers at once, so where there are many it gets a few.
    tasks = min(blocks, max(4 * context.defaultParallelism, blocks // 8))
    scattered = context.parallelize(list(items), len(items)).flatMap(telling(scatter))
    merged = scattered.groupByKey(tasks).map(
        telling(lambda block: (block[0], merge(block[0], iter(block[1]))))
    )
    return sorted(collect(merged, what), key=lambda block: block[0])
