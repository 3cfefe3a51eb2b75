"""The form of a word: the one module that decides which spellings are the same word.

Corpora, gold sets, boards, lemmas and queries all use it, so a word that a person types has the
form that the pipeline counted:

    normal("Istanbul", "tr")  →  "ıstanbul"        normal("’Tis", "en")  →  "'tis"

What is special about a language is data, in `FORMS`. How a text is split into words is not decided
here but in `pipeline.languages`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, lru_cache

# Invisible characters inside words (soft hyphens, joiners, direction marks, byte order marks), and
# the Arabic stroke, which only stretches a word.
_INVISIBLE = "\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufeff\u0640\u180e"
# Typographic and Hebrew marks, written as their ASCII counterparts.
_SAME_MARK = str.maketrans("\u2019\u05f3\u05f4", "''\"")
_INNER_APOSTROPHE = re.compile(r"(?<=\w)\u02bc(?=\w)")

# Vowel signs that most text leaves out: a word is the same with and without them.
_ARABIC_VOWELS = "\u064b-\u0652\u0670"
_HEBREW_VOWELS = "\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"

_TAG = re.compile(r"[A-Za-z]{2,3}([-_][A-Za-z0-9]+)*")

_IRISH_PREFIX = re.compile(r"(?<!\S)[tn](?=[AEIOUÁÉÍÓÚ])")
_LITHUANIAN_DOT = re.compile("([IJ]\N{COMBINING OGONEK}?)(?=[\u0300\u0301\u0303])")

UZBEK_MARK = re.compile("(?<=[og])['`\u2018\u2019\u02bc]", re.IGNORECASE)
"""The mark of the letters oʻ and gʻ, typed as any apostrophe."""
UZBEK_LETTER = "\u02bb"


def _turkish(text: str) -> str:
    # I is the capital of the dotless ı, and İ is the capital of i.
    return text.replace("I", "ı").replace("İ", "i").lower()


def _irish(text: str) -> str:
    # Before a capital vowel, t and n come from grammar, not from the word: an tAthair, na nÉan.
    return _IRISH_PREFIX.sub("", text).lower()


def _lithuanian(text: str) -> str:
    # The dot of i and j stays below an accent: Ì becomes i with a dot and a grave accent.
    return _LITHUANIAN_DOT.sub(r"\1" + "\u0307", unicodedata.normalize("NFD", text)).lower()


def _persian(text: str) -> str:
    # Arabic keyboards type the Arabic yeh and kaf in place of the Persian letters.
    return text.replace("ي", "ی").replace("ك", "ک").lower()


def _uzbek(text: str) -> str:
    return UZBEK_MARK.sub(UZBEK_LETTER, text).lower()


@dataclass(frozen=True)
class Form:
    """The spellings that count as one word in a language.

    Attributes
    ----------
    lower : callable
        Lower case by the rules of the language, for text in Unicode's NFC form.
    omitted : str
        Signs that do not make another word, as the inside of a regular expression's ``[...]``.
    by_letter : bool
        Whether `lower` looks at each letter alone (but for the last sigma of a Greek word).
    """

    lower: Callable[[str], str] = str.lower
    omitted: str = ""
    by_letter: bool = True

    def normal(self, word: str) -> str:
        """The one form in which a word is counted and looked up.

        Parameters
        ----------
        word : str
            A word in any spelling; several words keep the spaces between them.

        Returns
        -------
        str
            The normal form, which is its own normal form.
        """
        # NFC comes first, because it takes apart letters that contain omitted signs (Hebrew שׁ).
        word = _omission(self.omitted).sub("", unicodedata.normalize("NFC", word)).strip()
        word = _INNER_APOSTROPHE.sub("'", word.translate(_SAME_MARK))
        return unicodedata.normalize("NFC", self.lower(unicodedata.normalize("NFC", word)))


FORMS: dict[str, Form] = {
    "az": Form(_turkish),
    "crh": Form(_turkish),
    "tr": Form(_turkish),
    "ga": Form(_irish, by_letter=False),
    "lt": Form(_lithuanian, by_letter=False),
    "uz": Form(_uzbek, by_letter=False),
    "ar": Form(omitted=_ARABIC_VOWELS),
    "arz": Form(omitted=_ARABIC_VOWELS),
    "ps": Form(omitted=_ARABIC_VOWELS),
    "ckb": Form(_persian, _ARABIC_VOWELS),
    "fa": Form(_persian, _ARABIC_VOWELS),
    "ur": Form(_persian, _ARABIC_VOWELS),
    "he": Form(omitted=_HEBREW_VOWELS),  # but not Yiddish, where they distinguish letters
}
"""The languages with rules of their own; all others use `Form()`."""


def is_tag(code: str) -> bool:
    """Whether a string could name a language: two or three letters, then regions or scripts.

    Parameters
    ----------
    code : str
        Any string.

    Returns
    -------
    bool
        True for ``en``, ``pt-BR`` and ``zh_Hant``; False for ``english`` and ``a path``.
    """
    return _TAG.fullmatch(code) is not None


def tag(code: str) -> str:
    """The canonical spelling of a language tag.

    Parameters
    ----------
    code : str
        A language code, with or without a region or script.

    Returns
    -------
    str
        The tag in lower case with hyphens: ``pt-br`` for ``pt_BR``.
    """
    return code.lower().replace("_", "-")


def base(code: str) -> str:
    """The language of a tag, without its region or script.

    Parameters
    ----------
    code : str
        A language code or tag.

    Returns
    -------
    str
        The code of the language: ``pt`` for ``pt-BR``, ``tr`` for ``tr_TR``, ``zh`` for
        ``zh-Hant``.
    """
    return tag(code).partition("-")[0]


def form_of(code: str) -> Form:
    """The form of words in a language.

    Parameters
    ----------
    code : str
        A language code or tag; an unknown one gets the default rules.

    Returns
    -------
    Form
        The rules of the language.
    """
    return FORMS.get(base(code), Form())


@lru_cache(maxsize=65_536)  # games look up the same cards again and again
def normal(word: str, language: str) -> str:
    """The normal form of a word that a person typed.

    Parameters
    ----------
    word : str
        The word, in any spelling.
    language : str
        A language code or tag.

    Returns
    -------
    str
        The form in which the word is counted and looked up.
    """
    return form_of(language).normal(word)


@cache
def _omission(omitted: str) -> re.Pattern[str]:
    return re.compile(f"[{_INVISIBLE}{omitted}]")
