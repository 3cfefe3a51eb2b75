"""Optional analysers for languages whose words cannot be told apart by spaces and endings alone.

Korean glues particles to nouns (학교에서, at school), and Japanese verbs inflect and have no spaces
around them. A morphological analyser gives the words themselves: nouns without particles, verbs and
adjectives in their dictionary form. The analysers are packages that may be absent; without them
words come from ICU, as in every other language. research/languages.md compares them.

    ko    kiwipiepy                    pip install wordkin[korean]
    ja    sudachipy, sudachidict_core  pip install wordkin[japanese]

The metrics and the report say which one was used. WORDKIN_ANALYSERS=off leaves them out.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import cache
from importlib import metadata
from typing import NamedTuple

from wordkin.words import base

OFF = "WORDKIN_ANALYSERS"

Morphemes = list[tuple[str, str]]
"""Words in their dictionary form, each with its spelling in the text."""


class Analyser(NamedTuple):
    """A morphological analyser."""

    name: str
    analyse: Callable[[str], Morphemes]


def analyser(code: str) -> Analyser | None:
    """The analyser of a language; None if there is none, if it is absent or switched off."""
    if os.environ.get(OFF, "").lower() == "off":
        return None
    return _loaded(base(code))


@cache
def _loaded(code: str) -> Analyser | None:
    load = _LOADERS.get(code)
    try:
        return load() if load else None
    except ImportError:
        return None


# The first letter or letters of the tags that stay: nouns, verbs, modifiers, roots, and words in
# Latin letters or Chinese characters. Particles (J), endings (E) and affixes (X) do not.
_KOREAN_WORDS = ("N", "V", "M", "XR", "SL", "SH")
_LONGEST_RUN = 2_000  # characters at a time: the analysers take quadratic time or refuse more


def _korean() -> Analyser:
    from kiwipiepy import Kiwi

    kiwi = Kiwi(num_workers=1)

    def analyse(text: str) -> Morphemes:
        return [
            (token.lemma if token.tag[0] == "V" else token.form, text[token.start : token.end])
            for token in kiwi.tokenize(text)
            if token.tag.startswith(_KOREAN_WORDS)
        ]

    return Analyser(f"kiwipiepy {metadata.version('kiwipiepy')}", _in_parts(analyse))


# Particles, auxiliary verbs, punctuation, spaces, signs.
_JAPANESE_OTHERS = frozenset(("助詞", "助動詞", "補助記号", "空白", "記号"))


def _japanese() -> Analyser:
    from sudachipy import Dictionary, SplitMode

    tokenizer = Dictionary(dict="core").tokenizer(mode=SplitMode.A)

    def analyse(text: str) -> Morphemes:
        return [
            (morpheme.dictionary_form(), morpheme.surface())
            for morpheme in tokenizer.tokenize(text)
            if morpheme.part_of_speech()[0] not in _JAPANESE_OTHERS
        ]

    return Analyser(f"sudachipy {metadata.version('sudachipy')}", _in_parts(analyse))


def _in_parts(analyse: Callable[[str], Morphemes]) -> Callable[[str], Morphemes]:
    def analyse_parts(text: str) -> Morphemes:
        parts = (text[at : at + _LONGEST_RUN] for at in range(0, len(text), _LONGEST_RUN))
        return [morpheme for part in parts for morpheme in analyse(part)]

    return analyse_parts


_LOADERS: dict[str, Callable[[], Analyser]] = {"ko": _korean, "ja": _japanese}
