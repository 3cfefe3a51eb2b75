"""The report of a small language: what it says, that it needs nothing else, and how it looks."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from pipeline.judge import report
from pipeline.judge.findings import Findings
from pipeline.judge.sections import (
    SAMPLE_WORDS,
    SHOWN_AT_LIMIT,
    familiar_words,
    report_data,
    sample_words,
    words_at_limit,
    worst_pairs,
)
from pipeline.judge.trust import by_rarity, verdict
from pipeline.judge.vocabulary_map import draw_map, tied_words
from pipeline.layout import Layout
from tests.support.corpora import files
from tests.support.small_language import (
    GOLD,
    MEASURES,
    NO_GOLD,
    REPORT,
    described_language,
    growth_of_main,
    play,
    small_language,
    syllables,
    write_json,
)
from wordkin.errors import InputError
from wordkin.vocabulary import Vocabulary

CHROMIUM = next(
    filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None
)
VOID = {"meta", "link", "br", "img", "input", "hr"}
LARGEST = 1_000_000


def collect(
    layout: Layout, names: list[str] = MEASURES, default: str = "fasttext", **more: Any
) -> Findings:
    return report.collect(layout, REPORT, names, default, **more)


def markdown(layout: Layout, **more: Any) -> str:
    return report.as_markdown(report_data(collect(layout, **more)))


def section(text: str, title: str) -> str:
    return text.split(f"## {title}\n")[1].split("\n## ")[0]


@pytest.fixture(scope="module")
def findings(tmp_path_factory: pytest.TempPathFactory) -> Findings:
    """A described language without people's choices."""
    layout = described_language(tmp_path_factory.mktemp("project"))
    return collect(layout, growth=growth_of_main())


@pytest.fixture(scope="module")
def page(findings: Findings) -> str:
    return report.as_html(report_data(findings))


@pytest.fixture(scope="module")
def text(findings: Findings) -> str:
    return report.as_markdown(report_data(findings))


class Checker(HTMLParser):
    """Opens and closes every element in order, and collects ids and references."""

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


def test_the_page_is_well_formed_and_needs_nothing_else(page: str) -> None:
    checker = Checker(page)
    assert checker.open == []
    assert len(checker.ids) == len(set(checker.ids))
    inside = {f"#{name}" for name in checker.ids}
    assert set(checker.references) - {"data:,"} <= inside
    assert set(re.findall(r"url\((#[^)]*)\)", page)) <= inside
    assert "<script" not in page and "@import" not in page
    assert len(page.encode()) < LARGEST


def test_every_section_is_there_in_both_forms(page: str, text: str) -> None:
    titles = re.findall(r"^## (.*)$", text, flags=re.MULTILINE)
    assert titles == [
        "What came in", "People's ratings", "Would more text help", "Neighbours", "Mistakes",
        "A map of the vocabulary", "The matrices", "The gold sets",
    ]  # fmt: skip
    assert [html.unescape(title) for title in re.findall(r"<h2>(.*?)</h2>", page)] == titles
    links = re.findall(r'<li><a href="#.*?">(.*?)</a>', page)
    assert [html.unescape(link) for link in links] == titles


def test_the_first_screen_says_whether_to_believe_it(text: str) -> None:
    first = text.split("\n## ")[0]
    assert re.search(r"\*\*\w[\w ]+: fasttext orders pairs of words .* on main\.\*\*", first)
    assert re.search(r"^\| fasttext \(default\) \| \.\d{3} \(", first, flags=re.MULTILINE)
    assert "| covered | 150 of 152 pairs | 40 of 42 pairs |" in first
    assert "### Where not to believe it" in first
    assert "- More text: the last doubling of the corpus gave npmi .050 on main." in first
    assert "- People: there are no recorded rounds" in first


