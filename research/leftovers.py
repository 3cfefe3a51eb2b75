"""Marks that are no words and that the readers leave in running text.

    python -m research.leftovers [--corpora FOLDER] [--show 3] [--documents 2000]

For each body of text in the mirror folder: how many leftovers per 10,000 tokens it has, by kind,
and how many marks the readers removed. The patterns below are deliberately broader than those of
`pipeline.read.leftovers`, which shares none of them: they also count what a reader should
leave alone, such as a company that is named like an address. The bar is 2 per 10,000 tokens.
"""

from __future__ import annotations

import argparse
import re
import sys
from collections import Counter
from pathlib import Path

from pipeline import read as readers
from pipeline.declarations import Source
from pipeline.languages import language
from wordkin.ranges import Whole

CORPORA = (
    ("en", "en/enwiki-2015-extracted/wiki_00.bz2"), ("de", "de/dewiki-extracted/wiki_00.bz2"),
    ("ko", "ko/kowiki-extracted/*.bz2"), ("zh", "zh/zhwiki-extracted/wiki_00.bz2"),
    ("en", "samples/wikipedia-xml/enwiki-latest-*"), ("en", "samples/wikipedia-xml/wikipedia_en*"),
    ("hu", "samples/wikipedia-xml/wikipedia_hu*"), ("zh", "samples/wikipedia-xml/wikipedia_zh*"),
    ("cs", "samples/wikipedia-xml/wikipedia_cs*"), ("it", "samples/wikipedia-xml/wikipedia_it*"),
    ("bn", "samples/wikipedia-xml/wikipedia_bn*"), ("vi", "samples/wikipedia-xml/viwiki*"),
    ("en", "en/OpenSubtitles*"), ("fi", "fi/OpenSubtitles*"), ("hu", "hu/OpenSubtitles*"),
    ("tr", "tr/OpenSubtitles*"), ("en", "en/subtitles-srt/*"), ("hu", "hu/subtitles-srt/*"),
    ("ja", "ja/subtitles-srt/*"), ("ar", "samples/*/*.ar*"), ("el", "samples/*/*.el*"),
    ("ru", "samples/opensubtitles-txt/*.ru*"), ("ru", "samples/subtitles-srt/*.rus.srt"),
    ("zh", "samples/opensubtitles-txt/*.zh*"), ("cs", "samples/subtitles-srt/*.cze.srt"),
    ("de", "samples/subtitles-srt/*.ger.srt"), ("he", "samples/subtitles-srt/*.heb.srt"),
    ("hi", "samples/subtitles-srt/*.hin.srt"), ("th", "samples/subtitles-srt/*.tha.srt"),
    ("hu", "hu/web.txt.gz"), ("hu", "hu/modern-free.txt.bz2"), ("hu", "hu/modern-checks.txt.bz2"),
    ("hu", "hu/nerkor.lines.txt.bz2"), ("hu", "hu/laws.lines.txt.bz2"),
)  # fmt: skip
"""The language and the files of each body of text, below the folder of corpora."""

LEFTOVERS = {
    "placeholders": r"(?:formula|codice)_?\d+",
    "tags": r"</?[A-Za-z][A-Za-z0-9]*(?:\s[^<>\n]*)?/?>|\b(?:class|style|align|href|src|colspan)=",
    "entities": r"&(?:#\w+|[A-Za-z]{2,8});",
    "wiki markup": r"\[\[|\]\]|\{\{|\}\}|\{\||\|\}|\|\||'''|__[A-Z]+__|-\{|\}-|\bthumb\||\d+px\b|"
    r"(?m:^\s*\|)|(?m:^={2,}[^=\n]+={2,})",
    "addresses": r"(?:https?|ftp)://|\b[Ww]{3}\.\w|[\w.]+@\w+\.\w+|"
    r"\b[A-Za-z0-9-]+\.(?:com|org|net|edu|gov|info|hu|de|fr|ru|pl|cz|uk|jp|cn|kr|tv)\b",
    "file names": r"\w\.(?:jpe?g|png|svg|gif|pdf|ogg|mp3|mp4|avi|html?|php|txt|exe|zip|doc|srt)\b",
    "book numbers": r"(?i:\bisbn\b|\bissn\b|\bdoi:)",
    "subtitle codes": r"\{\\\w+|\{[a-zA-Z]:|\\N\w?|-->|\d\d:\d\d:\d\d[,.]\d{3}|[♪♫]",
}
"""What counts as a leftover: a documented pattern per kind, over the text of documents."""

# Tokens that hardly ever are words of a text, to see what the patterns above miss.
SUSPICIOUS_TOKENS = frozenset(
    ("br", "nbsp", "thumb", "px", "isbn", "issn", "doi", "http", "https", "www", "html", "htm",
     "php", "jpg", "jpeg", "png", "svg", "gif", "pdf", "href", "colspan", "rowspan", "bgcolor")
)  # fmt: skip


def main() -> int:
    """Print one line per body of text, and fail if one of them is above the bar."""
    parser = argparse.ArgumentParser(description=__doc__)
    folder = Path("../shared/mirror/corpora")
    parser.add_argument("--corpora", type=Path, default=folder, help="the folder of the corpora")
    parser.add_argument("--documents", type=Whole(1), default=2000, help="read at most (2000)")
    parser.add_argument("--show", type=Whole(0), default=0, help="show so many of each kind")
    parser.add_argument("--bar", type=Whole(1), default=2, help="most per 10,000 tokens (2)")
    given = parser.parse_args()
    worst = 0.0
    print("| text | tokens | leftovers per 10,000 | by kind | suspicious tokens | removed |")
    print("|---|--:|--:|---|---|---|")
    for code, pattern in CORPORA:
        files = sorted(given.corpora.glob(pattern))
        if not files:
            continue
        row, rate = measure(code, pattern, files, given.documents, given.show)
        worst = max(worst, rate)
        print(row, flush=True)
    print(f"\nworst: {worst:.2f} per 10,000 tokens")
    return int(worst >= given.bar)


def measure(code: str, name: str, files: list[Path], most: int, show: int) -> tuple[str, float]:
    """The row of the table for some files, and their rate of leftovers."""
    source = Source(name="x", location="x", format=readers.sniff(files[0]), tolerate=0.1)  # type: ignore[arg-type]
    tally = readers.Tally()
    found: Counter[str] = Counter()
    tokens, suspicious = 0, Counter[str]()
    shown: list[str] = []
    words_of = language(code).words
    read = 0
    for unit in readers.plan(files, source):
        for document in readers.read(unit, source, tally):
            words = words_of(document.text)
            tokens += len(words)
            suspicious.update(SUSPICIOUS_TOKENS.intersection(words))
            for kind, pattern in LEFTOVERS.items():
                for match in re.finditer(pattern, document.text):
                    found[kind] += 1
                    if found[kind] <= show:
                        low, high = max(0, match.start() - 40), match.end() + 40
                        shown.append(f"    {kind}: {document.text[low:high]!r}")
            read += 1
            if read >= most:
                break
        if read >= most:
            break
    rate = 1e4 * sum(found.values()) / max(tokens, 1)
    row = (
        f"| {code} {name} | {tokens:,} | {rate:.2f} | {_listed(found)} | {_listed(suspicious)} "
        f"| {_listed(tally.cleaned)} |"
    )
    return "\n".join([row, *shown]), rate


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{number:,} {kind}" for kind, number in counts.most_common()) or "none"


if __name__ == "__main__":
    sys.exit(main())
