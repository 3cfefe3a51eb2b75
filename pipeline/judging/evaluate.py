"""Measures against people: correlations with gold sets, as figures, plots and a report.

matrices/<lang>/{vocabulary, npmi, ...}, eval/<lang>/gold ──evaluate──▶ eval/<lang>/
    metrics.json       the main figures, for `dvc metrics`
    correlations.json  every figure with its interval, and each word that is missing
    plots/*.csv        for `dvc plots`
    report.md, report.html
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pipeline.corpus.gold_words import gold_form
from pipeline.fetching.gold_sets import read_gold_sets, set_title
from pipeline.judging import report
from pipeline.layout import Layout
from pipeline.settings import Evaluate
from pipeline.stage import Job, Metrics, stage_named
from wordkin.errors import InputError
from wordkin.files import new_folder, read_words, write_text
from wordkin.judging.correlation import (
    Correlation,
    Evaluation,
    between_measures,
    difference,
    evaluate,
    random_pairs,
)
from wordkin.judging.intervals import Difference
from wordkin.judging.pairs import Pair, read_pairs
from wordkin.measures import Measure, open_measure
from wordkin.measures.blend import named, parse_weights
from wordkin.vocabulary import Vocabulary

STATISTICS = ("pearson", "spearman", "pearson_all", "spearman_all")


@dataclass(frozen=True)
class GoldResult:
    """A gold set (as `gold.json` describes it) and what each measure makes of it."""

    about: Mapping[str, Any]
    by_measure: Mapping[str, Evaluation]

    @property
    def name(self) -> str:
        return str(self.about["name"])

    @property
    def title(self) -> str:
        """The name as people see it."""
        return set_title(self.about)

    @property
    def any(self) -> Evaluation:
        """One evaluation, for what does not depend on the measure: pairs, coverage, words."""
        return next(iter(self.by_measure.values()))

    def differences(self) -> dict[tuple[str, str], Difference]:
        """The difference in Spearman over the covered pairs between each two measures."""
        found = self.by_measure
        return {(a, b): difference(found[a], found[b]) for a, b in itertools.combinations(found, 2)}


@dataclass(frozen=True)
class Findings:
    """All that the report tells of a language."""

    language: str
    vocabulary: Vocabulary
    stop_words: frozenset[str]
    measures: Sequence[Measure]
    results: Sequence[GoldResult]
    skipped: Mapping[str, str]
    """The gold sets that could not be had, and why."""
    random: Mapping[str, NDArray[np.float32]]
    """The scores of each measure on the same random word pairs."""
    pearson: NDArray[np.float64]
    spearman: NDArray[np.float64]
    """The agreement of the measures on those pairs."""
    stages: Mapping[str, Mapping[str, Any]]
    """What the stages before left in their metrics; absent where a stage did not run."""
    sources: Sequence[Mapping[str, Any]]
    published: Mapping[str, Any]
    agents: Mapping[str, Any]
    """What agents did at play; empty where that stage did not run."""


def run(job: Job) -> Metrics:
    """Evaluate the measures of a language and write the report."""
    measures = job.layout.with_learned(job.settings.publish.measures)
    return make_report(job.layout, job.settings.evaluate, measures, job.language.lemmatize)


def make_report(
    layout: Layout, settings: Evaluate, measures: Sequence[str], lemmatize: bool
) -> Metrics:
    """Write correlations, plots and report; `lemmatize` as the tokens were made."""
    findings = find(layout, settings, measures, lemmatize)
    details = json.dumps(correlations(findings), indent=2, ensure_ascii=False, allow_nan=False)
    write_text(layout.correlations, details + "\n")
    write_plots(layout.plots, findings)
    for name, text in report.render(findings).items():
        write_text(layout.eval / name, text)
    return metrics(findings)


def by_hand(
    layout: Layout, settings: Evaluate, measures: Sequence[str], lemmatize: bool, path: Path
) -> str:
    """The correlation table of a user's own file of rated pairs; nothing is written."""
    opened = open_measures(layout, measures)
    about = {"name": path.stem, "status": "human"}
    result = _result(about, read_pairs(path), opened, settings, gold_form(layout, lemmatize))
    if not result.any.covered:
        raise InputError(
            f"None of the {result.any.pairs} pairs of {path} has both words in the vocabulary of "
            f"'{layout.language}': is it the right language?"
        )
    return table({"gold": {result.name: _scores(result)}})


