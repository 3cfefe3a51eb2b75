"""Agreement with people: rounds made by hand, and slow oracles for the fast functions."""

from __future__ import annotations

import math
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import wordkin
from pipeline.judge.agreement import (
    agreement,
    between_people,
    chance,
    difference,
    first_cards,
    round_scores,
    table_agreement,
)
from pipeline.judge.choices import fit_temperature, log_chances
from pipeline.judge.picks import Lookup, Picks, coverage, relatedness_table
from tests.support.bundles import make_bundle
from wordkin.bundle import Bundle
from wordkin.game.rounds import Item, Round, read_rounds
from wordkin.intervals import bootstrap_means

CARDS = ("mouse", "piano", "bison", "tree", "bread", "ship")


def item(clue: str, number: int, *picks: str, board: str = "1") -> Item:
    """An item on the hand-made board; each round is written as `session: card card`."""
    rounds = []
    for text in picks:
        session, cards = text.split(":")
        rounds.append(Round(session, tuple(cards.split())))
    return Item("en", board, CARDS, CARDS[:3], clue, number, tuple(rounds))


ITEMS = [
    item("keyboard", 2, "a: mouse piano", "b: piano tree bison"),
    item("cheese", 1, "a: bread"),
    item("unheard", 2, "c: ship bread", board="2"),
]


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return wordkin.load(make_bundle(tmp_path_factory.mktemp("agreement")))


def test_the_statistics_of_hand_made_rounds(bundle: Bundle) -> None:
    result = agreement(bundle.measures["graph"], ITEMS, "en", resamples=200)
    # keyboard: the first two cards are mouse and piano; player a took both, player b one of them.
    # cheese: the first card is bread. unheard: all six cards are equal, so two are chance.
    assert result.all["precision"].value == pytest.approx((1 + 1 / 2 + 1 + 2 / 6) / 4)
    assert result.known["precision"].value == pytest.approx((1 + 1 / 2 + 1) / 3)
    assert result.all["first"].value == pytest.approx((1 + 0 + 1 + 1 / 6) / 4)
    assert (result.rounds, result.covered, result.name) == (4, 3, "graph")
    for estimate in (*result.all.values(), *result.known.values()):
        assert estimate.low <= estimate.value <= estimate.high


def test_chance_takes_every_card_equally_often() -> None:
    result = chance(ITEMS, resamples=50)
    assert result.all["precision"].value == pytest.approx((2 / 6 + 2 / 6 + 1 / 6 + 2 / 6) / 4)
    assert result.all["first"].value == pytest.approx(1 / 6)
    two = -(math.log(6) + math.log(5)) / 2
    assert result.all["likelihood"].value == pytest.approx((3 * two - math.log(6)) / 4)


def test_people_are_compared_with_the_other_players_of_their_item() -> None:
    items = [item("keyboard", 2, "a: mouse piano", "b: piano mouse", "c: mouse tree"), ITEMS[1]]
    result = between_people(items, resamples=50)
    # a and b share two cards; a and c share one, which both took first; b and c share one.
    assert result.known["precision"].value == pytest.approx((1.5 / 2 + 1.5 / 2 + 1 / 2) / 3)
    assert result.known["first"].value == pytest.approx((1 / 2 + 0 + 1 / 2) / 3)
    assert (result.rounds, result.covered, result.temperature) == (4, 3, None)


def test_coverage_counts_each_word_once(bundle: Bundle) -> None:
    odd = Item("en", "3", ("mouse", "whelk"), ("mouse",), "oak", 1, (Round("d", ("mouse",)),))
    picks = Picks([*ITEMS, odd])
    result = coverage(picks, Lookup.of(picks, bundle.vocabulary, "en"))
    assert result == {"clues": (3, 4), "cards": (6, 7), "boards": (2, 3), "rounds": (4, 5)}


def test_an_unknown_card_is_as_related_as_the_least_related_one(bundle: Bundle) -> None:
    odd = Item("en", "3", ("mouse", "whelk", "bread"), (), "keyboard", 1, ())
    picks = Picks([odd])
    (row,) = relatedness_table(bundle.measures["graph"], Lookup.of(picks, bundle.vocabulary, "en"))
    assert row[1] == row[2] < row[0]


