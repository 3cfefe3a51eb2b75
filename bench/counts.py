"""How fast counting is: the whole stage on half of a corpus and on all of it, and the kernel alone.

    python -m bench.counts [--tokens corpora/en/tokens] [--vocabulary matrices/en/vocabulary]
                           [--window 10] [--weighting harmonic]

Marginal speed is the speed on the second half of the corpus: the start-up costs the same for half
and whole and cancels out. It is given by the clock and, since other work on the machine distorts
that, by processor time divided by the number of cores. Every run counts everything, except for one
that shows what remains to be done when the cache has all sources. The default window is the one for
which others report their speed; twice the window means twice the pairs.

GloVe's `cooccur`, whose weights are harmonic, is timed on the same tokens and window if a program
of that name is on the PATH. It runs on one core, so its marginal speed is compared with that of our
stage on one core, from the tokens to the finished matrix, by the clock.
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
import pyarrow as pa
import pyarrow.compute as pc

from pipeline.count import counts
from pipeline.count.codes import Coder, Counts
from pipeline.count.counter import WindowCounter
from pipeline.count.windows import weights_of
from pipeline.layout import Layout
from pipeline.settings import IN_PROCESS, Spark, Weighting
from pipeline.spark import open_engine
from pipeline.stage import RUN
from pipeline.words import token_shards

PAPER_TOKENS = 5_692_000_000
"""Whole English Wikipedia and OpenSubtitles, as the method paper counted them."""


class Watch:
    """The peak memory and the processor time of this process and all its children."""

    def __init__(self) -> None:
        self.peak_bytes = 0
        self.stop = threading.Event()
        self._before = self._look()
        self._last: dict[int, float] = {}

    def _look(self) -> dict[int, float]:
        """The processor seconds of each process so far; also updates the peak memory."""
        seconds, resident = {}, 0
        me = psutil.Process()
        for process in [me, *me.children(recursive=True)]:
            try:
                seconds[process.pid] = sum(process.cpu_times()[:2])
                resident += process.memory_info().rss
            except psutil.NoSuchProcess:
                continue
        self.peak_bytes = max(self.peak_bytes, resident)
        return seconds

    def watch(self) -> None:
        """Look ten times per second until `stop` is set."""
        while not self.stop.wait(0.1):
            self._last.update(self._look())
        self._last.update(self._look())

    @property
    def seconds(self) -> float:
        """Processor time of all cores together."""
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


def corpus_of(root: Path, tokens: Path, vocabulary: Path, fraction: float) -> Layout:
    """A layout with links to the first shards of a corpus."""
    layout = Layout(root, "xx")
    paths = [path for path in token_shards.shard_files(tokens) if isinstance(path, Path)]
    for path in paths[: round(len(paths) * fraction)]:
        place = layout.tokens / path.relative_to(tokens)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(path.resolve())
    if tokens.with_name("types").is_dir():  # which lemmas need
        layout.types.symlink_to(tokens.with_name("types").resolve())
    layout.matrices.mkdir(parents=True)
    layout.vocabulary.symlink_to(vocabulary.resolve())
    return layout


class Run(NamedTuple):
    """The metrics, time and memory of one run of the stage."""

    metrics: dict[str, Any]
    seconds: float
    core_seconds: float
    mib: float


def least(runs: Sequence[Run]) -> Run:
    """The least time and the most memory of several runs of the same work."""
    return Run(
        runs[0].metrics,
        min(run.seconds for run in runs),
        min(run.core_seconds for run in runs),
        max(run.mib for run in runs),
    )


def measured(count: Callable[[], dict[str, Any]]) -> Run:
    """Run `count`, and measure its time and memory."""
    began = time.perf_counter()
    with watched() as watch:
        metrics = count()
    seconds = time.perf_counter() - began
    return Run(metrics, seconds, watch.seconds, watch.peak_bytes / 2**20)


def without_cache(layout: Layout) -> Layout:
    """The same corpus after its cached counts are removed."""
    shutil.rmtree(layout.count_cache, ignore_errors=True)
    return layout


def stage(layout: Layout, arguments: argparse.Namespace) -> Run:
    """The whole stage in a new process: the starts of Python and the JVM are included."""

    def fresh() -> dict[str, Any]:
        with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as process:
            return process.submit(run_stage, layout, arguments).result()

    return measured(fresh)


def settings_of(arguments: argparse.Namespace) -> Counts:
    """The settings of the stage."""
    return Counts(window=arguments.window, weighting=arguments.weighting)


def run_stage(layout: Layout, arguments: argparse.Namespace) -> dict[str, Any]:
    """Do what `python -m pipeline counts` does."""
    with open_engine("wordkin bench", Spark(master=f"local[{arguments.cores}]")) as engine:
        return counts.make_counts(layout, settings_of(arguments), arguments.memory, engine)


def warm(layouts: Sequence[Layout], arguments: argparse.Namespace, master: str) -> list[Run]:
    """The time of each corpus on an engine that is running and warm; the corpora take turns."""
    runs: dict[Layout, list[Run]] = {layout: [] for layout in layouts}
    with open_engine("wordkin bench", Spark(master=master)) as engine:
        for turn in range(arguments.repeat + 1):
            for layout in layouts:
                fresh = without_cache(layout)
                count = partial(
                    counts.make_counts, fresh, settings_of(arguments), arguments.memory, engine
                )
                run = measured(count)
                if turn:  # the first turn warms up
                    runs[layout].append(run)
    return [least(runs[layout]) for layout in layouts]


def kernel(layout: Layout, settings: Counts, memory_mib: int) -> float:
    """Tokens per second of reading, mapping and counting, by the processor time of one core."""
    coder = Coder(layout.vocabulary, settings)
    weights, _ = weights_of(settings.window, settings.weighting)
    counter = WindowCounter.within(memory_mib, len(coder.words), weights)
    tokens = 0
    began = time.process_time()
    for number, path in enumerate(token_shards.shard_files(layout.tokens)):
        for batch in token_shards.batches(path):
            counter.add(batch.tokens, coder.type_codes(batch.types), coder.bounds(batch))
            tokens += len(batch.tokens)
        if number == 0:  # the first shard loads the kernels
            tokens, began = 0, time.process_time()
    return tokens / max(time.process_time() - began, 1e-9)


def cooccur(layout: Layout, window: int, folder: Path) -> float | None:
    """The seconds of GloVe's program on the same tokens; None if it is not installed."""
    program = shutil.which("cooccur")
    if program is None:
        return None
    text = folder / "tokens.txt"
    with text.open("wb") as file:
        for shard in token_shards.shard_files(layout.tokens):
            for batch in token_shards.batches(shard):
                words = batch.types.take(pa.array(batch.tokens))
                bounds = pa.array(batch.documents.astype("int32"))
                documents = pc.binary_join(pa.ListArray.from_arrays(bounds, words), " ")
                file.writelines(text.encode() + b"\n" for text in documents.to_pylist())
    rows = (layout.vocabulary / "vocabulary.tsv").read_text(encoding="utf-8").splitlines()[1:]
    vocabulary = folder / "vocab.txt"
    entries = (" ".join(row.split("\t")[:2]) for row in rows)
    vocabulary.write_text("\n".join(entries) + "\n", encoding="utf-8")
    began = time.perf_counter()
    with text.open("rb") as tokens, (folder / "cooccur.bin").open("wb") as out:
        options = ["-window-size", str(window), "-memory", "4", "-vocab-file", str(vocabulary)]
        overflow = ["-overflow-file", str(folder / "overflow")]
        subprocess.run([program, *options, *overflow], stdin=tokens, stdout=out, check=True)
    return time.perf_counter() - began


