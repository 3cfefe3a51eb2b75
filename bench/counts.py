"""How fast counting is: the whole stage on half of a corpus and on all of it, and the kernel alone.

    python -m bench.counts [--tokens corpora/en/tokens] [--vocabulary matrices/en/vocabulary]
                           [--window 10] [--weighting harmonic]

Marginal speed is what the second half of the corpus adds: start-up costs the same for both and
does not count. It is told by the clock and, since other work on a machine distorts that, by the
processor time that the second half takes, on as many cores. A run counts everything, but for one
that shows what is left to do when all sources are known. The window is the one that others give
their speed for; twice the window is twice the pairs. GloVe's `cooccur`, whose weights are harmonic,
is timed on the same tokens and window when a program of that name is on the PATH.
"""

from __future__ import annotations

import argparse
import multiprocessing
import os
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, get_args

import psutil

from pipeline.corpus import token_shards
from pipeline.counting import counts
from pipeline.counting.codes import Coder
from pipeline.counting.counter import WindowCounter
from pipeline.counting.weights import weights_of
from pipeline.layout import Layout
from pipeline.relatedness.fasttext import write_text
from pipeline.settings import Counts, Spark, Weighting
from pipeline.spark import open_engine

PAPER_TOKENS = 5_692_000_000
"""Whole English Wikipedia and OpenSubtitles, as the method paper counted them."""


class Watch:
    """What this process and all below it take: the most memory at once, and the time of cores."""

    def __init__(self) -> None:
        self.most = 0
        self.stop = threading.Event()
        self._before = self._look()
        self._last: dict[int, float] = {}

    def _look(self) -> dict[int, float]:
        """The processor seconds of each process; notes the memory."""
        seconds, held = {}, 0
        me = psutil.Process()
        for process in [me, *me.children(recursive=True)]:
            try:
                seconds[process.pid] = sum(process.cpu_times()[:2])
                held += process.memory_info().rss
            except psutil.NoSuchProcess:
                continue
        self.most = max(self.most, held)
        return seconds

    def watch(self) -> None:
        """Look now and then, until told to stop."""
        while not self.stop.wait(0.1):
            self._last.update(self._look())
        self._last.update(self._look())

    @property
    def seconds(self) -> float:
        """Of all cores together."""
        return sum(spent - self._before.get(pid, 0) for pid, spent in self._last.items())


@contextmanager
def watched() -> Iterator[Watch]:
    """Watch for the length of the block."""
    watch = Watch()
    thread = threading.Thread(target=watch.watch, daemon=True)
    thread.start()
    try:
        yield watch
    finally:
        watch.stop.set()
        thread.join()


def corpus_of(root: Path, tokens: Path, vocabulary: Path, share: float) -> Layout:
    """A layout with the first part of the token parts, linked."""
    layout = Layout(root, "xx")
    paths = token_shards.shard_files(tokens)
    for path in paths[: round(len(paths) * share)]:
        place = layout.tokens / path.relative_to(tokens)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(path.resolve())
    layout.matrices.mkdir(parents=True)
    layout.vocabulary.symlink_to(vocabulary.resolve())
    return layout


class Run(NamedTuple):
    """What one run of the stage took."""

    metrics: dict[str, Any]
    seconds: float
    core_seconds: float
    mib: float


def least(runs: Sequence[Run]) -> Run:
    """The least that some runs of the same took, and the most memory."""
    return Run(
        runs[0].metrics,
        min(run.seconds for run in runs),
        min(run.core_seconds for run in runs),
        max(run.mib for run in runs),
    )


def measured(count: Callable[[], dict[str, Any]]) -> Run:
    """Count, and tell what it took."""
    began = time.perf_counter()
    with watched() as watch:
        metrics = count()
    seconds = time.perf_counter() - began
    return Run(metrics, seconds, watch.seconds, watch.most / 2**20)


def forgotten(layout: Layout) -> Layout:
    """The corpus without what is known of it from before."""
    shutil.rmtree(layout.count_cache, ignore_errors=True)
    return layout


def stage(layout: Layout, given: argparse.Namespace) -> Run:
    """The whole stage in a process of its own: the starts of Python and the JVM are included."""

    def fresh() -> dict[str, Any]:
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
            return process.submit(run_stage, layout, given).result()

    return measured(fresh)


def settings_of(given: argparse.Namespace) -> Counts:
    """What is counted."""
    return Counts(window=given.window, weighting=given.weighting)


def run_stage(layout: Layout, given: argparse.Namespace) -> dict[str, Any]:
    """What `python -m pipeline counts` does."""
    with open_engine("wordkin bench", Spark(master=f"local[{given.cores}]")) as engine:
        return counts.make_counts(layout, settings_of(given), given.memory, engine)


def warm(layouts: Sequence[Layout], given: argparse.Namespace) -> list[Run]:
    """What each corpus takes of a Spark that is up and has counted before; by turns."""
    runs: dict[Layout, list[Run]] = {layout: [] for layout in layouts}
    with open_engine("wordkin bench", Spark(master=f"local[{given.cores}]")) as engine:
        for turn in range(given.repeat + 1):
            for layout in layouts:
                fresh = forgotten(layout)
                count = partial(counts.make_counts, fresh, settings_of(given), given.memory, engine)
                run = measured(count)
                if turn:  # the first turn warms up
                    runs[layout].append(run)
    return [least(runs[layout]) for layout in layouts]


