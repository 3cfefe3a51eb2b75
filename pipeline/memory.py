"""How much memory each stage needs, about, and how much this machine has.

The estimates are sums of the large arrays that a stage holds at once, from sizes that cost nothing
to read: the metrics of earlier stages, or the settings where these have not run. What a stage maps
from files counts in full, since it is slow where it does not fit. research/speed.md has
measured figures.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from pipeline.engine import SMALL_TOKENS
from pipeline.layout import Layout
from pipeline.settings import IN_PROCESS, Settings, TopK
from wordkin.errors import InputError

PROCESS_MIB = 250
"""A process with Python, numpy, Arrow and numba."""

JVM_MIB = 450
"""The JVM of Spark's driver, which only passes work on."""

CHUNK_ROWS = 1024
"""Dense rows that stages work on at once."""

Bytes = float


@dataclass(frozen=True)
class Sizes:
    """The sizes that the memory of stages depends on.

    Attributes
    ----------
    tokens, types : int
        Those of the corpus, before words become lemmas; 0 before it is read.
    words : int
        The words of the vocabulary.
    counted : int
        The pairs of words that occur together.
    related : int
        The pairs with a positive npmi.
    by_lemma : bool
        Whether words are counted by their lemmas.
    cores : int
        How many tasks run at once on this machine; 0 if they run elsewhere.
    in_process : bool
        Whether tasks run in the stage's own process.
    """

    tokens: int
    types: int
    words: int
    counted: int
    related: int
    by_lemma: bool
    cores: int
    in_process: bool

    @classmethod
    def of(cls, layout: Layout, settings: Settings) -> Sizes:
        """The sizes of a language, as far as its stages have run."""

        def figure(stage: str, name: str, otherwise: int) -> int:
            value = _metrics(layout.metrics(stage)).get(name)
            return value if isinstance(value, int) else otherwise

        tokens = figure("tokens", "tokens", 0)
        words = figure("vocabulary", "words", settings.of(layout.language).vocabulary.size)
        counted = figure("counts", "pairs", 0)
        master = settings.spark.with_environment().master
        return cls(
            tokens=tokens,
            types=figure("tokens", "types", 0),
            words=words,
            counted=counted,
            related=figure("npmi", "pairs", counted),
            by_lemma=settings.of(layout.language).lemmatize,
            cores=_local_cores(master),
            in_process=master == IN_PROCESS,
        )

    def tasks(self, each: Bytes) -> Bytes:
        """Tasks that take `each` beyond their process, and what runs them."""
        if self.in_process:
            return each
        return (JVM_MIB + self.cores * PROCESS_MIB) * 2.0**20 + self.cores * each

    @property
    def npmi(self) -> Bytes:
        """The matrix in both triangles, four bytes for a word and four for a value."""
        return 16.0 * self.related

    @property
    def chunk(self) -> Bytes:
        """Dense rows."""
        return 4.0 * CHUNK_ROWS * self.words

    def closest(self, top: TopK) -> Bytes:
        """The closest words of each word: picked, joined, transposed and united."""
        k = self.words if top == "all" else min(top, self.words)
        return 8.0 * self.words * k * (2 if top == "all" else 6)


def _metrics(path: Path) -> dict[str, Any]:
    try:
        figures = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return figures if isinstance(figures, dict) else {}


def _local_cores(master: str) -> int:
    """The tasks that a local master runs at once; 0 for one elsewhere."""
    if not master.startswith("local"):
        return 0
    number = master.partition("[")[2].partition("]")[0].partition(",")[0]
    return int(number) if number.isdecimal() else (usable_cores() if number == "*" else 1)


def usable_cores() -> int:
    """The cores that this process may use."""
    has_affinity = hasattr(os, "sched_getaffinity")  # not everywhere
    return len(os.sched_getaffinity(0)) if has_affinity else os.cpu_count() or 1


Estimate = Callable[[Sizes, Settings], Bytes]

UNIT = 150 * 2.0**20
"""A row group of a shard while it is made."""


def _counts(sizes: Sizes, settings: Settings) -> Bytes:
    """The counters of all tasks, each with a dense triangle if that takes half of its memory."""
    most, triangle = settings.spark.task_memory_mib * 2.0**20, 2.0 * sizes.words**2
    counter = triangle if triangle <= most / 2 else most
    is_small = sizes.tokens < SMALL_TOKENS and sizes.cores > 0
    return counter if is_small else sizes.tasks(counter)


def _squared(sizes: Sizes, settings: Settings) -> Bytes:
    rows = min(4.0 * sizes.words**2, settings.squared.memory_mib * 2.0**20)
    whole = rows if settings.squared.top == "all" else 4 * sizes.chunk
    is_sparse = settings.squared.store == "sparse"
    return 2 * sizes.npmi + whole + (sizes.closest(settings.squared.top) if is_sparse else 0)


