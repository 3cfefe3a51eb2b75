"""Tables as lines of text."""

from __future__ import annotations

from wordkin.tables import table_lines


def test_words_are_aligned_left_and_numbers_right() -> None:
    assert table_lines(("word", "n"), [("cat", "1.5"), ("elephant", "-10.25")]) == [
        "  word           n",
        "  cat          1.5",
        "  elephant  -10.25",
    ]


def test_a_table_without_a_header_has_rows_only() -> None:
    assert table_lines(None, [("won", "12%"), ("lost", "7%")]) == ["  won   12%", "  lost   7%"]
