"""The stage `agents`: clues judged, figures and tournament, by hand and against an oracle."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest

import wordkin
from pipeline.judge import agents
from pipeline.judge.agents import Configuration
from pipeline.judge.panel import JudgedClue, Panel
from pipeline.layout import Layout
from pipeline.measures.opening import open_measures
from pipeline.settings import Agents, Publish
from tests.support.bundles import make_bundle
from tests.support.games import AGENTS, play, write_board_words
from tests.support.small_language import small_language, write_json
from wordkin.bundle import Bundle
from wordkin.game.board import Board
from wordkin.game.clue import Clue, RelatedCard
from wordkin.game.guesser import Guesser
from wordkin.game.rounds import Item, Round
from wordkin.game.spymaster import Spymaster

CARDS = ("mouse", "piano", "bison", "tree", "bread", "ship")
BOARD = Board.of(ours=CARDS[:3], theirs=CARDS[3:])


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return wordkin.load(make_bundle(tmp_path_factory.mktemp("agents")))


def judged(rounds: int, good: float, targets: float, word: str = "clue") -> JudgedClue:
    target = RelatedCard("mouse", "ours", 0.5)
    clue = Clue(word, 1, (target,), RelatedCard("tree", "theirs", 0.1), score=1, difference=1)
    return JudgedClue("1", clue, rounds, good, targets, ("mouse",))


def item(board: str, words: tuple[str, ...], blue: tuple[str, ...], clue: str = "oak") -> Item:
    return Item("en", board, words, blue, clue, 1, (Round("s", words[:1]),))


def test_figures_are_means_over_boards_and_recorded_ones_over_rounds() -> None:
    values = agents.figures([judged(1, 1.0, 0.5), judged(3, 0.0, 0.0), judged(0, 0.8, 0.4)])
    assert (values["boards"], values["recorded"], values["rounds"]) == (3, 2, 4)
    assert values["all"][0] == pytest.approx(0.6)
    assert values["targets"][0] == pytest.approx(0.3)
    assert values["all"][1] == 0 and values["all"][2] == 1
    # One player of four took only good cards.
    assert values["all_recorded"] == pytest.approx(1 / 4)
    assert values["targets_recorded"] == pytest.approx(0.5 / 4)


def test_without_recorded_picks_there_are_no_recorded_figures() -> None:
    values = agents.figures([judged(0, 0.5, 0.5)])
    assert (values["recorded"], values["rounds"]) == (0, 0)
    assert values["all_recorded"] is None and values["targets_recorded"] is None
    assert values["all"] == [0.5, 0.5, 0.5]


def test_the_first_ten_clues_and_the_five_worst_are_shown() -> None:
    clues = [judged(0, share, 0, str(share)) for share in np.linspace(1, 0, 12).round(2).tolist()]
    shown = agents.shown_clues(clues, lambda clue: {"all": clue.all})
    assert [clue["all"] for clue in shown["samples"]] == [clue.all for clue in clues[:10]]
    assert [clue["all"] for clue in shown["wrong"]] == [0.0, 0.09, 0.18, 0.27, 0.36]


def koyyalagunta(bundle: Bundle, board: Board, number: int) -> dict[str, float]:
    """Equation 2 of the method paper for every word: the best sum over `number` good cards, less
    half of the closest bad card."""
    scores = {}
    for word in bundle.vocabulary.words:
        near = {card: bundle.relatedness(word, card, "graph") for card in board.words}
        best = max(sum(near[card] for card in cards) for cards in combinations(board.ours, number))
        scores[word] = best - 0.5 * max(near[card] for card in board.theirs)
    return scores


@pytest.mark.parametrize("number", agents.NUMBERS)
def test_a_clue_has_the_best_score_of_all_words_that_may_be_said(
    bundle: Bundle, number: int
) -> None:
    panel = Panel([], Guesser(bundle, "graph"), temperature=0.2)
    by_configuration = dict(agents.judge_measure(Spymaster(bundle, "graph"), {"1": BOARD}, panel))
    (result,) = by_configuration[Configuration("graph", "koyyalagunta", number)]
    scores = koyyalagunta(bundle, BOARD, number)
    legal = [word for word in scores if word not in CARDS]
    assert result.clue.word == max(legal, key=lambda word: scores[word])
    assert result.clue.score == pytest.approx(scores[result.clue.word], abs=1e-5)


def test_each_spymaster_has_its_own_scoring_function_also_when_they_take_turns(
    bundle: Bundle,
) -> None:
    panel = Panel([], Guesser(bundle, "graph"), temperature=0.2)
    boards = {"1": BOARD}

    def clues(
        results: Iterator[tuple[Configuration, list[JudgedClue]]],
    ) -> dict[Configuration, Clue]:
        return {configuration: judged[0].clue for configuration, judged in results}

    shared = Spymaster(bundle, "graph")
    alone = clues(agents.judge_measure(shared, boards, panel))
    # Two generators, one step of each after the other.
    both = zip(
        agents.judge_measure(shared, boards, panel),
        agents.judge_measure(shared, boards, panel),
        strict=True,
    )
    for first, second in both:
        assert first[1][0].clue == second[1][0].clue == alone[first[0]]
    scores = {
        scoring: alone[Configuration("graph", scoring, 2)].score for scoring in agents.SCORINGS
    }
    # Of about the same cards, a sum of two is twice their mean.
    assert scores["koyyalagunta"] > 1.5 * scores["harmonic"]


def test_recorded_boards_without_a_known_good_card_are_left_out(bundle: Bundle) -> None:
    known = item("good", CARDS, CARDS[:3])
    unknown = item("strange", ("unheard", *CARDS), ("unheard",))
    boards = agents.choose_boards(bundle, [unknown, known], [], AGENTS)
    assert list(boards) == ["good"]
    assert boards["good"] == Board.of(CARDS[:3], CARDS[3:])


def test_no_more_recorded_boards_are_taken_than_asked_for(bundle: Bundle) -> None:
    items = [item(str(number), CARDS, CARDS[:3]) for number in range(5)]
    assert list(agents.choose_boards(bundle, items, [], Agents(boards=2))) == ["0", "1"]
    assert len(agents.choose_boards(bundle, items, [], Agents(boards="all"))) == 5


def test_without_rounds_boards_are_dealt_from_board_words(bundle: Bundle) -> None:
    words = bundle.vocabulary.words[:30]
    boards = agents.choose_boards(bundle, [], words, AGENTS)
    assert len(boards) == 10
    for board in boards.values():
        assert (len(board.ours), len(board.theirs)) == (10, 10)
        assert len(set(board.words)) == 20 and set(board.words) <= set(words)
    assert agents.choose_boards(bundle, [], words[:19], AGENTS) == {}


def agreements(**likelihood: float) -> dict:
    return {
        "agreement": {
            name: {"temperature": 0.1, "all": {"likelihood": {"value": value}}}
            for name, value in likelihood.items()
        }
    }


def test_the_guesser_under_which_picks_are_likeliest_judges(bundle: Bundle, tmp_path: Path) -> None:
    layout = Layout(tmp_path, "en")
    write_json(layout.metrics("human"), agreements(npmi=-2.9, svd=-2.1, graph=-2.5))
    panel = agents.make_panel(layout, [item("1", CARDS, CARDS[:3])], bundle)
    assert (panel.model.measure.name, panel.temperature) == ("svd", 0.1)


def test_without_people_the_default_guesser_judges(bundle: Bundle, tmp_path: Path) -> None:
    panel = agents.make_panel(Layout(tmp_path, "en"), [], bundle)
    assert panel.model.measure.name == bundle.default == "graph"


def test_a_clue_is_described_with_its_reasons(bundle: Bundle) -> None:
    clue = Clue(
        "keyboard", 2, (RelatedCard("mouse", "ours", 0.6), RelatedCard("piano", "ours", 0.5)),
        RelatedCard("bread", "theirs", 0.1), score=1, difference=1,
    )  # fmt: skip
    describe_clue = agents.clue_describer(wordkin.Spymaster(bundle, "graph"))
    content = describe_clue(JudgedClue("1", clue, 3, 0.66667, 0.5, ("mouse", "tree")))
    assert (content["clue"], content["number"], content["rounds"]) == ("keyboard", 2, 3)
    assert [card["word"] for card in content["targets"]] == ["mouse", "piano"]
    assert content["bad"]["word"] == "bread" and content["bad"]["why"] is None
    assert (content["all"], content["taken"]) == (0.667, ("mouse", "tree"))
    assert json.loads(json.dumps(content))


@pytest.mark.slow
def test_the_whole_stage_with_rounds(tmp_path: Path) -> None:
    layout = small_language(tmp_path)
    metrics = play(layout)
    content = json.loads(layout.agents.read_text(encoding="utf-8"))
    names = ["npmi", "squared", "fasttext", "human"]
    assert content["people"] is True
    played = {(entry["spymaster"], entry["guesser"]) for entry in content["standings"]}
    papers = {entry["spymaster"] for entry in content["papers"]}
    assert papers >= {"npmi/harmonic-divide", "fasttext/koyyalagunta:rarity=2"}
    assert content["measures"] == [f"{name}/worth" for name in names]
    spymasters = {*content["measures"], *papers}
    assert played == {(a, f"{b}/closest") for a in spymasters for b in names}
    assert metrics["games"] == AGENTS.games * len(played)
    assert metrics["won"].keys() == {" ".join(pair) for pair in played}
    configurations = [(e["measure"], e["scoring"], e["number"]) for e in content["tables"]]
    assert configurations == [
        (name, scoring, number)
        for name in names
        for number in (2, 3)
        for scoring in ("koyyalagunta", "koyy-restrict", "harmonic", "harmonic-divide")
    ]
    assert [(e["measure"], e["scoring"], e["number"]) for e in content["clues"]] == configurations
    for entry in content["tables"]:
        assert entry["boards"] == 12
        for value, low, high in (entry["all"], entry["targets"]):
            assert 0 <= low <= value <= high <= 1
        assert entry["targets"][0] <= entry["all"][0]
    assert agents.describe(metrics).startswith(
        f"clues on 12 boards; {AGENTS.games * len(played):,} games, "
    )


@pytest.mark.slow
def test_the_whole_stage_without_rounds(tmp_path: Path) -> None:
    layout = small_language(tmp_path)
    write_board_words(layout, open_measures(layout, ["npmi"])[0].vocabulary.words[:60])
    published = Publish(measures=["npmi", "fasttext"], default="npmi")
    metrics = agents.make_agents(layout, AGENTS, published)
    content = json.loads(layout.agents.read_text(encoding="utf-8"))
    rows = len({*content["measures"], *(entry["spymaster"] for entry in content["papers"])})
    assert (metrics["boards"], metrics["games"]) == (10, rows * 2 * 2)
    assert (content["tables"], content["people"]) == ([], False)
    assert len(content["clues"]) == 2 * 4 * 2
    assert all(0 <= entry["wins"][0] <= 1 for entry in content["standings"])


def test_a_language_without_rounds_and_board_words_has_no_games(tmp_path: Path) -> None:
    layout = small_language(tmp_path, words=40)
    write_board_words(layout, [])
    metrics = agents.make_agents(layout, AGENTS, Publish(measures=["npmi"], default="npmi"))
    assert metrics == {"boards": 0, "games": 0, "won": {}}
    assert agents.describe(metrics) == "no board words, so no games"
    assert not list(layout.matrices.glob("agents*")), "the temporary bundle is removed"
