"""Untrusted XML: without declarations of entities, so that nothing can expand or be fetched."""

from collections.abc import Collection, Iterator
from html import unescape
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from pipeline.read.documents import LARGEST, Span, Tally
from pipeline.read.stored import pieces
from wordkin.errors import InputError

DEEPEST = 200
"""Elements inside each other: no text has as many."""


def refusal(path: str) -> InputError:
    """The error for XML that declares a document type, which no corpus needs."""
    return InputError(
        f"{path} is not read because its XML declares a document type or entities, which can grow "
        f"without limit: fetch the file from its source."
    )


def tree(text: str, path: str) -> Element:
    """The element that a text consists of; `expat.ExpatError` when it is not well-formed."""
    builder = TreeBuilder()
    _parser(path, builder, may_name_type=False).Parse(text, True)
    return builder.close()


def elements(span: Span, names: Collection[str], tally: Tally) -> Iterator[Element]:
    """The elements of these names in a file, each when it closes: only that one is in memory.

    Elements have names without a prefix. A file may name its document type, but not declare
    anything in it; the type itself is never fetched.
    """
    outermost = _Outermost(names)
    parser = _parser(span.label, outermost, may_name_type=True)
    parser.SkippedEntityHandler = outermost.entity
    parser.UseForeignDTD(False)
    read = 0

    def is_sound() -> bool:
        if outermost.size > LARGEST:
            what, remedy = f"document larger than {LARGEST >> 20} MiB", "look at the file"
            tally.damage(span.label, read, what, outermost.size, remedy)
            tally.drop("too large")
        elif outermost.deepest > DEEPEST:
            tally.damage(span.label, read, "XML nested too deeply", read, "look at the file")
            tally.drop("broken document")
        return outermost.size <= LARGEST and outermost.deepest <= DEEPEST

    try:
        for piece in pieces(span, tally):
            if piece.after_gap:
                break  # what was lost has been counted
            parser.Parse(piece.data, False)
            read += len(piece.data)
            if not is_sound():
                return
            yield from outermost.finished
            outermost.finished.clear()
        else:
            parser.Parse(b"", True)
    except expat.ExpatError as error:
        what = f"XML that is not well-formed ({expat.ErrorString(error.code)})"
        at = max(parser.ErrorByteIndex, 0)
        tally.damage(span.label, at, what, max(read - at, 1))
        tally.drop("broken document")
    yield from outermost.finished


class _Outermost:
    """Builds a tree of each element with one of the names; what is around them is forgotten."""

    def __init__(self, names: Collection[str]) -> None:
        self.finished: list[Element] = []
        self.size = 0  # characters in the open element
        self.deepest = 0
        self._names = names
        self._depth = 0
        self._builder = TreeBuilder()

    def start(self, name: str, attributes: dict[str, str]) -> None:
        name = name.rpartition(":")[2]
        if self._depth or name in self._names:
            self._depth += 1
            self.deepest = max(self.deepest, self._depth)
            self._builder.start(name, attributes)

    def end(self, name: str) -> None:
        if self._depth:
            self._depth -= 1
            self._builder.end(name.rpartition(":")[2])
            if not self._depth:
                self.finished.append(self._builder.close())
                self._builder, self.size = TreeBuilder(), 0

    def data(self, text: str) -> None:
        if self._depth:
            self._builder.data(text)
            self.size += len(text)

    def entity(self, name: str, is_parameter: bool) -> None:
        """An entity of a type that is not fetched; most are those of HTML."""
        character = unescape(f"&{name};")
        self.data(" " if character.startswith("&") else character)


def _parser(
    path: str, target: TreeBuilder | _Outermost, may_name_type: bool
) -> expat.XMLParserType:
    def refuse_type(name: str, system: str | None, public: str | None, declares: bool) -> None:
        if declares or not may_name_type:
            raise refusal(path)

    parser = expat.ParserCreate()
    parser.buffer_text = True
    parser.StartDoctypeDeclHandler = refuse_type
    parser.StartElementHandler = target.start
    parser.EndElementHandler = target.end
    parser.CharacterDataHandler = target.data
    return parser
