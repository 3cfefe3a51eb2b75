"""The standings of a tournament: figures of each pair, as tables, heat maps, a page and a file.

The intervals of the figures come from a bootstrap over the boards, which all pairs share.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module, util
from pathlib import Path
from typing import NamedTuple, get_type_hints

import numpy as np

from wordkin.errors import InputError
from wordkin.files import new_file, write_text
from wordkin.intervals import Estimate, bootstrap_means, estimate

RESAMPLES = 1000


class Result(NamedTuple):
    """How one game went for a pair of a spymaster and a guesser.

    Attributes
    ----------
    board : int
        The number of the board.
    spymaster, guesser : str
        The pair.
    opponent : str or None
        The other team's pair; None in solitaire.
    began : bool
        Whether the pair had the first turn.
    won : bool
        Whether the pair won.
    end : str
        How the game ended.
    turns : int
        The number of turns; 25 for a lost game of solitaire.
    ours, theirs, neutral, assassin : int
        The number of cards of each colour that the pair turned over.
    clues : int
        The number of clues that the pair gave, also in a lost game.
    numbers : int
        The sum of the numbers of these clues.
    """

    board: int
    spymaster: str
    guesser: str
    opponent: str | None
    began: bool
    won: bool
    end: str
    turns: int
    ours: int
    theirs: int
    neutral: int
    assassin: int
    clues: int
    numbers: int

    @property
    def wrong(self) -> int:
        """The number of cards turned over that were not the pair's own."""
        return self.theirs + self.neutral + self.assassin


@dataclass(frozen=True)
class Standing:
    """How a spymaster and a guesser did together.

    Attributes
    ----------
    spymaster, guesser : str
        The pair.
    games : int
        The number of games that they played.
    wins : Estimate
        The share of games that they won.
    turns : Estimate or None
        The mean number of turns of the won games; None if they won none.
    least : int or None
        The fewest turns of a won game.
    score : Estimate
        The mean number of turns; a lost game of solitaire counts 25.
    wrong : Estimate
        The mean number of cards per game that they turned over and that were not their own.
    assassin : Estimate
        The share of games in which they turned over the assassin.
    number : Estimate or None
        The mean number of a clue; None if no clue was given.
    """

    spymaster: str
    guesser: str
    games: int
    wins: Estimate
    turns: Estimate | None
    least: int | None
    score: Estimate
    wrong: Estimate
    assassin: Estimate
    number: Estimate | None


def standings(results: Sequence[Result], seed: int = 0) -> list[Standing]:
    """Work out the figures of each pair, in the order in which the pairs first played."""
    by_pair: dict[tuple[str, str], list[Result]] = {}
    for result in results:
        by_pair.setdefault((result.spymaster, result.guesser), []).append(result)
    return [_standing(*pair, games, seed) for pair, games in by_pair.items()]


def _standing(spymaster: str, guesser: str, games: Sequence[Result], seed: int) -> Standing:
    def mean(figure: Callable[[Result], float], games: Sequence[Result] = games) -> Estimate:
        values = np.array([figure(game) for game in games], dtype=np.float64)
        boards = np.array([game.board for game in games], dtype=np.int64)
        draws = bootstrap_means(values, boards, resamples=RESAMPLES, seed=seed)
        return estimate(float(values.mean()), draws)

    won = [game for game in games if game.won]
    with_clues = [game for game in games if game.clues]
    return Standing(
        spymaster=spymaster,
        guesser=guesser,
        games=len(games),
        wins=mean(lambda game: game.won),
        turns=mean(lambda game: game.turns, won) if won else None,
        least=min((game.turns for game in won), default=None),
        score=mean(lambda game: game.turns),
        wrong=mean(lambda game: game.wrong),
        assassin=mean(lambda game: game.assassin),
        number=mean(lambda game: game.numbers / game.clues, with_clues) if with_clues else None,
    )


HEADER = (
    "spymaster", "guesser", "games", "won", "turns", "least", "number", "wrong cards", "assassin",
)  # fmt: skip


def table_rows(standings: Sequence[Standing]) -> list[tuple[str, ...]]:
    """Return the standings as the cells of a table, with intervals in brackets."""
    return [
        (
            standing.spymaster,
            standing.guesser,
            f"{standing.games:,}",
            _with_interval(standing.wins, 2),
            _with_interval(standing.turns, 1),
            "–" if standing.least is None else str(standing.least),
            _with_interval(standing.number, 1),
            _with_interval(standing.wrong, 2),
            _with_interval(standing.assassin, 2),
        )
        for standing in standings
    ]


