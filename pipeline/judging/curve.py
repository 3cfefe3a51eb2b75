"""How npmi's agreement with people grows with the corpus: on an eighth, a quarter, half, and all.

Counts add, so one pass is enough: each document belongs to one of eight slices by its digest, and
each slice keeps its words' marginals and the counts of the gold pairs alone, not of all pairs. The
slices that are added up hold documents from all over the corpus, and more hold the fewer. The
vocabulary is that of the whole corpus.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
from numpy.typing import NDArray

from pipeline.corpus import token_shards
from pipeline.corpus.gold_words import gold_form
from pipeline.counting.codes import Coder
from pipeline.counting.weights import weights_of
from pipeline.counting.windows import WordPositions, find_words
from pipeline.engine import Engine
from pipeline.fetching.gold_sets import read_gold_sets, set_title
from pipeline.layout import Layout
from pipeline.relatedness.npmi import INDEPENDENT
from pipeline.settings import Counts, Evaluate, Npmi
from pipeline.stage import Job, Metrics
from wordkin.judging.correlation import correlate
from wordkin.judging.pairs import PlacedPairs, place, read_pairs
from wordkin.measures import log_probabilities
from wordkin.vocabulary import Vocabulary

SLICES = 8
TAKEN = (1, 2, 4, 8)
"""How many slices each point of the curve has."""


class Wanted(NamedTuple):
    """Word pairs to count: for each word, where its partners of higher id stand in `partners`."""

    starts: NDArray[np.int64]
    partners: NDArray[np.int32]

    @classmethod
    def of(cls, pairs: NDArray[np.int64], words: int) -> Wanted:
        """The distinct ones of `pairs`, a row of two ids each."""
        ordered = np.unique(np.sort(pairs.reshape(-1, 2), axis=1), axis=0)
        starts = np.searchsorted(ordered[:, 0], np.arange(words + 1))
        return cls(starts.astype(np.int64), ordered[:, 1].astype(np.int32))

    def places(self, first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
        """Where the counts of wanted pairs stand."""
        low, high = np.minimum(first, second), np.maximum(first, second)
        rows = np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))
        words = len(self.starts)
        return np.searchsorted(rows * words + self.partners, low * words + high)


class Sums(NamedTuple):
    """What one pass leaves of each slice."""

    marginals: NDArray[np.int64]
    """(slices, words): the counts of each word with all others."""
    pairs: NDArray[np.int64]
    """(slices, wanted pairs): the counts of the wanted pairs."""
    tokens: NDArray[np.int64]


@dataclass(frozen=True)
class Share:
    """The work of one task: which pairs to count in which parts."""

    vocabulary: Path
    counts: Counts
    wanted: Wanted
    paths: Sequence[Path]


def gold_sets(layout: Layout) -> dict[str, str]:
    """The gold sets that a language has, their names by what people call them; without any there
    is no curve to draw."""
    described, _ = read_gold_sets(layout.gold)
    return {set_title(about): about["name"] for about in described}


def run(job: Job) -> Metrics:
    """The curve of each gold set of a language."""
    if not gold_sets(job.layout):  # nothing to correlate with: no engine need start
        return {"tokens": [], "gold": {}, "whole": {}}
    settings, lemmatize = job.settings, job.language.lemmatize
    with job.engine() as engine:
        return make_curve(
            job.layout, settings.counts, settings.npmi, settings.evaluate, lemmatize, engine
        )


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
    placed = {
        title: place(read_pairs(layout.gold / f"{name}.tsv"), vocabulary, form)
        for title, name in gold_sets(layout).items()
    }
    ids = [np.column_stack([each.first, each.second]) for each in placed.values()]
    together = np.concatenate([np.empty((0, 2), np.int64), *ids])
    wanted = Wanted.of(together, len(vocabulary))
    paths = token_shards.shard_files(layout.tokens)
    tasks = min(len(paths), 2 * engine.cores)
    shares = [Share(layout.vocabulary, counts, wanted, paths[i::tasks]) for i in range(tasks)]
    sums = add_up(engine.each(count_share, shares, f"curve {layout.language}"))
    _, scale = weights_of(counts.window, counts.weighting)
    curves = {
        title: _curve(each, sums, wanted, npmi, scale, evaluate) for title, each in placed.items()
    }
    return {
        "tokens": [int(sums.tokens[:taken].sum()) for taken in TAKEN],
        "gold": curves,
        # The last points again, since `dvc exp show` has columns for plain numbers alone.
        "whole": {title: points[-1] for title, points in curves.items()},
    }


def _curve(
    placed: PlacedPairs, sums: Sums, wanted: Wanted, npmi: Npmi, scale: int, evaluate: Evaluate
) -> list[dict[str, float | None]]:
    """Spearman over the covered pairs at each point, with its interval, and over all pairs."""
    places = wanted.places(placed.first, placed.second)
    points = []
    for taken in TAKEN:
        scores = np.zeros(len(placed.gold))
        scores[placed.covered] = pair_npmi(
            sums.pairs[:taken].sum(axis=0)[places],
            sums.marginals[:taken].sum(axis=0),
            placed.first,
            placed.second,
            npmi.minimum_count * scale,
            npmi.smoothing,
        )
        found = correlate(placed, scores, resamples=evaluate.resamples, seed=evaluate.seed)
        points.append(
            {
                "spearman": _rounded(found.spearman.statistic),
                "low": _rounded(found.spearman.low),
                "high": _rounded(found.spearman.high),
                "spearman_all": _rounded(found.spearman_all.statistic),
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
    """The measure npmi of single pairs, as `pipeline.relatedness.npmi` has it of all."""
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


def count_share(share: Share) -> Sums:
    """Count the wanted pairs and the marginals of some parts, slice by slice."""
    coder = Coder(share.vocabulary, share.counts)
    weights, _ = weights_of(share.counts.window, share.counts.weighting)
    marginals = np.zeros((SLICES, len(coder.words)), np.int64)
    pairs = np.zeros((SLICES, len(share.wanted.partners)), np.int64)
    tokens = np.zeros(SLICES, np.int64)
    for path in share.paths:
        # The first byte of a hash is as good as a throw of dice, and the same everywhere.
        slices = token_shards.digests(path).view(np.uint8).reshape(-1, 16)[:, 0] % SLICES
        for batch in token_shards.batches(path):
            documents = len(batch.documents) - 1
            own, slices = slices[:documents].astype(np.int64), slices[documents:]
            np.add.at(tokens, own, np.diff(batch.documents))
            codes = coder.codes(batch)
            word_positions = find_words(codes, coder.bounds(batch), len(weights) - 1)
            own = np.repeat(own, np.diff(batch.documents))[codes >= 0]
            count_slices(word_positions, own, weights, *share.wanted, marginals, pairs)
    return Sums(marginals, pairs, tokens)


@numba.njit(cache=True, boundscheck=False)
def count_slices(
    word_positions: WordPositions,
    slices: NDArray[np.int64],
    weights: NDArray[np.int64],
    starts: NDArray[np.int64],
    partners: NDArray[np.int32],
    marginals: NDArray[np.int64],
    pairs: NDArray[np.int64],
) -> None:
    """Add the windows of each word to its slice, as the counts stage does."""
    ids, places, ends = word_positions
    for i in range(len(ids)):
        own, a = slices[i], ids[i]
        for j in range(i + 1, ends[i]):
            b = ids[j]
            if a == b:
                continue
            weight = weights[places[j] - places[i]]
            marginals[own, a] += weight
            marginals[own, b] += weight
            low, high = min(a, b), max(a, b)
            for at in range(starts[low], starts[low + 1]):
                if partners[at] == high:
                    pairs[own, at] += weight
                    break


def add_up(many: Sequence[Sums]) -> Sums:
    """The sums of several tasks together."""
    return Sums(
        np.sum([each.marginals for each in many], axis=0),
        np.sum([each.pairs for each in many], axis=0),
        np.sum([each.tokens for each in many], axis=0),
    )


def _rounded(value: float) -> float | None:
    return None if math.isnan(value) else round(value, 4)


def describe(metrics: Metrics) -> str:
    """The stage's one-line summary."""
    told = f"npmi on {', '.join(f'{tokens:,}' for tokens in metrics['tokens'])} tokens"
    for title, points in metrics["gold"].items():
        values = ["–" if p["spearman"] is None else f"{p['spearman']:.3f}" for p in points]
        return f"{told}; {title}: {', '.join(values)}"
    return "no gold set, no curve"
