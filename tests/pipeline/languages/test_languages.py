"""Words, stop words and lemmas of any language."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.languages import dictionary, language
from pipeline.languages.table import CODE_PAGES, LANGUAGES, opus_code, wikipedia_code
from wordkin.words import base


@pytest.mark.parametrize(
    ("code", "text", "words"),
    [
        ("en", "The DOG's bone, 2 dogs' bones!", "the dog bone dogs bones"),
        ("en", "Don’t go; we'll see. O'Brien", "don't go we'll see o'brien"),
        ("en", "a well-known B2B site: www.example.com", "a well known b2b site www example com"),
        ("en", "3.14 1,000 1990s 20th — 50%", "1990s 20th"),
        ("en", "snake_case U.S.A. e.g.", "snake case a"),
        ("en", "Plan B: a, I and O; x = y", "plan a i and o"),
        ("hu", "A és B, ő meg x: s a c)", "a és ő meg s a"),
        ("nl", "Hebt u J. gezien?", "hebt u gezien"),
        ("cs", "k lesu, J. i p.", "k lesu i"),
        ("pl", "w lesie z P. o A.", "w lesie z o a"),
        ("pt", "é a b, ó", "é a ó"),
        ("es", "a b y c", "a y"),
        ("ru", "я и x в б. г", "я и в б"),
        ("ko", "집 X 물", "집 물"),
        ("zh", "我X", "我"),
        ("xx", "a b", "a b"),
        ("en", "re\u00adport \u200bco\u200doperate \ufeffname", "report cooperate name"),
        ("en", "cafe\u0301 CAFÉ", "café café"),
        ("en", "ﬁne 😀 ok", "ﬁne ok"),
        ("hu", "Jó-e az EU-ban 1990-ben? NATO-jának, Bush-sal", "jó az eu nato bush"),
        ("hu", "Észak-Amerika, ide-oda, Kossuth-díjas", "észak amerika ide oda kossuth díjas"),
        ("fr", "L’avion d'aujourd'hui, qu'il a", "l avion d aujourd'hui qu il a"),
        ("it", "L'arte dell'Ottocento, un'idea", "l arte dell ottocento un idea"),
        ("ca", "L'escola col·legi d'estiu", "l escola col·legi d estiu"),
        ("tr", "İstanbul'un IŞIK Türkiye’nin", "istanbul ışık türkiye"),
        ("az", "İRAN ILIQ", "iran ılıq"),
        ("el", "ΟΔΟΣ ΣΟΦΙΑ", "οδος σοφια"),
        ("lt", "Ìr Šuo", "i̇̀r šuo"),
        ("fi", "EU:n kansalaiset", "eu kansalaiset"),
        ("sv", "SVT:s program", "svt program"),
        ("de", "Straße STRASSE Öl", "straße strasse öl"),
        ("uk", "Сім'я м’яч м\u02bcяч", "сім'я м'яч м'яч"),
        ("uz", "o'zbek O‘zbek oʻzbek tog'", "oʻzbek oʻzbek oʻzbek togʻ"),
        ("ga", "an tAthair, nÉireannach t-uisce", "an athair éireannach uisce"),
        ("nl", "foto's IJsland", "foto's ijsland"),
        ("vi", "Tie\u0302\u0301ng Vie\u0323\u0302t", "tiếng việt"),
        ("zh", "我们在北京大学学习。2024年", "我们 在 北京 大学 学习 年"),
        ("ja", "私は学生です。", "私 は 学生 です"),
        ("th", "ผมรักประเทศไทย", "ผม รัก ประเทศไทย"),
        ("ko", "한국어를 배워요.", "한국어를 배워요"),
        ("ar", "السـلام عليكم، يا صديقي", "السلام عليكم يا صديقي"),
        ("ar", "كِتَابٌ كتاب", "كتاب كتاب"),
        ("hi", "हिन्दी में नमस्ते।", "हिन्दी में नमस्ते"),
        ("fa", "می‌خواهم بروم", "میخواهم بروم"),
        ("fa", "كتاب ایراني", "کتاب ایرانی"),
        ("fa", "ویکی‌پدیا (Wikipedia)", "ویکیپدیا wikipedia"),
        ("ur", "لاہور Lahore", "لاہور lahore"),
        ("ckb", "هەولێر Hewlêr", "هەولێر hewlêr"),
        ("he", 'צה"ל צה״ל בא', 'צה"ל צה"ל בא'),
        ("he", "שָׁלוֹם שלום ג׳ורג׳", "שלום שלום ג'ורג'"),
        ("tlh", "tlhIngan Hol Dajatlh", "tlhingan hol dajatlh"),
        ("xx", "Quelque CHOSE", "quelque chose"),
    ],
)
def test_words(code: str, text: str, words: str) -> None:
    assert language(code).words(text) == words.split()


@given(st.text())
def test_words_are_in_normal_form_and_hold_a_letter(text: str) -> None:
    for word in language("en").words(text):
        assert any(map(str.isalpha, word))
        assert unicodedata.is_normalized("NFC", word)
        assert not any(map(str.isspace, word))


def test_stop_words_are_in_the_form_of_words() -> None:
    english = language("en")
    assert english.has_stop_words
    assert {"the", "of", "don't", "it"} <= english.stop_words()
    assert {"l", "d", "qu", "le"} <= language("fr").stop_words()
    assert "değil" in language("tr").stop_words()
    assert {"为", "為", "与", "與"} <= language("zh").stop_words()
    assert {"ειναι", "είναι", "αυτό", "όχι"} <= language("el").stop_words()
    assert {"って", "です"} <= language("ja").stop_words()
    for code in ("en", "hu", "fr", "tr", "zh", "nb"):
        spoken = language(code)
        assert spoken.stop_words()
        assert all(spoken.words(word) == [word] for word in spoken.stop_words())


def test_a_language_that_no_library_knows_has_only_its_words() -> None:
    klingon = language("tlh")
    assert not klingon.has_stop_words
    assert klingon.stop_words() == frozenset()
    assert klingon.lemma("puqpu'") == "puqpu'"


def test_the_lemma_of_a_stop_word_is_itself() -> None:
    assert dictionary.lemma("belé", "hu") == "ő"
    assert language("hu").lemma("belé") == "belé"


def test_lemmas_come_from_simplemma() -> None:
    assert language("en").lemma("dogs") == "dog"
    assert language("de").lemma("Häuser".lower()) == "haus"
    assert language("hr").lemma("kuće") == "kuća"


@pytest.mark.parametrize(
    ("code", "wikipedia", "opus"),
    [
        ("en", "en", "en"),
        ("hu", "hu", "hu"),
        ("nb", "no", "no"),
        ("zh", "zh", "zh_cn"),
        ("zh-Hant", "zh", "zh_tw"),
        ("pt-BR", "pt", "pt_br"),
        ("yue", "zh-yue", "yue"),
        ("nds-nl", "nds-nl", "nds"),
        ("be-tarask", "be-x-old", "be"),
        ("xx", "xx", "xx"),
    ],
)
def test_codes_of_projects(code: str, wikipedia: str, opus: str) -> None:
    assert wikipedia_code(code) == wikipedia
    assert opus_code(code) == opus


def test_the_table_of_languages_is_consistent() -> None:
    for data in LANGUAGES.values():
        assert all(name == name.lower() for name in data.disambiguation)
        assert set(data.code_pages) <= set(CODE_PAGES)
        for encoding in data.code_pages:
            assert data.alphabet.encode(encoding)


def test_a_tag_has_the_rules_of_its_language() -> None:
    assert all(code == base(code) for code in LANGUAGES)
    assert language("hu-HU").words("EU-ban") == language("hu").words("EU-ban") == ["eu"]
