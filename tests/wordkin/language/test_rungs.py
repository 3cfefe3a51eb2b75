"""Each rung of the ladder, by examples in five languages."""

from __future__ import annotations

import pytest

from tests.support.lexicons import make_resolver
from wordkin.errors import InputError, UnknownWord

KNOWN = {
    "en": (
        "government separate accommodation color theater ship snow board house travel center "
        "organize catalog email cafe work city happy nurse knife below create encyclopedia "
        "gray story high ness consul ate"
    ),
    # Most words have accents, as in the language: the accents tell words apart.
    "hu": (
        "víz kor kávé főző ház kert állat orvos virág zene bor bál utca hal álom kutya szerencse "
        "úr út fűtés gép repülő jog ász teher autó ügyvéd csatorna ruha alma"
    ),
    "de": (
        "haus kind arbeit zimmer schule buch straße sonne blume liebe brief freund mädchen tag "
        "bund land rat könig apfel baum über größe müller gäste zirkus"
    ),
    "fi": "maa tie talo kirja kauppa kansa koulu auto päivä sää sähkö työ pöytä öljy jää lentokone",
    "tr": (
        "ev kitap çocuk göz liman hava kalem okul şehir güneş ağaç istanbul kâğıt deniz yol gün"
    ),
}

EXAMPLES = [
    # The form itself.
    ("en", "Color", "form", ["color"]),
    ("tr", "ŞEHİR", "form", ["şehir"]),
    # Case, accents, hyphens, apostrophes, spaces.
    ("en", "café", "variant", ["cafe"]),
    ("en", "e-mail", "variant", ["email"]),
    ("en", "knife".replace("f", "\uff46"), "variant", ["knife"]),  # of full width
    ("en", "snow board house", "parts", ["snow", "board", "house"]),
    ("hu", "kave", "variant", ["kávé"]),
    ("hu", "szerencse-", "variant", ["szerencse"]),
    ("de", "uber", "variant", ["über"]),
    ("fi", "paiva", "variant", ["päivä"]),
    ("fi", "lento kone", "variant", ["lentokone"]),
    ("tr", "gunes", "variant", ["güneş"]),
    # Lemmas and endings.
    ("en", "cities", "lemma", ["city"]),
    ("en", "happier", "lemma", ["happy"]),
    ("en", "knives", "lemma", ["knife"]),
    ("en", "nursing", "lemma", ["nurse"]),
    ("hu", "kutyák", "lemma", ["kutya"]),
    ("hu", "utcai", "lemma", ["utca"]),
    ("hu", "szerencsés", "lemma", ["szerencse"]),
    ("de", "Blumen", "lemma", ["blume"]),
    ("de", "Häuser", "lemma", ["haus"]),
    ("fi", "talossa", "lemma", ["talo"]),
    ("tr", "kitapları", "lemma", ["kitap"]),
    ("tr", "kitabı", "lemma", ["kitap"]),
    # Spelling.
    ("en", "theatre", "spelling", ["theater"]),
    ("en", "colour", "spelling", ["color"]),
    ("en", "organise", "spelling", ["organize"]),
    ("en", "catalogue", "spelling", ["catalog"]),
    ("en", "encyclopaedia", "spelling", ["encyclopedia"]),
    ("en", "grey", "spelling", ["gray"]),
    ("en", "travelled", "spelling", ["travel"]),
    ("en", "colourful", "spelling", ["color"]),
    ("en", "goverment", "spelling", ["government"]),
    ("en", "seperate", "spelling", ["separate"]),
    ("hu", "csatórna", "spelling", ["csatorna"]),
    ("de", "strasse", "spelling", ["straße"]),
    ("de", "Koenig", "spelling", ["könig"]),
    ("de", "Circus", "spelling", ["zirkus"]),
    ("tr", "ISTANBUL", "spelling", ["istanbul"]),
    # Parts.
    ("en", "snow-house", "parts", ["snow", "house"]),
    ("en", "snowboard", "parts", ["snow", "board"]),
    ("hu", "kávéfőző", "parts", ["kávé", "főző"]),
    ("hu", "állatkertek", "parts", ["állat", "kert"]),
    ("hu", "vízcsatornaház", "parts", ["víz", "csatorna", "ház"]),
    ("de", "Arbeitszimmer", "parts", ["arbeit", "zimmer"]),
    ("de", "Sonnenblume", "parts", ["sonne", "blume"]),
    ("de", "Schulbuch", "parts", ["schule", "buch"]),
    ("de", "Liebesbrief", "parts", ["liebe", "brief"]),
    ("fi", "kirjakauppa", "parts", ["kirja", "kauppa"]),
    ("fi", "maantie", "parts", ["maa", "tie"]),
    ("tr", "deniz yolu", "parts", ["deniz"]),
]


