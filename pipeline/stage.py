"""What a stage is, and the one list of stages, in the order of the flow.

A stage reads some places of a language and writes others (`pipeline.layout` says where they are).
Its module, `pipeline.<room>.<name>`, has two functions:

    run(job) -> metrics        does the work and returns its figures
    describe(metrics) -> str   says in one line what went in, what came out and what was dropped

Metrics describe the result: the same input gives the same metrics. What is true of this run only,
such as what was downloaded or taken from a cache, stands below the key `RUN`: it is written apart,
where no stage reads it, and so it makes no later stage run again.

A new stage is such a module, one entry in `STAGES`, an estimate of its memory in `pipeline.memory`,
one section in `params.yaml` (and its class in `pipeline.settings`), and one stage in `dvc.yaml`.
Tests hold the five together.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol, cast

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from pipeline import memory
from pipeline.engine import Engine, InProcessEngine
from pipeline.layout import FAMILIES, INFORMED, SINGLE, Layout
from pipeline.settings import LanguageSettings, Settings
from pipeline.spark import open_engine
from wordkin.errors import InputError
from wordkin.files import write_text
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


class Module(Protocol):
    """What the module of a stage offers."""

    def run(self, job: Job) -> Metrics:
        """Do the stage's work and return its figures."""

    def describe(self, metrics: Metrics) -> str:
        """Say in one line what the stage did."""


@dataclass(frozen=True)
class Stage:
    """One step of the pipeline.

    Attributes
    ----------
    name : str
        Its name on the command line, in `params.yaml` and in `dvc.yaml`, and of its module.
    room : str
        The package of its module.
    reads, writes : tuple of str
        Its inputs and outputs, as `Layout.place` knows them.
    figures : tuple of str
        The stages whose metrics it reads.
    makes_measure : bool
        Whether what it writes is a measure, which can be evaluated, blended and published.
    makes_family : bool
        Whether it makes any number of measures, in folders below the one that it writes; see
        `pipeline.measures.family`.
    """

    name: str
    room: str
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    figures: tuple[str, ...] = ()
    makes_measure: bool = False
    makes_family: bool = False

    @property
    def module(self) -> Module:
        """The stage's module, imported when it is needed: a stage loads no other stage's code."""
        return cast(Module, import_module(f"pipeline.{self.room}.{self.name}"))

    def run(self, job: Job) -> Metrics:
        """Do the work, write the metrics, and say in one line what was done."""
        self._check_inputs(job.layout)
        needed = memory.check(self.name, job.layout, job.settings)
        began = time.perf_counter()
        what = f"{self.name} {job.layout.language}"
        say(f"{what} … (about {needed:,} MiB of memory)")
        metrics = self.module.run(job)
        seconds = time.perf_counter() - began
        figures = {key: value for key, value in metrics.items() if key != RUN}
        times = {"seconds": round(seconds, 1), "core_seconds": round(_core_seconds(), 1)}
        _write_json(job.layout.metrics(self.name), figures)
        _write_json(job.layout.run(self.name), {**times, **metrics.get(RUN, {})})
        say(f"{what}: {self.module.describe(metrics)}; {seconds:.1f} s")
        return metrics

    def _check_inputs(self, layout: Layout) -> None:
        for path, maker in self.inputs(layout):
            if not path.exists():
                origin = f"run the stage {maker} first" if maker else "put it there"
                raise InputError(
                    f"The stage {self.name} needs {path}, which is not there: {origin} "
                    f"(dvc repro runs all stages in order)."
                )

    def inputs(self, layout: Layout) -> Iterator[tuple[Path, str | None]]:
        """Each input with the stage that makes it; None for what a person provides."""
        for name in self.reads:
            maker = next((stage.name for stage in STAGES if name in stage.writes), None)
            yield layout.place(name), maker
        for name in self.figures:
            yield layout.metrics(name), name


