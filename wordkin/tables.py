"""Tables as lines of text, for the terminal."""

from __future__ import annotations

from collections.abc import Sequence


def table_lines(header: Sequence[str] | None, rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows as lines with aligned columns, indented by two spaces.

    Columns of numbers are aligned to the right, others to the left.
    """
    lines = [*([header] if header else []), *rows]
    widths = [max(len(cell) for cell in column) for column in zip(*lines, strict=True)]
    numeric = [all(_is_number(cell) for cell in column) for column in zip(*rows, strict=True)]
    return [
        "  "
        + "  ".join(
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, numeric, strict=True)
        ).rstrip()
        for line in lines
    ]


def _is_number(cell: str) -> bool:
    return cell.rstrip("%").replace(".", "", 1).lstrip("-").isdecimal()
