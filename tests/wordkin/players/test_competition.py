"""Players for the competition, called by a small referee in the way of its two frameworks."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pytest

import wordkin
from tests.support.bundles import TOPICS, make_bundle, relatedness
from wordkin.bundle import Bundle
from wordkin.game.legality import Legality
from wordkin.players.competition import Codemaster, Guesser

WORDS, _ = relatedness(TOPICS)


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return wordkin.load(make_bundle(tmp_path_factory.mktemp("players")))


@dataclass
class Referee:
    """Makes the calls of both frameworks, in their order and with their arguments."""

    words: list[str]
    key: list[str]
    history: list[list[Any]] = field(default_factory=list)
    clues: list[tuple[str, int]] = field(default_factory=list)

    @classmethod
    def deal(cls, seed: int) -> Referee:
        generator = random.Random(seed)
        key = ["Red"] * 9 + ["Blue"] * 8 + ["Civilian"] * 7 + ["Assassin"]
        generator.shuffle(key)
        return cls([word.upper() for word in generator.sample(WORDS, 25)], key)

    def reveal(self, answer: str) -> str:
        at = self.words.index(answer.upper().strip())
        self.words[at] = f"*{self.key[at]}*"
        return self.key[at]

    def found(self, team: str) -> bool:
        return self.words.count(f"*{team}*") == self.key.count(team)

    def turn(self, team: str, codemaster: Any, guesser: Any, two_teams: bool) -> str | None:
        """Play one turn; return the winner if it ended the game."""
        other = {"Red": "Blue", "Blue": "Red"}[team]
        codemaster.set_game_state(self.words, self.key)
        if two_teams:
            codemaster.set_move_history(self.history)
        before = list(self.words)
        clue, number = codemaster.get_clue()
        self.check_clue(clue, number, before)
        self.history.append([f"{team}_Codemaster", clue, number])
        guesser.set_clue(clue, number)
        guesses, continues = 0, True
        while continues and guesses <= number:
            guesser.set_board(self.words)
            if two_teams:
                guesser.set_move_history(self.history)
            answer = guesser.get_answer()
            colour = self.reveal(answer)
            guesses += 1
            if colour == "Assassin":
                return other
            if self.found("Red") or self.found("Blue"):
                return "Red" if self.found("Red") else "Blue"
            continues = colour == team and guesser.keep_guessing()
            self.history.append([f"{team}_Guesser", answer, f"*{colour}*", continues])
        return None

    def check_clue(self, clue: str, number: int, words: Sequence[str]) -> None:
        cards = [word for word in words if not word.startswith("*")]
        assert Legality("en").objection(clue, cards) is None
        assert isinstance(number, int)
        assert number >= 1
        self.clues.append((clue, number))


@pytest.mark.parametrize("seed", range(5))
def test_players_with_the_same_bundle_win_the_one_team_game(bundle: Bundle, seed: int) -> None:
    # The framework passes its own word vectors, which are ignored.
    others = {"brown_ic": None, "glove_vecs": {}, "word_vectors": {}}
    codemaster, guesser = Codemaster(bundle=bundle, **others), Guesser(bundle=bundle, **others)
    referee, winner, turns = Referee.deal(seed), None, 0
    while winner is None:
        winner = referee.turn("Red", codemaster, guesser, two_teams=False)
        turns += 1
    assert winner == "Red"
    assert turns < 25
    assert len({clue for clue, _ in referee.clues}) == len(referee.clues)


@pytest.mark.parametrize("seed", range(5))
def test_two_teams_play_to_an_end(bundle: Bundle, seed: int) -> None:
    players = {
        team: (Codemaster(team, bundle=bundle), Guesser(team, bundle=bundle))
        for team in ("Red", "Blue")
    }
    referee, winner, turns = Referee.deal(seed), None, 0
    while winner is None:
        team = ("Red", "Blue")[turns % 2]
        winner = referee.turn(team, *players[team], two_teams=True)
        turns += 1
    assert referee.found(winner)
    assert len({clue for clue, _ in referee.clues}) == len(referee.clues)
    codemaster, guesser = players["Blue"]
    assert codemaster.get_move_history() is referee.history
    assert guesser.get_move_history() is referee.history


def test_a_blue_codemaster_gives_clues_for_blue_cards(bundle: Bundle) -> None:
    words = ["PIANO", "MOUSE", "*Red*", "BISON", "TREE"]
    key = ["Blue", "Blue", "Red", "Red", "Assassin"]
    codemaster = Codemaster("Blue", bundle=bundle)
    codemaster.set_game_state(words, key)
    assert codemaster.get_clue() == ("keyboard", 2)
    # The same board again, as after a wrong guess, gets another clue.
    assert codemaster.get_clue()[0] != "keyboard"


def test_a_guesser_stops_at_the_number(bundle: Bundle) -> None:
    guesser = Guesser(bundle=bundle)
    guesser.set_board(["BISON", "PIANO", "*Blue*", "MOUSE"])
    guesser.set_clue("keyboard", 2)
    assert guesser.get_answer() == "MOUSE"
    assert guesser.keep_guessing()
    guesser.set_board(["BISON", "PIANO", "*Blue*", "*Red*"])
    assert guesser.get_answer() == "PIANO"
    assert not guesser.keep_guessing()


def test_an_unknown_clue_still_gets_an_answer(bundle: Bundle) -> None:
    guesser = Guesser("Red", bundle=bundle, model="softmax", seed=1)
    guesser.set_board(["*Red*", "PIANO", "MOUSE"])
    guesser.set_clue("xyzzy", "1")
    assert guesser.get_answer() == "PIANO"
    assert not guesser.keep_guessing()


def test_players_take_the_options_of_the_agents(bundle: Bundle) -> None:
    codemaster = Codemaster(
        "Red", bundle=bundle, measure="npmi+svd", scoring="expected", rarity=2.0, sharpness=18.0
    )
    assert codemaster.spymaster.measure.name == "npmi+svd"
    assert codemaster.spymaster.options.sharpness == 18.0
    assert Guesser(bundle=bundle.folder, measure="svd").guesser.measure.name == "svd"


def test_players_find_the_bundle_of_their_language(
    bundle: Bundle, monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    (tmp_path / "en").symlink_to(bundle.folder)
    monkeypatch.setenv("WORDKIN_BUNDLES", str(tmp_path))
    assert Codemaster("Red").bundle.language == "en"
