"""MediaWiki XML dumps: articles of namespace 0, cleaned to running text.

Pages are cut out of the raw text by their tags (in a dump ``<`` is escaped everywhere else) and
parsed one by one, so that a task can begin anywhere and memory holds one page at a time.
"""

import re
from collections.abc import Iterator
from typing import NamedTuple
from xml.parsers import expat

from pipeline.corpus.readers import wikitext, xml
from pipeline.corpus.readers.documents import Document, Source, Span, Tally
from pipeline.corpus.readers.encoding import decode, encoding_of, narrow, text_pieces
from pipeline.corpus.readers.storage import Piece, Place, head, size, tail

OPENING, CLOSING, LAST = b"<page>", b"</page>", b"</mediawiki>"
REVISION = b"<revision>"

# MediaWiki takes articles up to 2 MiB; escaping and other fields at most multiply that by a few.
LARGEST = 16 << 20

_TAG = re.compile(rb"</?page>|<revision>|</mediawiki>")
_NAMESPACE = re.compile(rb'<namespace key="(-?\d+)"[^>]*>([^<]+)</namespace>')
_LANGUAGE = re.compile(rb'<mediawiki\b[^>]*\bxml:lang="([^"]+)"')
# Any word after the sign: each language has its own. A numbered list has none.
_REDIRECT = re.compile(r"\s*#[^\s\[\]#*|:\d]+\s*:?\s*\[\[[^\]\n]+\]\]")


class Page(NamedTuple):
    """What is used of a ``<page>``."""

    id: str
    title: str
    namespace: str
    redirect: bool
    model: str
    text: str


def splits(path: str, source: Source) -> bool:
    """Pages can be found from anywhere."""
    return True


def check(path: str, tally: Tally, known: bool = False) -> None:
    """See to it that the dump closes: look at its end, unless it is known that it does not."""
    ending = b"" if known else tail(path)
    if ending is not None and LAST not in ending:
        tally.damage(path, size(path), "end of the dump before </mediawiki>", 1)


def read(span: Span, source: Source, tally: Tally) -> Iterator[Document]:
    site = site_of(span.path)
    encoding = narrow(encoding_of(span, source))
    for raw, place in _pages(span, text_pieces(span, source, tally), tally):
        text = decode(raw, span, place, encoding, tally)
        try:
            page = parsed(text, span.path)
        except expat.ExpatError as error:
            what = f"page that is not well-formed XML ({expat.ErrorString(error.code)})"
            tally.damage(span.path, place.offset, what, len(raw))
            tally.drop("broken page")
            continue
        if reason := unwanted(page, site):
            tally.drop(reason)
        else:
            yield Document(page.id, page.title, wikitext.clean(page.text, site))


def unwanted(page: Page, site: wikitext.Site) -> str:
    """Why the page is no article, or nothing."""
    if page.namespace not in ("0", "") or (not page.namespace and site.is_namespaced(page.title)):
        return "namespace"
    if page.redirect or _REDIRECT.match(page.text):
        return "redirect"
    if page.model not in ("wikitext", ""):
        return "not wikitext"
    if site.is_disambiguation(page.text):
        return "disambiguation"
    return ""


def parsed(text: str, path: str) -> Page:
    """The page of a ``<page>`` element."""
    fields: dict[str, str] = {}
    open_elements: list[str] = []
    collected: list[str] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        open_elements.append(name)
        collected.clear()

    def end(name: str) -> None:
        fields["/".join(open_elements)] = "".join(collected)
        open_elements.pop()

    parser = xml.parser(path)
    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.CharacterDataHandler = collected.append
    parser.Parse(text, True)
    return Page(
        fields.get("page/id", ""),
        fields.get("page/title", ""),
        fields.get("page/ns", ""),
        "page/redirect" in fields,
        fields.get("page/revision/model", ""),
        fields.get("page/revision/text", ""),
    )


