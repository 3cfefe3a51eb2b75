"""The summary at the end of a build: what people think of it, where the report is, and a clue."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from pipeline.judge.correlations import COVERED_ENOUGH
from pipeline.judge.figures import recorded, with_interval
from pipeline.layout import INFORMED, LEARNED, SINGLE, Layout
from pipeline.stages import TABLE
from wordkin.bundle import Bundle, load
from wordkin.errors import InputError, NoBoardWords
from wordkin.game.board import Board, words_to_deal
from wordkin.game.clue import clue_lines
from wordkin.game.spymaster import Spymaster
from wordkin.tables import table_lines
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

MEASURES = (*SINGLE, "translated", "blend", INFORMED, LEARNED)
"""The measures in the summary, where a build has them; the report has all."""

SHOWN_SETS = 2
SHOWN_STAGES = 5
"""How many of the longest stages are named."""


def print_summary(root: Path, languages: Iterable[str]) -> None:
    """Print the summary of each language."""
    for language in languages:
        layout = Layout(root, language)
        print(f"\n== {language} " + "=" * 60)
        print("\n".join(judgement(_read_metrics(layout, "report"), _read_metrics(layout, "human"))))
        print(f"report: {layout.report.relative_to(root)}")
        if times := stage_times(layout):
            print(times)
        print("\n".join(sample_clue(layout)))


def judgement(report: Mapping[str, Any], human: Mapping[str, Any]) -> list[str]:
    """A table: measures by the main gold sets (Spearman) and by the share of people's picks."""
    enough = {t: gold for t, gold in report["gold"].items() if gold["covered"] >= COVERED_ENOUGH}
    sets = dict(list(enough.items())[:SHOWN_SETS])
    choices = human.get("agreement", {})
    if not sets and not choices:
        return ["no gold set covers enough words, and no rounds are recorded: nothing to judge by"]

    def figures(name: str) -> list[str]:
        cells = [
            with_interval(values["spearman_all"], values["low"], values["high"])
            if (values := gold.get(name))
            else ""
            for gold in sets.values()
        ]
        if choices:
            agreement = choices.get(name)
            cells.append(recorded(agreement["all"]["precision"]) if agreement else "")
        return [cell.replace("\N{NO-BREAK SPACE}", " ") for cell in cells]

    rows = [[name, *cells] for name in MEASURES if any(cells := figures(name))]
    header = ["measure", *sets, *(["people's choices"] if choices else [])]
    return table_lines(header, rows)


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


def _read_metrics(layout: Layout, stage: str) -> dict[str, Any]:
    path = layout.metrics(stage)
    if not path.is_file():
        raise InputError(f"{path} is missing: build the language first (dvc repro).")
    metrics: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return metrics


def sample_clue(layout: Layout) -> list[str]:
    """A clue of this build on the language's fixed board, or on one of its board words."""
    bundle = load(layout.bundle)
    try:
        board = BOARDS.get(layout.language) or Board.deal(words_to_deal(bundle), seed=0)
    except NoBoardWords:
        path = f"wordkin/game/boards/{base(layout.language)}.txt"
        return [f"no sample clue: there are no board words; put some into {path}"]
    bad = (*board.theirs, *board.neutral, *board.assassin)
    return [f"board: {', '.join(board.ours)} | not: {', '.join(bad)}", *_clue(bundle, board)]


def _clue(bundle: Bundle, board: Board) -> list[str]:
    """A clue for two cards at least, or a note that says why it is not."""
    spymaster = Spymaster(bundle)
    clue = spymaster.clue(board)
    if clue.number < 2:
        # The note of a clue for fewer cards than asked for says why.
        clue = spymaster.clue(board, number=2)
    language = bundle.language
    return clue_lines(spymaster.explained(clue, language), language)
