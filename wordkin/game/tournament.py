"""Tournaments: every spymaster plays with every guesser, on the same boards.

`solitaire` has the rules of the Codenames AI competition: one team, 8 cards of its own among 25,
and a lost game counts 25 turns. `teams` has two teams on one board: each pair of a spymaster and a
guesser is a team, and any two teams meet twice on every board, so that each begins once.

All games of a board are played in one process, from start to end, with random numbers that depend
only on the seed, the board and the players. So the results are the same bytes for any number of
processes.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from itertools import permutations
from pathlib import Path
from typing import NamedTuple

import numpy as np

from wordkin.bundle import Bundle, load
from wordkin.errors import NoClue
from wordkin.game.board import ASSASSIN, NEUTRAL, OURS, THEIRS, Board
from wordkin.game.clue import Clue
from wordkin.game.guesser import Guesser
from wordkin.game.match import Match
from wordkin.game.plan import SOLITAIRE, Plan, Player
from wordkin.game.results import Result
from wordkin.game.rules import MOST_TURNS, WON, Game
from wordkin.game.spymaster import Spymaster
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
    """
    opened = load(bundle)
    for player in (*plan.spymasters, *plan.guessers):
        opened.measure(player.measure)  # refuses a wrong name before the work starts
    count = processes or os.cpu_count() or 1
    with (
        _one_thread_per_process(),
        ProcessPoolExecutor(
            max_workers=min(count, len(plan.boards)),
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_open_tournament,
            initargs=(bundle, plan),
        ) as pool,
    ):
        return [
            result
            for results in pool.map(_play_board, range(len(plan.boards)))
            for result in results
        ]


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


class Situation(NamedTuple):
    """What a clue depends on: the spymaster, the cards that lie face down and earlier clues."""

    spymaster: int
    board: Board
    said: frozenset[str]


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
        self._spymasters = [self._make_spymaster(player) for player in plan.spymasters]
        self._clues: dict[Situation, Clue | None] = {}

    def _make_spymaster(self, player: Player) -> Spymaster:
        return Spymaster(self.bundle, self._measures[player.measure], player.style)

    def play_board(self, board: int) -> list[Result]:
        """Play all games on one board.

        Parameters
        ----------
        board : int
            The position of the board in the plan.

        Returns
        -------
        list of Result
            One per game of solitaire; two per match, that of the team that began first.
        """
        for measure in self._measures.values():
            measure.clear()
        self._clues.clear()
        teams = [
            Team(spymaster, guesser)
            for spymaster in range(len(self.plan.spymasters))
            for guesser in range(len(self.plan.guessers))
        ]
        if self.plan.rules == SOLITAIRE:
            return [self._play_solitaire(board, team) for team in teams]
        return [
            result
            for first, second in permutations(teams, 2)
            for result in self._play_match(board, first, second)
        ]

    def _play_solitaire(self, board: int, team: Team) -> Result:
        game = Game(self.plan.boards[board], self.bundle.language)
        guesser = self._guesser(team, [board, 0, *team])
        while not game.end:
            clue = self._clue(team.spymaster, game.table, game.said)
            if clue is None:
                game.give_up()
                break
            game.give(clue.word, clue.number)
            for card in guesser.guess(clue.word, clue.number, game.table.words):
                game.turn_over(card)
                if not game.guesses_left:
                    break
            else:
                game.stop()
        won = game.end == WON
        return self._result(
            team,
            board=board,
            opponent=None,
            began=True,
            won=won,
            end=game.end,
            turns=len(game.turns) if won else MOST_TURNS,
            colours=[game.board.colour(card) for card in game.revealed],
        )

    def _play_match(self, board: int, first: Team, second: Team) -> list[Result]:
        match = Match(self.plan.boards[board], self.bundle.language)
        teams = (first, second)
        guessers = (
            self._guesser(first, [board, 0, *first, *second]),
            self._guesser(second, [board, 1, *second, *first]),
        )
        while not match.end:
            side, table = match.moving, match.table
            clue = self._clue(teams[side].spymaster, table, match.said)
            if clue is None:
                match.give_up()
                break
            match.give(clue.word, clue.number)
            for card in guessers[side].guess(clue.word, clue.number, table.words):
                match.turn_over(card)
                if not match.guesses_left or match.moving != side:
                    break
            else:
                match.stop()
        return [
            self._result(
                team,
                board=board,
                opponent=teams[1 - side],
                began=side == 0,
                won=match.winner == side,
                end=match.end,
                turns=len(match.turns[side]),
                colours=[
                    match.boards[side].colour(card)
                    for turn in match.turns[side]
                    for card in turn.guessed
                ],
            )
            for side, team in enumerate(teams)
        ]

    def _clue(self, spymaster: int, board: Board, said: Sequence[str]) -> Clue | None:
        """The spymaster's clue, or None if no word may be said.

        Games that reach the same situation share the clue.
        """
        situation = Situation(spymaster, board, frozenset(said))
        if situation not in self._clues:
            try:
                self._clues[situation] = self._spymasters[spymaster].clue(board, said=said)
            except NoClue:
                self._clues[situation] = None
        return self._clues[situation]

    def _guesser(self, team: Team, game: Sequence[int]) -> Guesser:
        """The guesser of a team, with random numbers for one game only."""
        player = self.plan.guessers[team.guesser]
        seed = int(np.random.SeedSequence([self.plan.seed, *game]).generate_state(1)[0])
        return Guesser(self.bundle, self._measures[player.measure], player.style, seed=seed)

    def _result(
        self,
        team: Team,
        *,
        board: int,
        opponent: Team | None,
        began: bool,
        won: bool,
        end: str | None,
        turns: int,
        colours: Sequence[str],
    ) -> Result:
        """The result of a team; `colours` are those of the cards that it turned over."""
        spymaster, guesser = self._names(team)
        return Result(
            board=board,
            spymaster=spymaster,
            guesser=guesser,
            opponent="+".join(self._names(opponent)) if opponent else None,
            began=began,
            won=won,
            end=str(end),
            turns=turns,
            ours=colours.count(OURS),
            theirs=colours.count(THEIRS),
            neutral=colours.count(NEUTRAL),
            assassin=colours.count(ASSASSIN),
        )

    def _names(self, team: Team) -> tuple[str, str]:
        """The names of a team's spymaster and guesser."""
        return str(self.plan.spymasters[team.spymaster]), str(self.plan.guessers[team.guesser])


_tournament: Tournament | None = None
"""The tournament of a process of the pool; see `_open_tournament`."""


def _open_tournament(bundle: Path, plan: Plan) -> None:
    global _tournament
    _tournament = Tournament(load(bundle), plan)


def _play_board(board: int) -> list[Result]:
    assert _tournament is not None, "the pool opens the tournament first"
    return _tournament.play_board(board)
