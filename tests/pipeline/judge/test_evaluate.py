"""The evaluate stage on a small made-up language, from gold sets to figures, plots and report."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pyarrow as pa
import pytest
from scipy import stats

from pipeline.judge import evaluate, figures
from pipeline.layout import Layout
from pipeline.measures.opening import open_measures
from pipeline.words.lemmas import LemmaTable, gold_form
from tests.support.corpora import files
from tests.support.small_language import (
    EVALUATE,
    MEASURES,
    NO_GOLD,
    small_language,
    syllables,
    write_json,
)
from wordkin.errors import InputError


@pytest.fixture(scope="module")
def layout(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    return small_language(tmp_path_factory.mktemp("project"))


@pytest.fixture(scope="module")
def metrics(layout: Layout) -> dict:
    return evaluate.make_report(layout, EVALUATE, MEASURES, lemmatize=False)


def test_the_metrics_have_the_main_figures(layout: Layout, metrics: dict) -> None:
    assert list(metrics["gold"]) == ["main", "borrowed (silver)"]
    main, borrowed = metrics["gold"].values()
    assert (main["pairs"], main["covered"]) == (152, 150)
    assert list(main)[2:] == MEASURES
    assert main["fasttext"]["low"] < main["fasttext"]["spearman_all"] < main["fasttext"]["high"]
    assert main["fasttext"]["spearman"] > borrowed["fasttext"]["spearman"]
    assert metrics["skipped"] == 1


def test_the_correlation_is_that_of_scipy(layout: Layout, metrics: dict) -> None:
    (measure,) = open_measures(layout, ["fasttext"])
    lines = (layout.root / "eval" / "main.tsv").read_text(encoding="utf-8").splitlines()[:150]
    rows = [line.split("\t") for line in lines]
    scores = [measure.relatedness(a.lower(), b) for a, b, _ in rows]
    expected = stats.spearmanr([float(row[2]) for row in rows], scores).statistic
    figure = metrics["gold"]["main"]["fasttext"]["spearman"]
    assert figure == pytest.approx(expected, abs=1e-4)


def test_metrics_are_plain_json(metrics: dict) -> None:
    assert json.loads(json.dumps(metrics, allow_nan=False)) == metrics


def test_the_details_have_every_figure_and_every_missing_word(
    layout: Layout, metrics: dict
) -> None:
    details = json.loads(layout.correlations.read_text(encoding="utf-8"))
    main = details["gold"]["main"]
    assert main["missing"] == ["unheard", "unheard of"]
    assert main["identical"] == 1
    for statistic in figures.STATISTICS:
        interval = main["measures"]["npmi"][statistic]
        assert interval["low"] <= interval["value"] <= interval["high"]
        assert interval["value"] == metrics["gold"]["main"]["npmi"][statistic]
    assert list(main["differences"]) == ["npmi - squared", "npmi - fasttext", "squared - fasttext"]
    assert "mirror" in details["skipped"]["gone"]
    assert details["gold"]["borrowed (silver)"]["status"] == "silver"


def test_dvc_can_plot_the_tables(layout: Layout, metrics: dict) -> None:
    tables = {}
    for path in sorted(layout.plots.iterdir()):
        with path.open(encoding="utf-8", newline="") as file:
            tables[path.name] = list(csv.DictReader(file))
    assert list(tables) == ["correlations.csv", "scatter.csv", "zipf.csv"]
    spearman = {row["correlation"]: float(row["spearman"]) for row in tables["correlations.csv"]}
    assert spearman["main npmi"] == metrics["gold"]["main"]["npmi"]["spearman_all"]
    assert len(tables["scatter.csv"]) == 150 * len(MEASURES)
    counts = [float(row["log10_count"]) for row in tables["zipf.csv"]]
    assert counts == sorted(counts, reverse=True) and counts[0] == 4.0


def test_the_same_input_gives_the_same_bytes(layout: Layout, metrics: dict) -> None:
    before = files(layout.eval)
    assert evaluate.make_report(layout, EVALUATE, MEASURES, lemmatize=False) == metrics
    assert files(layout.eval) == before
    assert not [name for name in before if name.endswith(".part")]


def test_a_language_without_gold_sets_has_a_report_without_correlations(tmp_path: Path) -> None:
    layout = small_language(tmp_path, code="fi", gold=NO_GOLD)
    metrics = evaluate.make_report(layout, EVALUATE, MEASURES, lemmatize=False)
    assert metrics["gold"] == {}
    assert layout.report.is_file()
    assert evaluate.describe(metrics).endswith("best Spearman over all pairs: no gold set")


def test_a_file_by_hand(layout: Layout, tmp_path: Path) -> None:
    mine = tmp_path / "mine.tsv"
    names = syllables(3)
    mine.write_text(
        f"{names[0]},{names[1]},5\n{names[0].upper()},{names[2]},2\n{names[1]},{names[2]},1\n",
        encoding="utf-8",
    )
    table = evaluate.by_hand(layout, EVALUATE, MEASURES, False, mine)
    first = table.splitlines()[1].split()
    assert first[:2] == ["mine", "npmi"] and first[-3:] == ["3", "of", "3"]
    mine.write_text("kutya\tmacska\t5\n", encoding="utf-8")
    with pytest.raises(InputError, match="is it the right language"):
        evaluate.by_hand(layout, EVALUATE, MEASURES, False, mine)


def test_gold_words_follow_the_rules_of_the_language(tmp_path: Path) -> None:
    turkish = gold_form(Layout(tmp_path, "tr"), lemmatize=False)
    assert turkish("IŞIK") == "ışık"
    assert turkish("İzmir") == "izmir"
    english = gold_form(Layout(tmp_path, "en"), lemmatize=False)
    assert english("Jerusalem") == "jerusalem"
    assert english("New York") == "new york"
    layout = Layout(tmp_path, "hu")
    layout.vocabulary.mkdir(parents=True)
    LemmaTable(pa.array(["ház", "házak"]), pa.array(["ház", "ház"])).write(layout.vocabulary)
    hungarian = gold_form(layout, lemmatize=True)
    assert hungarian("Házak") == "ház"
    assert hungarian("Kutyák") == "kutyák", "the corpus does not have it"
    assert gold_form(layout, lemmatize=False)("Házak") == "házak"


def test_a_blend_is_a_measure_like_any_other(layout: Layout) -> None:
    names = ["npmi", "npmi+fasttext:2"]
    assert [measure.name for measure in open_measures(layout, names)] == names
    data = evaluate.collect(layout, EVALUATE, names, lemmatize=False)
    assert list(data.results[0].by_measure) == names


def test_a_missing_measure_is_refused(layout: Layout) -> None:
    with pytest.raises(InputError, match="graph"):
        evaluate.make_report(layout, EVALUATE, ["npmi", "graph"], lemmatize=False)


def test_a_damaged_stage_is_named(tmp_path: Path) -> None:
    layout = small_language(tmp_path)
    layout.metrics("counts").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=r"counts\.json is missing or damaged"):
        evaluate.make_report(layout, EVALUATE, MEASURES, lemmatize=False)


def test_the_figures_of_earlier_stages_are_read(tmp_path: Path) -> None:
    layout = small_language(tmp_path)
    write_json(layout.metrics("tokens"), {"tokens": 7})
    data = evaluate.collect(layout, EVALUATE, ["npmi"], lemmatize=False)
    assert data.tokens == 7 and "counts" not in data.stages