def test_a_form_finds_words_that_the_vocabulary_lacks_as_written(bundle: Bundle) -> None:
    items = [item("keyboards", 1, "a: mouse")]
    assert agreement(bundle.measures["graph"], items, "en", resamples=10).covered == 0
    result = agreement(
        bundle.measures["graph"], items, "en", form=lambda word: word.rstrip("s"), resamples=10
    )
    assert (result.covered, result.all["precision"].value) == (1, 1)


def test_resolving_finds_unknown_clues_and_cards(bundle: Bundle) -> None:
    odd = Item("en", "3", ("bread", "mouses", "whelk"), (), "pianos", 1, (Round("d", ("mouses",)),))
    plain = agreement(bundle.measures["graph"], [odd], "en", resamples=10)
    assert plain.all["precision"].value == pytest.approx(1 / 3)
    result = agreement(
        bundle.measures["graph"], [odd], "en", resolve=bundle.try_resolve, resamples=10
    )
    assert result.all["precision"].value in (0, 1)
    assert (plain.covered, result.covered) == (0, 0)
    picks = Picks([odd])
    lookup = Lookup.of(picks, bundle.vocabulary, "en", resolve=bundle.try_resolve)
    assert (lookup.covered.tolist(), lookup.in_vocabulary.tolist()) == ([True], [False])
    assert coverage(picks, lookup)["cards"] == (1, 3)
    assert lookup.known.tolist() == [[True, True, False]]  # the bundle has no subwords
    (row,) = relatedness_table(bundle.measures["graph"], lookup)
    assert row[0] == pytest.approx(bundle.relatedness("pianos", "bread"))
    assert row[1] == pytest.approx(bundle.relatedness("pianos", "mouses"))
    assert row[2] == min(row)


def test_a_resolved_clue_is_close_to_the_card_that_it_stands_for(bundle: Bundle) -> None:
    odd = Item("en", "3", ("harbor", "bread", "snow"), (), "snowharbors", 1, ())
    lookup = Lookup.of(Picks([odd]), bundle.vocabulary, "en", resolve=bundle.try_resolve)
    (row,) = relatedness_table(bundle.measures["graph"], lookup)
    expected = [bundle.relatedness("snowharbors", card) for card in odd.words]
    np.testing.assert_allclose(row, expected)


def test_resolving_changes_nothing_for_known_words(bundle: Bundle) -> None:
    known = [item("keyboard", 2, "a: mouse piano")]
    measure = bundle.measures["graph"]
    plain = agreement(measure, known, "en", resamples=10)
    resolved = agreement(measure, known, "en", resolve=bundle.try_resolve, resamples=10)
    assert (plain.all, plain.known) == (resolved.all, resolved.known)


def test_a_card_of_several_words_is_the_mean_of_its_parts(bundle: Bundle) -> None:
    odd = Item("en", "3", ("mouse piano", "bread"), (), "keyboard", 1, ())
    picks = Picks([odd])
    measure = bundle.measures["graph"]
    (row,) = relatedness_table(measure, Lookup.of(picks, bundle.vocabulary, "en"))
    both = [measure.relatedness("keyboard", word) for word in ("mouse", "piano")]
    assert row[0] == pytest.approx(sum(both) / 2)


@given(st.lists(st.integers(0, 3), min_size=1, max_size=6), st.data())
def test_first_cards_are_the_mean_over_all_ways_to_break_ties(
    values: list[int], data: st.DataObject
) -> None:
    number = data.draw(st.integers(1, len(values)))
    (shares,) = first_cards(
        np.array([values], dtype=float), np.array([number]), np.ones((1, len(values)), bool)
    )
    sets = list(combinations(range(len(values)), number))
    best = max(sum(values[i] for i in chosen) for chosen in sets)
    tops = [chosen for chosen in sets if sum(values[i] for i in chosen) == best]
    expected = [sum(i in chosen for chosen in tops) / len(tops) for i in range(len(values))]
    assert shares == pytest.approx(expected)


def plain_log_chance(values: list[float], picked: list[int], temperature: float) -> float:
    """The oracle: one pick after the other, from fewer and fewer cards."""
    left, total = list(range(len(values))), 0.0
    for card in picked:
        weights = {i: math.exp(values[i] / temperature) for i in left}
        total += math.log(weights[card] / sum(weights.values()))
        left.remove(card)
    return total / len(picked)


