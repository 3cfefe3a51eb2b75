"""Encodings: pieces of raw text to characters, and the encoding of a text that declares none.

UTF-8 and UTF-16 are easy to recognize. Each of the older encodings reads the same bytes as other
characters; the one whose characters are the most likely in some language wins. On short subtitles
this finds all of 86 encoded samples, where charset-normalizer 3.4 finds 78.
"""

import codecs
import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from itertools import chain

from pipeline.languages.table import CODE_PAGES, LANGUAGES
from pipeline.read.documents import Source, Span, Tally
from pipeline.read.stored import Piece, Position, head, pieces
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
    return declared_by_mark(head(span)) or "utf-8"


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
            position = piece.position(piece.data.index(b"\0"))
            number = piece.data.count(b"\0") if piece.in_span else 0
            tally.damage(span.label, position.offset, "NUL bytes", number)
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


def decode(raw: bytes, span: Span, position: Position, encoding: str, tally: Tally) -> str:
    """The characters of ``raw``; bytes that cannot be decoded are damage, replaced and counted."""
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        text = raw.decode(encoding, "replace")
        replaced = text.count("\N{REPLACEMENT CHARACTER}")
        likely = _detected(head(span))
        hint = "" if likely == encoding else f" (perhaps {likely})"
        tally.damage(
            span.label,
            position._replace(inner=position.inner + error.start).offset,
            f"bytes that are not {encoding.upper()}",
            replaced,
            remedy=f"declare its encoding with `encoding`{hint}",
        )
        tally.replaced += replaced
        return text


# ── detection ─────────────────────────────────────────────────────────────────────────────────

SAMPLE = 1 << 16

# The shares of small letters, capitals and typographic signs in running text; anything else is a
# surprise. Every ASCII character has the same weight in every language.
_SMALL, _CAPITAL, _SIGN, _SURPRISE = 0.85, 0.1, 0.05, 1e-6
_ASCII = 0.02
# Words do not mix Latin letters with those of another alphabet.
_MIXED = re.compile("[a-zA-Z][\u0370-\u0fff]|[\u0370-\u0fff][a-zA-Z]")
_SIGNS = "“”„‘’‚«»‹›…–—¡¿§°©®·\xa0♪×"


# The characters that make up nearly half of Chinese dialogue, in both standards.
_COMMON_HAN = (
    "的一是不了我你他她在有人大小到说說要就会會好也都没沒吗嗎吧呢知道想看出上下可以很真中天"
    "这這那个個来來去什么麼们們里裡对對为為还還后後时時过過样樣"
)

_Profile = dict[str, float]
"""The logarithm of the share of each character in the text of one language."""


def _fit(profile: _Profile, characters: Counter[str]) -> float:
    surprise, common = math.log(_SURPRISE), math.log(_ASCII)
    return sum(
        number * profile.get(character, common if character.isascii() else surprise)
        for character, number in characters.items()
    )


# The order matters: the UTF-32 mark begins with the UTF-16 mark.
_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
    (codecs.BOM_UTF8, "utf-8"),
)


def declared_by_mark(raw: bytes) -> str | None:
    """The encoding that a byte order mark at the start declares, if there is one."""
    return next((name for mark, name in _MARKS if raw.startswith(mark)), None)


def detect(raw: bytes) -> str:
    """The encoding in which the bytes are most likely text."""
    if declared := declared_by_mark(raw):
        return declared
    # Only UTF-16 has NUL bytes, one in each space and digit.
    even, odd = raw[: 2 * SAMPLE : 2].count(0), raw[1 : 2 * SAMPLE : 2].count(0)
    if max(even, odd) > len(raw[: 2 * SAMPLE]) // 16:
        return "utf-16-be" if even > odd else "utf-16-le"
    if b"\x1b$" in raw and raw.isascii():
        return "iso2022_jp"  # switches alphabets with escape sequences
    return "utf-8" if _is_utf8(raw) else _likeliest(_sample(raw))


# A file may have a million bad lines, and the same beginning each time.
_detected = lru_cache(maxsize=8)(detect)


def _is_utf8(raw: bytes) -> bool:
    """Whether the bytes are UTF-8, apart from a few damaged ones: nothing else looks like it."""
    try:
        raw.decode("utf-8")
        return True
    except UnicodeDecodeError:
        text = _sample(raw).decode("utf-8", "replace")
        strange = sum(not character.isascii() for character in text)
        return text.count("\N{REPLACEMENT CHARACTER}") * 20 < strange


def _sample(raw: bytes) -> bytes:
    """Lines that are not plain ASCII, up to the size of a sample."""
    lines: list[bytes] = []
    size = 0
    for line in raw.split(b"\n"):
        if not line.isascii():
            lines.append(line)
            size += len(line)
            if size > SAMPLE:
                break
    return b"\n".join(lines)


def _likeliest(sample: bytes) -> str:
    def likelihood(encoding: str) -> float:
        text = sample.decode(encoding, "replace")
        characters = Counter(text)
        mixed = len(_MIXED.findall(text)) * math.log(_SURPRISE)
        return mixed + max(_fit(profile, characters) for profile in _profiles()[encoding])

    return max(_profiles(), key=likelihood)


@cache
def _profiles() -> dict[str, list[_Profile]]:
    profiles: dict[str, list[_Profile]] = {}
    for encoding in CODE_PAGES:
        profiles[encoding] = [
            _alphabetic(data.alphabet) for data in LANGUAGES.values() if encoding in data.code_pages
        ]
    # The first level of each East Asian standard has the characters of everyday text.
    kana, kanji, signs = (0xA4, 0xA5), (0xB0, 0xCF), (0xA1, 0xA3)
    japanese = [("euc_jp", *kana, 0.6), ("euc_jp", *kanji, 0.3), ("euc_jp", *signs, 0.1)]
    for encoding, rows in {
        "gb18030": [("gb2312", 0xB0, 0xD7, 0.5), ("gb2312", *signs, 0.1)],
        "big5": [("big5", 0xA4, 0xC6, 0.5), ("big5", *signs, 0.1)],
        "cp949": [("euc_kr", 0xB0, 0xC8, 0.95), ("euc_kr", *signs, 0.05)],
        "cp932": japanese,
        "euc_jp": japanese,
    }.items():
        profiles[encoding] = [_chances((_rows(*row[:3]), row[3]) for row in rows)]
    for encoding in ("gb18030", "big5"):
        profiles[encoding][0] |= _chances([(_COMMON_HAN, 0.4)])
    return profiles


def _alphabetic(letters: str) -> _Profile:
    capitals = {letter.upper() for letter in letters} - set(letters)
    return _chances([(_SIGNS, _SIGN), (capitals, _CAPITAL), (letters, _SMALL)])


def _chances(groups: Iterable[tuple[Iterable[str], float]]) -> _Profile:
    chances: _Profile = {}
    for characters, share in groups:
        members = list(characters)
        chances |= {member: math.log(share / len(members)) for member in members}
    return chances


def _rows(encoding: str, first: int, last: int) -> list[str]:
    """The characters of the double-byte rows with these lead bytes."""
    characters = []
    for lead in range(first, last + 1):
        for trail in range(0x40, 0xFF):
            try:
                characters.append(bytes((lead, trail)).decode(encoding))
            except UnicodeDecodeError:
                continue
    return characters
