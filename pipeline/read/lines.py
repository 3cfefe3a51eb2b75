"""Lines of a text file, each read by exactly one span.

A line belongs to the span that contains the line end *before* it; the first line belongs to the
span at the start of the file. So a span skips to its first line end, and reads on after its end.
"""

from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from pipeline.read.documents import LARGEST, Source, Span, Tally
from pipeline.read.encoding import decode, encoding_of, is_wide, narrow, text_pieces
from pipeline.read.storage import HEAD, Piece, Place, head

# The first line may be long and contain a stray CR: only this much text without LF has CR ends.
LONG_LINE = 4 << 20
_OTHER_KIND = "check that the file has line ends and is of the declared format"


class RawLine(NamedTuple):
    """A line as stored, without its end."""

    data: bytes
    place: Place
    in_span: bool
    after_gap: bool


class Line(NamedTuple):
    """A line without its end."""

    text: str
    place: Place
    in_span: bool  # false: it belongs to a later span
    after_gap: bool  # something was lost just before it


def lines(span: Span, source: Source, tally: Tally) -> Iterator[Line]:
    """The lines of the span, then the lines that follow, until the reader has enough."""
    encoding = encoding_of(span, source)
    end = b"\n" if is_wide(encoding) else line_end(span)
    encoding = narrow(encoding)
    later = Tally(tally.tolerate)
    for line in _raw_lines(span, text_pieces(span, source, tally), end, tally):
        # A span counts only the damage in its lines, so that nothing is counted twice.
        counted = tally if line.in_span else later
        text = decode(line.data.removesuffix(b"\r"), span, line.place, encoding, counted)
        yield Line(text, line.place, line.in_span, line.after_gap)


def line_ends_before(span: Span, source: Source) -> int:
    """The number of lines that end before the span."""
    earlier = Span(span.path, 0, span.start)
    pieces = text_pieces(earlier, source, Tally(tolerate=1.0))
    end = line_end(span)
    return sum(piece.data.count(end) for piece in takewhile(lambda p: p.in_span, pieces))


def line_end(span: Span) -> bytes:
    """LF (also after CR), or CR in a file that has CR but no LF."""
    for length in (HEAD, LONG_LINE):
        start = head(span.path, span.member, length)
        if b"\n" in start or b"\r" not in start:
            return b"\n"
    return b"\r"


def _raw_lines(span: Span, pieces: Iterator[Piece], end: bytes, tally: Tally) -> Iterator[RawLine]:
    unfinished: list[bytes] = []
    length = 0
    place = Place(0, 0)
    in_span = span.start == 0  # whether the unfinished line belongs to the span
    skipping = not in_span  # in a line that belongs to another span, is broken or is too long
    gap = False
    for piece in pieces:
        if piece.after_gap:
            if in_span and not skipping and length:
                tally.damage(span.label, place.offset, "line that breaks off", length)
                tally.drop("broken line")
            unfinished, length, skipping, gap = [], 0, True, True
        *complete, rest = piece.data.split(end)
        index = 0
        for data in complete:
            if not skipping:
                yield RawLine(b"".join((*unfinished, data)), place, in_span, gap)
                gap = False
            unfinished, length, skipping, in_span = [], 0, False, piece.in_span
            index += len(data) + len(end)
            place = piece.place(index)
        length += len(rest)
        if not skipping:
            unfinished.append(rest)
        if length > LARGEST and in_span:
            # The rest of the line is counted piece by piece, so that memory stays flat.
            what = f"line longer than {LARGEST >> 20} MiB"
            tally.damage(span.label, place.offset, what, length, _OTHER_KIND)
            unfinished, length, skipping, gap = [], LARGEST, True, True
    if length and not skipping:
        yield RawLine(b"".join(unfinished), place, in_span, gap)
