"""Detect the encoding of a text that does not declare it.

UTF-8 and UTF-16 are easy to recognize. Each of the older encodings reads the same bytes as other
characters; the one whose characters are the most likely in some language wins.
"""

import codecs
import math
import re
from collections import Counter
from collections.abc import Iterable
from functools import cache

from pipeline.languages.table import CODE_PAGES, LANGUAGES

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
