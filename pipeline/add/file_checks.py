"""The files of a group, one by one: which cannot be read, and which are in other languages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from pipeline import read as readers
from pipeline.add import recognition
from pipeline.settings import Source
from wordkin.errors import InputError

MOST_BYTES = 64 << 20
"""Stored bytes that are read to find damage; of a larger group only the beginning is read."""


def damaged_files(source: Source, files: Sequence[Path]) -> dict[Path, str]:
    """The files that their reader refuses, with its sentence."""
    left = MOST_BYTES
    damaged: dict[Path, str] = {}
    for file in files:
        try:
            readers.check([file], source)
            for unit in readers.plan([file], source):
                for document in readers.read(unit, source, readers.Tally(tolerate=source.tolerate)):
                    left -= len(document.text) // 4  # about what a compressed text takes
                    if left < 0:
                        break
                if left < 0:
                    break
        except InputError as error:
            damaged[file] = str(error)
    return damaged


MOST_FILES, FIRST_DOCUMENTS, LETTERS = 60, 20, 4_000
"""How many files of a group are looked at, and how much of each of them."""
FOREIGN = 0.2
"""A group in which more than this share of the files is in other languages is a mixture."""


def mixture(code: str, source: Source, files: Sequence[Path]) -> str | None:
    """Why the files are a mixture of languages; None if they are not, or if all are in another."""
    step = max(len(files) // MOST_FILES, 1)
    found: Counter[str] = Counter()
    for file in files[::step]:
        shares = recognition.shares(text[:LETTERS] for text in _first_texts(source, file))
        if shares:
            found[next(iter(shares))] += 1
    fitting = sum(number for other, number in found.items() if recognition.is_alike(code, other))
    if not fitting or found.total() - fitting <= FOREIGN * found.total():
        return None
    counted = ", ".join(f"{other}: {number}" for other, number in found.most_common())
    return (
        f"{source.location} has files in several languages ({counted}), and their names do not say "
        f"which: name the files in '{code}' one by one, or give each language a folder."
    )


def _first_texts(source: Source, file: Path) -> Iterator[str]:
    tally = readers.Tally(tolerate=1.0)
    for unit in readers.plan([file], source)[:1]:
        for document in islice(readers.read(unit, source, tally), FIRST_DOCUMENTS):
            yield document.text
