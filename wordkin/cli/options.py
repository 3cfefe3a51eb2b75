"""Options that several commands have, and what is made of them."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

from wordkin.bundle import Bundle, load
from wordkin.errors import InputError
from wordkin.files import decode_text, read_words
from wordkin.game.board import (
    ASSASSIN,
    COLOURS,
    NEUTRAL,
    OURS,
    THEIRS,
    Board,
    parse_board,
    read_board,
    split_words,
    words_to_deal,
)
from wordkin.game.board_view import resolve_cards
from wordkin.game.guesser import MODELS
from wordkin.game.scoring import SCORING, SCORINGS, Options
from wordkin.game.spymaster import Spymaster
from wordkin.game.worth import BALANCED, risk_named
from wordkin.places import STARTER
from wordkin.program import say
from wordkin.ranges import SEED, Real
from wordkin.words import normal

_COLOUR_HELP = {
    OURS: "our cards, separated by spaces, or by commas",
    THEIRS: "the cards of the other team",
    NEUTRAL: "the cards of neither team",
    ASSASSIN: "the card that loses the game",
}


STANDARD_INPUT = Path("-")


def add_bundle_options(parser: ArgumentParser) -> None:
    """Add the options that choose a bundle and a measure."""
    parser.add_argument("--lang", default="en", help="the language (default: en)")
    parser.add_argument(
        "--bundle", help="the folder or archive of a bundle (default: the bundle of --lang)"
    )
    parser.add_argument(
        "--measure",
        help="the measure of relatedness, or a blend such as npmi+svd (default: the bundle's)",
    )


def open_bundle(given: Namespace) -> Bundle:
    """Open the bundle that the options choose; say so if it is only the starter bundle."""
    bundle = load(given.bundle or given.lang)
    if bundle.place.origin == STARTER:
        words = len(bundle.vocabulary)
        say(f"using the starter bundle of '{bundle.language}' ({words:,} words)")
    return bundle


def add_pair_options(parser: ArgumentParser) -> None:
    """Add the options of a command about two words."""
    add_bundle_options(parser)
    parser.add_argument("words", nargs=2, metavar="word", help="the two words")


def given_pair(given: Namespace, bundle: Bundle) -> tuple[str, str]:
    """The two words that were typed, in the form of the bundle's words."""
    first, second = (normal(word, bundle.language) for word in given.words)
    return first, second


def chosen_measures(given: Namespace, bundle: Bundle) -> list[str]:
    """The measure that was named, or all measures of the bundle."""
    return [given.measure] if given.measure else list(bundle.measures)


def add_board_options(parser: ArgumentParser) -> None:
    """Add the options that describe a board."""
    add_board_file_option(parser)
    for colour in COLOURS:
        parser.add_argument(f"--{colour}", default="", metavar="WORDS", help=_COLOUR_HELP[colour])


def add_board_file_option(parser: ArgumentParser) -> None:
    """Add the option that reads a board from a file."""
    parser.add_argument(
        "--board",
        type=Path,
        metavar="FILE",
        help="a file with the board, - for standard input (see docs/agent.md)",
    )


def given_board(given: Namespace) -> Board:
    """The board of the file, or of the words that were typed."""
    if given.board:
        return board_of_file(given.board)
    return Board.of(**{colour: split_words(getattr(given, colour)) for colour in COLOURS})


def board_of_file(path: Path) -> Board:
    """The board in a file, or on standard input for the path `-`."""
    if path == STANDARD_INPUT:
        return parse_board(decode_text(sys.stdin.buffer.read(), path), path)
    return read_board(path)


def add_dealing_options(parser: ArgumentParser, seed: str) -> None:
    """Add the options that deal boards; `seed` says what the seed decides."""
    parser.add_argument(
        "--words", type=Path, metavar="FILE", help="a list of words to deal from, one per line"
    )
    parser.add_argument("--seed", type=SEED, default=0, help=f"{seed} (default: 0)")


