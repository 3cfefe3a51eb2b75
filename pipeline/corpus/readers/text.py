"""Plain text: a document a line (the default), a file, or what stands between blank lines."""

from collections.abc import Iterator
from pathlib import Path

from pipeline.corpus.readers.documents import LARGEST, Document, Source, Span, Tally
from pipeline.corpus.readers.lines import Line, lines
from pipeline.corpus.readers.storage import Place
from wordkin.errors import InputError


def splits(path: str, source: Source) -> bool:
    """A file that is one document is read by one task."""
    return _unit(source) != "file"


def read(span: Span, source: Source, tally: Tally) -> Iterator[Document]:
    documents = {"line": _by_line, "file": _by_file, "blank": between_blanks}[_unit(source)]
    return documents(span, lines(span, source, tally), tally)


def _unit(source: Source) -> str:
    unit = source.document or "line"
    if unit not in ("line", "file", "blank"):
        raise InputError(
            f"{source.name}: `document: {unit}` says nothing for text; "
            f"use line, file or blank (documents between blank lines)."
        )
    return unit


def _by_line(span: Span, rows: Iterator[Line], tally: Tally) -> Iterator[Document]:
    for line in rows:
        if not line.own:
            return
        yield Document(f"{span.name}:{line.place}", "", line.text)


def _by_file(span: Span, rows: Iterator[Line], tally: Tally) -> Iterator[Document]:
    document = Growing(span, tally)
    for line in rows:
        if not document.add(line):
            return
    yield Document(span.name, Path(span.path).stem, "\n".join(document.texts))


def between_blanks(span: Span, rows: Iterator[Line], tally: Tally) -> Iterator[Document]:
    """A document belongs to the span that holds the blank line before it."""
    # None: in a document that is not the span's, or not to be had.
    document = Growing(span, tally) if span.start == 0 else None
    for line in rows:
        if line.gap:
            if document:
                document.drop("document that breaks off", "broken document")
            document = None
        if line.text and not line.text.isspace():
            if document is not None and not document.add(line):
                document = None
            if document is None and not line.own:
                return
            continue
        if document:
            yield document.made()
        if not line.own:
            return
        document = Growing(span, tally)
    if document:
        yield document.made()


class Growing:
    """A document of which more lines come, up to the largest that is taken."""

    def __init__(self, span: Span, tally: Tally, place: Place | None = None) -> None:
        self.span = span
        self.tally = tally
        self.texts: list[str] = []
        self.size = 0
        self.place = place  # where it starts; None: at its first line

    def __bool__(self) -> bool:
        return bool(self.texts)

    def add(self, line: Line) -> bool:
        """Take one more line; false when that makes the document too large."""
        self.place = self.place or line.place
        self.texts.append(line.text)
        self.size += len(line.text) + 1
        if self.size > LARGEST:
            self.drop(f"document larger than {LARGEST >> 20} MiB", "too large")
            return False
        return True

    def drop(self, what: str, reason: str) -> None:
        """Leave the document out: damage of its size."""
        offset = self.place.offset if self.place else 0
        self.tally.damage(self.span.label, offset, what, self.size)
        self.tally.drop(reason)

    def made(self) -> Document:
        """The document under the name of its first line."""
        return Document(f"{self.span.name}:{self.place}", "", "\n".join(self.texts))
