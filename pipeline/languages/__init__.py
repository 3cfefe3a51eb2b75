"""Everything that depends on the language.

    table         what is special about each language, and what other projects call it: the place
                  to add one
    word_lists    long word lists of the table
    rules         words, stop words and lemmas of one language, by what the table says
    dictionary    what simplemma's dictionaries say of a word, corrected where they are wrong
    analysers     optional analysers of Korean and Japanese
    tokenizer     text to tokens, with what capitals and punctuation say about them; the common
                  cases by compiled kernels

Case and spelling, which the library needs too, are in `wordkin.words`. A language that none of them
mentions works too.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pipeline.languages.rules import Language


@lru_cache(maxsize=64)
def language(code: str) -> Language:
    """The language of a code or tag, known or not."""
    from pipeline.languages.rules import Language  # takes half a second, and not all need it

    return Language(code)
