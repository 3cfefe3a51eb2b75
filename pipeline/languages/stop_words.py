"""Stop words: the lists of stopwordsiso, plus what they lack, minus words with a meaning."""

import unicodedata
from collections.abc import Callable, Iterable, Iterator

import stopwordsiso

from pipeline.languages.codes import stopwordsiso_code
from pipeline.languages.table import data_of
from wordkin.words import base

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


def stop_words(code: str, words_of: Callable[[str], Iterable[str]]) -> frozenset[str]:
    """The stop words of a language, split into tokens by `words_of`; empty without a list."""
    data = data_of(code)
    listed = stopwordsiso.stopwords(stopwordsiso_code(code)) if has_list(code) else set()
    spellings = _SPELLINGS.get(base(code), lambda word: ())
    entries = {*listed, *(spelling for word in listed for spelling in spellings(word))}
    words = {word for entry in entries for word in words_of(entry)}
    words.update(data.function_words.split())
    return frozenset(words.difference(data.content_words.split()))
