"""Honours: raw text and knowledge told apart, by kind, with what people reach."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from pipeline.judge import evaluate
from pipeline.judge.report import correlations, honours
from pipeline.judge.report.document import Section, Table
from pipeline.judge.report_data import ReportData
from pipeline.measures.family import WITH_KNOWLEDGE
from tests.support.small_language import EVALUATE, GOLD, MEASURES, small_language, write_json

CEILING = GOLD.replace("scale: [0, 10]", "scale: [0, 10], ceiling: 0.84")


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> ReportData:
    """A build in which `fasttext` has knowledge."""
    layout = small_language(tmp_path_factory.mktemp("project"), gold=CEILING)
    facts = layout.measure("fasttext") / "measure.json"
    write_json(facts, {**json.loads(facts.read_text()), **WITH_KNOWLEDGE})
    return evaluate.collect(layout, EVALUATE, MEASURES, lemmatize=False)


def tables(section: Section | None) -> list[Table]:
    assert section is not None
    return [element for element in section.elements if isinstance(element, Table)]


def spearman(data: ReportData, name: str, at: int) -> float:
    return data.results[at].by_measure[name].spearman_all.statistic


def test_raw_text_and_knowledge_have_a_line_each_and_a_column_per_set(data: ReportData) -> None:
    kinds, sets = tables(honours.honours(data))
    assert kinds.header == ("", "relatedness", "similarity")
    assert [row[0] for row in kinds.rows] == ["raw text alone", "with knowledge"]
    best = max(("npmi", "squared"), key=lambda name: spearman(data, name, 0))
    assert kinds.rows[0][1] == f"{spearman(data, best, 0):.3f} {best}"[1:]
    assert kinds.rows[1][1] == f"{spearman(data, 'fasttext', 0):.3f} fasttext"[1:]
    assert sets.rows[0] == ("main", "relatedness", kinds.rows[0][1], kinds.rows[1][1], ".840")
    assert sets.rows[1][-1] == ""


def test_without_knowledge_there_are_no_honours(data: ReportData) -> None:
    raw = [measure for measure in data.measures if measure.name != "fasttext"]
    assert honours.honours(replace(data, measures=raw)) is None


def test_sets_are_listed_by_kind_with_what_people_reach(data: ReportData) -> None:
    means, sets = tables(honours.by_kind(data))
    assert [row[0] for row in means.rows] == MEASURES
    assert sets.rows[0] == ("relatedness", "main (.840)")
    assert sets.rows[1][1].startswith("borrowed")


def test_many_measures_are_compared_with_the_best_one_only(
    data: ReportData, monkeypatch: pytest.MonkeyPatch
) -> None:
    (every,) = tables(correlations.which_is_better(data))
    assert "over" in every.rows[0][1]
    monkeypatch.setattr(correlations, "FEW_MEASURES", 2)
    (few,) = tables(correlations.which_is_better(data))
    best = max(MEASURES, key=lambda name: data.results[0].by_measure[name].spearman.statistic)
    assert few.rows[0][1].endswith(f" {best}")
    unsure = {
        name
        for pair, difference in data.results[0].differences().items()
        for name in pair
        if best in pair and name != best and not difference.sure
    }
    assert few.rows[0][2] == (", ".join(n for n in MEASURES if n in unsure) or "none")
