"""Agents at play: spymasters judged, a small tournament, and clues to look at.

    measures, matrices/<lang>/human.json, eval/<lang>/rounds ──agents──▶ eval/<lang>/agents.json

With recorded rounds the spymasters play on the recorded boards, and people judge them, or the
guesser that agrees best with people (`wordkin.game.panel`). Without, clues are shown on boards
dealt from the language's board words. A language that has neither is left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from itertools import islice, product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from pipeline.corpus.languages import language
from pipeline.fetching.recorded_rounds import read_recorded
from pipeline.layout import LEARNED, Layout
from pipeline.settings import Agents, Publish
from pipeline.stage import Job, Metrics
from wordkin.bundle import Bundle, load, write_bundle
from wordkin.errors import NoBoardWords
from wordkin.files import read_words, write_text
from wordkin.game.board import OURS, THEIRS, Board
from wordkin.game.guesser import Guesser, Habits
from wordkin.game.panel import JudgedClue, Panel, judge_spymaster, recorded_boards
from wordkin.game.plan import SOLITAIRE, Plan, deal_boards, parse_guesser, parse_spymaster
from wordkin.game.spymaster import Spymaster
from wordkin.game.standings import standings
from wordkin.game.tournament import run as play
from wordkin.judging.intervals import bootstrap_means, estimate
from wordkin.judging.rounds import Item
from wordkin.measures.cached import CachedMeasure
from wordkin.measures.learned import TEMPERATURE
from wordkin.vocabulary import Vocabulary

SCORINGS = ("koyyalagunta", "koyy-restrict", "harmonic", "harmonic-divide")
NUMBERS = (2, 3)
"""The configurations of the method paper's tables 3 and 4."""

SAMPLES, WRONG = 10, 5
"""Clues of each configuration that are shown, and those of them all that do worst."""

RESAMPLES = 1000
TABLE = {OURS: 10, THEIRS: 10}
"""A board as the recorded ones: ten good cards and ten bad ones."""


def run(job: Job) -> Metrics:
    """Let a language's agents play, and write what they did."""
    return make_agents(job.layout, job.settings.agents, job.settings.publish)


def make_agents(layout: Layout, settings: Agents, published: Publish) -> Metrics:
    """Let the agents of all published measures give clues and play a tournament."""
    names = layout.with_learned(published.measures)
    items = read_recorded(layout)
    with TemporaryDirectory(prefix="agents-", dir=layout.matrices) as beside:
        bundle = gather_bundle(layout, names, published.default, Path(beside) / "bundle")
        words = known_words(layout, bundle)
        boards = chosen_boards(bundle, items, words, settings)
        panel = people_panel(layout, items, bundle)
        found = {
            "judge": {"measure": panel.model.measure.name, "temperature": panel.temperature},
            "people": bool(items),
            "tables": [],
            "clues": [],
            **tournament(bundle, names, words, settings),
        }
        for name in names if boards else []:
            told = explained(Spymaster(bundle, name))
            for configuration, judged in configurations(bundle, name, boards, panel):
                if items:
                    found["tables"].append({**configuration, **figures(judged)})
                found["clues"].append({**configuration, **shown_clues(judged, told)})
    text = json.dumps(found, indent=1, ensure_ascii=False)
    write_text(layout.agents, text + "\n")
    return {
        "boards": len(boards),
        "games": sum(standing["games"] for standing in found["standings"]),
        "won": {
            f"{standing['spymaster']} {standing['guesser']}": round(standing["wins"][0], 3)
            for standing in found["standings"]
        },
    }


def gather_bundle(layout: Layout, names: Sequence[str], default: str, folder: Path) -> Bundle:
    """A bundle of what there is so far: agents see the world through one."""
    vocabulary = layout.vocabulary / "vocabulary.tsv"
    write_bundle(
        folder,
        language=layout.language,
        vocabulary=vocabulary,
        measures={name: layout.measure(name) for name in names if "+" not in name},
        default=default,
        lemmas=language(layout.language).lemmas(Vocabulary.read(vocabulary).words),
    )
    return load(folder)


def known_words(layout: Layout, bundle: Bundle) -> list[str]:
    """The language's board words that the vocabulary has."""
    return [
        word
        for word in read_words(layout.boards)
        if bundle.vocabulary.card_ids(word, bundle.language)
    ]


