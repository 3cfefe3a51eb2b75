"""People with a real browser in a room, and whether everybody can use a page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Locator, Page, expect

from tests.support.rooms import WORDS
from tests.support.web import Running

PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1280, "height": 800}


@contextmanager
def person(
    browser: Browser, running: Running, language: str = "en", **settings: Any
) -> Iterator[Page]:
    """The start page in a browser of its own; it fails if the page complains."""
    context = browser.new_context(locale=language, **{"viewport": DESKTOP, **settings})
    page = context.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(running.url)
    yield page
    context.close()
    # Chromium complains about every refused form, which some tests send on purpose.
    assert [text for text in complaints if "the server responded" not in text] == []


def begin(page: Page, mode: str, language: str = "en", opponents: str = "none") -> None:
    """Fill in the form on the start page and press a button."""
    page.locator("summary").click()
    page.locator(f'input[name=opponents][value="{opponents}"]').check()
    for name, count in (("first", 4), ("second", 3), ("neutral", 2), ("assassins", 1)):
        page.locator(f"input[name={name}]").fill(str(count))
    page.locator("textarea[name=words]").fill("\n".join(WORDS[language]))
    page.locator("select[name=words_language]").select_option(language)
    page.locator(f'button[value="{mode}"]').click()
    page.wait_for_url("**/room/*")  # and its script runs


def cards(page: Page) -> Locator:
    """The cards that may be turned over."""
    return page.locator(".board button")


def is_over(page: Page) -> bool:
    """Whether the game is over."""
    return page.locator(".status.over").count() > 0


def wait_for_turn(page: Page, control: str) -> None:
    """Wait until the control of the player's turn is there, or the game is over."""
    expect(page.locator(f"{control}, .status.over").first).to_be_visible(timeout=30_000)


CHECK = Path(__file__).with_name("accessibility.js").read_text(encoding="utf-8").partition("\n")[2]


def accessibility_problems(page: Page) -> list[str]:
    """What is wrong with a page for people who use a keyboard, a screen reader, or weak eyes."""
    # Sizes and colours are only known when the style sheets are there.
    page.wait_for_load_state("load")
    problems: list[str] = page.evaluate(CHECK)
    return problems
