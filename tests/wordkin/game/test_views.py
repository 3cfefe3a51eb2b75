"""The agents answer to what they see of a game."""

from __future__ import annotations

from pathlib import Path

import pytest

import wordkin
from tests.support.bundles import make_bundle
from wordkin.bundle import Bundle
from wordkin.game.board import Board
from wordkin.game.guesser import Guesser
from wordkin.game.spymaster import Spymaster
from wordkin.game.views import GuesserView, PastClue, Pick, SpymasterView


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    folder: Path = tmp_path_factory.mktemp("views")
    return wordkin.load(make_bundle(folder))


def test_a_spymaster_gives_a_clue_that_was_not_said(bundle: Bundle) -> None:
    board = Board.of(["piano", "mouse"], ["bison", "tree"])
    spymaster = Spymaster(bundle)
    first = spymaster.give(SpymasterView(0, board, (), 2, 2))
    past = PastClue(1, first.word, first.number)
    second = spymaster.give(SpymasterView(0, board, (past,), 2, 2))
    assert first == spymaster.clue(board)
    assert second.word != first.word


@pytest.mark.parametrize("word", ["keyboard", "zzyzx"])
@pytest.mark.parametrize("number", [0, 1, 2, None])
def test_a_guesser_picks_a_card_and_stops_in_time(
    bundle: Bundle, word: str, number: int | None
) -> None:
    guesser = Guesser(bundle)
    cards = ["bison", "piano", "mouse"]
    picks: tuple[Pick, ...] = ()
    while True:
        clues = (PastClue(0, word, number, picks),)
        card = guesser.pick(GuesserView(0, tuple(cards), picks, clues, 2, 1, None, bool(picks)))
        if card is None:
            break
        cards.remove(card)
        picks = (*picks, Pick(card, "ours"))
    assert len(picks) == (number or 1)
    if word == "keyboard":
        assert picks[0].word == "mouse"
