"""The summary at the end of a build: correlations, the place of the report, a clue."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.layout import Layout
from pipeline.publish.summary import BOARDS, print_summary, sample_clues
from tests.support.bundles import make_bundle
from tests.support.small_language import write_json
from wordkin.bundle import load
from wordkin.errors import InputError
from wordkin.game.board import Board
from wordkin.lookup import STARTERS

FIGURES = {"spearman_all": 0.7, "low": 0.6, "high": 0.8, "pearson_all": 0.65}
SHOWN = ".700 .600 to .800 .650 9 of 10"


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    """A language that was built and evaluated."""
    layout = Layout(tmp_path, "en")
    make_bundle(layout.matrices, "en")
    gold = {"MEN": {"pairs": 10, "covered": 9, "npmi": FIGURES}}
    write_json(layout.metrics("evaluate"), {"gold": gold})
    return layout


def test_it_shows_the_correlations_the_report_and_a_clue(
    layout: Layout, capsys: pytest.CaptureFixture[str]
) -> None:
    print_summary(layout.root, ["en"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("== en ==")
    assert lines[3].split() == ["MEN", "npmi", *SHOWN.split()]
    assert "report: eval/en/report.html" in lines
    assert "board: river, boat, bread, cheese, king | not: mouse, " in "\n".join(lines)


def test_it_names_the_stages_that_took_longest(
    layout: Layout, capsys: pytest.CaptureFixture[str]
) -> None:
    for stage, seconds in (("tokens", 2.2), ("graph", 30.0), ("svd", 10.4)):
        write_json(layout.run(stage), {"seconds": seconds})
    print_summary(layout.root, ["en"])
    said = capsys.readouterr().out
    assert "stages: 43 s in all; graph 30 s, svd 10 s, tokens 2 s\n" in said


def test_the_same_build_gives_the_same_clue(layout: Layout) -> None:
    clue = sample_clues(layout)
    assert clue == sample_clues(layout) and len(clue) > 1


def test_the_clue_is_for_two_cards_with_a_reason_for_each(layout: Layout) -> None:
    _, origin, clue, *reasons = sample_clues(layout)
    assert origin == "this build, by graph:"
    assert int(clue.split()[1]) >= 2
    cards = {line.partition(":")[0].strip(): line for line in reasons[:2]}
    assert cards.keys() == {"bread", "cheese"}
    assert all("both go with " in line for line in cards.values())


def test_the_clue_of_the_starter_bundle_is_beside_it_where_there_is_one(layout: Layout) -> None:
    lines = sample_clues(layout)
    tokens = load(STARTERS / "en").manifest["tokens"]
    at = lines.index(f"the starter bundle, made from {tokens / 1e6:.1f} million tokens:")
    assert int(lines[at + 1].split()[-1]) >= 1
    assert sum(line.startswith("board: ") for line in lines) == 1


def test_the_summary_says_why_a_clue_is_for_one_card(
    layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BOARDS, "en", Board.of(ours=["bread"], theirs=["harbor", "wave"]))
    shown = "\n".join(sample_clues(layout))
    assert "No word connects 2 cards, so this one is for fewer." in shown


def test_a_language_without_board_words_has_no_clue(tmp_path: Path) -> None:
    layout = Layout(tmp_path, "qq")
    make_bundle(layout.matrices, "qq")
    (line,) = sample_clues(layout)
    assert line == (
        "no sample clue: there are no board words; put some into wordkin/game/boards/qq.txt"
    )


def test_the_fixed_boards_have_no_card_twice() -> None:
    for board in BOARDS.values():
        assert len(set(board.words)) == len(board.words)


def test_a_language_that_was_not_built_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"metrics\.json is missing: build the language first"):
        print_summary(tmp_path, ["en"])
