"""Heat maps as SVG: a table of figures to read at a glance.

The page around a heat map may set its colours (`--mark`, `--ink`).
"""

from __future__ import annotations

import html
from collections.abc import Sequence

CELL_WIDTH, CELL_HEIGHT = 48, 28
LETTER = 7.2
"""The approximate width of a letter; fonts differ."""
DARKEST = 0.65
"""The opacity of the darkest cell: the figure in it must stay legible."""


def heat_map(
    title: str,
    rows: Sequence[str],
    columns: Sequence[str],
    values: Sequence[Sequence[float | None]],
    number_format: str = ".2f",
) -> str:
    """Draw a table as SVG: the larger a value, the darker its cell.

    Parameters
    ----------
    title : str
        What the figures are.
    rows, columns : sequence of str
        The names of the rows and of the columns.
    values : sequence of rows
        The figures; the cell of None stays empty.
    number_format : str
        The format of the figures.

    Returns
    -------
    str
        An `<svg>` element.
    """
    known = [value for figures in values for value in figures if value is not None]
    low, high = min(known, default=0.0), max(known, default=0.0)
    left = 12 + LETTER * max((len(name) for name in rows), default=0)
    # Column names are rotated by 45 degrees, so they are as high as they are wide.
    top = 34 + 0.71 * LETTER * max((len(name) for name in columns), default=0)
    rise = 0.71 * LETTER * len(columns[-1]) if columns else 0.0
    width, height = left + CELL_WIDTH * len(columns) + rise, top + CELL_HEIGHT * len(rows) + 4
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" font-family="sans-serif" font-size="12" fill="var(--ink, #1b1b1b)" '
        f'role="img" aria-label="{html.escape(title)}">',
        f'<text x="4" y="14" font-size="13" font-weight="bold">{html.escape(title)}</text>',
    ]
    for column, name in enumerate(columns):
        x, y = left + CELL_WIDTH * (column + 0.5), top - 8
        parts.append(
            f'<text x="{x:.0f}" y="{y:.0f}" transform="rotate(-45 {x:.0f} {y:.0f})">'
            f"{html.escape(name)}</text>"
        )
    for row, (name, figures) in enumerate(zip(rows, values, strict=True)):
        y = top + CELL_HEIGHT * row
        middle = y + CELL_HEIGHT / 2 + 4
        parts.append(
            f'<text x="{left - 8:.0f}" y="{middle:.0f}" text-anchor="end">'
            f"{html.escape(name)}</text>"
        )
        for column, value in enumerate(figures):
            if value is None:
                continue
            x = left + CELL_WIDTH * column
            share = (value - low) / (high - low) if high > low else 0.5
            parts.append(
                f'<rect x="{x + 1:.0f}" y="{y + 1:.0f}" width="{CELL_WIDTH - 2}" '
                f'height="{CELL_HEIGHT - 2}" fill="var(--mark, #2a6fb0)" '
                f'fill-opacity="{DARKEST * share:.2f}"/>'
                f'<text x="{x + CELL_WIDTH / 2:.0f}" y="{middle:.0f}" text-anchor="middle">'
                f"{value:{number_format}}</text>"
            )
    return "\n".join([*parts, "</svg>"])
