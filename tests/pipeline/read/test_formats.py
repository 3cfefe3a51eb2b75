"""What each format reads from its files: documents, ids, titles, and counts of what is left out."""

import bz2
import gzip
import json
from pathlib import Path

import pytest

from pipeline import read as readers
from pipeline.declarations import Source
from pipeline.read import Document, archives
from tests.support.archives import zipped
from tests.support.raw import CLOSE, HEAD, dump, page, read, source, texts
from wordkin.errors import InputError


def written(tmp_path: Path, name: str, data: str | bytes) -> Path:
    path = tmp_path / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


class TestWikipedia:
    def test_articles_are_kept_and_everything_else_is_counted(self, tmp_path: Path) -> None:
        redirect = '\n    <redirect title="Kutya" />'
        data = dump(
            page("Kutya", "A '''kutya''' háziasított [[állatok|állat]].", 10),
            page("Eb", "#ÁTIRÁNYÍTÁS [[Kutya]]", 11, extra=redirect),
            page("Régi eb", "#átirányítás: [[Kutya]]", 12),
            page("कुत्ता", "#पुनर्प्रेषित [[कुकुर]]", 18),
            page("Lista", "#[[Egy]]\n#[[Kettő]]", 19),
            page("Sablon:Kutya", "Egy sablon szövege.", 13, ns=10),
            page("Kutya (egyértelműsítő lap)", "{{egyért}}\n* [[Kutya]]", 14),
            page("Omega", "__DISAMBIG__ Több dolog.", 15),
            page("Adatok", "{}", 16).replace("<model>wikitext", "<model>json"),
            page("Üres", "{{sablon}}", 17),
        )
        documents, tally = read(written(tmp_path, "huwiki.xml", data), source("wikipedia"))
        assert documents == [
            Document("10", "Kutya", "A kutya háziasított állat."),
            Document("19", "Lista", "Egy\nKettő"),
        ]
        assert tally.documents == 2
        assert tally.dropped == {
            "redirect": 3,
            "namespace": 1,
            "disambiguation": 2,
            "not wikitext": 1,
            "empty": 1,
        }

    def test_namespaces_come_from_the_dump_even_for_a_unit_in_its_middle(
        self, tmp_path: Path
    ) -> None:
        text = "[[Fájl:a.tiff|bélyegkép|jobbra|Egy szép kép.]]Szöveg.\n[[Kategória:Kutyák]]"
        data = dump(page("A", text, 1), page("B", text + " Vége.", 2))
        path = written(tmp_path, "wiki.xml", data)
        documents, _ = read(path, source("wikipedia"), [data.rindex(b"<page>") - 5])
        assert [d.text for d in documents] == [
            "Egy szép kép.\nSzöveg.",
            "Egy szép kép.\nSzöveg.\nVége.",
        ]

    def test_old_dumps_have_the_namespace_only_in_the_title(self, tmp_path: Path) -> None:
        pages = (page("Kategória:Kutyák", "Lista."), page("2001: Űrodüsszeia", "Egy film."))
        data = dump(*pages).replace(b"    <ns>0</ns>\n", b"")
        documents, tally = read(written(tmp_path, "wiki.xml", data), source("wikipedia"))
        assert [d.title for d in documents] == ["2001: Űrodüsszeia"]
        assert tally.dropped == {"namespace": 1}

    def test_the_last_of_several_revisions_counts(self, tmp_path: Path) -> None:
        revisions = "".join(
            f"<revision><id>{n}</id><text>Szöveg {n}.</text></revision>" for n in range(9)
        )
        data = f"{HEAD}<page><title>T</title><ns>0</ns><id>5</id>{revisions}</page>{CLOSE}"
        (document,), _ = read(written(tmp_path, "wiki.xml", data), source("wikipedia"))
        assert (document.id, document.title, document.text) == ("5", "T", "Szöveg 8.")

    def test_entities_of_xml_and_then_of_the_wiki_are_resolved(self, tmp_path: Path) -> None:
        data = dump(page("A & B", "Fish &amp; chips&nbsp;&ndash; a < b"))
        assert read(written(tmp_path, "wiki.xml", data), source("wikipedia"))[0] == [
            Document("1", "A & B", "Fish & chips\xa0– a < b")
        ]

    def test_a_dump_without_a_head_is_read_with_english_names(self, tmp_path: Path) -> None:
        text = "[[File:a.png|thumb|A nice dog.]] Text.\n[[Category:Dogs]]"
        data = page("A", text) + CLOSE
        assert texts(written(tmp_path, "wiki.xml", data), source("wikipedia")) == [
            "A nice dog.\nText."
        ]


