"""Every kind of broken file ends in one clear error, or in a counted loss where it is allowed."""

import bz2
import gzip
import struct
import tracemalloc
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from pipeline import read as readers
from pipeline.declarations import Source
from pipeline.read import Tally, text, wikipedia
from pipeline.read import documents as protocol
from tests.support.archives import COMPRESSIONS, zipped
from tests.support.raw import CLOSE, HEAD, dump, page, prose, read, source
from wordkin.errors import InputError

PAGES = [page(f"Cím {n}", prose(4_000, seed=n), n) for n in range(12)]
DUMP = dump(*PAGES)
STREAMS = [
    bz2.compress(part.encode(), 1)
    for part in (HEAD, *("".join(PAGES[n : n + 3]) for n in range(0, 12, 3)), CLOSE)
]
LINES = prose(30_000).encode()
FILM = b'<document id="1"><s id="1">Hello there.</s></document>'


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 0x10]) + data[at + 1 :]


def page_with(content: str) -> str:
    """A page whose text is not escaped."""
    return page("T", "HERE").replace("HERE", content)


def refusal(path: Path, declared: Source) -> str:
    """The one sentence in which a file is refused."""
    with pytest.raises(InputError) as error:
        readers.check([path], declared)
        read(path, declared)
    sentence = str(error.value)
    assert str(path) in sentence
    assert "\n" not in sentence
    return sentence


def tolerated(path: Path, format: str, **options: Any) -> tuple[int, Tally]:
    """The number of documents that are read when damage is allowed, and the tally."""
    declared = source(format, **{"tolerate": 0.9, **options})
    readers.check([path], declared)
    documents, tally = read(path, declared)
    return len(documents), tally


class Broken(NamedTuple):
    """A broken file, what its refusal says, and what is read of it where damage is tolerated."""

    name: str
    data: bytes
    format: str
    refused: str
    documents: tuple[int, int]
    """The least and the most that may be left of it."""
    dropped: dict[str, int] = {}  # noqa: RUF012 - never changed
    options: dict[str, Any] = {}  # noqa: RUF012


