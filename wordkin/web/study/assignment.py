"""Who gets which clues, and in which order."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping

from wordkin.web.study.design import RANDOM, Design, Task


def assign(design: Design, played: Mapping[Task, int], seed: str) -> list[int]:
    """Choose the clues of one person.

    Clues that fewer people have played come first, so that all get about the same number of rounds;
    and nobody sees a board twice as long as there is another one. Chance decides between equals.

    Parameters
    ----------
    design : Design
        The study.
    played : mapping of Task to int
        How often each clue was played.
    seed : str
        Decides what is left to chance: the same seed gives the same clues.

    Returns
    -------
    list of int
        Places of clues in the design, in the order in which the person sees them.
    """
    chance = random.Random(seed)
    rank = {at: chance.random() for at in range(len(design.clues))}
    left = dict(enumerate(design.clues))
    boards, chosen = Counter[str](), list[int]()
    for _ in range(design.per_person):
        best = min(left, key=lambda at: (boards[left[at].board], played.get(left[at], 0), rank[at]))
        boards[left.pop(best).board] += 1
        chosen.append(best)
    if design.order == RANDOM:
        chance.shuffle(chosen)
        return chosen
    return sorted(chosen)