def main() -> None:
    """Print the table, and write it to the file of `--table`."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tokens", type=Path, default=Path("corpora/en/tokens"))
    parser.add_argument("--vocabulary", type=Path, default=Path("matrices/en/vocabulary"))
    parser.add_argument("--window", type=int, default=10)
    parser.add_argument("--weighting", default="harmonic", choices=get_args(Weighting))
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--memory", type=int, default=1024, help="MiB of a task's counter")
    parser.add_argument(
        "--repeat", type=int, default=3, help="number of runs; the best one is reported"
    )
    parser.add_argument("--table", type=Path, help="a file for the table, as Markdown")
    arguments = parser.parse_args()
    if not token_shards.shard_files(arguments.tokens):
        parser.error(f"there are no tokens in {arguments.tokens}: run make run first")
    with tempfile.TemporaryDirectory() as folder:
        half = corpus_of(Path(folder) / "half", arguments.tokens, arguments.vocabulary, 0.5)
        whole = corpus_of(Path(folder) / "whole", arguments.tokens, arguments.vocabulary, 1.0)
        whole_stage = least(
            [stage(without_cache(whole), arguments) for _ in range(arguments.repeat)]
        )
        known = stage(whole, arguments)
        on_spark = warm([half, whole], arguments, f"local[{arguments.cores}]")
        on_one_core = warm([half, whole], arguments, IN_PROCESS)
        alone = kernel(whole, settings_of(arguments), arguments.memory)
        glove = [cooccur(layout, arguments.window, Path(folder)) for layout in (half, whole)]
    rows = rows_of(arguments, whole_stage, known, on_spark, on_one_core, alone, glove)
    table = "\n".join(table_of(arguments, rows)) + "\n"
    print(table, end="")
    if arguments.table:
        arguments.table.write_text(table, encoding="utf-8")


def marginal(tokens: int, half: float, whole: float) -> float:
    """Tokens per second of the second half of a corpus, which has so many tokens."""
    return tokens / max(whole - half, 1e-9)


def rows_of(
    arguments: argparse.Namespace,
    stage: Run,
    known: Run,
    on_spark: Sequence[Run],
    on_one_core: Sequence[Run],
    alone: float,
    glove: Sequence[float | None],
) -> list[tuple[str, str]]:
    """The figures, with what they mean."""
    (half, whole), (slow_half, slow_whole) = on_spark, on_one_core
    tokens = whole.metrics["tokens"]
    more = tokens - half.metrics["tokens"]
    cores = arguments.cores
    by_clock = marginal(more, half.seconds, whole.seconds)
    by_processor = marginal(more, half.core_seconds, whole.core_seconds) * cores
    one_core = marginal(more, slow_half.seconds, slow_whole.seconds)
    hours = PAPER_TOKENS / by_processor / 3600
    rows = [
        ("tokens, words", f"{tokens:,}, {whole.metrics['words']:,}"),
        ("whole stage, JVM start included", f"{stage.seconds:.1f} s"),
        ("the same, processor time", f"{stage.core_seconds:.1f} s"),
        ("nothing to count, all cached", f"{known.seconds:.1f} s"),
        ("Spark running: half, whole", f"{half.seconds:.1f} s, {whole.seconds:.1f} s"),
        ("marginal, by the clock", f"{by_clock / 1e6:.1f} M tokens/s"),
        (f"marginal, by processor time of {cores} cores", f"{by_processor / 1e6:.1f} M tokens/s"),
        (
            f"{PAPER_TOKENS / 1e9:.1f} billion tokens at that rate",
            f"{60 * hours:.1f} min, {cores * hours:.2f} core hours",
        ),
        ("one core: half, whole", f"{slow_half.seconds:.1f} s, {slow_whole.seconds:.1f} s"),
        ("marginal on one core, by the clock", f"{one_core / 1e6:.1f} M tokens/s"),
        ("read, map, count: one core", f"{alone / 1e6:.1f} M tokens/s"),
        ("peak memory, all processes", f"{stage.mib:,.0f} MiB"),
        ("shuffled", f"{whole.metrics[RUN]['shuffled_bytes'] / 2**20:,.0f} MiB"),
        ("word pairs", f"{whole.metrics['pairs']:,}"),
    ]
    if glove[0] and glove[1]:
        theirs = marginal(more, glove[0], glove[1])
        rows += [
            ("cooccur, one core: half, whole", f"{glove[0]:.1f} s, {glove[1]:.1f} s"),
            ("cooccur, marginal", f"{theirs / 1e6:.2f} M tokens/s"),
            ("ours / cooccur, marginal, one core", f"{one_core / theirs:.1f}"),
            ("ours / cooccur, whole, one core", f"{glove[1] / slow_whole.seconds:.1f}"),
        ]
    return rows


def table_of(arguments: argparse.Namespace, rows: Sequence[tuple[str, str]]) -> list[str]:
    """The figures as a Markdown table."""
    load = ", ".join(f"{value:.1f}" for value in os.getloadavg())
    counted = f"{arguments.weighting} windows of {arguments.window}"
    head = f"{counted} on {arguments.cores} cores, {arguments.memory} MiB per task (load {load})"
    wide = max(len(name) for name, _ in [(head, ""), *rows])
    narrow = max(len(value) for _, value in rows)
    return [
        f"| {head:{wide}} | {'':{narrow}} |",
        f"|{'-' * (wide + 2)}|{'-' * (narrow + 1)}:|",
        *(f"| {name:{wide}} | {value:>{narrow}} |" for name, value in rows),
    ]


if __name__ == "__main__":
    main()
