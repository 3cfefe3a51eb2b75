"""OPUS OpenSubtitles: lines of text, films in XML, and the two sides of a Moses archive.

The text form has one sentence per line and does not mark films, so a fixed number of lines makes a
document. The XML form has one file per film, alone or in a zip, with words in ``<w>`` or sentences
in ``<s>``.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath
from xml.etree.ElementTree import Element

from pipeline.read import xml
from pipeline.read.archives import zip_members
from pipeline.read.documents import Document, Member, Source, Span, Tally
from pipeline.read.stored import Position, head, kind
from pipeline.read.subtitles import spoken
from pipeline.read.text import documents_between_blanks, line_ends_before, lines
from wordkin.errors import InputError

# With 100 lines (about 600 words) per document, windows of 10 words to each side lose less than 1 %
# of their pairs at borders. A film has about 1,000 lines, so one document in ten mixes two films.
LINES = 100

_FILM = re.compile(r"(?:^|/)(?:xml|raw|parsed)/([^/]+)/.*\.xml(?:\.gz)?$|\.xml(?:\.gz)?$")
_MOSES = re.compile(r"\.([\w-]+)-([\w-]+)\.(\1|\2)$")

# The tokenizer of OPUS splits contractions before the apostrophe: don 't.
_APART = re.compile(r" (['’]\w)")


def splits(path: str, source: Source) -> bool:
    """Lines are counted from the start of the file, and a .bz2 is too slow for that."""
    span = Span(path)
    if is_xml(span):
        return False
    return kind(path) != "bz2" or (source.lines is None and has_blank_lines(span))


def is_xml(span: Span) -> bool:
    """Whether the file is a film in XML."""
    start = head(span).lstrip(b"\xef\xbb\xbf \t\r\n")
    return start.startswith((b"<?xml", b"<document"))


def has_blank_lines(span: Span) -> bool:
    """Whether the file marks documents by blank lines."""
    return b"\n\n" in head(span).replace(b"\r", b"")


def language_of(name: str) -> str | None:
    """The language of a member of an OPUS zip; "" when its name has none, None for other files."""
    if moses := _MOSES.search(name):
        return moses[3]
    if film := _FILM.search(name):
        return film[1] or ""
    return None


def by_language(path: str) -> dict[str, list[Member]]:
    """The files of each language in an OPUS zip."""
    languages: dict[str, list[Member]] = {}
    for member in zip_members(path):
        if (language := language_of(member.name)) is not None:
            languages.setdefault(language, []).append(member)
    if not languages:
        raise InputError(
            f"{path} has no OPUS subtitles (films as .xml, or text as name.en-hu.hu): "
            f"choose another format for it."
        )
    if len(languages) > 1:
        languages.pop("", None)  # the alignment of the sentences of two languages
    return languages


def members(path: str, source: Source) -> list[Member]:
    """The files of one language in an OPUS zip; ``text`` says which when there are several."""
    languages = by_language(path)
    wanted = source.text or (next(iter(languages)) if len(languages) == 1 else "")
    if wanted not in languages:
        raise InputError(
            f"{path} has the languages {', '.join(sorted(languages))}: "
            f"choose one of them with `text`."
        )
    return languages[wanted]


def read(span: Span, source: Source, tally: Tally) -> Iterator[Document]:
    """The documents that start in the span."""
    if is_xml(span):
        yield from _film(span, tally)
    elif source.lines is None and has_blank_lines(span):
        for document in documents_between_blanks(span, lines(span, source, tally), tally):
            yield document._replace(text=_spoken_lines(document.text.split("\n")))
    else:
        yield from _counted(span, source, tally)


def _counted(span: Span, source: Source, tally: Tally) -> Iterator[Document]:
    """Documents of a fixed number of lines, counted from the start of the file."""
    size = source.lines or LINES
    first = line_ends_before(span, source) + 1 if span.start else 0
    position: Position | None = None
    texts: list[str] = []
    for number, line in enumerate(lines(span, source, tally), start=first):
        if number % size == 0:
            if position is not None:
                yield Document(f"{span.name}:{position}", "", _spoken_lines(texts))
            position, texts = line.position, []
            if not line.in_span:
                return
        if position is not None:
            texts.append(line.text)
        elif not line.in_span:
            return
    if position is not None:
        yield Document(f"{span.name}:{position}", "", _spoken_lines(texts))


def _film(span: Span, tally: Tally) -> Iterator[Document]:
    texts = _spoken_lines(map(_sentence, xml.elements(span, ("s",), tally)))
    yield Document(span.name, PurePosixPath(span.name).name.split(".")[0], texts)


def _sentence(element: Element) -> str:
    """The text of ``<s>``, or its words in ``<w>`` joined."""
    for word in element.iter("w"):
        word.text = f" {word.text or ''}"
    return _APART.sub(r"\1", " ".join("".join(element.itertext()).split()))


def _spoken_lines(texts: Iterable[str]) -> str:
    return "\n".join(filter(None, map(spoken, texts)))
