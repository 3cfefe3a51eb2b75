"""A game in the terminal, in both languages, from the first card to the statistics."""

from __future__ import annotations

import pytest

import wordkin
from tests.support.bundles import make_bundle
from wordkin.bundle import Bundle
from wordkin.game.board import OURS, Board
from wordkin.game.game import Game
from wordkin.game.guesser import Guesser
from wordkin.game.play import GUESSER, NOBODY, SPYMASTER, Terminal, play
from wordkin.game.spymaster import Spymaster

BOARD = Board.of(["piano", "mouse", "bread"], ["bison", "ship"], ["street"], ["tree"])
MAGYAR = Board.of(["zongora", "egér", "király"], ["bölény", "hajó"], ["leves"], ["kocka"])


@pytest.fixture(scope="module")
def bundle(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return wordkin.load(make_bundle(tmp_path_factory.mktemp("play")))


@pytest.fixture(scope="module")
def magyar(tmp_path_factory: pytest.TempPathFactory) -> Bundle:
    return wordkin.load(make_bundle(tmp_path_factory.mktemp("play"), "hu"))


def session(
    bundle: Bundle, board: Board, role: str, answers: list[str], colour: bool = False
) -> tuple[Game, str]:
    """Play with these answers; return the game and everything that was shown."""
    lines: list[str] = []
    remaining = iter(answers)

    def read(prompt: str) -> str:
        lines.append(prompt)
        try:
            return next(remaining)
        except StopIteration:
            raise EOFError from None

    terminal = Terminal(read, lines.append, bundle.language, colour)
    game = play(board, Spymaster(bundle), Guesser(bundle), role, terminal)
    return game, "\n".join(lines)


def test_a_person_guesses(bundle: Bundle) -> None:
    game, shown = session(bundle, BOARD, GUESSER, ["PIANO", "2", "pass", "bread"])
    assert game.end == "won"
    assert "My clue: keyboard 2" in shown
    assert "piano is ours." in shown
    assert "I meant: mouse" in shown
    assert "We won: all our cards are found." in shown
    assert "Cards that I meant: 3, found in the same turn: 3." in shown
    # The colours of face-down cards stay hidden until the end.
    assert "X" not in shown.split("We won")[0].rsplit("Turn", 1)[0]


def test_a_person_guesses_in_hungarian(magyar: Bundle) -> None:
    game, shown = session(magyar, MAGYAR, GUESSER, ["egér", "elég", "1", "király"])
    assert game.revealed == ["egér", "zongora", "király"]
    assert "Az utalásom: billentyűzet 2" in shown
    assert "Nyertünk: minden lapunk megvan." in shown


def test_a_person_gives_clues(bundle: Bundle) -> None:
    answers = ["keyboard", "keyboard 0", "piano 1", "pianos 1", "qwerty 2", "keyboard 2"]
    game, shown = session(bundle, BOARD, SPYMASTER, [*answers, "keyboard 1", "soup 1"])
    assert game.end == "won"
    assert shown.count("Type one word and a number") == 2
    assert "'piano' is not allowed: it is a card." in shown
    assert "'pianos' is not allowed: it contains the card 'piano'." in shown
    assert "I do not know the word 'qwerty'." in shown
    assert "'keyboard' is not allowed: it was said before." in shown
    assert game.statistics()["history"][0]["guessed"] == [
        {"word": "mouse", "colour": OURS},
        {"word": "piano", "colour": OURS},
    ]


def test_a_person_gives_clues_in_hungarian(magyar: Bundle) -> None:
    game, shown = session(magyar, MAGYAR, SPYMASTER, ["királyi 1", "korona 1", "vége"])
    assert "„királyi” szabálytalan: benne van ez a lap: „király”." in shown
    assert game.revealed == ["király"]
    assert "A játék félbeszakadt." in shown


def test_the_machine_plays_both_roles(bundle: Bundle) -> None:
    game, shown = session(bundle, BOARD, NOBODY, [])
    assert game.end == "won"
    assert len(game.turns) == 2
    again, same = session(bundle, BOARD, NOBODY, [])
    assert (again.statistics(), same) == (game.statistics(), shown)


def test_the_person_is_asked_again_after_a_wrong_answer(bundle: Bundle) -> None:
    _, shown = session(bundle, BOARD, GUESSER, ["", "elephant", "99", "piano", "piano", "quit"])
    assert "Turn over at least one card." in shown
    assert shown.count("There is no face-down card") == 3


def test_the_person_is_asked_again_after_passing_without_a_card(magyar: Bundle) -> None:
    game, shown = session(magyar, MAGYAR, GUESSER, ["passz", "egér", "passz", "vége"])
    assert shown.count("Legalább egy lapot fel kell fordítanod.") == 1
    assert [turn.guessed for turn in game.turns] == [["egér"], []]


def test_a_wrong_card_of_the_machine_ends_its_turn(bundle: Bundle) -> None:
    game, _ = session(bundle, BOARD, SPYMASTER, ["whale 1", "quit"])
    assert game.revealed == ["ship"]
    assert len(game.turns) == 1


@pytest.mark.parametrize(
    ("card", "end", "sentence"),
    [
        ("tree", "assassin", "We lost: that was the assassin."),
        ("bison", "given up", "The game was stopped before the end."),
    ],
)
def test_a_bad_card_may_end_the_game(bundle: Bundle, card: str, end: str, sentence: str) -> None:
    game, shown = session(bundle, BOARD, GUESSER, [card])
    assert game.end == end
    assert sentence in shown


def test_colours_are_shown_only_where_the_terminal_has_them(bundle: Bundle) -> None:
    _, plain = session(bundle, BOARD, NOBODY, [])
    _, painted = session(bundle, BOARD, NOBODY, [], colour=True)
    assert "\x1b[" not in plain
    assert "\x1b[" in painted
    assert " + piano" in plain
    assert " X tree" in plain


def test_columns_line_up_in_wide_scripts() -> None:
    lines: list[str] = []
    words = ("火车", "木", "a", "bb", "ccc", "火山", "d", "e", "f", "g")
    board = Board(words, (OURS,) * 10)
    Terminal(input, lines.append, "en", colour=False).draw(board, [], key=False)
    assert lines[0].index("木") + 2 == lines[1].index("d") + 2  # two wide signs stand before both
