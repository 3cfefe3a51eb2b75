"""Players for the competition, called in the way of its two frameworks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.bundles import TOPICS, relatedness
from tests.support.frameworks import PASSED, Deal, play_solitaire, play_two_teams
from wordkin.bundle import Bundle
from wordkin.errors import InputError
from wordkin.game.clue import Clue
from wordkin.game.scoring import SCORINGS
from wordkin.game.views import GuesserView, PastClue, Pick, SpymasterView
from wordkin.players.competition import Codemaster, Guesser

WORDS, _ = relatedness(TOPICS)
STRANGE = ["zzyzx", "loch ness", "qwrtz", "x-ray", "1984", "żółw", "ice cream", "ab", "o'neil"]
SOLITAIRE = {"Red": 8, "Blue": 7, "Civilian": 9, "Assassin": 1}
TWO_TEAMS = {"Red": 9, "Blue": 8, "Civilian": 7, "Assassin": 1}


@pytest.fixture(autouse=True)
def no_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LANG", "MEASURE", "SCORING", "RISK"):
        monkeypatch.delenv(f"WORDKIN_{name}", raising=False)


def pair(bundle: Bundle, team: str) -> tuple[Codemaster, Guesser]:
    return Codemaster(team, bundle=bundle), Guesser(team, bundle=bundle)


# Whole games.


@pytest.mark.slow
def test_no_game_of_one_team_ends_in_an_error(bundle: Bundle) -> None:
    results = []
    for seed in range(50):
        # A third of the boards have cards that nobody knows.
        deal = Deal.of(WORDS + STRANGE * (seed % 3 == 0), SOLITAIRE, seed)
        codemaster = Codemaster(bundle=bundle, **PASSED)
        results.append(play_solitaire(deal, codemaster, Guesser(bundle=bundle, **PASSED)))
    assert results.count("win") > 30


@pytest.mark.slow
@pytest.mark.parametrize("reports", [True, False])
@pytest.mark.parametrize("limits", [True, False])
def test_no_game_of_two_teams_ends_in_an_error(bundle: Bundle, reports: bool, limits: bool) -> None:
    for seed in range(40 if reports and limits else 10):
        deal = Deal.of(WORDS + STRANGE * (seed % 3 == 0), TWO_TEAMS, seed)
        players = {team: pair(bundle, team) for team in ("Red", "Blue")}
        winner = play_two_teams(deal, players, reports=reports, limits=limits)
        assert winner in players
        if reports:
            codemaster, guesser = players["Blue"]
            assert codemaster.get_move_history() is guesser.get_move_history()


def test_boards_of_unknown_cards_are_played_to_an_end(bundle: Bundle) -> None:
    for seed in range(20):
        deal = Deal.of([f"qx{at}zv" for at in range(30)], SOLITAIRE, seed)
        result = play_solitaire(deal, Codemaster(bundle=bundle), Guesser(bundle=bundle))
        assert result in ("win", "loss")


def test_more_turns_than_the_vocabulary_has_words_still_have_clues(bundle: Bundle) -> None:
    codemaster = Codemaster(bundle=bundle)
    codemaster.set_game_state(["PIANO", "MOUSE", "SHIP"], ["Red", "Red", "Blue"])
    clues = [codemaster.get_clue()[0] for _ in range(len(WORDS) + 5)]
    assert len(set(clues)) == len(clues)


# What the players see.


def test_a_blue_codemaster_gives_clues_for_blue_cards(bundle: Bundle) -> None:
    words = ["PIANO", "MOUSE", "*Red*", "BISON", "TREE"]
    key = ["Blue", "Blue", "Red", "Red", "Assassin"]
    codemaster = Codemaster("Blue", bundle=bundle)
    codemaster.set_game_state(words, key)
    assert codemaster.get_clue() == ("keyboard", 2)
    # A clue that the framework refuses gets another one.
    assert codemaster.get_clue(feedback="not allowed")[0] != "keyboard"


def spymaster_views(codemaster: Codemaster, monkeypatch: Any) -> list[SpymasterView]:
    views: list[SpymasterView] = []
    give = codemaster.spymaster.give

    def noted(view: SpymasterView) -> Clue:
        views.append(view)
        return give(view)

    monkeypatch.setattr(codemaster.spymaster, "give", noted)
    return views


def test_a_codemaster_sees_what_was_found_for_its_clues(
    bundle: Bundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    places, key = ["PIANO", "MOUSE", "BISON", "TREE"], ["Red", "Red", "Blue", "Civilian"]
    codemaster = Codemaster(bundle=bundle)
    views = spymaster_views(codemaster, monkeypatch)
    codemaster.set_game_state(places, key)
    clue, number = codemaster.get_clue()
    places[1], places[3] = "*Red*", "*Civilian*"
    codemaster.set_game_state(places, key)
    codemaster.get_clue()
    assert (views[0].teams, views[0].ours_left, views[0].theirs_left) == (1, 2, 1)
    picks = (Pick("MOUSE", "ours"), Pick("TREE", "neutral"))
    assert views[1].clues == (PastClue(0, clue, number, picks),)
    assert views[1].board.words == ("piano", "bison")


def test_the_reported_moves_are_the_clues_of_both_teams(
    bundle: Bundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    codemaster = Codemaster("Blue", bundle=bundle)
    views = spymaster_views(codemaster, monkeypatch)
    history: list[Sequence[Any]] = [
        ["Red_Codemaster", "sailor", 1],
        ["Red_Guesser", "SHIP", "*Red*", True],
        ["Red_Guesser", "LEAF", "*Blue*", False],
    ]
    codemaster.set_move_history(history)
    codemaster.set_game_state(["PIANO", "*Red*", "BISON", "*Blue*"], ["Blue", "Red", "Red", "Blue"])
    codemaster.get_clue()
    assert views[0].clues == (
        PastClue(0, "sailor", 1, (Pick("SHIP", "theirs"), Pick("LEAF", "ours"))),
    )
    assert (views[0].team, views[0].teams) == (1, 2)


def test_a_guesser_sees_its_turn_and_the_turns_before(
    bundle: Bundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    views: list[GuesserView] = []
    guesser = Guesser(bundle=bundle)
    pick = guesser.guesser.pick

    def noted(view: GuesserView) -> str | None:
        views.append(view)
        return pick(view)

    monkeypatch.setattr(guesser.guesser, "pick", noted)
    places = ["BISON", "PIANO", "SHIP", "MOUSE"]
    guesser.set_clue("keyboard", 2)
    guesser.set_board(places)
    assert guesser.get_answer() == "MOUSE"
    places[3] = "*Red*"
    assert guesser.keep_guessing()
    guesser.set_board(places)
    assert guesser.get_answer() == "PIANO"
    places[1] = "*Blue*"
    guesser.set_clue("sailor", "1")
    guesser.set_board(places)
    assert guesser.get_answer() == "SHIP"
    assert [view.may_stop for view in views] == [False, True, False]
    assert [view.picks_left for view in views] == [3, 2, 2]
    assert (views[0].ours_left, views[0].theirs_left, views[0].teams) == (8, 7, 1)
    assert (views[2].ours_left, views[2].theirs_left) == (7, 6)
    assert views[1].clues == (PastClue(0, "keyboard", 2, (Pick("MOUSE", "ours"),)),)
    assert views[2].clues == (
        PastClue(0, "keyboard", 2, (Pick("MOUSE", "ours"), Pick("PIANO", "theirs"))),
        PastClue(0, "sailor", 1),
    )
    assert views[2].cards == ("BISON", "SHIP")


def test_a_guesser_never_names_a_card_twice_and_stops_after_one_extra(bundle: Bundle) -> None:
    guesser = Guesser("Red", bundle=bundle)
    guesser.set_board(["BISON", "PIANO", "*Blue*", "MOUSE"])
    guesser.set_clue("keyboard", 1)
    answers = [guesser.get_answer(), guesser.get_answer(feedback="no"), guesser.get_answer()]
    assert sorted(map(str, answers)) == ["BISON", "MOUSE", "PIANO"]
    assert guesser.get_answer() is None
    assert not guesser.keep_guessing()


@pytest.mark.parametrize("clue", ["xyzzy", "", "two words"])
@pytest.mark.parametrize("number", ["1", 0, None, "unlimited", float("inf"), -1])
def test_any_clue_gets_an_answer(bundle: Bundle, clue: str, number: Any) -> None:
    guesser = Guesser("Red", bundle=bundle, model="softmax", seed=1)
    guesser.set_clue(clue, number)
    guesser.set_board(["*Red*", "PIANO", "MOUSE"])
    assert guesser.get_answer() in ("PIANO", "MOUSE")
    assert guesser.keep_guessing() in (True, False)


# Settings.


def test_players_take_the_options_of_the_agents(bundle: Bundle) -> None:
    codemaster = Codemaster(
        "Red", bundle=bundle, measure="npmi+svd", scoring="expected", rarity=2.0, sharpness=18.0
    )
    assert codemaster.spymaster.measure.name == "npmi+svd"
    assert codemaster.spymaster.options.sharpness == 18.0
    assert Guesser(bundle=bundle.folder, measure="svd").guesser.measure.name == "svd"


def test_the_environment_has_what_the_run_scripts_cannot_pass(
    bundle: Bundle, hungarian_folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "en").symlink_to(bundle.folder)
    (tmp_path / "hu").symlink_to(hungarian_folder)
    monkeypatch.setenv("WORDKIN_BUNDLES", str(tmp_path))
    assert Codemaster("Red").bundle.language == "en"
    monkeypatch.setenv("WORDKIN_LANG", "hu")
    monkeypatch.setenv("WORDKIN_MEASURE", "svd")
    monkeypatch.setenv("WORDKIN_SCORING", "kim")
    monkeypatch.setenv("WORDKIN_RISK", "bold")
    codemaster, guesser = Codemaster(), Guesser("Blue")
    assert codemaster.bundle.language == guesser.bundle.language == "hu"
    assert codemaster.spymaster.measure.name == guesser.guesser.measure.name == "svd"
    assert codemaster.spymaster.scoring is SCORINGS["kim"]
    assert codemaster.spymaster.options.risk == 1
    assert Codemaster(risk=0.7).spymaster.options.risk == 0.7
    # What a program passes overrides the environment.
    assert Codemaster(bundle=bundle, measure="npmi").spymaster.measure.name == "npmi"


@pytest.mark.parametrize(
    ("name", "value"),
    [("LANG", "xx"), ("MEASURE", "word2vec"), ("SCORING", "poker"), ("RISK", "nan")],
)
def test_wrong_settings_are_refused_before_the_game(
    bundle: Bundle, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    monkeypatch.setenv(f"WORDKIN_{name}", value)
    with pytest.raises(InputError, match=value):
        Codemaster(bundle=None if name == "LANG" else bundle)


def test_there_are_two_teams(bundle: Bundle) -> None:
    assert Codemaster("blue", bundle=bundle).team == "Blue"
    with pytest.raises(InputError, match="There is no team 'Green'"):
        Codemaster("Green", bundle=bundle)
