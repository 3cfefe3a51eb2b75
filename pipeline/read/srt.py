"""Subtitle files, or a zip of them: one document per film."""

from collections.abc import Iterator
from pathlib import PurePosixPath

from pipeline.read import archive, captions, charset
from pipeline.read.archive import Member
from pipeline.read.documents import Document, Source, Span, Tally
from pipeline.read.encoding import decode, encoding_of
from pipeline.read.storage import (
    Place,
    head,
    joined,
    pieces,
    uncompressed,
)

SUFFIXES = (".srt", ".vtt", ".ass", ".ssa", ".sub", ".smi")
LARGEST = 16 << 20  # bytes: a hundred times the captions of the longest film
_PICTURES = (b"\x00\x00\x01\xba", b"PG")  # VobSub and Blu-ray subtitles


def splits(path: str, source: Source) -> bool:
    """A film is one document."""
    return False


def members(path: str, source: Source) -> list[Member]:
    """The subtitle files in a zip."""
    return [member for member in archive.members(path) if is_named(member.name)]


def read(span: Span, source: Source, tally: Tally) -> Iterator[Document]:
    """The film of the span."""
    return _film(span, source, tally)


def is_named(name: str) -> bool:
    """Whether a file has the name of a subtitle file."""
    return uncompressed(name).lower().endswith(SUFFIXES)


def has_captions(span: Span) -> bool:
    """Whether the text has captions with their times."""
    raw = head(span.path, span.member)
    text = raw.decode(charset.detect(raw), "replace").removeprefix("\ufeff")
    return next(captions.captions(text), None) is not None


def _film(span: Span, source: Source, tally: Tally) -> Iterator[Document]:
    if not is_named(span.member or span.path) and not has_captions(span):
        tally.drop("not subtitles")  # folders of films also have notes and pictures
        return
    raw = joined(span, pieces(span, tally), tally, LARGEST)
    if not raw:
        return
    if raw.startswith(_PICTURES):
        tally.damage(span.label, 0, "pictures instead of text", len(raw), "find a text version")
        tally.drop("pictures")
        return
    encoding = encoding_of(span, source) if source.encoding else charset.detect(raw)
    text = decode(raw, span, Place(0, 0), encoding, tally).removeprefix("\ufeff")
    if "\0" in text:
        tally.damage(span.label, text.index("\0"), "NUL bytes", text.count("\0"))
        text = text.replace("\0", "")
    if next(captions.captions(text), None) is None:
        tally.damage(
            span.label, 0, "text without the times of captions", len(raw), "look at the file"
        )
        tally.drop("broken document")
        return
    spoken = "\n".join(captions.film(text, tally))
    yield Document(span.name, PurePosixPath(span.name).stem, spoken)
