"""The words, stop words and lemmas of one language."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import NamedTuple

import stopwordsiso
from icu4py.breakers import WordBreaker
from icu4py.locale import Locale

from pipeline.languages import dictionary
from pipeline.languages.analysers import Analyser, analyser
from pipeline.languages.table import data_of, simplemma_code, stopwordsiso_code
from wordkin.words import base, form_of

_LONGEST_CACHED = 32  # longer runs of text hardly ever occur again
_MOST_CACHED = 1 << 19


class SpelledWords(NamedTuple):
    """Words in normal form, and how the text spells each of them."""

    words: tuple[str, ...]
    spellings: Sequence[str]


_NO_WORDS = SpelledWords((), ())


class Language:
    """Words, stop words and lemmas of one language."""

    def __init__(self, code: str) -> None:
        self.code = code
        data = data_of(code)
        form = form_of(code)
        self.normal, self._lower = form.normal, form.lower
        self._rewrites = [(re.compile(pattern, re.I), text) for pattern, text in data.rewrites]
        self._separators = re.compile("[.:_·]".replace(data.letter_marks or "\0", ""))
        self._marks_end_words = data.marks_end_words
        letters = data.one_letter_words
        self._one_letter_words = None if letters is None else frozenset(letters.split())
        self.capital_nouns = data.capital_nouns
        self._derivations = frozenset(data.derivations.split())
        self._simplemma_code = simplemma_code(code)
        self._locale = Locale(code.replace("-", "_"))
        self._analyser = analyser(code)
        self._words_of_runs = _WordsOfRuns(self._words_of_run)
        self._normal_forms = _NormalForms(self.normal)

    def words(self, text: str) -> list[str]:
        """The words of the text in order, in lower case and normal form."""
        if len(self._words_of_runs) > _MOST_CACHED:
            self._words_of_runs.clear()
        if len(self._normal_forms) > _MOST_CACHED:
            self._normal_forms.clear()
        return list(chain.from_iterable(map(self._words_of_runs.__getitem__, text.split())))

    def _words_of_run(self, run: str) -> tuple[str, ...]:
        return self.spelled_words(run).words

    def spelled_words(self, run: str) -> SpelledWords:
        """The words of text without spaces, with their spellings in the text."""
        if self._analyser:
            return self._analysed(run, self._analyser)
        if not self._marks_end_words and (plain := PLAIN_WORD.fullmatch(run)):
            spelling = plain[1]
            word = self._plain_normal(spelling)
            return SpelledWords((word,), (spelling,)) if self.may_be_word(word) else _NO_WORDS
        if not any(map(str.isalpha, run)):
            return _NO_WORDS
        run = self._rewritten(run)
        if PLAIN_WORDS.fullmatch(run):
            spellings = WORDS.findall(run)
            words = tuple(map(self._plain_normal, spellings))
            return self._without_letters(SpelledWords(words, spellings))
        return self._segmented(run)

    def _analysed(self, run: str, by: Analyser) -> SpelledWords:
        if not any(map(str.isalpha, run)):
            return _NO_WORDS
        morphemes = [(self._normal_forms[form], spelling) for form, spelling in by.analyse(run)]
        words = [(word, spelling) for word, spelling in morphemes if word]
        spelled = SpelledWords(tuple(word for word, _ in words), [text for _, text in words])
        return self._without_letters(spelled)

    @property
    def has_plain_words(self) -> bool:
        """Whether letters between signs are a word, in the usual lower case."""
        return not self._analyser and not self._marks_end_words and self._lower is str.lower

    @property
    def analyser(self) -> str | None:
        """The name and version of the analyser that finds the words, where there is one."""
        return self._analyser.name if self._analyser else None

    def may_be_word(self, word: str) -> bool:
        """Whether a token is not a single letter, or is one that the language has as a word."""
        if len(word) > 1 or self._one_letter_words is None or not LETTER.match(word):
            return True
        return word in self._one_letter_words

    def _without_letters(self, spelled: SpelledWords) -> SpelledWords:
        if all(map(self.may_be_word, spelled.words)):
            return spelled
        pairs = [pair for pair in zip(*spelled, strict=True) if self.may_be_word(pair[0])]
        return SpelledWords(tuple(word for word, _ in pairs), [spelling for _, spelling in pairs])

    def _plain_normal(self, word: str) -> str:
        """The same as `normal`, for the letters of `PLAIN_WORD`, which need less work."""
        word = self._lower(word)
        return word if word.isascii() else unicodedata.normalize("NFC", word)

    def segmented_words(self, run: str) -> tuple[str, ...]:
        """The words of text without spaces, always by ICU: what `words` has to agree with."""
        return self._segmented(self._rewritten(run)).words

    def _rewritten(self, run: str) -> str:
        for pattern, replacement in self._rewrites:
            run = pattern.sub(replacement, run)
        return self._separators.sub(" ", run)

    def _segmented(self, run: str) -> SpelledWords:
        normal = self._normal_forms
        spellings = [segment for segment in WordBreaker(run, self._locale) if normal[segment]]
        words = tuple(map(normal.__getitem__, spellings))
        return self._without_letters(SpelledWords(words, spellings))

    @property
    def has_stop_words(self) -> bool:
        """Whether a list of stop words is known."""
        return has_list(self.code)

    @property
    def has_short_stop_words(self) -> bool:
        """Whether the list of stop words is so short that a corpus has to complete it."""
        return is_short(self.code)

    def stop_words(self) -> frozenset[str]:
        """Words too common to carry meaning, in the form of `words`; empty when unknown."""
        return self._stop_words

    @cached_property
    def _stop_words(self) -> frozenset[str]:
        return listed_stop_words(self.code, self.words)

    def lemma(self, word: str) -> str:
        """The dictionary form of a word; the word itself in a language without lemmas.

        Stop words stay as they are: the list has their inflected forms, and many of these short
        words would become other words (Hungarian belé, "into him", would become ő, "he").
        """
        if word in self._stop_words:
            return word
        return self.normal(dictionary.lemma(word, self._simplemma_code))

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

    def lemmas(self, words: Iterable[str]) -> list[str]:
        """The lemma of each word."""
        return [self.lemma(word) for word in words]


class _WordsOfRuns(dict[str, tuple[str, ...]]):
    """A cache of the words of each run of text between spaces: most runs occur many times."""

    def __init__(self, words_of_run: Callable[[str], tuple[str, ...]]) -> None:
        super().__init__()
        self.words_of_run = words_of_run

    def __missing__(self, run: str) -> tuple[str, ...]:
        words = self.words_of_run(run)
        if len(run) <= _LONGEST_CACHED:
            self[run] = words
        return words


class _NormalForms(dict[str, str]):
    """A cache of the normal forms of segments; empty for segments without a letter."""

    def __init__(self, normal: Callable[[str], str]) -> None:
        super().__init__()
        self.normal = normal

    def __missing__(self, segment: str) -> str:
        form = self.normal(segment) if any(map(str.isalpha, segment)) else ""
        self[segment] = form
        return form


# ── plain words ───────────────────────────────────────────────────────────────────────────────

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


# ── stop words ────────────────────────────────────────────────────────────────────────────────
# The lists of stopwordsiso, plus what they lack, minus words with a meaning.

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


def has_list(code: str) -> bool:
    """Whether a list of stop words is known for a language."""
    return stopwordsiso.has_lang(stopwordsiso_code(code))


def is_short(code: str) -> bool:
    """Whether the list is so short that a corpus has to complete it."""
    return has_list(code) and len(stopwordsiso.stopwords(stopwordsiso_code(code))) < SHORT_LIST


def listed_stop_words(code: str, words_of: Callable[[str], Iterable[str]]) -> frozenset[str]:
    """The stop words of a language, split into tokens by `words_of`; empty without a list."""
    data = data_of(code)
    listed = stopwordsiso.stopwords(stopwordsiso_code(code)) if has_list(code) else set()
    spellings = _SPELLINGS.get(base(code), lambda word: ())
    entries = {*listed, *(spelling for word in listed for spelling in spellings(word))}
    words = {word for entry in entries for word in words_of(entry)}
    words.update(data.function_words.split())
    return frozenset(words.difference(data.content_words.split()))
