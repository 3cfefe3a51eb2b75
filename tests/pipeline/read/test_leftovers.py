"""What other programs leave in text is removed and counted, and nothing else is."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.read import Tally, leftovers
from pipeline.read.leftovers import clean
from tests.support.raw import numbered_captions, read, source


def cleaned(text: str) -> tuple[str, dict[str, int]]:
    tally = Tally()
    return " ".join(clean(text, tally).split()), dict(tally.cleaned)


@pytest.mark.parametrize(
    ("text", "left", "counts"),
    [
        (
            "the angle formula_1, and formula_22계에서",
            "the angle , and 계에서",
            {"placeholders": 2},
        ),
        ("between codice_1 and codice_2", "between and", {"placeholders": 2}),
        ("one<br>two<BR />three", "one two three", {"tags": 2}),
        ("an <i>old</i>er <span class='x'>word</span>", "an older word", {"tags": 4}),
        ('so.<ref name="a">Köln 2012, S. 5</ref> Next', "so. Next", {"tags": 1}),
        ("water <chem>H2O</chem> flows", "water flows", {"tags": 1}),
        ('class="wikitable" style="clear:both" Text', "Text", {"tags": 2}),
        ("a &amp; b&nbsp;c &#233;t&eacute;", "a & b c été", {"entities": 4}),
        ("twice &amp;lt;b&amp;gt; escaped", "twice escaped", {"entities": 4, "tags": 1}),
        ("thumb|right|250px|A caption", "A caption", {"wiki markup": 1}),
        ("[[File:Old cat.jpg|thumb|200px|An old cat]] sat", "An old cat sat", {"wiki markup": 1}),
        ("see [[a|the label]] and {{cite|x=1}} more", "see the label and more", {"wiki markup": 2}),
        ("as of 2014[ [update]], it", "as of 2014 , it", {"wiki markup": 1}),
        ("a\n | row || cell\nb", "a b", {"wiki markup": 1}),
        ("visit https://example.org/a?b=c_1, or", "visit or", {"addresses": 1}),
        ("見https://example.org/x。好", "見 。好", {"addresses": 1}),
        ("modoo(http://www.modoo.at)에서", "modoo( 에서", {"addresses": 1}),
        ("write to jane.doe@mail.example.com now", "write to now", {"addresses": 1}),
        ("a Music.hu-n, az index.hu/belfold után", "a , az után", {"addresses": 2}),
        ("on Example.com and www.example.de.", "on and", {"addresses": 2}),
        ("open setup_x86.exe-vel, photo-1.JPG!", "open , !", {"file names": 2}),
        ("(1991, ISBN 0-89579-252-4), and more", "(1991, ), and more", {"book numbers": 1}),
        ("Herne 2014, ISBN 978-3-933059-51-2", "", {"bibliography lines": 1}),
        ("Smith, J. (1999). Cats. Zoology 12(3): 45–67.", "", {"bibliography lines": 1}),
        ("doi:10.1000/182 and PMID 123456", "and", {"book numbers": 2}),
        (r"{\an8}Up here\Nand {y:i}down", "Up here and down", {"subtitle codes": 3}),
        (r"{\fnDidactic", "", {"subtitle codes": 1}),
        ("715 00:32:58,698 --> 00:33:00,115 Spoken", "Spoken", {"subtitle codes": 1}),
        ("00:01:02,000 --> 00:01:03,000\nSpoken", "Spoken", {"subtitle codes": 1}),
    ],
)
def test_a_leftover_is_removed_and_counted(text: str, left: str, counts: dict[str, int]) -> None:
    assert cleaned(text) == (left, counts)


@pytest.mark.parametrize(
    "text",
    [
        "The end.It was late. He left at 10.30.",
        "Haza.de azt nem. U.S.A. e.g. St.John, Ph.D.",
        "바로 <성 에우랄리아 사건> 이다",
        "5 < 6 and 7 > 3; a < b, c > d",
        "AT&T, R&D; Tom & Jerry",
        "He wrote (in 1998) that page 5 was lost.",
        "In her book (2003) she asks: why?",
        "!שלום\n!מה שלומך",
        "The formula is simple; my thumb hurts; isbnvel.",
        "50% or 3/4 of it, and/or none; 2019-2021",
        "snake_case, f(x) = y^2 {1, 2}",
        "@anna said: hi #now",
    ],
)
def test_ordinary_text_stays_as_it_is(text: str) -> None:
    tally = Tally()
    assert clean(text, tally) == text
    assert not tally.cleaned


def test_only_lines_with_leftovers_change() -> None:
    lines = [f"Line {n} has  two spaces." for n in range(9)]
    lines[3] += " www.example.org"
    lines[8] = "<br>" + lines[8]
    tally = Tally()
    result = clean("\n".join(lines), tally).split("\n")
    assert [n for n in range(9) if result[n] != lines[n]] == [3, 8]
    assert len(result) == 9


def test_every_format_is_cleaned(tmp_path: Path) -> None:
    text = "Egy formula_1 szó, lásd www.example.org, és kész."
    files = {
        "a.txt": ("text", text),
        "a.jsonl": ("json", json.dumps({"text": text}) + "\n"),
        "wiki_00": ("wikiextractor", f'<doc id="1" title="T">\nT\n\n{text}\n</doc>\n'),
        "opus.txt": ("opensubtitles", text),
        "a.srt": ("srt", numbered_captions(["Egy", "Két kép.jpg szó", "és", "kész"])),
    }
    for name, (format, content) in files.items():
        path = tmp_path / name
        path.write_text(content, encoding="utf-8")
        (document,), tally = read(path, source(format))
        assert "www" not in document.text
        assert "jpg" not in document.text
        assert sum(tally.cleaned.values()) == (2 if name in ("a.txt", "a.jsonl", "wiki_00") else 1)


PIECES = st.sampled_from(
    [
        "isbn", "ISBN ", "Issn", "978-3-933059-51-2", "1234-5678", "doi:", "10.1000/182", "PMID ",
        "PMC", "OCLC 12", "arXiv:", "12345", "www.", "wWw.", "://", "http", "@", "a", "b.c", ".com",
        ".TV", ".hu", ".de/x", ".jpg", ".JPG", ".7z", ".Html", "File:", "U.S.", " ", "\u00a0", "-",
        ":", "x.tar.gz", "é", "1", ".", "/", "00:01:02,003", "-->", "S2CID 1",
        "{", "\\N", "<", "px", "|", "thumb", "=", "[[", "[ [a]]",
        "ASIN B0", "Bibcode 1",
    ]
)  # fmt: skip


@given(st.lists(PIECES, max_size=8).map("".join))
def test_no_pattern_matches_a_line_without_its_sign(line: str) -> None:
    for rule in (*leftovers.MARKUP, *leftovers.NAMES):
        assert rule.sign.search(line) or not rule.pattern.search(line)
