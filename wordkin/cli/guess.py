"""`wordkin guess`: rank the cards of a board for a clue."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import asdict

from wordkin.cli import options, output
from wordkin.cli.command import Command
from wordkin.game.board_view import resolve_cards
from wordkin.game.guesser import Guesser
from wordkin.ranges import Whole


def add_options(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_bundle_options(parser)
    parser.add_argument("clue", help="the clue")
    parser.add_argument("cards", nargs="+", help="the cards, one argument per card")
    parser.add_argument(
        "-n", "--number", type=Whole(1), help="pick this many cards (default: rank all cards)"
    )
    options.add_guesser_options(parser)


def run(given: Namespace) -> None:
    """Print the cards, closest first, or those that the guesser picks."""
    bundle = options.open_bundle(given)
    guesser = Guesser(bundle, given.measure, given.model, seed=given.chance)
    guesses = guesser.rank(given.clue, given.cards)
    if given.number is not None:
        picked = guesser.guess(given.clue, given.number, given.cards)
        position = {card: at for at, card in enumerate(picked)}
        guesses = [guess for guess in guesses if guess.word in position]
        guesses.sort(key=lambda guess: position[guess.word])
    shown = [given.clue, *(guess.word for guess in guesses)]
    unknown = {item.word: item for item in resolve_cards(bundle, shown) if not item.known}
    if given.json:
        output.print_json(
            [
                {**asdict(guess), **output.resolved([unknown[w] for w in pair if w in unknown])}
                for guess in guesses
                for pair in [(given.clue, guess.word)]
            ]
        )
        return
    header = output.header(given, "card", "relatedness")
    rows = [[guess.word, f"{guess.relatedness:.3f}"] for guess in guesses]
    if given.model != "closest":
        header += output.header(given, "chance")
        rows = [[*row, f"{guess.chance:.0%}"] for row, guess in zip(rows, guesses, strict=True)]
    output.print_table(header, rows)
    output.print_resolved(given, list(unknown.values()))


COMMAND = Command(
    "guess",
    "rank the cards of a board for a clue",
    add_options,
    run,
    example="guess keyboard piano mouse river -n 2",
)
