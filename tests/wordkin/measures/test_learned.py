"""The learned relatedness: a measure like any other, and its weights come back from picks."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from threadpoolctl import threadpool_limits

import wordkin
from tests.support.bundles import make_bundle
from wordkin.bundle import Bundle, write_bundle
from wordkin.errors import InputError
from wordkin.game.guesser import Guesser
from wordkin.game.spymaster import Spymaster
from wordkin.judging.agreement import agreement, log_chances, table_agreement
from wordkin.judging.choice import Choices, fit, gather, grouped_folds, join, learn
from wordkin.judging.picks import Picks
from wordkin.judging.rounds import Item, Round
from wordkin.measures import open_measure
from wordkin.measures.learned import (
    RANKS,
    TEMPERATURE,
    LearnedMeasure,
    depth,
    rank_knots,
    untrained,
    write_learned,
)

WEIGHTS = np.array([1.5, 0.0, 0.8, 0.5, -0.4, 0.0, 0.3])


@pytest.fixture(autouse=True)
def one_thread() -> Iterator[None]:
    """Threads of a busy machine would wait for each other in thousands of tiny products."""
    with threadpool_limits(1, user_api="blas"):
        yield


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    """A bundle that has the measure `human` with known weights."""
    folder = tmp_path_factory.mktemp("learned")
    plain = wordkin.load(make_bundle(folder))
    learned = untrained("human", list(plain.measures.values())).with_weights(WEIGHTS)
    write_learned(folder / "human", learned, {"rounds": 3})
    write_bundle(
        folder / "with",
        language="en",
        vocabulary=folder / "vocabulary.tsv",
        measures={name: folder / name for name in (*plain.measures, "human")},
        default="human",
    )
    return wordkin.load(folder / "with")


def human(bundle: Bundle) -> LearnedMeasure:
    measure = bundle.measures["human"]
    assert isinstance(measure, LearnedMeasure)
    return measure


def people(bundle: Bundle, weights: np.ndarray, items: int, seed: int) -> list[Item]:
    """Players who pick two of eight cards as a conditional logit with these weights has it."""
    rng, words = np.random.default_rng(seed), bundle.vocabulary.words
    made = []
    for at in range(items):
        ids = rng.choice(len(words), 9, replace=False)
        utility = human(bundle).features(np.full(8, ids[0]), ids[1:]) @ weights
        # The order of exponentials with these rates is the order of the picks.
        order = np.argsort(rng.exponential(size=8) / np.exp(utility))[:2]
        cards = tuple(words[i] for i in ids[1:])
        played = (Round(f"s{at % 40}", tuple(cards[i] for i in order)),)
        made.append(Item("en", str(at % 25), cards, (), words[ids[0]], 2, played))
    return made


def test_rows_and_pairs_are_symmetric_and_equal(bundle: Bundle) -> None:
    measure, size = human(bundle), len(bundle.vocabulary)
    rows = measure.rows(np.arange(size))
    assert rows == pytest.approx(rows.T, abs=1e-5)
    assert np.diag(rows).tolist() == [0.0] * size
    a, b = np.triu_indices(size, 1)
    assert measure.pairs(a, b) == pytest.approx(rows[a, b], abs=1e-5)
    assert rows[a, b] == pytest.approx(TEMPERATURE * measure.features(a, b) @ WEIGHTS, abs=1e-5)


def test_its_mean_over_random_pairs_is_0(bundle: Bundle) -> None:
    size = len(bundle.vocabulary)
    rows = human(bundle).rows(np.arange(size))
    assert rows[~np.eye(size, dtype=bool)].mean() == pytest.approx(0, abs=0.01)


@given(st.integers(0, 10**6))
def test_depth_is_the_logarithm_of_the_rank_at_the_knots(seed: int) -> None:
    values = np.sort(np.random.default_rng(seed).normal(size=2000).astype(np.float32))[::-1]
    knots = values[np.array(RANKS) - 1]
    assert depth(knots, knots[None]) == pytest.approx([math.log(r, 4) for r in RANKS], abs=1e-5)
    between = depth(values, knots[None])
    assert (np.diff(between) >= -1e-6).all()
    assert depth(values[:1] + 1, knots[None]).tolist() == [0]
    assert depth(values[-1:] - 1, knots[None]).tolist() == [len(RANKS) - 1]


def test_knots_are_the_ranked_values_of_each_word(bundle: Bundle) -> None:
    measure, size = bundle.measures["graph"], len(bundle.vocabulary)
    rows = -np.sort(-measure.rows(np.arange(size)), axis=1)
    knots = rank_knots(measure)
    assert size == 80
    ranked = [0, 3, 15, 63, 79]  # there is no 256th value, so the last one takes its place
    assert knots[:, :5] == pytest.approx(rows[:, ranked])
    assert (knots[:, 5] == knots[:, 4] - 1).all()


def test_rounding_does_not_move_the_lowest_value_by_a_rank(bundle: Bundle) -> None:
    knots = rank_knots(bundle.measures["svd"])
    lowest = knots[:, 4]
    for noise in (-1e-7, 1e-7):
        assert depth(lowest + np.float32(noise), knots) == pytest.approx(4, abs=1e-3)


def test_known_weights_come_back() -> None:
    rng = np.random.default_rng(1)
    features = rng.normal(size=(4000, 8, len(WEIGHTS)))
    orders = np.argsort(rng.exponential(size=(4000, 8)) / np.exp(features @ WEIGHTS), axis=1)
    cards = tuple("abcdefgh")
    items = [
        Item("en", "1", cards, (), f"c{at}", 2, (Round("s", tuple(cards[i] for i in order[:2])),))
        for at, order in enumerate(orders)
    ]
    assert fit(features, Picks(items), ridge=0.01) == pytest.approx(WEIGHTS, abs=0.1)


def test_no_other_weights_make_the_picks_likelier(bundle: Bundle) -> None:
    choices = gather(human(bundle), people(bundle, WEIGHTS, 500, seed=1), "en")
    found = fit(choices.features, choices.picks, ridge=0.0)
    best = log_chances(choices.features @ found, choices.picks, 1.0).sum()
    for step in (*0.1 * np.eye(len(found)), *-0.1 * np.eye(len(found))):
        assert log_chances(choices.features @ (found + step), choices.picks, 1.0).sum() < best


def test_a_strong_ridge_keeps_weights_small(bundle: Bundle) -> None:
    choices = gather(human(bundle), people(bundle, WEIGHTS, 100, seed=1), "en")
    weak, strong = (fit(choices.features, choices.picks, ridge) for ridge in (1.0, 1000.0))
    assert np.abs(strong).sum() < 0.5 * np.abs(weak).sum()


def test_learning_from_random_picks_finds_no_weights(bundle: Bundle) -> None:
    choices = gather(human(bundle), people(bundle, 0 * WEIGHTS, 120, seed=3), "en")
    found = learn(choices)
    judged = table_agreement(
        "x", found.left_out, choices.picks, choices.lookup.covered,
        resamples=200, seed=0, temperature=1,
    )  # fmt: skip
    chance = -(math.log(8) + math.log(7)) / 2
    assert judged.all["likelihood"].value == pytest.approx(chance, abs=0.05)


def test_a_board_is_judged_by_weights_that_were_fitted_without_it(bundle: Bundle) -> None:
    items = people(bundle, WEIGHTS, 60, seed=4)
    honest = learn(gather(human(bundle), items, "en"), seed=1)
    # Other picks on one board change that board's judgement in nothing.
    turned = [
        Item(i.language, i.board, i.words, i.blue, i.clue, 2, (Round("s", i.words[:2]),))
        if i.board == "3"
        else i
        for i in items
    ]
    other = learn(gather(human(bundle), turned, "en"), seed=1)
    same = [at for at, item in enumerate(items) if item.board == "3"]
    assert honest.left_out[same] == pytest.approx(other.left_out[same])
    assert honest.weights != pytest.approx(other.weights)


def test_folds_keep_groups_together() -> None:
    groups = [("en", str(i % 7)) for i in range(40)]
    folds = grouped_folds(groups, 3, seed=0)
    assert len({(g, f) for g, f in zip(groups, folds.tolist(), strict=True)}) == 7
    assert set(folds.tolist()) == {0, 1, 2}
    assert folds.tolist() == grouped_folds(groups, 3, seed=0).tolist()


def test_two_languages_can_be_learned_together(bundle: Bundle) -> None:
    one, two = (gather(human(bundle), people(bundle, WEIGHTS, 50, s), "en") for s in (5, 6))
    both = join([one, two])
    assert isinstance(both, Choices)
    assert both.features == pytest.approx(np.concatenate([one.features, two.features]))
    assert both.utilities(WEIGHTS)[50:] == pytest.approx(two.utilities(WEIGHTS))
    assert len(both.picks) == len(one.picks) + len(two.picks)


def test_the_saved_measure_is_the_model_that_was_fitted(bundle: Bundle) -> None:
    items = people(bundle, WEIGHTS, 200, seed=7)
    choices = gather(human(bundle), items, "en")
    found = agreement(human(bundle), items, "en", resamples=10)
    table = choices.utilities(WEIGHTS)
    wanted = table_agreement(
        "x", table, choices.picks, choices.lookup.covered, resamples=10, seed=0
    )
    assert found.all["precision"] == pytest.approx(wanted.all["precision"])
    # The guesser's default temperature is the fitted one: people picked with utilities at 1.
    assert wanted.temperature == pytest.approx(found.temperature / TEMPERATURE, rel=1e-3)


def test_every_agent_can_use_it(bundle: Bundle) -> None:
    board = wordkin.Board.of(ours=["piano", "mouse"], theirs=["bison"], assassin=["ship"])
    clue = Spymaster(bundle).clue(board, 2)
    assert {card.word for card in clue.targets} == {"piano", "mouse"}
    assert Guesser(bundle).guess(clue.word, 1, board.words)[0] in {"piano", "mouse"}


def test_the_explanation_lists_what_each_part_adds(bundle: Bundle) -> None:
    explanation = bundle.explain("piano", "violin")
    shares = [*explanation.shares, explanation.frequency]
    assert sum(shares) == pytest.approx(explanation.relatedness, abs=1e-5)
    assert [part.measure for part in explanation.parts] == ["npmi", "graph", "svd"]
    assert "graph" in str(explanation) and "frequency" in str(explanation)


def test_unknown_words_have_features_of_0(bundle: Bundle) -> None:
    item = Item("en", "1", ("piano", "whelk"), (), "unheard", 1, (Round("s", ("whelk",)),))
    choices = gather(human(bundle), [item], "en")
    assert choices.features.tolist() == np.zeros((1, 2, len(WEIGHTS))).tolist()
    assert isinstance(choices.picks, Picks)


def test_parts_must_be_published_with_it(bundle: Bundle, tmp_path: Path) -> None:
    with pytest.raises(InputError, match="publish that"):
        write_bundle(
            tmp_path / "bundle",
            language="en",
            vocabulary=bundle.folder / "vocabulary.tsv",
            measures={name: bundle.folder / name for name in ("npmi", "graph", "human")},
            default="human",
        )


@pytest.mark.parametrize("key", ["standing", "frequency", "parts"])
def test_a_damaged_description_is_refused(bundle: Bundle, tmp_path: Path, key: str) -> None:
    for name in bundle.measures:
        (tmp_path / name).symlink_to(bundle.folder / name)
    (tmp_path / "human").unlink()
    (tmp_path / "human").mkdir()
    (tmp_path / "human" / "knots.npy").symlink_to(bundle.folder / "human" / "knots.npy")
    described = json.loads((bundle.folder / "human" / "measure.json").read_text())
    del described[key]
    (tmp_path / "human" / "measure.json").write_text(json.dumps(described))
    with pytest.raises(InputError, match="make it again"):
        open_measure(tmp_path / "human", bundle.vocabulary)


def test_knots_of_another_build_are_refused(bundle: Bundle, tmp_path: Path) -> None:
    for name in ("npmi", "graph", "svd"):
        (tmp_path / name).symlink_to(bundle.folder / name)
    write_learned(tmp_path / "human", human(bundle), {})
    np.save(tmp_path / "human" / "knots.npy", human(bundle).knots[:, :2])
    with pytest.raises(InputError, match=r"knots\.npy has a wrong size"):
        open_measure(tmp_path / "human", bundle.vocabulary)
