"""An accessibility check in the browser: names, labels, headings, contrast, sizes and overflow."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import Page

CHECK = Path(__file__).with_suffix(".js").read_text(encoding="utf-8").partition("\n")[2]


def accessibility_problems(page: Page) -> list[str]:
    """What is wrong with a page for people who use a keyboard, a screen reader, or weak eyes."""
    # Sizes and colours are only known when the style sheets are there.
    page.wait_for_load_state("load")
    problems: list[str] = page.evaluate(CHECK)
    return problems
