"""Small files of every format, to be damaged, and texts that are made to take forever."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import random
from collections import Counter
from functools import partial
from pathlib import Path
from xml.sax.saxutils import escape

import zstandard

from pipeline import read as readers
from pipeline.languages import language
from pipeline.read import Tally
from tests.support.archives import tar, zipped
from tests.support.limits import refusal
from tests.support.mutations import BYTES, change_json
from tests.support.raw import dump, numbered_captions, page, source
from wordkin.errors import InputError

WIKITEXT = (
    "'''Zongora''' ([[hangszer|egy hangszer]]) &ndash; {{lang|hu|[[húr]]}}<ref name=a>x</ref>.\n"
    "{| class=wikitable\n! a || b\n|-\n| c || d\n|}\n== Cím ==\n* elem <nowiki>[[x]]</nowiki>\n"
    "[http://example.org cím] <!-- megjegyzés --> -{zh-hans:x;zh-hant:y}- [[Fájl:a.jpg|thumb|b]]\n"
)
CAPTIONS = [
    "<i>Hello</i> there.",
    "{\\an8}How are you?\n- Fine.",
    "♪ La la ♪",
    "Bye &amp; bye.",
] * 3
EXTRACT = '<doc id="1" url="x" title="Zongora">\nZongora\n\nEgy hangszer &amp; más.\n</doc>\n' * 3
OPUS_XML = (
    '<?xml version="1.0" encoding="utf-8"?>\n<document id="1">\n'
    '  <s id="1">\n    <time id="T1S" value="00:00:01,000" />\n    <w id="1.1">Hello</w>\n'
    '    <w id="1.2">you</w>\n  </s>\n</document>\n'
)


TEI = (
    "<TEI><teiHeader><title>Cím</title></teiHeader><text><body><div><head>Fej</head>"
    "<p>Egy <hi>hangszer</hi>.<note>x</note></p><l><w>Két</w><w>húr</w></l></div></body></text>"
    "</TEI>"
)
TMX = (
    '<tmx version="1.4"><body>'
    + (
        '<tu><tuv xml:lang="hu"><seg>Egy <ph>x</ph>hangszer.</seg></tuv>'
        '<tuv xml:lang="en"><seg>An instrument.</seg></tuv></tu>' * 3
    )
    + "</body></tmx>"
)
CONLLU = (
    "# newdoc\n# text = Egy hangszer.\n1\tEgy\tegy\tDET\t_\t_\t2\tdet\t_\t_\n"
    "2\thangszer\thangszer\tNOUN\t_\t_\t0\troot\t_\tSpaceAfter=No\n\n"
)


_DUMP = dump(*(page(f"Zongora {n}", WIKITEXT, n) for n in range(1, 4)))
_LINES = "".join(
    json.dumps({"title": "Zongora", "text": f"Egy hangszer {n}. <b>Szép</b>", "n": n}) + "\n"
    for n in range(5)
)
SAMPLES: dict[str, dict[str, bytes]] = {
    "wikipedia": {"dump.xml": _DUMP, "dump.xml.bz2": bz2.compress(_DUMP)},
    "wikiextractor": {"wiki_00": EXTRACT.encode(), "wiki_00.bz2": bz2.compress(EXTRACT.encode())},
    "opensubtitles": {
        "subs.txt.gz": gzip.compress(b"Hello there.\nHow are you?\nFine.\n" * 5, mtime=0),
        "subs.zip": zipped({"OpenSubtitles/xml/hu/2001/1/1.xml": OPUS_XML.encode()}),
    },
    "srt": {
        "film.srt": numbered_captions(CAPTIONS).encode(),
        "latin.srt": numbered_captions(["Jó napot, öreg!"] * 4).encode("cp1250"),
        "films.zip": zipped({"a/film.srt": numbered_captions(CAPTIONS).encode()}),
    },
    "text": {
        "text.txt": ("Egy hangszer.\n\nMásik bekezdés, www.example.org.\n" * 3).encode(),
        "wide.txt": "Egy hangszer.\n\nMásik.\n".encode("utf-16"),
        "text.txt.gz": gzip.compress(b"One line.\nTwo lines.\n" * 4, mtime=0),
    },
    "json": {
        "lines.jsonl": _LINES.encode(),
        "whole.json": json.dumps([{"text": "Egy hangszer."}] * 4).encode(),
        "lines.jsonl.zst": zstandard.compress(_LINES.encode()),
    },
    "tei": {
        "novel.xml": TEI.encode(),
        "novels.tar.xz": lzma.compress(tar({"a.xml": TEI.encode()})),
    },
    "tmx": {"memory.tmx": TMX.encode(), "memory.tar": tar({"memory.tmx": TMX.encode()})},
    "conllu": {
        "bank.conllu": CONLLU.encode(),
        "bank.tar.gz": gzip.compress(tar({"bank.conllu": CONLLU.encode()}), mtime=0),
    },
}
"""Files by format and name."""


def read_all(path: Path, format: str, tolerate: float = 0.5) -> int:
    """Look at a file, and read its documents and their words as the stage tokens does."""
    try:
        readers.shape(path, "hu")
    except InputError as error:
        assert "\n" not in str(error)
    declared = source(format, tolerate=tolerate, text="hu" if format == "tmx" else None)
    readers.check([path], declared)
    tally, words = Tally(), 0
    for unit in readers.plan([path], declared):
        for document in readers.read(unit, declared, tally):
            words += len(language("hu").words(document.text))
    return words


def fuzz_text(folder: Path, seed: int, times: int) -> Counter[str]:
    """Damage samples of all formats in turn, and read them."""
    chance = random.Random(seed)
    samples = [
        (format, name, content)
        for format, files in SAMPLES.items()
        for name, content in files.items()
    ]
    ends: Counter[str] = Counter()
    for trial in range(times):
        format, name, content = samples[trial % len(samples)]
        mutate = chance.choice(BYTES)
        if name == "whole.json" and chance.random() < 0.4:
            mutate = change_json
        path = folder / name
        path.write_bytes(mutate(chance, content))
        tolerate = chance.choice((0.0, 0.5))
        sentence = refusal(partial(read_all, path, format, tolerate))
        ends["refused" if sentence else "read"] += 1
        path.unlink()
    return ends


MARKS = (
    "[[", "]]", "{{", "}}", "{|\n", "|}\n", "[[a|", "{{a|", "[[File:a|", "<ref>", "</ref>", "<ref ",
    "<!--", "-->", "<nowiki>", "<table>", "</table>", "'''", "''", "==\n", "== a ==\n", "&amp;",
    "&#38;amp;", "&", "http://", "[http://a ", "-{", "}-", "-{a;", "(", ")", "( ", "<", ">", "</",
    "|", "||", "!", "\n*", "\n|-", " ", "\n", "\t", "a", "\u0301", "\u200d", "{\\",
    "{\\an8}", "<i>",
    "♪", "-", "--> ", "1\n", "00:00:01,000 --> ", "www.", "a@", "a.", "’", '"', '\\"', "[", "{",
    "formula_1", "ISBN 1", "isbn ", "PMC.", "a.com", "a.b.", "x.jpg", "File:", "(1999)", "class=",
    "thumb|", "1px", "00:00:01,000", "a%", "((", "&lt;", "<a b=", "10.1000/", "\\N", "[ [", "a@a.",
    '{"a":', "[1,", "a-", "<sync start=", "Dialogue: 0,0:00:01.00,{", "{\\p", "- a:", "1:1",
)  # fmt: skip
"""Pieces of markup. Many of one kind are what careless patterns take quadratic time for."""


def endless(mark: str, format: str, size: int) -> bytes:
    """A file of a format whose text is one mark over and over."""
    text = mark * (size // len(mark))
    match format:
        case "wikipedia":
            return dump(page("Zongora", text))
        case "wikiextractor":
            return f'<doc id="1" url="x" title="Zongora">\n{text}\n</doc>\n'.encode()
        case "srt":
            return numbered_captions([f"Hello.\n{text}"]).encode()
        case "tei":
            return TEI.replace("Két", escape(text)).encode()
        case "tmx":
            return TMX.replace("hangszer.", escape(text), 1).encode()
        case "conllu":
            field = text.replace("\n", " ").replace("\t", " ")
            return CONLLU.replace("Egy hangszer.", field).encode()
        case "json":
            whole = mark in ("[", "{", '{"a":', "[1,")
            return (text if whole else json.dumps({"text": text}) + "\n").encode()
        case _:
            return text.encode()
