"""Markup to running text: what is kept, what is left out, and hostile input."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pipeline.read.wikitext import Site, clean

HU = Site("hu", {6: ["Fájl"], 10: ["Sablon"], 14: ["Kategória"], -2: ["Média"]})
ZH = Site("zh", {6: ["文件"], 14: ["分类"]})
MARKS = re.compile(r"\[\[|\]\]|\{\{|\}\}|\{\||\|\}|'''|<ref|thumb\||&nbsp;|__[A-Z]+__")


def cleaned(text: str) -> str:
    return clean(text, HU)


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        # Links
        ("A [[kutya]] és a [[macska|cica]].", "A kutya és a cica."),
        ("[[Kutya]]k", "Kutyak"),
        ("[[:Kategória:Kutyák]]", "Kategória:Kutyák"),
        ("[[Magyarország#Földrajz]]", "Magyarország Földrajz"),
        ("[[a|b|c]]", "b c"),
        ("szöveg [[en:Dog]][[zh-min-nan:Káu]]", "szöveg"),
        ("[[wikt:szó|szó]]", "szó"),
        ("[[Kategória:Kutyák]][[category:Dogs|x]]szöveg", "szöveg"),
        ("[[a|b [[c|d]] e]]", "b d e"),
        # External links
        ("[http://a.hu címke] és [https://b.hu] vége", "címke és vége"),
        ("lásd http://a.hu/b?c itt", "lásd itt"),
        ("[//a.hu címke]", "címke"),
        # Files and captions
        ("[[Fájl:a.jpg|bélyegkép|200px|jobbra]]Szöveg", "Szöveg"),
        ("[[Fájl:a.jpg|thumb|Egy [[kép]] aláírása]]Szöveg", "Egy kép aláírása\nSzöveg"),
        ("[[File:a.jpg|alt=más szöveg|Két szó|left]]", "Két szó"),
        ("[[Kép:a.jpg|bélyegkép|Régi név alatt]]", "Régi név alatt"),
        ("[[Fájl:a.jpg|upright 1.5|balra]][[Hình:b.jpg|nhỏ|không khung]]Szöveg", "Szöveg"),
        ("<gallery>\nFájl:a.jpg|Az [[első]] kép\nb.png|\n</gallery>", "Az első kép"),
        # Templates
        ("A {{sablon|a=b}}szó", "A szó"),
        ("{{a|{{b|{{{1|c}}}}}|d}}szó", "szó"),
        ("A {{nem zárul a szöveg.", "A nem zárul a szöveg."),
        ("Eleje }} vége", "Eleje vége"),
        ("{{a [[b}} szöveg", "szöveg"),
        ("l{{'}}''Iliade'', az{{nbsp}}a{{r|x}}, szó{{r|x}}", "l'Iliade, az a, szó"),
        ("'''{{lang|fr|Amélie}}''' {{Lang|fr|texte=csodás}} élete", "Amélie csodás élete"),
        ("{{nihongo|'''Naruto'''|x=y}} egy {{nowrap|[[manga|könyv]]}}", "Naruto egy könyv"),
        ("{{{név|alap}}} szó {{lang|fr}}", "szó"),
        # Tables
        ("Előtte\n{| class=x\n! fej\n|-\n| {{a}} || cella\n|}\nUtána", "Előtte\nUtána"),
        ("{|\n|\n{|\n| belső\n|}\n|}\nszöveg", "szöveg"),
        ("{|\n| nem zárul\n|-\nszöveg", "szöveg"),
        ("a<table><tr><td>b</td></tr></table>c", "a\nc"),
        # Elements
        ("a<ref>b {{c}}</ref> d<ref name=x /> e<REF>f</REF>", "a d e"),
        ("a <ref> nem zárul", "a nem zárul"),
        ("a <!-- b\n--> c<!-- nem zárul", "a c"),
        ("a<math>\\frac{1}{2}</math>b<syntaxhighlight lang=py>x</syntaxhighlight>c", "abc"),
        ("a <nowiki>[[b]] ''c''</nowiki>", "a b c"),
        ("<ruby>漢字<rp>(</rp><rt>かんじ</rt><rp>)</rp></ruby>", "漢字"),
        ("egy<br />kettő<p>három</p>", "egy\nkettő\nhárom"),
        ("H<sub>2</sub>O <span style='x'>víz</span>", "H2O víz"),
        ("ha a <b és c> d", "ha a d"),
        ("<poem>egy\nkettő</poem>", "egy\nkettő"),
        ("a &lt; b &amp;nbsp; c&nbsp;d &#233;", "a < b \xa0 c\xa0d é"),
        # Bold, italics, apostrophes
        ("'''félkövér''', ''dőlt'', '''''mind'''''", "félkövér, dőlt, mind"),
        ("l''''avion'''", "l'avion"),
        ("l'''amour'' toujours", "l'amour toujours"),
        ("'''x''' a ''y'' és '''z'''", "x a y és z"),
        # Headings and lists
        ("== Cím ==\nszöveg\n== Üres ==\n=== Alcím ===\n", "Cím\nszöveg"),
        ("== A ==\n=== B ===\nszöveg", "A\nB\nszöveg"),
        ("* egy\n** kettő\n# három\n; négy: öt\n: hat", "egy\nkettő\nhárom\nnégy: öt\nhat"),
        ("a\n----\nb", "a\nb"),
        ("__TOC__ __NINCSTARTALOMJEGYZÉK__ a", "a"),
        ("Budapest ({{IPA|x}}) főváros ( , )", "Budapest főváros"),
        ("1990\n* 12\nszó", "szó"),
    ],
)
def test_markup(markup: str, text: str) -> None:
    assert cleaned(markup) == text


@pytest.mark.parametrize(
    ("code", "file", "markup", "text"),
    [
        ("ar", "ملف", "[[ملف:a.jpg|تصغير|مدينة ليلا]]نص[[تصنيف:مصر]]", "مدينة ليلا\nنص"),
        ("tr", "Dosya", "[[Dosya:a.svg|küçükresim|sağ]]Ülke.[[Kategori:Ülkeler]]", "Ülke."),
        ("fi", "Tiedosto", "[[Tiedosto:a.png|pienoiskuva|oikea]]Maa.[[Luokka:Maat]]", "Maa."),
        ("vi", "Tập tin", "[[Tập tin:a.jpg|nhỏ|Thủ đô]]Chữ.", "Thủ đô\nChữ."),
        ("bn", "চিত্র", "[[চিত্র:a.jpg|থাম্ব|ডান]]ঢাকা।[[বিষয়শ্রেণী:ঢাকা]]", "ঢাকা।"),
        ("", "", "[[Файл:a.jpg|мини|справа]]Город.[[Категория:Города]]", "Город."),
        ("", "", "[[Datei:a.jpg|mini|Ein Bild]]Stadt.[[Kategorie:Stadt]]", "Ein Bild\nStadt."),
    ],
)
def test_wikis_of_other_languages(code: str, file: str, markup: str, text: str) -> None:
    """Also where the dump, or a part of it, does not declare the names of namespaces."""
    assert clean(markup, Site(code, {6: [file]} if file else {})) == text


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("-{zh-hans:计算机; zh-hant:電腦}-是", "计算机是"),
        ("-{原文}-", "原文"),
        ("-{T|zh-hans:标题}-正文", "正文"),
        ("-{A|zh-cn:内存;zh-tw:記憶體}-", "内存"),
        ("[[文件:a.jpg|缩略图|右|北京的一个公园的照片]]正文", "北京的一个公园的照片\n正文"),
        ("[[文件:a.jpg|缩略图|右]]正文", "正文"),
        ("[[分类:数学]]正文（{{IPA|x}}）", "正文"),
        ("[[檔案:a.jpg|縮圖]]正文[[分類:臺灣]][[Category:Taiwan]]", "正文"),
    ],
)
def test_chinese(markup: str, text: str) -> None:
    assert clean(markup, ZH) == text


@pytest.mark.parametrize(
    ("code", "text", "marked"),
    [
        ("hu", "{{Egyért}}", True),
        ("hu", "{{egyért|x}}", True),
        ("hu", "{{Disambiguation}}", True),
        ("en", "{{Place name disambiguation}}", True),
        ("en", "{{About disambiguation pages}} {{for|x|y (disambiguation)}}", False),
        ("hu", "{{egyértelmű}} {{rozcestník}}", False),
        ("cs", "{{Rozcestník}}", True),
        ("ja", "{{曖昧さ回避}}", True),
        ("sk", "{{Rozlišovacia_stránka}}", True),
        ("tlh", "__DISAMBIG__", True),
    ],
)
def test_disambiguation_pages_are_recognized_by_their_templates(
    code: str, text: str, marked: bool
) -> None:
    assert Site(code).is_disambiguation(text) is marked


@pytest.mark.parametrize(
    "markup",
    ["{{", "{{small|a ", "}}", "[[", "]]", "{|\n", "|}\n", "<ref>", "<ref ", "<!--", "[http://a ",
     "'''a''", "<b ", "&amp;", "-{a", "( ,", "[[a|", "[[x\n", "[[{{<ref>{|\n", "<nowiki>",
     "<table>", "<gallery>\n", "[[Fájl:a.jpg|", "== a", "http://", "__a", "!!|", "[[a:b"],
)  # fmt: skip
def test_nesting_and_repetition_are_harmless(markup: str) -> None:
    closing = {"{{": "}}", "{{small|a ": "}}", "[[": "]]", "{|\n": "\n|}"}.get(markup, "]]")
    for text in (markup * 20_000, markup * 20_000 + closing * 20_000):
        assert MARKS.search(cleaned(text)) is None


@given(
    st.lists(
        st.sampled_from(
            ["[[", "]]", "{{", "}}", "{|", "|}", "\n", "|", "'''", "''", "<ref>", "</ref>", "<!--",
             "-->", "==", "*", "Fájl:a.jpg", "szó ", "a b", "<table>", "</table>", "[http://x ",
             "]", "<nowiki>", "</nowiki>", "&nbsp;", "-{", "}-", "__TOC__", "<gallery>", "(", ")"]
        ),
        max_size=30,
    ).map("".join)
)  # fmt: skip
def test_no_markup_is_left(markup: str) -> None:
    text = cleaned(markup)
    assert MARKS.search(text) is None
    assert all(line == line.strip() and line for line in text.split("\n")) or text == ""


@given(st.text(alphabet="abc ,.őű\n", max_size=200))
def test_plain_text_stays_as_it_is(text: str) -> None:
    lines = (" ".join(line.split()) for line in text.split("\n"))
    assert cleaned(text) == "\n".join(line for line in lines if any(map(str.isalpha, line)))
