"""Every kind of broken file ends in one clear error, or in a counted loss where it is allowed."""

import bz2
import gzip
import io
import struct
import tracemalloc
import zipfile
from pathlib import Path

import pytest

from pipeline import read as readers
from pipeline.read import Tally, text, wikipedia
from pipeline.read import documents as protocol
from pipeline.settings import Source
from tests.support.raw import CLOSE, HEAD, dump, page, prose, read, source
from wordkin.errors import InputError

PAGES = [page(f"Cím {n}", prose(4_000, seed=n), n) for n in range(12)]
DUMP = dump(*PAGES)
STREAMS = [
    bz2.compress(part.encode(), 1)
    for part in (HEAD, *("".join(PAGES[n : n + 3]) for n in range(0, 12, 3)), CLOSE)
]


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]


def refusal(path: Path, declared: Source) -> str:
    """The one sentence in which a file is refused."""
    with pytest.raises(InputError) as error:
        readers.check([path], declared)
        read(path, declared)
    sentence = str(error.value)
    assert str(path) in sentence
    assert "\n" not in sentence
    return sentence


def tolerated(path: Path, format: str, **options: object) -> tuple[int, Tally]:
    """The number of documents that are read when damage is allowed, and the tally."""
    declared = source(format, tolerate=0.5, **options)
    readers.check([path], declared)
    documents, tally = read(path, declared)
    return len(documents), tally


