"""Clues as people type them."""

from __future__ import annotations

import pytest

from wordkin.game.spoken import number_text, parse_clue


@pytest.mark.parametrize(
    ("text", "language", "clue"),
    [
        ("ocean 2", "en", ("ocean", 2)),
        ("  Ocean   10 ", "en", ("Ocean", 10)),
        ("ocean, 2", "en", ("ocean", 2)),
        ("ocean: 0", "en", ("ocean", 0)),
        ("ice cream 1", "en", ("ice cream", 1)),
        ("ocean unlimited", "en", ("ocean", None)),
        ("ocean UNLIMITED", "en", ("ocean", None)),
        ("ocean ∞", "fi", ("ocean", None)),
        ("óceán korlátlan", "hu", ("óceán", None)),
        ("óceán Végtelen", "hu", ("óceán", None)),
        ("unlimited 2", "en", ("unlimited", 2)),
        ("محيط ٢", "ar", ("محيط", 2)),
    ],
)
def test_a_clue_is_a_word_and_a_number(
    text: str, language: str, clue: tuple[str, int | None]
) -> None:
    assert parse_clue(text, language) == clue


@pytest.mark.parametrize(
    "text",
    ["", "ocean", "2", "ocean two", "ocean -1", "ocean 1.5", "ocean ²", f"ocean {'9' * 5000}"],
)
def test_other_texts_are_not_clues(text: str) -> None:
    assert parse_clue(text, "en") is None


def test_numbers_are_shown() -> None:
    assert [number_text(number) for number in (0, 3, None)] == ["0", "3", "∞"]
