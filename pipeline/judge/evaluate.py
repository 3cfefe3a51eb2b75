"""Measures against people's ratings: correlations with gold sets, as figures, plots and a report.

matrices/<lang>/{vocabulary, npmi, ...}, eval/<lang>/gold ──evaluate──▶ eval/<lang>/
    metrics.json       the main figures, for `dvc metrics`
    correlations.json  every figure with its interval, and every missing word
    plots/*.csv        for `dvc plots`
    report.md, report.html
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from pipeline.fetched import read_gold_sets
from pipeline.judge import figures, report
from pipeline.judge.correlations import between_measures, random_pairs
from pipeline.judge.published import read_published
from pipeline.judge.report_data import GoldResult, ReportData
from pipeline.judge.stores import StoreJudge, compare_stores
from pipeline.layout import FAMILIES, MEASURES, SINGLE, Layout
from pipeline.measures.opening import open_measures
from pipeline.settings import Evaluate
from pipeline.stage import Job, Metrics, Stage
from pipeline.words.lemmas import gold_form
from wordkin.errors import InputError
from wordkin.evaluation import evaluate
from wordkin.files import new_folder, read_words, write_text
from wordkin.measures.measure import Measure
from wordkin.rated_pairs import Pair, read_pairs

FIGURES = (
    "fetch", "tokens", "vocabulary", "counts", *SINGLE, *FAMILIES, "blend", "human", "compact",
    "agents", "curve",
)  # fmt: skip
"""The stages whose figures the report shows."""


def run(job: Job) -> Metrics:
    """Evaluate the measures of a language and write the report."""
    measures = job.layout.available(job.settings.publish.measures)
    return make_report(job.layout, job.settings.evaluate, measures, job.language.lemmatize)


def make_report(
    layout: Layout, settings: Evaluate, measures: Sequence[str], lemmatize: bool
) -> Metrics:
    """Write correlations, plots and the report; `lemmatize` as for the tokens."""
    data = collect(layout, settings, measures, lemmatize)
    details = json.dumps(figures.correlations(data), indent=2, ensure_ascii=False, allow_nan=False)
    write_text(layout.correlations, details + "\n")
    _write_plots(layout.plots, data)
    for name, text in report.render(data).items():
        write_text(layout.eval / name, text)
    return figures.metrics(data)


def collect(
    layout: Layout, settings: Evaluate, measures: Sequence[str], lemmatize: bool
) -> ReportData:
    """Compute and read everything that the report shows."""
    opened = open_measures(layout, measures)
    vocabulary = opened[0].vocabulary
    gold = read_gold_sets(layout.gold)
    form = gold_form(layout, lemmatize)
    results = [
        _result(about, read_pairs(layout.gold / f"{about['name']}.tsv"), opened, settings, form)
        for about in gold.sets
    ]
    first, second = random_pairs(len(vocabulary), seed=settings.seed)
    random_scores = {measure.name: measure.pairs(first, second) for measure in opened}
    pearson, spearman = between_measures(list(random_scores.values()))
    stop_words = layout.vocabulary / "stop_words.txt"
    return ReportData(
        language=layout.language,
        vocabulary=vocabulary,
        stop_words=frozenset(read_words(stop_words) if stop_words.is_file() else ()),
        measures=opened,
        results=results,
        skipped=gold.skipped,
        random_scores=random_scores,
        pearson=pearson,
        spearman=spearman,
        stages={
            stage: _read_json(layout.metrics(stage))
            for stage in FIGURES
            if layout.metrics(stage).is_file()
        },
        sources=_read_json(layout.sources).get("sources", []) if layout.sources.is_file() else [],
        published=read_published(layout.published),
        agents=_read_json(layout.agents) if layout.agents.is_file() else {},
        stores=_stores(layout, opened, form),
    )


def _stores(
    layout: Layout, measures: Sequence[Measure], form: Callable[[str], str]
) -> dict[str, Any]:
    """What the small stores lose; nothing when they were not made."""
    if not layout.compact.is_dir():
        return {}
    single = [measure for measure in measures if measure.folder is not None]
    names = [measure.name for measure in single]
    judge = StoreJudge.of(layout, single[0].vocabulary, names, form)
    return compare_stores(layout, judge, single)


def by_hand(
    layout: Layout, settings: Evaluate, measures: Sequence[str], lemmatize: bool, path: Path
) -> str:
    """The correlation table of a user's own file of rated pairs; nothing is written."""
    opened = open_measures(layout, measures)
    description = {"name": path.stem, "status": "human"}
    result = _result(description, read_pairs(path), opened, settings, gold_form(layout, lemmatize))
    if not result.any_evaluation.covered:
        raise InputError(
            f"None of the {result.any_evaluation.pairs} pairs of {path} has both words in the "
            f"vocabulary of '{layout.language}': is it the right language?"
        )
    return figures.correlation_table({"gold": {result.name: figures.scores(result)}})


def _result(
    description: Mapping[str, Any],
    pairs: Sequence[Pair],
    measures: Sequence[Measure],
    settings: Evaluate,
    form: Callable[[str], str],
) -> GoldResult:
    by_measure = {
        measure.name: evaluate(
            measure, pairs, resamples=settings.resamples, seed=settings.seed, normal=form
        )
        for measure in measures
    }
    return GoldResult(description, by_measure)


def _write_plots(folder: Path, data: ReportData) -> None:
    with new_folder(folder) as temporary:
        for name, rows in figures.plots(data).items():
            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerows(rows)
            write_text(temporary / f"{name}.csv", text.getvalue())


def _read_json(path: Path) -> dict[str, Any]:
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path} is missing or damaged: run its stage again.") from error
    return content


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    sets = metrics["gold"].values()
    pairs, covered = (sum(gold[key] for gold in sets) for key in ("pairs", "covered"))
    return (
        f"gold sets: {len(sets)} with {pairs:,} pairs, {pairs - covered:,} of them not covered "
        f"({metrics['skipped']} sets skipped); "
        f"best Spearman over all pairs: {figures.best_measures(metrics)}"
    )


STAGE = Stage(
    "evaluate",
    run,
    describe,
    reads=(
        "sources", "gold", "published", "rounds", "agents", "vocabulary", *MEASURES, "human",
        "compact", "light",
    ),
    writes=("report", "report_text", "correlations", "plots"),
    figures=FIGURES,
    section=Evaluate,
    params=("publish.measures", "languages.${key}.lemmatize"),
    memory=lambda sizes, settings: sizes.chunk,
    plots={
        "correlations": {"template": "bar_horizontal", "x": "spearman", "y": "correlation"},
        "scatter": {"template": "scatter", "x": "gold", "y": "score"},
        "zipf": {"x": "log10_rank", "y": "log10_count"},
    },
)  # fmt: skip