def site_of(path: str) -> wikitext.Site:
    """What the head of the dump says of its wiki: language and namespaces' names."""
    opening, _, _ = head(path).partition(OPENING)
    if b"<!DOCTYPE" in opening or b"<!ENTITY" in opening:
        raise xml.refusal(path)
    language = _LANGUAGE.search(opening)
    names: dict[int, set[str]] = {}
    for key, name in _NAMESPACE.findall(opening):
        names.setdefault(int(key), set()).add(name.decode("utf-8", "replace"))
    return wikitext.Site(language[1].decode("ascii", "replace") if language else "", names)


class _Growing:
    """A page of which more comes, held up to the largest that is taken.

    A dump of the history has every state that a page was ever in, thousands for some. All but the
    last are let go as they pass, so that no page is too large for being old.
    """

    def __init__(self, start: Place) -> None:
        self.start = start
        self.size = 0
        self._pieces = [OPENING]
        self._before: tuple[int, int] | None = None  # pieces and bytes before the last revision

    @property
    def is_too_large(self) -> bool:
        return self.size > LARGEST

    def add(self, data: bytes) -> None:
        self.size += len(data)
        if self.is_too_large:
            self._pieces.clear()
        else:
            self._pieces.append(data)

    def revise(self) -> bool:
        """Begin a revision; tells whether that lets go of an earlier one."""
        earlier = self._before is not None and not self.is_too_large
        if self._before is None:
            self._before = len(self._pieces), self.size
        elif earlier:
            pieces, self.size = self._before
            del self._pieces[pieces:]
        self.add(REVISION)
        return earlier

    def closed(self) -> bytes:
        return b"".join((*self._pieces, CLOSING))


def _pages(span: Span, parts: Iterator[Piece], tally: Tally) -> Iterator[tuple[bytes, Place]]:
    """The ``<page>`` elements that start in the span."""
    page: _Growing | None = None
    closed = False  # the dump has come to its end
    between = False  # right after a page, where nothing but space may stand
    for cut in _cuts(parts):
        if cut.gap:
            _refuse_unclosed(page, span, tally)
            page, between = None, False
        if page:
            page.add(cut.before)
        elif between and cut.before.strip():
            what = "text between the pages"
            tally.damage(span.path, cut.place.offset, what, len(cut.before) if cut.own else 0)
        if cut.tag == OPENING:
            _refuse_unclosed(page, span, tally)
            if not cut.own:
                return
            page = _Growing(cut.place)
        elif cut.tag == REVISION and page:
            if page.revise():
                tally.drop("earlier revision")
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
        if page is None and not cut.own:
            return
    _refuse_unclosed(page, span, tally)
    if span.end is None and not closed:
        # A later span may hold no text at all: then the end of the file tells.
        check(span.path, tally, known=span.start == 0)


def _refuse_unclosed(page: _Growing | None, span: Span, tally: Tally) -> None:
    if page:
        tally.damage(span.path, page.start.offset, "page that does not close", page.size)
        tally.drop("broken page")


class _Cut(NamedTuple):
    """Raw text up to a tag, or up to where more must be read to know."""

    before: bytes
    tag: bytes
    place: Place  # of the tag
    own: bool  # whether the tag (without one: the text) is the span's
    gap: bool  # something was lost just before this cut


def _cuts(parts: Iterator[Piece]) -> Iterator[_Cut]:
    held = b""  # the end of what was read: it may hold the beginning of a tag
    held_own = 0
    for part in parts:
        gap = part.gap
        if gap:
            held, held_own = b"", 0
        data = held + part.data
        own = len(data) if part.own else held_own
        done = 0
        for tag in _TAG.finditer(data):
            place = part.place(tag.start() - len(held))
            yield _Cut(data[done : tag.start()], tag[0], place, tag.start() < own, gap)
            done, gap = tag.end(), False
        stop = max(done, len(data) - len(LAST) + 1)
        yield _Cut(data[done:stop], b"", part.place(stop - len(held)), part.own, gap)
        held, held_own = data[stop:], max(0, own - stop)
    if held:
        yield _Cut(held, b"", part.place(len(part.data)), part.own, False)