class TestWikiExtractor:
    DOC = (
        '<doc id="12" url="https://hu.wikipedia.org/wiki?curid=12" title="A "nagy" ház">\n'
        'A "nagy" ház\n\nEgy ház &amp; kert.\nMásodik sor.\n\n</doc>\n'
        '<doc id="13" url="x" title="Üres">\nÜres\n\n</doc>\n'
    )

    def test_tags(self, tmp_path: Path) -> None:
        documents, tally = read(written(tmp_path, "wiki_00", self.DOC), source("wikiextractor"))
        assert documents == [Document("12", 'A "nagy" ház', "Egy ház & kert.\nMásodik sor.")]
        assert tally.dropped == {"empty": 1}

    def test_json(self, tmp_path: Path) -> None:
        value = {"id": "12", "revid": "1", "url": "x", "title": "Ház", "text": "Ház\n\nEgy ház."}
        path = written(tmp_path, "wiki_00", json.dumps(value, ensure_ascii=False) + "\n")
        assert readers.sniff(path) == "wikiextractor"
        assert read(path, source("wikiextractor"))[0] == [Document("12", "Ház", "Egy ház.")]


CHATS = {
    "a": {"messages": [[{"text": "hi", "at": "1"}, {"text": "you"}], [{"text": "yes"}]]},
    "b": {"messages": [], "title": "Silence"},
}
READ: dict[str, tuple[str, str, Source, list[Document]]] = {
    "one line is a document": (
        "a.txt", "\ufeffegy\n\nkét szó\n", source("text"),
        [Document("a.txt:0", "", "egy"), Document("a.txt:8", "", "két szó")],
    ),
    "a file is a document": (
        "novel.txt", "egy\n\nkét szó\n", source("text", document="file"),
        [Document("novel.txt", "novel", "egy\n\nkét szó")],
    ),
    "documents between blank lines": (
        "a.txt", "\negy\nkettő\n \n\nhárom\n", source("text", document="blank"),
        [Document("a.txt:1", "", "egy\nkettő"), Document("a.txt:15", "", "három")],
    ),
    "JSON: documents and texts by path": (
        "chats.json", json.dumps(CHATS), source("json", document="*", text="messages.*.*.text"),
        [Document("chats.json.a", "a", "hi\nyou\nyes")],
    ),
    "JSON: all strings below, in order": (
        "hu.json", '{"a": {"x": "egy", "n": 3}, "b": ["kettő", ["három"]], "c": null}',
        source("json", text="**"), [Document("hu.json", "", "egy\nkettő\nhárom")],
    ),
    "JSON: a line is a document": (
        "a.jsonl", '{"passage": "egy", "title": "T"}\n\n{"passage": ["kettő", "három"]}\n',
        source("json", text="passage"),
        [Document("a.jsonl:0", "T", "egy"), Document("a.jsonl:34", "", "kettő\nhárom")],
    ),
    "JSON: content decides between lines and one value": (
        "lines.json", '{"text": "egy"}\n{"text": "kettő"}\n', source("json"),
        [Document("lines.json:0", "", "egy"), Document("lines.json:16", "", "kettő")],
    ),
    "JSON: one value of several lines": (
        "value.json", '[\n{"text": "egy"},\n{"text": "kettő"}\n]\n', source("json", document="*"),
        [Document("value.json.0", "0", "egy"), Document("value.json.1", "1", "kettő")],
    ),
    "JSON: a field named text, or all strings": (
        "a.jsonl", '{"id": "x", "text": "egy"}\n["kettő", "három"]\n"négy"\n', source("json"),
        [
            Document("a.jsonl:0", "", "egy"), Document("a.jsonl:27", "", "kettő\nhárom"),
            Document("a.jsonl:48", "", "négy"),
        ],
    ),
    "JSON: a number in a path is the member of a list": (
        "a.json", '{"in": [{"text": "a"}, {"text": "b"}]}', source("json", text="in.1.text"),
        [Document("a.json", "", "b")],
    ),
    "JSON: a number without a member": (
        "a.json", '{"in": [{"text": "a"}]}', source("json", text="in.2.text"), [],
    ),
}  # fmt: skip
WITH_AN_EMPTY_ONE = (
    "one line is a document",
    "JSON: documents and texts by path",
    "JSON: a number without a member",
)


