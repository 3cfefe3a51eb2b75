"""`wordkin clue` and `wordkin guess`: one clue, and what it means on a board."""

from __future__ import annotations

from dataclasses import asdict

import click

from wordkin.cli import output
from wordkin.cli.game_options import (
    GivenGuesser,
    SpymasterMaker,
    board_options,
    guesser_options,
    spymaster_options,
)
from wordkin.cli.options import Chosen, bundle_options, json_option
from wordkin.game.board import Board, split_words
from wordkin.game.board_view import resolve_cards
from wordkin.game.clue import clue_lines
from wordkin.ranges import Whole


@click.command()
@json_option
@bundle_options
@board_options
@spymaster_options
@click.option(
    "-n", "--number", type=Whole(1), help="The number of cards to connect. [default: the best]"
)
@click.option("--count", type=Whole(1), default=1, help="The number of clues to show.")
@click.option(
    "--said",
    default="",
    show_default=False,
    metavar="WORDS",
    help="Earlier clues, which may not be repeated.",
)
@click.option("--why", is_flag=True, help="Show the numbers behind the reasons, and the scores.")
def clue(
    chosen: Chosen,
    board: Board,
    make_agent: SpymasterMaker,
    number: int | None,
    count: int,
    said: str,
    why: bool,
    as_json: bool,
) -> None:
    """Find a clue for a board, with reasons."""
    bundle = chosen.open()
    giver = make_agent(bundle, chosen.measure)
    clues = [
        giver.explained(found, chosen.lang)
        for found in giver.clues(board, count, number, split_words(said))
    ]
    if as_json:
        output.print_json([found.as_dict() for found in clues])
    else:
        for found in clues:
            output.print_lines(*clue_lines(found, chosen.lang, why))


@click.command()
@json_option
@bundle_options
@guesser_options
@click.argument("clue")
@click.argument("cards", nargs=-1, required=True, metavar="CARD...")
@click.option("-n", "--number", type=Whole(1), help="Pick this many cards. [default: rank all]")
def guess(
    chosen: Chosen,
    guesser: GivenGuesser,
    clue: str,
    cards: tuple[str, ...],
    number: int | None,
    as_json: bool,
) -> None:
    """Rank the cards of a board for a clue, closest first, or show which an agent picks."""
    bundle = chosen.open()
    agent = guesser.make(bundle, chosen.measure)
    guesses = agent.rank(clue, cards)
    if number is not None:
        position = {card: at for at, card in enumerate(agent.guess(clue, number, cards))}
        guesses = [entry for entry in guesses if entry.word in position]
        guesses.sort(key=lambda entry: position[entry.word])
    shown = [clue, *(entry.word for entry in guesses)]
    unknown = {item.word: item for item in resolve_cards(bundle, shown) if not item.known}
    if as_json:
        output.print_json(
            [
                {**asdict(entry), **output.resolved([unknown[w] for w in pair if w in unknown])}
                for entry in guesses
                for pair in [(clue, entry.word)]
            ]
        )
        return
    header = output.header(chosen.lang, "card", "relatedness")
    rows = [[entry.word, f"{entry.relatedness:.3f}"] for entry in guesses]
    if guesser.model != "closest":
        header += output.header(chosen.lang, "chance")
        rows = [[*row, f"{entry.chance:.0%}"] for row, entry in zip(rows, guesses, strict=True)]
    output.print_table(header, rows)
    output.print_resolved(chosen.lang, unknown.values())
