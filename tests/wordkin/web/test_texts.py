"""The texts of the site: the same keys and places in all languages, and none without a use."""

from __future__ import annotations

import re
from datetime import date
from string import Formatter

import pytest

from tests.support.root import ROOT
from wordkin.web.texts import LANGUAGES, texts

WEB = ROOT / "wordkin" / "web"
ENGLISH = texts("en").sections
SOURCES = "\n".join(
    path.read_text(encoding="utf-8")
    for path in sorted(WEB.rglob("*"))
    if path.suffix in (".py", ".html", ".js")
)


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_all_languages_have_the_same_texts(language: str) -> None:
    other = texts(language).sections
    assert {section: set(names) for section, names in other.items()} == {
        section: set(names) for section, names in ENGLISH.items()
    }
    for section, names in ENGLISH.items():
        for name, text in names.items():
            assert places(other[section][name]) == places(text), (section, name)


def test_an_unknown_language_gets_english() -> None:
    assert texts("fi").language == "en"
    assert texts("hu-HU").language == "hu"


def test_numbers_and_days_are_written_as_in_the_language() -> None:
    assert texts("en").number(-1234.567, 2) == "−1,234.57"
    assert texts("hu").number(23552.5, 1) == "23\u00a0552,5"
    assert texts("hu").number(7) == "7"
    assert texts("en").date(date(2026, 3, 5)) == "5 March 2026"
    assert texts("hu").date(date(2026, 3, 5)) == "2026. március 5."


@pytest.mark.parametrize(
    ("english", "hungarian"),
    [
        ("svd +8.57, graph -0.25", "svd +8,57, graph −0,25"),
        ("a -(0.48, 8.8×)- b-2", "a -(0,48; 8,8×)- b-2"),
        ("1,234.5 times, 0.1 by chance", "1\u00a0234,5 times, 0,1 by chance"),
    ],
)
def test_numbers_in_sentences_are_written_as_in_the_language(english: str, hungarian: str) -> None:
    assert texts("hu").figures(english) == hungarian
    assert texts("en").figures(english) == english.replace(" -0", " −0")


def test_every_text_that_is_asked_for_is_there() -> None:
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
