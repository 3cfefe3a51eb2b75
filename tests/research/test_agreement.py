"""Weights of blends are chosen on development boards alone."""

from __future__ import annotations

import numpy as np

from pipeline.judge.picks import Picks
from research.agreement import Judge
from wordkin.game.rounds import Item, Round

WORDS = ("a", "b", "c", "d", "e", "f")
RANDOM = np.random.default_rng(0)


def judge_of_boards(boards: int) -> Judge:
    """Rounds on some boards, in which people pick the first two cards."""
    items = [
        Item(
            language="en", board=f"{board:02d}", words=WORDS, blue=WORDS[:3], clue="x", number=2,
            rounds=(Round("s", ("a", "b")),),
        )
        for board in range(boards)
    ]  # fmt: skip
    judge = Judge.__new__(Judge)
    judge.picks = Picks(items)
    judge.develops = np.arange(boards) % 2 == 0
    return judge


def test_each_half_has_its_own_figure_and_only_one_of_them_decides() -> None:
    judge = judge_of_boards(40)
    right = np.tile([1.0, 1.0, 0.0, 0.0, 0.0, 0.0], (40, 1))
    noise = RANDOM.permuted(right, axis=1)
    develops = judge.develops[:, None]
    first, second = np.where(develops, right, noise), np.where(develops, noise, right)
    assert judge.scores(first)[0] == 1.0 and judge.scores(first)[1] < 0.7
    assert judge.scores(second)[1] == 1.0 and judge.scores(second)[0] < 0.7
    assert judge.best_weights([first, second], most=3) == (1, 0)
    assert judge.best_weights([second, first], most=3) == (0, 1)
