"""Agents by name: what people write, and the players that it makes."""

from __future__ import annotations

import pytest

from wordkin.bundle import Bundle
from wordkin.errors import InputError, UnknownMeasure
from wordkin.game.agents import (
    make_guesser,
    make_spymaster,
    paper_guessers,
    paper_spymasters,
    parse_guesser,
    parse_spymaster,
)
from wordkin.game.scoring import SCORINGS, Options


def test_agents_are_a_measure_and_a_style() -> None:
    assert parse_spymaster("svd")[:2] == ("svd", "worth")
    assert parse_spymaster("npmi+svd/kim")[:2] == ("npmi+svd", "kim")
    assert parse_guesser("svd")[:2] == ("svd", "closest")
    assert parse_guesser("svd/softmax")[:2] == ("svd", "softmax")
    assert str(parse_guesser("svd")) == "svd/closest"


def test_agents_have_settings() -> None:
    text = "npmi/kim:threshold=0.3,rarity=2"
    player = parse_spymaster(text)
    assert player.settings == (("threshold", 0.3), ("rarity", 2.0))
    assert str(player) == text
    assert parse_guesser("svd:temperature=0.1").settings == (("temperature", 0.1),)


@pytest.mark.parametrize("text", ["svd/", "/kim", "svd/poker", "", ":rarity=2"])
def test_other_texts_are_not_agents(text: str) -> None:
    with pytest.raises(InputError, match="is not a player"):
        parse_spymaster(text)


@pytest.mark.parametrize("settings", ["", "rarity", "luck=1", "rarity=nan", "rarity=x", "slope=1"])
def test_other_settings_are_refused(settings: str) -> None:
    with pytest.raises(InputError, match="write settings as name=number"):
        parse_spymaster(f"svd:{settings}")


def test_a_setting_is_named_once() -> None:
    with pytest.raises(InputError, match="has a setting twice"):
        parse_guesser("svd:temperature=1,temperature=2")


def test_names_make_players(bundle: Bundle) -> None:
    spymaster = make_spymaster(bundle, parse_spymaster("svd/kim:threshold=0.3,rarity=2"))
    assert (spymaster.measure.name, spymaster.rarity) == ("svd", 2.0)
    assert spymaster.options == Options(threshold=0.3)
    assert spymaster.scoring is SCORINGS["kim"]
    guesser = make_guesser(bundle, parse_guesser("graph/softmax:temperature=0.1"), seed=3)
    assert (guesser.measure.name, guesser.habits.temperature) == ("graph", 0.1)
    with pytest.raises(UnknownMeasure):
        make_spymaster(bundle, parse_spymaster("word2vec"))


def test_every_paper_has_its_spymasters() -> None:
    entrants = {str(e.player): e.paper for e in paper_spymasters(["npmi", "svd", "fasttext"])}
    assert entrants["fasttext/kim:threshold=0.3"] == "Kim et al. 2019, bold"
    assert "fasttext/koyyalagunta:rarity=2" in entrants
    assert "fasttext/expected" in entrants
    assert entrants["fasttext/centroid"] == "fastText report, centroid search"
    scorings = ("koyyalagunta", "koyy-restrict", "harmonic", "harmonic-divide")
    assert [name for name in entrants if name.startswith("npmi/")] == [
        f"npmi/{scoring}" for scoring in scorings
    ]
    assert not any(name.startswith("svd/") for name in entrants)


def test_other_vectors_stand_in_for_those_that_are_missing() -> None:
    measures = {entrant.player.measure for entrant in paper_spymasters(["npmi", "svd"])}
    assert measures == {"npmi", "svd"}
    assert {entrant.player.measure for entrant in paper_guessers(["squared", "svd"])} == {"svd"}
    assert paper_spymasters(["squared"]) == []


def test_the_guessers_are_the_closest_card_and_the_probabilistic_one() -> None:
    names = [str(entrant.player) for entrant in paper_guessers(["npmi", "fasttext"])]
    assert names == ["fasttext/closest", "fasttext/sigmoid", "npmi/closest"]
