"""Agents at play, for the report: a small tournament of a build's measures, and clues to look at.

Boards are dealt from the language's board words; a language without them has no games.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from pipeline.judge.human import guesser_facts
from pipeline.layout import Layout
from pipeline.measures.subwords import learn_from, vector_measure
from pipeline.words.lemmas import lemmas_of_words
from wordkin.bundle import Bundle, load
from wordkin.bundle_folder import write_bundle
from wordkin.errors import NoBoardWords, NoClue
from wordkin.files import read_words, scratch_folder
from wordkin.game.agents import parse_guesser, parse_spymaster
from wordkin.game.board import Board
from wordkin.game.board_view import resolve_cards
from wordkin.game.clue import Clue
from wordkin.game.spymaster import Spymaster
from wordkin.game.tournament import SOLITAIRE, Plan, Standing, deal_boards, standings
from wordkin.game.tournament import run as run_tournament
from wordkin.measures.cached import CachedMeasure
from wordkin.vocabulary import Vocabulary

SHOWN_BOARDS = 4
"""The number of boards on which the report shows the clues of each measure."""

ITSELF, OTHERS = "itself", "the others"


@dataclass(frozen=True)
class Play:
    """What agents did.

    Attributes
    ----------
    standings : list of Standing
        For each measure as spymaster, its games with the guesser of the same measure (`ITSELF`)
        and those with the guessers of all other measures (`OTHERS`).
    boards : list of Board
        Some boards.
    clues : dict of str to list of Clue or None
        The first clue of each measure on each of these boards, with its reasons; None on a board
        for which it has no clue.
    """

    standings: list[Standing]
    boards: list[Board]
    clues: dict[str, list[Clue | None]]


def play(
    layout: Layout,
    names: Sequence[str],
    default: str,
    *,
    games: int,
    seed: int,
    familiarity: float = 0.0,
) -> Play:
    """Let the measures `names` play and give clues at least as familiar as `familiarity`."""
    names = [name for name in names if "+" not in name]
    with scratch_folder(layout.matrices / "agents.bundle") as folder:
        bundle = make_bundle(layout, names, default, folder / "bundle", familiarity)
        words = [card.word for card in resolve_cards(bundle, read_words(layout.boards))]
        try:
            boards = deal_boards(words, max(games, SHOWN_BOARDS), seed, SOLITAIRE)
        except NoBoardWords:
            return Play([], [], {})
        shown = list(boards[:SHOWN_BOARDS])
        return Play(
            standings=tournament(bundle, names, boards[:games], seed),
            boards=shown,
            clues={name: clues(bundle, name, shown) for name in names},
        )


def make_bundle(
    layout: Layout, names: Sequence[str], default: str, folder: Path, familiarity: float
) -> Bundle:
    """A temporary bundle of the measures made so far: agents play with bundles only."""
    vocabulary = layout.vocabulary / "vocabulary.tsv"
    words = Vocabulary.read(vocabulary)
    folders = {name: layout.measure(name) for name in names}
    source = vector_measure(folders)
    write_bundle(
        folder,
        language=layout.language,
        vocabulary=vocabulary,
        measures=folders,
        default=default,
        lemmas=lemmas_of_words(layout, words.words),
        subwords=learn_from(folders[source], words) if source else None,
        facts={"guesser": guesser_facts(layout, list(folders)), "familiarity": familiarity},
    )
    return load(folder)


def tournament(
    bundle: Bundle, names: Sequence[str], boards: Sequence[Board], seed: int
) -> list[Standing]:
    """Each measure's spymaster with each measure's guesser, on the same boards."""
    spymasters = {str(parse_spymaster(name)): name for name in names}
    guessers = {str(parse_guesser(name)): name for name in names}
    plan = Plan(
        tuple(map(parse_spymaster, names)),
        tuple(map(parse_guesser, names)),
        tuple(boards),
        SOLITAIRE,
        seed,
    )
    results = []
    for result in run_tournament(bundle.folder, plan):
        spymaster, guesser = spymasters[result.spymaster], guessers[result.guesser]
        partner = ITSELF if spymaster == guesser else OTHERS
        results.append(result._replace(spymaster=spymaster, guesser=partner))
    return standings(results, seed)


def clues(bundle: Bundle, name: str, boards: Sequence[Board]) -> list[Clue | None]:
    """A measure's first clue on each board, with its reasons."""
    spymaster = Spymaster(bundle, CachedMeasure(bundle.measure(name)))

    def clue(board: Board) -> Clue | None:
        try:
            return spymaster.explained(spymaster.clue(board))
        except NoClue:
            return None

    return list(map(clue, boards))
