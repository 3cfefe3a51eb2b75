"""Detect how to read a corpus file, by its content, and by its name where that does not suffice.

``sniff`` returns the format, ``shape`` everything that a source has to declare.
"""

import re
from collections.abc import Iterable
from itertools import islice
from pathlib import PurePath
from typing import NamedTuple

from pipeline.languages.table import opus_code
from pipeline.read import archives, encodings, json, opensubtitles, stored, subtitles, tmx
from pipeline.read.documents import Span, Tally
from pipeline.storage import AnyPath
from wordkin.errors import InputError
from wordkin.words import base, tag

MOST_MEMBERS = 50
"""How many files of an archive are looked at to find out what it is."""


class Shape(NamedTuple):
    """How to read a file: the keys of a source, None for those that need not be declared."""

    format: str
    document: str | None = None
    text: str | None = None
    encoding: str | None = None


def shape(path: AnyPath, code: str) -> Shape:
    """The shape of a file with text in this language."""
    format, name = sniff(path), str(path)
    if stored.kind(name) == "zip" and format in ("opensubtitles", "srt"):
        languages = opensubtitles.by_language(name) if format == "opensubtitles" else {}
        text = _fitting(name, languages, code) if len(languages) > 1 else None
        return Shape(format, text=text)
    span = _member(path) if stored.container(name) else Span(name)
    if format == "tmx":
        return Shape(format, text=_fitting(name, tmx.languages(span), code))
    document = text = None
    if format == "json":
        is_list = not json.is_lines(span) and _start(span).startswith("[")
        document = "*" if is_list else None
        text = json.running_text(span, document or "")
    encoded = format in ("text", "json", "wikiextractor", "wikipedia", "opensubtitles", "conllu")
    start = stored.head(span)
    encoding = _undeclared_encoding(start) if encoded else None
    return Shape(format, document=document, text=text, encoding=encoding)


def sniff(path: AnyPath) -> str:
    """The name of the format; a file that no reader can read is refused."""
    name = str(path)
    if stored.size(name) == 0:
        raise InputError(f"{path} is empty: fetch it again, or remove it from the sources.")
    if stored.kind(name) == "zip" and (format := _by_names(name)):
        return format
    if stored.container(name):
        return sniff_member(_member(path))
    return sniff_member(Span(name))


def sniff_member(span: Span) -> str:
    """The name of the format of a file, or of a member of an archive."""
    path, text = PurePath(span.file_name), _start(span)
    if "<mediawiki" in text or text.startswith("<page>"):
        return "wikipedia"
    if text.startswith("<doc ") or _EXTRACTED.match(text):
        return "wikiextractor"
    for format, pattern in _BY_CONTENT.items():
        if pattern.search(text):
            return format
    if next(subtitles.captions(text), None) is not None:
        return "srt"
    if _JSON.match(text):
        return "json"
    for pattern, what in _FOREIGN.items():
        if pattern.match(text):
            raise InputError(f"{span.label} is {what}, which no reader can read: leave it out.")
    if len(_STRANGE.findall(text)) * 20 > len(text):
        raise InputError(
            f"{span.label} is neither text nor anything else that a reader can read: leave it out."
        )
    # OPUS names its files after the language alone, in a folder named after the corpus.
    if any("opensubtitles" in name.lower() for name in path.parts[-3:]):
        return "opensubtitles"
    return "text"


def _member(path: AnyPath) -> Span:
    """The first member of an archive that a reader can read; an archive without one is refused."""
    name = str(path)
    for member in islice(archives.members(name, Tally(tolerate=1.0)), MOST_MEMBERS):
        span = Span(name, member=member)
        try:
            sniff_member(span)
        except InputError:
            continue
        return span
    raise InputError(f"{path} is an archive without a file that a reader can read: leave it out.")


_EXTRACTED = re.compile(r'\{(?=[^\n]*"id":)(?=[^\n]*"url":)(?=[^\n]*"title":)(?=[^\n]*"text":)')
_BY_CONTENT = {
    "opensubtitles": re.compile(r"<document\b[^>]*>.*?<s\b", re.DOTALL),
    "tmx": re.compile(
        r"\A(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)?(?:<!DOCTYPE[^>]*>\s*)?<tmx\b", re.DOTALL
    ),
    "tei": re.compile(r"<(?:\w+:)?(?:TEI|TEI\.2|teiCorpus)[\s>]"),
    "conllu": re.compile(
        r"\A(?:#[^\n]*\n)*\d+(?:-\d+)?\t[^\t\n]+\t(?:[^\t\n]*\t){7}[^\t\n]*(?:\n|\Z)"
    ),
}
_STRANGE = re.compile("[\\x00-\\x08\\x0e-\\x1f\N{REPLACEMENT CHARACTER}]")
_JSON = re.compile(r'\{\s*["}]|\[\s*(?:["\[{\]\d-]|true|false|null)')
_FOREIGN = {
    re.compile(r"\d+:\d+:[^\n]*\n\d+:\d+:[^\n]*\n"): "the index of a multistream dump",
    re.compile(r"-- MySQL dump|-- MariaDB dump|INSERT INTO "): "a table of a database",
    re.compile(r"<\?xml|<!doctype|<html|<feed>", re.IGNORECASE): "markup of another kind",
}


def _start(span: Span) -> str:
    raw = stored.head(span)
    return raw.decode(encodings.detect(raw), "replace").lstrip("\ufeff \t\r\n")


def _undeclared_encoding(start: bytes) -> str | None:
    """The encoding of a text that is not UTF-8 and has no byte order mark."""
    whole_lines = start[: start.rfind(b"\n") + 1] or start
    encoding = encodings.detect(whole_lines)
    return None if encoding == "utf-8" or encodings.declared_by_mark(start) else encoding


def _fitting(path: str, languages: Iterable[str], code: str) -> str:
    """The one of the languages in a file that is meant by a code."""
    wanted = (tag(code), tag(opus_code(code)), base(code))
    names = sorted(languages)
    fitting = [name for one in wanted for name in names if tag(name) == one]
    fitting += [name for name in names if base(name) in wanted]
    if not fitting:
        raise InputError(
            f"{path} has the languages {', '.join(names)} and not {code}: add it to one of those."
        )
    return fitting[0]


def _by_names(path: str) -> str | None:
    """The format of a zip, where the names of its members tell it."""
    names = [member.name for member in archives.zip_members(path)]
    if any(opensubtitles.language_of(name) is not None for name in names):
        return "opensubtitles"
    return "srt" if any(map(subtitles.is_named, names)) else None
