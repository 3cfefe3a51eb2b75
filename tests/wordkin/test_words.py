"""One idea of a word's form: corpora, gold sets, boards, lemmas and queries agree on it.

There are two doors to it: the pipeline's, which splits a text into words, and the library's, which
takes the word that a person typed.
"""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

from pipeline.languages import language
from tests.support.examples import at_most
from wordkin.words import FORMS, base, is_tag, normal, tag

ARABIC = "ابتثجحخدذرزسشصضطظعغفقكلمنهويىةءآأؤإئ"
ARABIC_VOWELS = "\u064b\u064e\u064f\u0650\u0651\u0652\u0670"
LATIN = "abcXYZI"
STRETCHED = "\u0640"  # the Arabic stroke
ALPHABETS = {
    "tr": "abcçdefgğhıijklmnoöprsştuüvyzABCÇDEFGĞHIİJKLMNOÖPRSŞTUÜVYZ\u00ad",
    "az": "abcçdeəfgğhxıijkqlmnoöprsştuüvyzABCÇDEƏFGĞHXIİJKQLMNOÖPRSŞTUÜVYZ",
    "crh": "abcçdefgğhıijklmnñoöpqrsştuüvyzâABCÇDEFGĞHIİJKLMNÑOÖPQRSŞTUÜVYZÂ",
    "ga": "abcdefghilmnoprstuáéíóúABCDEFGHILMNOPRSTUÁÉÍÓÚ",
    "lt": "aąbcčdeęėfghiįyjklmnoprsštuųūvzžAĄBCČDEĘĖFGHIĮYJKLMNOPRSŠTUŲŪVZŽ\u0300\u0301\u0303",
    "fa": ARABIC + "پچژکگی" + ARABIC_VOWELS + STRETCHED + LATIN,
    "ur": ARABIC + "ٹپچڈڑژکگںہھی" + ARABIC_VOWELS + STRETCHED + LATIN,
    "ckb": ARABIC + "پچژکگڵڕۆێەی" + ARABIC_VOWELS + STRETCHED + LATIN,
    "ar": ARABIC + ARABIC_VOWELS + STRETCHED + LATIN,
    "he": "אבגדהוזחטיךכלםמןנסעףפץצקרשת\u05b0\u05b8\u05bc\u05c1\u05c2\ufb2a\ufb35" + LATIN,
    "uz": "abdefgghijklmnooopqrstuvxyzABDEFGHIJKLMNOPQRSTUVXYZʻ",
    "en": "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ\u0301\u00ad",
    "el": "αβγδεζηθικλμνξοπρστυφχψωςάΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΆ",
}
TAGS = {"tr": "tr_TR", "fa": "fa-IR", "az": "az-Latn", "ur": "ur_PK", "he": "he_IL"}


@pytest.mark.slow
@pytest.mark.parametrize("code", ALPHABETS)
def test_a_typed_word_has_the_form_that_the_pipeline_counts(code: str) -> None:
    @settings(max_examples=at_most(300))
    @given(st.text(alphabet=ALPHABETS[code], min_size=1, max_size=12))
    @example(STRETCHED)
    def check(word: str) -> None:
        if not word[0].isalpha():
            word = "a" + word  # a sign without a letter before it is not part of a word
        form = normal(word, code)
        assume(len(form) != 1)  # whether a letter is a word is for the language to say
        words = [form] if form else []  # nothing is left of an Arabic stroke alone
        assert language(code).words(word) == words
        assert language(code).normal(word) == form
        with_region = TAGS.get(code, f"{code}-XX")
        assert normal(word, with_region) == form
        assert language(with_region).words(word) == words

    check()


@pytest.mark.parametrize(
    ("code", "typed", "form"),
    [
        ("tr", "Istanbul", "ıstanbul"),
        ("tr", "İSTANBUL", "istanbul"),
        ("tr_TR", "IŞIK", "ışık"),
        ("az", "İRAN", "iran"),
        ("crh", "QIRIM", "qırım"),
        ("ga", "tAthair", "athair"),
        ("ga", "nÉan", "éan"),
        ("ga", "teach", "teach"),
        ("lt", "Ìr", "i̇̀r"),
        ("fa", "كتاب", "کتاب"),
        ("fa", "کِتاب", "کتاب"),
        ("fa-IR", "ایراني", "ایرانی"),
        ("fa", "Wikipedia", "wikipedia"),
        ("ur", "Lahore", "lahore"),
        ("ur", "كراچي", "کراچی"),
        ("ckb", "Hewlêr", "hewlêr"),
        ("ckb", "كوردي", "کوردی"),
        ("ar", "كِتَابٌ", "كتاب"),
        ("he", "שָׁלוֹם", "שלום"),
        ("uz", "O‘zbek", "oʻzbek"),
        ("uz", "tog'", "togʻ"),
        ("uk", "м’яч", "м'яч"),
        ("uk", "м\u02bcяч", "м'яч"),
        ("en", "re\u00adport", "report"),
        ("en", "CAFE\u0301", "café"),
        ("pt-BR", "São", "são"),
        ("xx", "Word", "word"),
    ],
)
def test_both_doors_give_this_form(code: str, typed: str, form: str) -> None:
    assert normal(typed, code) == form
    assert language(code).words(typed) == [form]


@pytest.mark.parametrize("code", [*FORMS, "en", "el", "hu", "xx"])
def test_the_normal_form_is_its_own_normal_form(code: str) -> None:
    characters = st.characters(codec="utf-8") | st.sampled_from(
        "IİıJÌtnAÉ'’\u02bc\u02bb\u0300\u0307\u0328\u064e\u0654\u0640\u05c1\ufb2a\u200b يكی ςΣ"
    )

    @given(st.text(alphabet=characters, max_size=8))
    @example("\ufb2a")  # NFC takes it apart into a letter and a vowel sign
    @example("\u200b word")  # the invisible character hides the space
    def check(word: str) -> None:
        form = normal(word, code)
        assert normal(form, code) == form
        assert unicodedata.is_normalized("NFC", form)

    check()


def test_several_words_have_the_forms_of_each_of_them() -> None:
    assert normal(" an tAthair ", "ga") == "an athair"
    assert normal("New York", "en") == "new york"
    assert normal("Kızıl IRMAK", "tr") == "kızıl ırmak"


@pytest.mark.parametrize(
    ("code", "canonical", "language_code"),
    [
        ("en", "en", "en"),
        ("tr_TR", "tr-tr", "tr"),
        ("pt-BR", "pt-br", "pt"),
        ("zh-Hant", "zh-hant", "zh"),
        ("zh_Hant_TW", "zh-hant-tw", "zh"),
        ("TR", "tr", "tr"),
        ("", "", ""),
    ],
)
def test_tags(code: str, canonical: str, language_code: str) -> None:
    assert tag(code) == canonical
    assert base(code) == language_code


def test_codes_that_name_a_language_and_strings_that_cannot() -> None:
    assert all(map(is_tag, ["en", "arz", "pt-BR", "zh_Hant", "be-tarask"]))
    assert not any(map(is_tag, ["", "e", "english", "en-", "matrices/en", "en.zip", "e1"]))
