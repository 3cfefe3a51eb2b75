"""Raw corpora to documents: one module a format, chosen by name or by looking at the file.

``plan`` cuts the files of a source into units that tasks read on their own, ``read`` yields the
documents of one unit, ``check`` finds on the driver what no single unit can see.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Protocol

from pipeline.corpus.readers import (
    json,
    opensubtitles,
    srt,
    storage,
    text,
    wikiextractor,
    wikipedia,
)
from pipeline.corpus.readers.archive import Member
from pipeline.corpus.readers.documents import Document, Source, Span, Tally, Unit
from pipeline.corpus.readers.encoding import encoding_of, is_wide
from pipeline.corpus.readers.sniffing import Shape, shape, sniff
from wordkin.errors import InputError

__all__ = [
    "FORMATS", "Document", "Shape", "Source", "Tally", "Unit",
    "check", "plan", "read", "shape", "sniff",
]  # fmt: skip

UNIT_BYTES = 32 << 20
# A unit of a .bz2 decodes a block (a fifth of a megabyte) or two beside its own.
SMALLEST_UNIT = 4 << 20
FEWEST_UNITS = 32  # of a source that is large enough


class Format(Protocol):
    """What a module of this package offers."""

    def splits(self, path: str, source: Source) -> bool:
        """Whether tasks may read parts of such a file."""

    def read(self, span: Span, source: Source, tally: Tally) -> Iterator[Document]:
        """The documents that start in the span."""


FORMATS: dict[str, Format] = {
    "wikipedia": wikipedia,
    "wikiextractor": wikiextractor,
    "opensubtitles": opensubtitles,
    "srt": srt,
    "text": text,
    "json": json,
}
ZIPPED: dict[str, Callable[[str, Source], list[Member]]] = {
    "opensubtitles": opensubtitles.members,
    "srt": srt.members,
}


def plan(files: Sequence[Path], source: Source, unit_bytes: int = UNIT_BYTES) -> list[Unit]:
    """Units of about ``unit_bytes`` stored bytes, in the order of the files.

    Large files are cut where their storage allows it; small ones share a unit. Depends on nothing
    but the files, so that every machine makes the same units.
    """
    if not files:
        return []
    root = os.path.commonpath([file.parent for file in files])
    sizes = [storage.size(file) for file in files]
    # A small source is cut finer, so that all cores have something to do.
    unit_bytes = min(unit_bytes, max(sum(sizes) // FEWEST_UNITS, SMALLEST_UNIT))
    units: list[Unit] = []
    small: list[str] = []
    held = 0
    for file, size in zip(files, sizes, strict=True):
        path = str(file)
        starts = _starts(path, size, source, unit_bytes)
        is_small = len(starts) == 1 and size < unit_bytes
        if small and (not is_small or held + size > unit_bytes):
            units.append(Unit(root, tuple(small)))
            small, held = [], 0
        if is_small:
            small.append(path)
            held += size
        else:
            ends = [*starts[1:], None]
            units += [
                Unit(root, (path,), start, end) for start, end in zip(starts, ends, strict=True)
            ]
    if small:
        units.append(Unit(root, tuple(small)))
    return units


def read(unit: Unit, source: Source, tally: Tally) -> Iterator[Document]:
    """The documents of a unit, counted in ``tally`` together with everything left out."""
    tally.tolerate = source.tolerate
    format = _format(source)
    for span in unit.spans():
        if storage.size(span.path) == 0:
            tally.drop("empty file")
            continue
        for document in format.read(span, source, tally):
            if document.text and not document.text.isspace():
                tally.documents += 1
                yield document
            else:
                tally.drop("empty")


def check(files: Sequence[Path], source: Source) -> None:
    """Find before any work, reading little, what is wrong with the files as a whole.

    A dump cut between two of its bzip2 streams is sound in all its parts: only its end tells.
    """
    _format(source)
    for file in files:
        path = str(file)
        stored = storage.kind(path)
        if storage.size(path) == 0 and source.tolerate <= 0:
            raise InputError(
                f"{path} is empty; fetch it again, or set `tolerate` for this source to skip it."
            )
        if stored == "zip" and source.format in ZIPPED:
            ZIPPED[source.format](path, source)
        elif source.format == "wikipedia":
            wikipedia.check(path, Tally(source.tolerate))


def _starts(path: str, size: int, source: Source, unit_bytes: int) -> list[int]:
    """Where the units of a file start: stored bytes, or members of a zip."""
    if storage.kind(path) == "zip" and source.format in ZIPPED:
        members = ZIPPED[source.format](path, source)
        before = accumulate((member.stored for member in members[:-1]), initial=0)
        unit_of = [bytes_before // unit_bytes for bytes_before in before]
        return [0] + [i for i, (last, own) in enumerate(pairwise(unit_of), 1) if own > last]
    number = 1
    if size >= 2 * unit_bytes and _splits(path, source):
        number = int(min(size // unit_bytes, storage.most_spans(path)))
    return [size * index // number for index in range(number)]


def _splits(path: str, source: Source) -> bool:
    return _format(source).splits(path, source) and not is_wide(encoding_of(Span(path), source))


def _format(source: Source) -> Format:
    try:
        return FORMATS[source.format or ""]
    except KeyError:
        raise InputError(
            f"{source.name}: `format: {source.format}` is not one of {', '.join(FORMATS)}."
        ) from None
