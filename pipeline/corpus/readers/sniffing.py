"""Tell how a corpus file is to be read by what is in it, and by its name where that does not tell.

``sniff`` tells the format; ``shape`` all that a source would have to declare.
"""

import re
from pathlib import Path
from typing import NamedTuple

from pipeline.corpus.languages.codes import opus_code
from pipeline.corpus.readers import archive, captions, charset, json, opensubtitles, srt, storage
from wordkin.errors import InputError
from wordkin.words import base, tag


class Shape(NamedTuple):
    """How a file is to be read: the keys of a source (None: nothing to declare)."""

    format: str
    document: str | None = None
    text: str | None = None
    encoding: str | None = None


def shape(path: Path, code: str) -> Shape:
    """The shape of a file that holds text in the language of this code."""
    format, name = sniff(path), str(path)
    if storage.kind(name) == "zip":
        text = _language_in_zip(name, code) if format == "opensubtitles" else None
        return Shape(format, text=text)
    is_list = format == "json" and not json.is_lines(name) and _start(path).startswith("[")
    encoding = None if format == "srt" else _undeclared_encoding(storage.head(name))
    return Shape(format, document="*" if is_list else None, encoding=encoding)


def sniff(path: Path) -> str:
    """The format's name; an error that says what the file is when no reader takes it."""
    name = str(path)
    if storage.kind(name) == "zip":
        return _of_zip(name)
    if storage.size(name) == 0:
        raise InputError(f"{path} is empty; fetch it again or take it out of the sources.")
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
            raise InputError(f"{path} is {what}, which no reader takes; leave it out.")
    if len(_STRANGE.findall(text)) * 20 > len(text):
        raise InputError(f"{path} is not text (nor anything else that a reader takes).")
    # OPUS calls its files by the language alone, below a folder of the corpus' name.
    if any("opensubtitles" in part.lower() for part in path.parts[-3:]):
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
    """The encoding of a text that is not UTF-8 and has no mark that says so."""
    whole_lines = start[: start.rfind(b"\n") + 1] or start
    found = charset.detect(whole_lines)
    return None if found == "utf-8" or charset.declared_by_mark(start) else found


def _language_in_zip(path: str, code: str) -> str | None:
    """Which of the languages in an OPUS zip is meant; None when there is only one."""
    held = opensubtitles.by_language(path)
    if len(held) == 1:
        return None
    wanted = [tag(code), tag(opus_code(code)), base(code)]
    fitting = [name for name in held if tag(name) in wanted]
    if not fitting:
        raise InputError(f"{path} holds the languages {', '.join(sorted(held))} and not {code}.")
    return min(fitting, key=lambda name: wanted.index(tag(name)))


def _of_zip(path: str) -> str:
    names = [member.name for member in archive.members(path)]
    if any(opensubtitles.language_of(name) is not None for name in names):
        return "opensubtitles"
    if any(map(srt.is_named, names)):
        return "srt"
    raise InputError(f"{path} is a zip archive without subtitles; unpack it and name its files.")
