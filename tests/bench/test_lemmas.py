"""The table of lemmas: what counts as right, and what a build without a dictionary shows."""

from __future__ import annotations

from pathlib import Path

from bench.lemmas import CHECKED, is_right, read_checked, share_right, table


def test_a_lemma_is_right_if_it_is_one_of_the_checked_ones() -> None:
    assert is_right("megy", ["megy", "ment"], "hu")
    assert not is_right("men", ["megy", "ment"], "hu")
    assert is_right("gelmek", ["gel"], "tr") and not is_right("gelmek", ["gel"], "hu")


def test_every_other_row_is_for_development() -> None:
    checked = {"a": ["x"], "b": ["b"], "c": ["x"], "d": ["b"]}
    lemmas = {form: form for form in checked}
    assert share_right(lemmas, checked, 0, "hu") == 0.0
    assert share_right(lemmas, checked, 1, "hu") == 0.5


def test_the_table_has_a_line_per_way(tmp_path: Path) -> None:
    lines = table(tmp_path, ["de"])
    assert [line.split(" | ")[1] for line in lines[2:]] == [
        "the form itself",
        "simplemma",
        "the same, no artefacts",
    ]
    assert len(read_checked(CHECKED / "de.tsv")) == 300
