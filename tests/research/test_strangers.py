"""The study of strangers: how a clue is judged, and what a spymaster may be taught."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import wordkin
from research import strangers
from research.strangers import Stranger, Unavailable
from tests.support.bundles import make_bundle
from wordkin.game.board import Board
from wordkin.game.clue import Clue
from wordkin.game.rounds import read_rounds
from wordkin.measures.learned import untrained

BOARD = Board.of(["piano", "mouse", "bread"], ["bison", "ship"], ["street"], ["tree"])


def clue(word: str, number: int) -> Clue:
    return Clue(word, number, (), None, 0.0, 0.0)


@pytest.mark.parametrize(
    ("order", "number", "net"),
    [
        ("piano mouse tree", 2, 2),
        ("piano mouse tree", 3, 2 - 2),  # the assassin costs as many cards as they have
        ("piano bison mouse", 3, 1 - 1),
        ("piano street mouse", 3, 1),
        ("piano mouse bread", 9, 3 - 1),
    ],
)
def test_a_stranger_turns_over_the_closest_cards_until_one_is_wrong(
    order: str, number: int, net: float
) -> None:
    cards = [*order.split(), "ship"]

    def stranger(word: str, words: object) -> np.ndarray:
        return np.array([-cards.index(w) if w in cards else np.nan for w in BOARD.words])

    assert strangers.closest_first(stranger)(0, BOARD, clue("x", number)) == net


def test_a_guesser_that_cannot_be_had_is_left_out_with_the_reason(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    def missing(folder: Path) -> Stranger:
        raise Unavailable("the package is not there")

    monkeypatch.setattr(strangers, "STRANGERS", {"GloVe": missing})
    assert strangers.strangers(tmp_path, "en", []) == {}
    assert "GloVe does not play: the package is not there" in capsys.readouterr().err
    assert strangers.strangers(tmp_path, "hu", []) == {}


def test_a_taught_bundle_knows_its_rounds_only(tmp_path: Path) -> None:
    bundle = wordkin.load(make_bundle(tmp_path))
    words = ["piano", "mouse", "bison", "tree", "bread", "ship"]
    lines = [
        {"lang": "en", "board": at, "words": words, "blue": words[:3], "clue": clue, "n": 2,
         "rounds": [{"session": str(at), "picks": picks}]}
        for at, (clue, picks) in enumerate([("keyboard", ["mouse", "piano"]),
                                            ("oak", ["tree", "bison"]),
                                            ("flute", ["piano", "bread"])] * 4)
    ]  # fmt: skip
    rounds = tmp_path / "rounds.jsonl"
    rounds.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    learned = untrained("human", [bundle.measure(name) for name in bundle.measures])
    with strangers.taught_bundle(bundle, learned, read_rounds(rounds), tmp_path / "kept") as taught:
        assert list(taught.measures) == ["npmi", "graph", "svd", "human"]
        assert taught.temperature("npmi") != bundle.temperature("npmi")
        assert strangers.people(taught)(0, BOARD, clue("keyboard", 1)) > 0
        play = strangers.setting(taught, "worth:risk=2")
        assert play(BOARD).word not in BOARD.words
        assert strangers.old_default(taught)(BOARD).targets
    assert list((tmp_path / "kept").iterdir()) == []
