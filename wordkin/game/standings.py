"""The outcome of a tournament: figures of each pair, as a table, heat maps, a page and Parquet.

Intervals come from a bootstrap over the boards, which all pairs share.
"""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module, util
from pathlib import Path
from typing import get_type_hints

import numpy as np

from wordkin.errors import InputError
from wordkin.files import new_file, write_text
from wordkin.game.heatmap import heat_map
from wordkin.game.results import Result
from wordkin.judging.intervals import Estimate, bootstrap_means, estimate

RESAMPLES = 1000


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


def standings(results: Sequence[Result], seed: int = 0) -> list[Standing]:
    """Work out the figures of each pair.

    Parameters
    ----------
    results : sequence of Result
        The results of the games.
    seed : int
        The seed of the bootstrap.

    Returns
    -------
    list of Standing
        In the order in which the pairs first played.
    """
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
    )


FIGURES: dict[str, tuple[str, Callable[[Standing], float | None]]] = {
    "share of games won": (".2f", lambda standing: standing.wins.value),
    "mean turns of won games": (
        ".1f",
        lambda standing: standing.turns.value if standing.turns else None,
    ),
    "fewest turns of a won game": (".0f", lambda standing: standing.least),
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
        maps.append(heat_map(title, _labels(spymasters), _labels(guessers), values, number_format))
    return maps


def _labels(players: Sequence[str]) -> list[str]:
    """The players' names, without the style of play if all have the same one."""
    styles = {player.partition("/")[2] for player in players}
    return [player.partition("/")[0] if len(styles) == 1 else player for player in players]


HEADER = ("spymaster", "guesser", "games", "won", "turns", "least", "wrong cards", "assassin")


def table_rows(standings: Sequence[Standing]) -> list[tuple[str, ...]]:
    """Return the standings as the cells of a table, with intervals in brackets."""
    return [
        (
            standing.spymaster,
            standing.guesser,
            f"{standing.games:,}",
            _with_interval(standing.wins, 2),
            _with_interval(standing.turns, 1) if standing.turns else "–",
            "–" if standing.least is None else str(standing.least),
            _with_interval(standing.wrong, 2),
            _with_interval(standing.assassin, 2),
        )
        for standing in standings
    ]


def _with_interval(estimate: Estimate, places: int) -> str:
    """An estimate with its interval: `0.93 (0.90 to 0.96)`."""
    value, low, high = (f"{number:.{places}f}" for number in estimate)
    return f"{value} ({low} to {high})"


def page(title: str, about: str, standings: Sequence[Standing]) -> str:
    """Return the standings as an HTML page that needs no other file."""
    head = "".join(f"<th>{name}</th>" for name in HEADER)
    rows = "\n".join(
        "<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>"
        for row in table_rows(standings)
    )
    drawings = "\n".join(f"<figure>{drawing}</figure>" for drawing in heat_maps(standings))
    return _PAGE.format(
        title=html.escape(title), about=html.escape(about), drawings=drawings, head=head, rows=rows
    )


_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
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
{drawings}
<table>
<thead><tr>{head}</tr></thead>
<tbody>
{rows}
</tbody>
</table>
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
