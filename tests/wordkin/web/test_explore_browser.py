"""Explore in a real browser: typing along, keyboard only, phone size, dark mode, no script."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browsing import accessibility_problems
from tests.support.web import Running

pytestmark = pytest.mark.slow  # a real browser takes seconds to start

PHONE = {"width": 360, "height": 740}

OVERLAPPING = """
() => {
  const all = [...document.querySelectorAll("svg.map .labels a")];
  const labels = all.filter((a) => a.checkVisibility());
  const boxes = labels.map((a) => a.querySelector("text").getBoundingClientRect());
  const bad = [];
  boxes.forEach((a, i) => boxes.slice(0, i).forEach((b, j) => {
    const sideways = a.left < b.right && b.left < a.right;
    if (sideways && a.top < b.bottom && b.top < a.bottom) bad.push([i, j]);
  }));
  labels.forEach((a, i) => {
    if (boxes[i].width > a.querySelector("rect").getBoundingClientRect().width) bad.push([i]);
  });
  return labels.length ? bad : null;
}
"""


def test_answers_come_while_typing(browser: Browser, running: Running) -> None:
    page = browser.new_page(locale="en")
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(f"{running.url}/explore")
    page.get_by_label("A word").press_sequentially("pia")
    expect(page.locator(".suggestions a")).to_have_text(["piano"])
    page.get_by_label("A word").press_sequentially("no")
    expect(page.locator(".column")).to_have_count(3)
    # When typing ends, reasons and the map follow, and the address can be shared.
    expect(page.locator("svg.map.wide")).to_be_visible()
    expect(page.get_by_role("status")).to_have_text("Showing what is related to “piano”.")
    assert page.url.endswith("/explore/en/piano")
    page.get_by_label("Compare with").press_sequentially("tree")
    expect(page.locator(".compared tbody tr")).to_have_count(3)
    expect(page.locator("svg.network")).to_be_visible()
    assert page.url.endswith("/explore/en/piano/tree")
    assert complaints == []
    page.close()


def test_everything_works_with_the_keyboard_alone(browser: Browser, running: Running) -> None:
    page = browser.new_page(locale="en")
    page.goto(f"{running.url}/explore")
    page.keyboard.type("s")  # the field has the focus
    expect(page.locator(".suggestions a")).not_to_have_count(0)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowRight")
    chosen = page.evaluate("document.activeElement.textContent")
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/explore/en/{chosen}")
    focused = page.locator(".neighbours a.value").first
    focused.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".compared tbody tr")).to_have_count(3)
    page.close()


@pytest.mark.parametrize(
    ("language", "word", "other", "scheme"),
    [("en", "piano", "tree", "light"), ("hu", "zongora", "egér", "dark")],
)
def test_pages_are_accessible_on_a_phone_and_on_a_screen(
    browser: Browser, running: Running, language: str, word: str, other: str, scheme: str
) -> None:
    viewport = PHONE if scheme == "dark" else {"width": 1100, "height": 800}
    page = browser.new_page(locale=language, color_scheme=scheme, viewport=viewport)  # type: ignore[arg-type]
    for path in ("", f"/{language}/{word}", f"/{language}/{word}/{other}"):
        page.goto(f"{running.url}/explore{path}")
        assert accessibility_problems(page) == []
        assert page.evaluate(OVERLAPPING) == ([] if path.count("/") == 2 else None)
    page.close()


def test_everything_works_without_scripts(browser: Browser, running: Running) -> None:
    context = browser.new_context(locale="en", java_script_enabled=False)
    page: Page = context.new_page()
    page.goto(f"{running.url}/explore")
    page.get_by_label("A word").fill("piano")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".column")).to_have_count(3)
    page.get_by_label("Compare with").fill("tree")
    page.get_by_role("button", name="Show").click()
    expect(page.locator(".compared tbody tr")).to_have_count(3)
    context.close()


def test_the_accessibility_check_finds_problems(browser: Browser) -> None:
    page = browser.new_page()
    page.set_content(
        "<main><h1>A</h1><h3>B</h3><input><a href=x></a><svg></svg><table></table>"
        "<p id=c><p id=c><p style='color:#aaa'>pale</p><p style='width:5000px'>wide</p></main>"
    )
    problems = " ".join(accessibility_problems(page))
    for kind in (
        "language",
        "title",
        "skips",
        "no label",
        "no name",
        "header",
        "twice",
        "contrast",
    ):
        assert kind in problems, kind
    assert "wider than the screen" in problems
    page.close()
