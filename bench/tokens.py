"""Where the tokens stage spends its time: the share of each step of a task, on one core.

    python -m bench.tokens [--corpora ../shared/mirror/corpora]

Each step is run alone on what the step before it has made, and timed by processor time. Cleaning is
timed within reading: of wiki markup, and of what other programs left in the text. The last lines
are the whole task, which does the same steps document by document, and what two such cores
would make per second. English is read from a WikiExtractor file and from a dump made of it, whose
pages have to be taken out of XML and cleaned of markup.
"""

from __future__ import annotations

import argparse
import bz2
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from types import ModuleType
from typing import NamedTuple, TypeVar
from unittest.mock import patch

from bench.dump import streams, write_dump
from bench.readers import STAGE, corpora_option
from pipeline import read as readers
from pipeline.engine import InProcessEngine
from pipeline.languages.tokenizer import tokenizer
from pipeline.settings import Format, Source
from pipeline.words import token_shards, tokens, type_counts

Result = TypeVar("Result")


class Steps(NamedTuple):
    """Seconds of processor time of each step of one unit."""

    decompressing: float
    reading: float
    cleaning: float
    words: float
    writing: float
    types: float
    whole: float
    tokens: int


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    """The result of some work and its processor time."""
    began = time.process_time()
    return work(), time.process_time() - began


@contextmanager
def seconds_within(*functions: tuple[ModuleType, str]) -> Iterator[list[float]]:
    """The processor time of all calls of some functions during the block."""
    spent: list[float] = []
    is_inside = False  # one of the functions may call another

    def watched(function: Callable[..., Result]) -> Callable[..., Result]:
        def call(*arguments: object) -> Result:
            nonlocal is_inside
            if is_inside:
                return function(*arguments)
            is_inside = True
            result, seconds = timed(lambda: function(*arguments))
            is_inside = False
            spent.append(seconds)
            return result

        return call

    with ExitStack() as stack:
        for module, name in functions:
            replacement = watched(getattr(module, name))
            stack.enter_context(patch.object(module, name, replacement))
        yield spent


def steps(path: Path, format: Format, folder: Path) -> Steps:
    """Time the steps of the first unit of a file."""
    source = Source(name="bench", location=str(path), format=format)
    unit = readers.plan([path], source, 1 << 40)[0]
    _, decompressing = timed(lambda: bz2.decompress(path.read_bytes()))
    with seconds_within(
        (readers.leftovers, "clean"), (readers.wikipedia.wikitext, "clean")
    ) as spent:
        documents, reading = timed(lambda: list(readers.read(unit, source, readers.Tally())))
    cleaning = sum(spent)
    split = tokenizer("en")

    def rows() -> list[token_shards.Row]:
        return list(tokens._rows(iter(documents), split, 1, tokens.Summary()))

    split.marked_lines(["a"])  # loads what the first lines need
    made, words = timed(rows)
    _, writing = timed(lambda: token_shards.write_shard(folder / "own" / "part-0.parquet", made))
    shard = folder / "whole" / "part-00000.parquet"
    tokenizer.cache_clear()
    task = tokens.TokenizeTask("en", source, unit, shard, 1)
    summary, whole = timed(lambda: tokens.tokenize(task))
    _, types = timed(lambda: type_counts.write_types(InProcessEngine(), [shard], folder / "types"))
    reading -= decompressing + cleaning
    return Steps(decompressing, reading, cleaning, words, writing, types, whole, summary.tokens)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    corpora_option(parser)
    given = parser.parse_args()
    files = sorted((given.corpora / STAGE).glob("*.bz2"))
    if not files:
        print(f"there are no files in {given.corpora / STAGE}: nothing to measure")
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dump = folder / "enwiki-pages-articles.xml.bz2"
        write_dump(dump, streams(files[0]))
        rows = {
            "WikiExtractor": steps(files[0], "wikiextractor", folder / "extracted"),
            "dump": steps(dump, "wikipedia", folder / "dump"),
        }
    print("| ns per token       |" + "".join(f" {name:>13} |" for name in rows))
    print("|--------------------|" + "--------------:|" * len(rows))
    titles = {
        "decompressing": "decompression",
        "reading": "lines, XML",
        "cleaning": "cleaning",
        "words": "words (ICU)",
        "writing": "writing",
        "types": "counting types",
        "whole": "the whole task",
    }
    for field, title in titles.items():
        cells = (1e9 * getattr(row, field) / row.tokens for row in rows.values())
        print(f"| {title:<18} |" + "".join(f" {cell:>13,.0f} |" for cell in cells))
    both = (2e-6 * row.tokens / (row.whole + row.types) for row in rows.values())
    print("| M tokens/s, 2 cores|" + "".join(f" {speed:>13.2f} |" for speed in both))
    return 0


if __name__ == "__main__":
    sys.exit(main())
