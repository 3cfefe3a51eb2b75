"""`python -m bench.analysers`: what an analyser changes in Korean and Japanese.

    python -m bench.analysers [--mirror ../shared/mirror]

How many distinct words there are, how many of a game's board words occur at least three times and
how often, and the speed: with ICU alone, and with the analysers that are installed.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from pipeline import read as readers
from pipeline.languages import Language, analysers
from pipeline.settings import Source

MOST = 600_000  # characters
CASES = (
    ("ko", "Korean", "corpora/ko/kowiki-extracted/wiki_01.bz2"),
    ("ja", "Japanese", "corpora/ja/subtitles-srt/*.srt"),
)


def texts(files: list[Path]) -> Iterator[str]:
    """The first documents of some files."""
    source = Source(name="x", location="x", format=readers.sniff(files[0]))  # type: ignore[arg-type]
    left = MOST
    for unit in readers.plan(files, source):
        for document in readers.read(unit, source, readers.Tally()):
            left -= len(document.text)
            yield document.text
            if left < 0:
                return


def main() -> None:
    """Print one line per language and way to find words."""
    parser = argparse.ArgumentParser(description=__doc__)
    folder = Path("../shared/mirror")
    parser.add_argument("--mirror", type=Path, default=folder, help="the mirror folder")
    given = parser.parse_args()
    lists = json.loads((given.mirror / "wordlists/boards_25_languages.json").read_text("utf-8"))
    print("| language | words by | tokens | types | board words | their tokens | tokens/s |")
    print("|---|---|--:|--:|--:|--:|--:|")
    for code, name, pattern in CASES:
        documents = list(texts(sorted(given.mirror.glob(pattern))))
        for setting in ("off", "on"):
            os.environ[analysers.OFF] = setting
            language = Language(code)
            if setting == "on" and language.analyser is None:
                continue
            counts: Counter[str] = Counter()
            began = time.process_time()
            for document in documents:
                counts.update(language.words(document))
            seconds = time.process_time() - began
            board = {language.normal(word) for word in lists[name]}
            known = sum(counts[word] >= 3 for word in board)
            print(
                f"| {code} | {language.analyser or 'ICU'} | {counts.total():,} | {len(counts):,} | "
                f"{known} of {len(board)} | {sum(counts[word] for word in board):,} | "
                f"{counts.total() / seconds:,.0f} |"
            )


if __name__ == "__main__":
    main()
