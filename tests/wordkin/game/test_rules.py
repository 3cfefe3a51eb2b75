"""The rules of the game, one by one: for one team, for two, and those that hold for both."""

from __future__ import annotations

from typing import TypeVar

import pytest

from wordkin.errors import InputError
from wordkin.game.board import ASSASSIN, NEUTRAL, OURS, THEIRS, Board
from wordkin.game.match import Match
from wordkin.game.rules import MOST_TURNS, Game

BOARD = Board.of(["piano", "mouse", "bread"], ["bison", "ship"], ["street"], ["tree"])

either = pytest.mark.parametrize("kind", [Game, Match])
Kind = type[Game] | type[Match]
Played = TypeVar("Played", Game, Match)


def after(played: Played, *turns: str) -> Played:
    """A game after some turns, each written as `number: card card`."""
    for at, turn in enumerate(turns):
        number, cards = turn.split(":")
        played.give(f"clue{at}", int(number))
        for card in cards.split():
            played.turn_over(card)
        if played.guesses_left:
            played.stop()
    return played


# The rules that hold for one team and for two.


@either
def test_a_turn_has_one_clue(kind: Kind) -> None:
    played = kind(BOARD)
    played.give("clue", 1)
    with pytest.raises(InputError, match="its clue already"):
        played.give("other", 1)
    assert played.said == ["clue"]


@either
@pytest.mark.parametrize("number", [0, -1])
def test_a_clue_is_for_at_least_one_card(kind: Kind, number: int) -> None:
    played = kind(BOARD)
    with pytest.raises(InputError, match=f"A clue for {number} cards is not possible"):
        played.give("clue", number)
    assert played.said == []


@either
@pytest.mark.parametrize("clue", ["piano", "bison", "street", "tree", "Piano"])
def test_a_clue_is_not_a_card_on_the_table(kind: Kind, clue: str) -> None:
    played = kind(BOARD)
    with pytest.raises(InputError, match=f"'{clue}' is a card on the table"):
        played.give(clue, 1)
    assert played.said == []


@either
def test_a_card_that_was_turned_over_may_be_a_clue(kind: Kind) -> None:
    played = after(kind(BOARD), "1: piano")
    played.give("piano", 1)
    assert played.said == ["clue0", "piano"]


@either
@pytest.mark.parametrize("clue", ["clue0", "Clue0", "clue1"])
def test_no_clue_is_said_twice_by_either_team(kind: Kind, clue: str) -> None:
    # In a match the first team is to move, and the second one has said clue1.
    played = after(kind(BOARD), "1: piano", "1: bison")
    with pytest.raises(InputError, match=f"'{clue}' was said before"):
        played.give(clue, 1)
    assert played.said == ["clue0", "clue1"]


@either
def test_words_are_compared_in_the_form_of_their_language(kind: Kind) -> None:
    played = kind(Board.of(["Irmak"], ["deniz"]), "tr")
    with pytest.raises(InputError, match="is a card"):
        played.give("ırmak", 1)
    played.give("irmak", 1)


@either
def test_at_least_one_card_is_turned_over_per_turn(kind: Kind) -> None:
    played = kind(BOARD)
    played.give("clue", 1)
    with pytest.raises(InputError, match="at least one card"):
        played.stop()
    assert played.guesses_left == 2


@either
def test_a_turn_allows_one_guess_more_than_its_number(kind: Kind) -> None:
    played = kind(BOARD)
    played.give("clue", 1)
    assert played.turn_over("piano") == OURS
    assert played.guesses_left == 1
    played.turn_over("mouse")
    assert played.guesses_left == 0
    with pytest.raises(InputError, match="No more cards"):
        played.turn_over("bread")


@either
@pytest.mark.parametrize(("card", "colour"), [("bison", THEIRS), ("street", NEUTRAL)])
def test_a_card_that_is_not_ours_ends_the_turn(kind: Kind, card: str, colour: str) -> None:
    played = kind(BOARD)
    played.give("clue", 3)
    assert played.turn_over(card) == colour
    assert (played.guesses_left, played.end) == (0, None)
    with pytest.raises(InputError, match="No more cards"):
        played.turn_over("piano")


@either
def test_a_card_is_turned_over_once(kind: Kind) -> None:
    played = after(kind(BOARD), "1: piano")
    played.give("clue", 1)
    with pytest.raises(InputError, match="'piano' is not a card that lies face down"):
        played.turn_over("piano")


@either
def test_no_card_is_turned_over_before_a_clue(kind: Kind) -> None:
    with pytest.raises(InputError, match="No more cards"):
        kind(BOARD).turn_over("piano")


@either
def test_only_an_open_turn_can_be_ended(kind: Kind) -> None:
    for played in (kind(BOARD), after(kind(BOARD), "1: piano"), after(kind(BOARD), "1: street")):
        with pytest.raises(InputError, match="no turn to end"):
            played.stop()


