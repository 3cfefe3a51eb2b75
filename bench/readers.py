"""How fast raw text becomes words: each reader compared with decompression alone, and the stage.

    python -m bench.readers [--corpora ../shared/mirror/corpora] [--master local[2]]

All speeds except the last one are on one core, in megabytes of decompressed text. The last line is
the tokens stage on half of a folder of WikiExtractor files and on all of it. The marginal speed is
that of the second half, without the start of Spark.
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TypeVar

from pipeline import read as readers
from pipeline.fetch import fetch
from pipeline.languages import language
from pipeline.layout import Layout
from pipeline.read import wikitext
from pipeline.read.documents import Span
from pipeline.read.wikipedia import parse_page, site_of
from pipeline.settings import LanguageSettings, LanguageVocabulary, Source, Spark, Tokens
from pipeline.spark import open_engine
from pipeline.words import tokens

Result = TypeVar("Result")

# The language and the files of one source, in the folder of corpora.
CASES = (
    ("en", "en/enwiki-2015-extracted/wiki_00.bz2"),
    ("de", "de/dewiki-extracted/*.bz2"),
    ("ko", "ko/kowiki-extracted/*.bz2"),
    ("zh", "zh/zhwiki-extracted/wiki_00.bz2"),
    ("en", "samples/wikipedia-xml/enwiki-latest-*.bz2"),
    ("hu", "hu/laws.lines.txt.bz2"),
    ("fi", "fi/OpenSubtitles.fi.txt.gz"),
    ("ja", "ja/subtitles-srt/*.srt"),
)
DUMPS = "samples/wikipedia-xml/*.bz2"
STAGE = "en/enwiki-2015-extracted"


def timed(work: Callable[[], Result]) -> tuple[Result, float]:
    """The result of the work, and its seconds: the better of two runs, because of other load."""
    seconds = []
    for _ in range(2):
        began = time.perf_counter()
        result = work()
        seconds.append(time.perf_counter() - began)
    return result, min(seconds)


def text_of(path: Path) -> bytes:
    """The decompressed file, by the standard library."""
    decompress = {".bz2": bz2.decompress, ".gz": gzip.decompress}.get(path.suffix, bytes)
    return decompress(path.read_bytes())


def documents(files: list[Path], source: Source) -> list[readers.Document]:
    """All documents, read in this process."""
    tally = readers.Tally()
    units = readers.plan(files, source)
    return [document for unit in units for document in readers.read(unit, source, tally)]


@dataclass(frozen=True)
class Speed:
    """A reader on some files: the megabytes of text, and the seconds of each step."""

    code: str
    format: str
    storage: str
    megabytes: float
    tokens: int
    decompress: float
    read: float
    split: float

    def row(self) -> str:
        """A line of the table."""
        both = self.read + self.split
        return (
            f"{self.code:3} {self.format:14}{self.storage:5}{self.megabytes:7.1f}"
            f"{self.megabytes / self.decompress:10.0f}{self.megabytes / self.read:10.0f}"
            f"{self.decompress / self.read:8.2f}{self.megabytes / both:12.1f}"
            f"{self.tokens / both / 1e6:12.2f}"
        )


HEADER = (
    f"{'':3} {'format':14}{'':5}{'MB':>7}{'bare MB/s':>10}{'read MB/s':>10}"
    f"{'share':>8}{'words MB/s':>12}{'M tokens/s':>12}"
)


def speed(code: str, files: list[Path]) -> Speed:
    """Time decompression alone, reading, and splitting into words."""
    source = Source(name="bench", location="", format=readers.sniff(files[0]))  # type: ignore[arg-type]
    texts, decompress = timed(lambda: [text_of(file) for file in files])
    read_documents, read = timed(partial(documents, files, source))
    words_of = language(code).words
    words_of(read_documents[0].text)  # loads the data of ICU
    began = time.perf_counter()  # only once: in a second run the words would be in the cache
    tokens = sum(len(words_of(document.text)) for document in read_documents)
    split = time.perf_counter() - began
    return Speed(
        code=code,
        format=str(source.format),
        storage=files[0].suffix if files[0].suffix in (".bz2", ".gz") else "",
        megabytes=sum(map(len, texts)) / 1e6,
        tokens=tokens,
        decompress=decompress,
        read=read,
        split=split,
    )


def cleaning(dumps: list[Path]) -> tuple[float, float]:
    """The megabytes of markup in several dumps, and the seconds to clean them."""
    size = seconds = 0.0
    for dump in dumps:
        site = site_of(Span(str(dump)))
        pages = text_of(dump).decode("utf-8", "replace").split("<page>")[1:]
        texts = [
            parse_page("<page>" + page.partition("</page>")[0] + "</page>", "").text
            for page in pages
        ]
        size += sum(len(text.encode()) for text in texts) / 1e6
        seconds += timed(partial(_clean_all, texts, site))[1]
    return size, seconds


def _clean_all(texts: list[str], site: wikitext.Site) -> int:
    return sum(len(wikitext.clean(text, site)) for text in texts)


def stage(files: list[Path], root: Path, master: str, format: str) -> tuple[int, float]:
    """The tokens and seconds of the whole stage on these files, including the start of Spark."""
    layout = Layout(root, "en")
    layout.raw.mkdir(parents=True)
    for file in files:
        (layout.raw / file.name).symlink_to(file.resolve())
    source = Source(name="bench", location="corpora/en/raw", format=format)  # type: ignore[arg-type]
    settings = LanguageSettings(
        lemmatize=False, vocabulary=LanguageVocabulary(size=2), sources=[source]
    )
    fetch.fetch_sources(layout, [source], None)
    began = time.perf_counter()
    with open_engine("wordkin bench", Spark(master=master)) as engine:
        metrics = tokens.make_tokens(layout, Tokens(), settings, engine)
    return metrics["tokens"], time.perf_counter() - began


def corpora_option(parser: argparse.ArgumentParser) -> None:
    """Add the options of the benchmarks that read raw text."""
    default = Path("../shared/mirror/corpora")
    parser.add_argument("--corpora", type=Path, default=default, help="a folder of raw corpora")
    parser.add_argument("--master", default="local[2]")


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    corpora_option(parser)
    given = parser.parse_args()
    if not given.corpora.is_dir():
        print(f"No corpora in {given.corpora}: there is nothing to read.")
        return 0
    print(HEADER)
    for code, pattern in CASES:
        if files := sorted(given.corpora.glob(pattern)):
            print(speed(code, files).row(), flush=True)
    size, seconds = cleaning(sorted(given.corpora.glob(DUMPS)))
    print(f"cleaning markup alone: {size:.1f} MB, {size / seconds:.1f} MB/s", flush=True)
    files = sorted((given.corpora / STAGE).glob("*.bz2"))
    with tempfile.TemporaryDirectory() as folder:
        half, half_seconds = stage(
            files[: len(files) // 2], Path(folder) / "half", given.master, "wikiextractor"
        )
        whole, seconds = stage(files, Path(folder) / "whole", given.master, "wikiextractor")
    marginal = (whole - half) / (seconds - half_seconds)
    print(
        f"stage, {given.master}, {len(files)} WikiExtractor .bz2: {whole:,} tokens in "
        f"{seconds:.1f} s, half of the files in {half_seconds:.1f} s, marginal "
        f"{marginal / 1e6:.2f} M tokens/s"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
