"""`wordkin play`: a game in the terminal."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import TextIO

import click

from wordkin.bundle import load
from wordkin.cli import output
from wordkin.cli.game_options import (
    STANDARD_INPUT,
    GivenGuesser,
    SpymasterMaker,
    board_file_option,
    board_of_file,
    guesser_options,
    known_board_words,
    spymaster_options,
    words_option,
)
from wordkin.cli.options import Chosen, bundle_options, json_option
from wordkin.errors import InputError
from wordkin.game.agents import make_guesser, make_spymaster, parse_guesser, parse_spymaster
from wordkin.game.game import Game
from wordkin.game.guesser import Guesser
from wordkin.game.legality import Legality
from wordkin.game.play import Seats
from wordkin.game.rules import SOLITAIRE, Rules, deal_text, parse_deal
from wordkin.game.terminal import (
    GUESSER,
    NOBODY,
    ROLES,
    SPYMASTER,
    WIDTH,
    GuesserAtTerminal,
    SpymasterAtTerminal,
    Table,
    play_in_terminal,
)
from wordkin.game.views import CardPicker, ClueGiver
from wordkin.program import one_line
from wordkin.ranges import SEED, Whole

ME, AGENT = "me", "agent"
SEATS = {SPYMASTER: [ME, AGENT], GUESSER: [AGENT, ME], NOBODY: [AGENT, AGENT]}
"""Who is spymaster and guesser of the first team, by the person's role."""

TEAMS = ("blue", "red")


@click.command()
@json_option
@bundle_options
@click.option(
    "--role",
    type=click.Choice(list(ROLES)),
    help="Your role in the blue team; agents have the other seats. [default: guesser]",
)
@click.option(
    "--seats",
    metavar="PLAYERS",
    help="Instead of --role: spymaster and guesser of blue, then of red, such as "
    "'me agent svd/expected svd'.",
)
@click.option("--solitaire", is_flag=True, help="One team alone, by the competition's rules.")
@click.option("--begins", type=click.Choice(TEAMS), default=TEAMS[0], help="The team that begins.")
@click.option(
    "--turns", type=Whole(1), help="The most turns of each team. [default: no limit; solitaire: 25]"
)
@click.option(
    "--deal",
    help="Cards of the team that begins, of the other team, neutral and assassins. [default: "
    f"{deal_text(Rules.deal)}; solitaire: {deal_text(SOLITAIRE.deal)}]",
)
@board_file_option
@words_option
@click.option("--seed", type=SEED, default=0, help="Which board to deal.")
@click.option("--no-colour", is_flag=True, help="Show letters instead of colours on the cards.")
@click.option("--guesser-bundle", metavar="PATH", help="Another bundle for agents that guess.")
@spymaster_options
@guesser_options
def play(
    chosen: Chosen,
    make_agent: SpymasterMaker,
    guesser: GivenGuesser,
    role: str | None,
    seats: str | None,
    solitaire: bool,
    begins: str,
    turns: int | None,
    deal: str | None,
    board: Path | None,
    words: Path | None,
    seed: int,
    no_colour: bool,
    guesser_bundle: str | None,
    as_json: bool,
) -> None:
    """Play in the terminal, with agents as your partner and opponents.

    With --json, the statistics of the game are the answer.
    """
    names = _seat_names(role, seats, solitaire)
    rules = SOLITAIRE if solitaire else Rules()
    if deal and board:
        raise InputError("A board has its own cards: give --board or --deal, not both.")
    if board == STANDARD_INPUT and ME in names:
        raise InputError(
            "--board - reads the board from standard input, where your answers are expected too: "
            "give a file, or --role nobody."
        )
    rules = replace(
        rules,
        deal=parse_deal(deal) if deal else rules.deal,
        begins=TEAMS.index(begins),
        most_turns=rules.most_turns if turns is None else turns,
    )
    bundle = chosen.open()
    if board:
        dealt = board_of_file(board)
    else:
        dealt = rules.deal_board(known_board_words(words, bundle), seed)
    # With --json, stdout has nothing but the answer.
    screen = sys.stderr if as_json else sys.stdout
    table = _table(Game(dealt, rules, bundle.language), screen, chosen.lang, not no_colour)
    guessing = load(guesser_bundle) if guesser_bundle else bundle
    measure = None if guesser_bundle else chosen.measure

    def picker_named(name: str, team: int) -> CardPicker:
        if name == ME:
            return GuesserAtTerminal(table)
        if name == AGENT:
            return guesser.make(guessing, measure, team)
        return make_guesser(guessing, parse_guesser(name), seed=guesser.chance + team)

    def giver_named(name: str, picker: CardPicker) -> ClueGiver:
        if name == ME:
            understands = picker.understands if isinstance(picker, Guesser) else None
            return SpymasterAtTerminal(table, Legality.of(bundle), understands)
        if name == AGENT:
            return make_agent(bundle, chosen.measure)
        return make_spymaster(bundle, parse_spymaster(name))

    pickers = [picker_named(name, team) for team, name in enumerate(names[1::2])]
    givers = map(giver_named, names[::2], pickers)
    try:
        play_in_terminal(table, list(map(Seats, givers, pickers)))
    finally:
        if as_json:
            output.print_json(table.game.statistics())


def _seat_names(role: str | None, seats: str | None, solitaire: bool) -> list[str]:
    """Who sits where: spymaster and guesser of each team."""
    if role and seats:
        raise InputError("--seats says who sits where, and so does --role: give one of them.")
    usual = [*SEATS[role or GUESSER], *([] if solitaire else SEATS[NOBODY])]
    names = seats.split() if seats else usual
    expected = 2 if solitaire else 4
    if len(names) != expected:
        raise InputError(
            f"--seats has {len(names)} players: name {expected}, a spymaster and a guesser for "
            "each team."
        )
    return names


def _table(game: Game, screen: TextIO, language: str, colour: bool) -> Table:
    def write(line: str) -> None:
        print(line, file=screen, flush=True)

    def read(prompt: str) -> str:
        print(prompt, end="", file=screen, flush=True)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        line = one_line(line.rstrip("\n"))
        if not sys.stdin.isatty():
            # Piped answers are printed, so that the transcript is complete.
            print(line, file=screen)
        return line

    colour = colour and screen.isatty() and "NO_COLOR" not in os.environ
    width = shutil.get_terminal_size((WIDTH, 24)).columns
    return Table(game, read, write, language, colour, width)
