"""Options of commands that play: boards, and how agents give clues and guess."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any, NamedTuple

import click

from wordkin.bundle import Bundle
from wordkin.cli.options import FILE, Command
from wordkin.errors import InputError
from wordkin.files import decode_text, read_words
from wordkin.game.board import Board, parse_board, read_board, words_to_deal
from wordkin.game.board_view import resolve_cards
from wordkin.game.guesser import MODELS, Guesser
from wordkin.game.scoring import SCORING, SCORINGS, Options
from wordkin.game.spymaster import Spymaster
from wordkin.game.worth import risk_named
from wordkin.program import one_line, say
from wordkin.ranges import SEED, Real

STANDARD_INPUT = Path("-")
DEFAULT = Options()

board_file_option = click.option(
    "--board",
    type=FILE,
    metavar="FILE",
    help="A file with the board, - for standard input (see docs/reference/files.md).",
)
words_option = click.option(
    "--words", type=FILE, metavar="FILE", help="A list of words to deal from, one per line."
)


def board_options(command: Command) -> Command:
    """Add the options for a board; the command gets it as `board`."""

    def colour_option(colour: str, about: str) -> Any:
        return click.option(
            f"--{colour}", default="", show_default=False, metavar="WORDS", help=about
        )

    @board_file_option
    @colour_option("ours", "Our cards, separated by spaces, or by commas.")
    @colour_option("theirs", "The cards of the other team.")
    @colour_option("neutral", "The cards of neither team.")
    @colour_option("assassin", "The card that loses the game.")
    @wraps(command)
    def call(
        board: Path | None, ours: str, theirs: str, neutral: str, assassin: str, **others: Any
    ) -> Any:
        cards = board_of_file(board) if board else Board.of(ours, theirs, neutral, assassin)
        return command(board=_printable(cards), **others)

    return call


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


SpymasterMaker = Callable[[Bundle, str | None], Spymaster]
"""Makes the spymaster of the options from a bundle and the name of a measure."""


def spymaster_options(command: Command) -> Command:
    """Add the options of a spymaster; the command gets what makes it as `make_agent`."""

    @click.option(
        "--scoring",
        type=click.Choice(list(SCORINGS)),
        default=SCORING,
        help="The scoring function (see docs/explanation/agents.md).",
    )
    @click.option(
        "--risk",
        default="balanced",
        help="Of worth: cautious, balanced, bold, or a number by which losses are divided.",
    )
    @click.option(
        "--penalty",
        type=Real(0, 1000),
        default=DEFAULT.penalty,
        help="λ: how much the closest bad card counts.",
    )
    @click.option(
        "--threshold",
        type=Real(-1000, 1000),
        default=DEFAULT.threshold,
        help="λ_T of kim: cards must be more related than this.",
    )
    @click.option(
        "--sharpness",
        type=Real(0, 1000, above=True),
        default=DEFAULT.sharpness,
        help="How many times as sure the guesser is expected to be as people are.",
    )
    @click.option(
        "--rarity",
        type=Real(0, 1000),
        default=0.0,
        help="Weight against clues that are rare or very common.",
    )
    @click.option(
        "--definitions",
        type=Real(0, 1000),
        default=0.0,
        help="Weight of dictionary vectors, with a bundle that has dict2vec.",
    )
    @click.option(
        "--familiarity",
        type=Real(0, 1),
        help="Offer only words that are at least this familiar, 0 to 1. [default: the bundle's]",
    )
    @click.option(
        "--unwanted", type=FILE, metavar="FILE", help="Words never to offer, one per line."
    )
    @wraps(command)
    def call(
        scoring: str,
        risk: str,
        penalty: float,
        threshold: float,
        sharpness: float,
        rarity: float,
        definitions: float,
        familiarity: float | None,
        unwanted: Path | None,
        **others: Any,
    ) -> Any:
        options = Options(
            penalty=penalty, threshold=threshold, sharpness=sharpness, risk=risk_named(risk)
        )
        never = read_words(unwanted) if unwanted else None

        def make_agent(bundle: Bundle, measure: str | None) -> Spymaster:
            return Spymaster(
                bundle,
                measure,
                scoring,
                options,
                rarity,
                never,
                familiarity=familiarity,
                definitions=definitions,
            )

        return command(make_agent=make_agent, **others)

    return call


class GivenGuesser(NamedTuple):
    """How an agent guesses."""

    model: str
    chance: int

    def make(self, bundle: Bundle, measure: str | None, team: int = 0) -> Guesser:
        """The guesser that the options describe; chance differs between teams."""
        return Guesser(bundle, measure, self.model, seed=self.chance + team)


def guesser_options(command: Command) -> Command:
    """Add the options of a guesser; the command gets them as `guesser`."""

    @click.option(
        "--model",
        type=click.Choice(list(MODELS)),
        default="closest",
        help="How the guesser picks cards (see docs/explanation/agents.md).",
    )
    @click.option(
        "--chance", type=SEED, default=0, help="The seed of a guesser that picks at random."
    )
    @wraps(command)
    def call(model: str, chance: int, **others: Any) -> Any:
        return command(guesser=GivenGuesser(model, chance), **others)

    return call
