"""`python -m bench.detectors`: how often detectors recognise the language of real text.

    python -m bench.detectors [--corpora ../shared/mirror/corpora]

Pieces of 200 to 1,000 characters of dumps, extracts and subtitles in the mirror folder, by
py3langid, which `add` uses, and by eld if it is installed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from pathlib import Path

import py3langid

from bench.leftovers import CORPORA
from pipeline import read as readers
from pipeline.settings import Source
from wordkin.words import base

PIECE, LONGEST, MOST = 200, 1_000, 200


def pieces(files: list[Path]) -> Iterator[str]:
    """Pieces of text from the first documents of some files."""
    source = Source(name="x", location="x", format=readers.sniff(files[0]), tolerate=0.1)  # type: ignore[arg-type]
    for unit in readers.plan(files, source)[:1]:
        for document in readers.read(unit, source, readers.Tally()):
            text = " ".join(document.text.split())
            size = PIECE if source.format in ("srt", "opensubtitles") else LONGEST
            for at in range(0, min(len(text), 20 * size), size):
                if len(text) - at > PIECE // 4:
                    yield text[at : at + size]


def main() -> None:
    """Print the share of pieces that each detector gets right, and its speed."""
    parser = argparse.ArgumentParser(description=__doc__)
    folder = Path("../shared/mirror/corpora")
    parser.add_argument("--corpora", type=Path, default=folder, help="the folder of the corpora")
    given = parser.parse_args()
    detectors: dict[str, Callable[[str], str]] = {"py3langid": lambda t: py3langid.classify(t)[0]}
    if find_spec("eld"):
        eld = import_module("eld").LanguageDetector()
        detectors["eld"] = lambda text: eld.detect(text).language
    texts = [
        (base(code), piece)
        for code, pattern in CORPORA
        if (files := sorted(given.corpora.glob(pattern)))
        for piece in islice(pieces(files), MOST)
    ]
    for name, detect in detectors.items():
        began = time.process_time()
        right = sum(detect(piece) == code for code, piece in texts)
        seconds = time.process_time() - began
        print(f"{name}: {right:,} of {len(texts):,} pieces right, {len(texts) / seconds:,.0f}/s")


if __name__ == "__main__":
    main()