BROKEN = {
    "a .bz2 that is cut": Broken(
        "wiki.xml.bz2", bz2.compress(DUMP, 1)[: len(bz2.compress(DUMP, 1)) * 2 // 3], "wikipedia",
        "end of the dump before </mediawiki> at byte", (1, 11), {"broken page": 1},
    ),
    "a .bz2 that is cut between two streams": Broken(
        "wiki.xml.bz2", b"".join(STREAMS[:3]), "wikipedia",
        f"at byte {len(b''.join(STREAMS[:3])):,}; fetch the file again", (6, 6),
    ),
    "a .bz2 of lines with a flipped bit": Broken(
        "lines.txt.bz2", flipped(bz2.compress(LINES, 1), 70_000), "text",
        "damaged bzip2 block at byte", (1_000, 3_000), {"broken line": 1},
    ),
    "a .bz2 of documents between blank lines with a flipped bit": Broken(
        "lines.txt.bz2", flipped(bz2.compress(LINES.replace(b"\n", b"\n\n"), 1), 70_000), "text",
        "damaged bzip2 block at byte", (1_000, 3_000), {"broken line": 1}, {"document": "blank"},
    ),
    "a .bz2 of something else": Broken(
        "wiki.xml.bz2", b"<html>404</html>", "wikipedia",
        "is named .bz2 but does not begin as bz2 data", (-1, -1),
    ),
    "a .gz that is cut": Broken(
        "lines.txt.gz", gzip.compress(LINES)[:-500], "text",
        "end of the file inside the gzip data at byte", (100, 3_000), {"broken line": 1},
    ),
    "garbage after a .gz": Broken(
        "lines.txt.gz", gzip.compress(b"one\ntwo\n", mtime=0) + b"garbage", "text",
        f"garbage after the gzip data at byte {len(gzip.compress(b'one' * 2, mtime=0)) + 2}",
        (2, 2),
    ),
    **{
        f"a .{ending} that is cut": Broken(
            f"lines.txt.{ending}", COMPRESSIONS[ending](LINES)[:-500], "text",
            "end of the file inside the", (101, 4_000), {"broken line": 1},
        )
        for ending in ("xz", "zst")
    },
    **{
        f"a .{ending} with a flipped bit": Broken(
            f"lines.txt.{ending}", flipped(data, len(data) // 2), "text", "at byte", (0, 4_000),
            {"broken line": 1},
        )
        for ending in ("xz", "zst")
        for data in [COMPRESSIONS[ending](LINES)]
    },
    **{
        f"garbage after a .{ending}": Broken(
            f"lines.txt.{ending}", COMPRESSIONS[ending](b"one\ntwo\n") + b"garbage", "text",
            "garbage after the", (2, 2),
        )
        for ending in ("xz", "zst")
    },
    "a wrong checksum of a .gz": Broken(
        "lines.txt.gz", flipped(gzip.compress(LINES), len(gzip.compress(LINES)) - 6), "text",
        "wrong gzip checksum at byte", (2_000, 4_000), {"broken line": 1},
    ),
    "a dump that never closes": Broken(
        "wiki.xml", DUMP[: len(DUMP) // 2], "wikipedia",
        "end of the dump before </mediawiki>", (1, 11), {"broken page": 1},
    ),
    "a dump that never closes in a .gz": Broken(
        "wiki.xml.gz", gzip.compress(DUMP.removesuffix(CLOSE.encode())), "wikipedia",
        "end of the dump before </mediawiki>", (12, 12),
    ),
    "a page that does not close": Broken(
        "wiki.xml", dump(PAGES[0], PAGES[1].replace("</page>", ""), PAGES[2]), "wikipedia",
        "page that does not close at byte", (2, 2), {"broken page": 1},
    ),
    "a page whose tag is broken": Broken(
        "wiki.xml", dump(PAGES[0], PAGES[1].replace("<page>", "<pbge>"), PAGES[2]), "wikipedia",
        "text between the pages at byte", (2, 2),
    ),
    **{
        f"a page with {content}": Broken(
            "wiki.xml", dump(PAGES[0], page_with(content), PAGES[1]), "wikipedia",
            "page that is not well-formed XML", (2, 2), {"broken page": 1},
        )
        for content in ("a &lol; b", "a <b c", "a \x01 b", "]]></text>")
    },
    "a film that never closes": Broken(
        "film.xml", b'<document>\n<s id="1">Egy mondat.</s>\n<s id="2">K', "opensubtitles",
        "XML that is not well-formed", (1, 1), {"broken document": 1},
    ),
    "a document of WikiExtractor that does not close": Broken(
        "wiki_00", b'<doc id="1" title="A">\none\n<doc id="2" title="B">\ntwo\n</doc>\n',
        "wikiextractor", "document that does not close at byte 0", (1, 1), {"broken document": 1},
    ),
    "text outside the documents of WikiExtractor": Broken(
        "wiki_00", b'<doc id="1" title="A">\none\n</doc>\nstray\n', "wikiextractor",
        "text outside the documents at byte 34", (1, 1),
    ),
    "TEI that never closes": Broken(
        "corpus.xml", f"<teiCorpus>{2 * f'<TEI><text><p>{LINES[:99].decode()}</p></text></TEI>'}"
        "<TEI><text><p>".encode(), "tei", "XML that is not well-formed", (2, 2),
        {"broken document": 1},
    ),
    "a line that is not CoNLL-U": Broken(
        "bank.conllu", b"1\tMar\tmar\tNOUN\t_\t_\t0\troot\t_\t_\n\n5\tpoco\n", "conllu",
        "line without the 10 fields of CoNLL-U at byte", (1, 1), {"broken line": 1},
    ),
    "a line that is not JSON": Broken(
        "lines.jsonl", b'{"text": "one"}\n{"text": "tw\n{"text": "three"}\n', "json",
        "text that is not JSON at byte", (2, 2), {"broken document": 1},
    ),
    "a value that is not JSON": Broken(
        "value.json", b'{"a": ["one", }', "json", "text that is not JSON at byte 14", (0, 0),
        {"broken document": 1},
    ),
    "JSON that is nested too deeply": Broken(
        "deep.json", b"[" * 100_000 + b"]" * 100_000, "json", "JSON nested too deeply", (0, 0),
        {"broken document": 1},
    ),
    "lines that are not UTF-8": Broken(
        "lines.txt", "jó\nárvíztűrő\n".encode() + b"t\xfck\xf5r\n" + "még\n".encode() * 50, "text",
        "bytes that are not UTF-8 at byte 19; declare its encoding", (53, 53),
    ),
    "lines in another encoding": Broken(
        "lines.txt", ("árvíztűrő tükörfúrógép, őszi erdő\n" * 20).encode("cp1250"), "text",
        "with `encoding` (perhaps cp1250)", (20, 20),
    ),
    "a dump that is not UTF-8": Broken(
        "wiki.xml", dump(page("T", "szép szó HERE")).replace(b"HERE", b"k\xf6r"), "wikipedia",
        "bytes that are not UTF-8 at byte", (1, 1),
    ),
    "lines that are not UTF-16": Broken(
        "lines.txt", "one\ntwo\n".encode("utf-16") + b"\x00\xd8x", "text",
        "bytes that are not UTF-16 at byte", (3, 3),
    ),
    "NUL bytes": Broken(
        "lines.txt", b"one\ntw\0o\nthree\0\0\n", "text", "NUL bytes at byte 6", (3, 3)
    ),
}  # fmt: skip


@pytest.mark.parametrize("kind", BROKEN)
def test_a_broken_file_is_refused_or_counted(kind: str, tmp_path: Path) -> None:
    broken = BROKEN[kind]
    path = tmp_path / broken.name
    path.write_bytes(broken.data)
    assert broken.refused in refusal(path, source(broken.format, **broken.options))
    least, most = broken.documents
    if most < 0:
        return  # refused, whatever is tolerated
    number, tally = tolerated(path, broken.format, **broken.options)
    assert least <= number <= most
    assert tally.dropped == broken.dropped
    assert sum(tally.lost.values()) > 0


@pytest.mark.parametrize("stored", ["one stream", "many streams"])
def test_damage_is_counted_once_however_a_file_is_read(stored: str, tmp_path: Path) -> None:
    path = tmp_path / "wiki.xml.bz2"
    intact = bz2.compress(DUMP, 1) if stored == "one stream" else b"".join(STREAMS)
    path.write_bytes(flipped(intact, len(intact) // 2))
    number, tally = tolerated(path, "wikipedia")
    assert 0 < number < 12
    assert tally.lost["damaged bzip2 block"] > 0
    size = path.stat().st_size
    _, parts = read(path, source("wikipedia", tolerate=0.5), [size // 3, size * 2 // 3])
    assert parts.lost == tally.lost
    # Each part of a file that is cut between two streams is intact: only the end shows it.
    path.write_bytes(b"".join(STREAMS[:3]))
    size = path.stat().st_size
    for cuts in ([], [size // 2], [size // 3, size - 5]):
        documents, tally = read(path, source("wikipedia", tolerate=0.1), cuts)
        assert len(documents) == 6
        assert tally.lost == {"end of the dump before </mediawiki>": 1}


def test_replaced_characters_are_counted_once_however_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "lines.txt"
    path.write_bytes(b"one\nb\xff\xffd\nt\0wo\n")
    declared = source("text", tolerate=0.9)
    for cut in range(1, path.stat().st_size):
        documents, tally = read(path, declared, [cut])
        assert [d.text for d in documents] == ["one", "b\ufffd\ufffdd", "two"]
        assert tally.replaced == 2
        assert tally.lost == {"bytes that are not UTF-8": 2, "NUL bytes": 1}


@pytest.mark.parametrize(("ending", "padding"), [("gz", 512), ("xz", 0), ("zst", 0)])
def test_several_streams_and_padding_are_not_damage(
    ending: str, padding: int, tmp_path: Path
) -> None:
    path = tmp_path / f"lines.txt.{ending}"
    compress = COMPRESSIONS[ending]
    path.write_bytes(compress(b"one\n") + compress(b"two\n") + bytes(padding))
    assert [d.text for d in read(path, source("text"))[0]] == ["one", "two"]


def test_a_page_of_50_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "wiki.xml.gz"
    large = page("Nagy", "szó " * 11_000_000)
    path.write_bytes(gzip.compress(dump(PAGES[0], large, PAGES[1]), 1))
    sentence = refusal(path, source("wikipedia"))
    assert f"page larger than {wikipedia.LARGEST >> 20} MiB at byte" in sentence
    tracemalloc.start()
    number, tally = tolerated(path, "wikipedia")
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 2 * wikipedia.LARGEST
    assert (number, tally.dropped) == (2, {"too large": 1})
    assert sum(tally.lost.values()) > 50_000_000


@pytest.mark.parametrize(
    ("name", "format", "content"),
    [
        ("wiki.xml", "wikipedia", dump(page_with("&lol2;"))),
        ("film.xml", "opensubtitles", b'<document><s id="1">&lol2;</s></document>'),
    ],
)
def test_entity_bombs_are_refused(name: str, format: str, content: bytes, tmp_path: Path) -> None:
    entities = '<!ENTITY lol "lol"><!ENTITY lol2 "&lol;&lol;&lol;&lol;&lol;&lol;">'
    path = tmp_path / name
    path.write_bytes(f'<?xml version="1.0"?>\n<!DOCTYPE l [{entities}]>\n'.encode() + content)
    for declared in (source(format), source(format, tolerate=0.5)):
        assert "declares a document type or entities" in refusal(path, declared)


class TestLines:
    def test_line_ends_of_every_kind_are_understood(self, tmp_path: Path) -> None:
        for end in (b"\n", b"\r\n", b"\r"):
            path = tmp_path / f"lines{len(end)}{end[0]}.txt"
            path.write_bytes(end.join([b"one", b"two", b"three", b""]))
            for cuts in ([], [2], [4], [5]):
                documents, _ = read(path, source("text"), cuts)
                assert [d.text for d in documents] == ["one", "two", "three"]

    def test_a_stray_carriage_return_does_not_break_a_line(self, tmp_path: Path) -> None:
        path = tmp_path / "lines.txt"
        for words in (1, 50_000):
            first = b"one\r" + b"word " * words
            path.write_bytes(first + b"\ntwo\n")
            assert [d.text for d in read(path, source("text"))[0]] == [first.decode(), "two"]

    def test_an_endless_line(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(text, "LARGEST", 1 << 20)
        path = tmp_path / "bomb.txt.gz"
        path.write_bytes(gzip.compress(b"one\n" + b"a" * (5 << 20) + b"\ntwo\n"))
        assert "line longer than 1 MiB at byte 4" in refusal(path, source("text"))
        number, tally = tolerated(path, "text")
        assert number == 2
        assert tally.lost["line longer than 1 MiB"] >= 4 << 20

    @pytest.mark.parametrize(("document", "left"), [("file", 0), ("blank", 2)])
    def test_an_endless_document(
        self, document: str, left: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(text, "LARGEST", 10_000)
        path = tmp_path / "lines.txt"
        path.write_bytes(b"one\n\n" + b"word\n" * 4_000 + b"\n\ntwo\n")
        declared = source("text", document=document)
        assert "document larger than 0 MiB at byte" in refusal(path, declared)
        number, tally = tolerated(path, "text", document=document)
        assert (number, tally.dropped["too large"]) == (left, 1)

    def test_an_unknown_encoding(self, tmp_path: Path) -> None:
        path = tmp_path / "lines.txt"
        path.write_bytes(b"one\n")
        with pytest.raises(InputError, match="`encoding: latin-99` is not an encoding"):
            read(path, source("text", encoding="latin-99"))


def test_a_path_of_json_that_leads_nowhere_is_counted(tmp_path: Path) -> None:
    path = tmp_path / "value.json"
    path.write_bytes(b'{"a": "one"}')
    documents, tally = read(path, source("json", document="b.*"))
    assert documents == []
    assert tally.dropped == {"nothing at the document path": 1}


class TestZip:
    @pytest.mark.parametrize(
        ("name", "data", "refused"),
        [
            ("../../xml/en/2.xml", FILM, "'../../xml/en/2.xml', which points outside the archive"),
            ("xml/en/2.xml", bytes(100 << 20), "'xml/en/2.xml', which unpacks to 100 MiB, at byte"),
            # It does not begin as XML, so it is read as lines, and has none.
            ("xml/en/2.xml.gz", gzip.compress(bytes(protocol.LARGEST + (2 << 20))), "2.xml.gz"),
        ],
    )
    def test_hostile_members(self, name: str, data: bytes, refused: str, tmp_path: Path) -> None:
        path = tmp_path / "films.zip"
        path.write_bytes(zipped({"xml/en/1.xml": FILM, name: data}))
        assert refused in refusal(path, source("opensubtitles"))
        number, tally = tolerated(path, "opensubtitles")
        assert number == 1
        assert sum(tally.lost.values()) > 0

    def test_members_that_overlap(self, tmp_path: Path) -> None:
        path = tmp_path / "films.zip"
        data = bytearray(zipped({f"xml/en/{n}.xml": prose(900, seed=n).encode() for n in (1, 2)}))
        # Both entries of the directory now claim the first member's bytes, and more.
        second = data.rindex(b"PK\x01\x02")
        struct.pack_into("<I", data, second + 20, len(data) - 100)
        path.write_bytes(data)
        assert "members overlap, as in a zip bomb" in refusal(path, source("opensubtitles"))

    def test_damage(self, tmp_path: Path) -> None:
        path = tmp_path / "films.zip"
        data = zipped({"xml/en/1.xml": FILM, "xml/en/2.xml": FILM})
        path.write_bytes(data[:-10])
        assert "is not a complete zip archive" in refusal(path, source("opensubtitles"))
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
    @pytest.mark.parametrize("format", readers.FORMATS)
    def test_no_file_no_content(self, format: str, tmp_path: Path) -> None:
        path = tmp_path / "wiki.xml"
        assert "cannot be read (No such file" in refusal(path, source(format))
        assert "is a folder where a file is needed" in refusal(tmp_path, source(format))
        path.touch()
        assert f"{path} is empty" in refusal(path, source(format))
        number, tally = tolerated(path, format)
        assert (number, tally.dropped) == (0, {"empty file": 1})

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
