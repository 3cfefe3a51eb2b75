"""The report of the small language: what it says, and that the page needs nothing else."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import igraph
import numpy as np
import pytest
from scipy import sparse

from pipeline.judge import evaluate, report
from pipeline.judge.report.corpus import SHOWN_AT_LIMIT, familiar_words, words_at_limit
from pipeline.judge.report.matrices import clustering
from pipeline.judge.report.mistakes import worst_pairs
from pipeline.judge.report.neighbours import SAMPLE_WORDS, sample_words
from pipeline.judge.report_data import ReportData
from pipeline.layout import Layout
from tests.support.small_language import (
    EVALUATE,
    GOLD,
    MEASURES,
    NO_GOLD,
    described_language,
    small_language,
    write_json,
)
from wordkin.vocabulary import Vocabulary

VOID = {"meta", "link", "br", "img", "input", "hr"}


@pytest.fixture(scope="module")
def layout(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    layout = described_language(tmp_path_factory.mktemp("project"))
    evaluate.make_report(layout, EVALUATE, MEASURES, lemmatize=False)
    return layout


@pytest.fixture(scope="module")
def page(layout: Layout) -> str:
    return layout.report.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def text(layout: Layout) -> str:
    return layout.report_text.read_text(encoding="utf-8")


def collect(layout: Layout) -> ReportData:
    return evaluate.collect(layout, EVALUATE, MEASURES, lemmatize=False)


def test_correlations_are_averaged_by_kind(text: str) -> None:
    section = text.split("## By kind\n")[1].split("\n## ")[0]
    header, *_ = (line for line in section.splitlines() if line.startswith("|"))
    assert [cell.strip() for cell in header.strip("|").split("|")][1:] == [
        "relatedness",
        "similarity",
    ]
    assert all(f"| {name} |" in section for name in MEASURES)


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


def test_every_section_is_there(page: str, text: str) -> None:
    titles = re.findall(r"^## (.*)$", text, flags=re.MULTILINE)
    assert titles == [
        "Agreement with people",
        "Silver sets",
        "By kind",
        "Which measure is better",
        "Agreement between the measures",
        "Where the measures are wrong",
        "Would more text help",
        "Coverage",
        "What went in",
        "Vocabulary",
        "Familiar words",
        "Matrices",
        "The graph",
        "Neighbours",
        "Gold sets",
    ]
    assert re.findall(r"<h2>(.*?)</h2>", page) == titles
    intervals, scatters, curves, zipf, histograms = 2, len(MEASURES), 1, 1, len(MEASURES)
    assert page.count("<svg") == intervals + scatters + curves + zipf + histograms


def test_it_says_what_was_dropped_and_skipped(text: str) -> None:
    dropped = "3 copies; 17 bytes unreadable; 5 characters replaced"
    assert f"| novels | 12 | 3,456 | 2.0 | {dropped} |" in text
    assert re.search(r"Not evaluated: gone\. Reason: .*mirror", text)
    assert "1 of a word with itself, left out" in text
    assert "unheard, unheard of" in text


def test_it_shows_how_the_correlation_grows_with_the_corpus(text: str) -> None:
    assert "| gold set | 400 tokens | 900 tokens | 1,700 tokens | 3,456 tokens |" in text
    assert "| main | .400 | .500 | .550 | .600 |" in text


def test_a_silver_set_is_always_marked_as_one(page: str, text: str) -> None:
    for shown in (page, text):
        assert re.findall(r"\bborrowed\b(?! \(silver\))", shown) == []
        assert "borrowed (silver)" in shown


def test_silver_sets_are_told_apart_from_what_people_rated(text: str) -> None:
    rated, silver = (
        text.split(f"## {title}\n")[1].split("\n## ")[0]
        for title in ("Agreement with people", "Silver sets")
    )
    assert "| **main** |" in rated and "borrowed" not in rated
    assert "| **borrowed (silver)** |" in silver and "**main**" not in silver
    assert "Nobody rated these pairs." in silver


def test_it_shows_words_on_both_sides_of_the_limit_of_familiarity(text: str) -> None:
    section = text.split("## Familiar words")[1].split("\n## ")[0]
    assert "they reach the limit 0.85 (vocabulary.familiarity)" in section
    assert "just above" in section and "just below" in section


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
    assert words_at_limit(vocabulary, 1.0)[0] == [word for word in words if score[word] == 1]
    assert words_at_limit(vocabulary, 0.0)[1] == []


def test_without_familiarity_there_is_no_section_on_it(tmp_path: Path) -> None:
    layout = described_language(tmp_path)
    path = layout.vocabulary / "vocabulary.tsv"
    read = Vocabulary.read(path)
    Vocabulary(read.words, read.counts, read.documents).write(path)
    assert familiar_words(collect(layout)) is None


def test_text_from_outside_is_escaped(page: str, text: str) -> None:
    for shown in (page, text):
        assert "CC &lt;BY&gt; &amp; more" in shown and "CC <BY>" not in shown


def test_hostile_sources_words_and_licences_are_harmless(tmp_path: Path) -> None:
    layout = described_language(tmp_path)
    hostile = "<script>alert(1)</script>"
    facts = {"documents": 1, "tokens": 1, "bytes": 1, "dropped": {hostile: 1}}
    tokens = {"documents": 1, "tokens": 1, "sources": {hostile: facts}}
    write_json(layout.metrics("tokens"), tokens)
    write_json(layout.sources, {"sources": [{"name": hostile, "licence": hostile}]})
    write_json(layout.metrics("graph"), {hostile: 1})
    for shown in report.render(collect(layout)).values():
        assert "<script" not in shown
        assert shown.count("&lt;script&gt;") == 4


def test_the_reader_is_warned_when_all_sets_are_silver(tmp_path: Path) -> None:
    silver = GOLD.replace("scale: [0, 10],", "scale: [0, 10], status: silver,")
    layout = small_language(tmp_path, code="hu", gold=silver)
    text = report.render(collect(layout))["report.md"]
    assert "nobody rated these words" in text
    assert "## Silver sets\n" in text and "## Agreement with people\n" not in text


def test_details_are_about_a_set_that_people_rated_if_there_is_one(tmp_path: Path) -> None:
    silver = (
        GOLD.split("\n", 1)[1].replace("main,", "first,").replace("scale", "status: silver, scale")
    )
    first, rest = silver.split("  - {name: borrowed")[0], GOLD.split("\n", 1)[1]
    data = collect(small_language(tmp_path, gold=f"sets:\n{first}{rest}"))
    assert [result.name for result in data.results][:1] == ["first"]
    assert data.main_result is not None and data.main_result.name == "main"


def test_without_gold_the_report_says_so_and_shows_the_rest(tmp_path: Path) -> None:
    data = collect(small_language(tmp_path, code="fi", gold=NO_GOLD))
    text = report.render(data)["report.md"]
    assert "There is no gold set for 'fi'" in text
    assert "## Neighbours" in text and "## Matrices" in text and "## Vocabulary" in text
    assert "## Coverage" not in text and "## Where the measures are wrong" not in text
    assert len(sample_words(data)) == SAMPLE_WORDS


def test_published_figures_stand_next_to_ours_and_are_marked(tmp_path: Path) -> None:
    layout = small_language(tmp_path, gold=GOLD.replace("name: main", "name: MEN"))
    text = report.render(collect(layout))["report.md"]
    assert "measured elsewhere" in text
    assert re.search(r"\| \*\*Measured here\*\* \|  \|\n\| npmi \| \.\d{3} / \.\d{3} \|", text)
    assert "| NPMI | .749 / .761 |" in text and "| LexVec | .759 |" in text
    assert "**Elsewhere: Levy, Goldberg, Dagan (2015): English Wikipedia of 2013, 1,500 M" in text
    assert re.search(r"\| npmi, squared \| -?\.\d{3} \| \.495 \| -?\.\d{3} \| \.349 \|", text)


def test_a_blend_is_called_a_blend(tmp_path: Path) -> None:
    layout = small_language(tmp_path)
    data = evaluate.collect(layout, EVALUATE, ["npmi", "npmi+fasttext:2"], lemmatize=False)
    assert "| npmi+fasttext:2 | blend of others |" in report.render(data)["report.md"]


def test_the_worst_pairs_are_those_whose_ranks_differ_most() -> None:
    gold = np.array([1.0, 2, 3, 4, 5, 6, 7, 8])
    scores = np.array([0.1, 0.2, 0.9, 0.4, 0.5, 0.6, 0.05, 0.8])
    assert worst_pairs(gold, scores)[:2] == [6, 2]


def test_sets_whose_words_are_in_by_name_are_listed(page: str) -> None:
    assert "The words of main are in the vocabulary by name, however rare." in page


def test_clustering_is_that_of_igraph() -> None:
    random = np.random.default_rng(5)
    upper = np.triu(random.random((60, 60)) < 0.2, k=1)
    upper[0] = False  # a word without edges
    graph = igraph.Graph(n=60, edges=np.argwhere(upper).tolist())
    expected = graph.transitivity_local_undirected(mode="nan")
    adjacency = sparse.csr_array((upper | upper.T).astype(np.int8))
    assert clustering(adjacency) == pytest.approx(np.nanmean(expected))
    assert clustering(sparse.csr_array((3, 3), dtype=np.int8)) == 0
