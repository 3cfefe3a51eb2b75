"""The stage `human`: a measure learned from rounds, and everything after it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import wordkin
from pipeline.fetch.fetch import fetch_rounds
from pipeline.fetch.fetcher import Fetcher
from pipeline.judge import human, report
from pipeline.judge.picks import Picks
from pipeline.layout import Layout
from pipeline.publish import publish
from pipeline.settings import Publish
from tests.support.corpora import files
from tests.support.small_language import HUMAN, MEASURES, REPORT, small_language, write_rounds
from wordkin.game.rounds import Item, Round


@pytest.fixture(scope="module")
def layout(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    """A language whose rounds came from a mirror."""
    root = tmp_path_factory.mktemp("human")
    layout = small_language(root)
    write_rounds(root / "mirror" / "human" / "en.jsonl", layout)
    fetch_rounds(layout, HUMAN, Fetcher(layout.root, root / "mirror"))
    return layout


@pytest.fixture(scope="module")
def metrics(layout: Layout) -> dict:
    return human.make_human(layout, HUMAN, MEASURES)


def test_there_are_figures_for_every_measure_for_people_and_for_chance(metrics: dict) -> None:
    assert list(metrics["agreement"]) == [*MEASURES, "human"]
    assert (metrics["rounds"], metrics["boards"], metrics["sessions"]) == (150, 30, 15)
    assert metrics["coverage"]["rounds"] == (150, 150)
    assert metrics["best"] in MEASURES
    # Two picks out of ten cards.
    assert metrics["chance"]["all"]["precision"]["value"] == pytest.approx(0.2)
    # Nobody played the same clue on the same board as somebody else.
    assert metrics["people"]["covered"] == 0 and metrics["people"]["known"] == {}


def test_the_learned_measure_agrees_with_people_far_better_than_chance(metrics: dict) -> None:
    precision = metrics["agreement"]["human"]["all"]["precision"]
    assert precision["low"] > 0.35


def test_the_metrics_are_plain_json(metrics: dict) -> None:
    assert json.loads(json.dumps(metrics, allow_nan=False))


def test_the_summary_compares_with_the_best_single_measure(metrics: dict) -> None:
    line = human.describe(metrics)
    assert line.startswith("150 rounds in, 0 of them with a clue outside the vocabulary; human out")
    assert "P@n on left-out boards 0." in line
    assert f"than {metrics['best']}" in line


def test_what_people_go_by_has_the_largest_weight(metrics: dict) -> None:
    heaviest = max(metrics["weights"], key=lambda term: term["weight"])
    assert heaviest["measure"] == "fasttext"


def test_every_measure_has_the_temperature_of_people(layout: Layout, metrics: dict) -> None:
    temperatures = metrics["temperatures"]
    assert set(temperatures) == {*MEASURES, "human"}
    for name in MEASURES:
        fitted = metrics["agreement"][name]["temperature"]
        assert temperatures[name] == pytest.approx(fitted, rel=1e-3, abs=1e-4)
    # The weights were scaled so that it is 0.2 on the boards that they were fitted to.
    assert temperatures["human"] == pytest.approx(0.2, rel=0.2)


@pytest.mark.slow
def test_the_learned_measure_is_evaluated_and_published(layout: Layout, metrics: dict) -> None:
    names = layout.available(MEASURES)
    assert names == [*MEASURES, "human"] == layout.available(names)
    findings = report.collect(layout, REPORT, names, "human")
    assert "human" in report.write_report(layout, findings)["gold"]["main"]
    publish.make_bundle(layout, Publish(measures=names, default="human", store="full"))
    bundle = wordkin.load(layout.bundle)
    a, b = bundle.vocabulary.words[:2]
    assert bundle.relatedness(a, b) == bundle.measures["human"].relatedness(a, b)


def test_the_same_rounds_give_the_same_bytes(layout: Layout, metrics: dict) -> None:
    before = files(layout.measure("human"))
    assert human.make_human(layout, HUMAN, MEASURES) == metrics
    assert files(layout.measure("human")) == before


def test_an_unknown_clue_stands_for_known_words(tmp_path: Path) -> None:
    other = small_language(tmp_path)
    mirror = tmp_path / "mirror" / "human" / "en.jsonl"
    write_rounds(mirror, other)
    lines = [json.loads(line) for line in mirror.read_text(encoding="utf-8").splitlines()]
    for line in lines:
        line["clue"] += "xq"
    mirror.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    fetch_rounds(other, HUMAN, Fetcher(other.root, tmp_path / "mirror"))
    metrics = human.make_human(other, HUMAN, MEASURES)
    assert metrics["coverage"]["rounds"] == (0, 150)
    assert metrics["agreement"]["fasttext"]["all"]["precision"]["value"] > 0.25


def test_a_guesser_is_reliable_when_people_pick_by_its_chances() -> None:
    utilities = np.random.default_rng(1).normal(size=(4000, 6))
    chosen = np.argmax(utilities + np.random.default_rng(2).gumbel(size=utilities.shape), axis=1)
    cards = tuple("abcdef")
    items = [
        Item("en", "1", cards, (), f"c{at}", 1, (Round("s", (cards[card],)),))
        for at, card in enumerate(chosen.tolist())
    ]
    points = human.reliability(utilities, Picks(items))
    assert len(points["said"]) == human.RELIABILITY_POINTS
    assert points["seen"] == pytest.approx(points["said"], abs=0.04)
    surer = human.reliability(3 * utilities, Picks(items))
    assert surer["said"][-1] > surer["seen"][-1] + 0.1


def test_without_rounds_the_folder_of_the_measure_has_a_note(tmp_path: Path) -> None:
    layout = small_language(tmp_path, words=40)
    fetch_rounds(layout, HUMAN, Fetcher(layout.root))
    metrics = human.make_human(layout, HUMAN, MEASURES)
    assert metrics == {"rounds": 0}
    assert human.describe(metrics) == "no recorded rounds, so nothing to learn from people"
    assert [path.name for path in layout.measure("human").iterdir()] == ["nothing.txt"]
    assert layout.available([*MEASURES, "human"]) == MEASURES
