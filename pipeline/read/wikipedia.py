"""MediaWiki XML dumps: the articles in namespace 0, cleaned to running text.

Pages are cut out of the raw text at their tags (everywhere else in a dump ``<`` is escaped) and
parsed one by one. So a task can begin anywhere and needs the memory of one page.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.parsers import expat

from pipeline.read import wikitext, xml
from pipeline.read.documents import Document, Source, Span, Tally
from pipeline.read.encodings import decode, encoding_of, narrow, text_pieces
from pipeline.read.stored import Piece, Position, head, size, tail

OPENING, CLOSING, LAST = b"<page>", b"</page>", b"</mediawiki>"

# MediaWiki accepts articles up to 2 MiB. Escaping and other fields make them a few times larger.
LARGEST = 16 << 20

_TAG = re.compile(rb"</?page>|</mediawiki>")
_NAMESPACE = re.compile(rb'<namespace key="(-?\d{1,9})"[^>]*>([^<]+)</namespace>')
_LANGUAGE = re.compile(rb'<mediawiki\b[^>]*\bxml:lang="([^"]+)"')
# A redirect has a word after #, which depends on the language. A numbered list has none.
_REDIRECT = re.compile(r"\s*#[^\s\[\]#*|:\d]+\s*:?\s*\[\[[^\]\n]+\]\]")


class Page(NamedTuple):
    """The fields of a ``<page>`` that are used."""

    id: str
    title: str
    namespace: str
    redirect: bool
    model: str
    text: str


def splits(path: str, source: Source) -> bool:
    """Pages can be found from any place in the file."""
    return True


def check(path: str, tally: Tally, known_open: bool = False) -> None:
    """Check that the dump closes: look at its end, unless it is known that it does not."""
    ending = b"" if known_open else tail(path)
    if ending is not None and LAST not in ending:
        tally.damage(path, size(path), "end of the dump before </mediawiki>", 1)


def read(span: Span, source: Source, tally: Tally) -> Iterator[Document]:
    """The articles that start in the span."""
    site = site_of(span)
    encoding = narrow(encoding_of(span, source))
    for raw, position in _pages(span, text_pieces(span, source, tally), tally):
        text = decode(raw, span, position, encoding, tally)
        try:
            page = parse_page(text, span.path)
        except expat.ExpatError as error:
            what = f"page that is not well-formed XML ({expat.ErrorString(error.code)})"
            tally.damage(span.path, position.offset, what, len(raw))
            tally.drop("broken page")
            continue
        if reason := unwanted(page, site):
            tally.drop(reason)
        else:
            yield Document(page.id, page.title, wikitext.clean(page.text, site))


def unwanted(page: Page, site: wikitext.Site) -> str:
    """Why the page is not an article; empty when it is one."""
    if page.namespace not in ("0", "") or (not page.namespace and site.is_namespaced(page.title)):
        return "namespace"
    if page.redirect or _REDIRECT.match(page.text):
        return "redirect"
    if page.model not in ("wikitext", ""):
        return "not wikitext"
    if site.is_disambiguation(page.text):
        return "disambiguation"
    return ""


def parse_page(text: str, path: str) -> Page:
    """The page of a ``<page>`` element, with the last of its revisions."""
    page = xml.tree(text, path)
    revisions = page.findall("revision")

    def field(name: str) -> str:
        return (revisions[-1].findtext(name) if revisions else None) or ""

    return Page(
        id=page.findtext("id") or "",
        title=page.findtext("title") or "",
        namespace=page.findtext("ns") or "",
        redirect=page.find("redirect") is not None,
        model=field("model"),
        text=field("text"),
    )


def site_of(span: Span) -> wikitext.Site:
    """The wiki of a dump, from its head: the language and the names of the namespaces."""
    opening, _, _ = head(span).partition(OPENING)
    if b"<!DOCTYPE" in opening or b"<!ENTITY" in opening:
        raise xml.refusal(span.label)
    language = _LANGUAGE.search(opening)
    names: dict[int, set[str]] = {}
    for key, name in _NAMESPACE.findall(opening):
        names.setdefault(int(key), set()).add(name.decode("utf-8", "replace"))
    return wikitext.Site(language[1].decode("ascii", "replace") if language else "", names)


class _OpenPage:
    """A page whose end has not been found yet; of one that is too large, only the size is kept."""

    def __init__(self, start: Position) -> None:
        self.start = start
        self.size = 0
        self._pieces = [OPENING]

    @property
    def is_too_large(self) -> bool:
        return self.size > LARGEST

    def add(self, data: bytes) -> None:
        """Add the text that follows."""
        self.size += len(data)
        if self.is_too_large:
            self._pieces.clear()
        else:
            self._pieces.append(data)

    def closed(self) -> bytes:
        """The whole ``<page>`` element."""
        return b"".join((*self._pieces, CLOSING))


def _pages(span: Span, pieces: Iterator[Piece], tally: Tally) -> Iterator[tuple[bytes, Position]]:
    """The ``<page>`` elements that start in the span, with their places."""
    page: _OpenPage | None = None
    closed = False  # after </mediawiki>
    between = False  # right after a page, where only spaces may follow
    for cut in _cuts(pieces):
        if cut.after_gap:
            _refuse_unclosed(page, span, tally)
            page, between = None, False
        if page:
            page.add(cut.before)
        elif between and cut.before.strip():
            what = "text between the pages"
            tally.damage(
                span.path, cut.position.offset, what, len(cut.before) if cut.in_span else 0
            )
        if cut.tag == OPENING:
            _refuse_unclosed(page, span, tally)
            if not cut.in_span:
                return
            page = _OpenPage(cut.position)
        elif cut.tag == CLOSING:
            if page and page.is_too_large:
                what = f"page larger than {LARGEST >> 20} MiB"
                remedy = "check where the dump is from"
                tally.damage(span.path, page.start.offset, what, page.size, remedy)
                tally.drop("too large")
            elif page:
                yield page.closed(), page.start
            page, between = None, True
        elif cut.tag == LAST:
            closed, between = True, False
        if page is None and not cut.in_span:
            return
    _refuse_unclosed(page, span, tally)
    if span.end is None and not closed:
        # A later span may have no text at all: then the end of the file decides.
        check(span.path, tally, known_open=span.start == 0)


def _refuse_unclosed(page: _OpenPage | None, span: Span, tally: Tally) -> None:
    if page:
        tally.damage(span.path, page.start.offset, "page that does not close", page.size)
        tally.drop("broken page")


class _Cut(NamedTuple):
    """Raw text up to a tag, or, without a tag, the raw text that surely has none."""

    before: bytes
    tag: bytes
    position: Position  # of the tag
    in_span: bool  # whether the tag, or the text without one, is in the span
    after_gap: bool  # something was lost just before this cut


def _cuts(pieces: Iterator[Piece]) -> Iterator[_Cut]:
    rest = b""  # the end of the last piece, which may be the beginning of a tag
    rest_in_span = 0  # bytes of the rest that are in the span
    for piece in pieces:
        gap = piece.after_gap
        if gap:
            rest, rest_in_span = b"", 0
        data = rest + piece.data
        data_in_span = len(data) if piece.in_span else rest_in_span
        done = 0
        for tag in _TAG.finditer(data):
            position = piece.position(tag.start() - len(rest))
            yield _Cut(data[done : tag.start()], tag[0], position, tag.start() < data_in_span, gap)
            done, gap = tag.end(), False
        stop = max(done, len(data) - len(LAST) + 1)
        yield _Cut(data[done:stop], b"", piece.position(stop - len(rest)), piece.in_span, gap)
        rest, rest_in_span = data[stop:], max(0, data_in_span - stop)
    if rest:
        yield _Cut(rest, b"", piece.position(len(piece.data)), piece.in_span, False)
