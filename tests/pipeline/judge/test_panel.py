"""Judging spymasters by recorded picks, or by a model in place of people."""

from __future__ import annotations

import numpy as np
import pytest

import wordkin
from pipeline.judge.panel import Panel, judge_spymaster, recorded_boards
from tests.support.bundles import make_bundle
from wordkin.bundle import Bundle
from wordkin.game.board import Board
from wordkin.game.guesser import PEOPLE, Guesser, Habits
from wordkin.game.rounds import Item, Round
from wordkin.game.spymaster import Spymaster

CARDS = ("piano", "mouse", "song", "bison", "tree", "bread")
BLUE = CARDS[:3]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return wordkin.load(make_bundle(tmp_path_factory.mktemp("panel")))


def item(clue: str, *picks: tuple[str, ...]) -> Item:
    rounds = tuple(Round(f"s{at}", cards) for at, cards in enumerate(picks))
    return Item("en", "7", CARDS, BLUE, clue, 2, rounds)


def panel(bundle: Bundle, *items: Item) -> Panel:
    return Panel(items, Guesser(bundle, "graph"), temperature=0.3)


def test_recorded_picks_judge_a_recorded_clue(bundle: Bundle) -> None:
    board = recorded_boards([item("x")])["7"]
    clue = Spymaster(bundle).clue(board, 2)
    meant = {card.word for card in clue.targets}
    (spare,) = set(BLUE) - meant
    first, second = sorted(meant)
    people = item(clue.word.upper(), (first, second, "bread"), (first, spare), ("bison", spare))
    judged = panel(bundle, people).judge("7", board, clue)
    assert (judged.rounds, judged.estimated) == (3, False)
    assert judged.all == pytest.approx((2 + 2 + 1) / 2 / 3)
    assert judged.targets == pytest.approx((2 + 1 + 0) / 2 / 3)
    assert set(judged.taken) == {first, spare}


def test_a_clue_that_nobody_played_on_this_board_is_estimated(bundle: Bundle) -> None:
    board = recorded_boards([item("x")])["7"]
    clue = Spymaster(bundle).clue(board, 2)
    people = item(clue.word, ("piano", "mouse"))
    judges = panel(bundle, people)
    assert not judges.judge("7", board, clue).estimated
    assert judges.judge("8", board, clue).estimated
    assert judges.judge("7", board, Spymaster(bundle).clue(board, 1)).estimated
    assert panel(bundle, item("other", ("piano", "mouse"))).judge("7", board, clue).estimated


def test_an_estimate_is_the_mean_over_many_guesses(bundle: Bundle) -> None:
    board = Board.of(BLUE, CARDS[3:])
    clue = Spymaster(bundle).clue(board, 2)
    judged = panel(bundle).judge("7", board, clue)
    habits = Habits(temperature=0.3 * PEOPLE / bundle.temperature("graph"))
    guesser = Guesser(bundle, "graph", "softmax", habits, seed=1)
    picks = [set(guesser.guess(clue.word, 2, board.words)) for _ in range(4000)]
    meant = {card.word for card in clue.targets}
    assert judged.all == pytest.approx(np.mean([len(p & set(BLUE)) for p in picks]) / 2, abs=0.02)
    assert judged.targets == pytest.approx(np.mean([len(p & meant) for p in picks]) / 2, abs=0.02)


def test_a_spymaster_is_judged_on_every_board(bundle: Bundle) -> None:
    boards = recorded_boards([item("x")])
    (judged,) = judge_spymaster(Spymaster(bundle), boards, 2, panel(bundle))
    assert (judged.board, judged.clue.number) == ("7", 2)
    assert 0 <= judged.targets <= judged.all <= 1