def _graph(sizes: Sizes, settings: Settings) -> Bytes:
    rows = min(4.0 * sizes.words**2, settings.graph.memory_mib * 2.0**20)
    is_sparse = settings.graph.store == "sparse"
    return 3 * sizes.npmi + rows + (sizes.closest(settings.graph.top) if is_sparse else 0)


def _fasttext(sizes: Sizes, settings: Settings) -> Bytes:
    trained = max(0.3 * sizes.types, sizes.words) + (
        settings.fasttext.buckets if any(settings.fasttext.subwords) else 0
    )
    read = min(sizes.tokens, settings.fasttext.tokens)
    return 16.0 * read + 8.0 * trained * settings.fasttext.dimensions + 200.0 * sizes.types


def _vectors(sizes: Sizes, settings: Settings) -> Bytes:
    made = len(settings.vectors.measures)
    return made and 40.0 * sizes.counted + 96.0 * sizes.words * settings.svd.dimensions


ESTIMATES: dict[str, Estimate] = {
    "fetch": lambda sizes, settings: 0,
    "tokens": lambda sizes, settings: sizes.tasks(UNIT),
    "vocabulary": lambda sizes, settings: (1300.0 if sizes.by_lemma else 400.0) * sizes.types,
    "counts": _counts,
    "npmi": lambda sizes, settings: 64.0 * sizes.counted + sizes.chunk,
    "squared": _squared,
    "graph": _graph,
    "svd": lambda sizes, settings: sizes.npmi + 96.0 * sizes.words * (settings.svd.dimensions + 60),
    "fasttext": _fasttext,
    "vectors": _vectors,
    "knowledge": lambda sizes, settings: 300 * 2.0**20 if settings.knowledge.measures else 0,
    "blend": lambda sizes, settings: 2 * sizes.chunk + 8.0 * sizes.words * 1000,
    "human": lambda sizes, settings: 2 * sizes.chunk,
    "compact": lambda sizes, settings: 3 * sizes.npmi + 16.0 * sizes.words * 1000,
    "report": lambda sizes, settings: (
        sizes.chunk
        + 64.0 * sizes.words * max(sizes.cores, 1)
        + usable_cores() * (PROCESS_MIB * 2.0**20 + sizes.chunk / 8)
    ),
    "publish": lambda sizes, settings: sizes.chunk / 4,
}
"""The bytes that each stage takes beyond a process without work."""


def needed_mib(stage: str, layout: Layout, settings: Settings) -> int:
    """About how much memory a stage needs."""
    return PROCESS_MIB + int(ESTIMATES[stage](Sizes.of(layout, settings), settings) / 2**20)


def check(stage: str, layout: Layout, settings: Settings) -> int:
    """Refuse a stage that needs more memory than there is; returns what it needs."""
    needed, there = needed_mib(stage, layout, settings), machine_mib()
    if needed > there:
        raise InputError(
            f"The stage {stage} of '{layout.language}' needs about {needed:,} MiB of memory and "
            f"there are {there:,}: {_advice(stage)}, or use a machine (or container) with more."
        )
    return needed


def _advice(stage: str) -> str:
    """What makes a stage need less."""
    by_stage = {
        "tokens": "set spark.master to local[1]",
        "counts": "set spark.task_memory_mib to a lower number",
        "squared": "set squared.top to a lower number",
        "graph": "set graph.top or graph.memory_mib to a lower number",
        "fasttext": "set fasttext.tokens or fasttext.dimensions to a lower number",
    }
    return by_stage.get(stage, "set vocabulary.size of the language to a lower number")


def machine_mib(root: Path = Path("/")) -> int:
    """The memory of this machine, or of the container that we are in; `root` is for tests."""
    limits = [psutil.virtual_memory().total, *_container_limits(root)]
    return min(limits) >> 20


def free_mib() -> int:
    """The memory that nothing else uses now."""
    return min(psutil.virtual_memory().available >> 20, machine_mib())


def _container_limits(root: Path) -> Iterator[int]:
    """The limits of our control group and all groups around it, of version 2 or 1."""
    groups = {""}
    listed = root / "proc/self/cgroup"
    for line in listed.read_text().splitlines() if listed.is_file() else ():
        _, controllers, path = line.split(":", 2)
        if controllers in ("", "memory"):
            steps = [step for step in path.split("/") if step and step != ".."]
            groups |= {"/".join(steps[:depth]) for depth in range(len(steps) + 1)}
    for group in sorted(groups):
        for name in (f"{group}/memory.max", f"memory/{group}/memory.limit_in_bytes"):
            file = root / "sys/fs/cgroup" / name.lstrip("/")
            if file.is_file() and (limit := file.read_text().strip()).isdecimal():
                yield int(limit)
