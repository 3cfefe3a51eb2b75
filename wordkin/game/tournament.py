"""Tournaments: every spymaster plays with every guesser, on the same boards.

`solitaire` has the rules of the Codenames AI competition: one team, 8 cards of its own among 25,
and a lost game counts 25 turns. `teams` has two teams on one board: each pair of a spymaster and a
guesser is a team, and any two teams meet twice on every board, so that each begins once.

All games of a board are played in one process, from start to end, with random numbers that depend
only on the seed, the board and the players. So the results are the same for any number of
processes. The intervals of the figures come from a bootstrap over the boards, which all pairs
share.
"""

from __future__ import annotations

import csv
import multiprocessing
import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from itertools import chain, permutations, product, repeat
from pathlib import Path
from typing import NamedTuple

import numpy as np

from wordkin.bundle import Bundle, load
from wordkin.errors import InputError
from wordkin.files import new_file
from wordkin.game.agents import Player, make_guesser, make_spymaster
from wordkin.game.board import Board
from wordkin.game.game import Game
from wordkin.game.guesser import Guesser
from wordkin.game.play import Seats, play_game
from wordkin.game.rules import MOST_TURNS, RULES
from wordkin.game.spymaster import Spymaster
from wordkin.intervals import Estimate, bootstrap_means, estimate
from wordkin.measures.cached import CachedMeasure

SOLITAIRE, TEAMS = "solitaire", "teams"
"""The rules of a tournament, see `wordkin.game.rules.RULES`."""

RESAMPLES = 1000

_BLAS_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


@dataclass(frozen=True)
class Plan:
    """A tournament before it is played.

    Attributes
    ----------
    spymasters, guessers : tuple of Player
        The players: each spymaster plays with each guesser.
    boards : tuple of Board
        The boards to play on.
    rules : str
        `solitaire` or `teams`.
    seed : int
        For guessers that pick at random.
    """

    spymasters: tuple[Player, ...]
    guessers: tuple[Player, ...]
    boards: tuple[Board, ...]
    rules: str = SOLITAIRE
    seed: int = 0

    def __post_init__(self) -> None:
        if self.rules not in RULES:
            raise InputError(f"There are no rules '{self.rules}': use {' or '.join(RULES)}.")
        for role, players in (("spymaster", self.spymasters), ("guesser", self.guessers)):
            if not players:
                raise InputError(f"A tournament needs at least one {role}.")
            repeated = next((p for at, p in enumerate(players) if p in players[:at]), None)
            if repeated:
                raise InputError(f"The {role} '{repeated}' is named twice: name it once.")
        if self.rules == TEAMS and len(self.spymasters) * len(self.guessers) < 2:
            raise InputError("A tournament of teams needs at least two: name more players.")


def deal_boards(words: Sequence[str], count: int, seed: int, rules: str) -> tuple[Board, ...]:
    """Deal boards for a tournament from a list of words, each with its own seed."""
    if count < 1:
        raise InputError(f"A tournament on {count} boards is not possible: ask for 1 or more.")
    seeds = np.random.SeedSequence(seed).generate_state(count).tolist()
    return tuple(RULES[rules].deal_board(words, board_seed) for board_seed in seeds)


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
    began, won : bool
        Whether the pair had the first turn, and whether it won.
    end : str
        How the game ended.
    turns : int
        The number of turns; 25 for a lost game of solitaire.
    ours, theirs, neutral, assassin : int
        The number of cards of each colour that the pair turned over.
    clues, numbers : int
        The number of clues that the pair gave, also in a lost game, and the sum of their numbers.
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


def run(bundle: Path, plan: Plan, processes: int | None = None) -> list[Result]:
    """Play a tournament with the measures of a bundle in a folder.

    As many processes, or one per core, share the boards; a system without shared memory (a
    container without /dev/shm) plays in this process. The results are in the order of the boards,
    then of the players.
    """
    opened = load(bundle)
    for player in (*plan.spymasters, *plan.guessers):
        opened.measure(player.measure)  # refuses a wrong name before the work starts
    boards = range(len(plan.boards))
    if not _have_semaphores():
        return list(chain.from_iterable(play_boards(bundle, plan, boards)))
    count = min(processes or os.cpu_count() or 1, len(boards))
    shares = [boards[at::count] for at in range(count)]
    context = multiprocessing.get_context("spawn")
    with _one_thread_per_process(), ProcessPoolExecutor(count, context) as pool:
        try:
            played = list(pool.map(play_boards, repeat(bundle), repeat(plan), shares))
        except BrokenProcessPool:
            raise MemoryError("a process of the tournament was killed") from None
    by_board = {
        board: results
        for share, lists in zip(shares, played, strict=True)
        for board, results in zip(share, lists, strict=True)
    }
    return [result for board in boards for result in by_board[board]]


def play_boards(bundle: Path, plan: Plan, boards: Sequence[int]) -> list[list[Result]]:
    """Play some boards of a plan; return the results of each."""
    tournament = Tournament(load(bundle), plan)
    return [tournament.play_board(board) for board in boards]


