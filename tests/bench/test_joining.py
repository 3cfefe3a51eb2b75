"""Verbs with a prefix and compounds are joined with simpler words by what the dictionary says."""

from __future__ import annotations

from collections.abc import Sequence

from bench.joining import last_part, simplest, without_prefix

ANALYSES = {
    "megszáll": [" ip:PREF sp:meg st:száll po:vrb ts:PRES_INDIC_INDEF_SG_3"],
    "megás": [" ip:PREF sp:meg st:ás po:noun ts:NOM"],
    "vonatjegy": [" pa:vonat st:vonat po:noun ts:NOM pa:jegy st:jegy po:noun ts:NOM"],
    "tengerpart": [" st:tengerpart po:noun ts:NOM hy:6"],
    "tengerpartot": [" st:tengerpart po:noun ts:NOM is:ACC hy:6"],
    "szállodatengerpart": [" pa:szálloda st:szálloda pa:tengerpart st:tengerpart po:noun"],
    "part": [" st:part po:noun ts:NOM"],
}


def analyze(word: str) -> Sequence[str]:
    return ANALYSES.get(word, ())


def test_a_verb_loses_its_prefix_and_a_noun_does_not() -> None:
    assert list(without_prefix("megszáll", analyze)) == ["száll"]
    assert list(without_prefix("megás", analyze)) == []
    assert list(without_prefix("part", analyze)) == []


def test_the_last_part_of_a_compound_is_known_from_its_analysis_or_its_entry() -> None:
    assert list(last_part("vonatjegy", analyze)) == ["jegy"]
    assert list(last_part("tengerpart", analyze)) == ["part"]
    assert list(last_part("tengerpartot", analyze)) == []
    assert list(last_part("part", analyze)) == []


def test_a_word_is_joined_with_the_simplest_word_that_is_known() -> None:
    words = {"szállodatengerpart", "tengerpart", "part", "megszáll"}
    assert simplest("szállodatengerpart", last_part, analyze, words) == "part"
    assert simplest("szállodatengerpart", last_part, analyze, words - {"part"}) == "tengerpart"
    assert simplest("megszáll", without_prefix, analyze, words) == "megszáll"
    assert simplest("megszáll", without_prefix, analyze, words | {"száll"}) == "száll"
