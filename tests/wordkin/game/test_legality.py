"""Which clues are legal: tables for two languages, the general rules, and recorded clues."""

from __future__ import annotations

import json
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import wordkin
from tests.support.bundles import make_bundle
from wordkin.game.legality import Legality, Objection, is_plain_word

# Clue, card, and the rule that is broken (None: allowed), without any lemmas.
ENGLISH = [
    ("keyboard", "piano", None),
    ("piano", "piano", "card"),
    ("PIANO", "piano", "card"),
    ("pianist", "piano", "family"),
    ("pianos", "piano", "contains"),
    ("antarctic", "antarctica", "contained"),
    ("antarctica", "antarctic", "contains"),
    ("nursing", "nurse", "stem"),
    ("nurse", "nursing", "stem"),
    ("changing", "change", "stem"),
    ("knives", "knife", "stem"),
    ("wolves", "wolf", "stem"),
    ("cities", "city", "stem"),
    ("happily", "happiness", "stem"),
    ("italian", "italy", "family"),
    ("mexican", "mexico", "stem"),
    ("canadian", "canada", "stem"),
    ("french", "france", "family"),
    ("greek", "greece", "family"),
    ("ruling", "ruler", "stem"),
    ("teaching", "teacher", "family"),
    ("sailing", "sailor", "stem"),
    ("elephant", "ant", None),
    ("carpet", "car", None),
    ("carport", "car", "contains"),
    ("cream", "ice cream", "contained"),
    ("creamy", "ice cream", "stem"),
    ("icy", "ice cream", "family"),
    ("state", "station", None),
    ("plaza", "plate", None),
    ("parked", "parachute", None),
    ("letter", "lettuce", None),
    ("paper", "parade", None),
    ("wing", "wind", None),
    ("theatre", "theater", "family"),
    ("harbour", "harbor", "spelling"),
    ("two words", "piano", "letters"),
    ("ice-cream", "piano", "letters"),
    ("3d", "piano", "letters"),
    ("o'clock", "piano", "letters"),
    ("", "piano", "letters"),
]
HUNGARIAN = [
    ("billentyűzet", "zongora", None),
    ("szerencsés", "szerencse", "stem"),
    ("szerencse", "szerencsés", "stem"),
    ("szerencsétlen", "szerencse", "stem"),
    ("király", "királynő", "contained"),
    ("királynő", "király", "contains"),
    ("királyi", "királynő", "stem"),
    ("királyság", "királynő", "stem"),
    ("hercegnő", "herceg", "contains"),
    ("árny", "árnyék", "contained"),
    ("almás", "alma", "stem"),
    ("almát", "alma", "stem"),
    ("kutyák", "kutya", "stem"),
    ("mesés", "mese", "stem"),
    ("lovas", "ló", "family"),
    ("havas", "hó", "family"),
    ("játszik", "játék", "family"),
    ("tudomány", "tudós", "family"),
    ("leves", "levegő", None),
    ("levegő", "leves", None),
    ("levél", "leves", None),
    ("személyzet", "szemét", None),
    ("színpad", "színház", "compound"),
    ("szakközépiskola", "szakács", None),
    ("száz", "szám", None),
    ("hatalmas", "határ", None),
    ("egyház", "egyenes", None),
    ("környezet", "körte", None),
    ("barna", "barát", None),
    ("tányér", "tánc", None),
    ("bank", "banda", None),
    ("fordul", "forma", None),
]


@pytest.mark.parametrize(("clue", "card", "rule"), ENGLISH)
def test_english_clues(clue: str, card: str, rule: str | None) -> None:
    objection = Legality("en").objection(clue, ["bison", card])
    assert (objection.rule if objection else None) == rule


@pytest.mark.parametrize(("clue", "card", "rule"), HUNGARIAN)
def test_hungarian_clues(clue: str, card: str, rule: str | None) -> None:
    objection = Legality("hu").objection(clue, ["bölény", card])
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


def test_a_ruling_is_true_for_a_legal_clue_and_says_why_not_for_others(tmp_path: Path) -> None:
    bundle = wordkin.load(make_bundle(tmp_path))
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
