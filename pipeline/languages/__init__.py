"""Everything that depends on the language.

    table         what is special about each language: the place to add one
    word_lists    long word lists of the table
    stop_words    lists of stop words
    analysers     optional analysers of Korean and Japanese
    codes         what Wikipedia, OPUS and the libraries call a language
    scripts       what the script alone decides
    plain_runs    the common case of a word between signs, by a compiled kernel
    tokenizer     text to tokens, with marks
    wiki_names    names that wikis share

Case and spelling, which the library needs too, are in `wordkin.words`. Lemmas are in
`pipeline.languages.lemmas`. A language that none of them mentions works too.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from typing import NamedTuple

from icu4py.breakers import WordBreaker
from icu4py.locale import Locale

from pipeline.languages import lemmas, stop_words
from pipeline.languages.analysers import Analyser, analyser
from pipeline.languages.codes import simplemma_code
from pipeline.languages.scripts import LETTER, PLAIN_WORD, PLAIN_WORDS, WORDS
from pipeline.languages.table import data_of
from wordkin.words import form_of

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
        return stop_words.has_list(self.code)

    @property
    def has_short_stop_words(self) -> bool:
        """Whether the list of stop words is so short that a corpus has to complete it."""
        return stop_words.is_short(self.code)

    def stop_words(self) -> frozenset[str]:
        """Words too common to carry meaning, in the form of `words`; empty when unknown."""
        return self._stop_words

    @cached_property
    def _stop_words(self) -> frozenset[str]:
        return stop_words.stop_words(self.code, self.words)

    def lemma(self, word: str) -> str:
        """The dictionary form of a word; the word itself in a language without lemmas.

        Stop words stay as they are: the list has their inflected forms, and many of these short
        words would become other words (Hungarian belé, "into him", would become ő, "he").
        """
        if word in self._stop_words:
            return word
        return self.normal(lemmas.lemma(word, self._simplemma_code))

    @property
    def has_dictionary(self) -> bool:
        """Whether a dictionary says which words there are."""
        return lemmas.has_dictionary(self._simplemma_code)

    def is_word(self, word: str) -> bool:
        """Whether the dictionary has the word, and not only as a name."""
        code = self._simplemma_code
        return self.has_dictionary and lemmas.is_word(word, code, names=self.capital_nouns)

    def is_base_form(self, word: str) -> bool:
        """Whether the dictionary has the word as a base form."""
        return self.has_dictionary and lemmas.is_base_form(word, self._simplemma_code)

    def is_compound(self, word: str) -> bool:
        """Whether the word is two words of the dictionary, or one with a derivation."""
        code = self._simplemma_code
        return self.has_dictionary and lemmas.is_compound(word, code, self._derivations)

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


@lru_cache(maxsize=64)
def language(code: str) -> Language:
    """The language of a code or tag, known or not."""
    return Language(code)
