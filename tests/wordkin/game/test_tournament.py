"""Tournaments: who plays whom, by the rules, with the same results for any number of processes."""

from __future__ import annotations

import csv
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import wordkin
from tests.support.bundles import TOPICS, make_bundle
from wordkin.bundle import Bundle
from wordkin.errors import InputError, NoBoardWords, NoClue, UnknownMeasure, UnknownWord
from wordkin.game import tournament
from wordkin.game.agents import Player
from wordkin.game.board import COLOURS, Board
from wordkin.game.rules import MOST_TURNS
from wordkin.game.spymaster import Spymaster
from wordkin.game.tournament import (
    SOLITAIRE,
    TEAMS,
    Plan,
    Result,
    Tournament,
    deal_boards,
    run,
    standings,
    table_rows,
    write_results,
)

WORDS = sorted({word for line in TOPICS.values() for word in line.split()})
SPYMASTERS = (Player("graph", "harmonic"), Player("svd", "expected"))
GUESSERS = (Player("graph", "closest"), Player("npmi", "softmax"))


def plan(rules: str = SOLITAIRE, boards: int = 3, seed: int = 0) -> Plan:
    return Plan(SPYMASTERS, GUESSERS, deal_boards(WORDS, boards, seed, rules), rules, seed)


def test_every_spymaster_plays_with_every_guesser_on_every_board(bundle: Bundle) -> None:
    tournament = Tournament(bundle, plan())
    results = [result for board in range(3) for result in tournament.play_board(board)]
    pairs = Counter((result.spymaster, result.guesser) for result in results)
    assert pairs == {(str(s), str(g)): 3 for s in SPYMASTERS for g in GUESSERS}
    for result in results:
        assert result.turns == MOST_TURNS or result.won
        assert result.won == (result.ours == 8)
        assert result.assassin == (result.end == "assassin")


def test_any_two_teams_meet_and_each_begins_once(bundle: Bundle) -> None:
    results = Tournament(bundle, plan(TEAMS, boards=1)).play_board(0)
    assert len(results) == 2 * 4 * 3
    assert sum(result.won for result in results) == 4 * 3
    assert sum(result.began for result in results) == 4 * 3
    met = Counter((f"{r.spymaster}+{r.guesser}", r.opponent) for r in results if r.began)
    assert set(met.values()) == {1}
    # All cards of the winner are found, and the team with 9 of them is the one that began.
    for sides in zip(results[::2], results[1::2], strict=True):
        loser, winner = sorted(sides, key=lambda side: side.won)
        if winner.end in ("won", "theirs"):
            assert winner.ours + loser.theirs == (9 if winner.began else 8)


@pytest.mark.slow
@pytest.mark.parametrize("rules", [SOLITAIRE, TEAMS])
def test_the_number_of_processes_changes_nothing(folder: Path, rules: str) -> None:
    results = run(folder, plan(rules), processes=1)
    assert results == run(folder, plan(rules), processes=2)
    # Nor do the boards that were played before.
    assert results == [
        result
        for board in range(3)
        for result in Tournament(wordkin.load(folder), plan(rules)).play_board(board)
    ]


