"""The summary at the end of a build: what people think of it, where the report is, a clue."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.layout import Layout
from pipeline.publish.summary import BOARDS, judgement, print_summary, sample_clue
from tests.support.bundles import make_bundle
from tests.support.small_language import write_json
from wordkin.errors import InputError
from wordkin.game.board import Board

NPMI = {"spearman_all": 0.7, "low": 0.6, "high": 0.8, "pearson_all": 0.65}
BLEND = {"spearman_all": 0.75, "low": 0.7, "high": 0.8, "pearson_all": 0.65}
GOLD = {
    "MEN": {"pairs": 3000, "covered": 2900, "npmi": NPMI, "minilm": BLEND, "blend": BLEND},
    "tiny": {"pairs": 30, "covered": 9, "npmi": NPMI, "blend": NPMI},
}
PICKS = {"all": {"precision": {"value": 0.4, "low": 0.35, "high": 0.45}}}


@pytest.fixture
def layout(tmp_path: Path) -> Layout:
    """A language that was built and judged."""
    layout = Layout(tmp_path, "en")
    make_bundle(layout.matrices, "en")
    write_json(layout.metrics("report"), {"gold": GOLD})
    write_json(layout.metrics("human"), {"rounds": 0})
    return layout


def test_it_shows_the_judgement_the_report_and_a_clue(
    layout: Layout, capsys: pytest.CaptureFixture[str]
) -> None:
    print_summary(layout.root, ["en"])
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].startswith("== en ==")
    assert [line.split() for line in lines[2:5]] == [
        ["measure", "MEN"],
        ["npmi", *[".700", "(.60", "to", ".80)"]],
        ["blend", *[".750", "(.70", "to", ".80)"]],
    ]
    assert "report: eval/en/report.html" in lines
    assert "board: river, boat, bread, cheese, king | not: mouse, " in "\n".join(lines)


def test_people_have_a_column_where_rounds_are_recorded() -> None:
    header, npmi, blend, human = judgement({"gold": GOLD}, {"agreement": {"human": PICKS}})
    assert header.split("  ")[-1] == "people's choices"
    assert human.split() == ["human", *[".400", "(.35", "to", ".45)"]]
    assert npmi.split()[0] == "npmi" and blend.split()[0] == "blend"
    (nothing,) = judgement({"gold": {}}, {"rounds": 0})
    assert nothing.endswith("nothing to judge by")


def test_it_names_the_stages_that_took_longest(
    layout: Layout, capsys: pytest.CaptureFixture[str]
) -> None:
    for stage, seconds in (("tokens", 2.2), ("graph", 30.0), ("svd", 10.4)):
        write_json(layout.run(stage), {"seconds": seconds})
    print_summary(layout.root, ["en"])
    said = capsys.readouterr().out
    assert "stages: 43 s in all; graph 30 s, svd 10 s, tokens 2 s\n" in said


def test_the_same_build_gives_the_same_clue(layout: Layout) -> None:
    clue = sample_clue(layout)
    assert clue == sample_clue(layout) and len(clue) > 1


def test_the_clue_is_for_two_cards_with_a_reason_for_each(layout: Layout) -> None:
    _, clue, *reasons = sample_clue(layout)
    assert int(clue.split()[1]) >= 2
    cards = {line.partition(":")[0].strip(): line for line in reasons[:2]}
    assert cards.keys() == {"bread", "cheese"}
    assert all("both go with " in line for line in cards.values())


def test_the_summary_says_why_a_clue_is_for_one_card(
    layout: Layout, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(BOARDS, "en", Board.of(ours=["bread"], theirs=["harbor", "wave"]))
    shown = "\n".join(sample_clue(layout))
    assert "No word connects 2 cards, so this one is for fewer." in shown


def test_a_language_without_board_words_has_no_clue(tmp_path: Path) -> None:
    layout = Layout(tmp_path, "qq")
    make_bundle(layout.matrices, "qq")
    (line,) = sample_clue(layout)
    assert line == (
        "no sample clue: there are no board words; put some into wordkin/game/boards/qq.txt"
    )


def test_the_fixed_boards_have_no_card_twice() -> None:
    for board in BOARDS.values():
        assert len(set(board.words)) == len(board.words)


def test_a_language_that_was_not_built_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"metrics\.json is missing: build the language first"):
        print_summary(tmp_path, ["en"])
