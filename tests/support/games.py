"""The small language with recorded rounds of people and with games of agents."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from pipeline.declarations import RecordedRounds
from pipeline.fetch.fetch import fetch_rounds
from pipeline.fetch.fetcher import Fetcher
from pipeline.judge import agents, human
from pipeline.judge.agents import Play
from pipeline.layout import Layout
from pipeline.measures.opening import open_measures
from pipeline.settings import Human
from tests.support.small_language import MEASURES, write_json

HUMAN = Human(rounds={"en": RecordedRounds(mirror="human/en.jsonl")}, resamples=100)


def write_rounds(path: Path, layout: Layout, items: int = 150) -> None:
    """Write rounds of players who mostly go by fasttext."""
    (measure,) = open_measures(layout, ["fasttext"])
    words, random = measure.vocabulary.words, np.random.default_rng(1)
    lines = []
    for at in range(items):
        clue = at % len(words)
        cards = [i for i in random.permutation(len(words)).tolist() if i != clue][:10]
        liked = 4 * measure.pairs([clue] * 10, cards) + random.gumbel(size=10)
        picks = [words[cards[i]] for i in np.argsort(-liked)[:2]]
        lines.append(
            {
                "lang": layout.language, "board": at // 5, "words": [words[i] for i in cards],
                "blue": [words[i] for i in cards[:5]], "clue": words[clue], "n": 2,
                "rounds": [{"session": f"s{at % 15}", "picks": picks}],
            }
        )  # fmt: skip
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def write_board_words(layout: Layout, words: list[str]) -> None:
    """Give a language board words, as the fetch stage does."""
    layout.boards.parent.mkdir(parents=True, exist_ok=True)
    layout.boards.write_text("".join(f"{word}\n" for word in words), encoding="utf-8")


def play(layout: Layout) -> Play:
    """Take a language through the stage human, and let its agents play."""
    mirror = layout.root / "mirror"
    write_rounds(mirror / "human" / "en.jsonl", layout)
    fetch_rounds(layout, HUMAN, Fetcher(layout.root, mirror))
    write_json(layout.metrics("human"), human.make_human(layout, HUMAN, MEASURES))
    vocabulary = open_measures(layout, ["npmi"])[0].vocabulary
    write_board_words(layout, [*vocabulary.words[:60], "unheard"])
    return agents.play(layout, layout.available(MEASURES), "npmi", games=2, seed=0)