def _with_interval(estimate: Estimate | None, places: int) -> str:
    """An estimate with its interval: `0.93 (0.90 to 0.96)`."""
    if estimate is None:
        return "–"
    value, low, high = (f"{number:.{places}f}" for number in estimate)
    return f"{value} ({low} to {high})"


CROSS_CAPTION = "Share of games won / mean turns of won games / mean number of a clue."


def cross_table(standings: Sequence[Standing]) -> tuple[list[str], list[list[str]]]:
    """Return the standings as the papers show them: spymasters in rows, guessers in columns.

    Parameters
    ----------
    standings : sequence of Standing
        Of every spymaster with every guesser.

    Returns
    -------
    tuple of list of str and list of list of str
        The header and the rows. Each cell is as `CROSS_CAPTION` says; the last column has the
        means over all guessers.
    """
    guessers = list(dict.fromkeys(standing.guesser for standing in standings))
    by_spymaster: dict[str, list[Standing]] = {}
    for standing in standings:
        by_spymaster.setdefault(standing.spymaster, []).append(standing)
    rows = [
        [spymaster, *(_cross_cell([standing]) for standing in row), _cross_cell(row)]
        for spymaster, row in by_spymaster.items()
    ]
    return ["spymaster", *labels(guessers), "mean"], rows


def _cross_cell(standings: Sequence[Standing]) -> str:
    """The figures of some pairs: means over the pairs that have a figure."""
    figures = [
        (".2f", [standing.wins for standing in standings]),
        (".1f", [standing.turns for standing in standings if standing.turns]),
        (".1f", [standing.number for standing in standings if standing.number]),
    ]
    cells = []
    for places, estimates in figures:
        mean = sum(estimate.value for estimate in estimates) / max(1, len(estimates))
        cells.append(format(mean, places) if estimates else "–")
    return " / ".join(cells)


def labels(players: Sequence[str]) -> list[str]:
    """The players' names, without the style of play if all have the same one."""
    styles = {player.partition("/")[2] for player in players}
    return [player.partition("/")[0] if len(styles) == 1 else player for player in players]


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

DARKEST = 0.65
"""The opacity of the darkest cell of a heat map: the figure in it must stay legible."""


def heat_maps(standings: Sequence[Standing], figures: Sequence[str] = tuple(FIGURES)) -> list[str]:
    """Draw each figure as a table in HTML, with one row per spymaster and one column per guesser.

    The larger a figure, the darker its cell.
    """
    spymasters = list(dict.fromkeys(standing.spymaster for standing in standings))
    guessers = list(dict.fromkeys(standing.guesser for standing in standings))
    by_pair = {(standing.spymaster, standing.guesser): standing for standing in standings}
    maps = []
    for title in figures:
        places, figure = FIGURES[title]
        values = [[figure(by_pair[s, g]) for g in guessers] for s in spymasters]
        known = [value for row in values for value in row if value is not None]
        low, high = min(known, default=0.0), max(known, default=0.0)
        head = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in labels(guessers))
        rows = [
            f'<tr><th scope="row">{html.escape(name)}</th>'
            + "".join(_heat_cell(value, low, high, places) for value in row)
            + "</tr>"
            for name, row in zip(labels(spymasters), values, strict=True)
        ]
        caption = f"<caption>{html.escape(title)}</caption>"
        lines = [f"<table>{caption}", f"<tr><td></td>{head}</tr>", *rows, "</table>"]
        maps.append("\n".join(lines))
    return maps


def _heat_cell(value: float | None, low: float, high: float, places: str) -> str:
    if value is None:
        return "<td></td>"
    opacity = DARKEST * ((value - low) / (high - low) if high > low else 0.5)
    return f'<td style="background: rgb(42 111 176 / {opacity:.2f})">{value:{places}}</td>'


def page(title: str, about: str, standings: Sequence[Standing]) -> str:
    """Return the standings as an HTML page that needs no other file."""
    return _PAGE.format(
        title=html.escape(title),
        about=html.escape(about),
        caption=html.escape(CROSS_CAPTION),
        cross=_table(*cross_table(standings)),
        maps="\n".join(heat_maps(standings)),
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
table {{ border-collapse: collapse; margin-bottom: 1.5em; }}
caption {{ text-align: left; font-weight: bold; }}
th, td {{ text-align: left; padding: 0.2em 0.8em; border-bottom: 1px solid #ccc; }}
</style>
</head>
<body>
<h1>{title}</h1>
<p>{about}</p>
<p>{caption}</p>
{cross}
{maps}
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
