"""What a person wants to see at the end: the correlations, where the reports are, and a clue."""

from __future__ import annotations

import json
from pathlib import Path

from pipeline.judging import evaluate
from pipeline.layout import Layout
from pipeline.settings import Settings
from wordkin.bundle import load
from wordkin.errors import NoBoardWords
from wordkin.game.board import Board, board_words
from wordkin.game.clue_text import clue_lines
from wordkin.game.spymaster import Spymaster

BOARDS = {
    "en": Board.of(
        ours=["piano", "river", "bread", "doctor", "castle"],
        theirs=["mouse", "bridge", "knife", "engine"],
        neutral=["window", "cloud"],
        assassin=["bank"],
    ),
    "hu": Board.of(
        ours=["király", "kenyér", "hegy", "szőlő", "hajó"],
        theirs=["ablak", "lámpa", "autó", "telefon"],
        neutral=["kert", "kutya"],
        assassin=["kígyó"],
    ),
}
"""A fixed board a language, so that clues of different builds can be compared."""


def print_summary(root: Path, settings: Settings) -> None:
    """Print the summary of each language."""
    for language in settings.languages:
        layout = Layout(root, language)
        print(f"\n== {language} " + "=" * 60)
        print(evaluate.table(json.loads(layout.metrics("evaluate").read_text(encoding="utf-8"))))
        print(f"\nreport: {(layout.eval / 'report.html').relative_to(root)}")
        print("\n".join(sample_clue(layout)))


def sample_clue(layout: Layout) -> list[str]:
    """A clue for the language's fixed board, or for one dealt from its board words."""
    try:
        board = BOARDS.get(layout.language) or Board.deal(board_words(layout.language), seed=0)
    except NoBoardWords:
        return [f"no sample clue: put board words into wordkin/game/boards/{layout.language}.txt"]
    spymaster = Spymaster(load(layout.bundle))
    clue = spymaster.explained(spymaster.clue(board), layout.language)
    bad = (*board.theirs, *board.neutral, *board.assassin)
    cards = f"board: {', '.join(board.ours)} | not: {', '.join(bad)}"
    return [cards, *clue_lines(clue, layout.language)]