def find(layout: Layout, settings: Evaluate, measures: Sequence[str], lemmatize: bool) -> Findings:
    """All that the report tells, computed."""
    opened = open_measures(layout, measures)
    vocabulary = opened[0].vocabulary
    described, skipped = read_gold_sets(layout.gold)
    form = gold_form(layout, lemmatize)
    results = [
        _result(about, read_pairs(layout.gold / f"{about['name']}.tsv"), opened, settings, form)
        for about in described
    ]
    first, second = random_pairs(len(vocabulary), seed=settings.seed)
    scores = {measure.name: measure.pairs(first, second) for measure in opened}
    pearson, spearman = between_measures(list(scores.values()))
    return Findings(
        language=layout.language,
        vocabulary=vocabulary,
        stop_words=_stop_words(layout.vocabulary / "stop_words.txt"),
        measures=opened,
        results=results,
        skipped=skipped,
        random=scores,
        pearson=pearson,
        spearman=spearman,
        stages={
            stage: _json(layout.metrics(stage))
            for stage in stage_named("evaluate").figures
            if layout.metrics(stage).is_file()
        },
        sources=_json(layout.sources).get("sources", []) if layout.sources.is_file() else [],
        published=report.published(layout.published),
        agents=_json(layout.agents) if layout.agents.is_file() else {},
    )


def open_measures(layout: Layout, names: Sequence[str]) -> list[Measure]:
    """Open a language's measures by name; `npmi+svd` is a blend."""
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")

    parts = {part for name in names for part in (parse_weights(name) if "+" in name else [name])}
    opened = {part: open_measure(layout.measure(part), vocabulary) for part in parts}
    return [named(name, opened) for name in names]


def _result(
    about: Mapping[str, Any],
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
    return GoldResult(about, by_measure)


def metrics(findings: Findings) -> dict[str, Any]:
    """The main figures: flat and few enough for `dvc metrics show`."""
    return {
        "gold": {result.title: _scores(result) for result in findings.results},
        "skipped": len(findings.skipped),
    }


def _scores(result: GoldResult) -> dict[str, Any]:
    """Pairs, covered pairs, and the correlations of each measure."""
    out: dict[str, Any] = {"pairs": result.any.pairs, "covered": result.any.covered}
    for name, found in result.by_measure.items():
        values = {key: _rounded(getattr(found, key).statistic) for key in STATISTICS}
        values["low"] = _rounded(found.spearman_all.low)
        values["high"] = _rounded(found.spearman_all.high)
        out[name] = values
    return out


def table(metrics: Mapping[str, Any]) -> str:
    """The correlations as lines for the terminal: one line for each gold set and measure."""
    if not metrics["gold"]:
        return "no gold set: there is nothing to correlate with"
    rows = [("gold set", "measure", "Spearman", "95 %", "Pearson", "covered")]
    for name, scores in metrics["gold"].items():
        covered = f"{scores['covered']:,} of {scores['pairs']:,}"
        for measure, values in scores.items():
            if isinstance(values, Mapping):
                interval = f"{_short(values['low'])} to {_short(values['high'])}"
                figures = _short(values["spearman_all"]), interval, _short(values["pearson_all"])
                rows.append((name, measure, *figures, covered))
                name = covered = ""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)) for row in rows]
    return "\n".join(line.rstrip() for line in lines)


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    best = []
    for name, scores in metrics["gold"].items():
        values = {m: v["spearman_all"] for m, v in scores.items() if isinstance(v, Mapping)}
        known = {m: v for m, v in values.items() if v is not None}
        if known:
            measure = max(known, key=lambda m: known[m])
            best.append(f"{name} {_short(known[measure])} ({measure})")
    return "best Spearman over all pairs: " + (", ".join(best[:3]) or "no gold set")


