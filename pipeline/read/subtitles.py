"""Subtitle files of every common syntax, or a zip of them: one document per film.

SubRip, WebVTT, SubStation Alpha, MicroDVD, SubViewer, MPlayer and SAMI files are recognized by
their content, because real files often have the wrong suffix.
"""

import re
from collections.abc import Iterable, Iterator
from html import unescape
from pathlib import PurePosixPath

from pipeline.languages.table import LANGUAGES, is_unspaced
from pipeline.read.documents import Document, Source, Span, Tally
from pipeline.read.encodings import decode, detect, encoding_of
from pipeline.read.stored import Position, head, joined, pieces, uncompressed

SUFFIXES = (".srt", ".vtt", ".ass", ".ssa", ".sub", ".smi")
LARGEST = 16 << 20  # bytes: a hundred times the captions of the longest film
_PICTURES = (b"\x00\x00\x01\xba", b"PG")  # VobSub and Blu-ray subtitles


def splits(path: str, source: Source) -> bool:
    """A film is one document."""
    return False


def is_named(name: str) -> bool:
    """Whether a file has the name of a subtitle file."""
    return uncompressed(name).lower().endswith(SUFFIXES)


def has_captions(span: Span) -> bool:
    """Whether the text has captions with their times."""
    raw = head(span)
    text = raw.decode(detect(raw), "replace").removeprefix("\ufeff")
    return next(captions(text), None) is not None


def read(span: Span, source: Source, tally: Tally) -> Iterator[Document]:
    """The film of the span."""
    if not is_named(span.file_name) and not has_captions(span):
        tally.drop("not subtitles")  # folders of films also have notes and pictures
        return
    raw = joined(span, pieces(span, tally), tally, LARGEST)
    if not raw:
        return
    if raw.startswith(_PICTURES):
        tally.damage(span.label, 0, "pictures instead of text", len(raw), "find a text version")
        tally.drop("pictures")
        return
    encoding = encoding_of(span, source) if source.encoding else detect(raw)
    text = decode(raw, span, Position(0, 0), encoding, tally).removeprefix("\ufeff")
    if "\0" in text:
        tally.damage(span.label, text.index("\0"), "NUL bytes", text.count("\0"))
        text = text.replace("\0", "")
    if next(captions(text), None) is None:
        tally.damage(
            span.label, 0, "text without the times of captions", len(raw), "look at the file"
        )
        tally.drop("broken document")
        return
    spoken = "\n".join(film(text, tally))
    yield Document(span.name, PurePosixPath(span.name).stem, spoken)


# ── captions ──────────────────────────────────────────────────────────────────────────────────

# No pattern may try the same letters twice: a line of a million of them would take forever.
_TIMING = re.compile(r"\s*-?(?:\d+:)?\d+:\d+(?:[.,:]\d*)?\s*-->\s*-?(?:\d+:)?\d+:\d+")
_FRAMES = re.compile(r"\s*[{\[](\d+)[}\]][{\[](\d*)[}\]]")
_VIEWER = re.compile(r"\s*\d+:\d+:\d+[.:]\d+\s*,\s*\d+:\d+:\d+[.:]\d+\s*$")
_PLAYER = re.compile(r"\s*\d+:\d+:\d+[:=]")
_SYNC = re.compile(r"<sync\s+start\s*=[^<>]*>", re.IGNORECASE)
_EVENT = re.compile(r"\s*Dialogue:\s*([^,]*,\s*\d+:\d+:\d+.*)", re.IGNORECASE)
_FIELDS_BEFORE_TEXT = 9  # of an event, in a file that does not list the fields


def captions(text: str) -> Iterator[str]:
    """The captions of a subtitle file, each on one line; none when it is not a subtitle file."""
    lines = text.splitlines()
    if any(_TIMING.match(line) for line in lines):
        yield from _timed(lines, _TIMING, is_webvtt=text.startswith("WEBVTT"))
    elif any(_EVENT.match(line) for line in lines):
        yield from _events(lines)
    elif _SYNC.search(text):
        yield from (" ".join(caption.split()) for caption in _SYNC.split(text)[1:])
    elif _mostly(_FRAMES, lines):
        yield from (_FRAMES.sub("", line, count=1).replace("|", " ") for line in lines)
    elif any(map(_VIEWER.match, lines)):
        yield from (caption.replace("[br]", " ") for caption in _timed(lines, _VIEWER))
    elif _mostly(_PLAYER, lines):
        yield from (_PLAYER.sub("", line, count=1).replace("|", " ") for line in lines)


