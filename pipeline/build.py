"""The whole pipeline: every stage that DVC finds changed, independent stages side by side.

DVC decides what has to run and runs it (`dvc repro --single-item`), so the result, `dvc.lock` and
the cache are those of `dvc repro`. That runs one stage after the other; here several run at once,
one more than there are cores, as far as the memory allows. Each has a process of its own, forked
from one that has loaded DVC.
"""

from __future__ import annotations

import os
import re
import selectors
import signal
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NoReturn

from pipeline.layout import Layout
from pipeline.memory import free_mib, needed_mib, usable_cores
from pipeline.settings import Settings
from wordkin.errors import InputError
from wordkin.program import say

Graph = Mapping[str, Collection[str]]
"""The stages that each stage needs, by their names in DVC, such as `tokens@en`."""

SECONDS = {
    "fetch": 10, "tokens": 15, "vocabulary": 15, "counts": 8, "npmi": 5, "squared": 30, "graph": 25,
    "svd": 25, "fasttext": 40, "compact": 30, "agents": 35, "curve": 10, "evaluate": 35,
}  # fmt: skip
"""About how long stages take. They only decide which one starts first: the one from which the
longest way leads to the end."""

_CHATTER = re.compile(r"\w+ \S+ … \(|ERROR: failed to reproduce '.*': failed to run: ")
"""What a stage says when it starts, and what DVC says when it has failed: both are said here."""


def build(root: Path, settings: Settings) -> None:
    """Run what has changed; an InputError when a stage fails."""
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}"
    # Threads that wait for each other must not spin on a core that another stage needs.
    for name, value in (("OMP_WAIT_POLICY", "passive"), ("OPENBLAS_NUM_THREADS", "1")):
        os.environ.setdefault(name, value)
    os.chdir(root)  # DVC names stages of other folders by their path
    graph, changed = look()
    needed = with_dependents(graph, changed)
    if not needed:
        say("everything is up to date")
        return

    def mib(name: str) -> int:
        stage, _, language = name.partition("@")
        return needed_mib(stage, Layout(root, language, settings.storage), settings)

    # Stages also wait: for the disk, for DVC, and in their parts that only one thread can do.
    Build(graph, needed, usable_cores() + 1, mib).run()


def look() -> tuple[Graph, set[str]]:
    """The stages of this folder's `dvc.yaml`, and those that have changed since they ran."""
    # Imported here, and before stages are forked: it takes a second.
    from dvc.cli import main  # noqa: F401
    from dvc.lock import LockError
    from dvc.repo import Repo

    with Repo(_wait_for_lock=True) as repo:
        stages = repo.index.graph
        graph = {
            stage.addressing: {needed.addressing for needed in stages.successors(stage)}
            for stage in stages
        }
        try:
            return graph, set(repo.status())
        except LockError as error:
            process = re.search(r"PID \d+", str(error))
            raise InputError(
                f"Another build is running in {Path.cwd()} ({process[0] if process else 'DVC'}): "
                "wait until it has ended, and run the same command again."
            ) from error


def with_dependents(graph: Graph, changed: Collection[str]) -> set[str]:
    """The changed stages, and all stages that need one of them."""
    needed = set(changed) & set(graph)
    while more := {stage for stage in graph if needed & set(graph[stage])} - needed:
        needed |= more
    return needed


def urgency(graph: Graph, stages: Collection[str]) -> dict[str, float]:
    """The seconds from the start of each stage to the end of the last one that needs it."""
    dependents = {name: [other for other in stages if name in graph[other]] for name in stages}
    known: dict[str, float] = {}

    def of(name: str) -> float:
        if name not in known:
            own = SECONDS.get(_kind(name), 5)
            known[name] = own + max(map(of, dependents[name]), default=0)
        return known[name]

    return {name: of(name) for name in stages}


@dataclass
class _Running:
    """A stage that is running, and the end of the pipe that its lines come through."""

    name: str
    pid: int
    pipe: int
    began: float
    mib: int = 0
    rest: bytes = b""
    has_summary: bool = False

    @property
    def title(self) -> str:
        return self.name.replace("@", " ")


