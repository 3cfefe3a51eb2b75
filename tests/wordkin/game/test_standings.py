"""The outcome of a tournament: figures by hand, heat maps, the page and Parquet."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from wordkin.game.standings import Result, cross_table, heat_maps, page, standings, write_parquet


def result(board: int, won: bool, turns: int, **others: object) -> Result:
    default = Result(
        board=board,
        spymaster="s",
        guesser="g",
        opponent=None,
        began=True,
        won=won,
        end="won" if won else "assassin",
        turns=turns,
        ours=8,
        theirs=1,
        neutral=2,
        assassin=0,
        clues=4,
        numbers=8,
    )
    return default._replace(**others)


def test_figures_worked_by_hand() -> None:
    results = [result(0, True, 4), result(1, True, 6), result(2, False, 25, assassin=1)]
    (standing,) = standings(results)
    assert (standing.spymaster, standing.guesser, standing.games) == ("s", "g", 3)
    assert standing.wins.value == pytest.approx(2 / 3)
    assert standing.turns is not None
    assert standing.turns.value == pytest.approx(5)
    assert (standing.least, standing.score.value) == (4, pytest.approx(35 / 3))
    assert standing.wrong.value == pytest.approx((3 + 3 + 4) / 3)
    assert standing.assassin.value == pytest.approx(1 / 3)
    assert standing.number is not None
    assert standing.number.value == pytest.approx(2)
    for estimate in (standing.wins, standing.turns, standing.score, standing.wrong):
        assert estimate.low <= estimate.value <= estimate.high


def test_a_pair_that_never_won_has_no_turns() -> None:
    (standing,) = standings([result(0, False, 25)])
    assert (standing.turns, standing.least) == (None, None)
    assert "–" in page("t", "a", [standing])


def test_the_cross_table_has_a_row_per_spymaster_and_means() -> None:
    results = [
        result(0, True, 4, spymaster="a/kim", guesser="x/closest"),
        result(1, False, 25, spymaster="a/kim", guesser="x/closest", clues=2, numbers=2),
        result(0, False, 25, spymaster="a/kim", guesser="y/closest", clues=0, numbers=0),
        result(0, True, 6, spymaster="b/kim", guesser="x/closest"),
        result(0, True, 8, spymaster="b/kim", guesser="y/closest", numbers=4),
    ]
    header, rows = cross_table(standings(results))
    assert header == ["spymaster", "x", "y", "mean"]
    assert rows == [
        ["a/kim", "0.50 / 4.0 / 1.5", "0.00 / – / –", "0.25 / 4.0 / 1.5"],
        ["b/kim", "1.00 / 6.0 / 2.0", "1.00 / 8.0 / 1.0", "1.00 / 7.0 / 1.5"],
    ]


def cells(table: str) -> list[str | None]:
    elements = ElementTree.fromstring(table).iter()
    return [e.text for e in elements if e.tag in ("caption", "th", "td") and e.text]


def test_a_heat_map_has_every_figure_and_the_style_of_play_only_where_it_differs() -> None:
    results = [
        result(0, won, 4, spymaster=spymaster, guesser=guesser)
        for spymaster, won in (("svd/harmonic", True), ("svd/expected", False))
        for guesser in ("svd/closest", "npmi/closest")
    ]
    wins, turns = heat_maps(standings(results), ["share of games won", "mean turns of won games"])
    names = ["svd", "npmi", "svd/harmonic"]
    assert cells(wins) == [
        "share of games won",
        *names,
        "1.00",
        "1.00",
        "svd/expected",
        "0.00",
        "0.00",
    ]
    assert cells(turns) == ["mean turns of won games", *names, "4.0", "4.0", "svd/expected"]
    assert (wins.count("background"), turns.count("background")) == (4, 2)


def test_the_page_escapes_what_it_shows() -> None:
    (standing,) = standings([result(0, True, 4, spymaster="<script>")])
    assert "<script>" not in page("<script>", "<script>", [standing])


def test_parquet_has_one_row_per_result(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    results = [result(0, True, 4), result(1, False, 25)]
    write_parquet(tmp_path / "games.parquet", results)
    table = parquet.read_table(tmp_path / "games.parquet")
    assert [Result(**row) for row in table.to_pylist()] == results
    write_parquet(tmp_path / "again.parquet", results)
    assert (tmp_path / "again.parquet").read_bytes() == (tmp_path / "games.parquet").read_bytes()


def test_standings_do_not_load_the_game() -> None:
    code = (
        "import sys, wordkin.game.standings\n"
        "print(*sorted(name for name in sys.modules if name.startswith('wordkin.game.')))"
    )
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True
    ).stdout.split()
    assert loaded == ["wordkin.game.standings"]
