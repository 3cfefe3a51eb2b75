"""The report: what it says, that it needs nothing, and how it stands in a real browser."""

from __future__ import annotations

import html as escaping
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path

import igraph
import numpy as np
import pytest
from scipy import sparse

from pipeline.judging import evaluate, report
from pipeline.judging.report import pictures
from pipeline.judging.report.document import Document, Picture, Section, Table, Text
from pipeline.layout import Layout
from tests.pipeline.judging.test_evaluate import (
    GOLD,
    MEASURES,
    SETTINGS,
    everything,
    small_language,
)
from tests.support.games import play
from wordkin.errors import InputError

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
VOID = {"meta", "link", "br", "img", "input", "hr"}


def described_language(root: Path) -> Layout:
    """The small language with what earlier stages would tell of it."""
    made = small_language(root)
    tokens = {
        "documents": 12,
        "tokens": 3456,
        "seconds": 1.5,
        "sources": {
            "novels": {
                "bytes": 2_000_000,
                "documents": 12,
                "tokens": 3456,
                "dropped": {"copies": 3},
                "lost_bytes": {"bad.txt": 17},
                "replaced_characters": 5,
            }
        },
    }
    points = [{"spearman": s, "low": s - 0.1, "high": s + 0.1} for s in (0.4, 0.5, 0.55, 0.6)]
    grown = {"tokens": [400, 900, 1700, 3456], "gold": {"main": points}, "seconds": 2.0}
    made.metrics("curve").write_text(json.dumps(grown), encoding="utf-8")
    named = json.dumps({"gold_sets": ["main"], "seconds": 1.0})
    made.metrics("vocabulary").write_text(named, encoding="utf-8")
    made.metrics("tokens").parent.mkdir(parents=True, exist_ok=True)
    made.metrics("tokens").write_text(json.dumps(tokens), encoding="utf-8")
    sources = {"sources": [{"name": "novels", "licence": "CC <BY> & more"}]}
    made.sources.write_text(json.dumps(sources), encoding="utf-8")
    return made


