"""Agents at play: the tournament and the clues of a build's measures."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.judge import agents
from pipeline.judge.agents import ITSELF, OTHERS, SHOWN_BOARDS
from pipeline.measures.opening import open_measures
from tests.support.small_language import small_language, write_board_words


@pytest.mark.slow
def test_each_measure_plays_with_itself_and_with_the_others(tmp_path: Path) -> None:
    layout = small_language(tmp_path)
    words = open_measures(layout, ["npmi"])[0].vocabulary.words[:60]
    write_board_words(layout, [*words, "unheard"])
    play = agents.play(layout, ["npmi", "fasttext", "npmi+fasttext"], "npmi", games=2, seed=0)
    assert [(s.spymaster, s.guesser, s.games) for s in play.standings] == [
        ("npmi", ITSELF, 2),
        ("npmi", OTHERS, 2),
        ("fasttext", OTHERS, 2),
        ("fasttext", ITSELF, 2),
    ]
    for standing in play.standings:
        assert 0 <= standing.wins.low <= standing.wins.value <= standing.wins.high <= 1
    assert len(play.boards) == SHOWN_BOARDS
    assert all(set(board.words) <= {*words, "unheard"} for board in play.boards)
    assert list(play.clues) == ["npmi", "fasttext"]
    for given in play.clues.values():
        for clue, board in zip(given, play.boards, strict=True):
            assert clue is not None and clue.word not in board.words
            assert clue.targets
    assert not list(layout.matrices.glob("agents*")), "the temporary bundle is removed"


def test_a_language_without_board_words_has_no_games(tmp_path: Path) -> None:
    layout = small_language(tmp_path, words=40)
    write_board_words(layout, [])
    assert agents.play(layout, ["npmi"], "npmi", games=2, seed=0) == agents.Play([], [], {})
