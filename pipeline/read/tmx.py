"""TMX, translation memories: the segments of one language, a fixed number of them per document.

A unit has the same sentence in several languages; ``text`` says which one to read. Units are in no
order that means anything, so a document has as many of them as one of OpenSubtitles.
"""

from collections.abc import Iterator

from pipeline.read import xml
from pipeline.read.documents import Document, Source, Span, Tally
from pipeline.read.opensubtitles import LINES
from wordkin.errors import InputError
from wordkin.words import base, tag

# Elements inside a segment that hold codes of another format, not text.
_CODES = frozenset(("bpt", "ept", "ph", "it", "ut"))


def splits(path: str, source: Source) -> bool:
    """XML is read from its start."""
    return False


def read(span: Span, source: Source, tally: Tally) -> Iterator[Document]:
    """The segments of the chosen language."""
    memory = _Memory(span, source)
    yield from xml.documents(span, memory, tally)
    if memory.languages and not memory.has_wanted:
        raise InputError(
            f"{span.label} has the languages {', '.join(sorted(memory.languages))}: "
            f"choose one of them with `text`."
        )


def languages(span: Span) -> set[str]:
    """The languages at the beginning of a file."""
    memory = _Memory(span, None)
    for _ in xml.documents(span, memory, Tally(tolerate=1.0)):
        break
    return memory.languages


class _Memory:
    """Collects the segments of one language while the XML passes."""

    def __init__(self, span: Span, source: Source | None) -> None:
        self._span = span
        self._wanted = tag(source.text) if source and source.text else ""
        self._per_document = (source.lines if source else None) or LINES
        self._language = ""
        self._inside = False
        self._codes = 0
        self._words: list[str] = []
        self._segments: list[str] = []
        self._number = 0
        self.languages: set[str] = set()
        self.has_wanted = False
        self.finished: list[Document] = []
        self.size = 0

    def start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "tuv":
            self._language = attributes.get("xml:lang") or attributes.get("lang") or ""
            self.languages.add(self._language)
        elif name == "seg":
            self._inside = self._is_wanted()
            self._words = []
        elif self._codes or name in _CODES:
            self._codes += 1

    def end(self, name: str) -> None:
        if name == "seg":
            if self._inside:
                self.has_wanted = True
                self._segments.append(" ".join("".join(self._words).split()))
                if len(self._segments) == self._per_document:
                    self.finished += self.rest()
            self._inside = False
        elif self._codes:
            self._codes -= 1
            self._words.append(" ")

    def characters(self, data: str) -> None:
        if self._inside and not self._codes:
            self._words.append(data)
            self.size += len(data)

    def rest(self) -> list[Document]:
        """The segments that do not fill a document."""
        text = "\n".join(filter(None, self._segments))
        self._segments, self.size = [], 0
        self._number += 1
        return [Document(f"{self._span.name}:{self._number}", "", text)] if text else []

    def _is_wanted(self) -> bool:
        language = tag(self._language)
        return bool(self._wanted) and (language == self._wanted or base(language) == self._wanted)
