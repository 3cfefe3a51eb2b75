"""The summary at the end of a build: the correlations, where the reports are, and a clue."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pipeline.judge.figures import correlation_table
from pipeline.layout import Layout
from pipeline.stages import TABLE
from wordkin.bundle import Bundle, load
from wordkin.errors import InputError, NoBoardWords
from wordkin.game.board import Board
from wordkin.game.clue import clue_lines
from wordkin.game.spymaster import Spymaster
from wordkin.game.word_lists import words_to_deal
from wordkin.lookup import STARTERS
from wordkin.words import base

BOARDS = {
    "en": Board.of(
        ours=["river", "boat", "bread", "cheese", "king"],
        theirs=["mouse", "tiger", "window", "engine"],
        neutral=["clock", "cloud"],
        assassin=["bank"],
    ),
    "hu": Board.of(
        ours=["király", "hajó", "kenyér", "tenger", "hal"],
        theirs=["ablak", "lámpa", "autó", "telefon"],
        neutral=["kert", "kutya"],
        assassin=["kígyó"],
    ),
}
"""One fixed board per language, so that the clues of different builds can be compared. Some of our
cards belong together, so that there is a clue for two of them."""


SHOWN_STAGES = 5
"""How many of the longest stages are named."""


def print_summary(root: Path, languages: Iterable[str]) -> None:
    """Print the summary of each language."""
    for language in languages:
        layout = Layout(root, language)
        print(f"\n== {language} " + "=" * 60)
        print(correlation_table(_read_metrics(layout.metrics("evaluate"))))
        print(f"\nreport: {layout.report.relative_to(root)}")
        if times := stage_times(layout):
            print(times)
        print("\n".join(sample_clues(layout)))


def stage_times(layout: Layout) -> str:
    """How long the stages took when they last ran, the longest first; empty if it is not known."""
    seconds = {
        name: float(json.loads(layout.run(name).read_text(encoding="utf-8"))["seconds"])
        for name in TABLE
        if layout.run(name).is_file()
    }
    longest = sorted(seconds, key=lambda name: -seconds[name])
    named = ", ".join(f"{name} {seconds[name]:.0f} s" for name in longest[:SHOWN_STAGES])
    return f"stages: {sum(seconds.values()):.0f} s in all; {named}" if seconds else ""


def _read_metrics(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise InputError(f"{path} is missing: build the language first (dvc repro).")
    metrics: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return metrics


def sample_clues(layout: Layout) -> list[str]:
    """The clues of this build and of the starter bundle for the same board.

    The board is the language's fixed one, or one dealt from its board words.
    """
    bundle = load(layout.bundle)
    try:
        board = BOARDS.get(layout.language) or Board.deal(words_to_deal(bundle), seed=0)
    except NoBoardWords:
        path = f"wordkin/game/boards/{base(layout.language)}.txt"
        return [f"no sample clue: there are no board words; put some into {path}"]
    bad = (*board.theirs, *board.neutral, *board.assassin)
    lines = [f"board: {', '.join(board.ours)} | not: {', '.join(bad)}"]
    lines += [f"this build, by {bundle.default}:", *_clue(bundle, board)]
    starter = STARTERS / layout.language
    if starter.is_dir():
        other = load(starter)
        tokens = f"{other.manifest['tokens'] / 1e6:.1f} million tokens"
        lines += [f"the starter bundle, made from {tokens}:", *_clue(other, board)]
    return lines


def _clue(bundle: Bundle, board: Board) -> list[str]:
    """A clue for two cards at least, or a note that says why it is not."""
    spymaster = Spymaster(bundle)
    clue = spymaster.clue(board)
    if clue.number < 2:
        # The note of a clue for fewer cards than asked for says why.
        clue = spymaster.clue(board, number=2)
    language = bundle.language
    return clue_lines(spymaster.explained(clue, language), language)
