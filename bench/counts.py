"""How fast counting is: the whole stage on half of a corpus and on all of it, and the kernel alone.

    python -m bench.counts [--tokens corpora/en/tokens] [--vocabulary matrices/en/vocabulary]

Marginal speed is what the second half of the corpus adds: start-up and the writing of the matrix
cost the same for both and do not count. GloVe's `cooccur` is timed on the same tokens when a
program of that name is on the PATH.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil

from pipeline import counts, parts
from pipeline.fasttext import write_text
from pipeline.layout import Layout
from pipeline.settings import Counts, Spark
from pipeline.spark import spark_context


class Memory:
    """The most memory that this process and all below it had at once."""

    def __init__(self) -> None:
        self.most = 0
        self._stop = threading.Event()

    def watch(self) -> None:
        me = psutil.Process()
        while not self._stop.wait(0.2):
            held = 0
            for process in [me, *me.children(recursive=True)]:
                try:
                    held += process.memory_info().rss
                except psutil.NoSuchProcess:
                    continue
            self.most = max(self.most, held)


@contextmanager
def watched() -> Iterator[Memory]:
    """Watch the memory for the length of the block."""
    memory = Memory()
    thread = threading.Thread(target=memory.watch, daemon=True)
    thread.start()
    try:
        yield memory
    finally:
        memory._stop.set()
        thread.join()


def corpus_of(root: Path, tokens: Path, vocabulary: Path, share: float) -> Layout:
    """A layout with the first part of the token parts, linked."""
    layout = Layout(root, "xx")
    paths = parts.part_files(tokens)
    for path in paths[: round(len(paths) * share)]:
        place = layout.tokens / path.relative_to(tokens)
        place.parent.mkdir(parents=True, exist_ok=True)
        place.symlink_to(path.resolve())
    layout.matrices.mkdir(parents=True)
    layout.vocabulary.symlink_to(vocabulary.resolve())
    return layout


def stage(layout: Layout, master: str) -> tuple[int, float]:
    """Tokens and seconds of the whole stage, JVM start included."""
    began = time.perf_counter()
    with spark_context("wordkin bench", Spark(master=master)) as context:
        metrics = counts.run(layout, Counts(), 1024, context)
    return metrics["tokens"], time.perf_counter() - began


def kernel(layout: Layout) -> tuple[int, float]:
    """Tokens and seconds of reading, mapping and counting in this process alone."""
    settings = Counts()
    coder = counts.Coder(layout.vocabulary, settings)
    weights, _ = counts.weights_of(settings.window, settings.weighting)
    table = counts.Table(len(coder.words), weights, 1024)
    tokens = 0
    began = time.perf_counter()
    for path in parts.part_files(layout.tokens):
        for batch in parts.batches(path):
            table.add(coder.codes(batch), coder.bounds(batch))
            tokens += len(batch.tokens)
    return tokens, time.perf_counter() - began


def cooccur(layout: Layout, folder: Path) -> tuple[int, float] | None:
    """Tokens and seconds of GloVe's program on the same tokens, where there is one."""
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
        options = ["-window-size", "10", "-memory", "4", "-vocab-file", str(vocabulary)]
        overflow = ["-overflow-file", str(folder / "overflow")]
        subprocess.run([program, *options, *overflow], stdin=tokens, stdout=out, check=True)
    seconds = time.perf_counter() - began
    return sum(map(parts.count_tokens, parts.part_files(layout.tokens))), seconds


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tokens", type=Path, default=Path("corpora/en/tokens"))
    parser.add_argument("--vocabulary", type=Path, default=Path("matrices/en/vocabulary"))
    parser.add_argument("--master", default="local[2]")
    given = parser.parse_args()
    if not parts.part_files(given.tokens):
        parser.error(f"there are no tokens in {given.tokens}: run make run first")
    with tempfile.TemporaryDirectory() as folder:
        half = corpus_of(Path(folder) / "half", given.tokens, given.vocabulary, 0.5)
        whole = corpus_of(Path(folder) / "whole", given.tokens, given.vocabulary, 1.0)
        stage(half, given.master)  # compiles the kernels and warms the files
        some, some_seconds = stage(half, given.master)
        with watched() as memory:
            all_tokens, all_seconds = stage(whole, given.master)
        alone, alone_seconds = kernel(whole)
        glove = cooccur(whole, Path(folder))
    marginal = (all_tokens - some) / max(all_seconds - some_seconds, 1e-9)
    rows = [
        ("tokens", f"{all_tokens:,}"),
        ("whole stage, JVM included", f"{all_seconds:.1f} s"),
        ("half of it", f"{some_seconds:.1f} s"),
        ("marginal", f"{marginal / 1e6:.1f} M tokens/s"),
        ("kernel alone, one core", f"{alone / alone_seconds / 1e6:.1f} M tokens/s"),
        ("peak memory, all processes", f"{memory.most / 2**20:,.0f} MiB"),
    ]
    if glove:
        speed = glove[0] / glove[1]
        rows += [
            ("cooccur, one core", f"{speed / 1e6:.1f} M tokens/s"),
            ("marginal / cooccur", f"{marginal / speed:.1f}"),
        ]
    print(f"counts on {given.tokens}, {given.master}")
    for name, value in rows:
        print(f"  {name:28} {value:>20}")


if __name__ == "__main__":
    main()
