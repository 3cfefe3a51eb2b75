"""One spelling for one word: how typed words are brought to the form the vocabulary has."""

from __future__ import annotations

import unicodedata

# In these languages a capital I is the capital of the dotless ı, and İ that of i.
DOTLESS_I = frozenset({"az", "tr"})


def normal(word: str, language: str) -> str:
    """`word` composed (NFC) and in lower case by the rules of `language`."""
    word = unicodedata.normalize("NFC", word.strip())
    if language.split("-")[0] in DOTLESS_I:
        word = word.replace("I", "ı").replace("İ", "i")
    return unicodedata.normalize("NFC", word.lower())
