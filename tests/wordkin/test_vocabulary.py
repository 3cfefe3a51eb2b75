"""The vocabulary: ids, files, and the cards of a board."""

from __future__ import annotations

from pathlib import Path

import pytest

from wordkin.errors import InputError, UnknownWord
from wordkin.vocabulary import Vocabulary

WORDS = ["ice", "cream", "ice cream", "ılık", "tree"]


@pytest.fixture
def vocabulary() -> Vocabulary:
    return Vocabulary(WORDS, [50, 40, 30, 20, 10], [5, 4, 3, 2, 1])


def test_the_id_of_a_word_is_its_position(vocabulary: Vocabulary) -> None:
    assert [vocabulary.id(word) for word in WORDS] == [0, 1, 2, 3, 4]
    assert vocabulary.ids_of(["tree", "ice"]).tolist() == [4, 0]
    assert "tree" in vocabulary and "trees" not in vocabulary
    assert list(vocabulary) == WORDS


@pytest.mark.parametrize(
    ("word", "spellings"), [("rtee", "tree"), ("creams", "cream, ice cream"), ("cie", "ice")]
)
def test_an_unknown_word_is_refused_with_similar_spellings(
    vocabulary: Vocabulary, word: str, spellings: str
) -> None:
    with pytest.raises(UnknownWord, match=f"'{word}' is not in .*; near spellings: {spellings}"):
        vocabulary.id(word)
    with pytest.raises(UnknownWord, match=f"'{word}' is not in the vocabulary"):
        vocabulary.ids_of(["tree", word])


def test_without_similar_spellings_none_are_suggested(vocabulary: Vocabulary) -> None:
    with pytest.raises(UnknownWord, match=r"^'xyz' is not in the vocabulary\.$"):
        vocabulary.id("xyz")


@pytest.mark.parametrize(
    ("card", "language", "words"),
    [
        ("Tree", "en", ["tree"]),
        (" ICE CREAM ", "en", ["ice cream"]),
        ("ice tree", "en", ["ice", "tree"]),
        ("ice palace", "en", ["ice"]),
        ("palace", "en", []),
        ("ILIK", "tr_TR", ["ılık"]),
        ("ILIK", "en", []),
    ],
)
def test_a_card_stands_for_its_word_or_for_its_known_words(
    vocabulary: Vocabulary, card: str, language: str, words: list[str]
) -> None:
    ids = vocabulary.card_ids(card, language)
    assert [vocabulary.words[i] for i in ids] == words


def test_what_is_written_is_read(vocabulary: Vocabulary, tmp_path: Path) -> None:
    vocabulary.write(tmp_path / "vocabulary.tsv")
    read = Vocabulary.read(tmp_path / "vocabulary.tsv")
    assert read.words == WORDS
    assert read.counts.tolist() == [50, 40, 30, 20, 10]
    assert read.documents.tolist() == [5, 4, 3, 2, 1]
    assert read.familiarity is None


def test_familiarity_is_written_with_three_digits_and_read(tmp_path: Path) -> None:
    path = tmp_path / "vocabulary.tsv"
    Vocabulary(["ice", "cream"], [5, 4], [2, 1], [0.12345, 1]).write(path)
    assert path.read_text().split("\n")[:2] == [
        "word\tcount\tdocuments\tfamiliarity",
        "ice\t5\t2\t0.123",
    ]
    read = Vocabulary.read(path)
    assert read.familiarity is not None
    assert read.familiarity.tolist() == pytest.approx([0.123, 1])


@pytest.mark.parametrize("familiarity", [[0.5], [0.5, 1.5], [0.5, -0.1], [0.5, float("nan")]])
def test_familiarity_is_one_number_from_0_to_1_per_word(familiarity: list[float]) -> None:
    with pytest.raises(InputError, match="one familiarity per word, from 0 to 1"):
        Vocabulary(["ice", "cream"], [5, 4], [2, 1], familiarity)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "not a whole vocabulary"),
        (b"word\tcount\nice\t3\n", "not a whole vocabulary"),
        (b"word\tcount\tdocuments\nice\t3\t1", "not a whole vocabulary"),
        (b"word\tcount\tdocuments\nice\t3\n", "not word, count, documents"),
        (b"word\tcount\tdocuments\nice\tmany\t1\n", "not word, count, documents"),
        (b"word\tcount\tdocuments\n\xff\t3\t1\n", "Cannot read the vocabulary"),
        (b"word\tcount\tdocuments\nice\t3\t1\t2\n", "not word, count, documents"),
        (b"word\tcount\tdocuments\nice\t" + b"9" * 30 + b"\t1\n", "not word, count, documents"),
        (b"word\tcount\tdocuments\nice\t-3\t1\n", "a count below 0"),
        (b"word\tcount\tdocuments\nice\t3\t1\nice\t3\t1\n", "repeated word"),
        (b"word\tcount\tdocuments\n\t3\t1\n", "an empty or repeated word"),
        (b"word\tcount\tdocuments\nice\x1b[2J\t3\t1\n", "control characters"),
        (
            b"word\tcount\tdocuments\tfamiliarity\nice\t3\t1\n",
            "not word, count, documents, familiarity",
        ),
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, content: bytes, sentence: str) -> None:
    (tmp_path / "vocabulary.tsv").write_bytes(content)
    with pytest.raises(InputError, match=sentence):
        Vocabulary.read(tmp_path / "vocabulary.tsv")


def test_a_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Cannot read the vocabulary"):
        Vocabulary.read(tmp_path / "vocabulary.tsv")


def test_each_word_needs_both_counts() -> None:
    with pytest.raises(InputError, match="one count and one document count per word"):
        Vocabulary(["ice"], [3, 2], [1])
