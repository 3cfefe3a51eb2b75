"""Plain text: one document per line (the default), per file, or between blank lines."""

from collections.abc import Iterator
from pathlib import Path

from pipeline.read.documents import LARGEST, Document, Source, Span, Tally
from pipeline.read.lines import Line, lines
from pipeline.read.storage import Place
from wordkin.errors import InputError


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
        yield Document(f"{span.name}:{line.place}", "", line.text)


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

    def __init__(self, span: Span, tally: Tally, place: Place | None = None) -> None:
        self.span = span
        self.tally = tally
        self.texts: list[str] = []
        self.size = 0
        self.place = place  # its start; None: the start of its first line

    def __bool__(self) -> bool:
        return bool(self.texts)

    def add(self, line: Line) -> bool:
        """Add a line; false when that makes the document too large."""
        self.place = self.place or line.place
        self.texts.append(line.text)
        self.size += len(line.text) + 1
        if self.size > LARGEST:
            self.drop(f"document larger than {LARGEST >> 20} MiB", "too large")
            return False
        return True

    def drop(self, what: str, reason: str) -> None:
        """Leave out the document, and count its size as damage."""
        offset = self.place.offset if self.place else 0
        self.tally.damage(self.span.label, offset, what, self.size)
        self.tally.drop(reason)

    def finished(self) -> Document:
        """The document, named after its first line."""
        return Document(f"{self.span.name}:{self.place}", "", "\n".join(self.texts))
