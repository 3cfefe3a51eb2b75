"""The site in a real browser."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser

from tests.support.web import Running


@pytest.mark.parametrize("language", ["en", "hu"])
def test_the_start_page_opens_without_complaints(
    browser: Browser, running: Running, language: str
) -> None:
    page = browser.new_page(locale=language)
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.on("requestfailed", lambda request: complaints.append(request.url))
    page.goto(running.url)
    assert page.locator("html").get_attribute("lang") == language
    assert page.get_by_role("heading", level=1).is_visible()
    assert complaints == []
    page.close()