def known_board_words(given: Namespace, bundle: Bundle) -> list[str]:
    """The words to deal boards from, without those that stand for no word of the bundle.

    The words that are left out are named on stderr.
    """
    words = read_words(given.words) if given.words else words_to_deal(bundle)
    known = [resolution.word for resolution in resolve_cards(bundle, words)]
    left_out = sorted(set(words) - set(known))
    if left_out:
        named = ", ".join(left_out[:10]) + (", ..." if len(left_out) > 10 else "")
        print(
            f"Left out, because they stand for no known word: {named} ({len(left_out)} of "
            f"{len(words)}).",
            file=sys.stderr,
        )
    return known


def risk(text: str) -> float:
    """The attitude to risk of an option: a name or a number."""
    try:
        return risk_named(text)
    except InputError as error:
        raise ArgumentTypeError(str(error)) from error


def add_spymaster_options(parser: ArgumentParser) -> None:
    """Add the options of a spymaster."""
    default = Options()
    parser.add_argument(
        "--scoring",
        choices=list(SCORINGS),
        default=SCORING,
        help="the scoring function (default: %(default)s; see docs/agent.md)",
    )
    parser.add_argument(
        "--risk",
        type=risk,
        default=BALANCED,
        metavar="RISK",
        help="of worth: cautious, balanced, bold, or a number by which losses are divided "
        "(default: balanced)",
    )
    parser.add_argument(
        "--penalty",
        type=Real(0, 1000),
        default=default.penalty,
        help="λ: how much the closest bad card counts (default: %(default)s)",
    )
    parser.add_argument(
        "--threshold",
        type=Real(-1000, 1000),
        default=default.threshold,
        help="λ_T of kim: cards must be more related than this (default: %(default)s)",
    )
    parser.add_argument(
        "--sharpness",
        type=Real(0, 1000, above=True),
        default=default.sharpness,
        help="how many times as sure the guesser is expected to be as people are "
        "(default: %(default)s)",
    )
    parser.add_argument(
        "--floor", action="store_true", help="count a bad card of negative relatedness as 0"
    )
    parser.add_argument(
        "--guard",
        action="store_true",
        help="of harmonic-divide: every target must be closer than any bad card",
    )
    parser.add_argument(
        "--rarity",
        type=Real(0, 1000),
        default=0.0,
        help="weight against clues that are rare or very common (default: %(default)s)",
    )
    parser.add_argument(
        "--definitions",
        type=Real(0, 1000),
        default=0.0,
        help="weight of dictionary vectors, with a bundle that has dict2vec (default: %(default)s)",
    )
    parser.add_argument(
        "--familiarity",
        type=Real(0, 1),
        metavar="LIMIT",
        help="offer only words that are at least this familiar, 0 to 1 (default: the bundle's)",
    )
    parser.add_argument(
        "--unwanted", type=Path, metavar="FILE", help="words never to offer, one per line"
    )


def make_spymaster(given: Namespace, bundle: Bundle) -> Spymaster:
    """The spymaster that the options describe."""
    options = Options(
        penalty=given.penalty,
        threshold=given.threshold,
        sharpness=given.sharpness,
        risk=given.risk,
        floor=given.floor,
        guard=given.guard,
    )
    unwanted = read_words(given.unwanted) if given.unwanted else None
    return Spymaster(
        bundle,
        given.measure,
        given.scoring,
        options,
        given.rarity,
        unwanted,
        familiarity=given.familiarity,
        definitions=given.definitions,
    )


def add_guesser_options(parser: ArgumentParser) -> None:
    """Add the options of a guesser."""
    parser.add_argument(
        "--model",
        choices=list(MODELS),
        default="closest",
        help="how the guesser picks cards (default: closest; see docs/agent.md)",
    )
    parser.add_argument(
        "--chance",
        type=SEED,
        default=0,
        help="the seed of a guesser that picks at random (default: 0)",
    )
