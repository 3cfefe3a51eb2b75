"""Tables as lines of text, for the terminal."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence


def table_lines(header: Sequence[str] | None, rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as lines with aligned columns, indented by two spaces.

    Columns of numbers are aligned to the right, others to the left.
    """
    lines = [*([header] if header else []), *rows]
    widths = [max(map(display_width, column)) for column in zip(*lines, strict=True)]
    numeric = [all(_is_number(cell) for cell in column) for column in zip(*rows, strict=True)]
    return [
        "  "
        + "  ".join(
            padded(cell, width, right)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        ).rstrip()
        for line in lines
    ]


def padded(text: str, width: int, right: bool = False) -> str:
    """Return a text with spaces up to `width` columns, before it if it is to stand on the right."""
    spaces = " " * (width - display_width(text))
    return spaces + text if right else text + spaces


def display_width(text: str) -> int:
    """Return the number of columns that a text takes in a terminal.

    Wide characters take two, marks on other characters and joiners none.

    >>> display_width("火车"), display_width("kávé"), display_width("e\u0301")
    (4, 4, 1)
    """
    return sum(
        0
        if unicodedata.category(character) in ("Mn", "Me", "Cf")
        else 2
        if unicodedata.east_asian_width(character) in "WF"
        else 1
        for character in text
    )


def _is_number(cell: str) -> bool:
    return cell.rstrip("%").replace(".", "", 1).lstrip("-").isdecimal()