def _have_semaphores() -> bool:
    """Whether processes can share work."""
    try:
        multiprocessing.get_context("spawn").Lock()
    except OSError:
        return False
    return True


@contextmanager
def _one_thread_per_process() -> Iterator[None]:
    """Make processes that start in this block calculate with one thread each.

    More threads would compete for the cores, and their number would change the order of sums.
    """
    before = {name: os.environ.pop(name, None) for name in _BLAS_THREADS}
    os.environ.update(dict.fromkeys(_BLAS_THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            del os.environ[name]
            if value is not None:
                os.environ[name] = value


class Team(NamedTuple):
    """A spymaster and a guesser, by their positions in the plan."""

    spymaster: int
    guesser: int


class _Remembering:
    """A spymaster that works out each clue once: games that reach the same state share it."""

    def __init__(self, spymaster: Spymaster) -> None:
        self.give = cache(spymaster.give)


class Tournament:
    """All players of a plan, ready to play the boards one by one."""

    def __init__(self, bundle: Bundle, plan: Plan) -> None:
        self.bundle, self.plan = bundle, plan
        names = {player.measure for player in (*plan.spymasters, *plan.guessers)}
        self._measures = {name: CachedMeasure(bundle.measure(name)) for name in names}
        self._spymasters = [
            _Remembering(make_spymaster(bundle, player, self._measures[player.measure]))
            for player in plan.spymasters
        ]

    def play_board(self, board: int) -> list[Result]:
        """Play all games on one board of the plan.

        There is one result per game of solitaire, and two per game of two teams, that of the team
        that began first.
        """
        for measure in self._measures.values():
            measure.clear()
        for spymaster in self._spymasters:
            spymaster.give.cache_clear()
        pairs = product(range(len(self.plan.spymasters)), range(len(self.plan.guessers)))
        teams = [Team(*pair) for pair in pairs]
        size = RULES[self.plan.rules].teams
        return [
            result for sides in permutations(teams, size) for result in self._play(board, sides)
        ]

    def _play(self, board: int, sides: Sequence[Team]) -> list[Result]:
        """Play one game; return its result for each side."""
        game = Game(self.plan.boards[board], RULES[self.plan.rules], self.bundle.language)
        seats = [
            Seats(
                self._spymasters[team.spymaster],
                self._guesser(team, [board, side, *chain(*sides[side:], *sides[:side])]),
            )
            for side, team in enumerate(sides)
        ]
        play_game(game, seats)
        return [self._result(game, board, sides, side) for side in range(len(sides))]

    def _guesser(self, team: Team, game: Sequence[int]) -> Guesser:
        """The guesser of a team, with random numbers for one game only."""
        player = self.plan.guessers[team.guesser]
        seed = int(np.random.SeedSequence([self.plan.seed, *game]).generate_state(1)[0])
        return make_guesser(self.bundle, player, self._measures[player.measure], seed)

    def _result(self, game: Game, board: int, sides: Sequence[Team], side: int) -> Result:
        """The result of one side."""
        spymaster, guesser = self._names(sides[side])
        statistics = game.statistics(side)
        solitaire = len(sides) == 1
        return Result(
            board=board,
            spymaster=spymaster,
            guesser=guesser,
            opponent=None if solitaire else "+".join(self._names(sides[1 - side])),
            began=side == game.rules.begins,
            won=statistics["won"],
            end=str(game.end),
            turns=MOST_TURNS if solitaire and not statistics["won"] else statistics["turns"],
            clues=statistics["turns"],
            numbers=sum(turn.number or 0 for turn in game.turns if turn.team == side),
            **statistics["turned"],
        )

    def _names(self, team: Team) -> tuple[str, str]:
        """The names of a team's spymaster and guesser."""
        return str(self.plan.spymasters[team.spymaster]), str(self.plan.guessers[team.guesser])


@dataclass(frozen=True)
class Standing:
    """How a spymaster and a guesser did together.

    Attributes
    ----------
    games : int
        The number of games that they played.
    wins, assassin : Estimate
        The share of games that they won, and in which they turned over the assassin.
    turns : Estimate or None
        The mean number of turns of the won games; None if they won none.
    least : int or None
        The fewest turns of a won game.
    score : Estimate
        The mean number of turns; a lost game of solitaire counts 25.
    wrong : Estimate
        The mean number of cards per game that they turned over and that were not their own.
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
        wrong=mean(lambda game: game.theirs + game.neutral + game.assassin),
        assassin=mean(lambda game: game.assassin),
        number=mean(lambda game: game.numbers / game.clues, with_clues) if with_clues else None,
    )


HEADER = (
    "spymaster", "guesser", "games", "won", "turns", "least", "number", "wrong cards", "assassin",
)  # fmt: skip


def table_rows(standings: Sequence[Standing]) -> list[tuple[str, ...]]:
    """Return the standings as the cells of a table under `HEADER`, with intervals in brackets."""
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


def write_results(path: Path, results: Sequence[Result]) -> None:
    """Write a CSV file with one row per result."""
    with new_file(path) as temporary, temporary.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(Result._fields)
        writer.writerows(results)
