"""Reports of data that means no good, in a real browser: nothing runs, and nothing is loaded."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from pipeline.judge import report
from pipeline.layout import Layout
from tests.support.small_language import MEASURES, REPORT, described_language, write_json
from tests.support.web import CHROMIUM

pytestmark = pytest.mark.slow

HOSTILE = (
    "<script>window.ran = 1</script>",
    "<img src=http://track.er/x onerror='window.ran = 1'>",
    '"><svg onload=window.ran=1><!--',
    "</style></title><iframe srcdoc='<script>parent.ran = 1</script>'>",
    "javascript:window.ran=1",
    "{ran} %s $x$ &lt;script&gt;",
    "]]> --> \\[x](javascript:window.ran=1)",
)


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("Chromium is not installed")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    """A language whose words, sources, licences, gold sets and folder have hostile names."""
    root = tmp_path_factory.mktemp("<img src=x onerror=window.ran=1>")
    layout = described_language(root / "project")
    path = layout.vocabulary / "vocabulary.tsv"
    head, *lines = path.read_text(encoding="utf-8").splitlines()
    for at, text in enumerate(HOSTILE):
        lines[at] = "\t".join([text, *lines[at].split("\t")[1:]])
    path.write_text("\n".join([head, *lines, ""]), encoding="utf-8")
    tokens = json.loads(layout.metrics("tokens").read_text(encoding="utf-8"))
    facts = tokens["sources"].pop("novels")
    facts["lost_bytes"] = dict.fromkeys(HOSTILE, 17)
    tokens["sources"] = {f"novels {text}": facts for text in HOSTILE}
    write_json(layout.metrics("tokens"), tokens)
    sources = [{"name": f"novels {text}", "licence": text, "location": text} for text in HOSTILE]
    write_json(layout.sources, {"sources": sources})
    gold = layout.gold_sets.read_text(encoding="utf-8")
    for field, text in (("CC0", HOSTILE[0]), ("made up", HOSTILE[1])):
        assert field in gold
        gold = gold.replace(field, json.dumps(text))
    layout.gold_sets.write_text(gold, encoding="utf-8")
    findings = report.collect(layout, REPORT, MEASURES, "fasttext")
    report.write_report(layout, findings)
    return layout


def open_page(browser: Browser, path: Path) -> tuple[object, list[str]]:
    """Open a page; returns what a script would have set, and what was asked of the network."""
    asked: list[str] = []
    shown = browser.new_page()
    shown.on("request", lambda request: asked.append(request.url))
    shown.goto(path.as_uri(), wait_until="load")
    shown.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
    shown.wait_for_timeout(200)
    ran = shown.evaluate("window.ran ?? null")
    links = shown.evaluate("[...document.querySelectorAll('a')].map(link => link.href)")
    assert all("#" in link for link in links), "every link stays on the page"
    assert shown.evaluate("document.querySelectorAll('script, iframe, img').length") == 0
    shown.close()
    return ran, [url for url in asked if url != path.as_uri() and not url.startswith("data:")]


def test_a_report_of_hostile_data_runs_and_loads_nothing(browser: Browser, hostile: Layout) -> None:
    page_text = hostile.report.read_text(encoding="utf-8")
    assert page_text.count("window.ran") >= 2 * len(HOSTILE), "the names are in the report"
    assert open_page(browser, hostile.report) == (None, [])


def test_its_markdown_has_no_tags_and_no_links(hostile: Layout) -> None:
    text = hostile.report_text.read_text(encoding="utf-8")
    assert "window.ran" in text
    assert "<" not in text
    assert "](" not in text.replace("\\](", "")


def test_the_policy_of_the_page_stops_what_escaping_would_miss(
    browser: Browser, hostile: Layout, tmp_path: Path
) -> None:
    holes = "".join(text for text in HOSTILE if text.startswith("<"))
    text = hostile.report.read_text(encoding="utf-8").replace("</h1>", f"</h1>{holes}", 1)
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    shown = browser.new_page()
    shown.goto((tmp_path / "page.html").as_uri(), wait_until="load")
    assert shown.evaluate("window.ran ?? null") is None
    assert shown.evaluate("document.querySelectorAll('script').length") > 0
    shown.close()
