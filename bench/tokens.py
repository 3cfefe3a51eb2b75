"""Where the tokens stage spends its time: the share of each step of a task, on one core.

    python -m bench.tokens [--corpora ../shared/mirror/corpora]

Each step is run alone on what the step before it has made, and timed by processor time. The last
lines are the whole task, which does the same steps document by document, and what two such cores
would make per second. English is read from a WikiExtractor file and from a dump made of it, whose
pages have to be taken out of XML and cleaned of markup.
"""

from __future__ import annotations

import argparse
import bz2
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar
from xml.sax.saxutils import escape

from pipeline import read as readers
from pipeline.declarations import Format, Source
from pipeline.engine import InProcessEngine
from pipeline.languages import language
from pipeline.languages.tokenizer import tokenizer
from pipeline.words import tokens, type_counts

Result = TypeVar("Result")

CORPORA = Path("../shared/mirror/corpora")
WIKIPEDIA = "en/enwiki-2015-extracted"
"""The folder of WikiExtractor files below a folder of corpora."""

PAGES_PER_STREAM = 100
HEAD = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="en">\n'


def documents(file: Path, format: Format) -> list[readers.Document]:
    """All documents of a file."""
    source = Source(name="bench", location=str(file), format=format)
    units = readers.plan([file], source)
    return [document for unit in units for document in readers.read(unit, source, readers.Tally())]


def write_dump(path: Path, articles: list[readers.Document]) -> None:
    """Write articles as a multistream dump, as Wikimedia does."""
    pages = [
        f"  <page><title>{escape(article.title)}</title><ns>0</ns><id>{article.id}</id>"
        f"<revision><model>wikitext</model><text>{escape(article.text)}</text></revision></page>\n"
        for article in articles
    ]
    streams = (
        "".join(pages[first : first + PAGES_PER_STREAM])
        for first in range(0, len(pages), PAGES_PER_STREAM)
    )
    parts = [HEAD, *streams, "</mediawiki>\n"]
    path.write_bytes(b"".join(bz2.compress(part.encode()) for part in parts))


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    """The result of some work and its processor time."""
    began = time.process_time()
    return work(), time.process_time() - began


def steps(path: Path, format: Format, folder: Path) -> dict[str, float]:
    """Nanoseconds of processor time per token of each step, and the speed of two cores."""
    source = Source(name="bench", location=str(path), format=format)
    unit = readers.plan([path], source, 1 << 40)[0]
    _, decompressing = timed(lambda: bz2.decompress(path.read_bytes()))
    read, reading = timed(lambda: list(readers.read(unit, source, readers.Tally())))
    words_of = language("en").words
    words_of("a")  # loads what the first document needs
    _, splitting = timed(lambda: [words_of(document.text) for document in read])
    shard = folder / "part-00000.parquet"
    tokenizer.cache_clear()
    task = tokens.TokenizeTask("en", source, unit, shard, 1)
    summary, whole = timed(lambda: tokens.tokenize(task))
    _, types = timed(lambda: type_counts.write_types(InProcessEngine(), [shard], folder / "types"))
    per_token = {
        "decompression": decompressing,
        "reading and cleaning": reading - decompressing,
        "words (ICU)": splitting,
        "the whole task": whole,
        "counting types": types,
    }
    figures = {name: 1e9 * seconds / summary.tokens for name, seconds in per_token.items()}
    return {**figures, "M tokens/s, 2 cores": 2e-6 * summary.tokens / (whole + types)}


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--corpora", type=Path, default=CORPORA, help="a folder of raw corpora")
    given = parser.parse_args()
    files = sorted((given.corpora / WIKIPEDIA).glob("*.bz2"))
    if not files:
        print(f"there are no files in {given.corpora / WIKIPEDIA}: nothing to measure")
        return 0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dump = folder / "enwiki-pages-articles.xml.bz2"
        write_dump(dump, documents(files[0], "wikiextractor"))
        columns = {
            "WikiExtractor": steps(files[0], "wikiextractor", folder / "extracted"),
            "dump": steps(dump, "wikipedia", folder / "dump"),
        }
    print("| ns per token         |" + "".join(f" {name:>13} |" for name in columns))
    print("|----------------------|" + "--------------:|" * len(columns))
    for step in columns["dump"]:
        cells = (column[step] for column in columns.values())
        print(f"| {step:<20} |" + "".join(f" {cell:>13,.3g} |" for cell in cells))
    return 0


if __name__ == "__main__":
    sys.exit(main())
