"""Tournaments: every spymaster with every guesser, on the same boards.

`solitaire` has the rules of the Codenames AI competition: one team, 8 cards of its own among 25,
and a lost game counts 25 turns. `teams` has two teams on one board: each pair of a spymaster and a
guesser is a team, and each two teams meet on every board, either beginning once.

The games of a board are one piece of work, done in one process from start to end, with draws that
depend on the seed, the board and the players alone. So the results are the same bytes, whatever
the number of processes.
"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import permutations
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from wordkin.bundle import Bundle, load
from wordkin.errors import InputError, NoClue
from wordkin.game.board import ASSASSIN, DEAL, NEUTRAL, OURS, SOLITAIRE_DEAL, THEIRS, Board
from wordkin.game.guesser import MODELS, Guesser
from wordkin.game.rules import MOST_TURNS, WON, Game, Match
from wordkin.game.scoring import SCORINGS
from wordkin.game.spymaster import Clue, Spymaster
from wordkin.measures import Floats, Measure

SOLITAIRE, TEAMS = "solitaire", "teams"
RULES = (SOLITAIRE, TEAMS)
DEALS = {SOLITAIRE: SOLITAIRE_DEAL, TEAMS: DEAL}

_BLAS_THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS")


class Player(NamedTuple):
    """A measure, and what is done with it: a scoring function, or a guesser's model."""

    measure: str
    habit: str

    def __str__(self) -> str:
        return f"{self.measure}/{self.habit}"


def parse_player(text: str, habits: Sequence[str], usual: str) -> Player:
    """A player as people write it: `svd/expected`, or `svd` for the usual habit."""
    measure, slash, habit = text.partition("/")
    if not measure or (slash and habit not in habits):
        raise InputError(
            f"'{text}' is not a player: write a measure and, after a slash, one of "
            f"{', '.join(habits)}."
        )
    return Player(measure, habit if slash else usual)


def parse_spymaster(text: str) -> Player:
    """A spymaster: a measure and a scoring function."""
    return parse_player(text, list(SCORINGS), "harmonic")


def parse_guesser(text: str) -> Player:
    """A guesser: a measure and a model."""
    return parse_player(text, list(MODELS), "closest")


@dataclass(frozen=True)
class Plan:
    """A tournament before it is played.

    Attributes
    ----------
    spymasters, guessers : tuple of Player
        Who plays: each of these with each of those.
    boards : tuple of Board
        What is played on.
    rules : str
        `solitaire` or `teams`.
    seed : int
        For guessers that pick by chance.
    """

    spymasters: tuple[Player, ...]
    guessers: tuple[Player, ...]
    boards: tuple[Board, ...]
    rules: str = SOLITAIRE
    seed: int = 0

    def __post_init__(self) -> None:
        if self.rules not in RULES:
            raise InputError(f"There are no rules '{self.rules}': use {' or '.join(RULES)}.")
        for what, players in (("spymaster", self.spymasters), ("guesser", self.guessers)):
            if not players:
                raise InputError(f"A tournament needs a {what} at least.")
            twice = next((p for at, p in enumerate(players) if p in players[:at]), None)
            if twice:
                raise InputError(f"The {what} '{twice}' is named twice: name it once.")
        if self.rules == TEAMS and len(self.spymasters) * len(self.guessers) < 2:
            raise InputError("A tournament of teams needs two at least: name more players.")


class Result(NamedTuple):
    """How a game went for a pair of players; `turned` are its cards turned over, by colour.

    `opponent` is the other team's pair in a match. A lost game of solitaire counts 25 turns.
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

    @property
    def wrong(self) -> int:
        """Cards that were not the team's own."""
        return self.theirs + self.neutral + self.assassin


def deal_boards(words: Sequence[str], count: int, seed: int, rules: str) -> tuple[Board, ...]:
    """Boards from a list of words, each with a seed of its own."""
    if count < 1:
        raise InputError(f"A tournament on {count} boards makes no sense: ask for 1 or more.")
    seeds = np.random.SeedSequence(seed).generate_state(count).tolist()
    return tuple(Board.deal(words, own, DEALS[rules]) for own in seeds)


def run(bundle: Path, plan: Plan, processes: int | None = None) -> list[Result]:
    """Play a tournament with the measures of a bundle; results by board, then by players.

    Parameters
    ----------
    bundle : Path
        A bundle's folder.
    plan : Plan
        What to play.
    processes : int, optional
        How many processes share the boards; as many as there are cores when not given.
    """
    known = load(bundle)
    for player in (*plan.spymasters, *plan.guessers):
        known.measure(player.measure)  # a name that is not there is told before work starts
    count = processes or os.cpu_count() or 1
    with (
        _one_thread_each(),
        ProcessPoolExecutor(
            max_workers=min(count, len(plan.boards)),
            mp_context=multiprocessing.get_context("spawn"),
            initializer=_open_hall,
            initargs=(bundle, plan),
        ) as pool,
    ):
        return [
            result
            for of_board in pool.map(_play_board, range(len(plan.boards)))
            for result in of_board
        ]


@contextmanager
def _one_thread_each() -> Iterator[None]:
    """Processes started in here calculate with one thread each: several would fight for the
    cores, and would add up in an order that depends on their number."""
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