def chosen_boards(
    bundle: Bundle, items: Sequence[Item], words: Sequence[str], settings: Agents
) -> dict[str, Board]:
    """The boards to give clues on: recorded ones with a good card that the vocabulary has, else
    dealt ones; none without words."""
    most = None if settings.boards == "all" else settings.boards
    if items:
        known = (
            (name, board)
            for name, board in recorded_boards(items).items()
            if any(bundle.vocabulary.card_ids(card, bundle.language) for card in board.ours)
        )
        return dict(islice(known, most))
    if len(words) < sum(TABLE.values()):
        return {}
    dealt = range(SAMPLES)[:most]
    return {str(at): Board.deal(words, settings.seed + at, TABLE) for at in dealt}


def people_panel(layout: Layout, items: Sequence[Item], bundle: Bundle) -> Panel:
    """People, and the guesser that their picks are likeliest under; the default without any."""
    if not items:
        return Panel([], Guesser(bundle), Habits.temperature)
    found = json.loads(layout.metrics("human").read_text(encoding="utf-8"))["agreement"]
    best = max(found, key=lambda name: found[name]["all"]["likelihood"]["value"])
    temperature = TEMPERATURE if best == LEARNED else found[best]["temperature"]
    return Panel(items, Guesser(bundle, best), temperature)


def configurations(
    bundle: Bundle, name: str, boards: Mapping[str, Board], panel: Panel
) -> Iterator[tuple[dict[str, Any], list[JudgedClue]]]:
    """What a measure's spymasters are, and the clues of each, judged."""
    # All share the rows and the words that may be clues, which are worked out once.
    shared = Spymaster(bundle, CachedMeasure(bundle.measure(name)))
    for number, scoring in product(NUMBERS, SCORINGS):
        spymaster = shared.with_scoring(scoring)
        configuration = {"measure": name, "scoring": scoring, "number": number}
        yield configuration, judge_spymaster(spymaster, boards, number, panel)


def figures(judged: Sequence[JudgedClue]) -> dict[str, Any]:
    """P@all and P@targets over the boards, with intervals, and by recorded picks alone."""
    played = [one for one in judged if not one.estimated]
    rounds = np.array([one.rounds for one in played])
    out: dict[str, Any] = {"boards": len(judged), "recorded": len(played)}
    out["rounds"] = int(rounds.sum())
    for key in ("all", "targets"):
        values = np.array([getattr(one, key) for one in judged])
        draws = bootstrap_means(values, np.arange(len(values)), resamples=RESAMPLES, seed=0)
        out[key] = [round(number, 4) for number in estimate(float(values.mean()), draws)]
        of_people = np.array([getattr(one, key) for one in played])
        out[f"{key}_recorded"] = (
            round(float(of_people @ rounds / rounds.sum()), 4) if played else None
        )
    return out


def explained(spymaster: Spymaster) -> Callable[[JudgedClue], dict[str, Any]]:
    """What tells a judged clue with its reasons; a reason is looked for once."""
    reason = cache(spymaster.explained_card)

    def told(one: JudgedClue) -> dict[str, Any]:
        clue = one.clue
        return {
            "clue": clue.word,
            "number": clue.number,
            "targets": [asdict(reason(clue.word, card)) for card in clue.targets],
            # Why it is not related to the closest bad card need not be told.
            "bad": asdict(clue.bad) if clue.bad else None,
            "rounds": one.rounds,
            "all": round(one.all, 3),
            "taken": one.taken,
        }

    return told


def shown_clues(
    judged: Sequence[JudgedClue], told: Callable[[JudgedClue], dict[str, Any]]
) -> dict[str, Any]:
    """Some clues with their reasons, and those that went wrong most."""
    worst = sorted(judged, key=lambda one: one.all)[:WRONG]
    return {"samples": list(map(told, judged[:SAMPLES])), "wrong": list(map(told, worst))}


def tournament(
    bundle: Bundle, names: Sequence[str], words: Sequence[str], settings: Agents
) -> dict[str, Any]:
    """A small tournament of all measures; without enough board words there is none."""
    try:
        boards = deal_boards(words, settings.games, settings.seed, SOLITAIRE)
    except NoBoardWords:
        return {"standings": []}
    spymasters, guessers = (tuple(map(parse, names)) for parse in (parse_spymaster, parse_guesser))
    plan = Plan(spymasters, guessers, boards, SOLITAIRE, settings.seed)
    found = standings(play(bundle.folder, plan), settings.seed)
    return {"standings": [asdict(standing) for standing in found]}


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    if not metrics["games"]:
        return "no board words, so no games"
    best = max(metrics["won"], key=lambda pair: metrics["won"][pair])
    share = metrics["won"][best]
    return (
        f"clues on {metrics['boards']} boards; {metrics['games']:,} games, {best} won {share:.0%}"
    )
