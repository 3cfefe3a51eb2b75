"""Correlations with gold sets and between measures, against SciPy; published figures."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from scipy import stats

from pipeline.judge.correlations import (
    STATISTICS,
    GoldResult,
    all_figures,
    by_importance,
    compare_measures,
    correlate_with_all,
    correlation_matrices,
    main_figures,
    random_pairs,
    read_published,
)
from pipeline.judge.figures import evenly_spread, listed, short, with_interval
from pipeline.layout import Layout
from pipeline.measures.opening import open_measures
from pipeline.words.lemmas import LemmaTable, gold_form
from tests.support.root import ROOT
from tests.support.small_language import GOLD, MEASURES, small_language
from wordkin.errors import InputError


@pytest.fixture(scope="module")
def layout(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    return small_language(tmp_path_factory.mktemp("project"))


def results_of(layout: Layout, names: list[str] = MEASURES) -> list[GoldResult]:
    opened, form = open_measures(layout, names), gold_form(layout)
    return correlate_with_all(layout, opened, form, resamples=100, seed=0)[0]


@pytest.fixture(scope="module")
def results(layout: Layout) -> list[GoldResult]:
    return results_of(layout)


def test_the_main_figures_of_each_set(results: list[GoldResult]) -> None:
    assert [result.title for result in results] == ["main", "borrowed (silver)"]
    main, borrowed = map(main_figures, results)
    assert (main["pairs"], main["covered"]) == (152, 150)
    assert list(main)[2:] == MEASURES
    assert main["fasttext"]["low"] < main["fasttext"]["spearman_all"] < main["fasttext"]["high"]
    assert main["fasttext"]["spearman"] > borrowed["fasttext"]["spearman"]
    assert json.loads(json.dumps(main, allow_nan=False)) == main


def test_the_correlation_is_that_of_scipy(layout: Layout, results: list[GoldResult]) -> None:
    (measure,) = open_measures(layout, ["fasttext"])
    lines = (layout.root / "eval" / "main.tsv").read_text(encoding="utf-8").splitlines()[:150]
    rows = [line.split("\t") for line in lines]
    scores = [measure.relatedness(a.lower(), b) for a, b, _ in rows]
    expected = stats.spearmanr([float(row[2]) for row in rows], scores).statistic
    assert results[0].by_measure["fasttext"].spearman.statistic == pytest.approx(expected)


def test_all_figures_have_every_interval_and_every_missing_word(
    layout: Layout, results: list[GoldResult]
) -> None:
    between = compare_measures(open_measures(layout, MEASURES), seed=0)
    figures = all_figures(results, {"gone": "no mirror"}, between)
    main = figures["gold"]["main"]
    assert main["missing"] == ["unheard", "unheard of"]
    assert main["identical"] == 1
    for statistic in STATISTICS:
        interval = main["measures"]["npmi"][statistic]
        assert interval["low"] <= interval["value"] <= interval["high"]
    assert list(main["differences"]) == ["npmi - squared", "npmi - fasttext", "squared - fasttext"]
    assert figures["gold"]["borrowed (silver)"]["status"] == "silver"
    assert figures["between_measures"]["npmi squared"].keys() == {"pearson", "spearman"}
    assert figures["skipped"] == {"gone": "no mirror"}


def test_headline_sets_come_first_and_silver_sets_last(tmp_path: Path) -> None:
    gold = GOLD.split("\n", 1)[1]
    main, _ = gold.split("  - {name: borrowed")
    silver = main.replace("main,", "first,").replace("scale", "status: silver, scale")
    men = silver.replace("first,", "MEN,").replace(" status: silver,", "")
    text = f"sets:\n{silver}{main}{men}"
    layout = small_language(tmp_path, gold=text)
    assert [r.name for r in by_importance(results_of(layout, ["npmi"]))] == ["MEN", "main", "first"]


def test_a_blend_is_a_measure_like_any_other(layout: Layout) -> None:
    names = ["npmi", "npmi+fasttext:2"]
    assert list(results_of(layout, names)[0].by_measure) == names


def test_gold_words_follow_the_rules_of_the_language(tmp_path: Path) -> None:
    turkish = gold_form(Layout(tmp_path, "tr"))
    assert turkish("IŞIK") == "ışık"
    assert turkish("İzmir") == "izmir"
    english = gold_form(Layout(tmp_path, "en"))
    assert english("Jerusalem") == "jerusalem"
    assert english("New York") == "new york"
    layout = Layout(tmp_path, "hu")
    layout.vocabulary.mkdir(parents=True)
    LemmaTable(pa.array(["ház", "házak"]), pa.array(["ház", "ház"])).write(layout.vocabulary)
    hungarian = gold_form(layout)
    assert hungarian("Házak") == "ház"
    assert hungarian("Kutyák") == "kutyák", "the corpus does not have it"


def test_random_pairs_have_two_different_words_and_reach_all_of_them() -> None:
    first, second = random_pairs(7, pairs=2000, seed=9)
    assert (first != second).all()
    assert len(set(zip(first.tolist(), second.tolist(), strict=True))) == 7 * 6
    with pytest.raises(InputError, match="at least 2"):
        random_pairs(1)


def test_correlations_between_measures_are_those_of_scipy() -> None:
    a, b = np.random.default_rng(0).random((2, 500))
    pearson, spearman = correlation_matrices([a, b, np.zeros(500)])
    assert pearson[0, 1] == pytest.approx(stats.pearsonr(a, b).statistic, abs=1e-6)
    assert spearman[1, 0] == pytest.approx(stats.spearmanr(a, b).statistic, abs=1e-6)
    assert np.isnan(pearson[2]).all() and np.isnan(spearman[:, 2]).all()


def test_the_published_figures_of_the_project_can_be_read() -> None:
    published = read_published(ROOT / "eval" / "published.yaml")
    scores = [score for system in published for score in system["scores"].values()]
    assert scores and all(0 < score["spearman"] < 1 for score in scores)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        ("systems:\n  - {system: X}\n", "a system has no 'language'; add it"),
        ("method: {}\n", "is not a list of published figures: 'systems'"),
        ("[", "is not a list of published figures"),
        ("", "is not a list of published figures"),
        (None, "Cannot read"),
    ],
)
def test_broken_published_figures_are_refused(
    tmp_path: Path, content: str | None, sentence: str
) -> None:
    path = tmp_path / "published.yaml"
    if content is not None:
        path.write_text(content, encoding="utf-8")
    with pytest.raises(InputError, match=sentence):
        read_published(path)


def test_figures_are_written_as_people_write_them() -> None:
    values = (0.6434, -0.05, 1.0, 0.0, 12.5, None)
    assert list(map(short, values)) == [".643", "−.050", "1.000", ".000", "12.500", "–"]
    assert with_interval(0.6434, 0.601, 0.677).replace("\xa0", " ") == ".643 (.60 to .68)"
    assert with_interval(float("nan"), 0, 0) == "–"
    assert listed(["a", "b", "c"]) == listed(["a", "b", "c"], 3) == "a, b, c"
    assert listed(["a", "b", "c"], 1) == "a and 2 more"
    assert evenly_spread(3, 11) == [0, 5, 10]
    assert evenly_spread(5, 2) == [0, 1]
    assert evenly_spread(5, 0) == []
