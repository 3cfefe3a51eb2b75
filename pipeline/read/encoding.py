"""Pieces of raw text to characters: encodings, byte order marks, NUL bytes."""

import codecs
from collections.abc import Iterator
from functools import lru_cache
from itertools import chain

from pipeline.read import charset
from pipeline.read.documents import Source, Span, Tally
from pipeline.read.storage import Piece, Place, head, pieces
from wordkin.errors import InputError

BOM = codecs.BOM_UTF8


def encoding_of(span: Span, source: Source) -> str:
    """The declared encoding, or that of the byte order mark, or UTF-8."""
    if source.encoding:
        try:
            return codecs.lookup(source.encoding).name
        except LookupError:
            raise InputError(
                f"{source.name}: `encoding: {source.encoding}` is not an encoding that Python "
                f"knows: write for example utf-8, cp1250 or gb18030."
            ) from None
    return charset.declared_by_mark(head(span.path, span.member)) or "utf-8"


def is_wide(encoding: str) -> bool:
    """Whether the bytes of a line end can be part of other characters (UTF-16, UTF-32, UTF-7)."""
    return encoding.startswith(("utf-16", "utf-32", "utf-7"))


def narrow(encoding: str) -> str:
    """The encoding of ``text_pieces``, which converts wide encodings to UTF-8."""
    return "utf-8" if is_wide(encoding) else encoding


def text_pieces(span: Span, source: Source, tally: Tally) -> Iterator[Piece]:
    """Pieces without NUL bytes, in an encoding where line ends and markup are single bytes."""
    encoding = encoding_of(span, source)
    raw = pieces(span, tally)
    if is_wide(encoding):
        raw = _narrowed(span.label, raw, encoding, tally)
    at_start = span.start == 0
    for piece in raw:
        if at_start and piece.data.startswith(BOM):
            piece = piece._replace(data=piece.data[len(BOM) :], inner=piece.inner + len(BOM))
        at_start = False
        if b"\0" in piece.data:
            place = piece.place(piece.data.index(b"\0"))
            number = piece.data.count(b"\0") if piece.in_span else 0
            tally.damage(span.label, place.offset, "NUL bytes", number)
            piece = piece._replace(data=piece.data.replace(b"\0", b""))
        yield piece


def _narrowed(path: str, raw: Iterator[Piece], encoding: str, tally: Tally) -> Iterator[Piece]:
    """The same text in UTF-8, of a whole file: files in wide encodings are not cut."""
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    inner = 0
    for piece in chain(raw, [None]):
        text = decoder.decode(piece.data) if piece else decoder.decode(b"", final=True)
        if replaced := text.count("\N{REPLACEMENT CHARACTER}"):
            tally.damage(path, inner, f"bytes that are not {encoding.upper()}", replaced)
            tally.replaced += replaced
        data = text.encode()
        yield Piece(data, 0, inner, True, piece.after_gap if piece else False)
        inner += len(data)


# A file may have a million bad lines, and the same beginning each time.
_detected = lru_cache(maxsize=8)(charset.detect)


def decode(raw: bytes, span: Span, place: Place, encoding: str, tally: Tally) -> str:
    """The characters of ``raw``; bytes that cannot be decoded are damage, replaced and counted."""
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        text = raw.decode(encoding, "replace")
        replaced = text.count("\N{REPLACEMENT CHARACTER}")
        likely = _detected(head(span.path, span.member))
        hint = "" if likely == encoding else f" (perhaps {likely})"
        tally.damage(
            span.label,
            place._replace(inner=place.inner + error.start).offset,
            f"bytes that are not {encoding.upper()}",
            replaced,
            remedy=f"declare its encoding with `encoding`{hint}",
        )
        tally.replaced += replaced
        return text