@either
def test_no_clue_is_given_after_the_end(kind: Kind) -> None:
    with pytest.raises(InputError, match="The game is over"):
        after(kind(BOARD), "2: piano tree").give("clue", 1)


# The rules for one team.


def game(*turns: str) -> Game:
    return after(Game(BOARD), *turns)


def test_solitaire_is_won_when_all_our_cards_are_found() -> None:
    assert game("2: piano mouse", "1: bread").end == "won"


def test_solitaire_is_lost_by_the_assassin() -> None:
    played = game("1: piano")
    played.give("clue", 1)
    assert played.turn_over("tree") == ASSASSIN
    assert played.end == "assassin"


def test_solitaire_is_lost_when_all_their_cards_are_found_first() -> None:
    assert game("1: bison", "1: ship").end == "theirs"


def test_solitaire_is_lost_after_25_turns() -> None:
    words = [f"w{at}" for at in range(60)]
    played = Game(Board.of(words[:1], words[1:3], words[3:]))
    for at, card in enumerate(words[3 : 3 + MOST_TURNS]):
        assert played.end is None
        played.give(f"clue{at}", 1)
        played.turn_over(card)
    assert played.end == "turns"
    assert len(played.turns) == MOST_TURNS == 25


def test_turns_count_even_if_they_find_our_cards() -> None:
    words = [f"w{at}" for at in range(MOST_TURNS + 1)]
    played = Game(Board.of(words))
    for card in words[:MOST_TURNS]:
        assert played.end is None
        played.give(f"clue for {card}", 1)
        played.turn_over(card)
        played.stop()
    assert played.end == "turns"


def test_a_game_that_is_given_up_has_no_winner() -> None:
    played = game("1: piano")
    played.give_up()
    assert played.end == "given up"


def test_giving_up_does_not_change_how_a_game_ended() -> None:
    played = game("2: piano mouse", "1: bread")
    played.give_up()
    assert played.end == "won"


def test_solitaire_needs_cards_of_ours() -> None:
    with pytest.raises(InputError, match="needs cards of ours"):
        Game(Board.of([], ["bison"]))


def test_the_statistics_compare_what_was_meant_with_what_was_found() -> None:
    played = Game(BOARD)
    played.give("keyboard", 2, meant=("mouse", "piano"))
    played.turn_over("mouse")
    played.turn_over("bison")
    played.give("music", 1, meant=("piano",))
    played.turn_over("piano")
    played.give_up()
    statistics = played.statistics()
    assert (statistics["end"], statistics["turns"]) == ("given up", 2)
    assert (statistics["found"], statistics["left"]) == (2, 1)
    assert statistics["turned"] == {OURS: 2, THEIRS: 1, NEUTRAL: 0, ASSASSIN: 0}
    assert (statistics["meant"], statistics["meant_found"]) == (3, 2)
    assert statistics["moves"][0] == {
        "clue": "keyboard",
        "number": 2,
        "meant": ["mouse", "piano"],
        "guessed": [{"word": "mouse", "colour": OURS}, {"word": "bison", "colour": THEIRS}],
    }


# The rules for two teams.


def match(*turns: str) -> Match:
    return after(Match(BOARD), *turns)


def test_teams_take_turns_and_see_their_own_cards() -> None:
    played = match("1: piano")
    assert played.moving == 1
    assert (played.table.ours, played.table.theirs) == (("bison", "ship"), ("mouse", "bread"))
    played.give("clue", 1)
    played.turn_over("bison")
    played.stop()
    assert played.moving == 0


def test_a_match_is_won_by_the_last_card_of_the_moving_team() -> None:
    played = match("3: piano mouse bread")
    assert (played.winner, played.end) == (0, "won")


def test_a_match_is_lost_by_the_assassin() -> None:
    assert match("1: tree").winner == 1
    assert match("1: piano", "1: tree").winner == 0


def test_the_last_card_of_the_other_team_wins_for_them() -> None:
    played = match("1: bison", "1: mouse", "1: ship")
    assert (played.winner, played.end) == (1, "theirs")


def test_a_card_of_the_other_team_counts_for_them() -> None:
    played = match("2: bison")
    assert played.moving == 1
    assert played.table.ours == ("ship",)


def test_the_last_guess_of_a_turn_passes_it_on() -> None:
    assert match("1: piano mouse").moving == 1


def test_a_team_that_gives_up_loses() -> None:
    played = Match(BOARD)
    played.give_up()
    assert (played.winner, played.end) == (1, "given up")


def test_a_match_needs_cards_of_both_teams() -> None:
    with pytest.raises(InputError, match="both teams"):
        Match(Board.of(["piano"]))
