"""Translations: how much each of their words counts for ours, and which words are borrowed."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from pipeline.fetched import write_resources
from pipeline.layout import Layout
from pipeline.vector_settings import BilingualDictionary
from pipeline.words import translations
from pipeline.words.translations import Lender, add_up, borrowed_words, find_lender, read_weights
from tests.support.dictionaries import write_dict
from wordkin.errors import InputError
from wordkin.vocabulary import Vocabulary

ENGLISH = Vocabulary(["dog", "ice", "cream", "hound", "rare"], [90, 50, 40, 7, 1], [1] * 5)


def test_a_translation_counts_once_per_dictionary_and_a_part_for_its_share() -> None:
    ours = [
        ("kutya", "dog"), ("kutya", "dog"), ("Kutya", "the hound"), ("fagylalt", "ice cream"),
        ("jég krém", "ice"), ("-kutya", "dog"), ("néma", "unknown"),
    ]  # fmt: skip
    theirs = [("kutya", "dog"), ("fagylalt", "ice")]
    assert add_up([ours, theirs], ENGLISH, "hu", "en") == {
        "kutya": {"dog": 2.0, "hound": 1.0},
        "fagylalt": {"ice": 1.5, "cream": 0.5},
    }


def test_letters_of_old_code_pages_are_repaired_in_hungarian_only() -> None:
    pairs = [("erdõ", "dog"), ("erdô", "ice"), ("tûz", "cream")]
    assert set(add_up([pairs], ENGLISH, "hu", "en")) == {"erdő", "tűz"}
    assert set(add_up([pairs], ENGLISH, "pt", "en")) == {"erdõ", "erdô", "tûz"}


def test_words_of_the_corpus_are_borrowed_first_then_those_with_frequent_translations() -> None:
    weights = {
        "kutya": {"dog": 2.0}, "fagylalt": {"ice": 0.5, "cream": 0.5}, "eb": {"hound": 1.0},
        "ritka": {"rare": 1.0}, "jég": {"ice": 1.0},
    }  # fmt: skip
    lender = Lender("en", Path(), ENGLISH)
    assert borrowed_words(weights, lender, {"ritka": 2, "eb": 1}, {"jég"}) == [
        "ritka", "eb", "kutya", "fagylalt",
    ]  # fmt: skip


def entry(name: str, *languages: str) -> BilingualDictionary:
    return BilingualDictionary(name, languages=list(languages))


@pytest.fixture
def layout(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Layout:
    """A Hungarian project with a dictionary in either direction, and a starter of English."""
    layout = Layout(tmp_path, "hu")
    entries = {
        "there": {"kutya": "kutya\ndog\n"},
        "back": {"dog": "dog\n1. kutya\n2. eb\n"},
    }
    brought = {
        name: {
            "files": [
                {"path": path.relative_to(tmp_path).as_posix()}
                for path in write_dict(tmp_path / name, content)
            ],
            "skipped": None,
            "licence": "own",
        }
        for name, content in entries.items()
    }
    lost = {"files": [], "skipped": "it cannot be reached", "licence": None}
    layout.resources.parent.mkdir(parents=True)
    write_resources(layout, {**brought, "lost": lost})
    ENGLISH.write(tmp_path / "starter" / "en" / "vocabulary.tsv")
    monkeypatch.setattr(translations, "STARTERS", tmp_path / "starter")
    return layout


def test_dictionaries_are_read_in_both_directions(layout: Layout) -> None:
    both = [entry("there", "hu", "en"), entry("back", "en", "hu")]
    lender = find_lender(layout, both)
    assert isinstance(lender, Lender) and lender.code == "en"
    assert read_weights(layout, both, lender) == {"kutya": {"dog": 2.0}, "eb": {"dog": 1.0}}


def test_a_reason_is_given_where_nothing_can_be_borrowed(layout: Layout) -> None:
    assert "names no dictionary of 'hu'" in str(find_lender(layout, []))
    assert find_lender(layout, [entry("lost", "hu", "en")]) == "it cannot be reached"
    assert "no starter bundle of 'fi'" in str(find_lender(layout, [entry("there", "hu", "fi")]))


@pytest.mark.parametrize(
    "dictionaries",
    [
        [entry("there", "hu", "en"), entry("back", "de", "hu")],
        [entry("there", "en", "de")],
    ],
)
def test_dictionaries_of_other_languages_are_refused(
    layout: Layout, dictionaries: list[BilingualDictionary]
) -> None:
    with pytest.raises(InputError, match="between 'hu' and one other language"):
        find_lender(layout, dictionaries)


def test_the_starter_of_english_lends_its_words() -> None:
    vocabulary = Vocabulary.read(translations.STARTERS / "en" / "vocabulary.tsv")
    assert "dog" in vocabulary and int(np.sum(vocabulary.counts)) > 1_000_000