def test_the_tables_of_the_markdown_have_as_many_cells_as_their_heads(text: str) -> None:
    tables = re.findall(r"(?:^\|.*\|\n)+", text, flags=re.MULTILINE)
    assert len(tables) > 8
    for lines in map(str.splitlines, tables):
        assert re.fullmatch(r"\|( ---:? \|)+", lines[1])
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in lines}) == 1


def test_rare_words_are_judged_apart(tmp_path: Path) -> None:
    layout = small_language(tmp_path)
    findings = collect(layout)
    result = findings.main_result
    assert result is not None
    evaluation = result.by_measure["fasttext"]
    counts = findings.counts_of_pairs(result)
    words = np.array(evaluation.words)[evaluation.is_covered]
    ids = findings.vocabulary.ids
    by_hand = [min(findings.vocabulary.counts[ids[w.lower()]] for w in pair) for pair in words]
    assert counts.tolist() == by_hand
    thirds = by_rarity(result, "fasttext", findings)
    assert thirds is not None and all(-1 <= value <= 1 for value in thirds)


def test_it_says_what_was_dropped_and_skipped(text: str) -> None:
    dropped = "3 copies; 17 bytes unreadable; 5 characters replaced"
    assert f"| novels | 12 | 3,456 | {dropped} |" in text
    assert re.search(r"- gone: .*mirror", section(text, "The gold sets"))
    assert "1 of a word with itself, left out" in text
    assert "unheard, unheard of" in text
    assert "The words of main are in the vocabulary by name, however rare." in text


def test_it_shows_how_the_correlation_grows_with_the_corpus(text: str) -> None:
    assert "| gold set | 400 tokens | 900 tokens | 1,700 tokens | 3,456 tokens |" in text
    assert "| main | .400 | .500 | .550 | .600 |" in text


def test_a_silver_set_is_always_marked_as_one(page: str, text: str) -> None:
    for shown in (page, text):
        assert re.findall(r"\bborrowed\b(?! \(silver\))", shown) == []
        assert "borrowed (silver)" in shown
    assert "Nobody rated these pairs" in section(text, "People's ratings")


def test_it_shows_words_on_both_sides_of_the_limit_of_familiarity(
    text: str, findings: Findings
) -> None:
    assert "they reach the limit 0.85 (vocabulary.familiarity)" in text
    assert "Just above: " in text and "Just below: " in text
    plain = Vocabulary(findings.vocabulary.words, findings.vocabulary.counts, [1] * 120)
    assert familiar_words(plain, 0.85) is None


def test_words_at_the_limit_are_the_nearest_ones_and_always_the_same() -> None:
    words = [f"w{number:04d}" for number in range(2000)]
    scores = np.random.default_rng(5).permutation(np.linspace(0, 1, 2000)).round(3)
    vocabulary = Vocabulary(words, [1] * 2000, [1] * 2000, scores)
    above, below = words_at_limit(vocabulary, 0.5)
    score = dict(zip(words, scores.tolist(), strict=True))
    assert len(set(above)) == len(set(below)) == SHOWN_AT_LIMIT
    assert all(0.5 <= score[word] < 0.76 for word in above)
    assert all(0.24 < score[word] < 0.5 for word in below)
    assert words_at_limit(vocabulary, 0.5) == (above, below)


def test_hostile_sources_words_and_licences_are_harmless(tmp_path: Path) -> None:
    layout = described_language(tmp_path)
    hostile = "<script>alert(1)</script> [x](http://x.y) | `a`"
    facts = {"documents": 1, "tokens": 1, "bytes": 1, "dropped": {hostile: 1}}
    tokens = {"documents": 1, "tokens": 1, "sources": {hostile: facts}}
    write_json(layout.metrics("tokens"), tokens)
    write_json(layout.sources, {"sources": [{"name": hostile, "licence": hostile}]})
    data = report_data(collect(layout))
    page, text = report.as_html(data), report.as_markdown(data)
    for shown in (page, text):
        assert "<script" not in shown
        assert shown.count("&lt;script&gt;") == 3
    assert "](" not in text.replace("\\](", "") and "http:/" not in text
    row = next(line for line in text.splitlines() if line.startswith("| &lt;script"))
    assert len(re.findall(r"(?<!\\)\|", row)) == 6


