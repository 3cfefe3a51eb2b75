"""The small language of the tests, with rounds of people and games of agents."""

from __future__ import annotations

import json

import pytest

from pipeline.fetching import rounds
from pipeline.judging import agents, evaluate, human
from pipeline.layout import Layout
from pipeline.settings import Agents, Publish
from tests.pipeline.judging.test_evaluate import MEASURES
from tests.pipeline.judging.test_human import SETTINGS as HUMAN
from tests.pipeline.judging.test_human import write_rounds

SETTINGS = Agents(boards=12, games=2)


def with_board_words(monkeypatch: pytest.MonkeyPatch, words: list[str]) -> None:
    monkeypatch.setattr(agents, "board_words", lambda language: words)


def play(layout: Layout) -> dict:
    """Takes a language through its stages human and agents; gives the metrics of the latter."""
    mirror = layout.root / "mirror"
    write_rounds(mirror / "human" / "en.jsonl", layout)
    rounds.fetch_rounds(layout, HUMAN, mirror)
    figures = human.make_human(layout, HUMAN, MEASURES, lemmatize=False)
    layout.metrics("human").write_text(json.dumps(figures))
    with pytest.MonkeyPatch.context() as patched:
        vocabulary = evaluate.open_measures(layout, ["npmi"])[0].vocabulary
        with_board_words(patched, [*vocabulary.words[:60], "unheard"])
        metrics = agents.make_agents(layout, SETTINGS, Publish(measures=MEASURES, default="npmi"))
    layout.metrics("agents").write_text(json.dumps(metrics))
    return metrics
