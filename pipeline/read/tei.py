"""TEI XML: one document per ``<TEI>``, with the paragraphs, verses and headings of its text.

Novels, letters, plays and transcripts of scholarly editions are in this form, with ``<w>`` around
each word in some corpora. The header, notes, page furniture and stage directions are left out.
Where an edition gives two readings, the corrected, regular and expanded one is kept.
"""

from collections.abc import Iterator

from pipeline.read import xml
from pipeline.read.documents import Document, Source, Span, Tally

# What is no running text of the author, and the reading that is not kept.
_NO_TEXT = (
    "teiHeader note fw figDesc del stage speaker sic orig abbr rdg bibl listBibl biblStruct "
    "graphic formula table index gap standOff facsimile sourceDoc"
)
_OMITTED = frozenset(_NO_TEXT.split())
# Elements that begin and end a line.
_BLOCKS = (
    "p l head ab item u sp lg div div1 div2 div3 cit salute signed closer opener dateline trailer "
    "epigraph argument byline docTitle titlePart titlePage list row cell floatingText front body "
    "back group castItem post"
)
_LINES = frozenset(_BLOCKS.split())
_ROOTS = ("TEI", "TEI.2")


def splits(path: str, source: Source) -> bool:
    """XML is read from its start."""
    return False


def read(span: Span, source: Source, tally: Tally) -> Iterator[Document]:
    """The texts of the file."""
    return xml.documents(span, _Edition(span), tally)


class _Edition:
    """Collects the text of each ``<TEI>`` while the XML passes."""

    def __init__(self, span: Span) -> None:
        self._span = span
        self._omitted = 0  # how many open elements are left out
        self._in_text = False
        self._in_title = False
        self._title: list[str] = []
        self._text: list[str] = []
        self._number = 0
        self.finished: list[Document] = []
        self.size = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name in _ROOTS:
            self._title, self._text, self.size = [], [], 0
        if name == "title" and not self._title and not self._in_text:
            self._in_title = True
        if self._omitted or name in _OMITTED:
            self._omitted += 1
        elif name == "text":
            self._in_text = True
        elif self._in_text:
            if name in _LINES:
                self._text.append("\n")
            elif name == "w" or (name in ("lb", "pb", "cb") and attributes.get("break") != "no"):
                self._text.append(" ")

    def end(self, name: str) -> None:
        if name == "title":
            self._in_title = False
        if self._omitted:
            self._omitted -= 1
        elif name == "text":
            self._in_text = False
        elif self._in_text and name in _LINES:
            self._text.append("\n")
        if name in _ROOTS:
            self._number += 1
            lines = (" ".join(line.split()) for line in "".join(self._text).split("\n"))
            text = "\n".join(filter(None, lines))
            title = " ".join("".join(self._title).split())
            self.finished.append(Document(f"{self._span.name}:{self._number}", title, text))
            self._text, self.size = [], 0

    def characters(self, data: str) -> None:
        if self._in_title:
            self._title.append(data)
        elif self._in_text and not self._omitted:
            # The ends of lines in the file are not those of the text.
            self._text.append(data.replace("\n", " "))
            self.size += len(data)

    def rest(self) -> list[Document]:
        return []
