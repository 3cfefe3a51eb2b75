"""Made-up dumps and films in many languages: clean text, nothing lost, credits left out."""

from __future__ import annotations

import bz2
from pathlib import Path
from typing import NamedTuple

import pytest

from pipeline.languages import language
from pipeline.languages.table import LANGUAGES
from tests.support.raw import MARKS, dump, head, numbered_captions, page, read_as_found


class Wiki(NamedTuple):
    """The names of a wiki, and an article on it."""

    file: str
    template: str
    category: str
    title: str
    rest: str
    caption: str
    disambiguation: str


WIKIS = {
    "hu": Wiki("Fájl", "Sablon", "Kategória", "Kutya", "egy háziállat", "Egy szép kutya", "egyért"),
    "zh": Wiki(
        "文件", "模板", "分类", "狗", "是一種常見的家養動物", "一隻在草地上奔跑的狗", "消歧义"
    ),
    "bn": Wiki("চিত্র", "টেমপ্লেট", "বিষয়শ্রেণী", "কুকুর", "একটি প্রাণী", "একটি সুন্দর কুকুর", "দ্ব্যর্থতা নিরসন"),
}


def article(wiki: Wiki) -> str:
    """An article with all that surrounds its text on real wikis."""
    return f"""{{{{Infobox animal | name = {wiki.title} | image = [[{wiki.file}:x.jpg|250px]]
| status = {{{{nested|a|b}}}} }}}}
<!-- a comment -->[[{wiki.file}:Dog.jpg|thumb|right|200px|{wiki.caption}]]
'''{wiki.title}''' {wiki.rest}.<ref name="a">Book, p.&nbsp;3.</ref>
{{| class="wikitable" style="float:right"
! Head !! Other
|-
| Cell || Cell
|}}
== {wiki.title} ==
* '''[[{wiki.title}|{wiki.title}]]''' {wiki.rest}<br />[https://example.org {wiki.title}]
<gallery>
Dog.jpg|{wiki.caption}
</gallery>
__NOTOC__
[[{wiki.category}:X]] [[Category:Y]]
"""


@pytest.mark.parametrize("code", WIKIS)
def test_dumps_are_clean_and_keep_their_leads(code: str, tmp_path: Path) -> None:
    wiki = WIKIS[code]
    pages = [
        page(wiki.title, article(wiki), 1),
        page(f"{wiki.template}:X", "text", 2, ns=10),
        page("Y", f"{{{{{wiki.disambiguation}}}}}\n* [[{wiki.title}]]", 3),
        page("Z", f"#REDIRECT [[{wiki.title}]]", 4),
    ]
    path = tmp_path / "dump.xml.bz2"
    names = head(code, wiki.file, wiki.template, wiki.category)
    path.write_bytes(bz2.compress(dump(*pages, head=names)))
    (document,), tally = read_as_found(path, "wikipedia")
    assert MARKS.findall(document.text) == []
    lines = document.text.split("\n")
    assert lines[:2] == [wiki.caption, f"{wiki.title} {wiki.rest}."]
    assert lines[2:] == [wiki.title, f"{wiki.title} {wiki.rest}", wiki.title, wiki.caption]
    assert tally.dropped == {"namespace": 1, "disambiguation": 1, "redirect": 1}
    assert not tally.lost
    assert len(language(code).words(document.text)) > 8


WITH_CREDITS = [code for code, data in LANGUAGES.items() if data.credits]


@pytest.mark.parametrize("code", WITH_CREDITS)
def test_the_credits_of_films_are_left_out_in_every_language(code: str, tmp_path: Path) -> None:
    for beginning in LANGUAGES[code].credits:
        spoken = [f"Line {n}." for n in range(20)]
        path = tmp_path / f"film.{code}.srt"
        text = numbered_captions(
            [f"{beginning}: Anna", *spoken, f"<i>{beginning.upper()}</i> Anna"]
        )
        path.write_text(text, encoding="utf-8")
        (film,), tally = read_as_found(path, "srt")
        assert film.text.split("\n") == spoken
        assert tally.dropped == {"credit lines": 2}