def _core_seconds() -> float:
    """The processor time of this process and of its children that have ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def _write_json(path: Path, value: Mapping[str, Any]) -> None:
    write_text(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


_SINGLE = (*SINGLE, *FAMILIES)
"""Where the measures are that a blend can be made of."""
_MEASURES = (*_SINGLE, "blend", INFORMED)

STAGES = (
    Stage(
        "fetch",
        "fetch",
        reads=("raw", "gold_sets"),
        writes=(
            "fetched", "sources", "resource_downloads", "resources", "boards", "gold", "rounds",
        ),
    ),
    Stage("tokens", "words", reads=("raw", "fetched", "sources"), writes=("tokens", "types")),
    Stage(
        "vocabulary",
        "words",
        reads=("raw", "boards", "gold", "resource_downloads", "resources", "tokens", "types"),
        writes=("vocabulary",),
    ),
    Stage("counts", "count", reads=("tokens", "types", "vocabulary"), writes=("counts",)),
    Stage("npmi", "measures", reads=("counts",), writes=("npmi",), makes_measure=True),
    Stage("squared", "measures", reads=("npmi",), writes=("squared",), makes_measure=True),
    Stage("graph", "measures", reads=("npmi",), writes=("graph",), makes_measure=True),
    Stage("svd", "measures", reads=("npmi",), writes=("svd",), makes_measure=True),
    Stage(
        "fasttext",
        "measures",
        reads=("tokens", "vocabulary"),
        writes=("fasttext",),
        makes_measure=True,
    ),
    Stage(
        "vectors",
        "extras",
        reads=(
            "resource_downloads", "resources", "tokens", "vocabulary", "counts", "svd", "fasttext",
        ),
        writes=("vectors",),
        makes_family=True,
    ),
    Stage(
        "knowledge",
        "extras",
        reads=("resource_downloads", "resources", "vocabulary"),
        writes=("knowledge",),
        makes_family=True,
    ),
    Stage(
        "blend",
        "measures",
        reads=("vocabulary", *_SINGLE),
        writes=("blend", INFORMED),
        makes_measure=True,
    ),
    Stage(
        "human",
        "judge",
        reads=("rounds", "vocabulary", *_MEASURES),
        writes=("human",),
        makes_measure=True,
    ),
    Stage(
        "compact",
        "measures",
        reads=("vocabulary", *_MEASURES, "human"),
        writes=("compact", "light"),
    ),
    Stage(
        "agents",
        "judge",
        reads=("boards", "rounds", "vocabulary", *_MEASURES, "human"),
        writes=("agents",),
        figures=("human",),
    ),
    Stage("curve", "judge", reads=("gold", "tokens", "vocabulary"), writes=()),
    Stage(
        "evaluate",
        "judge",
        reads=(
            "sources", "gold", "published", "rounds", "agents", "vocabulary", *_MEASURES, "human",
            "compact", "light",
        ),
        writes=("report", "report_text", "correlations", "plots"),
        figures=(
            "fetch", "tokens", "vocabulary", "counts", *_SINGLE, "blend", "human", "compact",
            "agents", "curve",
        ),
    ),
    Stage(
        "publish",
        "publish",
        reads=("sources", "vocabulary", *_MEASURES, "human", "compact", "light"),
        writes=("bundle",),
        figures=("tokens", "human", "evaluate"),
    ),
)  # fmt: skip
"""All stages; a stage reads only what a person provides or a stage before it writes."""


def stage_named(name: str) -> Stage:
    """The stage called `name`."""
    return next(stage for stage in STAGES if stage.name == name)


def measure_names() -> list[str]:
    """The measures that stages of their own make; settings name those of families."""
    return [stage.name for stage in STAGES if stage.makes_measure]


def sections_of_matrices() -> list[str]:
    """The sections of `params.yaml` that decide what is in the matrices."""
    rooms = ("words", "count", "measures")
    return [
        stage.name
        for stage in STAGES
        if stage.room in rooms or stage.makes_measure or stage.makes_family
    ]


def check_definitions(path: Path) -> None:
    """Refuse a `dvc.yaml` whose stages are not those of `STAGES`."""
    try:
        defined = set(YAML(typ="safe", pure=True).load(path.read_text(encoding="utf-8"))["stages"])
    except (OSError, YAMLError, KeyError, TypeError) as error:
        raise InputError(f"{path} does not define the stages: restore it.") from error
    known = {stage.name for stage in STAGES}
    for name in sorted(known ^ defined):
        where = "dvc.yaml" if name in known else "pipeline/stage.py"
        raise InputError(f"The stage {name} is missing in {where}: add it there, or remove it.")
