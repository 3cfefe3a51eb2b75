"""Board words for a language that has no list: frequent, familiar nouns of its corpus.

Without a tagger, two things tell nouns for things from other words. They are base forms, where a
dictionary knows the language; and they are bursty: a text about a bridge has the word many times,
and most texts do not have it at all, while *new*, *early* and *often* are spread evenly. So of the
most frequent base forms that people are familiar with, the burstiest are proposed. On English text,
103 of 400 words proposed in this way are on the cards of real games, and 76 of the 400 most
frequent ones. A person should look through the list: `python -m pipeline boards <language>`
writes it where it can be edited.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.languages.rules import Language
from pipeline.languages.table import is_unspaced
from pipeline.layout import Layout
from wordkin.errors import InputError
from wordkin.files import write_text
from wordkin.game.board import listed_words
from wordkin.manifest import read_manifest
from wordkin.vocabulary import Vocabulary
from wordkin.words import base

FREQUENT, PROPOSED = 1_500, 400
"""How many of the most frequent base forms are looked at, and how many are proposed."""
LETTERS = range(3, 13)
SIGNS = range(2, 6)  # in scripts that write syllables or words with one sign
MINIMUM_COUNT = 5


def propose(
    vocabulary: Vocabulary, documents: int, rules: Language, familiarity: float
) -> list[str]:
    """Words to play with, in alphabetical order.

    Parameters
    ----------
    vocabulary : Vocabulary
        The words of the corpus, with their counts and documents.
    documents : int
        How many documents the corpus has.
    rules : Language
        The language of the words.
    familiarity : float
        The least familiarity of a word.
    """
    familiar = vocabulary.familiarity
    candidates = [
        at
        for at in np.argsort(-vocabulary.counts, kind="stable").tolist()
        if vocabulary.counts[at] >= MINIMUM_COUNT
        and (familiar is None or familiar[at] >= familiarity)
        and _may_be_card(vocabulary.words[at], rules)
    ][:FREQUENT]
    bursts = burstiness(vocabulary.counts[candidates], vocabulary.documents[candidates], documents)
    best = np.argsort(-bursts, kind="stable")[:PROPOSED].tolist()
    return sorted(vocabulary.words[candidates[at]] for at in best)


def burstiness(
    counts: NDArray[np.integer[Any]], in_documents: NDArray[np.integer[Any]], documents: int
) -> NDArray[np.float64]:
    """Residual inverse document frequency (Church and Gale 1995).

    The logarithm of how many fewer documents have the word than if its tokens were scattered over
    them by chance.
    """
    total = max(documents, int(in_documents.max(initial=1)) + 1)
    expected = -np.expm1(-counts / total)
    return np.log2(expected) - np.log2(np.maximum(in_documents, 1) / total)


def _may_be_card(word: str, rules: Language) -> bool:
    is_syllabic = is_unspaced(word) or "가" <= word[0] <= "힣"
    if not word.isalpha() or len(word) not in (SIGNS if is_syllabic else LETTERS):
        return False
    if word in rules.stop_words():
        return False
    return not rules.has_dictionary or (rules.is_base_form(word) and rules.lemma(word) == word)


def board_facts(
    vocabulary: Vocabulary, corpus: Mapping[str, Any], rules: Language, familiarity: float
) -> dict[str, Any]:
    """What the bundle says about board words: a proposal, if the library has none."""
    if listed_words("boards", rules.code) is not None:
        return {}
    documents = int(corpus.get("documents") or 0)
    return {"boards": propose(vocabulary, documents, rules, familiarity)}


def write_boards(layout: Layout) -> Path:
    """Write the proposal of a bundle to where the library has its lists, for a person to edit."""
    path = layout.root / "wordkin" / "game" / "boards" / f"{base(layout.language)}.txt"
    if path.exists():
        raise InputError(f"{path} is there already: edit it, or remove it first.")
    words = read_manifest(layout.bundle).get("boards") or []
    if not words:
        raise InputError(
            f"The bundle of '{layout.language}' proposes no board words: run "
            f"dvc repro publish@{layout.language}."
        )
    write_text(path, "".join(f"{word}\n" for word in words))
    return path
