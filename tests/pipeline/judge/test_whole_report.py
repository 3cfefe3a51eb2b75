"""The whole report, with the sections on people and agents, and how it looks in a real browser."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from pipeline.judge import agents, evaluate
from pipeline.layout import Layout
from pipeline.measures.opening import open_measures
from pipeline.settings import Publish
from tests.support.corpora import files
from tests.support.games import AGENTS, play, write_board_words
from tests.support.small_language import EVALUATE, MEASURES, described_language

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    """A language whose report has every section, also those on people and agents."""
    layout = described_language(tmp_path_factory.mktemp("whole"))
    play(layout)
    evaluate.make_report(layout, EVALUATE, layout.available(MEASURES), lemmatize=False)
    return layout


def test_the_same_games_give_the_same_bytes(whole: Layout) -> None:
    before = files(whole.eval)
    evaluate.make_report(whole, EVALUATE, whole.available(MEASURES), lemmatize=False)
    assert files(whole.eval) == before


def test_the_sections_on_people_and_agents_are_there(whole: Layout) -> None:
    text = whole.report_text.read_text(encoding="utf-8")
    for title in (
        "Agreement with people's choices", "What people go by", "Spymasters judged", "Tournament",
        "Agents of the papers", "Clues",
    ):  # fmt: skip
        assert f"## {title}\n" in text
    first = text.split("\n## ")[1]
    assert first.startswith("Agreement with people's choices\n")
    assert "Closest to people's choices in " in text.split("\n## ")[0]
    assert "| human (left-out boards) |" in text and "| other people |" in text
    assert "beat the best single measure" in text or "beats the best single measure" in text
    assert "mostly predicted (~)" in text and "~." in text
    assert "| Kim et al. 2019, bold | fasttext/kim:threshold=0.3 |" in text
    page = whole.report.read_text(encoding="utf-8")
    assert "share of games won" in page
    # Four measures with four scoring functions give clues for two and for three cards.
    assert page.count("<details>") == text.count("\n### ") == 4 * 4 * 2


def test_without_rounds_there_are_games_and_clues_but_no_people(tmp_path: Path) -> None:
    layout = described_language(tmp_path)
    write_board_words(layout, open_measures(layout, ["npmi"])[0].vocabulary.words[:60])
    agents.make_agents(layout, AGENTS, Publish(measures=["npmi", "fasttext"], default="npmi"))
    evaluate.make_report(layout, EVALUATE, ["npmi", "fasttext"], lemmatize=False)
    text = layout.report_text.read_text(encoding="utf-8")
    assert "## Tournament" in text and "## Clues" in text
    assert "judged by a guesser that uses npmi" in text
    assert "## Spymasters judged" not in text and "## What people go by" not in text


PROBE = """<!DOCTYPE html><meta charset="utf-8"><body><pre id="answer"></pre>
<iframe id="frame" width="{width}" height="800" src="{page}"></iframe>
<script>
document.getElementById("frame").addEventListener("load", event => {{
  const page = event.target.contentDocument, root = page.documentElement;
  page.querySelectorAll("details").forEach(details => details.open = true);
  const drawn = [...page.querySelectorAll("svg")].map(svg => svg.getBoundingClientRect());
  const colours = getComputedStyle(page.body);
  document.getElementById("answer").textContent = JSON.stringify({{
    dark: page.defaultView.matchMedia("(prefers-color-scheme: dark)").matches,
    background: colours.backgroundColor,
    ink: colours.color,
    width: root.clientWidth,
    needed: root.scrollWidth,
    sections: page.querySelectorAll("section").length,
    opened: page.querySelectorAll("details[open]").length,
    drawn: drawn.length,
    empty: drawn.filter(box => box.width < 100 || box.height < 50).length,
    wide: drawn.filter(box => box.right > root.clientWidth).length,
    broken: [...page.images].filter(image => !image.naturalWidth).length,
    fetched: page.defaultView.performance.getEntriesByType("resource").length,
    smallest: Math.min(...[...page.querySelectorAll("svg text")].map(
      text => text.getBoundingClientRect().height)),
  }});
}});
</script></body>"""
SCHEMES = ["dark", "light"]  # in the order of Chromium's numbers


def brightness(colour: str) -> float:
    """The brightness of an opaque colour as browsers write it: 0 is black, 1 is white."""
    parts = re.fullmatch(r"rgb\((\d+), (\d+), (\d+)\)", colour)
    assert parts, colour
    return sum(map(int, parts.groups())) / (3 * 255)


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed on this machine")
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [360, 1280], ids=["phone", "desktop"])
def test_the_page_is_readable_in_a_browser(
    whole: Layout, width: int, scheme: str, tmp_path: Path
) -> None:
    assert CHROMIUM is not None
    report_page, probe = whole.report, tmp_path / "probe.html"
    probe.write_text(PROBE.format(width=width, page=report_page.as_uri()), encoding="utf-8")
    command = [
        CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
        "--disable-background-networking", "--host-resolver-rules=MAP * ~NOTFOUND",
        f"--user-data-dir={tmp_path / 'profile'}", "--window-size=1600,1000",
        "--allow-file-access-from-files",
        f"--blink-settings=preferredColorScheme={SCHEMES.index(scheme)}",
        "--enable-logging=stderr", "--virtual-time-budget=10000", "--dump-dom", probe.as_uri(),
    ]  # fmt: skip
    outcome = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    answer = re.search(r'<pre id="answer">(.*?)</pre>', outcome.stdout, flags=re.DOTALL)
    assert answer and answer[1], outcome.stderr
    seen = json.loads(html.unescape(answer[1]))
    assert "CONSOLE" not in outcome.stderr
    assert seen["dark"] == (scheme == "dark")
    darker, lighter = ("background", "ink") if seen["dark"] else ("ink", "background")
    assert brightness(seen[darker]) < 0.2 and brightness(seen[lighter]) > 0.8
    assert width - 20 <= seen["width"] <= width
    assert seen["needed"] <= seen["width"], "the page scrolls sideways"
    page = report_page.read_text(encoding="utf-8")
    assert seen["sections"] == 21
    assert seen["opened"] == page.count("<details>") > 0
    assert seen["drawn"] == page.count("<svg") and seen["empty"] == seen["wide"] == 0
    assert seen["broken"] == seen["fetched"] == 0
    assert seen["smallest"] >= 7, "letters too small to read"
