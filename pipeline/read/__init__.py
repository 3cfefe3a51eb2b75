"""Raw corpora to documents: one module per format, chosen by name or by looking at the file.

``plan`` cuts the files of a source into units, one per task. ``read`` yields the documents of one
unit. ``check`` runs before any task and finds what no single unit can notice.

To add a format, write a module with the functions of `Format`, and add it to `FORMATS`, to
`sniffing.sniff` and to the formats in `pipeline.settings`.
"""

import os
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from typing import Protocol

from pipeline.read import (
    archives,
    conllu,
    json,
    leftovers,
    opensubtitles,
    stored,
    subtitles,
    tei,
    text,
    tmx,
    wikiextractor,
    wikipedia,
)
from pipeline.read.documents import Document, Member, Source, Span, Tally, Unit
from pipeline.read.encodings import encoding_of, is_wide
from pipeline.read.sniffing import Shape, shape, sniff, sniff_member
from pipeline.storage import AnyPath
from wordkin.errors import InputError

__all__ = [
    "FORMATS", "Document", "Shape", "Source", "Tally", "Unit",
    "check", "plan", "read", "shape", "sniff",
]  # fmt: skip

UNIT_BYTES = 32 << 20
# A unit of a .bz2 also decodes one or two blocks (a fifth of a megabyte each) of its neighbours.
SMALLEST_UNIT = 4 << 20
FEWEST_UNITS = 32  # of a source that is large enough


class Format(Protocol):
    """The functions of a module that reads a format."""

    def splits(self, path: str, source: Source) -> bool:
        """Whether several tasks may each read a part of such a file."""

    def read(self, span: Span, source: Source, tally: Tally) -> Iterator[Document]:
        """The documents that start in the span."""


FORMATS: dict[str, Format] = {
    "wikipedia": wikipedia,
    "wikiextractor": wikiextractor,
    "opensubtitles": opensubtitles,
    "srt": subtitles,
    "text": text,
    "json": json,
    "tei": tei,
    "tmx": tmx,
    "conllu": conllu,
}


def plan(files: Sequence[AnyPath], source: Source, unit_bytes: int = UNIT_BYTES) -> list[Unit]:
    """Units of about ``unit_bytes`` stored bytes, in the order of the files.

    Large files are cut where their storage allows it, and small ones share a unit. The units depend
    only on the files, so they are the same on every machine.
    """
    if not files:
        return []
    root = os.path.commonpath([str(file.parent) for file in files])
    sizes = [stored.size(file) for file in files]
    # A small source is cut into smaller units, so that all cores have work.
    unit_bytes = min(unit_bytes, max(sum(sizes) // FEWEST_UNITS, SMALLEST_UNIT))
    units: list[Unit] = []
    small: list[str] = []  # files that will share a unit, and their size
    small_bytes = 0
    for file, size in zip(files, sizes, strict=True):
        path = str(file)
        starts = _starts(path, size, source, unit_bytes)
        is_small = len(starts) == 1 and size < unit_bytes
        if small and (not is_small or small_bytes + size > unit_bytes):
            units.append(Unit(root, tuple(small)))
            small, small_bytes = [], 0
        if is_small:
            small.append(path)
            small_bytes += size
        else:
            ends = [*starts[1:], None]
            units += [
                Unit(root, (path,), start, end) for start, end in zip(starts, ends, strict=True)
            ]
    if small:
        units.append(Unit(root, tuple(small)))
    return units


def read(unit: Unit, source: Source, tally: Tally) -> Iterator[Document]:
    """The documents of a unit; ``tally`` counts them and everything that is left out."""
    tally.tolerate = source.tolerate
    format = FORMATS[str(source.format)]
    for span in unit.spans():
        if stored.size(span.path) == 0:
            tally.drop("empty file")
            continue
        for file_span in _files(span, source, tally):
            for document in format.read(file_span, source, tally):
                document = document._replace(text=leftovers.clean(document.text, tally))
                if document.text and not document.text.isspace():
                    tally.documents += 1
                    yield document
                else:
                    tally.drop("empty")


def _files(span: Span, source: Source, tally: Tally) -> Iterator[Span]:
    """The span itself or, if its file is an archive, those of its members of the format."""
    match stored.container(span.path):
        case "":
            yield span
            return
        case "zip":
            members = iter(_zipped(span.path, source)[span.start : span.end])
            is_zip = True
        case _:
            tally.bytes += stored.size(span.path)
            members = archives.members(span.path, tally)
            is_zip = False
    for member in members:
        found = Span(span.path, name=f"{span.name}/{member.name}", member=member)
        if _is_wanted(found, source):
            tally.bytes += member.stored * is_zip
            yield found
        else:
            tally.drop("other files in an archive")


def _zipped(path: str, source: Source) -> list[Member]:
    """The members of a zip; OPUS has several languages in one, and files about them."""
    if source.format == "opensubtitles":
        return opensubtitles.members(path, source)
    return archives.zip_members(path)


def _is_wanted(member: Span, source: Source) -> bool:
    """Whether a member of an archive is a file of the source's format and language."""
    if source.format == "srt":
        return subtitles.is_named(member.file_name) or subtitles.has_captions(member)
    language = opensubtitles.language_of(member.file_name)
    if source.format == "opensubtitles" and language is not None:
        return not source.text or language in (source.text, "")
    try:
        format = sniff_member(member)
    except InputError:
        return False
    alike = {"text", "opensubtitles"}
    return format == source.format or {format, source.format} <= alike


def check(files: Sequence[AnyPath], source: Source) -> None:
    """Refuse files that are wrong as a whole, before any work and without reading much.

    In a dump that was cut between two bzip2 streams, every part is intact: only its end shows it.
    """
    for file in files:
        path = str(file)
        is_zip = stored.kind(path) == "zip"
        if stored.size(path) == 0 and source.tolerate <= 0:
            raise InputError(
                f"{path} is empty: fetch it again, or set `tolerate` for this source to skip it."
            )
        if is_zip:
            _zipped(path, source)
        elif source.format == "wikipedia" and not stored.container(path):
            wikipedia.check(path, Tally(source.tolerate))


def _starts(path: str, size: int, source: Source, unit_bytes: int) -> list[int]:
    """The start of each unit of a file: a stored byte, or the index of a member of a zip."""
    if size == 0:
        return [0]
    if stored.kind(path) == "zip":
        members = _zipped(path, source)
        before = accumulate((member.stored for member in members[:-1]), initial=0)
        unit_of = [bytes_before // unit_bytes for bytes_before in before]
        pairs = enumerate(pairwise(unit_of), 1)
        return [0] + [member for member, (previous, unit) in pairs if unit > previous]
    units = 1
    if size >= 2 * unit_bytes and not stored.container(path) and _splits(path, source):
        units = int(min(size // unit_bytes, stored.most_spans(path)))
    return [size * unit // units for unit in range(units)]


def _splits(path: str, source: Source) -> bool:
    return FORMATS[str(source.format)].splits(path, source) and not is_wide(
        encoding_of(Span(path), source)
    )
