"""Whether a dump may have any size: a large one is made, and a quarter, half and all of it read.

    python -m bench.dump [--corpora ../shared/mirror/corpora] [--master local[2]]

The articles of a folder of WikiExtractor files become pages of a multistream dump, with a hundred
pages per stream, as in the dumps of Wikimedia. Time should grow with the dump, and memory should
not grow.
"""

from __future__ import annotations

import argparse
import bz2
import sys
import tempfile
from multiprocessing import Pool
from pathlib import Path
from xml.sax.saxutils import escape

from bench.counts import watched
from bench.readers import STAGE, corpora_option, documents, stage
from pipeline.read import Document
from pipeline.settings import Source

PAGES_PER_STREAM = 100
SHARES = (0.25, 0.5, 1.0)
HEAD = '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/" xml:lang="en">\n'


def page(document: Document) -> str:
    """An article as a page of a dump."""
    return (
        f"  <page><title>{escape(document.title)}</title><ns>0</ns><id>{document.id}</id>"
        f"<revision><model>wikitext</model><text>{escape(document.text)}</text></revision></page>\n"
    )


def streams(file: Path) -> list[bytes]:
    """The articles of one WikiExtractor file as bzip2 streams of pages."""
    source = Source(name="bench", location="", format="wikiextractor")
    pages = [page(document) for document in documents([file], source)]
    return [
        bz2.compress("".join(pages[first : first + PAGES_PER_STREAM]).encode())
        for first in range(0, len(pages), PAGES_PER_STREAM)
    ]


def write_dump(path: Path, streams: list[bytes]) -> None:
    """Write a dump of these streams, between an opening and a closing stream."""
    closing = bz2.compress(b"</mediawiki>\n")
    path.write_bytes(b"".join((bz2.compress(HEAD.encode()), *streams, closing)))


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    corpora_option(parser)
    given = parser.parse_args()
    files = sorted((given.corpora / STAGE).glob("*.bz2"))
    if not files:
        print(f"No articles in {given.corpora / STAGE}: there is nothing to make a dump of.")
        return 0
    with tempfile.TemporaryDirectory() as folder:
        with Pool() as pool:
            all_streams = [stream for of_file in pool.map(streams, files) for stream in of_file]
        print(f"{'dump, MB':>10}{'tokens':>14}{'seconds':>10}{'marginal M/s':>14}{'peak MiB':>10}")
        before = (0, 0.0)
        for share in SHARES:
            path = Path(folder) / f"{share}.xml.bz2"
            write_dump(path, all_streams[: round(len(all_streams) * share)])
            with watched() as memory:
                tokens, seconds = stage(
                    [path], Path(folder) / str(share), given.master, "wikipedia"
                )
            marginal = (tokens - before[0]) / (seconds - before[1]) / 1e6
            print(
                f"{path.stat().st_size / 1e6:10.1f}{tokens:14,}{seconds:10.1f}"
                f"{marginal:14.2f}{memory.peak_bytes / 2**20:10,.0f}",
                flush=True,
            )
            before = tokens, seconds
    return 0


if __name__ == "__main__":
    sys.exit(main())
