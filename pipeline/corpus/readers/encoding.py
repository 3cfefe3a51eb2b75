"""From stored pieces to characters: encodings, byte order marks, NUL bytes."""

import codecs
from collections.abc import Iterator
from itertools import chain

from pipeline.corpus.readers import charset
from pipeline.corpus.readers.documents import Source, Span, Tally
from pipeline.corpus.readers.storage import Piece, Place, head, pieces
from wordkin.errors import InputError

BOM = codecs.BOM_UTF8


def encoding_of(span: Span, source: Source) -> str:
    """The declared encoding, else what the byte order mark says, else UTF-8."""
    if source.encoding:
        try:
            return codecs.lookup(source.encoding).name
        except LookupError:
            raise InputError(
                f"{source.name}: `encoding: {source.encoding}` is not an encoding that Python "
                f"knows; say for example utf-8, cp1250 or gb18030."
            ) from None
    return charset.declared_by_mark(head(span.path, span.member)) or "utf-8"


def is_wide(encoding: str) -> bool:
    """Whether bytes of a line end occur inside other characters (UTF-16, UTF-32, UTF-7)."""
    return encoding.startswith(("utf-16", "utf-32", "utf-7"))


def narrow(encoding: str) -> str:
    """The encoding of ``text_pieces``: wide ones come out as UTF-8."""
    return "utf-8" if is_wide(encoding) else encoding


def text_pieces(span: Span, source: Source, tally: Tally) -> Iterator[Piece]:
    """Pieces in an encoding in which line ends and markup are single bytes, without NUL bytes."""
    encoding = encoding_of(span, source)
    parts = pieces(span, tally)
    if is_wide(encoding):
        parts = _narrowed(span.label, parts, encoding, tally)
    at_start = span.start == 0
    for part in parts:
        if at_start and part.data.startswith(BOM):
            part = part._replace(data=part.data[len(BOM) :], inner=part.inner + len(BOM))
        at_start = False
        if b"\0" in part.data:
            at = part.place(part.data.index(b"\0"))
            number = part.data.count(b"\0") if part.own else 0
            tally.damage(span.label, at.offset, "NUL bytes", number)
            part = part._replace(data=part.data.replace(b"\0", b""))
        yield part


def _narrowed(path: str, parts: Iterator[Piece], encoding: str, tally: Tally) -> Iterator[Piece]:
    """The same text in UTF-8. Only whole files come here: a wide encoding is not split."""
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    inner = 0
    for part in chain(parts, [None]):
        text = decoder.decode(part.data) if part else decoder.decode(b"", final=True)
        if replaced := text.count("\N{REPLACEMENT CHARACTER}"):
            tally.damage(path, inner, f"bytes that are not {encoding.upper()}", replaced)
            tally.replaced += replaced
        data = text.encode()
        yield Piece(data, 0, inner, True, part.gap if part else False)
        inner += len(data)


def decode(raw: bytes, span: Span, place: Place, encoding: str, tally: Tally) -> str:
    """The characters of ``raw``; what is not in the encoding is damage, replaced and counted."""
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        text = raw.decode(encoding, "replace")
        replaced = text.count("\N{REPLACEMENT CHARACTER}")
        likely = charset.detect(head(span.path, span.member))
        hint = "" if likely == encoding else f" (perhaps {likely})"
        tally.damage(
            span.label,
            place._replace(inner=place.inner + error.start).offset,
            f"bytes that are not {encoding.upper()}",
            replaced,
            remedy=f"say with `encoding` what it is in{hint}",
        )
        tally.replaced += replaced
        return text
