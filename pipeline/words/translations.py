"""Translations of our words into a language of which more is known, by bilingual dictionaries.

    kutya ──vectors.translations──▶ {dog: 1, hound: 1} ──▶ words of the starter bundle of English

The other language is the one whose starter bundle comes with the library: it has learned from more
text. Its words order what our dictionaries have (`borrowed_words`), and its vectors make a measure
(`pipeline.measures.translated`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.fetched import read_resource
from pipeline.languages import language
from pipeline.layout import Layout
from pipeline.vector_settings import BilingualDictionary
from pipeline.words.bilingual import Translation, read_translations
from wordkin.errors import InputError
from wordkin.places import STARTERS
from wordkin.vocabulary import Vocabulary
from wordkin.words import base, normal

Weights = dict[str, dict[str, float]]
"""How much each of their words counts for each of ours."""

_MISTAKEN_LETTERS = {"hu": str.maketrans("õôûÕÔÛ", "őőűŐŐŰ")}
"""Letters that a language does not have, and that old dictionaries have for those they lacked."""


@dataclass(frozen=True)
class Lender:
    """A language that lends what it knows.

    Attributes
    ----------
    code : str
        The code of the language.
    folder : Path
        Its starter bundle.
    vocabulary : Vocabulary
        The words of that bundle.
    """

    code: str
    folder: Path
    vocabulary: Vocabulary


def find_lender(layout: Layout, dictionaries: Sequence[BilingualDictionary]) -> Lender | str:
    """The language that the dictionaries lead to, or the reason why there is none."""
    if not dictionaries:
        return f"vectors.translations names no dictionary of '{layout.language}'"
    ours = base(layout.language)
    codes = {code for entry in dictionaries for code in entry.languages if base(code) != ours}
    if len(codes) != 1 or any(ours not in map(base, entry.languages) for entry in dictionaries):
        raise InputError(
            f"vectors.translations.{layout.language}: all dictionaries must be between "
            f"'{layout.language}' and one other language."
        )
    for entry in dictionaries:
        if skipped := read_resource(layout, entry.name).skipped:
            return skipped
    code = codes.pop()
    folder = STARTERS / code
    if not folder.is_dir():
        return f"there is no starter bundle of '{code}', which lends its words"
    return Lender(code, folder, Vocabulary.read(folder / "vocabulary.tsv"))


def read_weights(
    layout: Layout, dictionaries: Sequence[BilingualDictionary], lender: Lender
) -> Weights:
    """The translations of all single words that the dictionaries have."""
    ours = base(layout.language)
    return add_up(
        [
            _ours_first(
                read_translations(read_resource(layout, entry.name).files),
                reverse=base(entry.languages[0]) != ours,
            )
            for entry in dictionaries
        ],
        lender.vocabulary,
        layout.language,
        lender.code,
    )


def _ours_first(pairs: Iterable[Translation], reverse: bool) -> Iterator[Translation]:
    return ((ours, theirs) for theirs, ours in pairs) if reverse else iter(pairs)


def add_up(
    dictionaries: Iterable[Iterable[Translation]], known: Vocabulary, code: str, other: str
) -> Weights:
    """The weights of their known words, from pairs of our word and its translation.

    A translation counts once per dictionary that has it. Of a translation of several words, each
    counts for its share; stop words do not count.
    """
    repair = _MISTAKEN_LETTERS.get(base(code), {})
    ours, theirs = language(code), language(other)
    stop_words = theirs.stop_words()
    weights: Weights = {}
    for dictionary in dictionaries:
        # A translation that stands in several senses of an entry is one translation.
        for headword, translation in dict.fromkeys(dictionary):
            word = normal(headword.translate(repair), code)
            if ours.words(word) != [word]:
                continue  # a phrase, or a part of a word
            parts = [part for part in theirs.words(translation) if part not in stop_words]
            for part in parts:
                if part in known:
                    own = weights.setdefault(word, {})
                    own[part] = own.get(part, 0.0) + 1 / len(parts)
    return weights


def borrowed_words(
    weights: Mapping[str, Mapping[str, float]],
    lender: Lender,
    counts: Mapping[str, int],
    without: Collection[str],
) -> list[str]:
    """The words of the dictionaries, most useful first, that are not in `without`.

    Words of the corpus (`counts` are its tokens) come before others. Among others, those with a
    frequent translation come first: what is often spoken of in one language is in another, too.
    """
    theirs = lender.vocabulary

    def rank(word: str) -> tuple[int, int, str]:
        whole = [part for part, weight in weights[word].items() if weight >= 1]
        frequency = max((int(theirs.counts[theirs.id(part)]) for part in whole), default=0)
        return -counts.get(word, 0), -frequency, word

    return sorted((word for word in weights if word not in without), key=rank)
