"""How familiar people are with a word: what decides whether it may be a clue.

The familiarity of a word is the probability, estimated from the corpus and a dictionary, that
an adult knows it as an ordinary word: that it is no name, abbreviation, misspelling, foreign word,
odd form or artefact of the lemmatizer. `Evidence` says what is looked at.
docs/explanation/vocabulary.md has the formula, research/familiarity.md how good it is.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pipeline.languages.rules import Language
from pipeline.languages.table import is_unspaced
from pipeline.words.type_counts import WordStatistics

Floats = NDArray[np.float64]


class Weights(NamedTuple):
    """The weights of the `Evidence` in the log-odds of familiarity."""

    start: float
    frequency: float
    sources: float
    capitals: float
    unwritten: float
    word: float = 0.0
    base: float = 0.0
    compound: float = 0.0


# Fitted by logistic regression to the hand-labelled words in tests/pipeline/words/familiarity.
WITH_DICTIONARY = Weights(-2.0, 0.8, 0.6, -3.4, -1.4, 4.0, 0.8, 2.9)
WITHOUT_DICTIONARY = Weights(0.1, 1.1, 1.3, -3.9, -1.8)

NAME = 0.9
"""The share of capitals above which a word is a name, even if the dictionary has it (japan)."""

_NUMBER = re.compile(r"\d")
_REPEATED = re.compile(r"(.)\1\1")


class Evidence(NamedTuple):
    """What is known of each word, one value per word.

    Attributes
    ----------
    frequency
        The logarithm (base 10) of √(tokens · documents) per million tokens of the corpus: of words
        with as many tokens, those of more documents count as more frequent.
    sources
        1 if two sources have the word, 0 if only one has it; ½ if the corpus has only one source.
    capitals
        The share of capitals in running text.
    unwritten
        1 if it is the lemma of words in the text, but neither in the dictionary nor ever in the
        text itself.
    word
        1 if the dictionary of the language has it, and not only as a name.
    base
        1 if the dictionary has it as a base form.
    compound
        1 if it is two words of the dictionary, or one with an ending that makes a new word.

    The last three are 0 in a language without a dictionary, which has weights of its own.
    """

    frequency: Floats
    sources: Floats
    capitals: Floats
    unwritten: Floats
    word: Floats
    base: Floats
    compound: Floats


class Corpus(NamedTuple):
    """What the statistics of words are compared with."""

    tokens: int
    sources: int


def familiarity(statistics: WordStatistics, corpus: Corpus, language: Language) -> Floats:
    """The familiarity of each word, 0 to 1."""
    evidence = gather_evidence(statistics, corpus, language)
    weights = WITH_DICTIONARY if language.has_dictionary else WITHOUT_DICTIONARY
    by_letters = [is_ruled_out(word, language) for word in statistics.words]
    return judge(evidence, weights, np.array(by_letters, dtype=bool))


def judge(evidence: Evidence, weights: Weights, ruled_out: NDArray[np.bool_]) -> Floats:
    """The familiarity by the weights; 0 for names and for words whose letters rule them out."""
    return np.where(ruled_out | (evidence.capitals > NAME), 0.0, score(evidence, weights))


def score(evidence: Evidence, weights: Weights) -> Floats:
    """The probability that the weights give to each word."""
    log_odds = weights.start + sum(
        weight * values for weight, values in zip(weights[1:], evidence, strict=True)
    )
    return 1 / (1 + np.exp(-log_odds))


def gather_evidence(statistics: WordStatistics, corpus: Corpus, language: Language) -> Evidence:
    """What the corpus, the letters and the dictionary say of each word."""
    words = statistics.words
    shared = np.sqrt(np.maximum(statistics.counts * statistics.documents, 0.25))
    capitals = (statistics.capitals + 0.25) / (statistics.running + 1)
    if language.capital_nouns:
        capitals = np.zeros(len(words))
    is_word = _flags(words, language.is_word)
    return Evidence(
        frequency=np.log10(shared / corpus.tokens * 1e6),
        sources=np.where(corpus.sources > 1, (statistics.sources > 1) * 1.0, 0.5),
        capitals=capitals,
        unwritten=((statistics.unchanged == 0) & (statistics.counts > 0) & (is_word == 0)) * 1.0,
        word=is_word,
        base=_flags(words, language.is_base_form, is_word == 1),
        compound=_flags(words, language.is_compound, is_word == 0),
    )


def _flags(
    words: Sequence[str], holds: Callable[[str], bool], among: NDArray[np.bool_] | None = None
) -> Floats:
    """1 for each word of which something holds, among all words or only some."""
    flags = np.zeros(len(words))
    for place, word in enumerate(words):
        if among is None or among[place]:
            flags[place] = holds(word)
    return flags


def is_ruled_out(word: str, language: Language) -> bool:
    """Whether the letters alone rule a word out: digits, a single letter, or aaah and zzz."""
    if _NUMBER.search(word) or (len(word) == 1 and not is_unspaced(word)):
        return True
    if not _REPEATED.search(word):
        return False
    return len(set(word)) == 1 or not language.is_word(word)  # German has Schifffahrt
