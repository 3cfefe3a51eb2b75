"""A study in a real browser: by touch, keyboard and without scripts."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browsing import accessibility_problems
from tests.support.studies import BOARD, database_of, start_study
from tests.support.web import Running
from wordkin.cli import main

pytestmark = pytest.mark.slow  # a real browser takes seconds to start

PHONE = {"width": 360, "height": 740}


def begin(page: Page) -> None:
    page.get_by_role("checkbox").check()
    page.locator("form button.main").click()
    wait_for_clue(page)


def wait_for_clue(page: Page, clue: str = "") -> None:
    """Wait until a clue is shown, and the script that takes the picks runs."""
    expect(page.locator(".clue")).to_contain_text(clue)
    page.wait_for_load_state("load")


@pytest.mark.parametrize(
    ("language", "scheme", "phone"), [("en", "light", False), ("hu", "dark", True)]
)
def test_a_person_takes_part_by_touch(
    browser: Browser,
    running: Running,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    language: str,
    scheme: str,
    phone: bool,
) -> None:
    name = f"touch-{language}"
    address = start_study(running, tmp_path, capsys, name=name, language=language)
    context = browser.new_context(
        color_scheme=scheme,  # type: ignore[arg-type]
        viewport=PHONE if phone else {"width": 1100, "height": 800},  # type: ignore[arg-type]
        has_touch=phone,
    )
    page = context.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(running.url + address)
    assert page.locator("html").get_attribute("lang") == language
    assert accessibility_problems(page) == []
    begin(page)
    touch = (lambda card: card.tap()) if phone else (lambda card: card.click())
    cards = page.locator(".card button")
    done = page.locator("button.done")
    for word in ("mouse", "tree", "mouse", "piano"):  # mouse is taken back
        touch(cards.filter(has_text=word))
    assert [cards.nth(at).get_attribute("data-place") for at in range(4)] == ["2", None, None, "1"]
    cards.filter(has_text="ship").dispatch_event("click")  # one too many
    expect(cards.filter(has_text="ship")).to_have_attribute("aria-pressed", "false")
    assert accessibility_problems(page) == []
    touch(done)
    wait_for_clue(page, "forest")
    # The person leaves, and goes on in the same browser.
    page.goto("about:blank")
    page.goto(running.url + address)
    expect(done).to_be_disabled()
    for word in ("tree", "bison", "ship"):
        touch(cards.filter(has_text=word))
    touch(done)
    page.get_by_label("yes").check()
    page.get_by_label("Age?").fill("44")
    assert accessibility_problems(page) == []
    page.locator("form button.main").click()
    person_id = page.locator("code").inner_text()
    assert len(person_id) == 23
    assert accessibility_problems(page) == []
    out = tmp_path / "rounds.jsonl"
    assert main(["study", "export", name, database_of(running), "--out", str(out)]) == 0
    first, second = (json.loads(line)["rounds"][0] for line in out.read_text().splitlines())
    assert first["picks"] == ["tree", "piano"] and second["picks"] == ["tree", "bison", "ship"]
    assert len(first["times"]) == 2 and first["times"][0] <= first["times"][1]
    # They change their mind: the data goes, and the study begins anew.
    page.locator("form button").click()
    expect(page.get_by_role("status")).to_be_visible()
    assert accessibility_problems(page) == []
    page.goto(running.url + address)
    expect(page.get_by_role("checkbox")).to_be_visible()
    assert complaints == []
    context.close()


def test_everything_works_with_the_keyboard_alone(
    browser: Browser, running: Running, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address = start_study(running, tmp_path, capsys, name="keyboard", questions=[])
    page = browser.new_page()
    page.goto(running.url + address)
    page.get_by_role("checkbox").focus()
    for key in ("Space", "Tab", "Enter"):
        page.keyboard.press(key)
    wait_for_clue(page, "keyboard")
    page.locator(".card button").first.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("ArrowDown")  # one row further on
    page.keyboard.press("Space")
    expect(page.get_by_role("status")).to_contain_text("is choice 2. Left: 0.")
    columns = page.evaluate(
        "getComputedStyle(document.querySelector('.board')).gridTemplateColumns.split(' ').length"
    )
    pressed = page.locator("[aria-pressed=true]").all_inner_texts()
    assert pressed == [BOARD[0], BOARD[columns]]
    page.locator("button.done").focus()
    page.keyboard.press("Enter")
    wait_for_clue(page, "forest")
    page.close()


def test_everything_works_without_scripts(
    browser: Browser, running: Running, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    address = start_study(running, tmp_path, capsys, name="scriptless", questions=[])
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(running.url + address)
    begin(page)
    for words in (("mouse", "piano"), ("tree", "bison", "ship")):
        for word in words:
            card = page.locator(".card button").filter(has_text=word)
            card.click()
            expect(card).to_have_attribute("aria-pressed", "true")
        page.locator("button.done").click()
    expect(page.locator("h1")).to_contain_text("Thank you!")
    context.close()
