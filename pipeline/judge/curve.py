"""How npmi's agreement with people grows with the corpus: on an eighth, a quarter, half and all.

    eval/<lang>/gold, corpora/<lang>/tokens ──curve──▶ matrices/<lang>/curve.json

Only the gold pairs are counted, in eight slices of the corpus (`pipeline.judge.slices`). Each
slice has documents from the whole corpus, and each point of the curve has the slices of the point
before it and some more. The vocabulary is always that of the whole corpus.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from pipeline.count.codes import Coder, Counts
from pipeline.count.windows import weights_of
from pipeline.engine import SMALL_TOKENS, Engine
from pipeline.fetched import read_gold_sets, set_title
from pipeline.judge.slices import SliceCounts, SliceTask, WantedPairs, add_up, count_shards
from pipeline.layout import Layout
from pipeline.measures.npmi import INDEPENDENT, Npmi
from pipeline.settings import Evaluate
from pipeline.stage import Job, Metrics, Stage
from pipeline.words import token_shards
from pipeline.words.lemmas import gold_form
from wordkin.evaluation import correlate
from wordkin.measures.npmi import log_probabilities
from wordkin.rated_pairs import PlacedPairs, place, read_pairs
from wordkin.vocabulary import Vocabulary

POINTS = (1, 2, 4, 8)
"""The number of slices behind each point of the curve."""


def run(job: Job) -> Metrics:
    """Make the curve of each gold set of a language."""
    if not gold_sets(job.layout):  # nothing to correlate with: do not start an engine
        return {"tokens": [], "gold": {}, "whole": {}}
    settings, lemmatize = job.settings, job.language.lemmatize
    with job.engine() as engine:
        return make_curve(
            job.layout,
            settings.section(Counts),
            settings.section(Npmi),
            settings.evaluate,
            lemmatize,
            engine,
        )


def gold_sets(layout: Layout) -> dict[str, str]:
    """The names of a language's gold sets by their titles."""
    return {set_title(about): about["name"] for about in read_gold_sets(layout.gold).sets}


def make_curve(
    layout: Layout,
    counts: Counts,
    npmi: Npmi,
    evaluate: Evaluate,
    lemmatize: bool,
    engine: Engine,
) -> Metrics:
    """Count the gold pairs in parts of the corpus, and correlate each part with people."""
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    form = gold_form(layout, lemmatize)
    placed_sets = {
        title: place(read_pairs(layout.gold / f"{name}.tsv"), vocabulary, form)
        for title, name in gold_sets(layout).items()
    }
    ids = [np.column_stack([placed.first, placed.second]) for placed in placed_sets.values()]
    pairs = np.concatenate([np.empty((0, 2), np.int64), *ids])
    wanted = WantedPairs.of(pairs, len(vocabulary))
    shards = token_shards.shard_files(layout.tokens)
    light = sum(map(token_shards.count_tokens, shards)) < SMALL_TOKENS
    number = 1 if light else min(len(shards), 2 * engine.cores)
    coder = Coder(layout.vocabulary, counts)
    tasks = [SliceTask(coder, wanted, shards[i::number]) for i in range(number)]
    slices = add_up(engine.each(count_shards, tasks, f"curve {layout.language}", light))
    _, scale = weights_of(counts.window, counts.weighting)
    curves = {
        title: _curve(placed, slices, wanted, npmi, scale, evaluate)
        for title, placed in placed_sets.items()
    }
    return {
        "tokens": [int(slices.tokens[:taken].sum()) for taken in POINTS],
        "gold": curves,
        # The last points again: `dvc exp show` has columns for plain numbers only.
        "whole": {title: points[-1] for title, points in curves.items()},
    }


def _curve(
    placed: PlacedPairs,
    slices: SliceCounts,
    wanted: WantedPairs,
    npmi: Npmi,
    scale: int,
    evaluate: Evaluate,
) -> list[dict[str, float | None]]:
    """Spearman over the covered pairs at each point, with its interval, and over all pairs."""
    places = wanted.places(placed.first, placed.second)
    points = []
    for taken in POINTS:
        scores = np.zeros(len(placed.gold))
        scores[placed.covered] = pair_npmi(
            slices.pairs[:taken].sum(axis=0)[places],
            slices.marginals[:taken].sum(axis=0),
            placed.first,
            placed.second,
            npmi.minimum_count * scale,
            npmi.smoothing,
        )
        result = correlate(placed, scores, resamples=evaluate.resamples, seed=evaluate.seed)
        points.append(
            {
                "spearman": _rounded(result.spearman.statistic),
                "low": _rounded(result.spearman.low),
                "high": _rounded(result.spearman.high),
                "spearman_all": _rounded(result.spearman_all.statistic),
            }
        )
    return points


def pair_npmi(
    counts: NDArray[np.int64],
    marginals: NDArray[np.int64],
    first: NDArray[np.int64],
    second: NDArray[np.int64],
    least: float,
    smoothing: float,
) -> NDArray[np.float64]:
    """The measure npmi of single pairs, by the formula of `pipeline.measures.npmi`."""
    total = int(marginals.sum())
    out = np.zeros(len(counts))
    seen = np.flatnonzero((counts > 0) & (counts >= least))
    if not len(seen):
        return out
    shares = log_probabilities(marginals, total, smoothing)
    log_pairs = np.log(counts[seen]) - math.log(total)
    information = log_pairs - shares[first[seen]] - shares[second[seen]]
    roots = np.sqrt(np.clip(information / -log_pairs, 0, 1))
    out[seen] = np.where(information > INDEPENDENT, roots, 0)
    return out


def _rounded(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 4)


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary, with the points of the first gold set."""
    if not metrics["gold"]:
        return "no gold set, no curve"
    title, points = next(iter(metrics["gold"].items()))
    tokens = ", ".join(f"{tokens:,}" for tokens in metrics["tokens"])
    values = ["–" if p["spearman"] is None else f"{p['spearman']:.3f}" for p in points]
    return f"npmi on {tokens} tokens; {title}: {', '.join(values)}"


STAGE = Stage(
    "curve",
    run,
    describe,
    reads=("gold", "tokens", "vocabulary"),
    writes=(),
    params=("counts", "npmi", "evaluate", "languages.${key}.lemmatize"),
    memory=lambda sizes, settings: 64.0 * sizes.words * max(sizes.cores, 1),
)
