"""TEI XML: one document per ``<TEI>``, with the paragraphs, verses and headings of its text.

Novels, letters, plays and transcripts of scholarly editions are in this form, with ``<w>`` around
each word in some corpora. The header, notes, page furniture and stage directions are left out.
Where an edition gives two readings, the corrected, regular and expanded one is kept.
"""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

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
    "back group castItem post text"
)
_LINES = frozenset(_BLOCKS.split())


def splits(path: str, source: Source) -> bool:
    """XML is read from its start."""
    return False


def read(span: Span, source: Source, tally: Tally) -> Iterator[Document]:
    """The texts of the file."""
    for number, edition in enumerate(xml.elements(span, ("TEI", "TEI.2"), tally), start=1):
        title = edition.find("teiHeader//title")
        name = "" if title is None else " ".join("".join(title.itertext()).split())
        text = "".join(part for text in edition.findall("text") for part in _parts(text))
        lines = (" ".join(line.split()) for line in text.split("\n"))
        yield Document(f"{span.name}:{number}", name, "\n".join(filter(None, lines)))


def _parts(element: Element) -> Iterator[str]:
    """The text of an element in parts; only blocks end lines, not the lines of the file."""
    if element.tag in _OMITTED:
        return
    ends_line = element.tag in _LINES
    breaks = element.tag in ("lb", "pb", "cb") and element.get("break") != "no"
    yield "\n" if ends_line else " " * (breaks or element.tag == "w")
    yield (element.text or "").replace("\n", " ")
    for child in element:
        yield from _parts(child)
        yield (child.tail or "").replace("\n", " ")
    if ends_line:
        yield "\n"
