"""Tell a corpus file's format by what is in it, and by its name where that does not tell."""

import re
from pathlib import Path

from pipeline.readers import archive, captions, charset, opensubtitles, srt, storage
from wordkin.errors import InputError


def sniff(path: Path) -> str:
    """The format's name; an error that says what the file is when no reader takes it."""
    name = str(path)
    if storage.kind(name) == "zip":
        return _of_zip(name)
    if storage.size(name) == 0:
        raise InputError(f"{path} is empty; fetch it again or take it out of the sources.")
    start = storage.head(name)
    encoding = charset.detect(start)
    text = start.decode(encoding, "replace").lstrip("\ufeff \t\r\n")
    if "<mediawiki" in text or text.startswith("<page>"):
        return "wikipedia"
    if text.startswith("<doc ") or _EXTRACTED.match(text):
        return "wikiextractor"
    if _FILM.search(text):
        return "opensubtitles"
    if next(captions.captions(text), None) is not None:
        return "srt"
    if text.startswith(("{", "[")):
        return "json"
    if "opensubtitles" in path.name.lower():
        return "opensubtitles"
    if "\0" in text or text.count("\N{REPLACEMENT CHARACTER}") * 10 > len(text):
        raise InputError(f"{path} is not text (nor anything else that a reader takes).")
    if _MARKUP.match(text):
        raise InputError(f"{path} is markup of a kind that no reader takes; make plain text of it.")
    return "text"


_EXTRACTED = re.compile(r'\{(?=[^\n]*"id":)(?=[^\n]*"url":)(?=[^\n]*"title":)(?=[^\n]*"text":)')
_FILM = re.compile(r"<document\b[^>]*>.*?<s\b", re.DOTALL)
_MARKUP = re.compile(r"<\?xml|<!doctype|<html", re.IGNORECASE)


def _of_zip(path: str) -> str:
    names = [member.name for member in archive.members(path)]
    if any(opensubtitles.language_of(name) is not None for name in names):
        return "opensubtitles"
    if any(name.lower().endswith(srt.SUFFIXES) for name in names):
        return "srt"
    raise InputError(f"{path} is a zip archive without subtitles; unpack it and name its files.")
