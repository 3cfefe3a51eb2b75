"""Untrusted XML: without declarations of entities, so that nothing can expand or be fetched."""

from collections.abc import Iterator
from html import unescape
from typing import Protocol
from xml.parsers import expat

from pipeline.read.documents import LARGEST, Document, Span, Tally
from pipeline.read.stored import pieces
from wordkin.errors import InputError


def offset_of(error: expat.ExpatError, raw: bytes) -> int:
    """The byte at which the parser stopped."""
    lines = raw.splitlines(keepends=True)
    return sum(map(len, lines[: error.lineno - 1])) + error.offset


def refusal(path: str) -> InputError:
    """The error for XML that declares a document type, which no corpus needs."""
    return InputError(
        f"{path} is not read because its XML declares a document type or entities, which can grow "
        f"without limit: fetch the file from its source."
    )


def parser(path: str, names_its_type: bool = False) -> expat.XMLParserType:
    """An XML parser that refuses document types.

    A format that names its type in every file may do so, but not declare anything in it. The type
    itself is never fetched.
    """

    def refuse(name: str, system: str | None, public: str | None, declares: bool) -> None:
        if declares or not names_its_type:
            raise refusal(path)

    safe_parser = expat.ParserCreate()
    safe_parser.buffer_text = True
    safe_parser.StartDoctypeDeclHandler = refuse
    return safe_parser


class Collector(Protocol):
    """Makes documents of the elements that pass."""

    finished: list[Document]
    size: int

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """An element opens."""

    def end(self, name: str) -> None:
        """An element closes."""

    def characters(self, data: str) -> None:
        """Text of the innermost element."""

    def rest(self) -> list[Document]:
        """What is complete at the end of the file, or where it breaks off."""


def documents(span: Span, collector: Collector, tally: Tally) -> Iterator[Document]:
    """The documents of a file, piece by piece: only the open document is in memory."""
    safe_parser = parser(span.label, names_its_type=True)

    def start(name: str, attributes: dict[str, str]) -> None:
        collector.start(name.rpartition(":")[2], attributes)

    def end(name: str) -> None:
        collector.end(name.rpartition(":")[2])

    def skipped(name: str, is_parameter: bool) -> None:
        # An entity of a type that is not fetched; most are those of HTML.
        character = unescape(f"&{name};")
        collector.characters(" " if character.startswith("&") else character)

    safe_parser.StartElementHandler = start
    safe_parser.EndElementHandler = end
    safe_parser.CharacterDataHandler = collector.characters
    safe_parser.SkippedEntityHandler = skipped
    safe_parser.UseForeignDTD(False)
    read = 0
    try:
        for piece in pieces(span, tally):
            if piece.after_gap:
                break  # what was lost has been counted
            safe_parser.Parse(piece.data, False)
            read += len(piece.data)
            yield from collector.finished
            collector.finished.clear()
            if collector.size > LARGEST:
                what = f"document larger than {LARGEST >> 20} MiB"
                tally.damage(span.label, read, what, collector.size, "look at the file")
                tally.drop("too large")
                return
        else:
            safe_parser.Parse(b"", True)
    except expat.ExpatError as error:
        what = f"XML that is not well-formed ({expat.ErrorString(error.code)})"
        at = safe_parser.ErrorByteIndex
        tally.damage(span.label, max(at, 0), what, max(read - at, 1))
        tally.drop("broken document")
    yield from collector.finished
    yield from collector.rest()
