"""Translations: what dictionaries say, how much each counts, and which words are borrowed."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from pipeline.fetched import write_resources
from pipeline.languages import language
from pipeline.layout import Layout
from pipeline.words.translations import (
    BilingualDictionary,
    Translations,
    add_up,
    borrowed_words,
    read_pairs,
    read_translations,
)
from tests.support.dictionaries import write_dict
from wordkin.errors import InputError


def test_a_translation_counts_once_per_dictionary_and_a_part_for_its_share() -> None:
    ours = [
        ("kutya", "dog"), ("kutya", "dog"), ("Kutya", "the hound"), ("fagylalt", "ice cream"),
        ("jég krém", "ice"), ("-kutya", "dog"),
    ]  # fmt: skip
    theirs = [("kutya", "dog"), ("fagylalt", "ice")]
    assert add_up([ours, theirs], "hu", "en") == {
        "kutya": {"dog": 2.0, "hound": 1.0},
        "fagylalt": {"ice": 1.5, "cream": 0.5},
    }


def test_letters_of_old_code_pages_are_repaired_in_hungarian_only() -> None:
    pairs = [("erdõ", "dog"), ("erdô", "ice"), ("tûz", "cream")]
    assert set(add_up([pairs], "hu", "en")) == {"erdő", "tűz"}
    assert set(add_up([pairs], "pt", "en")) == {"erdõ", "erdô", "tûz"}


def test_words_of_the_corpus_are_borrowed_first_then_known_ones_with_many_translations() -> None:
    weights = {
        "kutya": {"dog": 2.0}, "macska": {"cat": 3.0}, "xqzz": {"hound": 9.0},
        "ritka": {"rare": 1.0}, "jég": {"ice": 1.0},
    }  # fmt: skip
    borrowed = borrowed_words(weights, language("hu"), {"ritka": 2}, {"jég"})
    assert borrowed == ["ritka", "macska", "kutya", "xqzz"]


def entry(name: str, *languages: str) -> BilingualDictionary:
    return BilingualDictionary(name, languages=list(languages))


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    """A Hungarian project with a dictionary in either direction."""
    layout = Layout(tmp_path, "hu")
    entries = {
        "there": {"kutya": "kutya\ndog\n"},
        "back": {"dog": "dog\n1. kutya\n2. eb\n"},
    }
    resources = {
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
    write_resources(layout, {**resources, "lost": lost})
    return layout


def test_dictionaries_are_read_in_both_directions(layout: Layout) -> None:
    both = [entry("there", "hu", "en"), entry("back", "en", "hu")]
    weights = {"kutya": {"dog": 2.0}, "eb": {"dog": 1.0}}
    assert read_translations(layout, both) == Translations("en", weights)


def test_a_reason_is_given_where_nothing_can_be_borrowed(layout: Layout) -> None:
    assert "names no dictionary of 'hu'" in str(read_translations(layout, []))
    assert read_translations(layout, [entry("lost", "hu", "en")]) == "it cannot be reached"


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
        read_translations(layout, dictionaries)


ENTRIES = {
    "dog": "dog /dˈɒɡ/ <n>\n1. kutya\n2. eb, kutya (hím)\n",
    "icecream": "ice-cream /ˈaɪs/\nfagylalt; fagyi [gyerek]\n   Synonyms: sorbet\n",
    "x" * 70: "x" * 70 + "\nnagyon hosszú\n",
}


def test_entries_lose_numbers_notes_and_labels(tmp_path: Path) -> None:
    assert list(read_pairs(write_dict(tmp_path, ENTRIES))) == [
        ("dog", "kutya"),
        ("dog", "eb"),
        ("dog", "kutya"),
        ("ice-cream", "fagylalt"),
        ("ice-cream", "fagyi"),
        ("x" * 70, "nagyon hosszú"),
    ]


def test_an_unpacked_dictionary_is_read_as_well(tmp_path: Path) -> None:
    body, index = write_dict(tmp_path, ENTRIES)
    packed = list(read_pairs([body, index]))
    plain = tmp_path / "own.dict"
    plain.write_bytes(gzip.decompress(body.read_bytes()))
    assert list(read_pairs([plain, index])) == packed


def test_a_table_has_one_translation_per_line(tmp_path: Path) -> None:
    path = tmp_path / "own.tsv"
    path.write_text("dog\tkutya\ndog\teb\n", encoding="utf-8")
    assert list(read_pairs([path])) == [("dog", "kutya"), ("dog", "eb")]
    path.write_text("dog\tkutya\ndog\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 2: write a headword, a tab and a translation"):
        list(read_pairs([path]))


def test_broken_dictionaries_are_refused(tmp_path: Path) -> None:
    body, index = write_dict(tmp_path, ENTRIES)
    with pytest.raises(InputError, match="no dictionary that we know"):
        list(read_pairs([body]))
    with pytest.raises(InputError, match=r"an index without its own\.dict\.dz"):
        list(read_pairs([index]))
    whole = body.read_bytes()
    body.write_bytes(whole[:-9])
    with pytest.raises(InputError, match="is damaged: get the dictionary again"):
        list(read_pairs([body, index]))
    body.write_bytes(gzip.compress(gzip.decompress(whole)[:60]))
    with pytest.raises(InputError, match="ends before the entry 'dog'"):
        list(read_pairs([body, index]))
    body.write_bytes(whole)
    index.write_text("dog\tÁ\tB\n", encoding="utf-8")
    with pytest.raises(InputError, match="line 1, is damaged"):
        list(read_pairs([body, index]))
