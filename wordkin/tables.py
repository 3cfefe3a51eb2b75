"""Tables as lines of text, for the terminal."""

from __future__ import annotations

from collections.abc import Sequence


def table_lines(head: Sequence[str] | None, rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows with aligned columns, indented by two; numbers to the right."""
    lines = [*([head] if head else []), *rows]
    widths = [max(len(cell) for cell in column) for column in zip(*lines, strict=True)]
    numbers = [
        all(cell.rstrip("%").replace(".", "", 1).lstrip("-").isdecimal() for cell in column)
        for column in zip(*rows, strict=True)
    ]
    return [
        "  "
        + "  ".join(
            cell.rjust(width) if number else cell.ljust(width)
            for cell, width, number in zip(line, widths, numbers, strict=True)
        ).rstrip()
        for line in lines
    ]
