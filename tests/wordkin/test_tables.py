"""Tables as lines of text."""

from __future__ import annotations

from wordkin.tables import display_width, table_lines


def test_words_are_aligned_left_and_numbers_right() -> None:
    assert table_lines(("word", "n"), [("cat", "1.5"), ("elephant", "-10.25")]) == [
        "  word           n",
        "  cat          1.5",
        "  elephant  -10.25",
    ]


def test_a_table_without_a_header_has_rows_only() -> None:
    assert table_lines(None, [("won", "12%"), ("lost", "7%")]) == ["  won   12%", "  lost   7%"]


def test_wide_characters_take_two_columns_and_marks_none() -> None:
    widths = {"火车": 4, "kávé": 4, "e\u0301": 1, "नमस्ते": 4, "می‌خواهم": 7}
    assert {text: display_width(text) for text in widths} == widths
    assert table_lines(None, [("火车", "a"), ("tree", "b"), ("e\u0301tat", "c")]) == [
        "  火车  a",
        "  tree  b",
        "  e\u0301tat  c",
    ]
