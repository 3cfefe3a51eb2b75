"""A game in the terminal, in both languages, from the first card to the statistics."""

from __future__ import annotations

from string import Formatter

import pytest

import wordkin
from tests.support.bundles import make_bundle
from wordkin.bundle import Bundle
from wordkin.errors import InputError
from wordkin.game.board import ASSASSIN, COLOURS, NEUTRAL, OURS, THEIRS, Board
from wordkin.game.guesser import Guesser
from wordkin.game.play import GUESSER, NOBODY, ROLES, SPYMASTER, Terminal, play
from wordkin.game.rules import MOST_TURNS, Game
from wordkin.game.spymaster import Spymaster
from wordkin.texts import TEXTS, texts

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
    """Play with these answers; the game and all that was shown."""
    lines: list[str] = []
    left = iter(answers)

    def read(prompt: str) -> str:
        lines.append(prompt)
        try:
            return next(left)
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
    assert "Won: all our cards are found." in shown
    assert "Of the 3 cards that I meant, you found 3 in their turn." in shown
    # The colours of cards that lie face down are not told before the end.
    assert "X" not in shown.split("Won")[0].rsplit("Turn", 1)[0]


def test_a_person_guesses_in_hungarian(magyar: Bundle) -> None:
    game, shown = session(magyar, MAGYAR, GUESSER, ["egér", "elég", "1", "király"])
    assert game.revealed == ["egér", "zongora", "király"]
    assert "Az utalásom: billentyűzet 2" in shown
    assert "Győzelem: minden lapunk megvan." in shown


def test_a_person_gives_clues(bundle: Bundle) -> None:
    answers = ["keyboard", "keyboard 0", "piano 1", "pianos 1", "qwerty 2", "keyboard 2"]
    game, shown = session(bundle, BOARD, SPYMASTER, [*answers, "keyboard 1", "soup 1"])
    assert game.end == "won"
    assert shown.count("Write one word and a number") == 2
    assert "'piano' is not allowed: it is a card." in shown
    assert "'pianos' is not allowed: it contains the card 'piano'." in shown
    assert "I do not know the word 'qwerty'." in shown
    assert "'keyboard' is not allowed: it was said before." in shown
    assert game.statistics()["moves"][0]["guessed"] == [
        {"word": "mouse", "colour": OURS},
        {"word": "piano", "colour": OURS},
    ]


def test_a_person_gives_clues_in_hungarian(magyar: Bundle) -> None:
    game, shown = session(magyar, MAGYAR, SPYMASTER, ["királyi 1", "korona 1", "vége"])
    assert "„királyi” nem szabályos: benne van ez a lap: „király”." in shown
    assert game.revealed == ["király"]
    assert "A játék félbeszakadt." in shown


def test_the_machine_plays_with_itself(bundle: Bundle) -> None:
    game, shown = session(bundle, BOARD, NOBODY, [])
    assert game.end == "won"
    assert len(game.turns) == 2
    again, same = session(bundle, BOARD, NOBODY, [])
    assert (again.statistics(), same) == (game.statistics(), shown)


def test_wrong_answers_are_asked_again(bundle: Bundle) -> None:
    _, shown = session(bundle, BOARD, GUESSER, ["", "elephant", "99", "piano", "piano", "quit"])
    assert "Turn over one card at least." in shown
    assert shown.count("is not a card that lies face down") == 3


def test_a_person_who_passes_first_is_asked_again(magyar: Bundle) -> None:
    game, shown = session(magyar, MAGYAR, GUESSER, ["passz", "egér", "passz", "vége"])
    assert shown.count("Legalább egy lapot fel kell fordítani.") == 1
    assert [turn.guessed for turn in game.turns] == [["egér"], []]


def test_the_machine_s_last_card_may_end_the_turn(bundle: Bundle) -> None:
    game, _ = session(bundle, BOARD, SPYMASTER, ["whale 1", "quit"])
    assert game.revealed == ["ship"]
    assert len(game.turns) == 1


@pytest.mark.parametrize(
    ("card", "end", "sentence"),
    [
        ("tree", "assassin", "Lost: that was the assassin."),
        ("bison", "given up", "Stopped before the end."),
    ],
)
def test_bad_cards(bundle: Bundle, card: str, end: str, sentence: str) -> None:
    game, shown = session(bundle, BOARD, GUESSER, [card])
    assert game.end == end
    assert sentence in shown


def test_colours_only_where_the_terminal_has_them(bundle: Bundle) -> None:
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


# The rules themselves.


def test_a_turn_allows_the_number_and_one_more() -> None:
    game = Game(BOARD)
    game.give("keyboard", 1)
    assert game.turn_over("piano") == OURS
    assert game.guesses_left == 1
    game.turn_over("mouse")
    assert game.guesses_left == 0
    with pytest.raises(InputError, match="No more cards"):
        game.turn_over("bread")


@pytest.mark.parametrize(("card", "colour"), [("bison", THEIRS), ("street", NEUTRAL)])
def test_a_card_that_is_not_ours_ends_the_turn(card: str, colour: str) -> None:
    game = Game(BOARD)
    game.give("keyboard", 3)
    assert game.turn_over(card) == colour
    assert game.guesses_left == 0
    assert game.end is None


def test_ends() -> None:
    lost = Game(BOARD)
    lost.give("leaf", 1)
    assert lost.turn_over("tree") == ASSASSIN
    assert lost.end == "assassin"
    with pytest.raises(InputError, match="The game is over"):
        lost.give("branch", 1)

    handed_over = Game(BOARD)
    for card in ("bison", "ship"):
        handed_over.give(f"clue for {card}", 1)
        handed_over.turn_over(card)
    assert handed_over.end == "theirs"

    words = [f"w{at}" for at in range(MOST_TURNS + 1)]
    slow = Game(Board.of(words))
    for card in words[:MOST_TURNS]:
        assert slow.end is None
        slow.give(f"clue for {card}", 1)
        slow.turn_over(card)
        slow.stop()
    assert slow.end == "turns"


def test_a_card_is_turned_over_once() -> None:
    game = Game(BOARD)
    game.give("keyboard", 2)
    game.turn_over("piano")
    with pytest.raises(InputError, match="'piano' is not a card that lies face down"):
        game.turn_over("piano")


def test_a_game_needs_cards_of_ours() -> None:
    with pytest.raises(InputError, match="needs cards of ours"):
        Game(Board.of([], ["bison"]))


# The texts.


def test_every_language_says_everything_with_the_same_values() -> None:
    def values(text: str) -> set[str | None]:
        return {name for _, name, _, _ in Formatter().parse(text) if name}

    for language, said in TEXTS.items():
        assert said.keys() == TEXTS["en"].keys(), language
        for key, text in said.items():
            assert values(text) == values(TEXTS["en"][key]), (language, key)


def test_texts_exist_for_all_that_can_happen() -> None:
    rules = ["letters", "said", "card", "contains", "contained", "lemma", "family", "stem"]
    for key in (
        *(f"found_{colour}" for colour in COLOURS),
        *(f"illegal_{rule}" for rule in rules),
        *(f"welcome_{role}" for role in ROLES),
        *(f"end_{end}" for end in ("won", "assassin", "theirs", "turns", "given_up")),
    ):
        assert key in TEXTS["en"]
    assert texts("hu-HU") is TEXTS["hu"]
    assert texts("fi") is TEXTS["en"]
