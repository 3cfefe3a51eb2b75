"""The evaluate stage on a small made-up language, from gold sets to figures, plots and report."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse, stats

from pipeline.corpus.gold_words import gold_form
from pipeline.fetching.gold import fetch_gold
from pipeline.judging import evaluate, report
from pipeline.layout import Layout
from pipeline.settings import Evaluate
from wordkin.errors import InputError
from wordkin.measures import write_measure
from wordkin.vocabulary import Vocabulary

ROOT = Path(__file__).parent.parent
MEASURES = ["npmi", "squared", "fasttext"]
SETTINGS = Evaluate(resamples=100, seed=0)
GOLD = """sets:
  - {name: main, language: LANG, kind: relatedness, location: eval/main.tsv, scale: [0, 10],
     licence: CC0, citation: made up}
  - {name: borrowed, language: LANG, kind: similarity, location: eval/borrowed.tsv, status: silver}
  - {name: gone, language: LANG, kind: relatedness, mirror: gold/gone.tsv}
"""


def syllables(count: int) -> list[str]:
    """Made-up words of letters only."""
    parts = [a + b for a in "bdgklmnprst" for b in "aeiou"]
    return [parts[i // len(parts)] + parts[i % len(parts)] for i in range(count)]


def small_language(root: Path, code: str = "en", words: int = 120, gold: str = GOLD) -> Layout:
    """Matrices of random vectors, and gold sets that more or less agree with them."""
    layout = Layout(root, code)
    names = syllables(words)
    random = np.random.default_rng(1)
    counts = (10_000 / np.arange(1, words + 1)).astype(np.int64)
    layout.vocabulary.mkdir(parents=True)
    vocabulary = Vocabulary(names, counts, np.minimum(counts, 50))
    vocabulary.write(layout.vocabulary / "vocabulary.tsv")
    vectors = random.normal(size=(words, 12)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    cosine = vectors @ vectors.T
    near = np.where(cosine > 0.1, cosine, 0).astype(np.float32)
    np.fill_diagonal(near, 0)
    squared = near @ near
    np.fill_diagonal(squared, 0)
    kept = sparse.csr_array(near)
    arrays = {
        "indptr": kept.indptr.astype(np.int64),
        "indices": kept.indices.astype(np.int32),
        "values": kept.data.astype(np.float32),
    }
    write_measure(layout.measure("npmi"), "npmi", "csr", arrays)
    write_measure(layout.measure("squared"), "squared", "dense", {"values": squared})
    write_measure(layout.measure("fasttext"), "fasttext", "vectors", {"vectors": vectors})

    def rated(path: Path, pairs: int, noise: float) -> None:
        lines = []
        for _ in range(pairs):
            a, b = random.choice(words, 2, replace=False)
            score = np.clip(5 + 5 * cosine[a, b] + noise * random.normal(), 0, 10)
            lines.append(f"{names[a].title()}\t{names[b]}\t{score:.2f}\n")
        lines.append(
            f"{names[0]}\tunheard of\t3\n{names[0]}\tunheard\t4\n{names[1]}\t{names[1]}\t9\n"
        )
        path.write_text("".join(lines), encoding="utf-8")

    (root / "eval").mkdir()
    rated(root / "eval" / "main.tsv", 150, 1.0)
    rated(root / "eval" / "borrowed.tsv", 40, 4.0)
    (root / "eval" / "gold.yaml").write_text(gold.replace("LANG", code), encoding="utf-8")
    published = (ROOT / "eval" / "published.yaml").read_text(encoding="utf-8")
    (root / "eval" / "published.yaml").write_text(published, encoding="utf-8")
    fetch_gold(layout, None)
    return layout


@pytest.fixture(scope="module")
def layout(tmp_path_factory: pytest.TempPathFactory) -> Layout:
    return small_language(tmp_path_factory.mktemp("project"))


@pytest.fixture(scope="module")
def metrics(layout: Layout) -> dict[str, object]:
    return evaluate.make_report(layout, SETTINGS, MEASURES, lemmatize=False)


def test_the_metrics_hold_the_main_figures(layout: Layout, metrics: dict) -> None:
    assert list(metrics["gold"]) == ["main", "borrowed (silver)"]
    main = metrics["gold"]["main"]
    assert (main["pairs"], main["covered"]) == (152, 150)
    assert list(main)[2:] == MEASURES
    figures = main["fasttext"]
    assert figures["low"] < figures["spearman_all"] < figures["high"]
    assert (
        main["fasttext"]["spearman"] > metrics["gold"]["borrowed (silver)"]["fasttext"]["spearman"]
    )
    measure = evaluate.open_measures(layout, ["fasttext"])[0]
    lines = (layout.root / "eval" / "main.tsv").read_text(encoding="utf-8").splitlines()[:150]
    rows = [line.split("\t") for line in lines]
    scores = [measure.relatedness(a.lower(), b) for a, b, _ in rows]
    expected = stats.spearmanr([float(row[2]) for row in rows], scores).statistic
    assert figures["spearman"] == pytest.approx(expected, abs=1e-4)


def test_metrics_are_plain_json(metrics: dict) -> None:
    assert json.loads(json.dumps(metrics, allow_nan=False)) == metrics


def test_every_figure_and_missing_word_is_in_the_details(layout: Layout, metrics: dict) -> None:
    details = json.loads((layout.eval / "correlations.json").read_text(encoding="utf-8"))
    main = details["gold"]["main"]
    assert main["missing"] == ["unheard", "unheard of"]
    assert main["identical"] == 1
    for statistic in evaluate.STATISTICS:
        found = main["measures"]["npmi"][statistic]
        assert found["low"] <= found["value"] <= found["high"]
        assert found["value"] == metrics["gold"]["main"]["npmi"][statistic]
    assert set(main["differences"]) == {
        "npmi - squared", "npmi - fasttext", "squared - fasttext",
    }  # fmt: skip
    assert details["skipped"]["gone"].startswith("it is to be had from a mirror folder only")
    assert details["gold"]["borrowed (silver)"]["status"] == "silver"


def test_dvc_can_plot_the_tables(layout: Layout, metrics: dict) -> None:
    tables = {}
    for path in sorted((layout.eval / "plots").iterdir()):
        with path.open(encoding="utf-8", newline="") as file:
            tables[path.name] = list(csv.DictReader(file))
    assert list(tables) == ["correlations.csv", "scatter.csv", "zipf.csv"]
    bars = {row["correlation"]: float(row["spearman"]) for row in tables["correlations.csv"]}
    assert bars["main npmi"] == metrics["gold"]["main"]["npmi"]["spearman_all"]
    assert len(tables["scatter.csv"]) == 150 * len(MEASURES)
    counts = [float(row["log10_count"]) for row in tables["zipf.csv"]]
    assert counts == sorted(counts, reverse=True) and counts[0] == 4.0


def everything(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}


def test_the_same_input_gives_the_same_bytes(layout: Layout, metrics: dict) -> None:
    before = everything(layout.eval)
    assert evaluate.make_report(layout, SETTINGS, MEASURES, lemmatize=False) == metrics
    assert everything(layout.eval) == before
    assert not [name for name in before if name.endswith(".part")]


def test_the_table_reads_well_in_a_terminal() -> None:
    figures = {"spearman_all": 0.6434, "low": 0.6, "high": 0.68, "pearson_all": -0.05}
    nothing = dict.fromkeys(figures)
    metrics = {"gold": {"MEN": {"pairs": 3000, "covered": 2500, "npmi": figures, "graph": nothing}}}
    assert evaluate.table(metrics).splitlines() == [
        "gold set  measure  Spearman  95 %          Pearson  covered",
        "MEN       npmi     .643      .600 to .680  -.050    2,500 of 3,000",
        "          graph    –         – to –        –",
    ]
    assert evaluate.describe(metrics) == "best Spearman over all pairs: MEN .643 (npmi)"


def test_a_language_without_gold_sets_is_told_so(tmp_path: Path) -> None:
    layout = small_language(tmp_path, code="fi", gold=GOLD.replace("LANG", "en"))
    metrics = evaluate.make_report(layout, SETTINGS, MEASURES, lemmatize=False)
    assert metrics["gold"] == {}
    assert evaluate.table(metrics) == "no gold set: there is nothing to correlate with"
    assert evaluate.describe(metrics) == "best Spearman over all pairs: no gold set"


def test_a_file_by_hand(layout: Layout, tmp_path: Path) -> None:
    mine = tmp_path / "mine.tsv"
    names = syllables(3)
    mine.write_text(
        f"{names[0]},{names[1]},5\n{names[0].upper()},{names[2]},2\n{names[1]},{names[2]},1\n",
        encoding="utf-8",
    )
    told = evaluate.by_hand(layout, SETTINGS, MEASURES, False, mine)
    assert told.splitlines()[1].startswith("mine      npmi")
    assert told.splitlines()[1].endswith("3 of 3")
    mine.write_text("kutya\tmacska\t5\n", encoding="utf-8")
    with pytest.raises(InputError, match="is it the right language"):
        evaluate.by_hand(layout, SETTINGS, MEASURES, False, mine)


def test_gold_words_follow_the_rules_of_the_language(tmp_path: Path) -> None:
    turkish = gold_form(Layout(tmp_path, "tr"), lemmatize=False)
    assert turkish("IŞIK") == "ışık"
    assert turkish("İzmir") == "izmir"
    english = gold_form(Layout(tmp_path, "en"), lemmatize=False)
    assert english("Jerusalem") == "jerusalem"
    assert english("New York") == "new york"
    hungarian = gold_form(Layout(tmp_path, "hu"), lemmatize=True)
    assert hungarian("Házak") == "ház"
    assert gold_form(Layout(tmp_path, "hu"), lemmatize=False)("Házak") == "házak"


def test_a_blend_is_a_measure_like_any_other(layout: Layout) -> None:
    names = [m.name for m in evaluate.open_measures(layout, ["npmi", "npmi+fasttext:2"])]
    assert names == ["npmi", "npmi+fasttext:2"]
    findings = evaluate.find(layout, SETTINGS, names, lemmatize=False)
    assert list(findings.results[0].by_measure) == names
    assert "| npmi+fasttext:2 | blend of others |" in report.render(findings)["report.md"]


def test_a_measure_that_is_not_there_is_refused(layout: Layout) -> None:
    with pytest.raises(InputError, match="graph"):
        evaluate.make_report(layout, SETTINGS, ["npmi", "graph"], lemmatize=False)


def test_a_damaged_stage_is_named(tmp_path: Path) -> None:
    layout = small_language(tmp_path)
    layout.metrics("counts").write_text("{", encoding="utf-8")
    with pytest.raises(InputError, match=r"counts\.json is missing or damaged"):
        evaluate.make_report(layout, SETTINGS, MEASURES, lemmatize=False)
