"""WikiExtractor output: ``<doc id= url= title=>`` … ``</doc>``, or one JSON object per line."""

import re
from collections.abc import Iterator
from html import unescape

from pipeline.read import json
from pipeline.read.documents import Document, Source, Span, Tally
from pipeline.read.stored import head
from pipeline.read.text import GrowingDocument, lines

# The title is the last attribute and may contain quotation marks.
_OPENING = re.compile(r'<doc (?:[^>]*?\bid="([^"]*)")?(?:.*?\btitle="(.*)")?[^">]*>\s*$')
_CLOSING = "</doc>"
_UNCLOSED = "document that does not close"


def splits(path: str, source: Source) -> bool:
    """Each document starts on a new line."""
    return True


def is_json(span: Span) -> bool:
    """Whether the file is in the JSON form."""
    return head(span).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")


def read(span: Span, source: Source, tally: Tally) -> Iterator[Document]:
    """The documents that start in the span."""
    documents = _from_json if is_json(span) else _from_tags
    return documents(span, source, tally)


def _from_json(span: Span, source: Source, tally: Tally) -> Iterator[Document]:
    for position, value in json.line_values(span, source, tally):
        fields = value if isinstance(value, dict) else {}
        title, text = str(fields.get("title", "")), str(fields.get("text", ""))
        yield Document(str(fields.get("id", position)), title, _body(text.split("\n"), title))


def _from_tags(span: Span, source: Source, tally: Tally) -> Iterator[Document]:
    document: GrowingDocument | None = None
    between = span.start == 0  # certainly between two documents
    for line in lines(span, source, tally):
        if line.after_gap:
            if document is not None:
                document.drop(_UNCLOSED, "broken document")
            document, between = None, False
        if line.text.startswith("<doc ") and (opening := _OPENING.match(line.text)):
            if document is not None:
                document.drop(_UNCLOSED, "broken document")
            if not line.in_span:
                return
            id, title = opening[1] or f"{span.name}:{line.position}", unescape(opening[2] or "")
            document, between = GrowingDocument(span, tally, line.position), False
        elif line.text.rstrip().endswith(_CLOSING):
            if document is not None:
                last = line.text.rstrip().removesuffix(_CLOSING)
                yield Document(id, title, _body([*document.texts, last], title))
            if not line.in_span:
                return
            document, between = None, True
        elif document is not None:
            if not document.add(line):
                document = None
        elif not line.in_span:
            return
        elif between and line.text.strip():
            what = "text outside the documents"
            tally.damage(span.label, line.position.offset, what, len(line.text.encode()))
    if document is not None:
        document.drop(_UNCLOSED, "broken document")


def _body(texts: list[str], title: str) -> str:
    """The text without the title, which the extractor repeats in the first line."""
    if texts and unescape(texts[0]).strip() == title.strip():
        texts = texts[1:]
    return unescape("\n".join(texts)).strip("\n")
