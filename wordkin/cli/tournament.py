"""`wordkin tournament`: every spymaster plays with every guesser."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path

from wordkin.bundle import Bundle
from wordkin.cli import options, output
from wordkin.cli.command import Command
from wordkin.game.agents import Player, parse_guesser, parse_spymaster
from wordkin.game.lineup import Entrant, paper_guessers, paper_spymasters
from wordkin.game.plan import RULES, SOLITAIRE
from wordkin.ranges import Whole


def add_options(parser: ArgumentParser) -> None:
    """Add the options of the command."""
    options.add_bundle_options(parser)
    parser.add_argument(
        "--spymasters",
        nargs="+",
        metavar="PLAYER",
        help="measures, with a scoring function or without: svd, svd/expected (default: all)",
    )
    parser.add_argument(
        "--papers",
        action="store_true",
        help="let the agents of the papers play too (see docs/judging.md)",
    )
    parser.add_argument(
        "--guessers",
        nargs="+",
        metavar="PLAYER",
        help="measures, with a model or without: svd, svd/softmax (default: all)",
    )
    parser.add_argument(
        "--rules", choices=RULES, default=SOLITAIRE, help="one team or two (default: solitaire)"
    )
    parser.add_argument(
        "--boards", type=Whole(1), default=30, help="the number of boards (default: 30)"
    )
    options.add_dealing_options(parser, seed="the seed of boards and guesses")
    parser.add_argument(
        "--processes", type=Whole(1, 1024), help="the number of processes (default: one per core)"
    )
    parser.add_argument("--details", action="store_true", help="print every pair with intervals")
    parser.add_argument(
        "--parquet", type=Path, metavar="FILE", help="write every game to this file"
    )
    parser.add_argument(
        "--html", type=Path, metavar="FILE", help="write heat maps and figures to this page"
    )


def run(given: Namespace) -> None:
    """Play a tournament and print the standings."""
    # Imported here: multiprocessing and statistics would slow down every other command.
    from wordkin.game import plan, standings, tournament, tournament_page

    bundle = options.open_bundle(given)
    spymasters, guessers = _players(given, bundle)
    planned = plan.Plan(
        spymasters=tuple(spymasters),
        guessers=tuple(guessers),
        boards=plan.deal_boards(
            options.known_board_words(given, bundle), given.boards, given.seed, given.rules
        ),
        rules=given.rules,
        seed=given.seed,
    )
    results = tournament.run(bundle.folder, planned, given.processes)
    figures = standings.standings(results, given.seed)
    about = (
        f"{len(results):,} results on {len(planned.boards):,} boards in '{bundle.language}', "
        f"rules: {planned.rules}, seed {planned.seed}."
    )
    if given.parquet:
        tournament_page.write_parquet(given.parquet, results)
    if given.html:
        tournament_page.write_page(given.html, "Tournament", about, figures)
    if given.json:
        output.print_json([asdict(standing) for standing in figures])
    else:
        print(about)
        print(standings.CROSS_CAPTION)
        output.print_table(*standings.cross_table(figures))
        if given.details:
            print("In brackets, 95 % intervals over the boards:")
            output.print_table(standings.HEADER, standings.table_rows(figures))


def _players(given: Namespace, bundle: Bundle) -> tuple[list[Player], list[Player]]:
    """The spymasters and guessers that the options name."""
    everyone = options.chosen_measures(given, bundle)
    ours = [bundle.default] if given.papers else everyone
    spymasters = list(map(parse_spymaster, given.spymasters or ours))
    guessers = list(map(parse_guesser, given.guessers or everyone))
    if given.papers:
        measures = list(bundle.measures)
        spymasters += _others(paper_spymasters(measures), spymasters)
        guessers += _others(paper_guessers(measures), guessers)
    return spymasters, guessers


def _others(entrants: Iterable[Entrant], players: Sequence[Player]) -> list[Player]:
    """The agents of the papers that do not play already."""
    return [entrant.player for entrant in entrants if entrant.player not in players]


COMMAND = Command(
    "tournament",
    "let every spymaster play with every guesser",
    add_options,
    run,
    example="tournament --boards 10 --spymasters svd npmi",
)
