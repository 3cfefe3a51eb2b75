"""A source as the tokens stage would read it, for a person to check before anything is declared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from pipeline import read as readers
from pipeline.declarations import Source
from pipeline.fetch import recognition
from pipeline.languages import language
from pipeline.read.documents import Document
from wordkin.errors import InputError

UNIT_BYTES = 256 << 10
MOST_DOCUMENTS, MOST_CHARACTERS = 2_000, 4_000_000
"""How much of a source is read: enough to see whether it is read correctly."""

CHECKED_BYTES = 64 << 20
"""Stored bytes that are read to find damage; of larger sources only the beginning is read."""

MOST_FILES, FIRST_DOCUMENTS, LETTERS = 60, 20, 4_000
"""How many files of a group are looked at, and how much of each of them, to tell its language."""
FOREIGN = 0.2
"""A group in which more than this share of the files is in other languages is a mixture."""

FREQUENT_WORDS = 5
SAMPLE_CHARACTERS = 300
SENTENCE_WORDS = 15
"""If lines have fewer words than this on average, they are sentences rather than documents."""

PACKED = 3.5  # characters of text in a stored byte of a compressed file
GROWTH = 0.6  # how the number of words grows with the text: Heaps' law
START_MINUTES, TOKENS_PER_MINUTE, MINUTES_OF_MATRICES = 1.0, 25_000_000, 1.5
"""What a build took on two quiet cores; the last for matrices of 50,000 words."""
TOKEN_BYTES, WORD_BYTES = 5, 30_000  # on disk: shards of tokens, and the matrices


@dataclass(frozen=True)
class Preview:
    """What was read of a source: its first documents, and how often each word is in them.

    The tally says what was dropped, lost and cleaned on the way, and `share` about what share of
    the source was read: 1 if it was all of it.
    """

    code: str
    source: Source
    files: Sequence[Path]
    documents: list[Document]
    counts: Counter[str]
    tally: readers.Tally
    share: float

    def lines(self) -> list[str]:
        """The preview as lines of text."""
        source, tokens = self.source, self.counts.total()
        number = "1 file" if len(self.files) == 1 else f"{len(self.files):,} files"
        keys = ("document", "text", "encoding")
        declared = "".join(f", {key} {value}" for key in keys if (value := getattr(source, key)))
        how_much = "whole source" if self.share == 1 else "beginning"
        lines = [
            f"{source.name}: {number}, {_bytes(self.files) / 2**20:,.1f} MiB, format "
            f"{source.format}{declared}",
            f"  {how_much}: {len(self.documents):,} documents, {tokens:,} tokens",
        ]
        for what, counts in (
            ("dropped", self.tally.dropped),
            ("cleaned", self.tally.cleaned),
            ("lost bytes", self.tally.lost),
        ):
            if counts:
                reasons = (f"{count:,} {reason}" for reason, count in sorted(counts.items()))
                lines.append(f"  {what}: {', '.join(reasons)}")
        stop_words = language(self.code).stop_words()
        frequent = sorted(self.counts.keys() - stop_words, key=lambda w: (-self.counts[w], w))
        longest = max((document.text for document in self.documents), key=len, default="")
        lines.append(f"  most frequent words: {', '.join(frequent[:FREQUENT_WORDS])}")
        lines.append(f"  sample: {' '.join(longest.split())[:SAMPLE_CHARACTERS]}")
        if source.format == "text" and tokens < SENTENCE_WORDS * len(self.documents):
            lines.append(
                "  each line is a document, and the lines are short: if they are sentences of "
                "longer texts, write document: blank or file, or format: opensubtitles, into "
                "params.yaml"
            )
        texts = (document.text for document in self.documents)
        if warning := recognition.warning(self.code, texts):
            lines.append(f"  warning: {warning}")
        return lines


def preview(code: str, source: Source, files: Sequence[Path]) -> Preview:
    """Read the first documents of a source."""
    tally = readers.Tally(tolerate=source.tolerate)
    documents: list[Document] = []
    units = readers.plan(files, source, UNIT_BYTES)
    characters, share = 0, 1.0
    for unit in units:
        before = tally.bytes
        for document in readers.read(unit, source, tally):
            documents.append(document)
            characters += len(document.text)
            if characters >= MOST_CHARACTERS:
                break
        if characters >= MOST_CHARACTERS:
            # The tally has the bytes of a unit as a whole: of a broken off one we can only guess.
            share = min(max(before, characters / PACKED) / _bytes(files), 0.99)
            break
        if len(documents) >= MOST_DOCUMENTS and unit is not units[-1]:
            share = tally.bytes / _bytes(files)
            break
    words = language(code).words
    counts = Counter(word for document in documents for word in words(document.text))
    return Preview(code, source, files, documents, counts, tally, share)


def estimate(previews: Sequence[Preview], most_words: int) -> str:
    """What all stages will take for these sources together, in one line."""
    tokens = sum(seen.counts.total() / seen.share for seen in previews)
    words = min(most_words, max(len(seen.counts) / seen.share**GROWTH for seen in previews))
    matrices = MINUTES_OF_MATRICES * (words / 50_000) ** 1.5
    minutes = round(START_MINUTES + tokens / TOKENS_PER_MINUTE + matrices)
    disk = (tokens * TOKEN_BYTES + words * WORD_BYTES) / 2**30
    plural = "s" if minutes > 1 else ""
    number = f"{minutes} minute{plural}" if minutes < 90 else f"{minutes / 60:.1f} hours"
    rounded = float(f"{tokens:.1e}")
    return (
        f"dvc repro will take about {number} and {disk:.1f} GiB of disk: {rounded:,.0f} "
        "tokens (estimated from the beginning of each source)"
    )


def _bytes(files: Sequence[Path]) -> int:
    return sum(file.stat().st_size for file in files)


# ── what is refused ──────────────────────────────────────────────────────────────────────────


def damaged_files(source: Source, files: Sequence[Path]) -> dict[Path, str]:
    """The files that their reader refuses, with its sentence."""
    left = CHECKED_BYTES
    damaged: dict[Path, str] = {}
    for file in files:
        try:
            readers.check([file], source)
            for document in _documents(source, file):
                left -= len(document.text) // 4  # about what a compressed text takes
                if left < 0:
                    break
        except InputError as error:
            damaged[file] = str(error)
    return damaged


def mixture(code: str, source: Source, files: Sequence[Path]) -> str | None:
    """Why the files are a mixture of languages; None if they are not, or if all are in another."""
    step = max(len(files) // MOST_FILES, 1)
    counts: Counter[str] = Counter()
    for file in files[::step]:
        first = islice(_documents(source, file), FIRST_DOCUMENTS)
        shares = recognition.shares(document.text[:LETTERS] for document in first)
        counts.update(list(shares)[:1])
    fitting = sum(number for other, number in counts.items() if recognition.is_alike(code, other))
    if not fitting or counts.total() - fitting <= FOREIGN * counts.total():
        return None
    counted = ", ".join(f"{other}: {number}" for other, number in counts.most_common())
    return (
        f"{source.location} has files in several languages ({counted}), and their names do not say "
        f"which: name the files in '{code}' one by one, or give each language a folder."
    )


def _documents(source: Source, file: Path) -> Iterator[Document]:
    for unit in readers.plan([file], source):
        yield from readers.read(unit, source, readers.Tally(tolerate=source.tolerate))
