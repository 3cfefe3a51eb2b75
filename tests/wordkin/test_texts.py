"""The texts of the command line: complete in every language."""

from __future__ import annotations

from string import Formatter

import pytest

from wordkin.game.board import COLOURS
from wordkin.texts import TEXTS, reasons, texts


def fields(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("language", TEXTS)
def test_every_language_has_all_texts_with_the_same_fields(language: str) -> None:
    assert TEXTS[language].keys() == TEXTS["en"].keys()
    for key, text in TEXTS[language].items():
        assert fields(text) == fields(TEXTS["en"][key]), key


def test_there_is_a_text_for_all_that_can_happen() -> None:
    rules = ["letters", "said", "card", "contains", "contained", "lemma", "family", "stem"]
    for key in (
        *(f"{kind}_{colour}" for kind in ("card", "sign") for colour in COLOURS),
        *(f"illegal_{rule}" for rule in rules),
        *(f"seat_{who}" for who in ("person", "agent")),
        *(
            f"{rules}_{end}"
            for rules in ("end", "alone")
            for end in ("won", "assassin", "theirs", "turns", "given_up")
        ),
        *(f"note_{kind}" for kind in ("fewer", "unrestricted", "unknown")),
        *(f"via_{how}" for how in ("form", "variant", "lemma", "spelling", "parts", "subwords")),
    ):
        assert key in TEXTS["en"]


@pytest.mark.parametrize("tag", ["hu", "hu-HU", "hu_HU", "HU"])
def test_a_tag_with_a_region_has_the_texts_of_its_language(tag: str) -> None:
    assert texts(tag) is TEXTS["hu"]
    assert reasons(tag)["near"] == TEXTS["hu"]["because_near"]


def test_other_languages_have_english_texts() -> None:
    assert texts("fi") is TEXTS["en"]