@pytest.mark.parametrize(("language", "word", "how", "known"), EXAMPLES)
def test_a_word_is_resolved_by_the_first_rung_that_answers(
    language: str, word: str, how: str, known: list[str]
) -> None:
    resolution = make_resolver(KNOWN[language], language).resolve(word)
    assert resolution.word == word
    assert [step.how for step in resolution.via] == [how]
    assert list(resolution.via[0].targets) == known
    assert {entry.word for entry in resolution.words} == set(known)
    assert resolution.known == (how == "form")


# Words that look like a known one, but are others.
OTHERS = [
    ("hu", "kór"),  # kor with an accent is another word
    ("hu", "borda"),  # not bor with two endings
    ("hu", "bálna"),
    ("hu", "jogász"),  # ász is an ending here
    ("en", "bellow"),
    ("en", "consulate"),
    ("en", "creaked"),
    ("en", "highness"),
]


@pytest.mark.parametrize(("language", "word"), OTHERS)
def test_a_word_that_only_looks_like_a_known_one_is_not_taken_for_it(
    language: str, word: str
) -> None:
    words = KNOWN[language]
    try:
        resolution = make_resolver(words, language).resolve(word)
    except UnknownWord:
        return
    wrong = {"kór": "kor", "borda": "bor", "bálna": "bál", "jogász": "ász", "bellow": "below"}
    wrong |= {"consulate": "ate", "creaked": "create", "highness": "ness"}
    assert wrong[word] not in {entry.word for entry in resolution.words}


def test_a_word_shares_its_lemma_with_the_most_frequent_form() -> None:
    resolver = make_resolver("went gone mouse", "en", {"went": "go", "gone": "go"})
    assert resolver.resolve("go").words[0].word == "went"


def test_the_last_part_of_a_compound_weighs_more() -> None:
    resolution = make_resolver(KNOWN["hu"], "hu").resolve("kávéfőző")
    assert {entry.word: entry.weight for entry in resolution.words} == pytest.approx(
        {"kávé": 0.4, "főző": 0.6}
    )
    assert resolution.line() == "kávéfőző: from kávé + főző"
    assert resolution.line("hu") == "kávéfőző: ezekből: kávé + főző"


def test_the_words_of_a_phrase_weigh_the_same_and_unknown_ones_are_left_out() -> None:
    resolution = make_resolver("ice cream", "en").resolve("Ice zzyzx Cream")
    assert [(entry.word, entry.weight) for entry in resolution.words] == [
        ("ice", 0.5),
        ("cream", 0.5),
    ]


def test_a_single_letter_does_not_stand_for_a_phrase() -> None:
    resolution = make_resolver("t king", "en").resolve("t-kings")
    assert [entry.word for entry in resolution.words] == ["king"]


def test_a_phrase_of_unknown_words_is_resolved_word_by_word() -> None:
    resolution = make_resolver(KNOWN["de"], "de").resolve("Häuser und Blumen")
    assert [step.how for step in resolution.via] == ["parts", "lemma", "lemma"]
    assert {entry.word for entry in resolution.words} == {"haus", "blume"}


def test_the_json_form_says_how_a_word_was_resolved() -> None:
    assert make_resolver("color", "en").resolve("colour").as_dict() == {
        "word": "colour",
        "known": False,
        "via": ({"how": "spelling", "source": "colour", "targets": ("color",)},),
        "words": ({"word": "color", "weight": 1.0},),
    }


@pytest.mark.parametrize("word", ["", "  ", "007", "!?", "--"])
def test_a_string_without_letters_is_refused_in_one_sentence(word: str) -> None:
    resolver = make_resolver("piano", "en")
    with pytest.raises(InputError, match="has no letters: give a word"):
        resolver.resolve(word)
    assert resolver.try_resolve(word) is None


def test_without_subwords_an_unknown_word_is_refused_with_near_spellings() -> None:
    with pytest.raises(UnknownWord, match=r"'pianx' is not in the vocabulary; near .*: piano"):
        make_resolver("piano mouse", "en").resolve("pianx")
    assert make_resolver("piano mouse", "en").try_resolve("pianx") is None
