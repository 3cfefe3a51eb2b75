"""Tournaments: the referee's rules one by one, and the same results whatever the processes."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any, TypeVar
from xml.etree import ElementTree

import numpy as np
import pytest

import wordkin
from tests.support.bundles import TOPICS, make_bundle
from wordkin.bundle import Bundle
from wordkin.cli import main
from wordkin.errors import InputError
from wordkin.game.board import ASSASSIN, NEUTRAL, OURS, THEIRS, Board, board_words
from wordkin.game.heatmap import heat_map
from wordkin.game.plan import (
    SOLITAIRE,
    TEAMS,
    Plan,
    Player,
    deal_boards,
    parse_guesser,
    parse_spymaster,
)
from wordkin.game.results import Result
from wordkin.game.rules import MOST_TURNS, Game, Match, Turn
from wordkin.game.standings import heat_maps, page, standings, write_parquet
from wordkin.game.tournament import Tournament, run
from wordkin.measures.cached import CachedMeasure

WORDS = sorted({word for line in TOPICS.values() for word in line.split()})
BOARD = Board.of(["piano", "mouse", "bread"], ["bison", "ship"], ["street"], ["tree"])
SPYMASTERS = (Player("graph", "harmonic"), Player("svd", "expected"))
GUESSERS = (Player("graph", "closest"), Player("npmi", "softmax"))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_bundle(tmp_path_factory.mktemp("tournament"))


@pytest.fixture(scope="module")
def bundle(folder: Path) -> Bundle:
    return wordkin.load(folder)


# The rules that hold for one team and for two.

either = pytest.mark.parametrize("kind", [Game, Match])
Kind = type[Game] | type[Match]
Played = TypeVar("Played", Game, Match)


def after(played: Played, *turns: str) -> Played:
    """A game after some turns, each written as `number: card card`."""
    for at, turn in enumerate(turns):
        number, cards = turn.split(":")
        played.give(f"clue{at}", int(number))
        for card in cards.split():
            played.turn_over(card)
        if played.guesses_left:
            played.stop()
    return played


@either
def test_a_turn_has_one_clue(kind: Kind) -> None:
    played = kind(BOARD)
    played.give("clue", 1)
    with pytest.raises(InputError, match="its clue already"):
        played.give("other", 1)
    assert played.said == ["clue"]


@either
@pytest.mark.parametrize("number", [0, -1])
def test_a_clue_is_for_one_card_at_least(kind: Kind, number: int) -> None:
    played = kind(BOARD)
    with pytest.raises(InputError, match=f"A clue for {number} cards is not possible"):
        played.give("clue", number)
    assert played.said == []


@either
@pytest.mark.parametrize("clue", ["piano", "bison", "street", "tree", "Piano"])
def test_a_clue_is_no_card_on_the_table(kind: Kind, clue: str) -> None:
    played = kind(BOARD)
    with pytest.raises(InputError, match=f"'{clue}' is a card on the table"):
        played.give(clue, 1)
    assert played.said == []


@either
def test_a_card_that_was_turned_over_may_be_said(kind: Kind) -> None:
    played = after(kind(BOARD), "1: piano")
    played.give("piano", 1)
    assert played.said == ["clue0", "piano"]


@either
@pytest.mark.parametrize("clue", ["clue0", "Clue0", "clue1"])
def test_no_clue_is_said_twice_by_either_team(kind: Kind, clue: str) -> None:
    # Of two teams the first is to move, and the second has said clue1.
    played = after(kind(BOARD), "1: piano", "1: bison")
    with pytest.raises(InputError, match=f"'{clue}' was said before"):
        played.give(clue, 1)
    assert played.said == ["clue0", "clue1"]


@either
def test_words_are_compared_as_the_language_spells_them(kind: Kind) -> None:
    played = kind(Board.of(["Irmak"], ["deniz"]), "tr")
    with pytest.raises(InputError, match="is a card"):
        played.give("ırmak", 1)
    played.give("irmak", 1)


@either
def test_a_turn_turns_over_one_card_at_least(kind: Kind) -> None:
    played = kind(BOARD)
    played.give("clue", 1)
    with pytest.raises(InputError, match="at least one card"):
        played.stop()
    assert played.guesses_left == 2


@either
@pytest.mark.parametrize("card", ["bison", "street"])
def test_a_card_that_is_not_ours_ends_the_turn(kind: Kind, card: str) -> None:
    played = kind(BOARD)
    played.give("clue", 2)
    played.turn_over(card)
    with pytest.raises(InputError, match="No more cards"):
        played.turn_over("piano")


@either
def test_only_a_turn_that_goes_on_is_ended(kind: Kind) -> None:
    for played in (kind(BOARD), after(kind(BOARD), "1: piano"), after(kind(BOARD), "1: street")):
        with pytest.raises(InputError, match="no turn to end"):
            played.stop()


@either
def test_nothing_is_said_after_the_end(kind: Kind) -> None:
    with pytest.raises(InputError, match="over"):
        after(kind(BOARD), "2: piano tree").give("clue", 1)


# The rules for one team.


def game(*turns: str) -> Game:
    return after(Game(BOARD), *turns)


def test_solitaire_is_won_when_all_our_cards_are_found() -> None:
    assert game("2: piano mouse", "1: bread").end == "won"


def test_solitaire_is_lost_by_the_assassin() -> None:
    assert game("2: piano tree").end == "assassin"


def test_solitaire_is_lost_when_all_their_cards_are_found_first() -> None:
    assert game("1: bison", "1: ship").end == "theirs"


def test_solitaire_is_lost_after_25_turns() -> None:
    words = [f"w{at}" for at in range(60)]
    played = Game(Board.of(words[:1], words[1:3], words[3:]))
    for at, card in enumerate(words[3 : 3 + MOST_TURNS]):
        assert played.end is None
        played.give(f"clue{at}", 1)
        played.turn_over(card)
    assert played.end == "turns" and len(played.turns) == MOST_TURNS == 25


def test_a_turn_has_one_guess_more_than_its_number() -> None:
    played = Game(BOARD)
    played.give("clue", 1)
    played.turn_over("piano")
    played.turn_over("mouse")
    with pytest.raises(InputError, match="No more cards"):
        played.turn_over("bread")


def test_a_card_is_turned_over_once() -> None:
    played = game("1: piano")
    played.give("clue", 1)
    with pytest.raises(InputError, match="not a card that lies face down"):
        played.turn_over("piano")


def test_the_competition_deals_a_team_8_of_25_cards() -> None:
    (board,) = deal_boards(WORDS, 1, 0, SOLITAIRE)
    assert Counter(board.colours) == {OURS: 8, THEIRS: 7, NEUTRAL: 9, ASSASSIN: 1}


# The rules for two teams.


def match(*turns: str) -> Match:
    return after(Match(BOARD), *turns)


def test_the_team_with_more_cards_begins() -> None:
    (board,) = deal_boards(WORDS, 1, 0, TEAMS)
    assert Counter(board.colours) == {OURS: 9, THEIRS: 8, NEUTRAL: 7, ASSASSIN: 1}
    assert Match(board).table == board


def test_teams_take_turns_and_see_their_own_cards() -> None:
    played = match("1: piano")
    assert played.moving == 1
    assert (played.table.ours, played.table.theirs) == (("bison", "ship"), ("mouse", "bread"))
    played.give("clue", 1)
    played.turn_over("bison")
    played.stop()
    assert played.moving == 0


def test_a_match_is_won_by_the_last_card_of_one_s_own() -> None:
    played = match("3: piano mouse bread")
    assert (played.winner, played.end) == (0, "won")


def test_a_match_is_lost_by_the_assassin() -> None:
    assert match("1: tree").winner == 1
    assert match("1: piano", "1: tree").winner == 0


def test_the_last_card_of_the_others_wins_for_them() -> None:
    played = match("1: bison", "1: mouse", "1: ship")
    assert (played.winner, played.end) == (1, "theirs")


def test_another_s_card_counts_for_them() -> None:
    played = match("2: bison")
    assert played.moving == 1
    assert played.table.ours == ("ship",)


def test_a_team_has_one_guess_more_than_its_number() -> None:
    assert match("1: piano mouse").moving == 1
    with pytest.raises(InputError, match="No more cards"):
        match("1: piano mouse bread")


def test_a_card_is_turned_over_once_by_either_team() -> None:
    played = match("1: piano")
    played.give("clue", 1)
    with pytest.raises(InputError, match="lies face down"):
        played.turn_over("piano")


def test_who_has_nothing_to_say_loses() -> None:
    played = Match(BOARD)
    played.give_up()
    assert (played.winner, played.end) == (1, "given up")


def test_a_match_needs_cards_of_both() -> None:
    with pytest.raises(InputError, match="both teams"):
        Match(Board.of(["piano"]))


# Tournaments.


def plan(rules: str = SOLITAIRE, boards: int = 3, seed: int = 0) -> Plan:
    dealt = deal_boards(WORDS, boards, seed, rules)
    return Plan(SPYMASTERS, GUESSERS, dealt, rules, seed)


def test_everyone_plays_with_everyone_on_every_board(bundle: Bundle) -> None:
    hall = Tournament(bundle, plan())
    results = [result for at in range(3) for result in hall.play_board(at)]
    pairs = Counter((result.spymaster, result.guesser) for result in results)
    assert pairs == {(str(s), str(g)): 3 for s in SPYMASTERS for g in GUESSERS}
    for result in results:
        assert result.turns == MOST_TURNS or result.won
        assert result.won == (result.ours == 8)
        assert result.assassin == (result.end == "assassin")


def test_each_two_teams_meet_and_either_begins_once(bundle: Bundle) -> None:
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


@pytest.mark.parametrize("rules", [SOLITAIRE, TEAMS])
def test_a_turn_is_up_to_as_many_cards_as_its_number(
    bundle: Bundle, rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns: list[Turn] = []

    def recorded(*given: Any) -> Turn:
        turns.append(Turn(*given))
        return turns[-1]

    monkeypatch.setattr("wordkin.game.rules.Turn", recorded)
    Tournament(bundle, plan(rules, boards=1)).play_board(0)
    assert all(1 <= len(turn.guessed) <= turn.number for turn in turns)
    assert any(len(turn.guessed) > 1 for turn in turns)


def test_twins_win_every_game(bundle: Bundle) -> None:
    twins = Plan(SPYMASTERS[:1], GUESSERS[:1], deal_boards(WORDS, 10, 1, SOLITAIRE))
    hall = Tournament(bundle, twins)
    results = [result for at in range(10) for result in hall.play_board(at)]
    assert all(result.won and result.turns < MOST_TURNS for result in results)


@pytest.mark.slow
@pytest.mark.parametrize("rules", [SOLITAIRE, TEAMS])
def test_the_number_of_processes_changes_nothing(folder: Path, rules: str) -> None:
    one = run(folder, plan(rules), processes=1)
    assert one == run(folder, plan(rules), processes=2)
    # Nor do the games that were played before on a board's table.
    assert one == [
        r for at in range(3) for r in Tournament(wordkin.load(folder), plan(rules)).play_board(at)
    ]


def test_the_seed_deals_the_boards_and_the_draws(bundle: Bundle) -> None:
    assert deal_boards(WORDS, 3, 5, SOLITAIRE) == deal_boards(WORDS, 3, 5, SOLITAIRE)
    assert deal_boards(WORDS, 3, 5, SOLITAIRE) != deal_boards(WORDS, 3, 6, SOLITAIRE)
    first, other = (
        Tournament(bundle, Plan(SPYMASTERS, GUESSERS, plan().boards, SOLITAIRE, seed)).play_board(0)
        for seed in (0, 1)
    )
    chosen = [r for r in first if r.guesser == "graph/closest"]
    assert chosen == [r for r in other if r.guesser == "graph/closest"]
    assert first != other


def test_a_spymaster_who_may_say_nothing_gives_up(bundle: Bundle) -> None:
    everything = Board.of(ours=WORDS[:40], theirs=WORDS[40:])
    (result, *_) = Tournament(bundle, Plan(SPYMASTERS, GUESSERS, (everything,))).play_board(0)
    assert (result.won, result.end, result.turns) == (False, "given up", MOST_TURNS)


def test_remembered_rows_are_the_measure_s(bundle: Bundle) -> None:
    measure = bundle.measures["svd"]
    kept = CachedMeasure(measure)
    for ids in ([3, 1], [1, 2, 3], [2]):
        assert kept.rows(ids) == pytest.approx(measure.rows(ids))
    kept.clear()
    assert kept.pairs([1], [2]) == pytest.approx(measure.pairs([1], [2]))


def test_players_are_named_by_measure_and_habit() -> None:
    assert parse_spymaster("svd") == ("svd", "harmonic")
    assert parse_spymaster("npmi+svd/kim") == ("npmi+svd", "kim")
    assert parse_guesser("svd") == ("svd", "closest")
    assert parse_guesser("svd/softmax") == ("svd", "softmax")
    for text in ("svd/", "/kim", "svd/poker", ""):
        with pytest.raises(InputError, match="is not a player"):
            parse_spymaster(text)


@pytest.mark.parametrize(
    ("changed", "told"),
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
def test_a_bad_plan_is_refused(changed: dict, told: str) -> None:
    good = {"spymasters": SPYMASTERS, "guessers": GUESSERS, "boards": (BOARD,)}
    with pytest.raises(InputError, match=told):
        Plan(**{**good, **changed})


def test_an_unknown_measure_is_told_before_play(folder: Path) -> None:
    unknown = Plan((Player("word2vec", "kim"),), GUESSERS, plan().boards)
    with pytest.raises(InputError, match="has no measure 'word2vec'"):
        run(folder, unknown)


# What it shows.


def result(board: int, won: bool, turns: int, **others: object) -> Result:
    base = Result(board, "s", "g", None, True, won, "won" if won else "assassin", turns, 8, 1, 2, 0)
    return base._replace(**others)


def test_standings_by_hand() -> None:
    results = [result(0, True, 4), result(1, True, 6), result(2, False, 25, assassin=1)]
    (found,) = standings(results)
    assert (found.spymaster, found.guesser, found.games) == ("s", "g", 3)
    assert found.wins.value == pytest.approx(2 / 3)
    assert found.turns is not None and found.turns.value == pytest.approx(5)
    assert (found.least, found.score.value) == (4, pytest.approx(35 / 3))
    assert found.wrong.value == pytest.approx((3 + 3 + 4) / 3)
    assert found.assassin.value == pytest.approx(1 / 3)
    for estimate in (found.wins, found.turns, found.score, found.wrong):
        assert estimate.low <= estimate.value <= estimate.high


def test_a_pair_that_never_won_has_no_turns() -> None:
    (found,) = standings([result(0, False, 25)])
    assert (found.turns, found.least) == (None, None)
    assert "–" in page("t", "a", [found])


def test_heat_maps_are_drawings_with_every_figure() -> None:
    drawn = heat_map("a <title>", ["r1", "r2"], ["c1"], [[0.25], [None]])
    root = ElementTree.fromstring(drawn)
    texts = [element.text for element in root.iter() if element.tag.endswith("text")]
    assert texts == ["a <title>", "c1", "r1", "0.25", "r2"]
    assert sum(element.tag.endswith("rect") for element in root.iter()) == 1


def test_heat_maps_name_the_way_of_playing_only_where_it_differs() -> None:
    guessers = ("svd/closest", "npmi/closest")
    played = [
        result(0, True, 4, spymaster=spymaster, guesser=guesser)
        for spymaster in ("svd/harmonic", "svd/expected")
        for guesser in guessers
    ]
    (drawn,) = heat_maps(standings(played), ["share of games won"])
    texts = [e.text for e in ElementTree.fromstring(drawn).iter() if e.tag.endswith("text")]
    assert texts[1:3] == ["svd", "npmi"]
    assert [texts[3], texts[6]] == ["svd/harmonic", "svd/expected"]


def test_parquet_has_a_row_for_each_game(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    results = [result(0, True, 4), result(1, False, 25)]
    write_parquet(tmp_path / "games.parquet", results)
    table = parquet.read_table(tmp_path / "games.parquet")
    assert [Result(**row) for row in table.to_pylist()] == results
    write_parquet(tmp_path / "again.parquet", results)
    assert (tmp_path / "again.parquet").read_bytes() == (tmp_path / "games.parquet").read_bytes()


def test_the_command_deals_as_it_is_told(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plans: list[Plan] = []

    def noted(bundle: Path, plan: Plan, processes: int | None) -> list[Result]:
        plans.append(plan)
        return [result(0, True, 4)]

    monkeypatch.setattr("wordkin.game.tournament.run", noted)
    (tmp_path / "words.txt").write_text("\n".join(WORDS))
    own = ["--words", str(tmp_path / "words.txt"), "--seed", "5"]
    for options in ([], own, ["--rules", "teams"]):
        assert main(["tournament", "--bundle", str(folder), "--boards", "2", *options]) == 0
    ours = [word for word in board_words("en") if word in WORDS]
    assert [(p.rules, p.seed) for p in plans] == [(SOLITAIRE, 0), (SOLITAIRE, 5), (TEAMS, 0)]
    assert [p.boards for p in plans] == [
        deal_boards(ours, 2, 0, SOLITAIRE),
        deal_boards(WORDS, 2, 5, SOLITAIRE),
        deal_boards(ours, 2, 0, TEAMS),
    ]


@pytest.mark.slow
def test_the_command_plays_and_writes(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "words.txt").write_text("\n".join(WORDS))
    arguments = [
        "tournament", "--bundle", str(folder), "--words", str(tmp_path / "words.txt"),
        "--spymasters", "graph", "--guessers", "graph", "npmi", "--boards", "2",
        "--processes", "1", "--html", str(tmp_path / "t.html"),
    ]  # fmt: skip
    assert main(arguments) == 0
    shown = capsys.readouterr().out
    assert "npmi/closest" in shown
    assert "<svg" in (tmp_path / "t.html").read_text(encoding="utf-8")
    assert main([*arguments, "--json"]) == 0
    (first, _) = json.loads(capsys.readouterr().out)
    assert (first["spymaster"], first["games"]) == ("graph/harmonic", 2)
    assert np.isfinite(first["wins"]).all()
    assert main([*arguments, "--boards", "0"]) == 2
