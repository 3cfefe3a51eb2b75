"""Raw corpora made for tests, and short functions to read them."""

import random
from collections.abc import Sequence
from pathlib import Path
from xml.sax.saxutils import escape

from pipeline.corpus import readers
from pipeline.corpus.readers import Document, Tally, Unit
from pipeline.settings import Source


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


def prose(words: int, seed: int = 0) -> str:
    """Random lines that hardly compress, so that a short text fills several bzip2 blocks."""
    chance = random.Random(seed)
    letters = "abcdefghijklmnopqrstuvwxyzáéöű"
    made_up = ("".join(chance.choices(letters, k=chance.randint(3, 9))) for _ in range(words))
    return "".join(word + ("\n" if chance.random() < 0.1 else " ") for word in made_up).strip()


HEAD = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/" version="0.10" xml:lang="hu">
  <siteinfo>
    <sitename>Wikipédia</sitename>
    <namespaces>
      <namespace key="0" case="first-letter" />
      <namespace key="6" case="first-letter">Fájl</namespace>
      <namespace key="10" case="first-letter">Sablon</namespace>
      <namespace key="14" case="first-letter">Kategória</namespace>
    </namespaces>
  </siteinfo>
"""
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


def dump(*pages: str) -> bytes:
    return "".join((HEAD, *pages, CLOSE)).encode()