def test_the_reader_is_warned_when_all_sets_are_silver(tmp_path: Path) -> None:
    silver = GOLD.replace("scale: [0, 10],", "scale: [0, 10], status: silver,")
    text = markdown(small_language(tmp_path, code="hu", gold=silver))
    assert "**With care: nobody rated words of this language." in text
    assert "A gold set that speakers of the language rated" in text


def test_without_gold_the_report_says_so_and_shows_the_rest(tmp_path: Path) -> None:
    findings = collect(small_language(tmp_path, code="fi", gold=NO_GOLD))
    text = report.as_markdown(report_data(findings))
    assert verdict(findings).startswith("Nobody can say yet: there is no gold set for 'fi'.")
    titles = re.findall(r"^## (.*)$", text, flags=re.MULTILINE)
    assert titles == ["What came in", "Neighbours", "A map of the vocabulary", "The matrices"]
    assert len(sample_words(findings)) == SAMPLE_WORDS


def test_published_figures_stand_next_to_ours_and_are_marked(tmp_path: Path) -> None:
    text = markdown(small_language(tmp_path, gold=GOLD.replace("name: main", "name: MEN")))
    assert "| NPMI of 5,692 M tokens\\* | .749 |" in text
    assert "measured elsewhere" in text
    assert "| 5,692 M | .749 / .761 |" in text and "| 7,000 M | .759 |" in text


def test_how_far_other_people_agree_stands_next_to_ours(tmp_path: Path) -> None:
    gold = GOLD.replace("scale: [0, 10],", "scale: [0, 10], ceiling: 0.84,")
    text = markdown(small_language(tmp_path, gold=gold))
    assert "| other people | .840 |" in text.partition("## What came in")[0]
    assert "| 0–10 | .840 |" in text.partition("## The gold sets")[2]


def test_a_blend_is_called_a_blend(tmp_path: Path) -> None:
    names = ["npmi", "npmi+fasttext:2"]
    text = markdown(small_language(tmp_path), names=names, default="npmi")
    assert "| npmi+fasttext:2 | blend of others |" in text


def test_the_worst_pairs_are_those_whose_ranks_differ_most(findings: Findings) -> None:
    result = findings.main_result
    assert result is not None
    evaluation = result.by_measure["npmi"]
    covered = evaluation.is_covered
    ranks = [stats.rankdata(v[covered]) for v in (evaluation.gold, evaluation.scores)]
    pairs = [", ".join(pair) for pair in np.array(evaluation.words)[covered]]
    shown = [pairs.index(row[1]) for row in worst_pairs(result, "npmi")]
    apart = np.abs(ranks[0] - ranks[1])
    assert apart[shown].tolist() == sorted(apart, reverse=True)[: len(shown)]


def test_the_map_has_frequent_words_tied_to_their_closest(findings: Findings) -> None:
    npmi = findings.measures[0]
    drawn = draw_map(npmi, 0.85)
    assert drawn is not None and drawn == draw_map(npmi, 0.85)
    assert {word.text for word in drawn.words} == set(syllables(120)[:36])
    graph = tied_words(npmi, np.arange(36))
    for edge in graph.es:
        assert edge["weight"] == npmi.pairs([edge.source], [edge.target])[0] > 0
    strongest = npmi.pairs([0] * 35, list(range(1, 36))).argmax() + 1
    assert graph.are_adjacent(0, int(strongest))
    assert draw_map(npmi, 1.1) is None, "too few words"


