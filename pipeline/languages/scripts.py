"""What the script alone decides, whatever the language."""

import re

# Scripts that write words without spaces between them.
_UNSPACED = re.compile(
    "[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf"
    "\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)


def is_unspaced(text: str) -> bool:
    """Whether the text is in a script that writes words without spaces."""
    return _UNSPACED.search(text) is not None


# The common case needs no segmentation library: one or more words in scripts whose consecutive
# letters ICU never separates, all in normal form, between signs at which it always separates (an
# apostrophe too, next to another sign).
_LETTERS = (
    "A-Za-zÀ-ÖØ-öø-ɏΆΈ-Ίΰ-ώЀ-ҁҊ-ӿԱ-Ֆա-ֆა-ჰ"  # Latin, Greek, Cyrillic, Armenian, Georgian
    "\u0620-\u063f\u0641-\u064a\u0671-\u06d3"  # Arabic without its stroke and vowel signs
)
_WORD = (
    f"(?:[{_LETTERS}]++"
    "|[\u0904-\u0939\u0958-\u0961][\u0900-\u0963]*+"  # Devanagari with its vowel signs
    "|[가-힣]++)"
)
_SIGN = r" !-&(-/:-@\[-`{-~«»–—“”„…،؛؟।"
WORDS = re.compile(_WORD)
IS_LETTER = re.compile(f"[{_LETTERS}]")
PLAIN_WORD = re.compile(rf"[{_SIGN}']*+({_WORD})[{_SIGN}'’]*+")
_signs = [chr(point) for point in range(0x3000) if re.match(f"[{_SIGN}]", chr(point))]
LEADING_SIGNS = frozenset([*_signs, "'"])
TRAILING_SIGNS = frozenset([*_signs, "'", "’"])
PLAIN_WORDS = re.compile(
    rf"[{_SIGN}']*+{_WORD}(?:['’]*+[{_SIGN}][{_SIGN}'’]*+{_WORD})*+[{_SIGN}'’]*+"
)

# A letter of an alphabet: Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic. A single sign
# of any other script is a syllable or a word.
LETTER = re.compile(
    "[A-Za-zªµºÀ-ÖØ-öø-ʯͰ-ϿЀ-ԯԱ-ևא-ת\u0620-\u064a\u0671-\u06d3ა-ჿḀ-ỿἀ-\u1fffⱠ-Ɀ\ua640-\ua69f]"
)