def correlations(findings: Findings) -> dict[str, Any]:
    """Every figure with its interval, and each word that is missing."""
    names = [measure.name for measure in findings.measures]
    return {
        "gold": {result.title: _details(result) for result in findings.results},
        "between_measures": {
            f"{a} {b}": {
                "pearson": _rounded(findings.pearson[i, j]),
                "spearman": _rounded(findings.spearman[i, j]),
            }
            for (i, a), (j, b) in itertools.combinations(enumerate(names), 2)
        },
        "skipped": dict(findings.skipped),
    }


def _details(result: GoldResult) -> dict[str, Any]:
    return {
        **{key: result.about[key] for key in ("kind", "status", "doubled", "unrated", "ambiguous")},
        "pairs": result.any.pairs,
        "covered": result.any.covered,
        "identical": result.any.identical,
        "missing": list(result.any.missing),
        "measures": {
            name: {key: _interval(getattr(found, key)) for key in STATISTICS}
            for name, found in result.by_measure.items()
        },
        "differences": {
            f"{a} - {b}": {
                "spearman": _rounded(found.value),
                "low": _rounded(found.low),
                "high": _rounded(found.high),
            }
            for (a, b), found in result.differences().items()
        },
    }


def _interval(correlation: Correlation) -> dict[str, float | None]:
    return {
        "value": _rounded(correlation.statistic),
        "low": _rounded(correlation.low),
        "high": _rounded(correlation.high),
    }


def write_plots(folder: Path, findings: Findings) -> None:
    """Write the tables behind `dvc plots`, all of them or none."""
    with new_folder(folder) as temporary:
        for name, rows in plots(findings).items():
            text = io.StringIO()
            csv.writer(text, lineterminator="\n").writerows(rows)
            write_text(temporary / f"{name}.csv", text.getvalue())


def plots(findings: Findings) -> dict[str, list[list[Any]]]:
    """The correlations, the first set's scores against the gold, and Zipf's curve.

    The last column is what `dvc plots` shows unless it is told otherwise.
    """
    correlated: list[list[Any]] = [["correlation", "pearson", "low", "high", "spearman"]]
    scattered: list[list[Any]] = [["pair", "measure", "gold", "score"]]
    for at, result in enumerate(findings.results):
        for measure, found in result.by_measure.items():
            spearman, pearson = found.spearman_all, found.pearson_all
            values = pearson.statistic, spearman.low, spearman.high, spearman.statistic
            correlated.append([f"{result.title} {measure}", *map(_rounded, values)])
            if at == 0:
                for (a, b), gold_score, score, covered in zip(
                    found.words, found.gold, found.scores, found.is_covered, strict=True
                ):
                    if covered:
                        scattered.append([f"{a} {b}", measure, gold_score, _rounded(score)])
    zipf: list[list[Any]] = [["word", "log10_rank", "log10_count"]]
    for rank in report.zipf_ranks(findings.vocabulary):
        count, word = findings.vocabulary.counts[rank], findings.vocabulary.words[rank]
        zipf.append([word, _rounded(math.log10(rank + 1)), _rounded(math.log10(count))])
    return {"correlations": correlated, "scatter": scattered, "zipf": zipf}


def _stop_words(path: Path) -> frozenset[str]:
    return frozenset(read_words(path)) if path.is_file() else frozenset()


def _json(path: Path) -> dict[str, Any]:
    try:
        content: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path} is missing or damaged: run its stage again.") from error
    return content


def _rounded(value: float) -> float | None:
    """Four places: more would differ between processors; nothing where it is undefined."""
    return None if math.isnan(value) else round(float(value), 4)


def _short(value: float | None) -> str:
    return "–" if value is None else report.short(value)