@pytest.mark.slow
def test_a_whole_report_has_people_and_games_and_the_same_bytes(tmp_path: Path) -> None:
    layout = described_language(tmp_path)
    played = play(layout)
    names = layout.available(MEASURES)
    findings = collect(layout, names, "human", play=played, growth=growth_of_main())
    metrics = report.write_report(layout, findings)
    assert json.loads(json.dumps(metrics, allow_nan=False)) == metrics
    assert list(metrics["gold"]["main"]) == ["pairs", "covered", *names]
    before = files(layout.eval)
    assert report.write_report(layout, findings) == metrics and files(layout.eval) == before
    text = layout.report_text.read_text(encoding="utf-8")
    choices, games = section(text, "People's choices"), section(text, "Agents at play")
    assert "| human (left-out boards) |" in choices and "| chance |" in choices
    assert re.search(r"\| fasttext \| its value \| \.\d\d \| × ", choices)
    assert f"{metrics['games']} games by" in games
    assert games.count("### Clues on board") == len(played.boards)
    assert report.describe(metrics).endswith(f"{metrics['games']} games")


def test_a_file_by_hand(tmp_path: Path) -> None:
    layout = small_language(tmp_path)
    mine, (a, b, c) = tmp_path / "mine.tsv", syllables(3)
    mine.write_text(f"{a},{b},5\n{a.upper()},{c},2\n{b},{c},1\n", encoding="utf-8")
    first, _, npmi, *_ = report.by_hand(layout, REPORT, MEASURES, mine).splitlines()
    assert first == "mine: 3 of 3 pairs are covered"
    assert npmi.split()[0] == "npmi"
    mine.write_text("kutya\tmacska\t5\n", encoding="utf-8")
    with pytest.raises(InputError, match="is it the right language"):
        report.by_hand(layout, REPORT, MEASURES, mine)


def test_a_missing_measure_and_damaged_figures_are_refused(tmp_path: Path) -> None:
    layout = small_language(tmp_path)
    with pytest.raises(InputError, match="graph"):
        collect(layout, ["npmi", "graph"])
    layout.metrics("vocabulary").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=r"vocabulary\.json is missing or damaged"):
        collect(layout)


PROBE = """<!DOCTYPE html><meta charset="utf-8"><body><pre id="answer"></pre>
<iframe id="frame" width="{width}" height="800" src="{page}"></iframe>
<script>
document.getElementById("frame").addEventListener("load", event => {{
  const page = event.target.contentDocument, root = page.documentElement;
  page.querySelectorAll("details").forEach(details => details.open = true);
  const drawn = [...page.querySelectorAll(".panels svg")].map(svg => svg.getBoundingClientRect());
  const colours = getComputedStyle(page.body);
  document.getElementById("answer").textContent = JSON.stringify({{
    background: colours.backgroundColor,
    ink: colours.color,
    width: root.clientWidth,
    needed: root.scrollWidth,
    drawn: drawn.length,
    empty: drawn.filter(box => box.width < 100 || box.height < 50).length,
    wide: drawn.filter(box => box.right > root.clientWidth).length,
    fetched: page.defaultView.performance.getEntriesByType("resource").length,
    smallest: Math.min(...[...page.querySelectorAll(".panels svg text")].map(
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


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed on this machine")
@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize("width", [360, 1280], ids=["phone", "desktop"])
def test_the_page_is_readable_in_a_browser(
    page: str, width: int, scheme: str, tmp_path: Path
) -> None:
    assert CHROMIUM is not None
    shown, probe = tmp_path / "report.html", tmp_path / "probe.html"
    shown.write_text(page, encoding="utf-8")
    probe.write_text(PROBE.format(width=width, page=shown.as_uri()), encoding="utf-8")
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
    darker, lighter = ("background", "ink") if scheme == "dark" else ("ink", "background")
    assert brightness(seen[darker]) < 0.2 and brightness(seen[lighter]) > 0.8
    assert width - 20 <= seen["width"] <= width
    assert seen["needed"] <= seen["width"], "the page scrolls sideways"
    assert seen["drawn"] == page.count("<svg") - 1 and seen["empty"] == seen["wide"] == 0
    assert seen["fetched"] == 0
    assert seen["smallest"] >= 7, "letters too small to read"
