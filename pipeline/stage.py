"""What a stage is. `pipeline.stages` has the table of all stages.

A stage reads some places of a language and writes others (`pipeline.layout` says where they are).
Its module has all that is said of it: its section of `params.yaml`, `run`, `describe`, and at its
end `STAGE`.

Metrics describe the result: the same input gives the same metrics. What is true of this run only,
such as what was downloaded or taken from a cache, stands below the key `RUN`: it is written apart,
where no stage reads it, and so it makes no later stage run again.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.engine import Engine, InProcessEngine
from pipeline.layout import Layout
from pipeline.memory import PROCESS_MIB, Sizes, machine_mib
from pipeline.settings import LanguageSettings, Section, Settings
from pipeline.spark import open_engine
from wordkin.errors import InputError
from wordkin.files import note_if_empty, write_text
from wordkin.program import say

Metrics = dict[str, Any]

RUN = "run"
"""The key of what is true of one run and not of its result."""


@dataclass(frozen=True)
class Job:
    """What a stage gets: where things are, all settings, and an engine on demand."""

    stage: str
    layout: Layout
    settings: Settings
    verbose: bool = False

    @property
    def language(self) -> LanguageSettings:
        """The settings of the job's language."""
        return self.settings.of(self.layout.language)

    @contextmanager
    def engine(self, is_small: bool = False) -> Iterator[Engine]:
        """The engine that the settings ask for, for the length of the block.

        Work that is so small that Spark would take longer to start than it saves is done in this
        process, unless Spark runs elsewhere. The bytes are the same.
        """
        if is_small and self.settings.spark.with_environment().is_local:
            yield InProcessEngine()
            return
        title = f"wordkin {self.stage} {self.layout.language}"
        with open_engine(title, self.settings.spark, self.verbose) as engine:
            yield engine


Estimate = Callable[[Sizes, Settings], float]
"""The bytes that a stage takes beyond a process without work."""


@dataclass(frozen=True)
class Stage:
    """One step of the pipeline.

    Attributes
    ----------
    name : str
        Its name on the command line and in `dvc.yaml`.
    work : function
        Does the work and returns its figures.
    describe : function
        Says in one line what went in, what came out and what was dropped.
    reads, writes : tuple of str
        Its inputs and outputs, as `Layout.place` knows them.
    figures : tuple of str
        The stages whose metrics it reads.
    section : type, optional
        Its own section of `params.yaml`.
    more_sections : function
        The sections of what it may make, which it looks at when it is asked.
    params : tuple of str
        Other settings that decide what it makes.
    memory : function
        About how much memory it needs: the sum of the large arrays that it holds at once.
    advice : str
        What makes it need less.
    kept : tuple of str
        Outputs that stay when the stage runs again, and that DVC does not store: downloads.
    """

    name: str
    work: Callable[[Job], Metrics]
    describe: Callable[[Metrics], str]
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    figures: tuple[str, ...] = ()
    section: type[Section] | None = None
    more_sections: Callable[[], Sequence[type[Section]]] = tuple
    params: tuple[str, ...] = ()
    memory: Estimate = lambda sizes, settings: 0
    advice: str = "set vocabulary.size of the language to a lower number"
    kept: tuple[str, ...] = ()

    @property
    def settings(self) -> tuple[str, ...]:
        """All settings that decide what it makes."""
        return (*((self.section.KEY,) if self.section else ()), *self.params)

    def run(self, job: Job) -> Metrics:
        """Do the work, write the metrics, and say in one line what was done."""
        self._check_inputs(job.layout)
        needed = self.check_memory(job.layout, job.settings)
        began = time.perf_counter()
        what = f"{self.name} {job.layout.language}"
        say(f"{what} … (about {needed:,} MiB of memory)")
        metrics = self.work(job)
        seconds = time.perf_counter() - began
        figures = {key: value for key, value in metrics.items() if key != RUN}
        times = {"seconds": round(seconds, 1), "core_seconds": round(_core_seconds(), 1)}
        for name in self.kept:
            note_if_empty(job.layout.place(name))
        _write_json(job.layout.metrics(self.name), figures)
        _write_json(job.layout.run(self.name), {**times, **metrics.get(RUN, {})})
        say(f"{what}: {self.describe(metrics)}; {seconds:.1f} s")
        return metrics

    def needed_mib(self, layout: Layout, settings: Settings) -> int:
        """About how much memory the stage needs."""
        return PROCESS_MIB + int(self.memory(Sizes.of(layout, settings), settings) / 2**20)

    def check_memory(self, layout: Layout, settings: Settings) -> int:
        """Refuse to start with less memory than is needed; returns what is needed."""
        needed, there = self.needed_mib(layout, settings), machine_mib()
        if needed > there:
            raise InputError(
                f"The stage {self.name} of '{layout.language}' needs about {needed:,} MiB of "
                f"memory and there are {there:,}: {self.advice}, or use a machine (or container) "
                "with more."
            )
        return needed

    def _check_inputs(self, layout: Layout) -> None:
        for path in self.inputs(layout):
            if not path.exists():
                raise InputError(
                    f"The stage {self.name} needs {path}, which is not there: run dvc repro, which "
                    "runs all stages in order, or put it there."
                )

    def inputs(self, layout: Layout) -> list[Path]:
        """What the stage reads."""
        return [*map(layout.place, self.reads), *map(layout.metrics, self.figures)]


def _core_seconds() -> float:
    """The processor time of this process and of its children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _write_json(path: Path, value: Mapping[str, Any]) -> None:
    write_text(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")
