"""Measures of resolved words: through a bundle, as a program asks for them."""

from __future__ import annotations

from dataclasses import asdict

import numpy as np
import pytest

import wordkin
from wordkin.bundle import Bundle
from wordkin.errors import NoExplanation
from wordkin.language.resolved import Resolved, resolved_columns, resolved_rows


@pytest.mark.parametrize("measure", ["npmi", "graph", "svd", "npmi+svd"])
def test_known_words_have_exactly_the_values_of_the_measure(bundle: Bundle, measure: str) -> None:
    direct = bundle.measure(measure)
    for a, b in (("piano", "mouse"), ("piano", "piano"), ("nurse", "oak")):
        assert bundle.relatedness(a, b, measure) == direct.relatedness(a, b)
    np.testing.assert_array_equal(bundle.row("piano", measure), direct.row("piano"))
    assert bundle.nearest("piano", 7, measure) == direct.nearest("piano", 7)
    assert bundle.explain("piano", "flute", measure) == direct.explain(
        "piano", "flute", bundle.measures
    )


def test_a_compound_has_the_weighted_mean_of_its_parts(bundle: Bundle) -> None:
    expected = 0.4 * bundle.relatedness("snow", "ship") + 0.6 * bundle.relatedness("tower", "ship")
    assert bundle.relatedness("snowtower", "ship") == pytest.approx(expected)
    assert bundle.relatedness("ship", "snowtower") == pytest.approx(expected)
    row = bundle.row("snowtower")
    assert row[bundle.vocabulary.id("ship")] == pytest.approx(expected)


def test_a_word_is_as_close_to_what_it_stands_for_as_any_two_words_are(bundle: Bundle) -> None:
    assert bundle.resolve("harbour").words[0].word == "harbor"
    closest = bundle.row("harbor").max()
    assert bundle.relatedness("harbour", "harbor") == pytest.approx(closest)
    assert bundle.relatedness("harbor", "harbor") == 0
    assert bundle.nearest("harbour", 1)[0][0] == "harbor"


def test_row_nearest_and_relatedness_agree_on_resolved_words(bundle: Bundle) -> None:
    row = bundle.row("pianos")
    for word, value in bundle.nearest("pianos", 20):
        assert row[bundle.vocabulary.id(word)] == value
        assert bundle.relatedness("pianos", word) == pytest.approx(value)


@pytest.mark.parametrize("measure", ["npmi", "graph", "svd", "npmi+svd"])
def test_a_few_columns_are_those_of_the_rows(bundle: Bundle, measure: str) -> None:
    cards = ["piano", "harbour", "snowtower", "ice tree", "pianos"]
    resolutions = [bundle.resolve(card) for card in cards]
    ids = [bundle.vocabulary.id(word) for word in ("ship", "harbor", "tower", "tree", "piano")]
    rows = resolved_rows(bundle.measure(measure), resolutions)
    among = bundle.measure(measure).among(ids)
    columns = resolved_columns(among, resolutions)
    np.testing.assert_allclose(columns, rows[:, ids], atol=1e-6)
    assert resolved_columns(among, []).shape == (0, 5)


def test_an_explanation_says_what_the_words_stand_for(bundle: Bundle) -> None:
    reason = bundle.explain("snowtower", "ship", "npmi")
    assert isinstance(reason, Resolved)
    assert reason.relatedness == bundle.relatedness("snowtower", "ship", "npmi")
    assert str(reason).startswith("snowtower: from snow + tower; ")
    data = asdict(reason)
    assert [(item["word"], item["known"]) for item in data["resolved"]] == [("snowtower", False)]
    assert data["reason"]["b"] == "ship"


def test_two_spellings_of_one_word_have_no_explanation(bundle: Bundle) -> None:
    with pytest.raises(NoExplanation, match="'harbour' and 'harbor' stand for the same word"):
        bundle.explain("harbour", "harbor")


def test_a_clue_names_the_cards_that_were_resolved(bundle: Bundle) -> None:
    board = wordkin.Board.of(["snowtower", "piano"], ["bison"])
    spymaster = wordkin.Spymaster(bundle, "npmi")
    clue = spymaster.explained(spymaster.clue(board, 2))
    assert [item.word for item in clue.resolved] == ["snowtower"]
    assert clue.as_dict()["resolved"][0]["known"] is False
    (why,) = [card.why for card in clue.targets if card.word == "snowtower"]
    assert why is not None
    assert why.startswith("snowtower: from snow + tower; ")


def test_a_clue_never_gives_a_resolved_card_away(bundle: Bundle) -> None:
    for card in ("harbours", "nurses"):
        clue = wordkin.Spymaster(bundle).clue(wordkin.Board.of([card], ["bison"]), 1)
        assert clue.word not in {"harbor", "nurse", "nursing"}


def test_a_guesser_understands_resolved_clues_and_cards(bundle: Bundle) -> None:
    guesser = wordkin.Guesser(bundle)
    assert guesser.understands("Harbour")
    assert guesser.guess("harbours", 1, ["nurses", "sailors", "book"]) == ["sailors"]
