"""The form of a word: the one place that decides which spellings are the same word.

Corpora, gold sets, boards, lemmas and queries all come here, so a word that a person types has the
form that the pipeline counted. What is particular to a language is data, with the reason beside it:

    normal("Istanbul", "tr")  →  "ıstanbul"        normal("’Tis", "en")  →  "'tis"
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

# Format characters inside words: soft hyphens, joiners, direction marks, byte order marks; and the
# Arabic stroke that only stretches a word.
_INVISIBLE = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u0640\u180e"
# Signs that stand for the same mark inside a word, and the one that is kept.
_SAME_MARK = str.maketrans("\u2019\u05f3\u05f4", "''\"")
_INNER_APOSTROPHE = re.compile(r"(?<=\w)\u02bc(?=\w)")

# Vowel signs that nearly all text leaves out: with or without them it is the same word.
_ARABIC_VOWELS = "\u064b-\u0652\u0670"
_HEBREW_VOWELS = "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"

_IRISH_PREFIX = re.compile("^[tn](?=[AEIOUÁÉÍÓÚ])")
_LITHUANIAN_DOT = re.compile("([IJ]\N{COMBINING OGONEK}?)(?=[\u0300\u0301\u0303])")


def _turkish(text: str) -> str:
    # A capital I is the capital of the dotless ı, and İ that of i.
    return text.replace("I", "ı").replace("İ", "i").lower()


def _irish(text: str) -> str:
    # What grammar puts before a capital vowel is not part of the word: an tAthair, na nÉan.
    return _IRISH_PREFIX.sub("", text).lower()


def _lithuanian(text: str) -> str:
    # The dot stays under an accent: Ì is i with dot and grave.
    return _LITHUANIAN_DOT.sub(r"\1" + "\u0307", unicodedata.normalize("NFD", text)).lower()


def _persian(text: str) -> str:
    # Keyboards made for Arabic have its yeh and kaf.
    return text.replace("ي", "ی").replace("ك", "ک").lower()


@dataclass(frozen=True)
class Form:
    """How a language writes one word in several ways.

    Attributes
    ----------
    lower : callable
        Lower case by the rules of the language.
    omitted : str
        Signs that come and go without making another word, as a range of a regular expression.
    """

    lower: Callable[[str], str] = str.lower
    omitted: str = ""

    def normal(self, word: str) -> str:
        """The one form in which a word is counted and looked up."""
        word = _omission(self.omitted).sub("", word).translate(_SAME_MARK)
        word = _INNER_APOSTROPHE.sub("'", word)
        return unicodedata.normalize("NFC", self.lower(unicodedata.normalize("NFC", word)))


FORMS: dict[str, Form] = {
    "az": Form(_turkish),
    "crh": Form(_turkish),
    "tr": Form(_turkish),
    "ga": Form(_irish),
    "lt": Form(_lithuanian),
    "ar": Form(omitted=_ARABIC_VOWELS),
    "arz": Form(omitted=_ARABIC_VOWELS),
    "ps": Form(omitted=_ARABIC_VOWELS),
    "ckb": Form(_persian, _ARABIC_VOWELS),
    "fa": Form(_persian, _ARABIC_VOWELS),
    "ur": Form(_persian, _ARABIC_VOWELS),
    "he": Form(omitted=_HEBREW_VOWELS),  # not in Yiddish, where they tell letters apart
}
"""What is particular to a language; all others have the default."""


def base(code: str) -> str:
    """The language of a tag with region or script: pt of pt-BR, tr of tr_TR, zh of zh-Hant."""
    return re.split("[-_]", code.lower(), maxsplit=1)[0]


def form_of(code: str) -> Form:
    """The form of words in the language of a tag; any tag will do."""
    return FORMS.get(base(code), Form())


def normal(word: str, language: str) -> str:
    """The form of a word that a person typed, by the rules of `language`."""
    return form_of(language).normal(word.strip())


@cache
def _omission(omitted: str) -> re.Pattern[str]:
    return re.compile(f"[{_INVISIBLE}{omitted}]")
