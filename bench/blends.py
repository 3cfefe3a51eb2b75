"""Which blend of measures agrees best with people: tuned on one gold set, tested on others.

    python -m bench.blends [--lang en] [--tune MEN-dev] [--report MEN-test MEN WS-353-rel]

The measures are all that `matrices/<lang>` has, standardised as in a blend. Two searches are made:
over the measures of raw text alone, and over all of them where some have knowledge. With `--svd`,
other dimensions and exponents of the svd are shown first. Weights are whole numbers up to `--most`.

Only the tuning set decides, by its covered pairs: the others depend on the vocabulary, not on the
weights. It gives three blends. *The best* has the best Spearman correlation. The other two are
within one standard error of it: *a simple one* has the fewest measures, and *an even one* has all
measures, with weights as even as possible, so that what this one set happens to like counts less.
The other sets only show what these blends, those of `params.yaml` and each single measure reach:
over the covered pairs and, after the slash, over all pairs, where an uncovered pair counts as 0.

Up to four measures, all weights are tried; with more, weights are changed step by step as long as
the correlation grows, from each measure alone and from even weights.

A set that is not in `eval/<lang>/gold` comes from a mirror folder: run the stage `fetch` with
WORDKIN_MIRROR set.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata, spearmanr

from pipeline.corpus.gold_words import gold_form
from pipeline.layout import FAMILIES, SINGLE, Layout
from pipeline.params import load_settings
from pipeline.relatedness.opening import open_built
from pipeline.relatedness.sparse import read_sparse
from pipeline.relatedness.svd import decompose, unit_rows
from wordkin.judging.pairs import PlacedPairs, place, read_pairs
from wordkin.measures import Measure, VectorMeasure, spread
from wordkin.vocabulary import Vocabulary

Scores = NDArray[np.float64]

EXHAUSTIVE = 4
"""Up to so many measures, all weights are tried."""
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
    present = [name for name in built_measures(layout) if layout.has_measure(name)]
    measures = {name: open_built(layout, name, vocabulary) for name in present}
    scores = {
        title: {name: standard(measure, placed) for name, measure in measures.items()}
        for title, placed in gold.items()
    }
    for name in present:
        show(name, {title: by_name[name] for title, by_name in scores.items()}, gold)
    raw = [name for name in present if not measures[name].facts.get("knowledge")]
    ours = load_settings(Path("params.yaml")).blend
    for title, names, weights in (
        ("raw text alone", raw, ours.weights),
        ("with knowledge", present, ours.informed),
    ):
        if title == "raw text alone" or len(present) > len(raw):
            print(f"\n{title}")
            show_blends(names, weights, scores, gold, given)


def built_measures(layout: Layout) -> list[str]:
    """The measures that blends can be made of."""
    families = [
        path.name
        for family in FAMILIES
        for path in sorted((layout.matrices / family).glob("*"))
        if path.is_dir()
    ]
    return [*SINGLE, *families]


def show_blends(
    names: Sequence[str],
    settings: Mapping[str, float],
    scores: Mapping[str, Mapping[str, Scores]],
    gold: Mapping[str, PlacedPairs],
    given: argparse.Namespace,
) -> None:
    """Choose blends of some measures, and print what they and the blend of the settings reach."""
    placed = gold[given.tune]
    rows = np.array([scores[given.tune][name][placed.covered] for name in names])
    tried = try_weights(rows, placed.gold[placed.covered], given.most)
    best = max(tried, key=lambda weights: tried[weights])
    blends: dict[str, tuple[float, ...]] = {
        "the best": best,
        "a simple one": simplest(tried, rows.shape[1]),
        "an even one": most_even(tried, rows.shape[1]),
    }
    if settings and set(settings) <= set(names):
        blends["params.yaml"] = tuple(settings.get(name, 0) for name in names)
    for title, weights in blends.items():
        parts = " + ".join(f"{w:g} {m}" for m, w in zip(names, weights, strict=True) if w)
        print(f"{title}: {parts}")
        blended = {
            of: sum(
                (w * by_name[m] for m, w in zip(names, weights, strict=True)),
                np.zeros(len(gold[of].gold)),
            )
            for of, by_name in scores.items()
        }
        show("", blended, gold)


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
    """The correlations of blends of the measures (the rows of `scores`) with `gold`."""
    ranks = rankdata(gold)

    def correlation(weights: tuple[int, ...]) -> float:
        return float(np.corrcoef(rankdata(np.asarray(weights) @ scores), ranks)[0, 1])

    count = len(scores)
    if count <= EXHAUSTIVE:
        every = product(range(most + 1), repeat=count)
        # Doubled weights would be the same blend.
        return {weights: correlation(weights) for weights in every if np.gcd.reduce(weights) == 1}
    tried: dict[tuple[int, ...], float] = {}
    starts = [tuple(map(int, row)) for row in np.eye(count, dtype=int)] + [(1,) * count]
    for start in starts:
        climb(start, most, correlation, tried)
    return tried


def climb(
    start: tuple[int, ...],
    most: int,
    correlation: Callable[[tuple[int, ...]], float],
    tried: dict[tuple[int, ...], float],
) -> None:
    """Change one weight by one, the best change each time, until none is for the better."""
    now = start
    tried.setdefault(now, correlation(now))
    while True:
        steps = [
            (*now[:at], now[at] + step, *now[at + 1 :])
            for at in range(len(now))
            for step in (-1, 1)
            if 0 <= now[at] + step <= most
        ]
        for weights in steps:
            if any(weights) and weights not in tried:
                tried[weights] = correlation(weights)
        best = max((w for w in steps if any(w)), key=lambda weights: tried[weights])
        if tried[best] <= tried[now]:
            return
        now = best


def good_blends(tried: Mapping[tuple[int, ...], float], pairs: int) -> list[tuple[int, ...]]:
    """The blends within a standard error of the best one."""
    best = max(tried.values())
    bound = best - (1 - best**2) / np.sqrt(pairs - 1)
    return [weights for weights, correlation in tried.items() if correlation >= bound]


def simplest(tried: Mapping[tuple[int, ...], float], pairs: int) -> tuple[int, ...]:
    """The good blend with the fewest measures."""
    good = good_blends(tried, pairs)
    return min(good, key=lambda weights: (np.count_nonzero(weights), -tried[weights]))


def most_even(tried: Mapping[tuple[int, ...], float], pairs: int) -> tuple[int, ...]:
    """The good blend whose weights differ least, in proportion to their mean."""
    good = good_blends(tried, pairs)
    return min(good, key=lambda weights: (np.std(weights) / np.mean(weights), -tried[weights]))


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
