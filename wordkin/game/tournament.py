"""Tournaments: every spymaster plays with every guesser, on the same boards.

`solitaire` has the rules of the Codenames AI competition: one team, 8 cards of its own among 25,
and a lost game counts 25 turns. `teams` has two teams on one board: each pair of a spymaster and a
guesser is a team, and any two teams meet twice on every board, so that each begins once.

All games of a board are played in one process, from start to end, with random numbers that depend
only on the seed, the board and the players. So the results are the same bytes for any number of
processes.
"""

from __future__ import annotations

import errno
import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from functools import cache
from itertools import chain, permutations, product
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

import numpy as np

from wordkin.bundle import Bundle, load
from wordkin.errors import NoClue
from wordkin.game.agents import make_guesser, make_spymaster
from wordkin.game.clue import Clue
from wordkin.game.game import Game
from wordkin.game.guesser import Guesser
from wordkin.game.plan import RULES, Plan
from wordkin.game.results import Result
from wordkin.game.rules import MOST_TURNS
from wordkin.game.seats import Seats, play_game
from wordkin.game.spymaster import Spymaster
from wordkin.game.views import SpymasterView
from wordkin.measures.cached import CachedMeasure

_BLAS_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


def run(bundle: Path, plan: Plan, processes: int | None = None) -> list[Result]:
    """Play a tournament with the measures of a bundle.

    Parameters
    ----------
    bundle : Path
        The folder of a bundle.
    plan : Plan
        What to play.
    processes : int, optional
        The number of processes that share the boards; one per core if not given.

    Returns
    -------
    list of Result
        In the order of the boards, then of the players.

    Raises
    ------
    ProcessLost
        If a process was killed.
    """
    opened = load(bundle)
    for player in (*plan.spymasters, *plan.guessers):
        opened.measure(player.measure)  # refuses a wrong name before the work starts
    count = processes or os.cpu_count() or 1
    if not _have_semaphores():
        with _one_thread_per_process():
            return _in_one_process(bundle, plan)
    with (
        _one_thread_per_process(),
        ProcessPoolExecutor(
            max_workers=min(count, len(plan.boards)),
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_prepare,
            initargs=(bundle, plan),
        ) as pool,
    ):
        try:
            return [
                result
                for results in pool.map(_play_board, range(len(plan.boards)))
                for result in results
            ]
        except BrokenProcessPool:
            raise ProcessLost from None


def _have_semaphores() -> bool:
    """Whether processes can share work: not in containers without /dev/shm."""
    try:
        multiprocessing.get_context("spawn").Lock()
    except OSError:
        return False
    return True


def _in_one_process(bundle: Path, plan: Plan) -> list[Result]:
    """The same results from one other process, which needs a pipe only."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_play_all, args=(sender, bundle, plan))
    process.start()
    sender.close()
    try:
        outcome: list[Result] | Exception = receiver.recv()
    except EOFError:
        raise ProcessLost from None
    finally:
        process.join()
    if isinstance(outcome, Exception):
        raise outcome
    return outcome


def _play_all(sender: Connection, bundle: Path, plan: Plan) -> None:
    try:
        played = Tournament(load(bundle), plan)
        sender.send([result for at in range(len(plan.boards)) for result in played.play_board(at)])
    except Exception as error:  # the process that waits raises it
        sender.send(error)


@contextmanager
def _one_thread_per_process() -> Iterator[None]:
    """Make processes that start in this block calculate with one thread each.

    More threads would compete for the cores, and their number would change the order of sums.
    """
    before = {name: os.environ.get(name) for name in _BLAS_THREADS}
    os.environ.update(dict.fromkeys(_BLAS_THREADS, "1"))
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


class Team(NamedTuple):
    """A spymaster and a guesser, by their positions in the plan."""

    spymaster: int
    guesser: int


class Remembered:
    """A spymaster that works out each clue once: games that reach the same state share it."""

    def __init__(self, spymaster: Spymaster) -> None:
        self._spymaster = spymaster
        self._clues: dict[SpymasterView, Clue | NoClue] = {}

    def give(self, view: SpymasterView) -> Clue:
        """Return the spymaster's clue."""
        if view not in self._clues:
            try:
                self._clues[view] = self._spymaster.give(view)
            except NoClue as error:
                self._clues[view] = error
        clue = self._clues[view]
        if isinstance(clue, NoClue):
            raise clue
        return clue

    def forget(self) -> None:
        """Forget all clues, as before another board."""
        self._clues.clear()


class Tournament:
    """All players of a plan, ready to play the boards one by one.

    Parameters
    ----------
    bundle : Bundle
        The bundle with the measures of the players.
    plan : Plan
        What to play.
    """

    def __init__(self, bundle: Bundle, plan: Plan) -> None:
        self.bundle, self.plan = bundle, plan
        names = {player.measure for player in (*plan.spymasters, *plan.guessers)}
        self._measures = {name: CachedMeasure(bundle.measure(name)) for name in names}
        self._spymasters = [
            Remembered(make_spymaster(bundle, player, self._measures[player.measure]))
            for player in plan.spymasters
        ]

    def play_board(self, board: int) -> list[Result]:
        """Play all games on one board.

        Parameters
        ----------
        board : int
            The position of the board in the plan.

        Returns
        -------
        list of Result
            One per game of solitaire; two per game of two teams, that of the team that began first.
        """
        for measure in self._measures.values():
            measure.clear()
        for spymaster in self._spymasters:
            spymaster.forget()
        teams = [
            Team(*pair)
            for pair in product(range(len(self.plan.spymasters)), range(len(self.plan.guessers)))
        ]
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


class ProcessLost(OSError):
    """A process that played ended by itself, as when the system kills it for want of memory."""

    advice = "close other programs if memory ran out"

    def __init__(self) -> None:
        super().__init__(errno.ECHILD, "a process of the tournament was killed")


_plans: list[tuple[Path, Plan]] = []
"""The bundle and the plan of a process of the pool."""


def _prepare(bundle: Path, plan: Plan) -> None:
    # A failure here would end the process without a word, so the bundle is opened with a board.
    _plans.append((bundle, plan))


@cache
def _tournament() -> Tournament:
    bundle, plan = _plans[-1]
    return Tournament(load(bundle), plan)


def _play_board(board: int) -> list[Result]:
    return _tournament().play_board(board)