@pytest.mark.parametrize("kind", READ)
def test_lines_and_values_become_documents(kind: str, tmp_path: Path) -> None:
    name, content, declared, expected = READ[kind]
    documents, tally = read(written(tmp_path, name, content), declared)
    assert documents == expected
    assert tally.dropped == ({"empty": 1} if kind in WITH_AN_EMPTY_ONE else {})


def test_other_divisions_of_a_text_are_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="use line, file or blank"):
        read(written(tmp_path, "a.txt", "egy"), source("text", document="page"))


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32", "cp1250", "utf-8-sig"])
def test_encodings_of_texts(encoding: str, tmp_path: Path) -> None:
    path = written(tmp_path, "a.txt", "árvíz\ntűrő\n".encode(encoding))
    declared = None if encoding in ("utf-16", "utf-32", "utf-8-sig") else encoding
    assert texts(path, source("text", encoding=declared)) == ["árvíz", "tűrő"]


FILM = """<?xml version="1.0" encoding="utf-8"?>
<document id="3">
  <s id="1">
    <time id="T1S" value="00:00:21,520" />
    <w id="1.1">I</w> <w id="1.2">don</w> <w id="1.3">'t</w> <w id="1.4">know</w><w>.</w>
    <time id="T1E" value="00:00:23,880" />
  </s>
  <s id="2"><w id="2.1">[</w><w>DOOR</w><w>]</w></s>
  <meta><subtitle><language>English</language></subtitle></meta>
</document>
"""
RAW_FILM = """<document id="4">
<s id="1"><time id="T1S" value="00:00:01,000" />Tudod, <i>hogy</i> hol van?<time id="T1E"/></s>
<s id="2">- Nem &amp; nem.</s>
</document>"""


def in_zip(tmp_path: Path, members: dict[str, bytes]) -> Path:
    return written(tmp_path, "opus.zip", zipped(members))


