"""The agents of the papers: who plays with the measures that a bundle has."""

from __future__ import annotations

from wordkin.game.lineup import paper_guessers, paper_spymasters


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