@dataclass
class Build:
    """One build: what has to run, what runs, and what is done."""

    graph: Graph
    needed: set[str]
    lanes: int
    mib: Callable[[str], int] = lambda name: 0
    """About how much memory a stage needs, once those that it needs have run."""
    free: int = field(default_factory=free_mib)
    done: set[str] = field(default_factory=set)
    summaries: int = 0
    """How many stages have said that they are done; a stage says so shortly before it ends."""
    failed: list[str] = field(default_factory=list)
    running: dict[int, _Running] = field(default_factory=dict)
    """By the number of their pipe."""

    def run(self) -> None:
        """Start stages as soon as what they need is there, the most urgent first."""
        began = time.monotonic()
        urgencies = urgency(self.graph, self.needed)
        waiting = sorted(self.needed, key=lambda name: (-urgencies[name], name))
        try:
            with selectors.DefaultSelector() as selector:
                while self.running or (waiting and not self.failed):
                    for name in self._startable(waiting):
                        waiting.remove(name)
                        selector.register(self._start(name), selectors.EVENT_READ)
                    for key, _ in selector.select(timeout=1):
                        stage = self.running[int(key.fd)]
                        if not self._hear(stage):
                            selector.unregister(stage.pipe)
                            self._finish(stage)
                    self._show(time.monotonic() - began)
        except KeyboardInterrupt:  # which the stages have got too
            for stage in self.running.values():
                os.waitpid(stage.pid, 0)
            raise
        finally:
            self._clear()
        if self.failed:
            left = len(self.needed) - len(self.done) - len(self.failed)
            raise InputError(
                f"{' and '.join(self.failed)} failed, as said above, and {left} stages are left: "
                "set it right and run make run again."
            )
        say(f"built {len(self.done)} stages in {_spoken(time.monotonic() - began)}")

    def _startable(self, waiting: Sequence[str]) -> list[str]:
        """The stages to start now: the most urgent ones, but rather not one stage twice.

        The first language of a new project compiles the kernels of a stage. If the other languages
        run that stage later, they find them compiled; at the same time, all would compile them.
        """
        if self.failed:
            return []
        missing = self.needed - self.done
        ready = [name for name in waiting if missing.isdisjoint(self.graph[name])]
        running = [_kind(stage.name) for stage in self.running.values()]
        free = self.free - sum(stage.mib for stage in self.running.values())
        names: list[str] = []
        while ready and len(running) < self.lanes:
            name = next((name for name in ready if _kind(name) not in running), ready[0])
            ready.remove(name)
            mib = self.mib(name)
            if running and mib > free:
                continue  # when others have ended; alone, a stage checks its memory itself
            free -= mib
            running.append(_kind(name))
            names.append(name)
        return names

    def _start(self, name: str) -> int:
        """Start a stage, and return the end of its pipe."""
        reads, writes = os.pipe()
        sys.stdout.flush()
        sys.stderr.flush()
        pid = os.fork()
        if not pid:
            os.close(reads)
            _reproduce(name, writes)
        os.close(writes)
        self.running[reads] = _Running(name, pid, reads, time.monotonic(), self.mib(name))
        return reads

    def _hear(self, stage: _Running) -> bool:
        """Print the lines that a stage has said; False when it has ended."""
        said = os.read(stage.pipe, 1 << 16)
        *lines, stage.rest = (stage.rest + said).split(b"\n")
        if not said and stage.rest:
            lines.append(stage.rest)
        for line in lines:
            text = line.decode(errors="replace").rstrip()
            if text and not _CHATTER.match(text):
                self._clear()
                # A stage ends with its summary, which is counted as one more that is done. What
                # it says before must not begin like that: "blend of en: …", not "blend en: …".
                is_summary = text.startswith(f"{stage.title}: ")
                stage.has_summary |= is_summary
                say(f"{self._next_place()} {text}" if is_summary else text)
        return bool(said)

    def _finish(self, stage: _Running) -> None:
        _, status = os.waitpid(stage.pid, 0)
        os.close(stage.pipe)
        del self.running[stage.pipe]
        if os.waitstatus_to_exitcode(status):
            self.failed.append(stage.title)
            return
        self.done.add(stage.name)
        if not stage.has_summary:
            self._clear()
            say(f"{self._next_place()} {stage.title}: nothing to do")

    def _next_place(self) -> str:
        """The place of the next summary among all."""
        self.summaries += 1
        return f"[{self.summaries:2}/{len(self.needed)}]"

    def _show(self, seconds: float) -> None:
        """Say what is running, in the last line of a terminal."""
        if not sys.stderr.isatty() or not self.running:
            return
        now = time.monotonic()
        names = ", ".join(
            f"{stage.title} ({_spoken(now - stage.began)})" for stage in self.running.values()
        )
        left = len(self.needed) - len(self.done)
        status = f"{_spoken(seconds)}, {left} of {len(self.needed)} stages left; running: {names}"
        width = os.get_terminal_size(2).columns - 1
        sys.stderr.write(f"\r\x1b[K{status[:width]}")
        sys.stderr.flush()

    def _clear(self) -> None:
        if sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")


def _reproduce(name: str, output: int) -> NoReturn:
    """Let DVC run one stage, in a process of its own; what is said goes through the pipe."""
    code = 1
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        os.dup2(output, 1)
        os.dup2(output, 2)
        from dvc import dvcfile
        from dvc.cli import main

        dvcfile.modify_yaml = modify_lock
        code = main(["--wait-for-lock", "repro", "--quiet", "--single-item", name]) or 0
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(min(code, 255))


@contextmanager
def modify_lock(path: str, fs: Any = None) -> Iterator[dict[str, Any]]:
    """The content of `dvc.lock`, which is written again at the end of the block.

    DVC would read it with a parser that keeps comments, for every stage. That takes most of DVC's
    time, and the file has no comments. The bytes that are written are the same.
    """
    from dvc.utils.serialize import dump_yaml, load_yaml

    exists = fs.exists(path) if fs else Path(path).exists()
    content: dict[str, Any] = load_yaml(path, fs=fs) if exists else {}
    yield content
    dump_yaml(path, content, fs=fs)


def _kind(name: str) -> str:
    """The name of a stage without its language."""
    return name.partition("@")[0]


def _spoken(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes} min {rest} s" if minutes else f"{rest} s"
