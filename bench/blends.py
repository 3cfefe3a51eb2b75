"""Which blend of measures agrees best with people: tuned on one gold set, reported on others.

    python -m bench.blends [--lang en] [--tune MEN-dev] [--report MEN-test MEN WS-353-rel]

The measures of `matrices/<lang>` are taken as they are, each standardised as a blend does it, and
with `--svd` other dimensions and exponents of the svd as well. Weights are whole numbers up to
`--most`. Only the tuning set chooses, by the pairs whose words the vocabulary has (where the others
end up is a matter of the vocabulary): the blend whose Spearman correlation there is the best, and a
simple one, which is the best of those with the fewest measures within one standard error of that.
The other sets are only looked at, for these two, the blend of `params.yaml` and each measure alone:
over the covered pairs and, after the stroke, over all, where one that is not covered counts as 0.
Sets that are not in `eval/<lang>/gold` come from a mirror folder (WORDKIN_MIRROR) when the stage
`fetch` runs with it.
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
    """Print what each measure, each svd and the chosen blend reach."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--lang", default="en")
    parser.add_argument("--tune", default="MEN-dev", help="the gold set that chooses")
    parser.add_argument("--report", nargs="+", default=["MEN-test", "MEN", "WS-353-rel"])
    parser.add_argument("--most", type=int, default=4, help="the highest weight")
    parser.add_argument("--svd", action="store_true", help="try other svds first (takes minutes)")
    given = parser.parse_args()
    layout = Layout(Path(), given.lang)
    vocabulary = Vocabulary.read(layout.vocabulary / "vocabulary.tsv")
    gold = {name: read_gold(layout, name, vocabulary) for name in (given.tune, *given.report)}
    print(f"{len(vocabulary):,} words; {given.tune} chooses\n")
    print(f"{'':26}" + "".join(f"{name:>14}" for name in gold))
    if given.svd:
        for measure in svds(layout, vocabulary):
            show(measure.name, {name: standard(measure, each) for name, each in gold.items()}, gold)
    present = [name for name in MEASURES if (layout.measure(name) / "measure.json").is_file()]
    measures = [open_measure(layout.measure(name), vocabulary) for name in present]
    scores = {
        name: np.array([standard(measure, each) for measure in measures])
        for name, each in gold.items()
    }
    for at, name in enumerate(present):
        show(name, {of: rows[at] for of, rows in scores.items()}, gold)
    chooses = gold[given.tune].covered
    tried = try_weights(scores[given.tune][:, chooses], gold[given.tune].gold[chooses], given.most)
    ours = load_settings(Path("params.yaml")).blend.weights
    blends = {
        "the best": max(tried, key=lambda weights: tried[weights]),
        "a simple one": simplest(tried, int(chooses.sum())),
        "params.yaml": tuple(ours.get(name, 0) for name in present),
    }
    for title, weights in blends.items():
        parts = " + ".join(f"{w:g} {m}" for m, w in zip(present, weights, strict=True) if w)
        print(f"{title}: {parts}")
        show("", {of: np.asarray(weights) @ rows for of, rows in scores.items()}, gold)


def read_gold(layout: Layout, name: str, vocabulary: Vocabulary) -> PlacedPairs:
    """A fetched gold set, its words looked up in the vocabulary."""
    path = layout.gold / f"{name}.tsv"
    if not path.is_file():
        raise SystemExit(f"There is no {path}: fetch it with WORDKIN_MIRROR set, or name others.")
    return place(read_pairs(path), vocabulary, gold_form(layout, lemmatize=False))


def standard(measure: Measure, placed: PlacedPairs) -> Scores:
    """The pairs' relatedness as a blend has it: less the mean, over the deviation."""
    mean, deviation = spread(measure)
    scores = np.zeros(len(placed.gold))
    scores[placed.covered] = (measure.pairs(placed.first, placed.second) - mean) / deviation
    return scores


def svds(layout: Layout, vocabulary: Vocabulary) -> Iterator[VectorMeasure]:
    """Vectors of several dimensions and exponents out of one decomposition."""
    values, vectors = decompose(read_sparse(layout.measure("npmi")), max(DIMENSIONS), seed=0)
    for dimensions, exponent in product(DIMENSIONS, EXPONENTS):
        weighted = vectors[:, :dimensions] * values[:dimensions] ** exponent
        name = f"svd {dimensions}, exponent {exponent:g}"
        yield VectorMeasure(name, vocabulary, unit_rows(weighted))


def try_weights(scores: Scores, gold: Scores, most: int) -> dict[tuple[int, ...], float]:
    """How each blend of the measures (rows of `scores`) correlates with `gold`."""
    return {
        weights: float(spearmanr(np.asarray(weights) @ scores, gold).statistic)
        for weights in product(range(most + 1), repeat=len(scores))
        # Twice the weights are the same blend.
        if np.gcd.reduce(weights) == 1
    }


def simplest(tried: Mapping[tuple[int, ...], float], pairs: int) -> tuple[int, ...]:
    """The best of the blends with the fewest measures that may well be as good as the best one."""
    best = max(tried.values())
    bound = best - (1 - best**2) / np.sqrt(pairs - 1)
    good = [weights for weights, reached in tried.items() if reached >= bound]
    return min(good, key=lambda weights: (np.count_nonzero(weights), -tried[weights]))


def show(name: str, scores: Mapping[str, Scores], gold: Mapping[str, PlacedPairs]) -> None:
    """Print a line of correlations, over the covered pairs and over all."""
    cells = []
    for of, each in gold.items():
        known = each.covered
        covered = spearmanr(scores[of][known], each.gold[known]).statistic
        cells.append(f"{covered:8.3f} /{spearmanr(scores[of], each.gold).statistic:.3f}")
    print(f"{name:26}" + "".join(f"{cell:>14}" for cell in cells), flush=True)


if __name__ == "__main__":
    main()
