"""Lemmas by Hunspell's analyses: how they are read, and which one the corpus prefers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.engine import InProcessEngine
from pipeline.words.lemmas import (
    RAREST,
    analyses_of,
    analyses_of_types,
    lemmas_by_dictionary,
    lemmas_of_types,
)

# Analyses in the form of the Hungarian dictionary.
ANALYSES: Mapping[str, tuple[str, ...]] = {
    "terem": (
        " st:terem po:noun ts:NOM al:termek",
        " st:tér po:noun ts:PLUR ts:NOM is:POSS_SG_1 is:NOM",
    ),
    "termet": (" st:terem po:noun ts:NOM is:ACC",),
    "tér": (" st:tér po:noun ts:NOM",),
    "teret": (" st:tér po:noun ts:NOM is:ACC",),
    "futott": (
        " st:futott po:adj ts:NOM",
        " st:fut po:vrb ts:PRES_INDIC_INDEF_SG_3 is:PAST_INDIC_INDEF_SG_3",
    ),
    "ment": (
        " st:megy po:vrb is:PAST_INDIC_INDEF_SG_3",
        " st:ment po:vrb ts:PRES_INDIC_INDEF_SG_3",
    ),
    "megyek": (" st:megy po:vrb ts:PRES_INDIC_INDEF_SG_3 is:PRES_INDIC_INDEF_SG_1",),
    "mentünk": (" st:megy po:vrb is:PAST_INDIC_INDEF_PL_1", " st:ment po:vrb is:PRES_PL_1"),
    "futás": (" st:fut po:vrb ds:Ás_PROCESS/RESULT_noun ts:NOM",),
    "futásban": (" st:fut po:vrb ds:Ás_PROCESS/RESULT_noun ts:NOM is:INE",),
    "megszállta": (
        "ip:PREF sp:meg  st:száll po:vrb ts:PRES_INDIC_INDEF_SG_3 is:PAST_INDIC_DEF_SG_3",
    ),
    "kutyaházak": (" pa:kutya st:kutya po:noun ts:NOM pa:házak  st:ház po:noun is:PLUR is:NOM",),
    "Budapesten": (' fl:" st:Budapest po:noun_prs ts:NOM is:SUE',),
    "városi": (" st:város po:noun ts:NOM is:i_PLACE/TIME_adj ts:NOM",),
}


def lemmas(counts: Mapping[str, int], **options: object) -> dict[str, str]:
    types = sorted(counts)
    numbers = np.array([counts[word] for word in types])
    analyze = lambda word: ANALYSES.get(word, ())  # noqa: E731
    found = lemmas_by_dictionary(types, numbers, analyze, **options)  # type: ignore[arg-type]
    return dict(zip(types, found, strict=True))


def test_an_entry_of_the_dictionary_is_its_own_lemma() -> None:
    found = lemmas({"terem": 5, "termet": 2, "tér": 90, "teret": 50})
    assert found == {"terem": "terem", "termet": "terem", "tér": "tér", "teret": "tér"}


def test_a_participle_is_counted_with_its_verb() -> None:
    assert lemmas({"futott": 3})["futott"] == "fut"


def test_a_past_tense_outweighs_a_rare_entry_of_the_same_spelling() -> None:
    assert lemmas({"ment": 10, "megyek": 60})["ment"] == "megy"
    assert lemmas({"ment": 10, "megyek": 2})["ment"] == "ment"


def test_of_two_lemmas_the_one_with_more_other_forms_is_taken() -> None:
    assert lemmas({"mentünk": 1, "megyek": 9})["mentünk"] == "megy"
    assert lemmas({"mentünk": 1, "ment": 9})["mentünk"] == "megy"  # both are possible: the first


def test_derived_words_stay_and_lose_their_inflection_if_the_corpus_has_them() -> None:
    assert lemmas({"futás": 4, "futásban": 1})["futásban"] == "futás"
    assert lemmas({"futásban": 1})["futásban"] == "futásban"
    assert lemmas({"városi": 1})["városi"] == "városi"


def test_prefixes_and_compounds_stay_whole() -> None:
    assert lemmas({"megszállta": 1})["megszállta"] == "megszáll"
    assert lemmas({"kutyaházak": 1})["kutyaházak"] == "kutyaház"


def test_names_are_looked_up_with_a_capital_letter() -> None:
    assert lemmas({"budapesten": 1})["budapesten"] == "budapest"


def test_an_unknown_word_loses_an_ending_only_if_the_corpus_has_the_rest() -> None:
    found = lemmas({"vitesyben": 2, "spencer": 5, "spencert": 2, "modena": 4, "mod": 9})
    assert found["vitesyben"] == "vitesyben"
    assert found["spencert"] == "spencer"
    assert found["modena"] == "modena", "three letters are too few"
    assert lemmas({"spencer": 1, "spencert": 2})["spencert"] == "spencert", "the rest is rarer"


def test_the_rarest_forms_of_a_large_corpus_are_not_looked_up() -> None:
    counts = {"megyek": 2, "mentünk": 3, "spencer": 5, "spencert": 1, "szó": 2 * RAREST - 11}
    assert sum(counts.values()) == 2 * RAREST
    found = lemmas(counts)
    assert found["megyek"] == "megyek", "twice in the tokens for which once is too rare"
    assert found["mentünk"] == "megy"
    assert found["spencert"] == "spencer", "by the corpus alone"
    assert lemmas({**counts, "szó": RAREST})["megyek"] == "megy"


def test_words_that_are_named_stay_as_they_are() -> None:
    assert lemmas({"futott": 3, "fut": 9}, unchanged={"futott"})["futott"] == "futott"


WORDS = st.text("abcdeéáktnort", min_size=1, max_size=9)


@given(st.dictionaries(WORDS, st.integers(1, 50), min_size=1, max_size=30))
def test_no_lemma_of_an_unknown_word_is_made_up(counts: dict[str, int]) -> None:
    for word, lemma in lemmas(counts).items():
        assert lemma in counts
        assert counts[lemma] >= counts[word] or lemma == word


def test_without_a_dictionary_no_lemma_is_an_artefact() -> None:
    types = ["házak", "vitesyben", "xqzzben"]
    found = lemmas_of_types(types, np.array([1, 1, 1]), "hu")
    assert found == ["ház", "vitesyben", "xqzzben"]


TYPES = ["alma", "almák", "xyz", "éva", "évak"]


@pytest.fixture
def dictionary(tmp_path: Path) -> Path:
    """A dictionary of two nouns and a name; the path of its .aff file."""
    (tmp_path / "xx.aff").write_text("SET UTF-8\nSFX A Y 1\nSFX A 0 k . is:PLUR\n", "utf-8")
    words = "3\nalmá/A\tst:alma po:noun\nalma\tst:alma po:noun\nÉva/A\tst:Éva po:noun\n"
    (tmp_path / "xx.dic").write_text(words, "utf-8")
    analyses_of.cache_clear()
    return tmp_path / "xx.aff"


@pytest.mark.parametrize("task_types", [1, 2, 100])
def test_types_that_tasks_analyse_have_the_same_lemmas(
    dictionary: Path, task_types: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pipeline.words.lemmas.TASK_TYPES", task_types)
    alone, counts = analyses_of(dictionary), np.arange(1, 6)
    by_tasks = analyses_of_types(InProcessEngine(3), dictionary, TYPES)
    assert by_tasks("alma") == alone("alma") and not by_tasks("xyz")
    expected = lemmas_by_dictionary(TYPES, counts, alone)
    assert expected == ["alma", "alma", "xyz", "éva", "éva"]
    assert lemmas_by_dictionary(TYPES, counts, by_tasks) == expected
