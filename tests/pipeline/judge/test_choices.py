"""Learning weights from picks: known weights come back, and folds keep boards apart."""

from __future__ import annotations

import math

import numpy as np
import pytest

from pipeline.judge.agreement import agreement, table_agreement
from pipeline.judge.choices import Choices, fit, grouped_folds, log_chances
from pipeline.judge.picks import Picks
from tests.support.bundles import WEIGHTS, human, make_learned_bundle
from wordkin.bundle import Bundle
from wordkin.game.rounds import Item, Round
from wordkin.measures.learned import TEMPERATURE


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return make_learned_bundle(tmp_path_factory.mktemp("learned"))


def people(bundle: Bundle, weights: np.ndarray, items: int, seed: int) -> list[Item]:
    """Players who pick two of eight cards by a conditional logit with these weights."""
    rng, words = np.random.default_rng(seed), bundle.vocabulary.words
    played = []
    for at in range(items):
        ids = rng.choice(len(words), 9, replace=False)
        utility = human(bundle).features(np.full(8, ids[0]), ids[1:]) @ weights
        # The order of exponentials with these rates is the order of the picks.
        order = np.argsort(rng.exponential(size=8) / np.exp(utility))[:2]
        cards = tuple(words[i] for i in ids[1:])
        rounds = (Round(f"s{at % 40}", tuple(cards[i] for i in order)),)
        played.append(Item("en", str(at % 25), cards, (), words[ids[0]], 2, rounds))
    return played


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
    choices = Choices.of(human(bundle), people(bundle, WEIGHTS, 500, seed=1), "en")
    weights = fit(choices.features, choices.picks, ridge=0.0)
    best = log_chances(choices.features @ weights, choices.picks, 1.0).sum()
    for step in (*0.1 * np.eye(len(weights)), *-0.1 * np.eye(len(weights))):
        assert log_chances(choices.features @ (weights + step), choices.picks, 1.0).sum() < best


def test_a_strong_ridge_keeps_weights_small(bundle: Bundle) -> None:
    choices = Choices.of(human(bundle), people(bundle, WEIGHTS, 100, seed=1), "en")
    weak, strong = (fit(choices.features, choices.picks, ridge) for ridge in (1.0, 1000.0))
    assert np.abs(strong).sum() < 0.5 * np.abs(weak).sum()


def test_learning_from_random_picks_finds_no_weights(bundle: Bundle) -> None:
    choices = Choices.of(human(bundle), people(bundle, 0 * WEIGHTS, 120, seed=3), "en")
    chance = -(math.log(8) + math.log(7)) / 2
    likelihood = log_chances(choices.left_out(), choices.picks).mean()
    assert likelihood == pytest.approx(chance, abs=0.05)


def test_a_board_is_judged_by_weights_that_were_fitted_without_it(bundle: Bundle) -> None:
    items = people(bundle, WEIGHTS, 60, seed=4)
    honest = Choices.of(human(bundle), items, "en")
    # Other picks on a board must not change how that board is judged.
    changed = [
        Item(i.language, i.board, i.words, i.blue, i.clue, 2, (Round("s", i.words[:2]),))
        if i.board == "3"
        else i
        for i in items
    ]
    other = Choices.of(human(bundle), changed, "en")
    same = np.array([item.board == "3" for item in items])
    assert honest.left_out(1)[same] == pytest.approx(other.left_out(1)[same])
    assert honest.left_out(1)[~same] != pytest.approx(other.left_out(1)[~same])


def test_folds_keep_groups_together() -> None:
    groups = [("en", str(i % 7)) for i in range(40)]
    folds = grouped_folds(groups, 3, seed=0)
    assert len({(g, f) for g, f in zip(groups, folds.tolist(), strict=True)}) == 7
    assert set(folds.tolist()) == {0, 1, 2}
    assert folds.tolist() == grouped_folds(groups, 3, seed=0).tolist()


def test_the_measure_agrees_with_people_as_its_weights_do(bundle: Bundle) -> None:
    items = people(bundle, WEIGHTS, 200, seed=7)
    choices = Choices.of(human(bundle), items, "en")
    by_measure = agreement(human(bundle), items, "en", resamples=10)
    table = choices.utilities(WEIGHTS)
    by_weights = table_agreement(
        "x", table, choices.picks, choices.lookup.covered, resamples=10, seed=0
    )
    assert by_measure.all["precision"] == pytest.approx(by_weights.all["precision"])
    assert by_measure.temperature is not None
    # The guesser's default temperature is the fitted one: people picked with utilities at 1.
    assert by_weights.temperature == pytest.approx(by_measure.temperature / TEMPERATURE, rel=1e-3)


def test_unknown_words_have_features_of_0(bundle: Bundle) -> None:
    item = Item("en", "1", ("piano", "whelk"), (), "unheard", 1, (Round("s", ("whelk",)),))
    choices = Choices.of(human(bundle), [item], "en")
    assert choices.features.tolist() == np.zeros((1, 2, len(WEIGHTS))).tolist()
    assert isinstance(choices.picks, Picks)
