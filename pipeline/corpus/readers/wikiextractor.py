"""WikiExtractor output: ``<doc id= url= title=>`` … ``</doc>``, or its JSON form, one a line."""

import re
from collections.abc import Iterator
from html import unescape

from pipeline.corpus.readers import json
from pipeline.corpus.readers.documents import Document, Source, Span, Tally
from pipeline.corpus.readers.lines import lines
from pipeline.corpus.readers.storage import head
from pipeline.corpus.readers.text import Growing

# The title is the last attribute and may hold quotation marks of its own.
_OPENING = re.compile(r'<doc (?:[^>]*?\bid="([^"]*)")?(?:.*?\btitle="(.*)")?[^">]*>\s*$')
_CLOSING = "</doc>"
_UNCLOSED = "document that does not close"


def splits(path: str, source: Source) -> bool:
    """Each document starts on a line of its own."""
    return True


def is_json(path: str) -> bool:
    """Whether the file is the extractor's JSON form."""
    return head(path).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{")


def read(span: Span, source: Source, tally: Tally) -> Iterator[Document]:
    documents = _from_json if is_json(span.path) else _from_tags
    return documents(span, source, tally)


def _from_json(span: Span, source: Source, tally: Tally) -> Iterator[Document]:
    for place, value in json.line_values(span, source, tally):
        fields = value if isinstance(value, dict) else {}
        title, text = str(fields.get("title", "")), str(fields.get("text", ""))
        yield Document(str(fields.get("id", place)), title, _body(text.split("\n"), title))


def _from_tags(span: Span, source: Source, tally: Tally) -> Iterator[Document]:
    document: Growing | None = None
    between = span.start == 0  # known to stand between two documents
    for line in lines(span, source, tally):
        if line.gap:
            if document is not None:
                document.drop(_UNCLOSED, "broken document")
            document, between = None, False
        if line.text.startswith("<doc ") and (found := _OPENING.match(line.text)):
            if document is not None:
                document.drop(_UNCLOSED, "broken document")
            if not line.own:
                return
            id, title = found[1] or f"{span.name}:{line.place}", unescape(found[2] or "")
            document, between = Growing(span, tally, line.place), False
        elif line.text.rstrip().endswith(_CLOSING):
            if document is not None:
                last = line.text.rstrip().removesuffix(_CLOSING)
                yield Document(id, title, _body([*document.texts, last], title))
            if not line.own:
                return
            document, between = None, True
        elif document is not None:
            if not document.add(line):
                document = None
        elif not line.own:
            return
        elif between and line.text.strip():
            what = "text outside the documents"
            tally.damage(span.label, line.place.offset, what, len(line.text.encode()))
    if document is not None:
        document.drop(_UNCLOSED, "broken document")


def _body(texts: list[str], title: str) -> str:
    """The text without the title that the extractor repeats on top of it."""
    if texts and unescape(texts[0]).strip() == title.strip():
        texts = texts[1:]
    return unescape("\n".join(texts)).strip("\n")
