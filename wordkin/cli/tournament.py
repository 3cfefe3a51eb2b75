"""`wordkin tournament`: every spymaster plays with every guesser."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

import click

from wordkin.bundle import Bundle
from wordkin.cli import output
from wordkin.cli.game_options import known_board_words, words_option
from wordkin.cli.options import FILE, Chosen, bundle_options, json_option
from wordkin.game.agents import (
    Entrant,
    Player,
    paper_guessers,
    paper_spymasters,
    parse_guesser,
    parse_spymaster,
)
from wordkin.game.rules import RULES
from wordkin.ranges import SEED, Whole


@click.command()
@json_option
@bundle_options
@click.option(
    "--spymasters",
    metavar="PLAYERS",
    help="Measures, with a scoring function or without: 'svd svd/expected'. [default: all]",
)
@click.option(
    "--guessers",
    metavar="PLAYERS",
    help="Measures, with a model or without: 'svd svd/softmax'. [default: all]",
)
@click.option("--papers", is_flag=True, help="Let the agents of the papers play too.")
@click.option(
    "--rules", type=click.Choice(list(RULES)), default="solitaire", help="One team or two."
)
@click.option("--boards", type=Whole(1), default=30, help="The number of boards.")
@words_option
@click.option("--seed", type=SEED, default=0, help="The seed of boards and guesses.")
@click.option(
    "--processes", type=Whole(1, 1024), help="The number of processes. [default: one per core]"
)
@click.option("--games", type=FILE, metavar="FILE", help="Write every game to this file, as CSV.")
def tournament(
    chosen: Chosen,
    spymasters: str | None,
    guessers: str | None,
    papers: bool,
    rules: str,
    boards: int,
    words: Path | None,
    seed: int,
    processes: int | None,
    games: Path | None,
    as_json: bool,
) -> None:
    """Let every spymaster play with every guesser, and print the standings."""
    # Imported here: multiprocessing and statistics would slow down the completion of options.
    from wordkin.game import tournament

    bundle = chosen.open()
    giving, guessing = _players(chosen, bundle, spymasters, guessers, papers)
    planned = tournament.Plan(
        spymasters=tuple(giving),
        guessers=tuple(guessing),
        boards=tournament.deal_boards(known_board_words(words, bundle), boards, seed, rules),
        rules=rules,
        seed=seed,
    )
    results = tournament.run(bundle.folder, planned, processes)
    standings = tournament.standings(results, seed)
    if games:
        tournament.write_results(games, results)
    if as_json:
        output.print_json([asdict(standing) for standing in standings])
        return
    output.print_lines(
        f"{len(results):,} results on {len(planned.boards):,} boards in '{bundle.language}', "
        f"rules: {planned.rules}, seed {planned.seed}. In brackets, 95 % intervals over the boards."
    )
    output.print_table(tournament.HEADER, tournament.table_rows(standings))


def _players(
    chosen: Chosen, bundle: Bundle, spymasters: str | None, guessers: str | None, papers: bool
) -> tuple[list[Player], list[Player]]:
    """The spymasters and guessers that the options name."""
    everyone = chosen.measures(bundle)
    ours = [bundle.default] if papers else everyone
    giving = list(map(parse_spymaster, spymasters.split() if spymasters else ours))
    guessing = list(map(parse_guesser, guessers.split() if guessers else everyone))
    if papers:
        measures = list(bundle.measures)
        giving += _others(paper_spymasters(measures), giving)
        guessing += _others(paper_guessers(measures), guessing)
    return giving, guessing


def _others(entrants: Iterable[Entrant], players: Sequence[Player]) -> list[Player]:
    """The agents of the papers that do not play already."""
    return [entrant.player for entrant in entrants if entrant.player not in players]
