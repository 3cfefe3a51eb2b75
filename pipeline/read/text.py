"""Plain text: its lines, and documents per line (the default), per file, or between blank lines.

Each line is read by exactly one span: the one that contains the line end *before* it; the first
line belongs to the span at the start of the file. So a span skips to its first line end, and reads
on after its end.
"""

from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from pipeline.read.documents import LARGEST, Document, Source, Span, Tally
from pipeline.read.encodings import decode, encoding_of, is_wide, narrow, text_pieces
from pipeline.read.stored import HEAD, Position, head
from wordkin.errors import InputError

# The first line may be long and contain a stray CR: only this much text without LF has CR ends.
LONG_LINE = 4 << 20
_OTHER_KIND = "check that the file has line ends and is of the declared format"


class Line(NamedTuple):
    """A line without its end."""

    text: str
    position: Position
    in_span: bool  # false: it belongs to a later span
    after_gap: bool  # something was lost just before it


def lines(span: Span, source: Source, tally: Tally) -> Iterator[Line]:
    """The lines of the span, then the lines that follow, until the reader has enough."""
    encoding = encoding_of(span, source)
    end = b"\n" if is_wide(encoding) else line_end(span)
    encoding = narrow(encoding)
    later = Tally(tally.tolerate)

    def line(data: bytes) -> Line:
        # A span counts only the damage in its lines, so that nothing is counted twice.
        counted = tally if in_span else later
        text = decode(data.removesuffix(b"\r"), span, position, encoding, counted)
        return Line(text, position, in_span, gap)

    unfinished: list[bytes] = []
    length = 0
    position = Position(0, 0)
    in_span = span.start == 0  # whether the unfinished line belongs to the span
    skipping = not in_span  # in a line that belongs to another span, is broken or is too long
    gap = False
    for piece in text_pieces(span, source, tally):
        if piece.after_gap:
            if in_span and not skipping and length:
                tally.damage(span.label, position.offset, "line that breaks off", length)
                tally.drop("broken line")
            unfinished, length, skipping, gap = [], 0, True, True
        *complete, rest = piece.data.split(end)
        index = 0
        for data in complete:
            if not skipping:
                yield line(b"".join((*unfinished, data)))
                gap = False
            unfinished, length, skipping, in_span = [], 0, False, piece.in_span
            index += len(data) + len(end)
            position = piece.position(index)
        length += len(rest)
        if not skipping:
            unfinished.append(rest)
        if length > LARGEST and in_span:
            # The rest of the line is counted piece by piece, so that memory stays flat.
            what = f"line longer than {LARGEST >> 20} MiB"
            tally.damage(span.label, position.offset, what, length, _OTHER_KIND)
            unfinished, length, skipping, gap = [], LARGEST, True, True
    if length and not skipping:
        yield line(b"".join(unfinished))


def line_ends_before(span: Span, source: Source) -> int:
    """The number of lines that end before the span."""
    earlier = Span(span.path, 0, span.start)
    pieces = text_pieces(earlier, source, Tally(tolerate=1.0))
    end = line_end(span)
    return sum(piece.data.count(end) for piece in takewhile(lambda p: p.in_span, pieces))


def line_end(span: Span) -> bytes:
    """LF (also after CR), or CR in a file that has CR but no LF."""
    for length in (HEAD, LONG_LINE):
        start = head(span, length)
        if b"\n" in start or b"\r" not in start:
            return b"\n"
    return b"\r"


# ── documents ─────────────────────────────────────────────────────────────────────────────────


def splits(path: str, source: Source) -> bool:
    """A file that is one document is read by one task."""
    return _document_unit(source) != "file"


def read(span: Span, source: Source, tally: Tally) -> Iterator[Document]:
    """The documents that start in the span."""
    readers = {"line": _by_line, "file": _by_file, "blank": documents_between_blanks}
    documents = readers[_document_unit(source)]
    return documents(span, lines(span, source, tally), tally)


def _document_unit(source: Source) -> str:
    unit = source.document or "line"
    if unit not in ("line", "file", "blank"):
        raise InputError(
            f"{source.name}: `document: {unit}` has no meaning for text: "
            f"use line, file or blank (documents between blank lines)."
        )
    return unit


def _by_line(span: Span, file_lines: Iterator[Line], tally: Tally) -> Iterator[Document]:
    for line in file_lines:
        if not line.in_span:
            return
        yield Document(f"{span.name}:{line.position}", "", line.text)


def _by_file(span: Span, file_lines: Iterator[Line], tally: Tally) -> Iterator[Document]:
    document = GrowingDocument(span, tally)
    for line in file_lines:
        if not document.add(line):
            return
    yield Document(span.name, Path(span.path).stem, "\n".join(document.texts))


def documents_between_blanks(
    span: Span, file_lines: Iterator[Line], tally: Tally
) -> Iterator[Document]:
    """A document belongs to the span that contains the blank line before it."""
    # None inside a document that belongs to another span, is broken or is too large.
    document = GrowingDocument(span, tally) if span.start == 0 else None
    for line in file_lines:
        if line.after_gap:
            if document:
                document.drop("document that breaks off", "broken document")
            document = None
        if line.text and not line.text.isspace():
            if document is not None and not document.add(line):
                document = None
            if document is None and not line.in_span:
                return
            continue
        if document:
            yield document.finished()
        if not line.in_span:
            return
        document = GrowingDocument(span, tally)
    if document:
        yield document.finished()


class GrowingDocument:
    """A document that gets one line after the other, up to the largest size."""

    def __init__(self, span: Span, tally: Tally, position: Position | None = None) -> None:
        self.span = span
        self.tally = tally
        self.texts: list[str] = []
        self.size = 0
        self.position = position  # its start; None: the start of its first line

    def __bool__(self) -> bool:
        return bool(self.texts)

    def add(self, line: Line) -> bool:
        """Add a line; false when that makes the document too large."""
        self.position = self.position or line.position
        self.texts.append(line.text)
        self.size += len(line.text) + 1
        if self.size > LARGEST:
            self.drop(f"document larger than {LARGEST >> 20} MiB", "too large")
            return False
        return True

    def drop(self, what: str, reason: str) -> None:
        """Leave out the document, and count its size as damage."""
        offset = self.position.offset if self.position else 0
        self.tally.damage(self.span.label, offset, what, self.size)
        self.tally.drop(reason)

    def finished(self) -> Document:
        """The document, named after its first line."""
        return Document(f"{self.span.name}:{self.position}", "", "\n".join(self.texts))
