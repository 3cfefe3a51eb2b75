"""Agents at play: spymasters judged, a small tournament, and clues to look at.

    measures, matrices/<lang>/human.json, eval/<lang>/rounds ──agents──▶ eval/<lang>/agents.json

With recorded rounds, spymasters give clues on the recorded boards. People's picks judge a clue that
they played; the guesser that agrees best with people judges the others (`wordkin.game.panel`).
Without rounds, clues are given on boards dealt from the language's board words. A language without
rounds and without board words has no clues and no games.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from itertools import islice, product
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pipeline.fetched import read_recorded
from pipeline.judge.human import guesser_facts
from pipeline.judge.panel import JudgedClue, Panel, judge_spymaster, recorded_boards
from pipeline.layout import LEARNED, MEASURES, Layout
from pipeline.measures.subwords import learn_from, vector_measure
from pipeline.memory import PROCESS_MIB, Sizes, usable_cores
from pipeline.settings import Agents, Publish, Settings
from pipeline.stage import Job, Metrics, Stage
from pipeline.words.lemmas import lemmas_of_words
from pipeline.words.vocabulary import VocabularySettings
from wordkin.bundle import Bundle, load
from wordkin.bundle_folder import write_bundle
from wordkin.errors import NoBoardWords
from wordkin.files import read_words, scratch_folder, write_text
from wordkin.game.agents import paper_spymasters, parse_guesser, parse_spymaster
from wordkin.game.board import OURS, THEIRS, Board
from wordkin.game.board_view import resolve_cards
from wordkin.game.guesser import Guesser
from wordkin.game.rounds import Item
from wordkin.game.spymaster import Spymaster
from wordkin.game.tournament import SOLITAIRE, Plan, deal_boards, standings
from wordkin.game.tournament import run as play
from wordkin.intervals import bootstrap_means, estimate
from wordkin.measures.cached import CachedMeasure
from wordkin.measures.learned import TEMPERATURE
from wordkin.vocabulary import Vocabulary

SCORINGS = ("koyyalagunta", "koyy-restrict", "harmonic", "harmonic-divide")
NUMBERS = (2, 3)
"""The configurations of tables 3 and 4 of the method paper."""

SAMPLES, WORST = 10, 5
"""The number of clues shown per configuration, and of those with the worst results."""

RESAMPLES = 1000
CARDS = {OURS: 10, THEIRS: 10}
"""A dealt board is like a recorded one: ten good cards and ten bad ones."""


class Configuration(NamedTuple):
    """A spymaster of tables 3 and 4, and the number of cards that its clues are for."""

    measure: str
    scoring: str
    number: int


def run(job: Job) -> Metrics:
    """Let a language's agents play, and write what they did."""
    familiarity = job.settings.section(VocabularySettings).familiarity
    published = job.settings.publish.available(job.layout)
    return make_agents(job.layout, job.settings.agents, published, familiarity)


def make_agents(
    layout: Layout, settings: Agents, published: Publish, familiarity: float = 0.0
) -> Metrics:
    """Let the agents of all published measures give clues and play a tournament.

    Clues are at least as familiar as `familiarity`.
    """
    names = published.measures
    items = read_recorded(layout)
    with scratch_folder(layout.matrices / "agents.bundle") as folder:
        bundle = make_bundle(layout, names, published.default, folder / "bundle", familiarity)
        words = known_words(layout, bundle)
        boards = choose_boards(bundle, items, words, settings)
        panel = make_panel(layout, items, bundle)
        content: dict[str, Any] = {
            "judge": {"measure": panel.model.measure.name, "temperature": panel.temperature},
            "people": bool(items),
            "tables": [],
            "clues": [],
            "measures": [str(parse_spymaster(name)) for name in names],
            "papers": [
                {"paper": paper, "spymaster": str(player)}
                for paper, player in paper_spymasters(names)
            ],
            "standings": tournament(bundle, names, words, settings),
        }
        for name in names if boards else []:
            # All share the rows and the words that may be clues, which are worked out once.
            shared = Spymaster(bundle, CachedMeasure(bundle.measure(name)))
            describe_clue = clue_describer(shared)
            for configuration, judged in judge_measure(shared, boards, panel):
                key = configuration._asdict()
                if items:
                    content["tables"].append({**key, **figures(judged)})
                content["clues"].append({**key, **shown_clues(judged, describe_clue)})
    write_text(layout.agents, json.dumps(content, indent=1, ensure_ascii=False) + "\n")
    return {
        "boards": len(boards),
        "games": sum(standing["games"] for standing in content["standings"]),
        "won": {
            f"{standing['spymaster']} {standing['guesser']}": round(standing["wins"][0], 3)
            for standing in content["standings"]
        },
    }


def make_bundle(
    layout: Layout, names: Sequence[str], default: str, folder: Path, familiarity: float = 0.0
) -> Bundle:
    """A temporary bundle of the measures made so far: agents play with bundles only."""
    vocabulary = layout.vocabulary / "vocabulary.tsv"
    words = Vocabulary.read(vocabulary)
    folders = {name: layout.measure(name) for name in names if "+" not in name}
    source = vector_measure(folders)
    write_bundle(
        folder,
        language=layout.language,
        vocabulary=vocabulary,
        measures=folders,
        default=default,
        lemmas=lemmas_of_words(layout, words.words),
        subwords=learn_from(folders[source], words) if source else None,
        facts={"guesser": guesser_facts(layout, list(folders)), "familiarity": familiarity},
    )
    return load(folder)