@given(st.integers(0, 10**6), st.floats(0.1, 3))
def test_log_chances_are_those_of_the_oracle(seed: int, temperature: float) -> None:
    rng = np.random.default_rng(seed)
    items = []
    for at in range(5):
        cards = [f"w{i}" for i in range(rng.integers(3, 7))]
        number = int(rng.integers(1, 4))
        picks = tuple(cards[i] for i in rng.permutation(len(cards))[:number])
        items.append(Item("en", str(at), tuple(cards), (), "c", number, (Round("s", picks),)))
    arrays = Picks(items)
    table = rng.normal(size=arrays.on_table.shape)
    chances = log_chances(table, arrays, temperature)
    for at, played in enumerate(items):
        places = [played.words.index(card) for card in played.rounds[0].picks]
        values = table[at, : len(played.words)].tolist()
        assert chances[at] == pytest.approx(plain_log_chance(values, places, temperature))


def softmax_players(table: np.ndarray, temperature: float, number: int, seed: int) -> list[Item]:
    """Items with one round each, of players who pick by softmax."""
    rng = np.random.default_rng(seed)
    items = []
    for at, row in enumerate(table):
        # Exponential waiting times with these rates end in the order of softmax picks.
        order = np.argsort(rng.exponential(size=len(row)) / np.exp(row / temperature))
        cards = tuple(f"w{i}" for i in range(len(row)))
        picks = tuple(cards[i] for i in order[:number])
        session = (Round(f"s{at % 20}", picks),)
        items.append(Item("en", str(at % 30), cards, (), f"c{at}", number, session))
    return items


def test_the_temperature_of_softmax_players_is_found() -> None:
    table = np.random.default_rng(1).normal(size=(3000, 10))
    picks = Picks(softmax_players(table, 0.7, 2, seed=2))
    assert fit_temperature(table, picks) == pytest.approx(0.7, rel=0.05)
    assert fit_temperature(np.zeros_like(table), picks) == 1.0


def test_picks_after_the_number_do_not_count() -> None:
    picks = Picks([ITEMS[0]])
    assert picks.picked.tolist() == [[0, 1], [1, 3]]


@given(st.integers(0, 10**6))
def test_the_bootstrap_draws_whole_sessions(seed: int) -> None:
    scores, session = np.array([1.0, 1.0, 0.0]), np.array([0, 0, 1])
    means = bootstrap_means(scores, session, resamples=40, seed=seed)
    # A draw has two sessions: twice the first, twice the second, or both.
    assert set(np.round(means, 6).tolist()) <= {0.0, 1.0, round(2 / 3, 6)}
    again = bootstrap_means(scores, session, resamples=40, seed=seed)
    assert means.tolist() == again.tolist()


def test_two_guessers_are_compared_draw_by_draw() -> None:
    table = np.random.default_rng(1).normal(size=(200, 10))
    picks = Picks(softmax_players(table, 0.5, 2, seed=2))
    everything = np.ones(200, dtype=bool)
    noisy = table + np.random.default_rng(3).normal(size=table.shape)
    good, bad = (
        table_agreement(name, values, picks, everything, resamples=300, seed=0)
        for name, values in (("good", table), ("bad", noisy))
    )
    result = difference(good, bad)
    assert result.sure and result.low < result.value < result.high
    assert difference(good, good) == (0, 0, 0)
    with pytest.raises(ValueError, match="same rounds"):
        difference(good, chance(ITEMS, resamples=300))


def test_each_round_has_its_own_scores() -> None:
    table = np.arange(6, dtype=float)[::-1][None]
    scores = round_scores(table, Picks([ITEMS[0]]), 1.0)
    assert scores["precision"].tolist() == [1, 0.5]
    assert scores["first"].tolist() == [1, 0]


def test_the_people_of_the_recorded_rounds_agree_as_published(mirror: Path) -> None:
    path = mirror / "human" / "rounds_hu.jsonl"
    if not path.is_file():
        pytest.skip("the mirror folder has no recorded rounds")
    assert between_people(read_rounds(path), resamples=10).known[
        "precision"
    ].value == pytest.approx(0.556, abs=0.001)
