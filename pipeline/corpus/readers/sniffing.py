"""Detect how to read a corpus file, by its content, and by its name where that does not suffice.

``sniff`` returns the format, ``shape`` everything that a source has to declare.
"""

import re
from pathlib import Path
from typing import NamedTuple

from pipeline.corpus.languages.codes import opus_code
from pipeline.corpus.readers import archive, captions, charset, json, opensubtitles, srt, storage
from wordkin.errors import InputError
from wordkin.words import base, tag


class Shape(NamedTuple):
    """How to read a file: the keys of a source, None for those that need not be declared."""

    format: str
    document: str | None = None
    text: str | None = None
    encoding: str | None = None


def shape(path: Path, code: str) -> Shape:
    """The shape of a file with text in this language."""
    format, name = sniff(path), str(path)
    if storage.kind(name) == "zip":
        text = _language_in_zip(name, code) if format == "opensubtitles" else None
        return Shape(format, text=text)
    is_list = format == "json" and not json.is_lines(name) and _start(path).startswith("[")
    encoding = None if format == "srt" else _undeclared_encoding(storage.head(name))
    return Shape(format, document="*" if is_list else None, encoding=encoding)


def sniff(path: Path) -> str:
    """The name of the format; a file that no reader can read is refused."""
    name = str(path)
    if storage.kind(name) == "zip":
        return _of_zip(name)
    if storage.size(name) == 0:
        raise InputError(f"{path} is empty: fetch it again, or remove it from the sources.")
    text = _start(path)
    if "<mediawiki" in text or text.startswith("<page>"):
        return "wikipedia"
    if text.startswith("<doc ") or _EXTRACTED.match(text):
        return "wikiextractor"
    if _FILM.search(text):
        return "opensubtitles"
    if next(captions.captions(text), None) is not None:
        return "srt"
    if _JSON.match(text):
        return "json"
    for pattern, what in _FOREIGN.items():
        if pattern.match(text):
            raise InputError(f"{path} is {what}, which no reader can read: leave it out.")
    if len(_STRANGE.findall(text)) * 20 > len(text):
        raise InputError(
            f"{path} is neither text nor anything else that a reader can read: leave it out."
        )
    # OPUS names its files after the language alone, in a folder named after the corpus.
    if any("opensubtitles" in name.lower() for name in path.parts[-3:]):
        return "opensubtitles"
    return "text"


_EXTRACTED = re.compile(r'\{(?=[^\n]*"id":)(?=[^\n]*"url":)(?=[^\n]*"title":)(?=[^\n]*"text":)')
_FILM = re.compile(r"<document\b[^>]*>.*?<s\b", re.DOTALL)
_STRANGE = re.compile("[\\x00-\\x08\\x0e-\\x1f\N{REPLACEMENT CHARACTER}]")
_JSON = re.compile(r'\{\s*["}]|\[\s*(?:["\[{\]\d-]|true|false|null)')
_FOREIGN = {
    re.compile(r"\d+:\d+:[^\n]*\n\d+:\d+:[^\n]*\n"): "the index of a multistream dump",
    re.compile(r"-- MySQL dump|-- MariaDB dump|INSERT INTO "): "a table of a database",
    re.compile(r"<\?xml|<!doctype|<html|<feed>", re.IGNORECASE): "markup of another kind",
}


def _start(path: Path) -> str:
    raw = storage.head(str(path))
    return raw.decode(charset.detect(raw), "replace").lstrip("\ufeff \t\r\n")


def _undeclared_encoding(start: bytes) -> str | None:
    """The encoding of a text that is not UTF-8 and has no byte order mark."""
    whole_lines = start[: start.rfind(b"\n") + 1] or start
    encoding = charset.detect(whole_lines)
    return None if encoding == "utf-8" or charset.declared_by_mark(start) else encoding


def _language_in_zip(path: str, code: str) -> str | None:
    """The language to read from an OPUS zip; None when there is only one."""
    languages = opensubtitles.by_language(path)
    if len(languages) == 1:
        return None
    wanted = [tag(code), tag(opus_code(code)), base(code)]
    fitting = [name for name in languages if tag(name) in wanted]
    if not fitting:
        raise InputError(
            f"{path} has the languages {', '.join(sorted(languages))} and not {code}: "
            "add it to one of those."
        )
    return min(fitting, key=lambda name: wanted.index(tag(name)))


def _of_zip(path: str) -> str:
    names = [member.name for member in archive.members(path)]
    if any(opensubtitles.language_of(name) is not None for name in names):
        return "opensubtitles"
    if any(map(srt.is_named, names)):
        return "srt"
    raise InputError(f"{path} is a zip archive without subtitles: unpack it and name its files.")
