"""The outcome of a tournament: figures of each pair, as the cells of tables.

Intervals come from a bootstrap over the boards, which all pairs share.
`wordkin.game.tournament_page` has pictures, pages and files of them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from wordkin.game.results import Result
from wordkin.intervals import Estimate, bootstrap_means, estimate

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


def labels(players: Sequence[str]) -> list[str]:
    """The players' names, without the style of play if all have the same one."""
    styles = {player.partition("/")[2] for player in players}
    return [player.partition("/")[0] if len(styles) == 1 else player for player in players]


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
            _with_interval(standing.turns, 1) if standing.turns else "–",
            "–" if standing.least is None else str(standing.least),
            _with_interval(standing.number, 1) if standing.number else "–",
            _with_interval(standing.wrong, 2),
            _with_interval(standing.assassin, 2),
        )
        for standing in standings
    ]


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


def _with_interval(estimate: Estimate, places: int) -> str:
    """An estimate with its interval: `0.93 (0.90 to 0.96)`."""
    value, low, high = (f"{number:.{places}f}" for number in estimate)
    return f"{value} ({low} to {high})"
