"""The guesser: the closest cards, or cards picked at random by the chances of a model."""

from __future__ import annotations

import math
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.bundles import TOPICS, relatedness
from wordkin.bundle import Bundle
from wordkin.errors import InputError, UnknownWord
from wordkin.game.guesser import MODELS, Guesser, Habits, sigmoid, softmax

WORDS, VALUES = relatedness(TOPICS)
CARDS = ["mouse", "piano", "bison", "tree", "bread", "ship"]


def test_cards_are_ranked_by_relatedness(bundle: Bundle) -> None:
    ranked = Guesser(bundle).rank("keyboard", CARDS)
    row = VALUES[WORDS.index("keyboard")]
    plain = sorted(CARDS, key=lambda word: -row[WORDS.index(word)])
    assert [guess.word for guess in ranked] == plain
    assert [guess.chance for guess in ranked] == [1, 0, 0, 0, 0, 0]
    assert Guesser(bundle).guess("keyboard", 2, CARDS) == ["mouse", "piano"]


def test_unknown_cards_come_last_and_capitals_do_not_matter(bundle: Bundle) -> None:
    ranked = Guesser(bundle, model="softmax").rank("KEYBOARD", ["Zzyzx", "BISON", "Piano"])
    assert [guess.word for guess in ranked] == ["Piano", "BISON", "Zzyzx"]
    assert (ranked[2].relatedness, ranked[2].chance) == (0, 0)
    assert Guesser(bundle).guess("keyboard", 3, ["zzyzx", "qwerty"]) == ["zzyzx", "qwerty"]


def test_an_unknown_clue_is_refused_with_near_spellings(bundle: Bundle) -> None:
    guesser = Guesser(bundle)
    assert not guesser.understands("qeyboard")
    assert guesser.understands("Keyboard")
    with pytest.raises(InputError, match=r"'qeyboard' is not in the vocabulary.*keyboard"):
        guesser.rank("qeyboard", CARDS)


def test_an_unknown_model_is_refused(bundle: Bundle) -> None:
    with pytest.raises(InputError, match="no guesser 'oracle': use closest, softmax, sigmoid"):
        Guesser(bundle, model="oracle")


values = st.lists(st.floats(-1, 1), min_size=1, max_size=25).map(np.array)


@given(values)
def test_softmax_is_its_formula(cards: np.ndarray) -> None:
    weights = [math.exp(value / 0.25) for value in cards]
    plain = [weight / sum(weights) for weight in weights]
    np.testing.assert_allclose(softmax(cards, Habits(temperature=0.25)), plain)


@given(values)
def test_the_sigmoid_model_considers_the_closest_fifth(cards: np.ndarray) -> None:
    chances = sigmoid(cards, Habits())
    order = sorted(range(len(cards)), key=lambda i: (-cards[i], i))
    considered = order[: max(1, math.ceil(0.2 * len(cards)))]
    weights = {i: 1 / (1 + math.exp(-20 * (cards[i] - 0.3))) for i in considered}
    plain = [weights.get(i, 0) / sum(weights.values()) for i in range(len(cards))]
    np.testing.assert_allclose(chances, plain, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("model", ["softmax", "sigmoid"])
def test_cards_are_picked_as_often_as_their_chances_say(bundle: Bundle, model: str) -> None:
    guesser = Guesser(bundle, model=model, habits=Habits(temperature=0.3), seed=5)
    picks = Counter(guesser.guess("keyboard", 1, CARDS)[0] for _ in range(2000))
    for guess in guesser.rank("keyboard", CARDS):
        spread = 5 * math.sqrt(guess.chance * (1 - guess.chance) / 2000) + 1e-9
        assert picks[guess.word] / 2000 == pytest.approx(guess.chance, abs=spread)


@pytest.mark.parametrize("model", sorted(MODELS))
def test_the_same_seed_makes_the_same_guesses_and_never_twice(bundle: Bundle, model: str) -> None:
    first, second = (Guesser(bundle, model=model, seed=9) for _ in range(2))
    for number in (1, 3, 6, 9):
        guessed = first.guess("keyboard", number, CARDS)
        assert guessed == second.guess("keyboard", number, CARDS)
        assert len(guessed) == len(set(guessed)) == min(number, len(CARDS))


def test_a_guesser_remembers_clues_without_changing_its_mind(bundle: Bundle) -> None:
    guesser = Guesser(bundle)
    for clue in [*WORDS, *WORDS]:  # more clues than it remembers
        for cards in (CARDS, CARDS[2:], ["zzyzx", *CARDS[:2]], []):
            assert (
                guesser.relatedness(clue, cards).tolist()
                == Guesser(bundle).relatedness(clue, cards).tolist()
            )
    with pytest.raises(UnknownWord):
        guesser.relatedness("zzyzx", [])