class Remembered(Measure):
    """A measure that works out each row once, until it is told to forget."""

    def __init__(self, measure: Measure) -> None:
        super().__init__(measure.name, measure.vocabulary)
        self.measure, self.folder = measure, measure.folder
        self._rows: dict[int, Floats] = {}

    def rows(self, ids: ArrayLike) -> Floats:
        """Each of the words `ids` against all words."""
        wanted = np.asarray(ids, dtype=np.int64).tolist()
        new = [i for i in dict.fromkeys(wanted) if i not in self._rows]
        if new:
            self._rows.update(zip(new, self.measure.rows(new), strict=True))
        return np.stack([self._rows[i] for i in wanted])

    def pairs(self, a: ArrayLike, b: ArrayLike) -> Floats:
        """The relatedness of the words a[k] and b[k]."""
        return self.measure.pairs(a, b)

    def forget(self) -> None:
        """Let go of all rows."""
        self._rows.clear()


class Hall:
    """Where games are played: a bundle, and all players of a plan."""

    def __init__(self, bundle: Bundle, plan: Plan) -> None:
        self.bundle, self.plan = bundle, plan
        names = {player.measure for player in (*plan.spymasters, *plan.guessers)}
        self.measures = {name: Remembered(bundle.measure(name)) for name in names}
        self.spymasters = [
            Spymaster(bundle, self.measures[player.measure], player.habit)
            for player in plan.spymasters
        ]
        self.clues: dict[
            tuple[int, tuple[str, ...], tuple[str, ...], frozenset[str]], Clue | None
        ] = {}

    def play_board(self, at: int) -> list[Result]:
        """All games of one board."""
        for measure in self.measures.values():
            measure.forget()
        self.clues.clear()
        play = self._solitaire if self.plan.rules == SOLITAIRE else self._match
        return [result for game in self._pairings() for result in play(at, *game)]

    def _pairings(self) -> list[tuple[tuple[int, int], ...]]:
        """The games of a board, as pairs of the places of a spymaster and a guesser."""
        teams = [
            (s, g) for s in range(len(self.plan.spymasters)) for g in range(len(self.plan.guessers))
        ]
        if self.plan.rules == SOLITAIRE:
            return [(team,) for team in teams]
        return list(permutations(teams, 2))

    def _solitaire(self, at: int, team: tuple[int, int]) -> list[Result]:
        game = Game(self.plan.boards[at], self.bundle.language)
        guesser = self._guesser(at, team)
        while not game.end:
            clue = self._clue(team[0], game.table, game.said)
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
        turns = len(game.turns) if won else MOST_TURNS
        return [
            self._result(at, team, None, True, won, str(game.end), turns, game.board, game.revealed)
        ]

    def _match(self, at: int, *teams: tuple[int, int]) -> list[Result]:
        match = Match(self.plan.boards[at], self.bundle.language)
        guessers = [
            self._guesser(at, *(teams if side == 0 else teams[::-1]), side=side) for side in (0, 1)
        ]
        while not match.end:
            side, table = match.moving, match.table
            clue = self._clue(teams[side][0], table, match.said)
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
        results = []
        for side, team in enumerate(teams):
            turned = [card for turn in match.turns[side] for card in turn.guessed]
            won, end = match.winner == side, str(match.end)
            turns = len(match.turns[side])
            other = self._named(teams[1 - side])
            results.append(
                self._result(
                    at,
                    team,
                    "+".join(other),
                    side == 0,
                    won,
                    end,
                    turns,
                    match.boards[side],
                    turned,
                )
            )
        return results

    def _clue(self, spymaster: int, table: Board, said: Sequence[str]) -> Clue | None:
        """The spymaster's clue for a table; games that come to the same table share it.

        None when no word may be said.
        """
        key = (spymaster, table.words, table.colours, frozenset(said))
        if key not in self.clues:
            try:
                self.clues[key] = self.spymasters[spymaster].clue(table, said=said)
            except NoClue:
                self.clues[key] = None
        return self.clues[key]

    def _guesser(self, at: int, *teams: tuple[int, int], side: int = 0) -> Guesser:
        """The guesser of the first team, with draws of its own for this game."""
        player = self.plan.guessers[teams[0][1]]
        key = [self.plan.seed, at, side, *(place for team in teams for place in team)]
        seed = int(np.random.SeedSequence(key).generate_state(1)[0])
        return Guesser(self.bundle, self.measures[player.measure], player.habit, seed=seed)

    def _named(self, team: tuple[int, int]) -> tuple[str, str]:
        return str(self.plan.spymasters[team[0]]), str(self.plan.guessers[team[1]])

    def _result(
        self,
        at: int,
        team: tuple[int, int],
        opponent: str | None,
        began: bool,
        won: bool,
        end: str,
        turns: int,
        board: Board,
        turned: Sequence[str],
    ) -> Result:
        colours = [board.colour(card) for card in turned]
        counts = (colours.count(colour) for colour in (OURS, THEIRS, NEUTRAL, ASSASSIN))
        return Result(at, *self._named(team), opponent, began, won, end, turns, *counts)


_hall: Hall | None = None
"""The hall of a process that plays; see `_open_hall`."""


def _open_hall(bundle: Path, plan: Plan) -> None:
    global _hall
    _hall = Hall(load(bundle), plan)


def _play_board(at: int) -> list[Result]:
    assert _hall is not None, "the pool opens the hall first"
    return _hall.play_board(at)