def _mostly(pattern: re.Pattern[str], lines: list[str]) -> bool:
    """Whether at least a quarter of the lines match: a few may match by chance, as in a log."""
    written = [line for line in lines if line.strip()]
    return bool(written) and 4 * sum(map(bool, map(pattern.match, written))) >= len(written)


def _timed(lines: Iterable[str], timing: re.Pattern[str], is_webvtt: bool = False) -> Iterator[str]:
    """The text after each timing line, without the index or name of the next caption."""
    caption: list[str] | None = None  # None: before the first timing, or in a WebVTT block
    after_blank = previous_blank = False
    for line in map(str.strip, lines):
        if timing.match(line):
            if caption and (caption[-1].isdigit() or (is_webvtt and after_blank)):
                caption.pop()
            if caption:
                yield " ".join(caption)
            caption = []
        elif is_webvtt and _BLOCK.match(line):
            if caption:
                yield " ".join(caption)
            caption = None
        elif caption is not None and line:
            after_blank = previous_blank
            caption.append(line)
        previous_blank = not line
    if caption:
        yield " ".join(caption)


# Comments and styles of WebVTT, which last until the next timing.
_BLOCK = re.compile(r"(?:NOTE|STYLE|REGION)\b")


def _events(lines: Iterable[str]) -> Iterator[str]:
    before = _FIELDS_BEFORE_TEXT
    for line in lines:
        if line.lower().startswith("format:") and "text" in line.lower():
            before = line.count(",")
        elif event := _EVENT.match(line):
            text = event[1].split(",", before)[-1]
            if not _DRAWING.search(text):
                yield _ESCAPE.sub(" ", text)


_DRAWING = re.compile(r"\{[^{}]*\\p[1-9]")
_ESCAPE = re.compile(r"\\[Nnh]")

_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_TAG = re.compile(r"<[^<>\n]*>|\{[^{}\n]*\}")
_NOTE = re.compile(r"\[[^\[\]]*\]|\([^()]*\)|（[^（）]*）|【[^【】]*】|［[^［］]*］")
_SIGNS = re.compile(r"[♪♫♬♩#*_~]+")
_SPEAKER = re.compile(r"(?:^|(?<=[-–—] ))[-–—]?\s*([^\s:][^:.!?,]{0,30}):(?=\s)")
_ADDRESS = re.compile(
    # Without country codes that are words: a missing space after a full stop is common.
    r"https?:|\b[Ww]{3}\.|(?<![\w-])[\w-]{3,}\.(?:com|org|net|info|tv|eu|cc|bg|br|cn|cz|dk|fr|gr|hu|ir|jp|"
    r"kr|nl|pl|ro|rs|ru|sk|ua|vn)\b"
)
_MARKED = re.compile(r"[<{\[(（【［♪♫♬♩#*_~:&]")


def spoken(caption: str) -> str:
    """The caption without tags, positions, speakers and notes for the hard of hearing."""
    if not _MARKED.search(caption):
        return caption.strip() if any(map(str.isalpha, caption)) else ""
    caption = _NOTE.sub(" ", unescape(_TAG.sub("", _BREAK.sub(" ", caption))))
    caption = _SPEAKER.sub(lambda match: "" if match[1].isupper() else match[0], caption)
    caption = " ".join(_SIGNS.sub(" ", caption).split())
    return caption if any(map(str.isalpha, caption)) else ""


_CREDIT = re.compile(
    "|".join(
        # Scripts without spaces do not mark where words begin.
        re.escape(beginning) if is_unspaced(beginning) else rf"\b{re.escape(beginning)}"
        for beginning in sorted({words for data in LANGUAGES.values() for words in data.credits})
    ),
    re.IGNORECASE,
)
EDGE = 6  # captions at each end of a film that may be credits
_LONGEST_CREDIT = 500  # letters of a caption that are looked at, for the pattern is slow


def film(text: str, tally: Tally) -> Iterator[str]:
    """What is spoken in a subtitle file, one caption per line; what is left out is counted."""
    shown = [caption for caption in map(str.strip, captions(text)) if caption]
    for index, caption in enumerate(shown):
        at_edge = index < EDGE or index >= len(shown) - EDGE
        if _ADDRESS.search(caption):
            tally.drop("advertisement lines")
        elif at_edge and _CREDIT.search(caption[:_LONGEST_CREDIT]):
            tally.drop("credit lines")
        elif line := spoken(caption):
            yield line
        else:
            tally.drop("note lines")
