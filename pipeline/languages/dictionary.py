"""What simplemma's dictionaries say of a word: its lemma, and whether it is a word at all.

Each distinct word is looked up once, so that may take some microseconds.
"""

import re
from collections.abc import Iterator
from functools import lru_cache

import simplemma
from simplemma.strategies import DictionaryLookupStrategy
from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES

_DICTIONARY = DictionaryLookupStrategy()

_REMEMBERED = 1 << 16
"""Several questions about a word ask for the same forms of it, each with dozens of look-ups."""


def lemma(word: str, code: str) -> str:
    """The dictionary form of a word, by simplemma's code of the language.

    It is the word itself in a language without a dictionary.
    """
    return simplemma.lemmatize(word, lang=code) if code in SUPPORTED_LANGUAGES else word


def has_dictionary(code: str) -> bool:
    """Whether there is a dictionary, by simplemma's code of the language."""
    return code in SUPPORTED_LANGUAGES


def is_word(word: str, code: str, names: bool = False) -> bool:
    """Whether the dictionary has a word and not only a name of this spelling.

    With `names` a name counts, too: in German all nouns look like names. A form that the Hungarian
    dictionary mistakes for a base form is not a word.
    """
    entry = _DICTIONARY.get_lemma(word, code)
    if entry is None or (entry[:1].isupper() and not names):
        return False
    return code != "hu" or not (_is_form(word) or _is_form(word.removeprefix("leg")))


def is_base_form(word: str, code: str) -> bool:
    """Whether the dictionary has a word as the base form of itself.

    The Hungarian dictionary must have other forms of it, too (almákat, of alma).
    """
    return _inflects(word) if code == "hu" else _DICTIONARY.get_lemma(word, code) == word


_SHORTEST_FIRST, _SHORTEST_LAST = 2, 3
"""The letters of the first part of a compound (be-dug), and of the last one."""


def is_compound(word: str, code: str, derivations: frozenset[str] = frozenset()) -> bool:
    """Whether a word consists of two words of the dictionary, or of one and a derivation."""
    if code == "hu" and _is_form(word):
        return False
    for cut in range(_SHORTEST_FIRST, len(word)):
        first, last = word[:cut], word[cut:]
        if last in derivations:
            short = first[:-1] + first[-1].translate(SHORT_VOWELS)  # gombá-s: gomba
            if len(first) >= SHORTEST_STEM and (is_word(first, code) or is_word(short, code)):
                return True
        elif len(last) >= _SHORTEST_LAST and is_word(last, code) and is_word(first, code):
            return True
    return False


# Hungarian. The dictionary was made by adding endings to a list of words, and some of these were
# already inflected. So many of its base forms are forms of other words (csokra, of csokor), which
# these rules find: a base form has forms of its own, or looks like no form of another word.

SHORTEST_STEM = 3
_LONG = str.maketrans("ae", "áé")
SHORT_VOWELS = str.maketrans("áé", "ae")


def _known(word: str) -> str | None:
    """The lemma of a word in the dictionary; None when the dictionary does not have the word."""
    entry = _DICTIONARY.get_lemma(word, "hu")
    if entry is None or (entry[0].isupper() and entry[0].lower() != word[0]):
        return None  # the last word of a name: rica, of Costa Rica
    lemma = entry.lower().rstrip(".")
    return lemma if lemma.isalpha() else None


_FORM_ENDING = re.compile(
    "j?[ae]i?|j?[ae]i(?:[mdk]|nk|t[oeö]k)|[aoeö]?[md]|j?[uü]k|[uü]nk|[aoeö]?t[oeö]k|h[ae]t|"
    "[ae]t|[aeo]?t[ae]t(?:ik)?|(?:t[ae]|[oeö])?tt?(?:[ae][mk]?|[uü]nk|[áé]l)?|v[ae]|v[áé]n|j[oeö]n|"
    "l[ae]k|ni"
)
_AFTER_LONG = re.compile("i?(?:[mdk]|nk|t[oe]k)?|j[aeáé]i?[mdk]?|[bnr][ae]n?|t|v[ae]l")


@lru_cache(_REMEMBERED)
def _is_form(word: str) -> bool:
    """Whether a word is another one with the ending of an owner or a verb, and not a base form."""
    if _inflects(word):
        return False
    for cut in range(SHORTEST_STEM, len(word)):
        stem, ending = word[:cut], word[cut:]
        if stem[-1] in "áé" and _AFTER_LONG.fullmatch(ending):
            if _known(stem[:-1] + stem[-1].translate(SHORT_VOWELS)):  # palotá-d: palota
                return True
        elif _FORM_ENDING.fullmatch(ending):
            links = (f"{stem}{link}k" for link in "aoeö")  # csokr-a: csokrok, csokor
            if _known(stem) or _known(f"{stem}ik") or any(map(_of_plural, links)):
                return True
    return False


@lru_cache(_REMEMBERED)
def _inflects(word: str) -> bool:
    """Whether the dictionary has forms of a word: almákat, of alma; kapálni, of kapál."""
    if len(word) < 2:
        return False
    stem = word.removesuffix("ik")
    is_verb = any(_known(stem + ending) == word for ending in ("ni", "ani", "eni"))
    return is_verb or any(_of_plural(plural) == word for plural in _plurals(word))


def _plurals(word: str) -> Iterator[str]:
    if word[-1] in "ae":
        yield word[:-1] + word[-1].translate(_LONG) + "k"
    elif word[-1] in "áéiíóöőúüű":
        yield word + "k"
    else:
        # Some stems shorten their last vowel (szemét, szemetek), others lose it (torok, torkok).
        for stem in (word, word[:-2] + word[-2:].translate(SHORT_VOWELS), word[:-2] + word[-1]):
            yield from (stem + link + "k" for link in "aoeö")


def _of_plural(plural: str) -> str | None:
    """The singular of a plural, looked up by the accusative, which is never a form of a verb."""
    if plural[-1:] != "k":
        return None
    singular = _known(plural + "at") or _known(plural + "et")
    return singular if singular and len(singular) < len(plural) else None