class TestOpenSubtitles:
    def test_a_fixed_number_of_lines_is_a_document(self, tmp_path: Path) -> None:
        lines = "".join(f"Sentence number {n}.\n" for n in range(25)).encode()
        path = written(tmp_path, "OpenSubtitles.en.txt.gz", gzip.compress(lines))
        documents, _ = read(path, source("opensubtitles", lines=10))
        assert [d.text.count("\n") + 1 for d in documents] == [10, 10, 5]
        assert [d.text.split("\n")[0] for d in documents] == [
            f"Sentence number {n}." for n in (0, 10, 20)
        ]

    def test_blank_lines_are_boundaries(self, tmp_path: Path) -> None:
        path = written(tmp_path, "en.txt", "One.\nTwo.\n\nThree.\n")
        assert texts(path, source("opensubtitles")) == ["One.\nTwo.", "Three."]

    def test_film_of_words(self, tmp_path: Path) -> None:
        path = written(tmp_path, "567.xml.gz", gzip.compress(FILM.encode()))
        assert read(path, source("opensubtitles"))[0] == [
            Document("567.xml.gz", "567", "I don't know .")
        ]

    def test_film_of_sentences(self, tmp_path: Path) -> None:
        path = written(tmp_path, "568.xml", RAW_FILM)
        assert texts(path, source("opensubtitles")) == ["Tudod, hogy hol van?\n- Nem & nem."]

    def test_zip_of_films(self, tmp_path: Path) -> None:
        path = in_zip(
            tmp_path,
            {
                "OpenSubtitles/xml/hu/2001/5/8.xml.gz": gzip.compress(RAW_FILM.encode()),
                "OpenSubtitles/xml/hu/1999/4/7.xml": FILM.encode(),
                "INFO": b"about",
            },
        )
        assert readers.sniff(path) == "opensubtitles"
        assert [d.id for d in read(path, source("opensubtitles"))[0]] == [
            "opus.zip/OpenSubtitles/xml/hu/1999/4/7.xml",
            "opus.zip/OpenSubtitles/xml/hu/2001/5/8.xml.gz",
        ]

    def test_zip_is_cut_by_members(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(readers, "SMALLEST_UNIT", 1_000)
        path = in_zip(tmp_path, {f"xml/hu/{n:03}.xml": RAW_FILM.encode() for n in range(50)})
        declared = source("opensubtitles")
        units = readers.plan([path], declared, unit_bytes=1_000)
        assert len(units) > 3
        tallies = [readers.Tally() for _ in units]
        ids = [
            document.id
            for unit, tally in zip(units, tallies, strict=True)
            for document in readers.read(unit, declared, tally)
        ]
        assert ids == [f"opus.zip/xml/hu/{n:03}.xml" for n in range(50)]
        stored = sum(member.stored for member in archives.zip_members(str(path)))
        assert sum(tally.bytes for tally in tallies) == stored

    def test_moses_zip(self, tmp_path: Path) -> None:
        members = {
            "OpenSubtitles.en-hu.en": b"Yes.\nNo.\n",
            "OpenSubtitles.en-hu.hu": b"Igen.\nNem.\n",
            "OpenSubtitles.en-hu.ids": b"x\ny\n",
            "README": b"about",
        }
        path = in_zip(tmp_path, members)
        assert texts(path, source("opensubtitles", text="hu")) == ["Igen.\nNem."]
        with pytest.raises(
            InputError, match="has the languages en, hu: choose one of them with `text`"
        ):
            readers.check([path], source("opensubtitles"))


class TestSniff:
    @pytest.mark.parametrize(
        ("name", "data", "format"),
        [
            ("x", dump(page("A", "B")), "wikipedia"),
            ("x.bz2", bz2.compress(dump(page("A", "B"))), "wikipedia"),
            ("x", page("A", "B").encode(), "wikipedia"),
            ("x", TestWikiExtractor.DOC.encode(), "wikiextractor"),
            ("x.gz", gzip.compress(TestWikiExtractor.DOC.encode(), mtime=0), "wikiextractor"),
            ("x", FILM.encode(), "opensubtitles"),
            ("OpenSubtitles.hu.txt.gz", gzip.compress(b"Nem.\nDe.\n", mtime=0), "opensubtitles"),
            ("x.srt", b"1\r\n00:00:01,000 --> 00:00:02,000\r\nHi.\r\n", "srt"),
            ("x", "1\n00:00:01,000 --> 00:00:02,000\nHi.\n".encode("utf-16"), "srt"),
            ("x", b"WEBVTT\n\n00:01.000 --> 00:02.000\nHi.\n", "srt"),
            ("x", b"[Script Info]\n\nDialogue: 0,0:00:01.00,0:00:02.00,D,,0,0,0,,Hi.\n", "srt"),
            ("x", b"{10}{20}Hi.|You.\n", "srt"),
            ("x", b'{"a": 1}', "json"),
            ("x", b'[{"a": 1}]', "json"),
            ("x", b"Just a line.\n", "text"),
            ("x", b"He came at\n12:30:45: then left.\nAnd so on.\nFor\nlong.\n", "text"),
            ("x", b"Act one\nDialogue: hello, you.\n", "text"),
            ("x", "Egy ősi sor.\n".encode("cp1250"), "text"),
        ],
    )
    def test_by_content(self, name: str, data: bytes, format: str, tmp_path: Path) -> None:
        assert readers.sniff(written(tmp_path, name, data)) == format

    @pytest.mark.parametrize(
        ("data", "reason"),
        [
            (b"", "is empty"),
            (bytes(range(256)) * 10, "is neither text nor"),
            (b"<!DOCTYPE html><html></html>", "is markup of another kind"),
            (b"600:10:Autonomy\n600:12:Anarchism\n", "is the index of a multistream dump"),
            (b"-- MySQL dump 10.19\n--\n", "is a table of a database"),
            (b"{\\rtf1\\ansi {\\fonttbl}\nA line of text.\\par\n", "is an RTF document, which no"),
            (b"%PDF-1.4\n1 0 obj << /Type /Catalog >> endobj\n", "is a PDF file, which no reader"),
            (b"%!PS-Adobe-3.0\n%%Title: A\n(Text) show\n", "is a PostScript file, which no"),
        ],
    )
    def test_a_file_that_no_reader_can_read_is_refused(
        self, data: bytes, reason: str, tmp_path: Path
    ) -> None:
        with pytest.raises(InputError, match=reason):
            readers.sniff(written(tmp_path, "x", data))

    def test_a_file_in_a_zip_is_known_by_its_content_and_not_by_its_name(
        self, tmp_path: Path
    ) -> None:
        path = in_zip(tmp_path, {"a.doc": b"Just a line.\n"})
        assert readers.sniff(path) == "text"
        assert texts(path, source("text")) == ["Just a line."]
