"""A game in the terminal, in both languages and from any seats, to the statistics."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from wordkin.bundle import Bundle
from wordkin.errors import InputError
from wordkin.game.board import OURS, Board
from wordkin.game.clue import Clue
from wordkin.game.game import Game
from wordkin.game.guesser import Guesser
from wordkin.game.legality import Legality
from wordkin.game.play import Seats
from wordkin.game.rules import SOLITAIRE, Rules
from wordkin.game.spymaster import Spymaster
from wordkin.game.terminal import (
    GuesserAtTerminal,
    SpymasterAtTerminal,
    Table,
    parse_clue,
    play_in_terminal,
)
from wordkin.game.views import SpymasterView

BOARD = Board.of(["piano", "mouse", "bread"], ["bison", "ship"], ["street"], ["tree"])
MAGYAR = Board.of(["zongora", "egér", "király"], ["bölény", "hajó"], ["leves"], ["kocka"])


class Session(NamedTuple):
    """A game that was played, and everything that was shown."""

    game: Game
    shown: str


def scripted(game: Game, table: list[str], answers: list[str], colour: bool = False) -> Table:
    """A game in a terminal that reads these answers and writes to a list."""
    remaining = iter(answers)

    def read(prompt: str) -> str:
        table.append(prompt)
        try:
            return next(remaining)
        except StopIteration:
            raise EOFError from None

    return Table(game, read, table.append, game.language, colour)


def session(
    bundle: Bundle,
    people: str,
    answers: list[str],
    board: Board = BOARD,
    rules: Rules | None = None,
    colour: bool = False,
) -> Session:
    """Play with these answers; `people` has a letter per seat: p for a person, a for an agent."""
    lines: list[str] = []
    game = Game(board, rules, bundle.language)
    table = scripted(game, lines, answers, colour)
    spymaster, guesser = Spymaster(bundle), Guesser(bundle)
    seats = [
        Seats(
            SpymasterAtTerminal(
                table,
                Legality.of(bundle),
                guesser.understands if people[at + 1] == "a" else None,
            )
            if people[at] == "p"
            else spymaster,
            GuesserAtTerminal(table) if people[at + 1] == "p" else guesser,
        )
        for at in range(0, len(people), 2)
    ]
    play_in_terminal(table, seats)
    return Session(game, "\n".join(lines))


# Solitaire.


def test_a_person_guesses(bundle: Bundle) -> None:
    answers = ["PIANO", "2", "pass", "bread"]
    game, shown = session(bundle, "ap", answers, rules=SOLITAIRE)
    assert game.winner == 0
    assert "Blue clue: keyboard 2" in shown
    assert "The blue team turns over piano: blue." in shown
    assert "Won: all blue cards are found." in shown
    assert "Blue team – cards meant by the clues: 3, found in the same turn: 3." in shown
    # The colours of face-down cards stay hidden until the end, and so do the cards meant.
    before = shown.split("Won:")[0].rsplit("Turn", 1)[0]
    assert "X" not in before
    assert "meant" not in before


def test_a_person_may_leave_before_the_first_clue(bundle: Bundle) -> None:
    game, shown = session(bundle, "pa", ["quit"], rules=SOLITAIRE)
    assert (game.end, game.turns) == ("given up", [])
    assert "The game was stopped before the end." in shown


def test_a_person_gives_clues(bundle: Bundle) -> None:
    answers = ["keyboard", "keyboard two", "piano 1", "pianos 1", "qwerty 2", "keyboard 2"]
    game, shown = session(bundle, "pa", [*answers, "keyboard 1", "soup 1"], rules=SOLITAIRE)
    assert game.winner == 0
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
    answers = ["királyi 1", "korona 1", "vége"]
    game, shown = session(magyar, "pa", answers, MAGYAR, SOLITAIRE)
    assert "„királyi” szabálytalan: benne van ez a lap: „király”." in shown
    assert game.revealed == ["király"]
    assert "A játék félbeszakadt." in shown


def test_a_person_gives_clues_of_number_0_and_unlimited(bundle: Bundle, magyar: Bundle) -> None:
    answers = ["keyboard 8", f"keyboard {'9' * 5000}", "keyboard 0", "soup Unlimited"]
    game, shown = session(bundle, "pa", answers, rules=SOLITAIRE)
    assert [turn.number for turn in game.turns][:2] == [0, None]
    assert "There are 7 cards: say a number from 0 to 7, or 'unlimited'." in shown
    assert "soup ∞" in shown
    game, _ = session(magyar, "pa", ["korona végtelen", "dallam ∞"], MAGYAR, SOLITAIRE)
    assert [turn.number for turn in game.turns] == [None, None]


def test_the_person_is_asked_again_after_a_wrong_answer(bundle: Bundle) -> None:
    answers = ["", "elephant", "99", "9" * 5000, "piano", "piano", "quit"]
    _, shown = session(bundle, "ap", answers, rules=SOLITAIRE)
    assert "Turn over at least one card." in shown
    assert shown.count("There is no face-down card") == 4


# Two teams.


def test_a_person_and_an_agent_play_against_two_agents(bundle: Bundle) -> None:
    game, shown = session(bundle, "apaa", ["piano", "mouse", "pass", "bread"])
    assert "Blue team – clues: the machine, cards: you." in shown
    assert "Red team – clues: the machine, cards: the machine." in shown
    assert [turn.team for turn in game.turns] == [0, 1, 0][: len(game.turns)]
    assert "Turn 1, blue. Cards left: blue 3, red 2." in shown
    assert "Red clue: " in shown
    assert "The red team turns over " in shown
    assert " team wins: " in shown


def test_two_teams_in_hungarian(magyar: Bundle) -> None:
    game, shown = session(magyar, "apaa", ["kocka"], MAGYAR)
    assert (game.end, game.winner) == ("assassin", 1)
    assert "A kék csapat felfordítja: kocka – gyilkos." in shown
    assert "A piros csapat nyert: a kék csapat felfordította a gyilkost." in shown


def test_people_may_sit_in_all_seats(bundle: Bundle) -> None:
    answers = ["music 2", "piano", "pass", "sailor 1", "ship", "bison"]
    game, shown = session(bundle, "pppp", answers)
    assert (game.end, game.winner) == ("won", 1)
    assert "The red team wins: all its cards are found." in shown
    # The board is shown with all colours before a clue, and without before the cards.
    boards = [part for part in shown.split("Turn ")[:-1] if "street" in part]
    assert [" X tree" in board for board in boards] == [True, False, True, False]


def test_agents_play_alone_and_the_person_watches(bundle: Bundle) -> None:
    game, shown = session(bundle, "aaaa", [])
    assert game.winner in (0, 1)
    assert " B piano" in shown
    assert " X tree" in shown
    again, same = session(bundle, "aaaa", [])
    assert (again.as_dict(), same) == (game.as_dict(), shown)


def test_an_error_in_the_middle_does_not_lose_the_statistics(bundle: Bundle) -> None:
    class Careless:
        """A spymaster that repeats itself."""

        def give(self, view: SpymasterView) -> Clue:
            return Clue("keyboard", 1, (), None, 0.0, 0.0)

    lines: list[str] = []
    game = Game(BOARD, SOLITAIRE)
    table = scripted(game, lines, [])
    with pytest.raises(InputError, match="'keyboard' was said before"):
        play_in_terminal(table, [Seats(Careless(), Guesser(bundle))])
    assert game.end == "given up"
    assert "Blue team – turns: 1, cards found: 1, left: 2." in "\n".join(lines)


# The board in terminals of all kinds.


def test_colours_are_shown_only_where_the_terminal_has_them(bundle: Bundle) -> None:
    _, plain = session(bundle, "aa", [], rules=SOLITAIRE)
    _, painted = session(bundle, "aa", [], rules=SOLITAIRE, colour=True)
    assert "\x1b[" not in plain
    assert "\x1b[" in painted


def drawn(board: Board, width: int) -> list[str]:
    lines: list[str] = []
    game = Game(board, SOLITAIRE)
    Table(game, input, lines.append, "en", width=width).draw(key=False)
    return lines


def test_columns_line_up_in_wide_scripts() -> None:
    words = ("火车", "木", "a", "bb", "ccc", "火山", "d", "e", "f", "g")
    lines = drawn(Board(words, (OURS,) * 10), 80)
    # Both lines have two wide characters before the second card.
    assert lines[0].index("木") == lines[1].index("d")
    # A mark on a letter takes no column of its own.
    lines = drawn(Board(("e\u0301", "木", "ee", "a", "b", "d", "c"), (OURS,) * 7), 80)
    assert lines[0].index("木") == lines[1].index("c") + 1


@pytest.mark.parametrize("count", [2, 25, 100, 400])
@pytest.mark.parametrize("width", [10, 40, 80, 200])
def test_a_board_of_any_size_fits_any_width(count: int, width: int) -> None:
    words = [f"word{at}" for at in range(count)]
    lines = drawn(Board.of(words), width)
    assert [cell for line in lines for cell in line.split() if cell[0] == "w"] == words
    assert max(map(len, lines)) <= max(width, len("400   word399"))
    assert len(lines[0].split()) // 2 <= max(5, count**0.5)
    if width == 80 and count == 25:
        assert len(lines) == 5


@pytest.mark.parametrize(
    ("text", "language", "clue"),
    [
        ("ocean 2", "en", ("ocean", 2)),
        ("  Ocean   10 ", "en", ("Ocean", 10)),
        ("ocean, 2", "en", ("ocean", 2)),
        ("ocean: 0", "en", ("ocean", 0)),
        ("ice cream 1", "en", ("ice cream", 1)),
        ("ocean unlimited", "en", ("ocean", None)),
        ("ocean UNLIMITED", "en", ("ocean", None)),
        ("ocean ∞", "fi", ("ocean", None)),
        ("óceán korlátlan", "hu", ("óceán", None)),
        ("óceán Végtelen", "hu", ("óceán", None)),
        ("unlimited 2", "en", ("unlimited", 2)),
        ("محيط ٢", "ar", ("محيط", 2)),
    ],
)
def test_a_clue_is_a_word_and_a_number(
    text: str, language: str, clue: tuple[str, int | None]
) -> None:
    assert parse_clue(text, language) == clue


@pytest.mark.parametrize(
    "text",
    ["", "ocean", "2", "ocean two", "ocean -1", "ocean 1.5", "ocean ²", f"ocean {'9' * 5000}"],
)
def test_other_texts_are_not_clues(text: str) -> None:
    assert parse_clue(text, "en") is None
