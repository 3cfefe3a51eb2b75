"""The words, stop words and lemmas of one language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property, lru_cache

import stopwordsiso
from icu4py.breakers import WordBreaker
from icu4py.locale import Locale

from pipeline.languages import dictionary
from pipeline.languages.analysers import Analyser, analyser
from pipeline.languages.table import data_of, simplemma_code, stopwordsiso_code
from wordkin.words import base, form_of

CACHED = 1 << 18
"""Runs of text and spellings that are remembered: most of them occur many times."""

LONGEST_CACHED = 32
"""The letters of a remembered run: longer ones hardly ever occur again."""

LETTER = re.compile(
    "[A-Za-zªµºÀ-ÖØ-öø-ʯͰ-ϿЀ-ԯԱ-ևא-ת\u0620-\u064a\u0671-\u06d3ა-ჿḀ-ỿἀ-\u1fffⱠ-Ɀ\ua640-\ua69f]"
)
"""A letter of an alphabet: Latin, Greek, Cyrillic, Armenian, Georgian, Hebrew, Arabic. A single
sign of any other script is a syllable or a word."""

SpelledWord = tuple[str, str]
"""A word in normal form, and how the text spells it."""


class Language:
    """Words, stop words and lemmas of one language."""

    def __init__(self, code: str) -> None:
        self.code = code
        data, form = data_of(code), form_of(code)
        self.form = form
        self.normal = form.normal
        self._word = lru_cache(CACHED)(self._normal_if_letters)
        self.marks_end_words = data.marks_end_words
        self.capital_nouns = data.capital_nouns
        self._rewrites = [(re.compile(pattern, re.I), text) for pattern, text in data.rewrites]
        self._separators = re.compile("[.:_·]".replace(data.letter_marks or "\0", ""))
        letters = data.one_letter_words
        self._one_letter_words = None if letters is None else frozenset(letters.split())
        self._derivations = frozenset(data.derivations.split())
        self._function_words = data.function_words.split()
        self._content_words = data.content_words.split()
        self._simplemma_code = simplemma_code(code)
        self._stopwordsiso_code = stopwordsiso_code(code)
        self._locale = Locale(code.replace("-", "_"))
        self._analyser = analyser(code)
        self._remembered_words = lru_cache(CACHED)(self._words_of_run)

    def words(self, text: str) -> list[str]:
        """The words of the text in order, in lower case and normal form."""
        return [word for run in text.split() for word in self._words_of_short(run)]

    def _words_of_short(self, run: str) -> list[str]:
        is_short = len(run) <= LONGEST_CACHED
        return self._remembered_words(run) if is_short else self._words_of_run(run)

    def _words_of_run(self, run: str) -> list[str]:
        return [word for word, _ in self.spelled_words(run)]

    def spelled_words(self, run: str) -> list[SpelledWord]:
        """The words of text without spaces, with their spellings in the text."""
        if not any(map(str.isalpha, run)):
            return []
        segments = self._morphemes(run, self._analyser) if self._analyser else self._segments(run)
        return [(word, text) for word, text in segments if word and self.may_be_word(word)]

    def _segments(self, run: str) -> Iterator[SpelledWord]:
        for pattern, replacement in self._rewrites:
            run = pattern.sub(replacement, run)
        run = self._separators.sub(" ", run)
        segments = list(WordBreaker(run, self._locale))
        return zip(map(self._word, segments), segments, strict=True)

    def _morphemes(self, run: str, by: Analyser) -> Iterator[SpelledWord]:
        return ((self._word(form), spelling) for form, spelling in by.analyse(run))

    def _normal_if_letters(self, segment: str) -> str:
        """The normal form of a segment; empty if it has no letter."""
        return self.normal(segment) if any(map(str.isalpha, segment)) else ""

    def may_be_word(self, word: str) -> bool:
        """Whether a token is not a single letter, or is one that the language has as a word."""
        if len(word) > 1 or self._one_letter_words is None or not LETTER.match(word):
            return True
        return word in self._one_letter_words

    @property
    def analyser(self) -> str | None:
        """The name and version of the analyser that finds the words, where there is one."""
        return self._analyser.name if self._analyser else None

    @property
    def has_stop_words(self) -> bool:
        """Whether a list of stop words is known."""
        return stopwordsiso.has_lang(self._stopwordsiso_code)

    @property
    def has_short_stop_words(self) -> bool:
        """Whether the list of stop words is so short that a corpus has to complete it."""
        return self.has_stop_words and len(self._listed) < SHORT_LIST

    def stop_words(self) -> frozenset[str]:
        """Words too common to carry meaning, in the form of `words`; empty when unknown."""
        return self._stop_words

    @property
    def _listed(self) -> set[str]:
        code = self._stopwordsiso_code
        return stopwordsiso.stopwords(code) if self.has_stop_words else set()

    @cached_property
    def _stop_words(self) -> frozenset[str]:
        """The list of stopwordsiso, plus what it lacks, minus words with a meaning."""
        spellings = _SPELLINGS.get(base(self.code), lambda word: ())
        others = {spelling for word in self._listed for spelling in spellings(word)}
        words = {word for entry in self._listed | others for word in self.words(entry)}
        return frozenset(words.union(self._function_words).difference(self._content_words))

    def lemma(self, word: str) -> str:
        """The dictionary form of a word; the word itself in a language without lemmas.

        Stop words stay as they are: the list has their inflected forms, and many of these short
        words would become other words (Hungarian belé, "into him", would become ő, "he").
        """
        if word in self._stop_words:
            return word
        return self.normal(dictionary.lemma(word, self._simplemma_code))

    def lemmas(self, words: Iterable[str]) -> list[str]:
        """The lemma of each word."""
        return [self.lemma(word) for word in words]

    @property
    def has_dictionary(self) -> bool:
        """Whether a dictionary says which words there are."""
        return dictionary.has_dictionary(self._simplemma_code)

    def is_word(self, word: str) -> bool:
        """Whether the dictionary has the word, and not only as a name."""
        code = self._simplemma_code
        return self.has_dictionary and dictionary.is_word(word, code, names=self.capital_nouns)

    def is_base_form(self, word: str) -> bool:
        """Whether the dictionary has the word as a base form."""
        return self.has_dictionary and dictionary.is_base_form(word, self._simplemma_code)

    def is_compound(self, word: str) -> bool:
        """Whether the word is two words of the dictionary, or one with a derivation."""
        code = self._simplemma_code
        return self.has_dictionary and dictionary.is_compound(word, code, self._derivations)


# ── stop words ────────────────────────────────────────────────────────────────────────────────

# The characters of the Chinese stop words, each simplified one followed by the traditional one.
_TRADITIONAL = (
    "万萬与與两兩个個临臨为為么麼乌烏于於仅僅从從们們会會体體傥儻儿兒关關冲沖况況几幾凭憑则則别別办辦区區"
    "单單却卻后後吓嚇吗嗎呕嘔呗唄呜嗚哒噠哗嘩哟喲喽嘍嗳噯处處宁寧对對将將尔爾尽盡岂豈并並开開归歸当當总總"
    "愿願换換据據无無旧舊时時来來极極样樣欤歟没沒点點犹猶独獨着著确確离離种種称稱简簡类類紧緊纵縱经經结結"
    "给給继繼综綜罢罷虽雖见見让讓许許论論设設诚誠话話该該说說请請诸諸谁誰贼賊赖賴赶趕转轉较較边邊达達过過"
    "还還这這进進连連里裡鉴鑑针針问問间間随隨难難顺順齐齊"
)


def _traditional(word: str) -> Iterator[str]:
    yield word.translate(str.maketrans(_TRADITIONAL[::2], _TRADITIONAL[1::2]))


def _accented(word: str) -> Iterator[str]:
    for at, letter in enumerate(word, 1):
        if letter in "αεηιουω":
            yield unicodedata.normalize("NFC", f"{word[:at]}\N{COMBINING ACUTE ACCENT}{word[at:]}")


SHORT_LIST = 200
"""Lists with fewer words lack many of the commonest ones: Ukrainian's 73 have no not and no in."""

# Other spellings of the listed words: the Chinese list has only simplified characters, and most of
# the Greek list has no accents, unlike running text.
_SPELLINGS: dict[str, Callable[[str], Iterable[str]]] = {"zh": _traditional, "el": _accented}
