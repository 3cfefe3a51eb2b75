"""The standings of a tournament as heat maps, a page and a Parquet file."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from importlib import import_module, util
from pathlib import Path
from typing import get_type_hints

from wordkin.errors import InputError
from wordkin.files import new_file, write_text
from wordkin.game.heatmap import heat_map
from wordkin.game.results import Result
from wordkin.game.standings import (
    CROSS_CAPTION,
    HEADER,
    Standing,
    cross_table,
    labels,
    table_rows,
)

FIGURES: dict[str, tuple[str, Callable[[Standing], float | None]]] = {
    "share of games won": (".2f", lambda standing: standing.wins.value),
    "mean turns of won games": (
        ".1f",
        lambda standing: standing.turns.value if standing.turns else None,
    ),
    "fewest turns of a won game": (".0f", lambda standing: standing.least),
    "mean number of a clue": (
        ".1f",
        lambda standing: standing.number.value if standing.number else None,
    ),
    "wrong cards in a game": (".2f", lambda standing: standing.wrong.value),
    "share of games with the assassin": (".2f", lambda standing: standing.assassin.value),
}
"""The heat maps by title: the format and the figure of each."""


def heat_maps(standings: Sequence[Standing], figures: Sequence[str] = tuple(FIGURES)) -> list[str]:
    """Draw each figure as SVG, with one row per spymaster and one column per guesser."""
    spymasters = list(dict.fromkeys(standing.spymaster for standing in standings))
    guessers = list(dict.fromkeys(standing.guesser for standing in standings))
    by_pair = {(standing.spymaster, standing.guesser): standing for standing in standings}
    maps = []
    for title in figures:
        number_format, figure = FIGURES[title]
        values = [[figure(by_pair[s, g]) for g in guessers] for s in spymasters]
        maps.append(heat_map(title, labels(spymasters), labels(guessers), values, number_format))
    return maps


def page(title: str, about: str, standings: Sequence[Standing]) -> str:
    """Return the standings as an HTML page that needs no other file."""
    drawings = "\n".join(f"<figure>{drawing}</figure>" for drawing in heat_maps(standings))
    return _PAGE.format(
        title=html.escape(title),
        about=html.escape(about),
        caption=html.escape(CROSS_CAPTION),
        cross=_table(*cross_table(standings)),
        drawings=drawings,
        details=_table(HEADER, table_rows(standings)),
    )


def _table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table as HTML."""
    head = "".join(f"<th>{html.escape(name)}</th>" for name in header)
    body = "\n".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows
    )
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>\n</table>"


_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy"
      content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>{title}</title>
<style>
body {{ font-family: sans-serif; max-width: 70em; margin: 2em auto; padding: 0 1em; }}
figure {{ display: inline-block; margin: 0 1em 1em 0; max-width: 100%; overflow-x: auto; }}
table {{ border-collapse: collapse; }}
th, td {{ text-align: left; padding: 0.2em 0.8em; border-bottom: 1px solid #ccc; }}
</style>
</head>
<body>
<h1>{title}</h1>
<p>{about}</p>
<p>{caption}</p>
{cross}
{drawings}
<p>In brackets, 95 % intervals over the boards.</p>
{details}
</body>
</html>
"""


def write_page(path: Path, title: str, about: str, standings: Sequence[Standing]) -> None:
    """Write the standings as an HTML page."""
    write_text(path, page(title, about, standings))


def write_parquet(path: Path, results: Sequence[Result]) -> None:
    """Write a Parquet file with one row per result."""
    if not util.find_spec("pyarrow"):
        raise InputError("Parquet files need pyarrow: install it with 'pip install pyarrow'.")
    pa, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    types = {int: pa.int64(), bool: pa.bool_()}
    columns = {
        name: pa.array([getattr(result, name) for result in results], types.get(hint, pa.string()))
        for name, hint in get_type_hints(Result).items()
    }
    with new_file(path) as temporary:
        parquet.write_table(pa.table(columns), temporary, compression="zstd")
