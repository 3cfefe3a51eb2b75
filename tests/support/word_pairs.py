"""Pairs of words that are relatives or only look like it, from files of tests."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from tests.support.root import ROOT

FOLDER = ROOT / "tests" / "wordkin" / "language" / "kinship"


class WordPair(NamedTuple):
    """Two words, and whether they are relatives."""

    clue: str
    card: str
    relatives: bool


def word_pairs(name: str) -> list[WordPair]:
    """The pairs of a file: `[relatives]` or `[strangers]`, then `clue/card` in any lines."""
    return read_pairs(FOLDER / f"{name}.txt")


def read_pairs(path: Path) -> list[WordPair]:
    pairs, relatives = [], True
    for line in path.read_text(encoding="utf-8").splitlines():
        content = line.partition("#")[0].strip()
        if content.startswith("["):
            relatives = {"[relatives]": True, "[strangers]": False}[content]
        else:
            pairs += [WordPair(*pair.split("/"), relatives) for pair in content.split()]
    return pairs
