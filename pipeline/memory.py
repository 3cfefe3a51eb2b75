"""The sizes that the memory of stages depends on, and how much memory this machine has.

Each stage estimates its own memory, from sizes that cost nothing to read: the metrics of earlier
stages, or the settings where these have not run. What a stage maps from files counts in full, since
it is slow where it does not fit. research/speed.md has measured figures.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil

from pipeline.layout import Layout
from pipeline.settings import IN_PROCESS, Settings, TopK

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


def machine_mib(root: Path = Path("/")) -> int:
    """The memory of this machine, or of the container that we are in; `root` is for tests."""
    limits = [psutil.virtual_memory().total, *_container_limits(root)]
    return min(limits) >> 20


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
