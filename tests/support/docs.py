"""The pages of the documentation, and the examples in them."""

from __future__ import annotations

import re
from pathlib import Path

from tests.support.root import ROOT

DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]

_BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def page(name: str) -> str:
    """The text of a page, by its name below `docs`."""
    return (DOCS / name).read_text(encoding="utf-8")


def blocks(path: Path, *languages: str) -> list[str]:
    """The examples in some languages, in their order."""
    found = _BLOCK.findall(path.read_text(encoding="utf-8"))
    return [block for language, block in found if language in languages]


def commands(path: Path) -> list[str]:
    """The commands that a page tells people to type, without comments; one per line."""
    lines = []
    for block in blocks(path, "sh"):
        lines += block.replace("\\\n", " ").splitlines()
    for block in blocks(path, "console"):
        lines += [line[2:] for line in block.splitlines() if line.startswith("$ ")]
    return [line for line in (re.sub(r"(^|\s)#.*", "", line).strip() for line in lines) if line]


def table_keys(text: str) -> set[str]:
    """What the first cells of the tables of a page name in code."""
    cells = re.findall(r"^\| (`[^|]*) \|", text, re.MULTILINE)
    return {name for cell in cells for name in re.findall(r"`([^`]+)`", cell)}
