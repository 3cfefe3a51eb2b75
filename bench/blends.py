"""Which blend of measures agrees best with people: tuned on one gold set, tested on others.

    python -m bench.blends [--lang en] [--tune MEN-dev] [--report MEN-test MEN WS-353-rel]

The measures come from `matrices/<lang>` and are standardised as in a blend. With `--svd`, other
dimensions and exponents of the svd are shown first. Weights are whole numbers up to `--most`.

Only the tuning set decides, by its covered pairs: the others depend on the vocabulary, not on the
weights. It gives the blend with the best Spearman correlation, and a simple blend: the best of
those that are within one standard error of it and have the fewest measures. The other sets only
show what these two blends, the blend of `params.yaml` and each single measure reach: over the
covered pairs and, after the slash, over all pairs, where an uncovered pair counts as 0.

A set that is not in `eval/<lang>/gold` comes from a mirror folder: run the stage `fetch` with
WORDKIN_MIRROR set.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import spearmanr

from pipeline.corpus.gold_words import gold_form
from pipeline.layout import Layout
from pipeline.params import load_settings
from pipeline.relatedness.sparse import read_sparse
from pipeline.relatedness.svd import decompose, unit_rows
from wordkin.judging.pairs import PlacedPairs, place, read_pairs
from wordkin.measures import Measure, VectorMeasure, open_measure, spread
from wordkin.vocabulary import Vocabulary

Scores = NDArray[np.float64]

MEASURES = ("npmi", "squared", "graph", "svd", "fasttext")
DIMENSIONS = (100, 200, 300, 400, 500)
EXPONENTS = (0.0, 0.25, 0.5, 0.75)


def main() -> None:
    """Print the correlations of each measure, each svd and the chosen blends."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--lang", default="en", help="the language, en by default")
    parser.add_argument("--tune", default="MEN-dev", help="the gold set that decides")
    parser.add_argument(
        "--report", nargs="+", default=["MEN-test", "MEN", "WS-353-rel"], help="the sets to show"
    )
    parser.add_argument("--most", type=int, default=4, help="the highest weight")
    parser.add_argument("--svd", action="store_true", help="show other svds first (takes minutes)")
    given = parser.parse_args()
    layout = Layout(Path(), given.lang)
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    gold = {name: read_gold(layout, name, vocabulary) for name in (given.tune, *given.report)}
    print(f"{len(vocabulary):,} words; {given.tune} decides\n")
    print(f"{'':26}" + "".join(f"{name:>14}" for name in gold))
    if given.svd:
        for measure in svds(layout, vocabulary):
            show(
                measure.name,
                {name: standard(measure, placed) for name, placed in gold.items()},
                gold,
            )
    present = [name for name in MEASURES if (layout.measure(name) / "measure.json").is_file()]
    measures = [open_measure(layout.measure(name), vocabulary) for name in present]
    scores = {
        name: np.array([standard(measure, placed) for measure in measures])
        for name, placed in gold.items()
    }
    for at, name in enumerate(present):
        show(name, {title: rows[at] for title, rows in scores.items()}, gold)
    covered = gold[given.tune].covered
    tried = try_weights(scores[given.tune][:, covered], gold[given.tune].gold[covered], given.most)
    ours = load_settings(Path("params.yaml")).blend.weights
    blends = {
        "the best": max(tried, key=lambda weights: tried[weights]),
        "a simple one": simplest(tried, int(covered.sum())),
        "params.yaml": tuple(ours.get(name, 0) for name in present),
    }
    for title, weights in blends.items():
        parts = " + ".join(f"{w:g} {m}" for m, w in zip(present, weights, strict=True) if w)
        print(f"{title}: {parts}")
        show("", {title: np.asarray(weights) @ rows for title, rows in scores.items()}, gold)


def read_gold(layout: Layout, name: str, vocabulary: Vocabulary) -> PlacedPairs:
    """A fetched gold set, with its words looked up in the vocabulary."""
    path = layout.gold / f"{name}.tsv"
    if not path.is_file():
        raise SystemExit(f"{path} is missing: fetch it with WORDKIN_MIRROR set, or name another.")
    return place(read_pairs(path), vocabulary, gold_form(layout, lemmatize=False))


def standard(measure: Measure, placed: PlacedPairs) -> Scores:
    """The relatedness of the pairs, standardised as in a blend."""
    mean, deviation = spread(measure)
    scores = np.zeros(len(placed.gold))
    scores[placed.covered] = (measure.pairs(placed.first, placed.second) - mean) / deviation
    return scores


def svds(layout: Layout, vocabulary: Vocabulary) -> Iterator[VectorMeasure]:
    """Vectors of several dimensions and exponents, from one decomposition."""
    values, vectors = decompose(read_sparse(layout.measure("npmi")), max(DIMENSIONS), seed=0)
    for dimensions, exponent in product(DIMENSIONS, EXPONENTS):
        weighted = vectors[:, :dimensions] * values[:dimensions] ** exponent
        name = f"svd {dimensions}, exponent {exponent:g}"
        yield VectorMeasure(name, vocabulary, unit_rows(weighted))


def try_weights(scores: Scores, gold: Scores, most: int) -> dict[tuple[int, ...], float]:
    """The correlation of each blend of the measures (the rows of `scores`) with `gold`."""
    return {
        weights: float(spearmanr(np.asarray(weights) @ scores, gold).statistic)
        for weights in product(range(most + 1), repeat=len(scores))
        # Doubled weights would be the same blend.
        if np.gcd.reduce(weights) == 1
    }


def simplest(tried: Mapping[tuple[int, ...], float], pairs: int) -> tuple[int, ...]:
    """The blend with the fewest measures among those within a standard error of the best one."""
    best = max(tried.values())
    bound = best - (1 - best**2) / np.sqrt(pairs - 1)
    good = [weights for weights, correlation in tried.items() if correlation >= bound]
    return min(good, key=lambda weights: (np.count_nonzero(weights), -tried[weights]))


def show(name: str, scores: Mapping[str, Scores], gold: Mapping[str, PlacedPairs]) -> None:
    """Print one line of correlations, over the covered pairs and over all pairs."""
    cells = []
    for title, placed in gold.items():
        values, known = scores[title], placed.covered
        of_covered = spearmanr(values[known], placed.gold[known]).statistic
        of_all = spearmanr(values, placed.gold).statistic
        cells.append(f"{of_covered:8.3f} /{of_all:.3f}")
    print(f"{name:26}" + "".join(f"{cell:>14}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
