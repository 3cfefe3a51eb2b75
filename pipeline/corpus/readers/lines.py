"""Lines of a text file, each read by exactly one span.

A line belongs to the span that holds the line end *before* it (the first line: to the span that
starts the file). So a span skips to its first line end, and reads on past its last one.
"""

from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from pipeline.corpus.readers.documents import LARGEST, Source, Span, Tally
from pipeline.corpus.readers.encoding import decode, encoding_of, is_wide, narrow, text_pieces
from pipeline.corpus.readers.storage import HEAD, Piece, Place, head

# A first line may be long and have a stray CR: only so much text without LF tells of a CR file.
LONG_LINE = 4 << 20
_OTHER_KIND = "check that the file has line ends and is of the declared format"


_Row = tuple[bytes, Place, bool, bool]  # a line as stored, and what ``Line`` says of it


class Line(NamedTuple):
    """A line without its end."""

    text: str
    place: Place
    own: bool  # false: it belongs to a later span
    gap: bool  # something was lost just before it


def lines(span: Span, source: Source, tally: Tally) -> Iterator[Line]:
    """The lines of the span, then those that follow it: the reader stops when it has enough."""
    encoding = encoding_of(span, source)
    end = b"\n" if is_wide(encoding) else line_end(span)
    encoding = narrow(encoding)
    others = Tally(tally.tolerate)
    for data, place, own, gap in _rows(span, text_pieces(span, source, tally), end, tally):
        # Each span counts what is damaged in its own rows, so that nothing is counted twice.
        text = decode(data.removesuffix(b"\r"), span, place, encoding, tally if own else others)
        yield Line(text, place, own, gap)


def line_ends_before(span: Span, source: Source) -> int:
    """How many lines end before the span: the number of its first own line, less one."""
    earlier = Span(span.path, 0, span.start)
    parts = takewhile(lambda part: part.own, text_pieces(earlier, source, Tally(tolerate=1.0)))
    return sum(part.data.count(line_end(span)) for part in parts)


def line_end(span: Span) -> bytes:
    """LF (with or without CR before it), or CR alone in a file that has CR and no LF."""
    for length in (HEAD, LONG_LINE):
        start = head(span.path, span.member, length)
        if b"\n" in start or b"\r" not in start:
            return b"\n"
    return b"\r"


def _rows(span: Span, parts: Iterator[Piece], end: bytes, tally: Tally) -> Iterator[_Row]:
    unfinished: list[bytes] = []
    length = 0
    place = Place(0, 0)
    own = span.start == 0  # whether the unfinished row is this span's
    skipping = not own  # inside a row that is another span's, or broken, or too long
    gap = False
    for part in parts:
        if part.gap:
            if own and not skipping and length:
                tally.damage(span.label, place.offset, "line that breaks off", length)
                tally.drop("broken line")
            unfinished, length, skipping, gap = [], 0, True, True
        *complete, rest = part.data.split(end)
        index = 0
        for data in complete:
            if not skipping:
                yield b"".join((*unfinished, data)), place, own, gap
                gap = False
            unfinished, length, skipping, own = [], 0, False, part.own
            index += len(data) + len(end)
            place = part.place(index)
        length += len(rest)
        if not skipping:
            unfinished.append(rest)
        if length > LARGEST and own:
            # Counted piece by piece up to the line's end, so that the memory stays flat.
            what = f"line longer than {LARGEST >> 20} MiB"
            tally.damage(span.label, place.offset, what, length, _OTHER_KIND)
            unfinished, length, skipping, gap = [], LARGEST, True, True
    if length and not skipping:
        yield b"".join(unfinished), place, own, gap
