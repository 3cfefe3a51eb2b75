"""Raw corpora made for tests, and short functions to read them."""

import random
import re
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from pipeline import read as readers
from pipeline.declarations import Source
from pipeline.read import Document, Tally, Unit


def source(format: str, **options: object) -> Source:
    return Source(name="own", location="own", format=format, **options)  # type: ignore[arg-type]


def read(path: Path, declared: Source, cuts: Sequence[int] = ()) -> tuple[list[Document], Tally]:
    """All documents of a file that is cut into units at these stored bytes, and their tally."""
    documents: list[Document] = []
    total = Tally()
    for start, end in zip([0, *cuts], [*cuts, None], strict=True):
        tally = Tally()
        unit = Unit(str(path.parent), (str(path),), start, end)
        documents += readers.read(unit, declared, tally)
        total = total + tally
    return documents, total


def texts(path: Path, declared: Source) -> list[str]:
    return [document.text for document in read(path, declared)[0]]


def read_as_found(
    path: Path, format: str | None = None, tolerate: float = 0.0
) -> tuple[list[Document], Tally]:
    """All documents of a file, read as `add` declares it; its format is this one if it is given."""
    shape = readers.shape(path, "hu")
    assert format is None or shape.format == format
    options = {"document": shape.document, "text": shape.text, "tolerate": tolerate}
    declared = source(shape.format, **options)
    readers.check([path], declared)
    tally = Tally()
    units = readers.plan([path], declared)
    return [d for unit in units for d in readers.read(unit, declared, tally)], tally


def prose(words: int, seed: int = 0) -> str:
    """Random lines that hardly compress, so that a short text fills several bzip2 blocks."""
    chance = random.Random(seed)
    letters = "abcdefghijklmnopqrstuvwxyzáéöű"
    made_up = ("".join(chance.choices(letters, k=chance.randint(3, 9))) for _ in range(words))
    return "".join(word + ("\n" if chance.random() < 0.1 else " ") for word in made_up).strip()


MARKS = re.compile(
    r"\[\[|\]\]|\{\{|\}\}|\{\||\|\}|'''|</?ref|thumb\||&nbsp;|&lt;|\|\||__[A-Z]+__|https?://|"
    r"</?(?:br|div|span|sub|sup|small|math|nowiki|gallery)\b|style=|class=|^[|!*#]",
    re.MULTILINE,
)
"""Marks of wiki markup, and what cleaners are known to leave behind."""


def head(code: str, file: str, template: str, category: str) -> str:
    """The head of a dump, with the names of the wiki's namespaces."""
    return f"""<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" xml:lang="{code}">
  <siteinfo>
    <sitename>Wikipedia</sitename>
    <namespaces>
      <namespace key="0" case="first-letter" />
      <namespace key="6" case="first-letter">{file}</namespace>
      <namespace key="10" case="first-letter">{template}</namespace>
      <namespace key="14" case="first-letter">{category}</namespace>
    </namespaces>
  </siteinfo>
"""  # noqa: E501


HEAD = head("hu", "Fájl", "Sablon", "Kategória")
CLOSE = "</mediawiki>\n"


def page(title: str, text: str, number: int = 1, ns: int = 0, extra: str = "") -> str:
    return f"""  <page>
    <title>{escape(title)}</title>
    <ns>{ns}</ns>
    <id>{number}</id>{extra}
    <revision>
      <id>{number + 1000}</id>
      <contributor><username>Ki írta</username><id>7</id></contributor>
      <model>wikitext</model>
      <format>text/x-wiki</format>
      <text bytes="{len(text)}" xml:space="preserve">{escape(text)}</text>
    </revision>
  </page>
"""


def dump(*pages: str, head: str = HEAD) -> bytes:
    return "".join((head, *pages, CLOSE)).encode()


def numbered_captions(captions: Sequence[str]) -> str:
    """A SubRip file with one caption per second."""
    return "".join(
        f"{n}\n00:{n // 60:02}:{n % 60:02},000 --> 00:{n // 60:02}:{n % 60:02},900\n{caption}\n\n"
        for n, caption in enumerate(captions, 1)
    )