@pytest.fixture(scope="module")
def layout(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    made = described_language(tmp_path_factory.mktemp("project"))
    evaluate.make_report(made, SETTINGS, MEASURES, lemmatize=False)
    return made


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    """A language whose report has every section, also those on people and agents."""
    made = described_language(tmp_path_factory.mktemp("whole"))
    play(made)
    evaluate.make_report(made, SETTINGS, made.with_learned(MEASURES), lemmatize=False)
    return made


@pytest.fixture(scope="module")
def page(layout: Layout) -> str:
    return (layout.eval / "report.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def text(layout: Layout) -> str:
    return (layout.eval / "report.md").read_text(encoding="utf-8")


class Checker(HTMLParser):
    """Opens and closes every element in order, and collects names and references."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.references: list[str] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self.open.append(tag)
        self.note(attributes)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.note(attributes)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def note(self, attributes: list[tuple[str, str | None]]) -> None:
        for name, value in attributes:
            if name == "id":
                self.ids.append(value or "")
            if name in ("href", "src", "xlink:href"):
                self.references.append(value or "")


def test_the_page_is_well_formed_and_needs_nothing(page: str) -> None:
    found = Checker(page)
    assert found.open == []
    assert len(found.ids) == len(set(found.ids))
    inside = {f"#{name}" for name in found.ids}
    assert set(found.references) - {"data:,"} <= inside
    assert set(re.findall(r"url\((#[^)]*)\)", page)) <= inside
    assert "<script" not in page and "@import" not in page


def test_every_part_is_there(page: str, text: str) -> None:
    titles = re.findall(r"^## (.*)$", text, flags=re.MULTILINE)
    assert titles == [
        "Agreement with people",
        "Which measure is better",
        "Agreement between the measures",
        "Where the measures are wrong",
        "Would more text help",
        "Coverage",
        "What went in",
        "Vocabulary",
        "Matrices",
        "The graph",
        "Neighbours",
        "Gold sets",
        "Timings",
    ]
    assert re.findall(r"<h2>(.*?)</h2>", page) == titles
    assert page.count("<svg") == 2 + len(MEASURES) + 1 + 1 + len(MEASURES)


def test_it_says_what_was_dropped_and_skipped(text: str) -> None:
    assert (
        "| novels | 12 | 3,456 | 2.0 | 3 copies; 17 bytes unreadable; 5 characters replaced |"
        in (text)
    )
    assert "Not evaluated: gone. Reason: it is to be had from a mirror folder only" in text
    assert "1 of a word with itself, left out" in text
    assert "unheard, unheard of" in text


def test_it_shows_how_the_correlation_grows_with_the_corpus(text: str) -> None:
    assert "| gold set | 400 tokens | 900 tokens | 1,700 tokens | 3,456 tokens |" in text
    assert "| main | .400 | .500 | .550 | .600 |" in text


def test_a_silver_set_is_never_shown_without_that_word(page: str, text: str) -> None:
    for shown in (page, text):
        assert re.findall(r"\bborrowed\b(?! \(silver\))", shown) == []
        assert "borrowed (silver)" in shown


def test_text_from_outside_is_escaped(page: str, text: str) -> None:
    assert "CC &lt;BY&gt; &amp; more" in page and "CC <BY>" not in page
    assert "CC <BY> & more" in text


def test_a_language_whose_only_sets_are_silver_is_warned_of(tmp_path: Path) -> None:
    silver = GOLD.replace("scale: [0, 10],", "scale: [0, 10], status: silver,")
    layout = small_language(tmp_path, code="hu", gold=silver)
    findings = evaluate.find(layout, SETTINGS, MEASURES, lemmatize=False)
    assert "nobody was asked about these words" in " ".join(report.summary(findings))


def test_without_gold_the_report_says_so_and_still_tells_the_rest(tmp_path: Path) -> None:
    layout = small_language(tmp_path, code="fi", gold=GOLD.replace("LANG", "en"))
    findings = evaluate.find(layout, SETTINGS, MEASURES, lemmatize=False)
    text = report.render(findings)["report.md"]
    assert "There is no gold set for 'fi'" in text
    assert "## Neighbours" in text and "## Matrices" in text and "## Vocabulary" in text
    assert "## Coverage" not in text and "## Where the measures are wrong" not in text
    assert len(report.sample_words(findings)) == report.SAMPLE_WORDS


def test_published_figures_stand_beside_ours_and_are_marked(tmp_path: Path) -> None:
    named = GOLD.replace("name: main", "name: MEN")
    layout = small_language(tmp_path, gold=named)
    findings = evaluate.find(layout, SETTINGS, MEASURES, lemmatize=False)
    text = report.render(findings)["report.md"]
    assert "measured elsewhere" in text
    assert re.search(r"\| \*\*Measured here\*\* \|  \|\n\| npmi \| \.\d{3} / \.\d{3} \|", text)
    assert "| NPMI | .749 / .761 |" in text and "| LexVec | .759 |" in text
    assert "**Elsewhere: Levy, Goldberg, Dagan (2015): English Wikipedia of 2013, 1,500 M" in text
    assert re.search(r"\| npmi, squared \| -?\.\d{3} \| \.495 \| -?\.\d{3} \| \.349 \|", text)


def test_published_figures_are_checked(tmp_path: Path) -> None:
    path = tmp_path / "published.yaml"
    path.write_text("method: {}\nsystems:\n  - {system: X}\n", encoding="utf-8")
    with pytest.raises(InputError, match="is not a list of published figures: 'language'"):
        report.published(path)
    with pytest.raises(InputError, match="Cannot read"):
        report.published(tmp_path / "none.yaml")


def test_the_worst_pairs_are_those_whose_ranks_lie_farthest_apart() -> None:
    gold = np.array([1.0, 2, 3, 4, 5, 6, 7, 8])
    scores = np.array([0.1, 0.2, 0.9, 0.4, 0.5, 0.6, 0.05, 0.8])
    assert report.worst_pairs(gold, scores)[:2] == [6, 2]


def test_a_correlation_is_written_as_people_write_it() -> None:
    assert [report.short(x) for x in (0.6434, -0.05, 1.0, 0.0, 12.5)] == [
        ".643", "-.050", "1.000", ".000", "12.500",
    ]  # fmt: skip


def test_the_two_forms_of_a_document() -> None:
    table = Table("wn", ("a|b", "n"), [["y"], ("x", "1")], "told")
    drawn = Picture(["<svg></svg>"], "a <picture>", "seen")
    document = Document("T & t", "en", [Text("lead")], [Section("One", [table, drawn])])
    assert document.markdown() == (
        "# T & t\n\nlead\n\n## One\n\ntold\n\n"
        "| a\\|b | n |\n| --- | ---: |\n| **y** |  |\n| x | 1 |\n\n"
        "*Picture in report.html: seen*\n"
    )
    page = document.html()
    assert "<title>T &amp; t</title>" in page and 'aria-label="a &lt;picture&gt;"' in page
    assert (
        '<tr><th colspan="2"><span>y</span></th></tr>\n<tr><td>x</td><td class="number">1</td></tr>'
        in page
    )


def test_drawings_take_the_colours_and_letters_of_the_page() -> None:
    drawn = pictures.scatter("金", np.arange(3.0), np.array([0.5, 0.1, 0.2]), [1], ("x", "y"))
    assert "金" in drawn and "var(--mark)" in drawn and "#fe00" not in drawn
    assert drawn == pictures.scatter(
        "金", np.arange(3.0), np.array([0.5, 0.1, 0.2]), [1], ("x", "y")
    )
    path = re.search(r'<path d="([^"]*)"[^>]*stroke-linecap: round', drawn)
    assert path and path[1].count("M") == 3


def test_words_that_are_in_by_name_are_told_of(page: str) -> None:
    assert "The words of main are in the vocabulary by name, however rare." in page


def test_clustering_is_that_of_igraph() -> None:
    chance = np.random.default_rng(5)
    upper = np.triu(chance.random((60, 60)) < 0.2, k=1)
    upper[0] = False  # a word without edges
    graph = igraph.Graph(n=60, edges=np.argwhere(upper).tolist())
    expected = graph.transitivity_local_undirected(mode="nan")
    adjacency = sparse.csr_array((upper | upper.T).astype(np.int8))
    assert report.clustering(adjacency) == pytest.approx(np.nanmean(expected))
    assert report.clustering(sparse.csr_array((3, 3), dtype=np.int8)) == 0


@pytest.mark.slow
def test_the_same_games_give_the_same_bytes(whole: Layout) -> None:
    before = everything(whole.eval)
    evaluate.make_report(whole, SETTINGS, whole.with_learned(MEASURES), lemmatize=False)
    assert everything(whole.eval) == before


PROBE = """<!DOCTYPE html><meta charset="utf-8"><body><pre id="found"></pre>
<iframe id="frame" width="{width}" height="800" src="{page}"></iframe>
<script>
document.getElementById("frame").addEventListener("load", event => {{
  const page = event.target.contentDocument, root = page.documentElement;
  page.querySelectorAll("details").forEach(details => details.open = true);
  const drawn = [...page.querySelectorAll("svg")].map(svg => svg.getBoundingClientRect());
  const colours = getComputedStyle(page.body);
  document.getElementById("found").textContent = JSON.stringify({{
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
SCHEMES = ["dark", "light"]  # in the order of Chromium's numbers for them


def brightness(colour: str) -> float:
    """Of an opaque colour as browsers write it: 0 is black, 1 is white."""
    parts = re.fullmatch(r"rgb\((\d+), (\d+), (\d+)\)", colour)
    assert parts, colour
    return sum(map(int, parts.groups())) / (3 * 255)


@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not there, and may not be installed here")
@pytest.mark.slow
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [360, 1280], ids=["phone", "desktop"])
def test_in_a_browser(whole: Layout, width: int, scheme: str, tmp_path: Path) -> None:
    assert CHROMIUM is not None
    report_page, probe = whole.eval / "report.html", tmp_path / "probe.html"
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
    told = re.search(r'<pre id="found">(.*?)</pre>', outcome.stdout, flags=re.DOTALL)
    assert told and told[1], outcome.stderr
    found = json.loads(escaping.unescape(told[1]))
    assert "CONSOLE" not in outcome.stderr
    assert found["dark"] == (scheme == "dark")
    darker, lighter = ("background", "ink") if found["dark"] else ("ink", "background")
    assert brightness(found[darker]) < 0.2 and brightness(found[lighter]) > 0.8
    assert width - 20 <= found["width"] <= width
    assert found["needed"] <= found["width"], "the page scrolls sideways"
    page = report_page.read_text(encoding="utf-8")
    assert found["sections"] == 18
    assert found["opened"] == page.count("<details>") > 0
    assert found["drawn"] == page.count("<svg") and found["empty"] == found["wide"] == 0
    assert found["broken"] == found["fetched"] == 0
    assert found["smallest"] >= 7, "letters too small to read"