@pytest.mark.slow
def test_without_shared_memory_one_process_plays_the_same(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = run(folder, plan(), processes=1)
    monkeypatch.setattr(tournament, "_have_semaphores", lambda: False)
    assert run(folder, plan()) == expected


def test_the_seed_decides_the_guesses_at_random_and_no_others(bundle: Bundle) -> None:
    first, second = (
        Tournament(bundle, Plan(SPYMASTERS, GUESSERS, plan().boards, SOLITAIRE, seed)).play_board(0)
        for seed in (0, 1)
    )
    certain = [result for result in first if result.guesser == "graph/closest"]
    assert certain == [result for result in second if result.guesser == "graph/closest"]
    assert first != second


def test_an_unknown_measure_is_refused_before_play(folder: Path) -> None:
    unknown = Plan((Player("word2vec", "kim"),), GUESSERS, plan().boards)
    with pytest.raises(UnknownMeasure, match="has no measure 'word2vec'"):
        run(folder, unknown)


# When there is no clue, and when something else is wrong.


def test_a_spymaster_without_a_legal_word_gives_up(bundle: Bundle) -> None:
    everything = Board.of(ours=WORDS[:40], theirs=WORDS[40:])
    (result, *_) = Tournament(bundle, Plan(SPYMASTERS, GUESSERS, (everything,))).play_board(0)
    assert (result.won, result.end, result.turns) == (False, "given up", MOST_TURNS)


@pytest.mark.parametrize("rules", [SOLITAIRE, TEAMS])
@pytest.mark.parametrize("mistake", [InputError, UnknownWord, UnknownMeasure])
def test_no_other_mistake_turns_into_a_game_without_a_clue(
    bundle: Bundle, rules: str, mistake: type[InputError], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: Any, **options: Any) -> None:
        raise mistake("something is wrong")

    assert not issubclass(mistake, NoClue)
    monkeypatch.setattr(Spymaster, "give", fail)
    with pytest.raises(mistake, match="something is wrong"):
        Tournament(bundle, plan(rules, boards=1)).play_board(0)


@pytest.mark.slow
@pytest.mark.parametrize("have_semaphores", [True, False])
def test_a_damaged_measure_stops_the_tournament(
    tmp_path: Path, have_semaphores: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament, "_have_semaphores", lambda: have_semaphores)
    folder = make_bundle(tmp_path)
    values = folder / "graph" / "values.npy"
    values.write_bytes(b"x" * values.stat().st_size)  # the right size, so the bundle opens
    damaged = Plan(SPYMASTERS[:1], GUESSERS[1:], plan().boards[:1])
    with pytest.raises(InputError, match=r"graph.values\.npy"):
        run(folder, damaged, processes=1)
    with pytest.raises(InputError, match=r"graph.values\.npy"):
        Tournament(wordkin.load(folder), damaged)


def end_process(*arguments: object) -> None:
    os._exit(1)  # as processes end that are killed


@pytest.mark.slow
def test_a_killed_process_is_told_in_a_sentence(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tournament, "play_boards", end_process)
    with pytest.raises(MemoryError, match="a process of the tournament was killed"):
        run(folder, plan(boards=1), processes=1)


@pytest.mark.parametrize(("rules", "counts"), [(SOLITAIRE, (8, 7, 9, 1)), (TEAMS, (9, 8, 7, 1))])
def test_the_rules_decide_the_cards(rules: str, counts: tuple[int, ...]) -> None:
    (board,) = deal_boards(WORDS, 1, 0, rules)
    assert tuple(map(board.colours.count, COLOURS)) == counts


def test_the_seed_decides_the_boards() -> None:
    assert deal_boards(WORDS, 3, 5, SOLITAIRE) == deal_boards(WORDS, 3, 5, SOLITAIRE)
    assert deal_boards(WORDS, 3, 5, SOLITAIRE) != deal_boards(WORDS, 3, 6, SOLITAIRE)


def test_too_few_words_can_be_told_apart_from_other_mistakes() -> None:
    with pytest.raises(NoBoardWords, match="give a longer list"):
        deal_boards(WORDS[:24], 1, 0, SOLITAIRE)
    with pytest.raises(InputError, match="0 boards is not possible") as mistake:
        deal_boards(WORDS, 0, 0, SOLITAIRE)
    assert not isinstance(mistake.value, NoBoardWords)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"spymasters": ()}, "needs at least one spymaster"),
        ({"guessers": GUESSERS[:1] * 2}, "is named twice"),
        ({"rules": "poker"}, "no rules 'poker'"),
        (
            {"rules": TEAMS, "spymasters": SPYMASTERS[:1], "guessers": GUESSERS[:1]},
            "needs at least two",
        ),
    ],
)
def test_a_bad_plan_is_refused(change: dict[str, Any], sentence: str) -> None:
    good: dict[str, Any] = {
        "spymasters": SPYMASTERS,
        "guessers": GUESSERS,
        "boards": (Board.of(["piano"]),),
    }
    with pytest.raises(InputError, match=sentence):
        Plan(**{**good, **change})


# The figures of each pair.


def result(board: int, won: bool, turns: int, **others: Any) -> Result:
    """A game with 8 cards of ours, 1 of theirs, 2 neutral ones, and 4 clues for 8 cards."""
    end = "won" if won else "assassin"
    game = Result(board, "s", "g", None, True, won, end, turns, 8, 1, 2, 0, clues=4, numbers=8)
    return game._replace(**others)


def test_figures_worked_by_hand() -> None:
    results = [result(0, True, 4), result(1, True, 6), result(2, False, 25, assassin=1)]
    (standing,) = standings(results)
    assert (standing.spymaster, standing.guesser, standing.games) == ("s", "g", 3)
    assert standing.wins.value == pytest.approx(2 / 3)
    assert standing.turns is not None
    assert standing.turns.value == pytest.approx(5)
    assert (standing.least, standing.score.value) == (4, pytest.approx(35 / 3))
    assert standing.wrong.value == pytest.approx((3 + 3 + 4) / 3)
    assert standing.assassin.value == pytest.approx(1 / 3)
    assert standing.number is not None
    assert standing.number.value == pytest.approx(2)
    for estimate in (standing.wins, standing.turns, standing.score, standing.wrong):
        assert estimate.low <= estimate.value <= estimate.high


def test_a_pair_that_never_won_has_no_turns() -> None:
    (standing,) = standings([result(0, False, 25)])
    assert (standing.turns, standing.least) == (None, None)
    assert table_rows([standing])[0][4:6] == ("–", "–")


def test_a_file_has_one_row_per_game(tmp_path: Path) -> None:
    results = [result(0, True, 4), result(1, False, 25)]
    write_results(tmp_path / "games.csv", results)
    with (tmp_path / "games.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["board"], row["won"], row["turns"]) for row in rows] == [
        ("0", "True", "4"),
        ("1", "False", "25"),
    ]
