"""Bilingual dictionaries in the format of the DICT protocol, made by hand."""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from pathlib import Path

DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def in_base_64(number: int) -> str:
    """A number as an index writes it."""
    digits = DIGITS[number % 64]
    return in_base_64(number // 64) + digits if number >= 64 else digits


def write_dict(folder: Path, entries: Mapping[str, str], name: str = "own") -> list[Path]:
    """Write entries by their headwords; the first line of an entry is the headword as shown."""
    folder.mkdir(parents=True, exist_ok=True)
    text, lines = b"", []
    about = {"00-database-short": "00-database-short\nA dictionary: of, our, own\n"}
    for headword, entry in {**about, **entries}.items():
        content = entry.encode()
        lines.append(f"{headword}\t{in_base_64(len(text))}\t{in_base_64(len(content))}\n")
        text += content
    index, body = folder / f"{name}.index", folder / f"{name}.dict.dz"
    index.write_text("".join(lines), encoding="utf-8")
    body.write_bytes(gzip.compress(text, mtime=0))
    return [body, index]
