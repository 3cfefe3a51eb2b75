"""The game in a real browser: whole games, two people, reconnecting, keyboard, phone, access."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.browsing import (
    PHONE,
    accessibility_problems,
    begin,
    cards,
    is_over,
    person,
    wait_for_turn,
)
from tests.support.rooms import WORDS
from tests.support.web import Running

pytestmark = pytest.mark.slow  # a real browser takes seconds to start


def test_a_whole_game_as_a_guesser(browser: Browser, running: Running) -> None:
    language = "hu"
    with person(browser, running, language) as page:
        assert page.locator("html").get_attribute("lang") == language
        begin(page, "guesser", language)
        while True:
            wait_for_turn(page, ".board button")
            if is_over(page):
                break
            before = cards(page).count()
            cards(page).first.click()
            expect(page.locator(".board .face").nth(10 - before)).to_be_visible()
            page.wait_for_timeout(50)
        expect(page.locator(".board .card.turned").first).to_be_visible()
        expect(page.locator(".turn .chip").first).to_be_visible()
        expect(page.get_by_role("link", name=re.compile("History|menete"))).to_be_visible()


def test_a_whole_game_as_a_spymaster(browser: Browser, running: Running) -> None:
    language = "en"
    with person(browser, running, language) as page:
        begin(page, "spymaster", language)
        clues = iter(WORDS[language])
        while True:
            wait_for_turn(page, "#clue")
            if is_over(page):
                break
            expect(page.locator(".card.blue").first).to_be_visible()
            turns = page.locator(".turn").count()
            for clue in clues:
                page.locator("#clue").fill(clue)
                expect(page.locator("#verdict")).to_contain_text(clue)
                if page.locator("#verdict.good").count():
                    break
            page.locator(".clue button").click()
            expect(page.locator(".turn")).to_have_count(turns + 1)
        expect(page.get_by_role("status").first).to_be_visible()


def test_two_people_in_one_room_and_one_of_them_loses_the_connection(
    browser: Browser, running: Running
) -> None:
    with person(browser, running) as master, person(browser, running, "hu") as guesser:
        begin(master, "room", opponents="two")
        guesser.goto(master.url)
        master.get_by_role("button", name="Sit here: Spymaster, blue").click()
        guesser.get_by_role("button", name="Ideülök: Ügynök, kék").click()
        expect(master.locator(".seat").nth(1)).to_contain_text("Player 2")
        master.get_by_role("button", name="Start the game").click()
        expect(guesser.locator(".board .card")).to_have_count(10)
        # The guesser is cut off while the clue is given, and sees it on coming back.
        guesser.context.set_offline(True)
        guesser.evaluate("window.dispatchEvent(new Event('offline'))")
        clue = legal_clue(master)
        master.locator(".clue button").click()
        expect(master.locator("#status")).to_contain_text(clue)
        guesser.context.set_offline(False)
        expect(guesser.locator("#status")).to_contain_text(clue, timeout=20_000)
        word = cards(guesser).first.inner_text()
        cards(guesser).first.click()
        turned = master.locator(".card.turned", has_text=word.partition(",")[0])
        expect(turned).to_be_visible()
        # A page that is opened again shows the same seat and table.
        guesser.reload()
        expect(guesser.locator(".card.turned")).not_to_have_count(0)
        expect(guesser.locator(".seat").nth(1)).to_contain_text("(te)")


def legal_clue(page: Page) -> str:
    """Type words until one is allowed."""
    for clue in WORDS["en"]:
        page.locator("#clue").fill(clue)
        expect(page.locator("#verdict")).to_contain_text(clue)
        if page.locator("#verdict.good").count():
            return clue
    raise AssertionError("no clue is allowed")


def test_without_sockets_the_page_asks_again_and_again(browser: Browser, running: Running) -> None:
    with person(browser, running) as page:
        page.add_init_script(
            "window.WebSocket = class { constructor() { setTimeout(() => this.onclose(), 10); } }"
        )
        begin(page, "guesser")
        wait_for_turn(page, ".board button")
        expect(page.locator("#status")).to_contain_text("The clue", timeout=20_000)


def test_a_game_with_the_keyboard_alone(browser: Browser, running: Running) -> None:
    with person(browser, running) as page:
        begin(page, "guesser")
        wait_for_turn(page, ".board button")
        for _ in range(20):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.closest('.board') !== null"):
                break
        first = page.evaluate("document.activeElement.id")
        page.keyboard.press("ArrowRight")
        page.keyboard.press("ArrowDown")
        chosen = page.evaluate("document.activeElement.id")
        assert first == "card-1"
        assert chosen not in ("", "card-1")
        outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
        assert outline == "solid"
        page.keyboard.press("Enter")
        number = int(chosen.removeprefix("card-"))
        expect(page.locator(".card").nth(number - 1)).to_have_class(re.compile("turned"))


@pytest.mark.parametrize(("language", "scheme"), [("en", "dark"), ("hu", "light")])
def test_the_pages_are_accessible_at_any_size(
    browser: Browser, running: Running, language: str, scheme: str
) -> None:
    with person(browser, running, language, color_scheme=scheme) as page:
        for size in (PHONE, {"width": 1280, "height": 800}):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            page.goto(running.url)
            page.locator("summary").click()
            assert accessibility_problems(page) == []
            page.goto(running.url)
            begin(page, "spymaster", language)
            wait_for_turn(page, "#clue")
            assert accessibility_problems(page) == []
            page.locator(".seat button").first.click()  # gets up: now as a watcher
            expect(page.locator("#clue")).to_have_count(0)
            assert accessibility_problems(page) == []
            page.goto(running.url)
            begin(page, "guesser", language)
            wait_for_turn(page, ".board button")
            cards(page).first.click()
            expect(page.locator(".card.turned")).not_to_have_count(0)
            assert accessibility_problems(page) == []
            if not is_over(page):
                page.locator("button.plain").click()
            page.get_by_role("link", name=re.compile("History|menete")).click()
            expect(page.locator("h1")).to_be_visible()
            assert accessibility_problems(page) == []


def test_a_phone_shows_large_cards_and_nothing_beyond_its_edge(
    browser: Browser, running: Running
) -> None:
    with person(browser, running, viewport=PHONE, has_touch=True, is_mobile=True) as page:
        begin(page, "guesser")
        wait_for_turn(page, ".board button")
        for card in cards(page).all():
            box = card.bounding_box()
            assert box is not None
            assert box["width"] >= 90 and box["height"] >= 44
        cards(page).first.tap()
        expect(page.locator(".card.turned")).not_to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_what_is_typed_stays_when_others_move(browser: Browser, running: Running) -> None:
    with person(browser, running) as master, person(browser, running) as other:
        begin(master, "room", opponents="two")
        other.goto(master.url)
        master.get_by_role("button", name="Sit here: Spymaster, blue").click()
        master.get_by_role("button", name="Start the game").click()
        master.locator("#clue").press_sequentially("half a wo")
        other.get_by_role("button", name="Sit here: Guesser, blue").click()
        expect(master.locator(".seat").nth(1)).to_contain_text("Player 2")
        expect(master.locator("#clue")).to_have_value("half a wo")
        expect(master.locator("#clue")).to_be_focused()


def test_a_refused_move_is_told_in_a_sentence(browser: Browser, running: Running) -> None:
    with person(browser, running) as page:
        begin(page, "spymaster")
        word = page.locator(".board .face").first.inner_text().partition(",")[0].strip()
        page.locator("#clue").fill(word)
        expect(page.locator("#verdict")).to_contain_text("it is a card")
        expect(page.locator("#clue")).to_have_attribute("aria-invalid", "true")
        page.locator(".clue button").click()
        expect(page.locator("#refused")).to_contain_text("it is a card")
        expect(page.locator("#clue")).to_have_value(word)
