"""Rated pairs: every shape of gold file, and every way one can be broken."""

from __future__ import annotations

import math
from pathlib import Path

import pytest

from wordkin.errors import InputError
from wordkin.rated_pairs import Pair, place, read_pairs
from wordkin.vocabulary import Vocabulary

SAME = [Pair("Sun", "moon", 9.0), Pair("bread", "Butter", 8.5)]
FILES = {
    "tabs": "Sun\tmoon\t9\nbread\tButter\t8.5\n",
    "no line end at the end": "Sun\tmoon\t9\nbread\tButter\t8.5",
    "Windows line ends": "Sun\tmoon\t9\r\nbread\tButter\t8.5\r\n",
    "old Macintosh line ends": "Sun\tmoon\t9\rbread\tButter\t8.5\r",
    "byte order mark": "\ufeffSun\tmoon\t9\nbread\tButter\t8.5\n",
    "header": "word1\tword2\tscore\nSun\tmoon\t9\nbread\tButter\t8.5\n",
    "header with a byte order mark": "\ufeffWord 1\tWord 2\tMean\nSun\tmoon\t9\nbread\tButter\t8.5",
    "comment sign before the header": "# Word 1\tWord 2\tsim\nSun\tmoon\t9\nbread\tButter\t8.5\n",
    "empty lines": "\n\nSun\tmoon\t9\n  \nbread\tButter\t8.5\n\n",
    "more columns": "Sun\tmoon\t9\tnoun\nbread\tButter\t8.5\n",
    "spaces around": " Sun \t moon\t 9\nbread\tButter\t8.5 \n",
    "commas": "Sun,moon,9\nbread,Butter,8.5\n",
    "commas and quotes": '"Sun","moon","9"\n"bread","Butter","8.5"\n',
    "semicolons": "Sun;moon;9\nbread;Butter;8.5\n",
    "spaces": "Sun moon 9.000\nbread   Butter 8.5\n",
}


@pytest.mark.parametrize("name", FILES)
def test_every_shape_of_file_gives_the_same_pairs(name: str, tmp_path: Path) -> None:
    path = tmp_path / "gold"
    path.write_bytes(FILES[name].encode())
    assert read_pairs(path) == SAME


def test_entries_of_several_words_stay_whole(tmp_path: Path) -> None:
    path = tmp_path / "gold"
    path.write_text("New York\tBan Ki-moon\t2.5\n", encoding="utf-8")
    assert read_pairs(path) == [Pair("New York", "Ban Ki-moon", 2.5)]


def test_columns_can_be_named_and_lines_left_out(tmp_path: Path) -> None:
    path = tmp_path / "gold"
    path.write_text(
        "#ID:Second:First:Value:Doubtful\n1:moon:Sun:9:0\n2:x:y:1:1\n3:Butter:bread:8.5:0\n",
        encoding="utf-8",
    )
    pairs = read_pairs(
        path, separator=":", columns=("first", "SECOND", "value"), leave_out={"Doubtful": "1"}
    )
    assert pairs == SAME


def test_decomposed_letters_are_composed(tmp_path: Path) -> None:
    path = tmp_path / "gold"
    path.write_text("e\u0301tel\tviz\t4\n", encoding="utf-8")
    assert read_pairs(path)[0].first == "\u00e9tel"


@pytest.mark.parametrize("mark", ["", "-", "NA", "nan", "?"])
def test_a_pair_without_a_score_is_unrated_even_in_the_first_line(
    mark: str, tmp_path: Path
) -> None:
    path = tmp_path / "gold"
    path.write_text(f"sun\tmoon\t{mark}\nsun\tbread\t2\n", encoding="utf-8")
    unrated, rated = read_pairs(path)
    assert math.isnan(unrated.score) and rated == Pair("sun", "bread", 2.0)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "is empty"),
        (b"\xef\xbb\xbf\r\n", "is empty"),
        (b"word1\tword2\tscore\n", "has a header and no pairs"),
        (b"sun\tmoon\t9\nsun\tbread\tmuch\n", "line 2: the score 'much' is not a number"),
        (b"sun\tmoon\t9\nsun\tbread\t2,5\n", "line 2: the score '2,5' is not a number"),
        (b"sun\tmoon\t9\nsun\tbread\tinf\n", "line 2: the score 'inf' is not a number"),
        (b"sun\tmoon\t9\nsun\n", "line 2: expected two words and a score"),
        (b"sun\tmoon\t9\n\tmoon\t3\n", "line 2: expected two words and a score"),
        (b"sun moon 9\nNew York moon 3\n", "line 2: the score 'moon' is not a number"),
        ("napsütés\thold\t1".encode("latin-1"), "is not UTF-8 text"),
        ("sun\tmoon\t9".encode("utf-16"), "is not UTF-8 text"),
    ],
)
def test_a_broken_file_is_refused_with_the_line(
    content: bytes, sentence: str, tmp_path: Path
) -> None:
    path = tmp_path / "gold"
    path.write_bytes(content)
    with pytest.raises(InputError, match=sentence):
        read_pairs(path)


def test_words_are_looked_up_by_the_spelling_of_the_language() -> None:
    listed = Vocabulary(["ısı", "isi", "güneş"], [3, 2, 1], [3, 2, 1])
    pairs = [Pair("ISI", "Güneş", 9.0), Pair("İSİ", "gu\u0308nes\u0327", 1.0)]
    turkish = place(pairs, listed, language="tr-TR")
    assert (turkish.first.tolist(), turkish.second.tolist()) == ([0, 1], [2, 2])
    other = place(pairs[:1], listed)
    assert (other.first.tolist(), other.missing) == ([1], ())


def test_a_word_that_the_vocabulary_has_as_written_is_not_changed() -> None:
    listed = Vocabulary(["Sun", "sun", "moon"], [3, 2, 1], [3, 2, 1])
    placed = place([Pair("Sun", "Moon", 1.0)], listed, language="en")
    assert (placed.first.tolist(), placed.second.tolist()) == ([0], [2])


def test_a_missing_file_and_a_missing_column_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="Cannot read the gold set"):
        read_pairs(tmp_path / "none.tsv")
    path = tmp_path / "gold"
    path.write_text("a\tb\tscore\nsun\tmoon\t1\n", encoding="utf-8")
    with pytest.raises(InputError, match="no column named 'rating'"):
        read_pairs(path, columns=("a", "b", "rating"))
