"""The texts: the same keys and places in all languages, and none without a use."""

from __future__ import annotations

import re
from datetime import date
from string import Formatter

import pytest

from tests.support.root import ROOT
from wordkin.game.board import COLOURS
from wordkin.texts import LANGUAGES, TERMINAL, reasons, texts

ENGLISH = texts("en").sections
WEB = ROOT / "wordkin" / "web"
SOURCES = "\n".join(
    path.read_text(encoding="utf-8")
    for path in sorted(WEB.rglob("*"))
    if path.suffix in (".py", ".html", ".js")
)


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_all_languages_have_the_same_texts_with_the_same_places(language: str) -> None:
    other = texts(language).sections
    assert {section: set(names) for section, names in other.items()} == {
        section: set(names) for section, names in ENGLISH.items()
    }
    for section, names in ENGLISH.items():
        for name, text in names.items():
            assert places(other[section][name]) == places(text), (section, name)


def test_there_is_a_text_for_all_that_can_happen_in_the_terminal() -> None:
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
        assert key in ENGLISH[TERMINAL]


@pytest.mark.parametrize("tag", ["hu", "hu-HU", "hu_HU", "HU"])
def test_a_tag_with_a_region_has_the_texts_of_its_language(tag: str) -> None:
    assert texts(tag).language == "hu"
    assert reasons(tag)["near"] == texts("hu")["because_near"]


def test_other_languages_have_english_texts() -> None:
    assert texts("fi") is texts("en")


def test_numbers_and_days_are_written_as_in_the_language() -> None:
    assert texts("en").number(-1234.567, 2) == "−1,234.57"
    assert texts("hu").number(23552.5, 1) == "23\u00a0552,5"
    assert texts("hu").number(7) == "7"
    assert texts("en").date(date(2026, 3, 5)) == "5 March 2026"
    assert texts("hu").date(date(2026, 3, 5)) == "2026. március 5."


def test_numbers_in_texts_are_written_as_in_the_language() -> None:
    step = {"npmi": 0.48, "count": 8.75, "word": "b-2, c"}
    assert reasons("en")["step_counted"].format(**step) == " -(0.48, 8.8×)- b-2, c"
    assert reasons("hu")["step_counted"].format(**step) == " -(0,48; 8,8×)- b-2, c"
    share = {"measure": "svd", "share": -0.25}
    assert [reasons(code)["share"].format(**share) for code in LANGUAGES] == [
        "svd −0.25",
        "svd −0,25",
    ]


def test_every_text_of_the_site_that_is_asked_for_is_there() -> None:
    asked = re.findall(r"""\b(?:t|words)\(\s*["'](\w+)["'],\s*["'](\w+)["']""", SOURCES)
    assert asked
    assert not [key for key in asked if key[1] not in ENGLISH[key[0]]]


def test_every_refusal_has_a_sentence() -> None:
    keys = re.findall(r"""Refused\(\s*\d+,\s*["'](\w+)["']""", SOURCES)
    assert keys
    assert not [key for key in keys if key not in ENGLISH["refused"]]


def test_no_text_is_written_in_the_templates() -> None:
    for path in sorted((WEB / "templates").rglob("*.html")):
        content = re.sub(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", " ", path.read_text("utf-8"))
        content = re.sub(r"<[^>]*>", " ", content)
        assert not re.search(r"[A-Za-zÀ-ž]{2,}", content), f"{path.name}: {content.split()}"


def test_no_template_has_scripts_or_styles_inside() -> None:
    for path in sorted((WEB / "templates").rglob("*.html")):
        content = path.read_text(encoding="utf-8")
        assert not re.search(r"""<script(?![^>]*\bsrc=)|<style|\bstyle=|\son\w+=""", content), path
        assert not re.search(r"""(?:src|href|action)=["'](?:https?:)?//""", content), path
