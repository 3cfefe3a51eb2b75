"""Spark as an engine: a context with our settings, jobs with progress, and plain error messages.

Tasks open their files themselves, so nothing of a corpus passes through the JVM or the driver; what
tasks merge among themselves goes through a shuffle as a few large blocks.
"""

from __future__ import annotations

import atexit
import errno
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
from typing import TYPE_CHECKING, Any

from tqdm import tqdm

from pipeline.engine import DeferredEngine, Engine, InProcessEngine, Item, Result
from pipeline.memory import machine_mib
from pipeline.settings import IN_PROCESS, Spark
from wordkin.errors import InputError

if TYPE_CHECKING:
    from pyspark import RDD, SparkContext

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
        local = (context.master or "").startswith("local")
        self.memory_mib = machine_mib() if local else None

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
        rdd = self.context.parallelize(list(items), tasks)
        return collect(rdd.map(with_plain_errors(function)), what)

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
        scattered = self.context.parallelize(list(items), len(items)).flatMap(
            with_plain_errors(scatter)
        )
        merged = scattered.groupByKey(tasks).map(
            with_plain_errors(lambda block: (block[0], merge(block[0], iter(block[1]))))
        )
        return sorted(collect(merged, what), key=lambda block: block[0])


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
"""Marks the class and the sentence of an InputError inside Spark's own error messages."""

SYSTEM_MARK = "wordkin-system-error:"
"""Marks the number and the file of an error of the system there."""


def _plain(error: BaseException) -> BaseException:
    """What a task raised, taken out of Spark's wrapping: an InputError, or an error of the system.

    Other errors are returned as they are.
    """
    message = str(error)
    if system := re.search(rf"{SYSTEM_MARK}(\d+):(.*?):end", message, flags=re.DOTALL):
        number = int(system[1])
        return OSError(number, os.strerror(number), system[2] or None)
    refusal = re.search(rf"{MARK}(\w+):(.*?):end", message, flags=re.DOTALL)
    if refusal is None:
        return _of_java(message) or error
    kinds = {
        kind.__name__: kind
        for kind in _with_subclasses(InputError)
        if "__init__" not in vars(kind)  # made of its sentence alone
    }
    return kinds.get(refusal[1], InputError)(refusal[2])


def _of_java(message: str) -> OSError | None:
    """The error of the system that Java met in its own files, such as those of a shuffle."""
    for number in (errno.ENOSPC, errno.EROFS, errno.EMFILE, errno.EACCES, errno.EIO):
        if re.search(rf"java\.[\w.]*Exception: .*{re.escape(os.strerror(number))}", message):
            return OSError(number, os.strerror(number), str(scratch()))
    return None


def _with_subclasses(kind: type[InputError]) -> Iterator[type[InputError]]:
    yield kind
    for subclass in kind.__subclasses__():
        yield from _with_subclasses(subclass)


class _NoPandas:
    """Hides pandas from a process: a finder of modules that finds that there is none."""

    @staticmethod
    def find_spec(name: str, *_: Any) -> None:
        if name == "pandas":
            raise ModuleNotFoundError("pandas is hidden from stages and their tasks", name=name)


def hide_pandas() -> None:
    """Let this process do without pandas.

    Arrow imports it, if it is installed, before it makes its first numpy array. That takes a second
    per process, and neither a stage nor a task uses it.
    """
    if _NoPandas not in sys.meta_path:
        sys.meta_path.insert(0, _NoPandas)


def with_plain_errors(function: Callable[[Item], Result]) -> Callable[[Item], Result]:
    """`function` for use in a task: refusals of it and of the system reach the driver.

    That is the class and sentence of an InputError, or the number and file of an OSError.
    """

    def task(item: Item) -> Result:
        hide_pandas()
        try:
            return function(item)
        except InputError as error:
            raise RuntimeError(f"{MARK}{type(error).__name__}:{error}:end") from None
        except OSError as error:
            if error.errno is None:  # Arrow's, of a file at an address
                reason = " ".join(str(error).splitlines()[:1])
                sentence = f"A task failed ({reason}): check the storage, and run it again."
                raise RuntimeError(f"{MARK}InputError:{sentence}:end") from None
            name = "" if error.filename is None else os.fsdecode(error.filename)
            raise RuntimeError(f"{SYSTEM_MARK}{error.errno}:{name}:end") from None

    return task
