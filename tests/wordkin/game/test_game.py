"""The rules of the game, one by one: those that hold for both, for one team, and for two."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wordkin.errors import InputError
from wordkin.game.board import ASSASSIN, COLOURS, NEUTRAL, OURS, THEIRS, Board
from wordkin.game.game import CARD, CLUE, Game, Move
from wordkin.game.rules import MOST_TURNS, SOLITAIRE, Rules

BOARD = Board.of(["piano", "mouse", "bread"], ["bison", "ship"], ["street"], ["tree"])

Kind = Callable[..., Game]


def solitaire(board: Board, language: str = "en") -> Game:
    return Game(board, SOLITAIRE, language)


def match(board: Board, language: str = "en") -> Game:
    return Game(board, Rules(), language)


either = pytest.mark.parametrize("kind", [solitaire, match])


def after(played: Game, *turns: str) -> Game:
    """A game after some turns, each written as `number: card card`."""
    for at, turn in enumerate(turns):
        number, cards = turn.split(":")
        played.give(f"clue{at}", int(number))
        for card in cards.split():
            played.turn_over(card)
        if played.awaits == CARD:
            played.stop()
    return played


# The rules that hold for one team and for two.


def give(clue: str, number: Any = 1) -> Move:
    return Move("give", clue, number)


def turn_over(card: str) -> Move:
    return Move("turn over", card)


STOP = Move("stop")

REFUSED: list[tuple[tuple[str, ...], tuple[Move, ...], str]] = [
    # The turns so far, more moves of which the last is refused, and what is said.
    ((), (give("clue"), give("other")), "its clue already"),
    *(
        ((), (give("clue", number),), f"A clue for {number} cards is not possible")
        for number in (-1, 8, 10**9, 1.5, float("nan"), True)
    ),
    *(((), (give(clue),), "A clue is a word") for clue in ("", "  ")),
    *(
        ((), (give(clue),), f"'{clue}' is a card on the table")
        for clue in ("piano", "bison", "street", "tree", "Piano")
    ),
    # In a match the first team is to move, and the second one has said clue1.
    *(
        (("1: piano", "1: bison"), (give(clue),), f"'{clue}' was said before")
        for clue in ("clue0", "Clue0", "clue1")
    ),
    ((), (give("clue"), STOP), "at least one card"),
    ((), (give("clue", 0), STOP), "at least one card"),
    ((), (give("clue", None), STOP), "at least one card"),
    (
        (),
        (give("clue"), turn_over("piano"), turn_over("mouse"), turn_over("bread")),
        "a clue comes first",
    ),
    ((), (give("clue", 3), turn_over("bison"), turn_over("piano")), "a clue comes first"),
    ((), (give("clue", 3), turn_over("street"), turn_over("piano")), "a clue comes first"),
    ((), (turn_over("piano"),), "a clue comes first"),
    (("1: piano",), (give("clue"), turn_over("piano")), "'piano' is not a card that lies face"),
    ((), (STOP,), "no turn to end"),
    (("1: piano",), (STOP,), "no turn to end"),
    (("1: street",), (STOP,), "no turn to end"),
    *(
        (("2: piano tree",), (move,), "The game is over")
        for move in (give("clue"), turn_over("mouse"), STOP)
    ),
    *(((), (Move(kind),), f"'{kind}' is not a move") for kind in ("fly", "give", "turn over")),
]


@either
@pytest.mark.parametrize(("turns", "moves", "sentence"), REFUSED)
def test_a_move_against_the_rules_is_refused_and_changes_nothing(
    kind: Kind, turns: tuple[str, ...], moves: tuple[Move, ...], sentence: str
) -> None:
    played = after(kind(BOARD), *turns)
    for move in moves[:-1]:
        played.play(move)
    before = (played.as_dict(), played.awaits, played.picks_left)
    with pytest.raises(InputError, match=sentence):
        played.play(moves[-1])
    assert (played.as_dict(), played.awaits, played.picks_left) == before


@either
@pytest.mark.parametrize("number", [0, None])
def test_a_clue_of_number_0_or_unlimited_allows_any_number_of_cards(
    kind: Kind, number: int | None
) -> None:
    played = kind(BOARD)
    played.give("clue", number)
    assert (played.picks_left, played.may_stop) == (None, False)
    played.turn_over("piano")
    played.turn_over("mouse")
    assert (played.picks_left, played.may_stop) == (None, True)
    played.stop()
    assert played.awaits == CLUE


@either
def test_a_card_that_was_turned_over_may_be_a_clue(kind: Kind) -> None:
    played = after(kind(BOARD), "1: piano")
    played.give("piano", 1)
    assert played.said == ["clue0", "piano"]


@either
def test_words_are_compared_in_the_form_of_their_language(kind: Kind) -> None:
    played = kind(Board.of(["Irmak"], ["deniz"]), "tr")
    with pytest.raises(InputError, match="is a card"):
        played.give("ırmak", 1)
    played.give("irmak", 1)


@either
def test_a_turn_allows_one_guess_more_than_its_number(kind: Kind) -> None:
    played = kind(BOARD)
    played.give("clue", 1)
    assert played.turn_over("piano") == OURS
    assert played.picks_left == 1
    played.turn_over("mouse")
    assert (played.picks_left, played.awaits) == (0, CLUE)


@either
@pytest.mark.parametrize(("card", "colour"), [("bison", THEIRS), ("street", NEUTRAL)])
def test_a_card_that_is_not_ours_ends_the_turn(kind: Kind, card: str, colour: str) -> None:
    played = kind(BOARD)
    played.give("clue", 3)
    assert played.turn_over(card) == colour
    assert (played.picks_left, played.end) == (0, None)


# How games end.


@pytest.mark.parametrize(
    ("kind", "turns", "end", "winner"),
    [
        (solitaire, ("2: piano mouse", "1: bread"), "won", 0),
        (solitaire, ("1: piano", "1: tree"), "assassin", None),
        (solitaire, ("1: bison", "1: ship"), "theirs", None),
        (match, ("3: piano mouse bread",), "won", 0),
        (match, ("1: tree",), "assassin", 1),
        (match, ("1: piano", "1: tree"), "assassin", 0),
        (match, ("1: bison", "1: mouse", "1: ship"), "theirs", 1),
    ],
)
def test_a_game_ends_with_the_assassin_or_the_last_card_of_a_team(
    kind: Kind, turns: tuple[str, ...], end: str, winner: int | None
) -> None:
    played = after(kind(BOARD), *turns)
    assert (played.end, played.winner) == (end, winner)
    played.give_up()
    assert played.end == end, "giving up afterwards changes nothing"


@pytest.mark.parametrize("found", [True, False])
def test_solitaire_is_lost_after_25_turns(found: bool) -> None:
    words = [f"w{at}" for at in range(60)]
    board = Board.of(words[:26], words[26:]) if found else Board.of(words[26:], (), words[:26])
    played = solitaire(board)
    for card in words[:MOST_TURNS]:
        assert played.end is None
        played.give(f"clue for {card}", 1)
        played.turn_over(card)
        if found:
            played.stop()
    assert (played.end, len(played.turns)) == ("turns", 25)


def test_a_team_that_gives_up_loses() -> None:
    for kind, winner in ((solitaire, None), (match, 1)):
        played = kind(BOARD)
        played.give_up()
        assert (played.winner, played.end) == (winner, "given up")
    played = after(match(BOARD), "1: piano")
    played.give_up(team=0)
    assert (played.moving, played.winner, played.end) == (1, 1, "given up")
    with pytest.raises(InputError, match="no team 2 that could give up"):
        match(BOARD).give_up(2)


def test_a_game_needs_cards_to_find() -> None:
    with pytest.raises(InputError, match="needs cards of ours"):
        solitaire(Board.of([], ["bison", "ship"]))
    with pytest.raises(InputError, match="both teams"):
        match(Board.of(["piano", "mouse"]))


def test_a_game_of_two_teams_may_have_a_limit_of_turns() -> None:
    played = Game(BOARD, Rules(most_turns=1))
    after(played, "1: piano", "1: bison")
    assert (played.winner, played.end) == (None, "turns")


# Two teams.


def test_teams_take_turns_and_see_their_own_cards() -> None:
    played = after(match(BOARD), "1: piano")
    assert played.moving == 1
    board = played.spymaster_view(1).board
    assert (board.ours, board.theirs) == (("bison", "ship"), ("mouse", "bread"))
    assert after(match(BOARD), "1: piano", "1: bison").moving == 0
    # The last guess of a turn passes it on, and so does a card of the other team.
    assert after(match(BOARD), "1: piano mouse").moving == 1
    slipped = after(match(BOARD), "2: bison")
    assert (slipped.moving, slipped.spymaster_view(1).board.ours) == (1, ("ship",))


def test_the_other_team_may_begin() -> None:
    played = Game(BOARD, Rules(begins=1))
    assert played.moving == 1
    played.give("clue", 2)
    assert played.turn_over("bison") == OURS
    played.turn_over("ship")
    assert (played.winner, played.end) == (1, "won")


# The statistics.


def test_the_statistics_compare_what_was_meant_with_what_was_found() -> None:
    played = solitaire(BOARD)
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
    assert statistics["history"][0] == {
        "team": 0,
        "clue": "keyboard",
        "number": 2,
        "meant": ["mouse", "piano"],
        "guessed": [{"word": "mouse", "colour": OURS}, {"word": "bison", "colour": THEIRS}],
    }


def test_the_statistics_are_those_of_one_team() -> None:
    played = after(match(BOARD), "2: piano bison", "1: ship")
    ours, theirs = played.statistics(0), played.statistics(1)
    assert (ours["won"], ours["turns"], ours["found"], ours["left"]) == (False, 1, 1, 2)
    assert (theirs["won"], theirs["turns"], theirs["found"], theirs["left"]) == (True, 1, 2, 0)
    assert ours["turned"] == {OURS: 1, THEIRS: 1, NEUTRAL: 0, ASSASSIN: 0}
    assert theirs["turned"] == {OURS: 1, THEIRS: 0, NEUTRAL: 0, ASSASSIN: 0}
    assert theirs["history"][0]["guessed"][0] == {"word": "piano", "colour": THEIRS}


# What each seat sees.


def test_views_have_the_colours_of_the_viewing_team() -> None:
    played = after(match(BOARD), "1: piano")
    played.give("sea", None)
    played.turn_over("ship")
    ours, theirs = played.guesser_view(0), played.guesser_view(1)
    assert [pick.colour for pick in ours.turned] == [OURS, THEIRS]
    assert [pick.colour for pick in theirs.turned] == [THEIRS, OURS]
    assert (ours.ours_left, ours.theirs_left) == (theirs.theirs_left, theirs.ours_left) == (2, 1)
    assert (ours.picks_left, ours.may_stop) == (0, False)
    assert (theirs.picks_left, theirs.may_stop) == (None, True)
    assert theirs.cards == ("mouse", "bread", "bison", "street", "tree")
    assert (theirs.clue.team, theirs.clue.word, theirs.clue.number) == (1, "sea", None)
    assert [pick.word for pick in theirs.clue.picks] == ["ship"]
    view = played.spymaster_view(1)
    assert view.board == BOARD.for_opponent().without(["piano", "ship"])
    assert view.said == ("clue0", "sea")


# Properties of any game.

colours = st.lists(st.sampled_from(COLOURS), min_size=2, max_size=12)


@st.composite
def games(draw: st.DrawFn) -> Game:
    """A game after some random moves; some of the moves are refused."""
    teams = draw(st.sampled_from([1, 2]))
    needed = [OURS, THEIRS][:teams]
    cards = [*needed, *draw(colours)]
    random.Random(draw(st.integers(0, 99))).shuffle(cards)
    board = Board(tuple(f"w{at}" for at in range(len(cards))), tuple(cards))
    begins = draw(st.integers(0, teams - 1))
    played = Game(board, Rules(teams, begins=begins, most_turns=draw(st.none() | st.just(4))))
    for move in draw(st.lists(moves(len(cards)), max_size=20)):
        before = (played.as_dict(), played.moving, played.end)
        try:
            played.play(move)
        except InputError:
            assert (played.as_dict(), played.moving, played.end) == before
    return played


def moves(cards: int) -> st.SearchStrategy[Move]:
    clue = st.builds(
        Move,
        st.just("give"),
        st.integers(0, 30).map(lambda at: f"clue{at}"),
        st.none() | st.integers(0, 3),
    )
    card = st.builds(Move, st.just("turn over"), st.integers(0, cards).map(lambda at: f"w{at}"))
    return st.one_of(clue, card, card, card, st.just(Move("stop")))


@given(games())
def test_a_game_is_replayed_exactly_from_what_is_stored(played: Game) -> None:
    again = Game.from_dict(json.loads(json.dumps(played.as_dict())))
    assert again.as_dict() == played.as_dict()
    assert (again.end, again.winner, again.moving) == (played.end, played.winner, played.moving)
    for team in range(2):
        assert again.guesser_view(team) == played.guesser_view(team)
        assert again.spymaster_view(team) == played.spymaster_view(team)
        assert again.statistics(team) == played.statistics(team)


@given(games())
def test_each_move_makes_a_new_game_and_leaves_the_old_one(played: Game) -> None:
    course = [Game(played.board, played.rules, played.language)]
    for move in played.moves:
        course.append(course[-1].after(move))
    for number, game in enumerate(course):
        moves = played.moves[:number]
        assert vars(game) == vars(
            Game.from_moves(played.board, moves, played.rules, played.language)
        )


@given(games(), st.integers(0, 99))
def test_no_colour_of_a_face_down_card_reaches_a_guesser(played: Game, seed: int) -> None:
    # If the hidden colours change places, a guesser must not see any difference.
    hidden = [played.board.colour(word) for word in played.face_down]
    random.Random(seed).shuffle(hidden)
    shuffled = dict(zip(played.face_down, hidden, strict=True))
    words = played.board.words
    other = Board(words, tuple(shuffled.get(w, played.board.colour(w)) for w in words))
    twin = Game.from_moves(other, played.moves, played.rules)
    for team in range(played.rules.teams):
        view = played.guesser_view(team)
        assert asdict(view) == asdict(twin.guesser_view(team))
        assert {pick.word for pick in view.turned} == set(played.revealed)
        assert not set(view.cards) & set(played.revealed)


@given(st.integers(0, 10_000))
def test_a_game_of_two_teams_always_ends(seed: int) -> None:
    generator = random.Random(seed)
    deal = tuple(generator.randint(least, 5) for least in (1, 1, 0, 0))
    rules = Rules(deal=deal, begins=generator.randint(0, 1))
    played = Game(rules.deal_board([f"w{at}" for at in range(20)], seed), rules)
    while not played.end:
        assert len(played.moves) <= 3 * len(played.board.words)
        if played.awaits == CLUE:
            played.give(f"clue{len(played.turns)}", generator.choice([None, 0, 1, 2]))
        elif played.may_stop and generator.random() < 0.5:
            played.stop()
        else:
            played.turn_over(generator.choice(played.face_down))
    assert played.winner in (0, 1)


@pytest.mark.parametrize(
    "content",
    [
        {},
        {"board": [], "rules": {}, "moves": []},
        {"board": {"words": ["a", "b"], "colours": ["ours"]}, "rules": {}, "moves": []},
        {"board": {"words": ["a", 1], "colours": ["ours", "theirs"]}, "rules": {}, "moves": []},
        {"board": {"words": ["a", "b"], "colours": ["ours", "x"]}, "rules": {}, "moves": []},
    ],
)
def test_what_is_not_a_stored_game_is_refused(content: dict[str, Any]) -> None:
    with pytest.raises(InputError):
        Game.from_dict(content)


@pytest.mark.parametrize(
    "move",
    [
        {},
        {"kind": "fly"},
        {"kind": "give", "word": 1, "number": 1},
        {"kind": "give", "word": "clue", "number": "1"},
        {"kind": "give", "word": "clue", "number": True},
        {"kind": "give", "word": "clue", "number": 1, "meant": "piano"},
        {"kind": "stop", "word": "piano"},
        {"kind": "give up", "team": "0"},
    ],
)
def test_what_is_not_a_stored_move_is_refused(move: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="is not a move"):
        Game.from_dict({"board": BOARD.as_dict(), "rules": {}, "moves": [move]})
