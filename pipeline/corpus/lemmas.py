"""Dictionary forms of words: simplemma's dictionaries, mended by rule where they mislead.

Only types are lemmatised, so a look-up may cost some microseconds.
"""

import re
from collections.abc import Iterator

import simplemma
from simplemma.strategies import DictionaryLookupStrategy
from simplemma.strategies.dictionaries.dictionary_factory import SUPPORTED_LANGUAGES

_DICTIONARY = DictionaryLookupStrategy()


def lemma(word: str, code: str) -> str:
    """The dictionary form; the word itself where the language has no dictionary."""
    if code not in SUPPORTED_LANGUAGES:
        return word
    if code == "hu":
        return _hungarian(word)
    return simplemma.lemmatize(word, lang=code)


# Hungarian. The dictionary was made by hanging endings on a list of words, some of them inflected
# already. So it takes base forms for inflected ones (alma, apple: "its litter"), and takes plurals
# for forms of a possessive (lovak, horses: lova, "his horse"). What simplemma then guesses about
# words outside the dictionary cuts compounds (törvényszék, law court: törvény, law).


_LONG = str.maketrans("ae", "áé")
_SHORT = str.maketrans("áé", "ae")


def _known(word: str) -> str | None:
    found = _DICTIONARY.get_lemma(word, "hu")
    if found is None or (found[0].isupper() and found[0].lower() != word[0]):
        return None  # a name of two words, found by its last: rica, of Costa Rica
    found = found.lower().rstrip(".")
    return found if found.isalpha() else None


# Our, your, my several things: never a base form, whatever the dictionary says (házaink: ház).
_OWNED_SEVERAL = re.compile("(.+[aáeéóőúű])i(?:nk|t[oe]k|[md])")


def _hungarian(word: str) -> str:
    found = _known(word)
    if found and (owned := _OWNED_SEVERAL.fullmatch(found)):
        one = owned[1][:-1] + owned[1][-1].translate(_SHORT)  # háza, macska
        return _hungarian(one) if _known(one) else found
    if found is None:
        return _inflected(word) or _compound(word) or _inflected_name(word) or word
    if found == word or _is_headword(word, found):
        return word
    if plural := _of_plural(word):
        return plural
    found = _unpossessed(word, found)
    stem = _known(found)
    if stem and _PAST_OR_OWNED.fullmatch(found.removeprefix(stem)):
        return _hungarian(found)  # the dictionary took an inflected word for a base form
    return found


_PAST = re.compile("[oeö]?tt?")
_PAST_OR_OWNED = re.compile("[oeö]?tt?|t[ae]|[oeö]?[md]|j?[ae]|j?[ae]i[mdk]?|[uü]k|[uü]nk|[aoe]k")


def _is_headword(word: str, found: str) -> bool:
    """Whether the word has forms of its own, and is not just a past tense or a comparative."""
    if _is_verb(word):
        return True
    is_past = _PAST.fullmatch(word.removeprefix(found)) and _is_verb(found)
    if is_past or word.endswith("bb"):
        return False
    return any(_of_plural(plural) == word for plural in _plurals(word))


def _is_verb(word: str) -> bool:
    return any(_known(word + ending) == word for ending in ("ni", "ani", "eni"))


def _plurals(word: str) -> Iterator[str]:
    if word[-1] in "ae":
        yield word[:-1] + word[-1].translate(_LONG) + "k"
    elif word[-1] in "áéiíóöőúüű":
        yield word + "k"
    else:
        # Some stems shorten their last vowel (szemét, szemetek), some lose it (torok, torkok).
        for stem in (word, word[:-2] + word[-2:].translate(_SHORT), word[:-2] + word[-1]):
            yield from (stem + link + "k" for link in "aoeö")


def _of_plural(plural: str) -> str | None:
    """What the plural is of: its accusative, unlike itself, is never a form of a verb."""
    if plural[-1:] != "k":
        return None
    found = _known(plural + "at") or _known(plural + "et")
    return found if found and len(found) < len(plural) else None


# Endings before which a final a or e stays short.
_NOT_LENGTHENING = ("ként", "kor", "ság", "ség", "i")


def _unpossessed(word: str, found: str) -> str:
    """The lemma, unless it is a possessive that the word cannot be a form of.

    A final a or e is long before almost all endings (lova, lovát), so lovat is no form of lova,
    his horse, but of what lova belongs to.
    """
    ending = word.removeprefix(found)
    if found[-1] not in "ae" or ending == word or ending.startswith(_NOT_LENGTHENING):
        return found
    if found == "maga":
        return found  # himself, and not what belongs to mag, seed
    owner = _of_plural(found + "k") or _known(found[:-1]) or _known(found)
    return owner or found


_OWNER = "(?:j?[aeáé]|[aoeö]?[md]|j?[uü]k|[uü]?nk|[aoe]t[oe]k|j?[ae]i(?:[mdk]|nk|t[oe]k)?|i[mdk]?)"
_CASE = (
    "(?:[aoeö]?t|[bn][ae]|[bn][ae]n|b[óő]l|r[ae]|r[óő]l|t[óő]l|n[ae]k|n[áé]l|h[oeö]z|v[ae]l|ig|ért|"
    "[oeö]?n|ként|kor|[aoeö]?k(?:[ae]t|b[ae]n?|b[óő]l|r[ae]|r[óő]l|t[óő]l|n[ae]k|n[áé]l|h[oeö]z|"
    "k[ae]l|ig|ért|[oe]n)?)"
)
_ENDING = re.compile(f"{_OWNER}?{_CASE}?|i")
_SHORTEST_STEM = 3
_SHORTEST_HEAD = 4


def _inflected(word: str) -> str | None:
    """The lemma of a known stem with endings, the longest stem first."""
    for cut in range(len(word) - 1, _SHORTEST_STEM - 1, -1):
        stem, ending = word[:cut], word[cut:]
        if not _ENDING.fullmatch(ending):
            continue
        if stem[-1] in "áé" and _known(short := stem[:-1] + stem[-1].translate(_SHORT)):
            return _hungarian(short)
        if _known(stem):
            return _hungarian(stem)
    return None


def _compound(word: str) -> str | None:
    """The lemma of a compound: its last part carries the endings. The longest last part first."""
    for cut in range(2, len(word) - _SHORTEST_HEAD + 1):
        if _known(word[cut:]):
            return word[:cut] + _hungarian(word[cut:])
    return None


_NAME_ENDING = re.compile(
    "(?:b[ae]n?|b[óő]l|r[óő]l|t[óő]l|n[ae]k|n[áé]l|h[oeö]z|v[ae]l|(?<=[áé])t)$"
    "|(?<=([bcdfghjklmnprstvz]))\\1[ae]l$"
)


def _inflected_name(word: str) -> str | None:
    """A word that is in no dictionary, without an ending that can hardly be part of it."""
    stem = _NAME_ENDING.sub("", word)
    if stem == word or len(stem) < _SHORTEST_STEM:
        return None
    return stem[:-1] + stem[-1].translate(_SHORT)
