"""Familiarity: what is offered as a clue is a word that an adult knows.

familiarity/<language>.tsv has words from real vocabularies, labelled by hand, with their
statistics: from the default corpora, and from larger ones. The formula was fitted to the
development half only.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from pipeline.languages import language
from pipeline.words.familiarity import (
    WITH_DICTIONARY,
    WITHOUT_DICTIONARY,
    Corpus,
    familiarity,
    gather_evidence,
    is_ruled_out,
    judge,
)
from pipeline.words.type_counts import WordStatistics
from pipeline.words.vocabulary import VocabularySettings
from tests.support.corpora import word_statistics

LIMIT = VocabularySettings().familiarity
CORPORA = {
    ("en", "default"): Corpus(tokens=7_785_618, sources=11),
    ("en", "large"): Corpus(tokens=16_762_577, sources=2),
    ("hu", "default"): Corpus(tokens=805_382, sources=2),
    ("hu", "large"): Corpus(tokens=16_991_580, sources=5),
}


class Labelled(NamedTuple):
    """Labelled words of one half: whether each is a word that an adult knows, and its score."""

    words: list[str]
    is_familiar: list[bool]
    scores: list[float]

    def offered(self, limit: float = LIMIT) -> list[bool]:
        """Whether the words that reach the limit are familiar."""
        pairs = zip(self.is_familiar, self.scores, strict=True)
        return [is_familiar for is_familiar, value in pairs if value >= limit]


def read(code: str, half: str, has_dictionary: bool = True) -> Labelled:
    """Score the labelled words of a language by the formula."""
    path = Path(__file__).parent / "familiarity" / f"{code}.tsv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for row in csv.DictReader(file, delimiter="\t") if row["half"] == half]
    labelled = Labelled([], [], [])
    spoken = language(code)
    for corpus in ("default", "large"):
        group = [row for row in rows if row["corpus"] == corpus]
        words = [row["word"] for row in group]
        columns = {name: [int(row[name]) for row in group] for name in WordStatistics._fields[1:]}
        statistics = word_statistics(words, columns)
        evidence = gather_evidence(statistics, CORPORA[code, corpus], spoken)
        weights = WITH_DICTIONARY if has_dictionary else WITHOUT_DICTIONARY
        by_letters = np.array([is_ruled_out(word, spoken) for word in words], dtype=bool)
        scores = judge(evidence, weights, by_letters)
        labelled.words.extend(words)
        labelled.is_familiar.extend(row["label"] == "word" for row in group)
        labelled.scores.extend(scores.tolist())
    return labelled


@pytest.mark.parametrize("code", ["en", "hu"])
def test_what_is_offered_is_known_to_adults(code: str) -> None:
    labelled = read(code, "test")
    offered = labelled.offered()
    assert len(offered) > 50
    assert np.mean(offered) >= 0.95
    assert sum(offered) >= 0.7 * sum(labelled.is_familiar)


def test_without_a_dictionary_less_is_offered_and_it_is_as_good() -> None:
    labelled = read("en", "test", has_dictionary=False)
    offered = labelled.offered()
    assert np.mean(offered) >= 0.95
    assert sum(offered) >= 0.4 * sum(labelled.is_familiar)


def scores_of(code: str, words: list[str], **columns: list[int]) -> list[float]:
    """The familiarity of words that are alike but for these columns."""
    count = len(words)
    alike = {
        "counts": [40] * count, "documents": [30] * count, "sources": [2] * count,
        "running": [40] * count, "unchanged": [40] * count,
    }  # fmt: skip
    statistics = word_statistics(words, {**alike, **columns})
    return familiarity(statistics, Corpus(1_000_000, 3), language(code)).tolist()


def test_familiarity_rises_with_frequency_spread_and_small_letters() -> None:
    words = ["mountain", "mountain"]
    for columns in (
        {"counts": [10, 90]},
        {"documents": [10, 30]},
        {"sources": [1, 2]},
        {"capitals": [30, 0]},
    ):
        low, high = scores_of("en", words, **columns)
        assert 0 < low < high < 1


def test_a_lemma_that_no_text_has_is_less_familiar() -> None:
    never, often = scores_of("xx", ["bolabo", "bolabo"], unchanged=[0, 20])
    assert never < often


def test_a_dictionary_vouches_for_words_but_not_for_names() -> None:
    word, name, unknown = scores_of("en", ["mountain", "margaret", "awiil"])
    assert word > 0.9 > name > 0.1
    assert unknown < LIMIT


def test_capitals_say_nothing_where_all_nouns_have_them() -> None:
    capital, small = scores_of("de", ["berg", "berg"], capitals=[40, 0])
    assert capital == small > LIMIT
    capital, small = scores_of("en", ["mountain", "mountain"], capitals=[40, 0])
    assert capital == 0 < LIMIT < small


def test_a_word_that_nearly_always_has_a_capital_is_a_name_however_frequent() -> None:
    counts = [4000] * 3
    name, month, few = scores_of(
        "en", ["japan", "may", "rose"],
        counts=counts, documents=counts, running=[4000, 4000, 2], capitals=[3900, 3000, 2],
    )  # fmt: skip
    assert name == 0 < min(month, few)


def test_words_of_a_script_without_case_can_be_familiar() -> None:
    assert min(scores_of("ka", ["სახლი", "მთა"])) > LIMIT
    assert min(scores_of("zh", ["山", "房子"])) > LIMIT


@pytest.mark.parametrize("word", ["1970s", "x", "zzz", "aaah", "4x"])
def test_some_letters_rule_a_word_out(word: str) -> None:
    assert scores_of("en", [word]) == [0]


@pytest.mark.parametrize(
    ("word", "is_word"),
    [("kutya", True), ("alma", True), ("ragaszkodik", True), ("palotád", False), ("csokra", False),
     ("igazolása", False), ("tudtunk", False), ("legmélye", False), ("budapest", False)],
)  # fmt: skip
def test_hungarian_forms_and_names_are_no_words(word: str, is_word: bool) -> None:
    assert language("hu").is_word(word) == is_word


@pytest.mark.parametrize(
    ("word", "is_compound"),
    [("bedug", True), ("komorság", True), ("gombás", True), ("vitesy", False), ("sfr", False)],
)
def test_compounds_and_derivations_of_known_words_are_recognised(
    word: str, is_compound: bool
) -> None:
    assert language("hu").is_compound(word) == is_compound


def test_a_language_without_a_dictionary_knows_no_word() -> None:
    spoken = language("xx")
    assert not spoken.has_dictionary
    assert not (spoken.is_word("a") or spoken.is_base_form("a") or spoken.is_compound("aa"))