def known_words(layout: Layout, bundle: Bundle) -> list[str]:
    """The language's board words that stand for words of the vocabulary."""
    resolutions = resolve_cards(bundle, read_words(layout.boards))
    return [resolution.word for resolution in resolutions]


def choose_boards(
    bundle: Bundle, items: Sequence[Item], words: Sequence[str], settings: Agents
) -> dict[str, Board]:
    """The boards to give clues on, by name.

    Recorded boards if there are any, except those without a known good card; otherwise boards
    dealt from `words`, or none when there are too few words.
    """
    most = None if settings.boards == "all" else settings.boards
    if items:
        known = (
            (name, board)
            for name, board in recorded_boards(items).items()
            if resolve_cards(bundle, board.ours)
        )
        return dict(islice(known, most))
    if len(words) < sum(CARDS.values()):
        return {}
    numbers = range(SAMPLES)[:most]
    return {str(at): Board.deal(words, settings.seed + at, CARDS) for at in numbers}


def make_panel(layout: Layout, items: Sequence[Item], bundle: Bundle) -> Panel:
    """People, and the guesser under which their picks are likeliest; without people, the default
    guesser."""
    if not items:
        return Panel([], Guesser(bundle), bundle.temperature())
    metrics = json.loads(layout.metrics("human").read_text(encoding="utf-8"))
    agreements = metrics["agreement"]
    best = max(agreements, key=lambda name: agreements[name]["all"]["likelihood"]["value"])
    temperature = TEMPERATURE if best == LEARNED else agreements[best]["temperature"]
    return Panel(items, Guesser(bundle, best), temperature)


def judge_measure(
    shared: Spymaster, boards: Mapping[str, Board], panel: Panel
) -> Iterator[tuple[Configuration, list[JudgedClue]]]:
    """The judged clues of all spymasters that use the measure of one."""
    for number, scoring in product(NUMBERS, SCORINGS):
        judged = judge_spymaster(shared.with_scoring(scoring), boards, number, panel)
        yield Configuration(shared.measure.name, scoring, number), judged


def figures(judged: Sequence[JudgedClue]) -> dict[str, Any]:
    """P@all and P@targets over the boards, with intervals, and by recorded picks alone."""
    recorded = [clue for clue in judged if not clue.estimated]
    rounds = np.array([clue.rounds for clue in recorded])
    values: dict[str, Any] = {
        "boards": len(judged),
        "recorded": len(recorded),
        "rounds": int(rounds.sum()),
    }
    for key in ("all", "targets"):
        shares = np.array([getattr(clue, key) for clue in judged])
        draws = bootstrap_means(shares, np.arange(len(shares)), resamples=RESAMPLES, seed=0)
        values[key] = [round(figure, 4) for figure in estimate(float(shares.mean()), draws)]
        of_people = np.array([getattr(clue, key) for clue in recorded])
        values[f"{key}_recorded"] = (
            round(float(of_people @ rounds / rounds.sum()), 4) if recorded else None
        )
    return values


def clue_describer(spymaster: Spymaster) -> Callable[[JudgedClue], dict[str, Any]]:
    """A function that describes a judged clue with its reasons, each of which is found once."""
    explain = cache(spymaster.explained_card)

    def describe_clue(judged: JudgedClue) -> dict[str, Any]:
        clue = judged.clue
        return {
            "clue": clue.word,
            "number": clue.number,
            "targets": [asdict(explain(clue.word, card)) for card in clue.targets],
            # The clue is meant to be unrelated to the bad card: there is nothing to explain.
            "bad": asdict(clue.bad) if clue.bad else None,
            "rounds": judged.rounds,
            "all": round(judged.all, 3),
            "taken": judged.taken,
        }

    return describe_clue


def shown_clues(
    judged: Sequence[JudgedClue], describe_clue: Callable[[JudgedClue], dict[str, Any]]
) -> dict[str, Any]:
    """The first clues with their reasons, and those with the worst results."""
    worst = sorted(judged, key=lambda clue: clue.all)[:WORST]
    return {
        "samples": list(map(describe_clue, judged[:SAMPLES])),
        "wrong": list(map(describe_clue, worst)),
    }


def tournament(
    bundle: Bundle, names: Sequence[str], words: Sequence[str], settings: Agents
) -> list[dict[str, Any]]:
    """The standings of a small tournament: every measure and the papers' agents with every measure.

    There are none without enough board words.
    """
    try:
        boards = deal_boards(words, settings.games, settings.seed, SOLITAIRE)
    except NoBoardWords:
        return []
    spymasters = [*map(parse_spymaster, names), *(e.player for e in paper_spymasters(names))]
    guessers = tuple(map(parse_guesser, names))
    plan = Plan(tuple(dict.fromkeys(spymasters)), guessers, boards, SOLITAIRE, settings.seed)
    results = play(bundle.folder, plan)
    return [asdict(standing) for standing in standings(results, settings.seed)]


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    if not metrics["games"]:
        return "no board words, so no games"
    best = max(metrics["won"], key=lambda pair: metrics["won"][pair])
    share = metrics["won"][best]
    return (
        f"clues on {metrics['boards']} boards; {metrics['games']:,} games, {best} won {share:.0%}"
    )


def memory(sizes: Sizes, settings: Settings) -> float:
    """As many agents at once as there are cores."""
    return usable_cores() * (PROCESS_MIB * 2.0**20 + sizes.chunk / 8)


STAGE = Stage(
    "agents",
    run,
    describe,
    reads=("boards", "rounds", "vocabulary", *MEASURES, "human"),
    writes=("agents",),
    figures=("human",),
    section=Agents,
    params=("publish", "vocabulary.familiarity"),
    memory=memory,
)
