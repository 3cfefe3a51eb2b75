"""The beginning of a source, read as the tokens stage would read it, for a person to check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

from pipeline import read as readers
from pipeline.add import recognition
from pipeline.languages import language
from pipeline.settings import Source

MOST_DOCUMENTS, MOST_CHARACTERS = 2_000, 4_000_000
"""How much of a source is read: enough to see whether it is read correctly."""

FREQUENT_WORDS = 5
SAMPLE_CHARACTERS = 300
SENTENCE_WORDS = 15
"""If lines have fewer words than this on average, they are sentences rather than documents."""


@dataclass(frozen=True)
class Preview:
    """What was read of a source.

    Attributes
    ----------
    documents, tokens : int
        How many were read.
    frequent : list of str
        The most frequent words that are not stop words.
    sample : str
        The beginning of the longest document.
    dropped, lost_bytes, cleaned : dict of str to int
        How many documents were dropped, bytes lost and marks of other programs removed, by kind.
    complete : bool
        Whether the whole source was read, not only its beginning.
    warning : str or None
        What a person should look at: text that is mostly in another language.
    """

    documents: int
    tokens: int
    frequent: list[str]
    sample: str
    dropped: dict[str, int]
    lost_bytes: dict[str, int]
    cleaned: dict[str, int]
    complete: bool
    warning: str | None


def preview(code: str, source: Source, files: Sequence[Path]) -> Preview:
    """Read the first documents of a source."""
    tally = readers.Tally(tolerate=source.tolerate)
    units = readers.plan(files, source)
    unread = chain.from_iterable(readers.read(unit, source, tally) for unit in units)
    documents: list[readers.Document] = []
    characters = 0
    complete = True
    for document in unread:
        documents.append(document)
        characters += len(document.text)
        if len(documents) >= MOST_DOCUMENTS or characters >= MOST_CHARACTERS:
            complete = next(unread, None) is None
            break
    rules = language(code)
    stop_words = rules.stop_words()
    words = [word for document in documents for word in rules.words(document.text)]
    counts = Counter(word for word in words if word not in stop_words)
    longest = max((document.text for document in documents), key=len, default="")
    return Preview(
        documents=len(documents),
        tokens=len(words),
        frequent=sorted(counts, key=lambda word: (-counts[word], word))[:FREQUENT_WORDS],
        sample=" ".join(longest.split())[:SAMPLE_CHARACTERS],
        dropped=dict(tally.dropped),
        lost_bytes=dict(tally.lost),
        cleaned=dict(tally.cleaned),
        complete=complete,
        warning=recognition.warning(code, (document.text for document in documents)),
    )


def preview_lines(source: Source, files: Sequence[Path], seen: Preview) -> list[str]:
    """A preview as lines of text."""
    size = sum(file.stat().st_size for file in files)
    number = "1 file" if len(files) == 1 else f"{len(files):,} files"
    keys = ("document", "text", "encoding")
    declared = "".join(f", {key} {value}" for key in keys if (value := getattr(source, key)))
    how_much = "whole source" if seen.complete else "beginning"
    lines = [
        f"{source.name}: {number}, {size / 2**20:,.1f} MiB, format {source.format}{declared}",
        f"  {how_much}: {seen.documents:,} documents, {seen.tokens:,} tokens",
    ]
    for what, counts in (
        ("dropped", seen.dropped),
        ("cleaned", seen.cleaned),
        ("lost bytes", seen.lost_bytes),
    ):
        if counts:
            reasons = (f"{count:,} {reason}" for reason, count in sorted(counts.items()))
            lines.append(f"  {what}: {', '.join(reasons)}")
    lines += [f"  most frequent words: {', '.join(seen.frequent)}", f"  sample: {seen.sample}"]
    if source.format == "text" and seen.tokens < SENTENCE_WORDS * seen.documents:
        lines.append(
            "  each line is a document, and the lines are short: if they are sentences of longer "
            "texts, write document: blank or file, or format: opensubtitles, into params.yaml"
        )
    return lines