def kernel(layout: Layout, settings: Counts, memory_mib: int) -> float:
    """Tokens a second of reading, mapping and counting, by the time of one core."""
    coder = Coder(layout.vocabulary, settings)
    weights, _ = weights_of(settings.window, settings.weighting)
    counter = WindowCounter.within(memory_mib, len(coder.words), weights)
    tokens = 0
    began = time.process_time()
    for number, path in enumerate(token_shards.shard_files(layout.tokens)):
        for batch in token_shards.batches(path):
            counter.add(coder.codes(batch), coder.bounds(batch))
            tokens += len(batch.tokens)
        if number == 0:  # that was to load the kernels
            tokens, began = 0, time.process_time()
    return tokens / max(time.process_time() - began, 1e-9)


def cooccur(layout: Layout, window: int, folder: Path) -> float | None:
    """Tokens a second of GloVe's program on the same tokens, where there is one."""
    program = shutil.which("cooccur")
    if program is None:
        return None
    text = folder / "tokens.txt"
    write_text(layout.tokens, text)
    words = (layout.vocabulary / "vocabulary.tsv").read_text(encoding="utf-8").splitlines()[1:]
    vocabulary = folder / "vocab.txt"
    lines = (" ".join(word.split("\t")[:2]) for word in words)
    vocabulary.write_text("\n".join(lines) + "\n", encoding="utf-8")
    began = time.perf_counter()
    with text.open("rb") as tokens, (folder / "cooccur.bin").open("wb") as out:
        options = ["-window-size", str(window), "-memory", "4", "-vocab-file", str(vocabulary)]
        overflow = ["-overflow-file", str(folder / "overflow")]
        subprocess.run([program, *options, *overflow], stdin=tokens, stdout=out, check=True)
    seconds = time.perf_counter() - began
    return sum(map(token_shards.count_tokens, token_shards.shard_files(layout.tokens))) / seconds


def main() -> None:
    """Print the table, and write it where asked to."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tokens", type=Path, default=Path("corpora/en/tokens"))
    parser.add_argument("--vocabulary", type=Path, default=Path("matrices/en/vocabulary"))
    parser.add_argument("--window", type=int, default=10)
    parser.add_argument("--weighting", default="harmonic", choices=get_args(Weighting))
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--memory", type=int, default=1024, help="MiB of a task's table")
    parser.add_argument("--repeat", type=int, default=3, help="runs, of which the best counts")
    parser.add_argument("--table", type=Path, help="a file for the table, as Markdown")
    given = parser.parse_args()
    if not token_shards.shard_files(given.tokens):
        parser.error(f"there are no tokens in {given.tokens}: run make run first")
    with tempfile.TemporaryDirectory() as folder:
        half = corpus_of(Path(folder) / "half", given.tokens, given.vocabulary, 0.5)
        whole = corpus_of(Path(folder) / "whole", given.tokens, given.vocabulary, 1.0)
        whole_stage = least([stage(forgotten(whole), given) for _ in range(given.repeat)])
        known = stage(whole, given)
        runs = warm([half, whole], given)
        alone = kernel(whole, settings_of(given), given.memory)
        glove = cooccur(whole, given.window, Path(folder))
    table = "\n".join(table_of(given, whole_stage, known, runs, alone, glove)) + "\n"
    print(table, end="")
    if given.table:
        given.table.write_text(table, encoding="utf-8")


def table_of(
    given: argparse.Namespace,
    stage: Run,
    known: Run,
    runs: Sequence[Run],
    alone: float,
    glove: float | None,
) -> list[str]:
    """The figures as a Markdown table."""
    half, whole = runs
    tokens = whole.metrics["tokens"]
    more = tokens - half.metrics["tokens"]
    marginal = more / max(whole.seconds - half.seconds, 1e-9)
    cores = given.cores
    unloaded = more / max(whole.core_seconds - half.core_seconds, 1e-9) * cores
    hours = PAPER_TOKENS / unloaded / 3600
    rows = [
        ("tokens, words", f"{tokens:,}, {whole.metrics['words']:,}"),
        ("whole stage, JVM start included", f"{stage.seconds:.1f} s"),
        ("the same, time of cores", f"{stage.core_seconds:.1f} s"),
        ("nothing to count, all known", f"{known.seconds:.1f} s"),
        ("Spark up: half, whole", f"{half.seconds:.1f} s, {whole.seconds:.1f} s"),
        ("marginal, by the clock", f"{marginal / 1e6:.1f} M tokens/s"),
        (f"marginal, by the time of {cores} cores", f"{unloaded / 1e6:.1f} M tokens/s"),
        (
            f"{PAPER_TOKENS / 1e9:.1f} billion tokens at that rate",
            f"{60 * hours:.1f} min, {cores * hours:.2f} core hours",
        ),
        ("read, map, count: one core", f"{alone / 1e6:.1f} M tokens/s"),
        ("most memory, all processes", f"{stage.mib:,.0f} MiB"),
        ("shuffled", f"{whole.metrics['shuffled_bytes'] / 2**20:,.0f} MiB"),
        ("word pairs", f"{whole.metrics['pairs']:,}"),
    ]
    if glove:
        rows += [
            ("cooccur, one core", f"{glove / 1e6:.1f} M tokens/s"),
            ("marginal / cooccur", f"{unloaded / glove:.1f}"),
        ]
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    counted = f"{given.weighting} windows of {given.window}"
    head = f"{counted} on {cores} cores, {given.memory} MiB a table (load {load})"
    wide = max(len(name) for name, _ in [(head, ""), *rows])
    narrow = max(len(value) for _, value in rows)
    return [
        f"| {head:{wide}} | {'':{narrow}} |",
        f"|{'-' * (wide + 2)}|{'-' * (narrow + 1)}:|",
        *(f"| {name:{wide}} | {value:>{narrow}} |" for name, value in rows),
    ]


if __name__ == "__main__":
    main()
