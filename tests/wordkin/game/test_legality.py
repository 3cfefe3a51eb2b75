"""Which clues are legal: tables for two languages, the general rules, and recorded clues."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wordkin
from wordkin.bundle import Bundle
from wordkin.game.legality import Legality, Objection, is_plain_word

# Language, clue, card, and the rule that is broken (None: allowed), without any lemmas.
# Many more pairs, which are judged in both directions, are in tests/wordkin/language/kinship.
RULES = [
    ("en", "PIANO", "piano", "card"),
    ("en", "pianos", "piano", "contains"),
    ("en", "antarctic", "antarctica", "contained"),
    ("en", "nursing", "nurse", "stem"),
    ("en", "french", "france", "family"),
    ("en", "harbour", "harbor", "spelling"),
    ("en", "snowflake", "snowball", "compound"),
    ("en", "cream", "ice cream", "contained"),
    ("en", "creamy", "ice cream", "stem"),
    ("en", "icy", "ice cream", "family"),
    ("en", "elephant", "ant", None),
    ("en", "wing", "wind", None),
    *(("en", clue, "piano", "letters") for clue in ("two words", "ice-cream", "3d", "o'clock", "")),
    ("hu", "királynő", "király", "contains"),
    ("hu", "király", "királynő", "contained"),
    ("hu", "almát", "alma", "stem"),
    ("hu", "lovas", "ló", "family"),
    ("hu", "színpad", "színház", "compound"),
    ("hu", "leves", "levegő", None),
]


@pytest.mark.parametrize(("language", "clue", "card", "rule"), RULES)
def test_a_clue_is_refused_by_a_rule(language: str, clue: str, card: str, rule: str | None) -> None:
    objection = Legality(language).objection(clue, ["bison", card])
    assert (objection.rule if objection else None) == rule


def test_irregular_forms_are_caught_by_their_lemma() -> None:
    lemmas = {"teeth": "tooth", "went": "go", "gone": "go", "kezek": "kéz"}
    assert Legality("en", lemmas).objection("teeth", ["tooth"]) is not None
    assert Legality("en", lemmas).objection("tooth", ["teeth"]) is not None
    assert Legality("en", lemmas).objection("went", ["gone"]) is not None
    assert Legality("hu", lemmas).objection("kezek", ["kéz"]) is not None
    assert Legality("en").objection("went", ["gong"]) is None


def test_agents_are_cautious_about_letters_that_are_there_by_chance() -> None:
    rules = Legality("en")
    assert rules.checker(["car"], cautious=False)("carpet") is None
    objection = rules.checker(["car"])("carpet")
    assert objection is not None
    assert (objection.rule, objection.word) == ("contains", "car")


def test_words_are_compared_in_the_form_of_their_language() -> None:
    decomposed = unicodedata.normalize("NFD", "KIRÁLYNŐ")
    objection = Legality("hu").objection(decomposed, ["királynő"])
    assert objection is not None
    assert objection.rule == "card"
    assert Legality("tr").objection("IŞIK", ["ışık"]) is not None
    assert Legality("tr").objection("İğne", ["iğne"]) is not None


@pytest.mark.parametrize(
    ("language", "clue", "card", "legal"),
    [
        ("de", "Haustür", "Haus", False),
        ("de", "Garten", "Haus", True),
        ("zh", "火车", "火", False),
        ("zh", "木头", "火", True),
        ("hi", "किताब", "घर", True),
        ("fa", "می‌خواهم", "کتاب", True),
        ("th", "แมว", "หมา", True),
    ],
)
def test_languages_without_endings_have_the_general_rules(
    language: str, clue: str, card: str, legal: bool
) -> None:
    assert (Legality(language).objection(clue, [card]) is None) == legal


letters = st.text(st.characters(categories=["Ll", "Lu", "Lo"]), min_size=1, max_size=8)


@given(letters, letters, st.sampled_from(["en", "hu", "tr", "xx"]))
def test_kinship_is_symmetric_and_containment_is_caught(a: str, b: str, language: str) -> None:
    rules = Legality(language)
    assert (rules.objection(a, [b]) is None) == (rules.objection(b, [a]) is None)
    assert rules.objection(a, [a]) is not None
    assert rules.objection(b, [f"{a} {b}"]) is not None
    assert rules.checker([a])(a + b) is not None
    assert rules.checker([a + b])(a) is not None


@given(st.text(max_size=6))
def test_plain_words_have_no_spaces_and_no_digits(text: str) -> None:
    if is_plain_word(text):
        assert not any(c.isspace() or c.isdigit() for c in text)


# Clues on recorded boards that give a card away: all are true relatives.
LEAKS = {
    "en": {("changing", "change"), ("knives", "knife"), ("teeth", "tooth")},
    "hu": {
        ("herceg", "hercegnő"),
        ("árny", "árnyék"),
        ("játszik", "játék"),
        ("tudomány", "tudós"),
        ("színpad", "színház"),
        ("szeles", "szél"),
        ("álmodik", "álom"),
    },
}


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "hu"])
def test_recorded_clues_are_legal_except_true_relatives(mirror: Path, language: str) -> None:
    simplemma = pytest.importorskip("simplemma")
    text = (mirror / "human" / f"rounds_{language}.jsonl").read_text(encoding="utf-8")
    rounds = [json.loads(line) for line in text.splitlines()]
    words = {word for item in rounds for word in (*item["words"], item["clue"])}
    lemmas = {word: simplemma.lemmatize(word, lang=language).lower() for word in words}
    rules = Legality(language, lemmas)
    refused = {
        (item["clue"], objection.word)
        for item in rounds
        if (objection := rules.objection(item["clue"], item["words"]))
    }
    assert refused == LEAKS[language]


def test_a_ruling_is_true_for_a_legal_clue_and_says_why_not_for_others(bundle: Bundle) -> None:
    board = wordkin.Board.of(ours="nurse piano")
    legal = wordkin.is_legal("hospital", board, bundle)
    assert (bool(legal), legal.reason, legal.objection) == (True, "", None)
    refused = wordkin.is_legal("nursing", board, bundle)
    assert not refused
    assert refused.objection == Objection("lemma", "nurse")
    assert refused.reason == "'nursing' is not allowed: it is a form of the card 'nurse'."
    repeated = wordkin.is_legal("hospital", "piano", bundle, said="Hospital", language="hu")
    assert repeated.objection == Objection("said", "Hospital")
    assert repeated.reason == "„hospital” szabálytalan: már elhangzott."