class TestBzip2:
    def test_truncated(self, tmp_path: Path) -> None:
        path = tmp_path / "wiki.xml.bz2"
        data = bz2.compress(DUMP, 1)
        path.write_bytes(data[: len(data) * 2 // 3])
        assert "end of the dump before </mediawiki> at byte" in refusal(path, source("wikipedia"))
        with pytest.raises(InputError, match="end of the file inside the bzip2 data at byte"):
            read(path, source("wikipedia"))
        number, tally = tolerated(path, "wikipedia")
        assert 0 < number < 12
        assert tally.dropped["broken page"] == 1
        assert tally.lost["end of the file inside the bzip2 data"] > 0

    def test_cut_between_two_streams(self, tmp_path: Path) -> None:
        """Each part of such a file is intact: only the end of the dump shows it."""
        path = tmp_path / "wiki.xml.bz2"
        path.write_bytes(b"".join(STREAMS[:3]))
        sentence = refusal(path, source("wikipedia"))
        assert f"at byte {path.stat().st_size:,}; fetch the file again" in sentence
        number, tally = tolerated(path, "wikipedia")
        assert number == 6
        assert tally.lost == {"end of the dump before </mediawiki>": 1}

    def test_a_cut_between_two_streams_is_counted_once_however_the_file_is_read(
        self, tmp_path: Path
    ) -> None:
        path = tmp_path / "wiki.xml.bz2"
        path.write_bytes(b"".join(STREAMS[:3]))
        size = path.stat().st_size
        declared = source("wikipedia", tolerate=0.1)
        for cuts in ([], [size // 2], [size // 3, size - 5]):
            documents, tally = read(path, declared, cuts)
            assert len(documents) == 6
            assert tally.lost == {"end of the dump before </mediawiki>": 1}

    @pytest.mark.parametrize("stored", ["one stream", "many streams"])
    def test_flipped_byte(self, stored: str, tmp_path: Path) -> None:
        path = tmp_path / "wiki.xml.bz2"
        intact = bz2.compress(DUMP, 1) if stored == "one stream" else b"".join(STREAMS)
        path.write_bytes(flipped(intact, len(intact) // 2))
        assert "damaged bzip2 block at byte" in refusal(path, source("wikipedia"))
        number, tally = tolerated(path, "wikipedia")
        assert 0 < number < 12
        assert tally.lost["damaged bzip2 block"] > 0
        size = path.stat().st_size
        _, parts = read(path, source("wikipedia", tolerate=0.5), [size // 3, size * 2 // 3])
        assert parts.lost == tally.lost

    def test_flipped_byte_in_lines_breaks_one_line(self, tmp_path: Path) -> None:
        path = tmp_path / "lines.txt.bz2"
        text = prose(60_000).encode()
        data = bz2.compress(text, 1)
        path.write_bytes(flipped(data, len(data) // 2))
        number, tally = tolerated(path, "text")
        assert text.count(b"\n") / 3 < number < text.count(b"\n")
        assert tally.dropped["broken line"] == 1

    def test_wrong_name(self, tmp_path: Path) -> None:
        path = tmp_path / "wiki.xml.bz2"
        path.write_bytes(b"<html>404</html>")
        assert "is named .bz2 but does not begin as bz2 data" in refusal(path, source("wikipedia"))


class TestGzip:
    LINES = prose(30_000).encode()

    def test_truncated(self, tmp_path: Path) -> None:
        path = tmp_path / "lines.txt.gz"
        path.write_bytes(gzip.compress(self.LINES)[:-500])
        assert "end of the file inside the gzip data at byte" in refusal(path, source("text"))
        number, tally = tolerated(path, "text")
        assert number > 100
        assert tally.dropped["broken line"] == 1

    def test_trailing_garbage(self, tmp_path: Path) -> None:
        path = tmp_path / "lines.txt.gz"
        data = gzip.compress(b"one\ntwo\n")
        path.write_bytes(data + b"garbage")
        sentence = refusal(path, source("text"))
        assert f"garbage after the gzip data at byte {len(data)}" in sentence
        number, tally = tolerated(path, "text")
        assert (number, tally.lost) == (2, {"garbage after the gzip data": 7})

    def test_padding_and_several_members_are_not_damage(self, tmp_path: Path) -> None:
        path = tmp_path / "lines.txt.gz"
        path.write_bytes(gzip.compress(b"one\n") + gzip.compress(b"two\n") + bytes(512))
        assert [d.text for d in read(path, source("text"))[0]] == ["one", "two"]

    def test_flipped_byte(self, tmp_path: Path) -> None:
        path = tmp_path / "lines.txt.gz"
        data = gzip.compress(self.LINES)
        path.write_bytes(flipped(data, len(data) - 6))
        assert "wrong gzip checksum at byte" in refusal(path, source("text"))
        path.write_bytes(data[: len(data) // 2] + b"\xff" * 20 + data[len(data) // 2 :])
        assert " at byte 7" in refusal(path, source("text"))
        number, tally = tolerated(path, "text")
        assert number > self.LINES.count(b"\n") / 3
        assert len(data) / 3 < sum(tally.lost.values()) < len(data) * 2 / 3


class TestXml:
    def test_that_never_closes(self, tmp_path: Path) -> None:
        path = tmp_path / "wiki.xml"
        path.write_bytes(DUMP[: len(DUMP) // 2])
        assert "end of the dump before </mediawiki>" in refusal(path, source("wikipedia"))
        with pytest.raises(InputError, match="page that does not close at byte"):
            read(path, source("wikipedia"))
        number, tally = tolerated(path, "wikipedia")
        assert number > 0
        assert tally.dropped["broken page"] == 1
        assert tally.lost["page that does not close"] > 100

    def test_that_never_closes_in_a_gzip(self, tmp_path: Path) -> None:
        path = tmp_path / "wiki.xml.gz"
        path.write_bytes(gzip.compress(DUMP.removesuffix(CLOSE.encode())))
        assert "end of the dump before </mediawiki>" in refusal(path, source("wikipedia"))
        assert tolerated(path, "wikipedia")[0] == 12

    def test_page_that_does_not_close(self, tmp_path: Path) -> None:
        path = tmp_path / "wiki.xml"
        path.write_bytes(dump(PAGES[0], PAGES[1].replace("</page>", ""), PAGES[2]))
        assert "page that does not close at byte" in refusal(path, source("wikipedia"))
        number, tally = tolerated(path, "wikipedia")
        assert (number, tally.dropped) == (2, {"broken page": 1})

    def test_a_page_whose_tag_is_broken_is_not_skipped_silently(self, tmp_path: Path) -> None:
        path = tmp_path / "wiki.xml"
        path.write_bytes(dump(PAGES[0], PAGES[1].replace("<page>", "<pbge>"), PAGES[2]))
        assert "text between the pages at byte" in refusal(path, source("wikipedia"))

    @pytest.mark.parametrize("text", ["a &lol; b", "a <b c", "a \x01 b", "]]></text>"])
    def test_page_that_is_not_well_formed(self, text: str, tmp_path: Path) -> None:
        path = tmp_path / "wiki.xml"
        path.write_bytes(dump(PAGES[0], page("T", "HERE").replace("HERE", text), PAGES[1]))
        assert "page that is not well-formed XML" in refusal(path, source("wikipedia"))
        assert tolerated(path, "wikipedia")[0] == 2

    def test_page_of_50_megabytes(self, tmp_path: Path) -> None:
        path = tmp_path / "wiki.xml.gz"
        large = page("Nagy", "szó " * 11_000_000)
        path.write_bytes(gzip.compress(dump(PAGES[0], large, PAGES[1]), 1))
        sentence = refusal(path, source("wikipedia"))
        assert f"page larger than {wikipedia.LARGEST >> 20} MiB at byte" in sentence
        declared = source("wikipedia", tolerate=0.9)
        tracemalloc.start()
        documents, tally = read(path, declared)
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 2 * wikipedia.LARGEST
        assert len(documents) == 2
        assert tally.dropped == {"too large": 1}
        assert sum(tally.lost.values()) > 50_000_000

    BOMB = b"""<?xml version="1.0"?>
<!DOCTYPE lolz [<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;&lol;">]>
"""

    def test_entity_bomb_in_a_dump(self, tmp_path: Path) -> None:
        path = tmp_path / "wiki.xml"
        path.write_bytes(self.BOMB + dump(page("T", "HERE").replace("HERE", "&lol2;")))
        for declared in (source("wikipedia"), source("wikipedia", tolerate=0.5)):
            assert "declares a document type or entities" in refusal(path, declared)

    def test_entity_bomb_in_a_film(self, tmp_path: Path) -> None:
        path = tmp_path / "film.xml"
        path.write_bytes(self.BOMB + b'<document><s id="1">&lol2;</s></document>')
        for declared in (source("opensubtitles"), source("opensubtitles", tolerate=0.5)):
            assert "declares a document type or entities" in refusal(path, declared)

    def test_film_that_never_closes(self, tmp_path: Path) -> None:
        path = tmp_path / "film.xml"
        path.write_bytes(b'<document>\n<s id="1">Egy mondat.</s>\n<s id="2">K')
        assert "XML that is not well-formed" in refusal(path, source("opensubtitles"))
        number, tally = tolerated(path, "opensubtitles")
        assert (number, tally.dropped) == (0, {"broken document": 1})


class TestText:
    def test_invalid_utf8(self, tmp_path: Path) -> None:
        path = tmp_path / "lines.txt"
        path.write_bytes("jó\nárvíztűrő\n".encode() + b"t\xfck\xf5r\n" + "még\n".encode() * 50)
        sentence = refusal(path, source("text"))
        assert "bytes that are not UTF-8 at byte 19; declare its encoding" in sentence
        number, tally = tolerated(path, "text")
        assert number == 53
        assert tally.replaced == 2
        assert tally.lost == {"bytes that are not UTF-8": 2}

    def test_invalid_utf8_that_is_another_encoding(self, tmp_path: Path) -> None:
        path = tmp_path / "lines.txt"
        path.write_bytes(("árvíztűrő tükörfúrógép, őszi erdő\n" * 20).encode("cp1250"))
        assert "with `encoding` (perhaps cp1250)" in refusal(path, source("text"))
        declared = source("text", encoding="cp1250")
        assert {d.text for d in read(path, declared)[0]} == {"árvíztűrő tükörfúrógép, őszi erdő"}

    def test_replaced_characters_are_counted_once_however_the_file_is_read(
        self, tmp_path: Path
    ) -> None:
        path = tmp_path / "lines.txt"
        path.write_bytes(b"one\nb\xff\xffd\ntwo\n")
        declared = source("text", tolerate=0.9)
        for cut in range(1, path.stat().st_size):
            documents, tally = read(path, declared, [cut])
            assert [d.text for d in documents] == ["one", "b\ufffd\ufffdd", "two"]
            assert tally.replaced == 2

    def test_invalid_utf8_in_a_dump(self, tmp_path: Path) -> None:
        path = tmp_path / "wiki.xml"
        path.write_bytes(dump(page("T", "szép szó HERE")).replace(b"HERE", b"k\xf6r"))
        assert "bytes that are not UTF-8 at byte" in refusal(path, source("wikipedia"))
        number, tally = tolerated(path, "wikipedia")
        assert (number, tally.replaced) == (1, 1)

    def test_nul_bytes(self, tmp_path: Path) -> None:
        path = tmp_path / "lines.txt"
        path.write_bytes(b"one\ntw\0o\nthree\0\0\n")
        assert "NUL bytes at byte 6" in refusal(path, source("text"))
        declared = source("text", tolerate=0.5)
        for cuts in ([], [5], [8]):
            documents, tally = read(path, declared, cuts)
            assert [d.text for d in documents] == ["one", "two", "three"]
            assert tally.lost == {"NUL bytes": 3}

    def test_line_ends_of_every_kind_are_understood(self, tmp_path: Path) -> None:
        for end in (b"\n", b"\r\n", b"\r"):
            path = tmp_path / f"lines{len(end)}{end[0]}.txt"
            path.write_bytes(end.join([b"one", b"two", b"three", b""]))
            for cuts in ([], [2], [4], [5]):
                documents, _ = read(path, source("text"), cuts)
                assert [d.text for d in documents] == ["one", "two", "three"]

    def test_a_stray_carriage_return_in_a_long_first_line(self, tmp_path: Path) -> None:
        path = tmp_path / "lines.txt"
        path.write_bytes(b"one\r" + b"word " * 50_000 + b"\ntwo\n")
        assert len(read(path, source("text"))[0]) == 2

    def test_invalid_utf16(self, tmp_path: Path) -> None:
        path = tmp_path / "lines.txt"
        path.write_bytes("one\ntwo\n".encode("utf-16") + b"\x00\xd8x")
        assert "bytes that are not UTF-16 at byte" in refusal(path, source("text"))
        number, tally = tolerated(path, "text")
        assert (number, tally.replaced) == (3, 1)

    def test_a_stray_carriage_return_does_not_break_a_line(self, tmp_path: Path) -> None:
        path = tmp_path / "lines.txt"
        path.write_bytes(b"one\rtwo\nthree\n")
        assert [d.text for d in read(path, source("text"))[0]] == ["one\rtwo", "three"]

    def test_endless_line(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(text, "LARGEST", 1 << 20)
        path = tmp_path / "bomb.txt.gz"
        path.write_bytes(gzip.compress(b"one\n" + b"a" * (5 << 20) + b"\ntwo\n"))
        assert "line longer than 1 MiB at byte 4" in refusal(path, source("text"))
        documents, tally = read(path, source("text", tolerate=0.5))
        assert [d.text for d in documents] == ["one", "two"]
        assert tally.lost["line longer than 1 MiB"] >= 4 << 20

    @pytest.mark.parametrize("document", ["file", "blank"])
    def test_endless_document(
        self, document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(readers.text, "LARGEST", 10_000)
        path = tmp_path / "lines.txt"
        path.write_bytes(b"one\n\n" + b"word\n" * 4_000 + b"\n\ntwo\n")
        declared = source("text", document=document)
        assert "document larger than 0 MiB at byte" in refusal(path, declared)
        documents, tally = read(path, source("text", document=document, tolerate=0.9))
        assert [d.text for d in documents] == ([] if document == "file" else ["one", "two"])
        assert tally.dropped["too large"] == 1

    def test_damage_between_blank_lines_breaks_one_document(self, tmp_path: Path) -> None:
        path = tmp_path / "lines.txt.bz2"
        text = prose(60_000).replace("\n", "\n\n").encode()
        data = bz2.compress(text, 1)
        path.write_bytes(flipped(data, len(data) // 2))
        number, tally = tolerated(path, "text", document="blank")
        assert number > text.count(b"\n\n") / 3
        assert tally.dropped["broken line"] == 1

    def test_unknown_encoding(self, tmp_path: Path) -> None:
        path = tmp_path / "lines.txt"
        path.write_bytes(b"one\n")
        with pytest.raises(InputError, match="`encoding: latin-99` is not an encoding"):
            read(path, source("text", encoding="latin-99"))


class TestJson:
    def test_broken_line(self, tmp_path: Path) -> None:
        path = tmp_path / "lines.jsonl"
        path.write_bytes(b'{"text": "one"}\n{"text": "tw\n{"text": "three"}\n')
        assert "text that is not JSON at byte" in refusal(path, source("json"))
        number, tally = tolerated(path, "json")
        assert (number, tally.dropped) == (2, {"broken document": 1})

    def test_broken_value(self, tmp_path: Path) -> None:
        path = tmp_path / "value.json"
        path.write_bytes(b'{"a": ["one", }')
        assert "text that is not JSON at byte 14" in refusal(path, source("json"))

    def test_deep_nesting(self, tmp_path: Path) -> None:
        path = tmp_path / "deep.json"
        path.write_bytes(b"[" * 100_000 + b"]" * 100_000)
        assert "JSON nested too deeply" in refusal(path, source("json"))

    def test_a_path_that_leads_nowhere_is_counted(self, tmp_path: Path) -> None:
        path = tmp_path / "value.json"
        path.write_bytes(b'{"a": "one"}')
        documents, tally = read(path, source("json", document="b.*"))
        assert documents == []
        assert tally.dropped == {"nothing at the document path": 1}


class TestExtracted:
    def test_document_that_does_not_close(self, tmp_path: Path) -> None:
        path = tmp_path / "wiki_00"
        path.write_bytes(b'<doc id="1" title="A">\none\n<doc id="2" title="B">\ntwo\n</doc>\n')
        assert "document that does not close at byte 0" in refusal(path, source("wikiextractor"))
        number, tally = tolerated(path, "wikiextractor")
        assert (number, tally.dropped) == (1, {"broken document": 1})

    def test_text_outside_the_documents(self, tmp_path: Path) -> None:
        path = tmp_path / "wiki_00"
        path.write_bytes(b'<doc id="1" title="A">\none\n</doc>\nstray\n')
        assert "text outside the documents at byte 34" in refusal(path, source("wikiextractor"))


FILM = b'<document id="1"><s id="1">Hello there.</s></document>'


def zipped(members: dict[str, bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return buffer.getvalue()


class TestZip:
    def test_member_that_points_outside(self, tmp_path: Path) -> None:
        path = tmp_path / "films.zip"
        path.write_bytes(zipped({"xml/en/1.xml": FILM, "../../xml/en/2.xml": FILM}))
        sentence = refusal(path, source("opensubtitles"))
        assert "'../../xml/en/2.xml', which points outside the archive, at byte" in sentence
        number, tally = tolerated(path, "opensubtitles")
        assert number == 1
        assert sum(tally.lost.values()) > 0

    def test_bomb(self, tmp_path: Path) -> None:
        path = tmp_path / "films.zip"
        path.write_bytes(zipped({"xml/en/1.xml": FILM, "xml/en/2.xml": bytes(100 << 20)}))
        sentence = refusal(path, source("opensubtitles"))
        assert "member 'xml/en/2.xml', which unpacks to 100 MiB, at byte" in sentence
        assert tolerated(path, "opensubtitles")[0] == 1

    def test_bomb_inside_a_gzip_member(self, tmp_path: Path) -> None:
        path = tmp_path / "films.zip"
        bomb = gzip.compress(bytes(protocol.LARGEST + (2 << 20)))
        path.write_bytes(zipped({"xml/en/1.xml": FILM, "xml/en/2.xml.gz": bomb}))
        # It does not begin as XML, so it is read as lines, and has none.
        assert "xml/en/2.xml.gz" in refusal(path, source("opensubtitles"))

    def test_members_that_overlap(self, tmp_path: Path) -> None:
        path = tmp_path / "films.zip"
        data = bytearray(zipped({f"xml/en/{n}.xml": prose(900, seed=n).encode() for n in (1, 2)}))
        # Both entries of the directory now claim the first member's bytes, and more.
        second = data.rindex(b"PK\x01\x02")
        struct.pack_into("<I", data, second + 20, len(data) - 100)
        path.write_bytes(data)
        assert "members overlap, as in a zip bomb" in refusal(path, source("opensubtitles"))

    def test_truncated(self, tmp_path: Path) -> None:
        path = tmp_path / "films.zip"
        path.write_bytes(zipped({"xml/en/1.xml": FILM})[:-10])
        assert "is not a complete zip archive" in refusal(path, source("opensubtitles"))

    def test_flipped_byte(self, tmp_path: Path) -> None:
        path = tmp_path / "films.zip"
        data = zipped({"xml/en/1.xml": FILM, "xml/en/2.xml": FILM})
        path.write_bytes(flipped(data, data.index(b"xml/en/1.xml") + 30))
        assert "damaged member 'xml/en/1.xml'" in refusal(path, source("opensubtitles"))
        assert tolerated(path, "opensubtitles")[0] == 1

    def test_a_zip_of_something_else(self, tmp_path: Path) -> None:
        path = tmp_path / "films.zip"
        path.write_bytes(zipped({"letter.doc": b"..."}))
        assert "has no OPUS subtitles" in refusal(path, source("opensubtitles"))
        path.write_bytes(zipped({"picture.jpg": bytes(range(256)) * 9}))
        assert read(path, source("text"))[1].dropped == {"other files in an archive": 1}


class TestFiles:
    def test_empty(self, tmp_path: Path) -> None:
        path = tmp_path / "wiki.xml"
        path.touch()
        for format in readers.FORMATS:
            assert f"{path} is empty" in refusal(path, source(format))
        for format in readers.FORMATS:
            number, tally = tolerated(path, format)
            assert (number, tally.dropped) == (0, {"empty file": 1})

    def test_directory(self, tmp_path: Path) -> None:
        for format in readers.FORMATS:
            assert "is a folder where a file is needed" in refusal(tmp_path, source(format))

    def test_missing(self, tmp_path: Path) -> None:
        path = tmp_path / "gone.txt"
        assert "cannot be read (No such file" in refusal(path, source("text"))

    @pytest.mark.parametrize(
        ("magic", "what"),
        [(b"7z\xbc\xaf\x27\x1c", "7z"), (b"\xfd7zXZ\x00", "xz"), (b"PAR1", "Parquet")],
    )
    def test_a_kind_of_file_that_no_reader_can_read(
        self, magic: bytes, what: str, tmp_path: Path
    ) -> None:
        path = tmp_path / "dump"
        path.write_bytes(magic + bytes(300))
        assert what in refusal(path, source("wikipedia"))

    def test_unknown_format(self, tmp_path: Path) -> None:
        path = tmp_path / "a.txt"
        path.write_bytes(b"one")
        with pytest.raises(InputError, match="`format: pdf` is not one of wikipedia, "):
            readers.check([path], source("pdf"))


def test_tallies_add_up() -> None:
    left, right = Tally(tolerate=0.1, bytes=60), Tally(tolerate=0.1, bytes=40)
    left.damage("f", 3, "holes", 2)
    right.damage("f", 50, "holes", 3)
    right.drop("redirect")
    total = left + right
    assert total.bytes == 100
    assert total.lost == {"holes": 5}
    assert total.dropped == {"redirect": 1}
