"""TMX, translation memories: the segments of one language, a fixed number of them per document.

A unit has the same sentence in several languages; ``text`` says which one to read. Units are in no
order that means anything, so a document has as many of them as one of OpenSubtitles.
"""

from collections.abc import Iterator
from itertools import islice
from xml.etree.ElementTree import Element

from pipeline.read import xml
from pipeline.read.documents import Document, Source, Span, Tally
from pipeline.read.opensubtitles import LINES
from wordkin.errors import InputError
from wordkin.words import base, tag

# Elements inside a segment that hold codes of another format, not text.
_CODES = frozenset(("bpt", "ept", "ph", "it", "ut"))
_FIRST_UNITS = 100


def splits(path: str, source: Source) -> bool:
    """XML is read from its start."""
    return False


def read(span: Span, source: Source, tally: Tally) -> Iterator[Document]:
    """The segments of the chosen language."""
    wanted = tag(source.text) if source.text else ""
    others: set[str] = set()
    segments = _segments(span, wanted, others, tally)
    number = 0
    while some := list(islice(segments, source.lines or LINES)):
        number += 1
        yield Document(f"{span.name}:{number}", "", "\n".join(filter(None, some)))
    if others and not number:
        raise InputError(
            f"{span.label} has the languages {', '.join(sorted(others))}: "
            f"choose one of them with `text`."
        )


def languages(span: Span) -> set[str]:
    """The languages at the beginning of a file."""
    units = islice(xml.elements(span, ("tu",), Tally(tolerate=1.0)), _FIRST_UNITS)
    return {_language(variant) for unit in units for variant in unit.iter("tuv")}


def _segments(span: Span, wanted: str, others: set[str], tally: Tally) -> Iterator[str]:
    """The segments of the wanted language; the names of the others go into the set."""
    for unit in xml.elements(span, ("tu",), tally):
        for variant in unit.iter("tuv"):
            language = tag(_language(variant))
            if wanted and wanted in (language, base(language)):
                for segment in variant.iter("seg"):
                    yield " ".join("".join(_text(segment)).split())
            else:
                others.add(_language(variant))


def _language(variant: Element) -> str:
    return variant.get("xml:lang") or variant.get("lang") or ""


def _text(element: Element) -> Iterator[str]:
    if element.tag in _CODES:
        yield " "
        return
    yield element.text or ""
    for child in element:
        yield from _text(child)
        yield child.tail or ""
