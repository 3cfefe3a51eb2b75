"""Options of commands that play: boards, and how agents give clues and guess."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any, NamedTuple

import click

from wordkin.bundle import Bundle
from wordkin.cli.options import FILE, option, packed
from wordkin.errors import InputError
from wordkin.files import decode_text, read_words
from wordkin.game.board import Board, parse_board, read_board, split_words
from wordkin.game.board_view import resolve_cards
from wordkin.game.guesser import MODELS, Guesser
from wordkin.game.scoring import SCORING, SCORINGS, Options
from wordkin.game.spymaster import Spymaster
from wordkin.game.word_lists import words_to_deal
from wordkin.game.worth import BALANCED, risk_named
from wordkin.program import one_line, say
from wordkin.ranges import SEED, Real

STANDARD_INPUT = Path("-")
DEFAULT = Options()

board_file_option = option(
    "--board",
    "A file with the board, - for standard input (see docs/agent.md).",
    FILE,
    metavar="FILE",
)
words_option = option(
    "--words", "A list of words to deal from, one per line.", FILE, metavar="FILE"
)


class Names(click.ParamType):
    """Several names, separated by spaces."""

    name = "names"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> list[str]:
        """Split the names."""
        return value if isinstance(value, list) else str(value).split()


class GivenBoard(NamedTuple):
    """A board: a file, or the words of each colour."""

    board: Path | None
    ours: str
    theirs: str
    neutral: str
    assassin: str

    def read(self) -> Board:
        """The board of the file, or of the words that were typed."""
        if self.board:
            return board_of_file(self.board)
        colours = {"ours": self.ours, "theirs": self.theirs}
        colours |= {"neutral": self.neutral, "assassin": self.assassin}
        return _printable(Board.of(**{name: split_words(text) for name, text in colours.items()}))


def _colour_option(colour: str, about: str) -> Any:
    return click.option(f"--{colour}", default="", metavar="WORDS", help=about)


board_options = packed(
    "given",
    GivenBoard,
    board_file_option,
    _colour_option("ours", "Our cards, separated by spaces, or by commas."),
    _colour_option("theirs", "The cards of the other team."),
    _colour_option("neutral", "The cards of neither team."),
    _colour_option("assassin", "The card that loses the game."),
)


def board_of_file(path: Path) -> Board:
    """The board in a file, or on standard input for the path `-`."""
    if path == STANDARD_INPUT:
        return _printable(parse_board(decode_text(sys.stdin.buffer.read(), path), path))
    return _printable(read_board(path))


def _printable(board: Board) -> Board:
    """The board; refused if one of its words would steer the terminal."""
    for word in board.words:
        if one_line(word) != word:
            raise InputError(f"The card '{word}' has a control character: leave it out.")
    return board


def known_board_words(words: Path | None, bundle: Bundle) -> list[str]:
    """The words to deal boards from, without those that stand for no word of the bundle.

    The words that are left out are named on stderr.
    """
    listed = read_words(words) if words else words_to_deal(bundle)
    known = [resolution.word for resolution in resolve_cards(bundle, listed)]
    if left_out := sorted(set(listed) - set(known)):
        named = ", ".join(left_out[:10]) + (", ..." if len(left_out) > 10 else "")
        say(
            f"Left out, because they stand for no known word: {one_line(named)} "
            f"({len(left_out)} of {len(listed)})."
        )
    return known


class Risk(click.ParamType):
    """An attitude to risk: a name or a number."""

    name = "risk"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Read the name or number."""
        try:
            return value if isinstance(value, float) else risk_named(value)
        except InputError as error:
            self.fail(str(error), param, ctx)


class GivenSpymaster(NamedTuple):
    """How an agent gives clues."""

    scoring: str
    risk: float
    penalty: float
    threshold: float
    sharpness: float
    rarity: float
    definitions: float
    familiarity: float | None
    unwanted: Path | None

    def make(self, bundle: Bundle, measure: str | None) -> Spymaster:
        """The spymaster that the options describe."""
        options = Options(
            penalty=self.penalty,
            threshold=self.threshold,
            sharpness=self.sharpness,
            risk=self.risk,
        )
        unwanted = read_words(self.unwanted) if self.unwanted else None
        return Spymaster(
            bundle,
            measure,
            self.scoring,
            options,
            self.rarity,
            unwanted,
            familiarity=self.familiarity,
            definitions=self.definitions,
        )


spymaster_options = packed(
    "spymaster",
    GivenSpymaster,
    option(
        "--scoring",
        "The scoring function (see docs/agent.md).",
        click.Choice(list(SCORINGS)),
        SCORING,
    ),
    option(
        "--risk",
        "Of worth: cautious, balanced, bold, or a number by which losses are divided. "
        "[default: balanced]",
        Risk(),
        BALANCED,
        show_default=False,
    ),
    option("--penalty", "λ: how much the closest bad card counts.", Real(0, 1000), DEFAULT.penalty),
    option(
        "--threshold",
        "λ_T of kim: cards must be more related than this.",
        Real(-1000, 1000),
        DEFAULT.threshold,
    ),
    option(
        "--sharpness",
        "How many times as sure the guesser is expected to be as people are.",
        Real(0, 1000, above=True),
        DEFAULT.sharpness,
    ),
    option("--rarity", "Weight against clues that are rare or very common.", Real(0, 1000), 0.0),
    option(
        "--definitions",
        "Weight of dictionary vectors, with a bundle that has dict2vec.",
        Real(0, 1000),
        0.0,
    ),
    option(
        "--familiarity",
        "Offer only words that are at least this familiar, 0 to 1. [default: the bundle's]",
        Real(0, 1),
    ),
    option("--unwanted", "Words never to offer, one per line.", FILE, metavar="FILE"),
)


class GivenGuesser(NamedTuple):
    """How an agent guesses."""

    model: str
    chance: int

    def make(self, bundle: Bundle, measure: str | None, team: int = 0) -> Guesser:
        """The guesser that the options describe; chance differs between teams."""
        return Guesser(bundle, measure, self.model, seed=self.chance + team)


guesser_options = packed(
    "guesser",
    GivenGuesser,
    option(
        "--model",
        "How the guesser picks cards (see docs/agent.md).",
        click.Choice(list(MODELS)),
        "closest",
    ),
    option("--chance", "The seed of a guesser that picks at random.", SEED, 0),
)
