"""`wordkin tournament`: every spymaster plays with every guesser."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from dataclasses import asdict
from pathlib import Path

from wordkin.cli import options, output
from wordkin.cli.command import Command
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
    parser.add_argument(
        "--parquet", type=Path, metavar="FILE", help="write every game to this file"
    )
    parser.add_argument(
        "--html", type=Path, metavar="FILE", help="write heat maps and figures to this page"
    )


def run(given: Namespace) -> None:
    """Play a tournament and print the standings."""
    # Imported here: multiprocessing and statistics would slow down every other command.
    from wordkin.game import agents, plan, standings, tournament

    bundle = options.open_bundle(given)
    everyone = options.chosen_measures(given, bundle)
    planned = plan.Plan(
        spymasters=tuple(map(agents.parse_spymaster, given.spymasters or everyone)),
        guessers=tuple(map(agents.parse_guesser, given.guessers or everyone)),
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
        f"rules: {planned.rules}, seed {planned.seed}. "
        "In brackets, 95 % intervals over the boards."
    )
    if given.parquet:
        standings.write_parquet(given.parquet, results)
    if given.html:
        standings.write_page(given.html, "Tournament", about, figures)
    if given.json:
        output.print_json([asdict(standing) for standing in figures])
    else:
        print(about)
        output.print_table(standings.HEADER, standings.table_rows(figures))


COMMAND = Command(
    "tournament",
    "let every spymaster play with every guesser",
    add_options,
    run,
    example="tournament --boards 10 --spymasters svd npmi",
)
